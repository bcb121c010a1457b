"""`endsight plot`: answers as pictures."""

from __future__ import annotations

from pathlib import Path

import click

from endsight.errors import UsageError
from endsight.faces.cli.command import command
from endsight.faces.cli.options import (
    debug_option,
    game_argument,
    limit_options,
    position_options,
    question_options,
    takes,
)
from endsight.faces.cli.output import Output
from endsight.faces.cli.request import Asked, Request
from endsight.faces.cli.surroundings import in_first_folder

__all__ = ["plot"]

KINDS = ("values", "policy", "distribution", "history", "graph")


@command(
    "endsight plot repeatbust policy -o thresholds.svg",
    'endsight plot tictactoe values --at "a1 b1" -o moves.svg',
    'endsight plot pigturn history --at "roll 4 roll 6 hold" -o -',
)
@takes(
    game_argument,
    click.argument("kind", metavar="KIND", type=click.Choice(KINDS)),
    click.option(
        "-o", "--output", "path", metavar="FILE", required=True, help="Where to: .svg, .png or .pdf; - prints the SVG."
    ),
    click.option("--player", metavar="NAME", help="Whose value or payoff (default as the chart says)."),
    click.option("--width", type=click.IntRange(320, 4000), default=720, help="Units across (SVG; default 720)."),
    position_options,
    question_options,
    limit_options,
    debug_option,
)
def plot(request: Request, output: Output, kind: str, path: str, player: str | None, width: int) -> int:
    """Draw a chart: values, policy, distribution, history or graph.

    KIND: `values`, what each move is worth; `policy`, what to play, where that has a
    shape; `distribution`, the chances of payoffs; `history`, the value along the moves
    of --at; `graph`, all positions of a small game. SVG needs nothing; PNG and PDF need
    the extra [plot].
    """
    _check_ending(path)
    position = request.starting_position()
    start = request.loaded.position if kind == "history" else position

    def draw(asked: Asked) -> None:
        from endsight.base.outputs import write_output
        from endsight.charts import chart

        picture = chart(asked.solution, kind, position, player=player)
        if path == "-":
            output.say(*picture.svg(width).rstrip("\n").split("\n"))
            return
        write_output(in_first_folder(Path(path)), picture.content(Path(path), width=width))
        output.say(f"{picture.title}: {path}")

    if kind == "history" and position.set_up is not None:
        raise UsageError("a history needs the moves that were played", found="--position", advice="--at MOVES")
    request.answer(draw, start)
    return 0


def _check_ending(path: str) -> None:
    """Before any work is done, that the file is one of a known kind, and not a slip for standard output."""
    if path.startswith("-") and path != "-":
        raise UsageError(
            f"{path[:200]!r} would be a file whose name begins with -",
            allowed="- alone, which prints SVG, or the name of a file",
            advice=f"./{path[:200]} for a file of that name",
        )
    if path != "-" and not path.lower().endswith((".svg", ".png", ".pdf")):
        raise UsageError(f"no chart can be written as {path[:200]!r}", allowed=".svg, .png, .pdf, or - for SVG")
