"""`endsight analyze`: the position drawn, and every move with its worth."""

from __future__ import annotations

from endsight.cli.command import command
from endsight.cli.options import (
    batch_output_options,
    game_argument,
    limit_options,
    number_options,
    position_options,
    question_options,
    takes,
)
from endsight.cli.output import Output
from endsight.cli.plain import MOVE_COLUMNS
from endsight.cli.request import Asked, Request
from endsight.cli.respond import position_answer, respond

__all__ = ["analyze"]


@command(
    'endsight analyze tictactoe --at "a1 b2"',
    "endsight analyze pots:4-9-2-7-5-3-8-1",
    'endsight analyze repeatbust --position "reward=35 last=7"',
)
@takes(game_argument, position_options, question_options, number_options, limit_options, batch_output_options)
def analyze(request: Request, output: Output) -> int:
    """A position drawn, and what every move is worth.

    Regret is what a move gives away against the best one. ▲ is the best move, ● one
    as good as the best, ▼ a worse one; losing moves are shown with the line that
    refutes them.
    """
    return respond(
        request,
        output,
        document=lambda asked: position_answer(output, asked, moves=True),
        show=lambda asked: _show(request, output, asked),
        rows=lambda document: document["moves"],
        columns=MOVE_COLUMNS,
        stopped=lambda position, error: request.unknown(position, error, moves=True),
    )


def _show(request: Request, output: Output, asked: Asked) -> None:
    from endsight.cli.render import draw_facts, draw_footer, draw_head, draw_moves

    screen = output.screen
    draw_head(screen, output, asked, request.game)
    draw_moves(screen, output, asked)
    draw_facts(screen, output, asked.solution.facts(asked.position))
    draw_footer(screen, asked)
