"""`endsight plot`: answers as pictures."""

from __future__ import annotations

from pathlib import Path

import click

from endsight.charts import KINDS, chart
from endsight.errors import UsageError
from endsight.faces.board_chart import board_chart
from endsight.faces.cli.command import (
    argument,
    command,
    debug_option,
    option,
    placed,
    single,
    stored_option,
    takes,
    whole,
)
from endsight.faces.cli.request import Asked, Request


@command(
    "endsight plot repeatbust policy -o thresholds.svg",
    'endsight plot tictactoe values --at "a1 b1" -o moves.svg',
    'endsight plot pigturn history --at "roll 4 roll 6 hold" -o -',
)
@takes(
    option("-o --output path", "FILE", "The file to write: .svg, .png or .pdf; - prints SVG.", required=True),
    single("--player", "NAME", "Whose value or payoff (the default depends on the chart)."),
    option("--width", "N", "Width of an SVG in units (default 720).", whole(320, 4000), default=720),
    placed,
    stored_option,
    argument("kind", "KIND", click.Choice((*KINDS, "board"))),
    output=debug_option,
)
def plot(request: Request, kind: str, path: str, player: str | None, width: int) -> int:
    """Draw a chart: values, policy, distribution, history, graph or board.

    KIND: `values`, what each move is worth; `policy`, what to play, if the policy has a
    shape; `distribution`, the chances of payoffs; `history`, the value along the moves
    of --at; `graph`, all positions of a small game; `board`, the position with the value
    of each move on it (SVG only). SVG needs no extra; PNG and PDF need the extra [plot].
    """
    _check_ending(path)
    if kind == "board" and path != "-" and not path.lower().endswith(".svg"):
        raise UsageError("a board can be drawn only as SVG", found=path[:200], allowed=".svg, or - for SVG")
    position = request.starting_position()
    start = request.loaded.position if kind == "history" else position

    def draw(asked: Asked) -> None:
        solution = asked.solution
        made = board_chart(solution, position) if kind == "board" else chart(solution, kind, position, player=player)
        content = made.content(Path("chart.svg" if path == "-" else path), width=width)
        request.output.file(path, content, f"{made.title}: {path}")

    if kind == "history" and position.set_up is not None:
        raise UsageError("a history needs the moves that were played", found="--position", advice="--at MOVES")
    request.answer(draw, start)
    return 0


def _check_ending(path: str) -> None:
    """Check before any work that the file is of a known kind, and not meant to be standard output."""
    if path.startswith("-") and path != "-":
        raise UsageError(
            f"{path[:200]!r} would be a file whose name begins with -",
            allowed="- alone, which prints SVG, or the name of a file",
            advice=f"./{path[:200]} for a file of that name",
        )
    if path != "-" and not path.lower().endswith((".svg", ".png", ".pdf")):
        raise UsageError(f"a chart cannot be written as {path[:200]!r}", allowed=".svg, .png, .pdf, or - for SVG")
