"""`endsight page`: one file that plays a solved game without server or network."""

from __future__ import annotations

from endsight.errors import UsageError
from endsight.faces.cli.command import command, debug_option, option, placed, takes
from endsight.faces.cli.request import Asked, Request
from endsight.faces.solved_page.writing import solved_page
from endsight.game.limits import size_text


@command(
    "endsight page dodgem -o dodgem.html",
    "endsight page hexapawn -o hexapawn.html",
    "endsight page pig:target=5 -o pig.html",
)
@takes(
    option("-o --output path", "FILE.html", "The file to write; - prints it.", required=True),
    placed,
    output=debug_option,
)
def page(request: Request, path: str) -> int:
    """Write one HTML file that plays the solved game and shows every value.

    You can give the file away: it opens in any browser, from disk, without a network. It holds
    all positions of a small game. Of a larger game it holds all that can occur while at least
    one player plays perfectly, and says so when play leaves them. Where players see different
    things or move at once, you play one seat and see what that seat sees; the file draws the
    moves of the others from an optimal plan.
    """
    if path != "-" and (path.startswith("-") or not path.lower().endswith((".html", ".htm"))):
        raise UsageError(f"a page cannot be written as {path[:200]!r}", allowed="FILE.html, or - to print it")

    def write(asked: Asked) -> None:
        text = solved_page(asked.solution)
        size = size_text(len(text.encode()), 2)
        request.output.file(path, text.encode(), f"{asked.solution.game.title()}: {path}, {size}")

    request.answer(write)
    return 0
