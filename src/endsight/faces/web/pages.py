"""The pages: from a view of a worker and a template to HTML. Nothing here knows any game."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request, Response

from endsight.board import stylesheet
from endsight.errors import QuestionError
from endsight.faces.gallery import KINDS as KINDS_OF_GAMES
from endsight.faces.web.addresses import Address
from endsight.faces.web.api import KINDS, answer_of
from endsight.faces.web.asking import Ask
from endsight.faces.web.game_page import GamePage, asked_address, redirect
from endsight.faces.web.listing import index_entries, matching, own_entries
from endsight.faces.web.pool import Pool
from endsight.faces.web.problems import problem_of
from endsight.faces.web.proven_so_far import proven_so_far
from endsight.faces.web.reading import PARAMETERS
from endsight.faces.web.rendering import problem_page, rendered
from endsight.faces.web.shelf import Shelf
from endsight.naming.game_record import read_record, record_text

__all__ = ["router"]

VIEW_SECONDS = 2.5
"""How long a page that is nothing without its answer waits for it before it shows how far the work has come."""
BOARD = "board.css"
"""The style sheet of the kit of pieces."""
STATIC = {
    "endsight.js": "text/javascript; charset=utf-8",
    "endsight.css": "text/css; charset=utf-8",
    "endsight.svg": "image/svg+xml",
    BOARD: "text/css; charset=utf-8",
}
_PARAMETER = "p-"
_BACK = re.compile(r"/games/[^\\\r\n]*")


def router(pool: Pool, shelf: Shelf) -> APIRouter:
    """All routes of the pages."""
    routes = APIRouter(include_in_schema=False)
    pages, boards = _Pages(pool, shelf), GamePage(pool, shelf)

    def add(path: str, handler: Callable[..., Awaitable[Response]], method: str = "GET") -> None:
        routes.add_api_route(path, handler, methods=[method, "HEAD"] if method == "GET" else [method])

    add("/", pages.index)
    add("/open", pages.open)
    add("/record", pages.open_record)
    add("/api", pages.api)
    add("/healthz", pages.health)
    add("/cancel", pages.cancel, "POST")
    add("/static/{name}", pages.static)
    add("/games/{game:path}/rules", pages.view("rules"))
    add("/games/{game:path}/table", pages.view("table"))
    add("/games/{game:path}/dist", pages.view("dist"))
    add("/games/{game:path}/report", pages.view("report"))
    add("/games/{game:path}/review", pages.view("review"))
    add("/games/{game:path}/explorer", pages.view("explorer"))
    add("/games/{game:path}/fairness", pages.view("fairness"))
    add("/games/{game:path}/experiments", pages.view("experiments"))
    add("/games/{game:path}/proof", pages.view("proof"))
    add("/games/{game:path}/certificate", pages.certificate)
    add("/games/{game:path}/board.svg", pages.picture)
    add("/games/{game:path}/record", pages.record)
    add("/games/{game:path}", boards.show)
    return routes


class _Pages:
    """The handlers, with what they need."""

    def __init__(self, pool: Pool, shelf: Shelf) -> None:
        self.pool = pool
        self.shelf = shelf
        folder = resources.files("endsight.faces.web").joinpath("static")
        self.files = {name: folder.joinpath(name).read_bytes() for name in STATIC if name != BOARD}
        self.files[BOARD] = stylesheet().encode()

    # ---------------------------------------------------------------- small pages

    async def index(self, request: Request) -> Response:
        """All games, or those that a search leaves."""
        document, problem = await answer_of(request, self.pool, Ask("games"))
        if document is None:
            return problem_page(problem or problem_of(None))
        asked = dict(request.query_params)
        search, kind = asked.get("search", "").strip()[:80], asked.get("kind", "")
        games = index_entries(document["games"])
        found, named = (matching(entries, search, kind) for entries in (games, own_entries(self.shelf.named())))
        shown: dict[str, Any] = {
            "search": search,
            "kind": kind,
            "kinds": KINDS_OF_GAMES,
            "total": len(games),
            "place": "games",
        }
        return rendered("index.html", named=named, games=found, **shown)

    async def open_record(self, request: Request) -> Response:
        """From the text of a record to the game's page."""
        record = read_record(request.query_params.get("text", ""))
        if record.game is None:
            raise QuestionError("the record does not say which game it is", allowed="# game: NAME[:key=value,...]")
        return redirect(Address(self.shelf.find(record.game), tuple(record.moves), record.position).to())

    async def open(self, request: Request) -> Response:
        """From a form with parameters to the game's address."""
        items = request.query_params.multi_items()
        game = next((text for key, text in items if key == "game"), "")
        given = [(key.removeprefix(_PARAMETER), text.strip()) for key, text in items if key.startswith(_PARAMETER)]
        text = ",".join(f"{key}={value}" for key, value in given if value)
        page = "seats" if ("page", "seats") in items else ""
        return redirect(Address(self.shelf.find(f"{game}:{text}" if text else game)).to(page))

    async def api(self, request: Request) -> Response:
        """What the JSON API offers."""
        return rendered("api.html", kinds=KINDS.values(), parameters=PARAMETERS, place="api")

    async def health(self, request: Request) -> Response:
        """That the server is there."""
        return Response('{"status": "ok"}', media_type="application/json")

    async def static(self, request: Request) -> Response:
        """The style sheet and the script; no other file."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise QuestionError("there is no such file", allowed=", ".join(STATIC))
        return Response(self.files[name], media_type=STATIC[name], headers={"cache-control": "max-age=3600"})

    async def cancel(self, request: Request) -> Response:
        """Cancel the work that a page waits for, and show the page without values."""
        fields = dict(parse_qsl((await request.body()).decode("utf-8", "replace")))
        job = self.pool.jobs.get(fields.get("job", ""))
        if job is not None:
            self.pool.cancel(job)
        back = fields.get("back", "/")
        return redirect(back if _BACK.fullmatch(back) else "/")

    # ---------------------------------------------------------------- pages of a game

    def view(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """The handler of a page that shows one view of a worker."""

        async def handler(request: Request) -> Response:
            address = asked_address(self.shelf, request)
            extra: dict[str, Any] = {"player": address.player} if address.player else {}
            extra |= {"trial": dict(address.trial)} if address.trial else {}
            asked = address
            if name in ("review", "explorer"):  # of the whole record, with the board where the address stands
                extra["here"] = len(address.moves)
                asked = replace(address, moves=address.moves + address.ahead)
            job = self.pool.submit(asked.ask(f"{name} page", **extra))
            shown: dict[str, Any] = {"address": address, "named": address.named}
            if not await self.pool.wait(job, VIEW_SECONDS, request.is_disconnected):
                self.pool.hold(job)
                known = job.proven_so_far
                told = None if known is None else proven_so_far(known, known, None)
                return rendered("working.html", job=job, page=name, told=told, **shown)
            if job.reply is None or "document" not in job.reply:
                return problem_page(problem_of(job.reply), address.to(hide=True))
            shown["review_address"] = partial(address.through, page="review")
            return rendered(f"{name}.html", view=job.reply["document"], **shown)

        return handler

    async def certificate(self, request: Request) -> Response:
        """The certificate of a position, as a file."""
        address = asked_address(self.shelf, request)
        document, problem = await answer_of(request, self.pool, address.ask("certificate"))
        if document is None:
            return problem_page(problem or problem_of(None), address.to())
        headers = {"content-disposition": 'attachment; filename="endsight.cert"'}
        return Response(document["text"], media_type="application/json", headers=headers)

    async def picture(self, request: Request) -> Response:
        """The board alone, as a picture."""
        document, problem = await answer_of(request, self.pool, asked_address(self.shelf, request).ask("picture"))
        if document is None:
            return problem_page(problem or problem_of(None))
        headers = {"cache-control": "max-age=600"}
        return Response(document["svg"], media_type="image/svg+xml", headers=headers)

    async def record(self, request: Request) -> Response:
        """The moves so far as a record, a file of text."""
        address = asked_address(self.shelf, request)
        document, problem = await answer_of(request, self.pool, address.ask("record"))
        if document is None:
            return problem_page(problem or problem_of(None), address.to())
        notes = [document["result"]] if document["result"] else []
        text = record_text(address.named.spec, address.moves, notes, address.position)
        headers = {"content-disposition": 'attachment; filename="endsight-game.txt"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)
