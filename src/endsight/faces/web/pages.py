"""The pages: from a view of a worker and a template to HTML. Nothing here knows any game."""

from __future__ import annotations

import re
import shlex
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl, quote

import jinja2
from fastapi import APIRouter, Request, Response
from markupsafe import Markup, escape

import endsight
from endsight.base.printable import printable, printable_lines
from endsight.board import stylesheet, symbols
from endsight.errors import QuestionError
from endsight.faces.advice import Said, bounds_text, to_do, unproven
from endsight.faces.advice import named as named_moves
from endsight.faces.gallery import KINDS as KINDS_OF_GAMES
from endsight.faces.gallery import Card, card_of, settings_text
from endsight.faces.web.addresses import SEAT, Address
from endsight.faces.web.api import KINDS, answer_of
from endsight.faces.web.asking import Ask
from endsight.faces.web.gauges import balance, bar, course, split
from endsight.faces.web.listing import index_entries, matching, own_entries
from endsight.faces.web.pool import Job, Pool
from endsight.faces.web.problems import Problem, is_hidden, leaves_the_board, problem_of
from endsight.faces.web.reading import PARAMETERS
from endsight.faces.web.seats import HAND
from endsight.faces.web.shelf import Named, Shelf
from endsight.faces.wording import capital
from endsight.game.field_texts import value_text
from endsight.naming.class_names import game_title
from endsight.naming.game_record import read_record, record_text

__all__ = ["problem_page", "problem_text", "rendered", "router"]

QUICK_SECONDS = 0.7
"""How long a page waits for its values before it is shown without them."""
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


@cache
def environment() -> jinja2.Environment:
    """Templates; texts are escaped and printable, unless they are drawings that were built here."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("endsight.faces.web"),
        autoescape=True,
        finalize=lambda part: printable_lines(part) if type(part) is str else part,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(version=endsight.__version__, bar=bar, balance=balance, course=course, split=split)
    made.globals.update(symbols=lambda: Markup(symbols()))
    made.filters.update(shorter=game_title, setting=_setting, urlencode=_quoted)
    made.filters.update(breakable=_breakable, coded=_coded, shell=shlex.quote, exact=_exact)
    made.filters.update(card=_card, settings=_settings, todo=to_do, either=named_moves)
    return made


def rendered(template: str, status: int = 200, **parts: Any) -> Response:
    """A template as the answer."""
    text = environment().get_template(template).render(**parts)
    return Response(text, status, media_type="text/html; charset=utf-8")


def problem_page(problem: Problem) -> Response:
    """What went wrong, as a page."""
    return Response(problem_text(problem), problem["status"], media_type="text/html; charset=utf-8")


def problem_text(problem: Problem) -> str:
    """The same as text."""
    return environment().get_template("problem.html").render(problem=problem, back="/")


def _card(named: Named) -> Card:
    """How a game is called."""
    return card_of(named.class_name)


def _settings(named: Named) -> str:
    """Its settings in a few words."""
    given = named.spec.removeprefix(named.base).removeprefix(":")
    return settings_text(named.base, given)


def _breakable(spec: str) -> Markup:
    """A game's name that may go on in the next line behind its signs."""
    parts = re.split(r"(?<=[,:/])", printable(game_title(spec)))
    return Markup("<wbr>").join(parts)


def _coded(text: str) -> Markup:
    """Words between backticks as code."""
    parts: list[str] = re.split(r"`([^`\n]+)`", printable_lines(text))
    parts[1::2] = [Markup("<code>{}</code>").format(part) for part in parts[1::2]]
    return Markup("").join(parts)


def _exact(text: str) -> Markup:
    """What a form sends back as it is: signs that are not printable as references, for nobody sees them."""
    return Markup("".join(escape(sign) if printable(sign) == sign else f"&#{ord(sign)};" for sign in text))


def _quoted(text: str) -> str:
    return quote(text, safe="")


def _setting(row: Mapping[str, Any]) -> str:
    """What a parameter's field holds at first: its default, or an example where it must be given."""
    default = row["default"]
    if row["required"]:
        return {"number": "5"}.get(row["kind"], row["kind"].removeprefix("like ") if not row["choices"] else "")
    if isinstance(default, dict):
        return str(default.get("exact", ""))
    return value_text(tuple(default) if isinstance(default, list) else default)


def _back(address: Address, view: Mapping[str, Any]) -> int:
    """How many moves lie before the last decision of somebody at the page; without one, all but the last."""
    by_hand = [step["number"] - 1 for step in view["history"] if address.seats.get(step["player"], HAND) == HAND]
    return int(by_hand[-1]) if by_hand else max(0, len(address.moves) - 1)


