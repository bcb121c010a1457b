"""`endsight line`: one line of best play."""

from __future__ import annotations

from typing import Any

from endsight.faces.cli.command import command
from endsight.faces.cli.options import asking, batch_output_options, stored_option, takes
from endsight.faces.cli.output import Output
from endsight.faces.cli.request import Asked, Request
from endsight.faces.cli.respond import respond

__all__ = ["line"]


@command(
    'endsight line tictactoe --at "a1 b1"',
    "endsight line pots:4-9-2-7 --objective cooperative",
)
@takes(asking, stored_option, batch_output_options)
def line(request: Request, output: Output) -> int:
    """One line of best play, to the end of the game.

    Of several best moves the first is taken; chance takes its likeliest outcome. Where a
    position comes back, the line ends, and says so.
    """
    return respond(
        request,
        output,
        document=_document,
        show=lambda asked: _show(request, output, asked),
        rows=lambda document: document["moves"],
        columns=("player", "move"),
    )


def _document(asked: Asked) -> dict[str, Any]:
    from endsight.faces.documents import line_document

    return line_document(asked.solution, asked.position)


def _show(request: Request, output: Output, asked: Asked) -> None:
    from endsight.faces.cli.render import MOST_ROWS, draw_footer, draw_head, row_limit
    from endsight.faces.cli.screen import DIM, Column

    screen = output.screen
    draw_head(screen, output, asked, request.loaded.title)
    steps = list(asked.solution.steps(asked.position))
    if steps:
        screen.line()
        first = len(asked.position.history) + 1
        shown = enumerate(steps[:MOST_ROWS], start=first)
        screen.table(
            [Column(align="right"), Column(), Column()],
            [(str(number), step.player, step.move) for number, step in shown],
        )
        row_limit(screen, min(MOST_ROWS, len(steps)), len(steps), "move")
        screen.line()
        if steps[-1].back_to is not None:
            before = "at the beginning" if not steps[-1].back_to else f"after move {first + steps[-1].back_to - 1}"
            screen.line(f"The position is that {before} again: play goes on like this for ever.")
            screen.line()
        screen.line(" ".join([*asked.position.history, *(step.move for step in steps)][: 10 * MOST_ROWS]), DIM)
    draw_footer(screen, asked)
