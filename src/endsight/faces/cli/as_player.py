"""`endsight analyze --as PLAYER`: a position as one player sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from endsight.errors import UsageError
from endsight.faces.cli.output import Output
from endsight.faces.cli.plain import MOVE_COLUMNS
from endsight.faces.cli.request import Asked, Request

if TYPE_CHECKING:
    from endsight.answers.seen import SeenPosition

__all__ = ["answer_as"]


def answer_as(request: Request, output: Output, player: str, *, ranges: bool) -> int:
    """What that player knows, and what every move is worth to who knows no more; gives the exit code."""
    if request.position is not None:
        raise UsageError("--as goes by what a player has seen on the way", allowed="--at MOVES, with ? for the unseen")
    if output.form == "jsonl":
        raise UsageError("--as answers one position", allowed="--json")
    start = request.loaded.position
    moves = [*start.history, *request.at_text.split()]

    def seen(asked: Asked) -> SeenPosition:
        return asked.solution.seen_by(player, moves, ranges=ranges)

    def document(asked: Asked) -> dict[str, Any]:
        from endsight.faces.documents import seen_document

        return seen_document(asked.solution, seen(asked))

    if output.form == "people":
        request.answer(lambda asked: _show(request, output, asked, seen(asked)), start)
    elif output.form == "plain":
        output.rows(request.answer(document, start)["moves"], (*MOVE_COLUMNS, *["range"] * ranges))
    else:
        output.document(request.answer(document, start))
    return 0


def _show(request: Request, output: Output, asked: Asked, found: SeenPosition) -> None:
    from endsight.faces.cli.mixtures import draw_seen
    from endsight.faces.cli.render import draw_footer

    screen, names = output.screen, asked.solution.game.player_names
    after = f" · after {found.position.text}" if found.position.history else ""
    screen.title(request.loaded.title, f"{after} · as {found.player} sees it")
    screen.line()
    screen.line(f"{found.player} sees {found.sees}")
    draw_seen(output, found, names)
    draw_footer(screen, asked)