def _standing(view: Mapping[str, Any]) -> str:
    """Who is to move, as a sentence without its end."""
    if view["over"]:
        return "The game is over"
    return "Chance moves next" if view["to_move"] == "chance" else f"{capital(view['to_move'])} to move"


def _known(view: Mapping[str, Any], document: Mapping[str, Any] | None, stopped: Problem | None) -> Said:
    """What is proven while values are being found, or why there are none."""
    if stopped is not None and stopped["status"] not in (503, 504):
        return Said("open", f"{stopped['title']}.", f"{capital(stopped['detail'])}. You can still play every move.")
    lower, upper = ((document or {}).get(end) or (document or {}).get("value") for end in ("lower", "upper"))
    told = unproven(view["players"], *(_ends(side) for side in (lower, upper)))
    return told if stopped is None else replace(told, reason=f"{capital(stopped['detail'])}. {told.reason}")


def _proven_moves(document: Mapping[str, Any] | None) -> dict[str, str]:
    """What is proven about moves, as short texts."""
    rows = (document or {}).get("moves") or ()
    return {row["move"]: text for row in rows if (text := _bounds_text(row))}


def _bounds_text(row: Mapping[str, Any]) -> str:
    lower, upper = (_ends(row.get(end) or row.get("value")) or {} for end in ("lower", "upper"))
    return bounds_text(list(lower), lower, upper) if lower and upper else ""


def _ends(side: Mapping[str, Any] | None) -> dict[str, Fraction | None] | None:
    return None if side is None else {name: None if end is None else _number(end) for name, end in side.items()}


def _number(entry: Mapping[str, Any]) -> Fraction:
    """The number of a JSON document."""
    if entry["exact"] is not None:
        return Fraction(entry["exact"])
    top, _, below = entry["exact_hex"].partition("/")
    return Fraction(int(top, 16), int(below or "1", 16))


def router(pool: Pool, shelf: Shelf) -> APIRouter:
    """All routes of the pages."""
    routes = APIRouter(include_in_schema=False)
    pages = _Pages(pool, shelf)

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
    add("/games/{game:path}/fairness", pages.view("fairness"))
    add("/games/{game:path}/experiments", pages.view("experiments"))
    add("/games/{game:path}/proof", pages.view("proof"))
    add("/games/{game:path}/certificate", pages.certificate)
    add("/games/{game:path}/board.svg", pages.picture)
    add("/games/{game:path}/record", pages.record)
    add("/games/{game:path}", pages.game)
    return routes


class _Pages:
    """The handlers, with what they need."""

    def __init__(self, pool: Pool, shelf: Shelf) -> None:
        self.pool = pool
        self.shelf = shelf
        folder = resources.files("endsight.faces.web").joinpath("static")
        self.files = {name: folder.joinpath(name).read_bytes() for name in STATIC if name != BOARD}
        self.files[BOARD] = stylesheet().encode()

    def render(self, template: str, status: int = 200, **parts: Any) -> Response:
        """A template as the answer."""
        return rendered(template, status, **parts)

    def problem(self, problem: Problem, back: str = "/") -> Response:
        """What went wrong, as a page."""
        return self.render("problem.html", problem["status"], problem=problem, back=back)

    # ---------------------------------------------------------------- small pages

    async def index(self, request: Request) -> Response:
        """All games, or those that a search leaves."""
        document, problem = await answer_of(request, self.pool, Ask("games"))
        if document is None:
            return self.problem(problem or problem_of(None))
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
        return self.render("index.html", named=named, games=found, **shown)

    async def open_record(self, request: Request) -> Response:
        """From the text of a record to the game's page."""
        record = read_record(request.query_params.get("text", ""))
        if record.game is None:
            raise QuestionError("the record does not say which game it is", allowed="# game: NAME[:key=value,...]")
        return _redirect(Address(self.shelf.find(record.game), tuple(record.moves), record.position).to())

    async def open(self, request: Request) -> Response:
        """From a form with parameters to the game's address."""
        items = request.query_params.multi_items()
        game = next((text for key, text in items if key == "game"), "")
        given = [(key.removeprefix(_PARAMETER), text.strip()) for key, text in items if key.startswith(_PARAMETER)]
        text = ",".join(f"{key}={value}" for key, value in given if value)
        page = "seats" if ("page", "seats") in items else ""
        return _redirect(Address(self.shelf.find(f"{game}:{text}" if text else game)).to(page))

    async def api(self, request: Request) -> Response:
        """What the JSON API offers."""
        return self.render("api.html", kinds=KINDS.values(), parameters=PARAMETERS, place="api")

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
        return _redirect(back if _BACK.fullmatch(back) else "/")

    # ---------------------------------------------------------------- pages of a game

    def view(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """The handler of a page that shows one view of a worker."""

        async def handler(request: Request) -> Response:
            address = self._address(request)
            extra: dict[str, Any] = {"player": address.player} if address.player else {}
            extra |= {"trial": dict(address.trial)} if address.trial else {}
            asked = address
            if name == "review":  # of the whole record, with the board where the address stands
                extra["here"] = len(address.moves)
                asked = replace(address, moves=address.moves + address.ahead)
            job = self.pool.submit(asked.ask(f"{name} page", **extra))
            shown: dict[str, Any] = {"address": address, "named": address.named}
            if not await self.pool.wait(job, VIEW_SECONDS, request.is_disconnected):
                self.pool.hold(job)
                known = job.proven_so_far
                told = None if known is None else _known(known, known, None)
                return self.render("working.html", job=job, page=name, told=told, **shown)
            if job.reply is None or "document" not in job.reply:
                return self.problem(problem_of(job.reply), address.to(hide=True))
            shown["review_address"] = partial(address.through, page="review")
            return self.render(f"{name}.html", view=job.reply["document"], **shown)

        return handler

    async def certificate(self, request: Request) -> Response:
        """The certificate of a position, as a file."""
        address = self._address(request)
        document, problem = await answer_of(request, self.pool, address.ask("certificate"))
        if document is None:
            return self.problem(problem or problem_of(None), address.to())
        headers = {"content-disposition": 'attachment; filename="endsight.cert"'}
        return Response(document["text"], media_type="application/json", headers=headers)

    async def picture(self, request: Request) -> Response:
        """The board alone, as a picture."""
        document, problem = await answer_of(request, self.pool, self._address(request).ask("picture"))
        if document is None:
            return self.problem(problem or problem_of(None))
        headers = {"cache-control": "max-age=600"}
        return Response(document["svg"], media_type="image/svg+xml", headers=headers)

    async def record(self, request: Request) -> Response:
        """The moves so far as a record, a file of text."""
        address = self._address(request)
        document, problem = await answer_of(request, self.pool, address.ask("record"))
        if document is None:
            return self.problem(problem or problem_of(None), address.to())
        notes = [document["result"]] if document["result"] else []
        text = record_text(address.named.spec, address.moves, notes, address.position)
        headers = {"content-disposition": 'attachment; filename="endsight-game.txt"'}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    def _address(self, request: Request) -> Address:
        named = self.shelf.find(request.path_params["game"])
        return Address.read(named, request.query_params.multi_items())

    async def game(self, request: Request) -> Response:
        """The board with its moves and, unless hidden, their values."""
        address = self._address(request)
        job = self._page_job(address, show=not address.hide)
        if not await self.pool.wait(job, QUICK_SECONDS, request.is_disconnected):
            self.pool.hold(job)
            return await self._without_values(request, address, job)
        if job.reply is None or "document" not in job.reply:
            problem = problem_of(job.reply)
            if leaves_the_board(problem) and not address.hide:
                return await self._without_values(request, address, job, problem)
            if is_hidden(problem):
                hall = Address(address.named).to("seats")
                return self.problem(problem, hall) if address.moves or address.position else _redirect(hall)
            start = Address(address.named).to()
            return self.problem(problem, start if start != address.to() else "/")
        view = job.reply["document"]
        if "title" not in view:
            return _redirect(address.to(moves=tuple(view["moves"]), ahead=()))
        return self._page(address, view)

    def _page_job(self, address: Address, *, show: bool) -> Job:
        ask = address.ask(
            "page", show=show, seats=dict(address.seats), once=address.once, link=address.link, ahead=address.ahead
        )
        return self.pool.submit(ask)

    async def _without_values(
        self, request: Request, address: Address, job: Job, problem: Problem | None = None
    ) -> Response:
        """The board alone, while the values are being found or where a limit has stopped that."""
        view, fault = await answer_of(request, self.pool, address.ask("page", show=False, link=address.link))
        if view is None:
            return self.problem(fault or problem_of(None))
        return self._page(address, view, job=job if problem is None else None, stopped=problem)

    def _page(self, address: Address, view: dict[str, Any], **parts: Any) -> Response:
        shown: dict[str, Any] = {"job": None, "stopped": None, "back": _back(address, view), "seat_key": SEAT, **parts}
        work, stopped = shown["job"], shown["stopped"]
        known = work.proven_so_far if work is not None else stopped.get("document") if stopped is not None else None
        told = None if address.hide or (work is None and stopped is None) else _known(view, known, stopped)
        turns = [] if view["over"] else (view["to_move"] or "").split(" and ")
        shown |= {"unproven": told, "known": _proven_moves(known), "turns": turns, "standing": _standing(view)}
        return self.render("game.html", view=view, address=address, named=address.named, **shown)


def _redirect(place: str) -> Response:
    return Response(status_code=303, headers={"location": place})
