"""The pages: they turn a worker's view into HTML with a template. Nothing here knows any game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from importlib import resources
from typing import Any

from fastapi import APIRouter, Request, Response

from endsight.board import script, stylesheet
from endsight.errors import QuestionError
from endsight.faces.advice.verdicts import Said, bounds_text, unproven
from endsight.faces.gallery import KINDS as KINDS_OF_GAMES
from endsight.faces.gallery import Card, card_of
from endsight.faces.web.addresses import SEAT, Address
from endsight.faces.web.api import KINDS, answer_of
from endsight.faces.web.asking import Ask
from endsight.faces.web.jobs import Job
from endsight.faces.web.offered_games import Named, OfferedGames
from endsight.faces.web.pool import Busy, Pool
from endsight.faces.web.problems import Problem, is_hidden, leaves_the_board, needs_settings, problem_of
from endsight.faces.web.reading import PARAMETERS
from endsight.faces.web.rendering import add_page, download, form_fields, problem_page, redirect, rendered
from endsight.faces.web.seats import HAND
from endsight.faces.wording import capital
from endsight.game.numbers import count_text, number_in
from endsight.game.question import PERFECT
from endsight.naming.game_record import read_record, record_text

VIEW_SECONDS = 2.5
"""Seconds that a page without content of its own waits for its answer before it shows the progress instead."""
QUICK_SECONDS = 0.7
"""Seconds that a page waits for its values before it is shown without them."""
SEAT_SECONDS = 1.5
"""Seconds that a seat with perfect play waits for a proof before it plays a guess."""
GUESS_SECONDS = 1.0
"""Seconds for a guess at most; fewer if others wait."""
_PATIENCE = 20
"""Tries at a page, a second apart, while the queue is full."""
BOARD = "board.css"
"""The style sheet for drawings of pieces."""
SCRIPT = "endsight.js"
STATIC = {
    SCRIPT: "text/javascript; charset=utf-8",
    "endsight.css": "text/css; charset=utf-8",
    "endsight.svg": "image/svg+xml",
    BOARD: "text/css; charset=utf-8",
}
VIEWS = ("rules", "table", "dist", "report", "review", "explorer", "fairness", "experiments", "proof")
"""Pages of a game that show one view from a worker, by the last part of their address."""
_PARAMETER = "p-"
_BACK = re.compile(r"/games/[^\\\r\n]*")


def router(pool: Pool, offered: OfferedGames) -> APIRouter:
    """Return all routes of the pages."""
    routes = APIRouter(include_in_schema=False)
    pages = _Pages(pool, offered)
    add = partial(add_page, routes)
    add("/", pages.index)
    add("/open", pages.open)
    add("/record", pages.open_record)
    add("/api", pages.api)
    add("/healthz", pages.health)
    add("/cancel", pages.cancel, "POST")
    add("/static/{name}", pages.static)
    for name in VIEWS:
        add(f"/games/{{game:path}}/{name}", pages.view(name))
    add("/games/{game:path}/certificate", pages.certificate)
    add("/games/{game:path}/board.svg", pages.picture)
    add("/games/{game:path}/record", pages.record)
    add("/games/{game:path}", pages.show)
    return routes


class _Pages:
    """The handlers, with the pool and the games they use."""

    def __init__(self, pool: Pool, offered: OfferedGames) -> None:
        self.pool = pool
        self.offered = offered
        folder = resources.files("endsight.faces.web").joinpath("static")
        self.files = {name: folder.joinpath(name).read_bytes() for name in STATIC if name != BOARD}
        self.files[BOARD] = stylesheet().encode()
        self.files[SCRIPT] += script().encode()

    # ---------------------------------------------------------------- small pages

    async def index(self, request: Request) -> Response:
        """Show all games, or those that match a search."""
        document = await answer_of(request, self.pool, Ask("games"))
        asked = dict(request.query_params)
        search, kind = asked.get("search", "").strip()[:80], asked.get("kind", "")
        games = [_entry(game) for game in document["games"]]
        listed, named = (matching(entries, search, kind) for entries in (games, own_entries(self.offered.named())))
        return rendered(
            "index.html", named=named, games=listed, search=search, kind=kind, kinds=KINDS_OF_GAMES, total=len(games)
        )

    async def open_record(self, request: Request) -> Response:
        """Go from the text of a record to the game's page."""
        record = read_record(request.query_params.get("text", ""))
        if record.game is None:
            raise QuestionError("the record does not say which game it is", allowed="# game: NAME[:key=value,...]")
        begun = Ask("page", position=record.position)
        return redirect(Address(self.offered.find(record.game), tuple(record.moves), begun).to())

    async def open(self, request: Request) -> Response:
        """Go from a form with parameters to the game's address."""
        items = request.query_params.multi_items()
        game = next((text for key, text in items if key == "game"), "")
        given = [(key.removeprefix(_PARAMETER), text.strip()) for key, text in items if key.startswith(_PARAMETER)]
        text = ",".join(f"{key}={value}" for key, value in given if value)
        page = "seats" if ("page", "seats") in items else ""
        return redirect(Address(self.offered.find(f"{game}:{text}" if text else game)).to(page))

    async def api(self, request: Request) -> Response:
        """Describe the JSON API."""
        return rendered("api.html", kinds=KINDS.values(), parameters=PARAMETERS)

    async def health(self, request: Request) -> Response:
        """Confirm that the server is running."""
        return Response('{"status": "ok"}', media_type="application/json")

    async def static(self, request: Request) -> Response:
        """Serve the style sheets, the script and no other files."""
        name = request.path_params["name"]
        if name not in STATIC:
            raise QuestionError("there is no such file", allowed=", ".join(STATIC))
        return Response(self.files[name], media_type=STATIC[name], headers={"cache-control": "max-age=3600"})

    async def cancel(self, request: Request) -> Response:
        """Cancel the work that a page waits for, and show the page without values."""
        fields = await form_fields(request)
        job = self.pool.jobs.get(fields.get("job", ""))
        if job is not None:
            self.pool.cancel(job)
        back = fields.get("back", "/")
        return redirect(back if _BACK.fullmatch(back) else "/")

    # ---------------------------------------------------------------- further pages of a game

    def view(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of a page that shows one view from a worker."""

        async def handler(request: Request) -> Response:
            address = asked_address(self.offered, request)
            extra: dict[str, Any] = {"player": address.player} if address.player else {}
            extra |= {"trial": dict(address.trial)} if address.trial else {}
            asked = address
            if name in ("review", "explorer"):  # of the whole record, with the board at the position of the address
                extra["here"] = len(address.moves)
                asked = replace(address, moves=address.moves + address.ahead)
            job = self.pool.submit(asked.ask(f"{name} page", **extra))
            shown: dict[str, Any] = {"address": address, "named": address.named}
            if not await self.pool.wait(job, VIEW_SECONDS, request.is_disconnected):
                self.pool.hold(job)
                known = job.proven_so_far
                verdict = None if known is None else proven_so_far(known, known, None)
                return rendered("working.html", job=job, page=name, verdict=verdict, **shown)
            if job.document is None:
                return problem_page(problem_of(job.reply), address.to(hide=True))
            shown["review_address"] = partial(address.through, page="review")
            return rendered(f"{name}.html", view=job.document, **shown)

        return handler

    async def certificate(self, request: Request) -> Response:
        """Send the certificate of a position as a file."""
        address = asked_address(self.offered, request)
        document = await answer_of(request, self.pool, address.ask("certificate"), address.to())
        return download(document["text"], "endsight.cert", "application/json")

    async def picture(self, request: Request) -> Response:
        """Send the board alone as a picture."""
        document = await answer_of(request, self.pool, asked_address(self.offered, request).ask("picture"))
        headers = {"cache-control": "max-age=600"}
        return Response(document["svg"], media_type="image/svg+xml", headers=headers)

    async def record(self, request: Request) -> Response:
        """Send the moves so far as a record, in a text file."""
        address = asked_address(self.offered, request)
        document = await answer_of(request, self.pool, address.ask("record"), address.to())
        notes = [document["result"]] if document["result"] else []
        text = record_text(address.named.spec, address.moves, notes, address.asked.position)
        return download(text, "endsight-game.txt")

    # ---------------------------------------------------------------- the page of a game

    async def show(self, request: Request) -> Response:
        """Show the board with its moves and, unless hidden, their values; try again while the queue is full."""
        for _ in range(_PATIENCE):
            try:
                return await self._show(request)
            except Busy:
                await asyncio.sleep(1)
        return await self._show(request)

    async def _show(self, request: Request) -> Response:
        address = asked_address(self.offered, request)
        job = self._job(address)
        if not await self.pool.wait(job, QUICK_SECONDS, request.is_disconnected):
            return await self._without_values(request, address, job)
        return await self._with_values(request, address, job)

    def _job(self, address: Address) -> Job:
        seats = {"seats": dict(address.seats), "once": address.once}
        shown = {"show": not address.hide, "link": address.link, "ahead": address.ahead}
        return self.pool.submit(address.ask("page", **seats, **shown))

    async def _with_values(self, request: Request, address: Address, job: Job) -> Response:
        """Return the page with values, a redirect after moves of seats, or the error."""
        view = job.document
        if view is None:
            problem = problem_of(job.reply)
            if leaves_the_board(problem) and (not address.hide or address.seats or address.once):
                return await self._without_values(request, address, job, problem)
            return _refused(address, problem)
        if "board" not in view:
            return redirect(address.to(moves=tuple(view["moves"]), ahead=()))
        return _page(address, view)

    async def _without_values(
        self, request: Request, address: Address, job: Job, problem: Problem | None = None
    ) -> Response:
        """Return the board while work continues or after a limit stopped it; or a guessed move of its seat."""
        view = await answer_of(request, self.pool, address.ask("page", show=False, link=address.link))
        if _plays_itself(address, view) and not address.guessed:
            return await self._played(request, address, job, problem)
        guess = await self._guessed(request, address, problem) if not view["over"] else None
        if problem is None:
            self.pool.hold(job)
            return _page(address, view, job=job, longest=self.pool.settings.seconds, guess=guess)
        return _page(address, view, stopped=problem, guess=guess)

    async def _guessed(self, request: Request, address: Address, problem: Problem | None) -> Guessed | None:
        """Return what random games suggest about the moves; a page that will ask again does not wait for them."""
        if address.hide or len(self.pool.queue) > 1:
            return None
        job = self.pool.submit(address.ask("guesses", seconds=GUESS_SECONDS))
        await self.pool.wait(job, 0.0 if problem is None else 2 * GUESS_SECONDS, request.is_disconnected)
        return guessed((job.reply or {}).get("document"))

    async def _played(self, request: Request, address: Address, job: Job, problem: Problem | None) -> Response:
        """Play for the seat to move: by a proof within `SEAT_SECONDS`, else by a guess; redirect there."""
        if problem is None and await self.pool.wait(job, SEAT_SECONDS, request.is_disconnected):
            return await self._with_values(request, address, job)
        seconds = GUESS_SECONDS if len(self.pool.queue) < 2 else GUESS_SECONDS / 4
        try:
            guess = await answer_of(request, self.pool, address.ask("guess", seconds=seconds), address.to())
        finally:
            self.pool.leave(job)
        return redirect(address.to(moves=tuple(guess["moves"]), ahead=(), guessed=True))


@dataclass(frozen=True)
class Entry:
    """A game of the index: its names, its address, the address of a picture, and its author ("" for built-in games)."""

    slug: str
    card: Card
    href: str
    picture: str
    source: str = ""


def _entry(game: Mapping[str, Any]) -> Entry:
    name, source = game["name"], game["source"]
    card = card_of(name, game["summary"])
    slug = f"{name}:{card.example}" if card.example else name
    address = Address(Named(slug, slug))
    picture = address.to("board.svg", moves=tuple(card.at.split()))
    return Entry(name, card, address.to(), picture, "" if source == "endsight" else source)


def own_entries(named: Sequence[Named]) -> list[Entry]:
    """Return the entries of the games given at the server's start."""
    entries = []
    for each in named:
        known, address = each.card, Address(each)
        about = known.about or f"Your rules in {each.base.partition(':')[0].rpartition('/')[2]}."
        card = Card(known.name, about, known.kinds)
        entries.append(Entry(each.slug, card, address.to(), address.to("board.svg")))
    return entries


def matching(entries: Iterable[Entry], search: str, kind: str) -> list[Entry]:
    """Return the entries with all words of a search in their name or text, and of that kind if one is given."""
    words = search.lower().split()
    return [each for each in entries if (not kind or kind in each.card.kinds) and _has(each, words)]


def _has(entry: Entry, words: Sequence[str]) -> bool:
    text = f"{entry.slug} {entry.card.name} {entry.card.about}".lower()
    return all(word in text for word in words)


def asked_address(offered: OfferedGames, request: Request) -> Address:
    """Return the view that a request asks for."""
    return Address.read(offered.find(request.path_params["game"]), request.query_params.multi_items())


def _refused(address: Address, problem: Problem) -> Response:
    """Say why there is no page; games with hidden information have tables instead."""
    if is_hidden(problem):
        hall = Address(address.named).to("seats")
        return problem_page(problem, hall) if address.moves or address.asked.position else redirect(hall)
    usual = usual_settings(address.named, problem)
    if usual is not None:
        return redirect(replace(address, named=usual).to())
    start = Address(address.named).to()
    return problem_page(problem, start if start != address.to() else "/")


def usual_settings(named: Named, problem: Problem) -> Named | None:
    """Return a built-in game with the index's settings if the request lacks required ones; else None."""
    usual = named.card.example
    if not needs_settings(problem) or not usual or named.spec != named.base:
        return None
    slug = f"{named.base}:{usual}"
    return Named(slug, slug)


def _plays_itself(address: Address, view: Mapping[str, Any]) -> bool:
    """Return whether the mover plays perfectly, always or just this once."""
    return not view["over"] and (address.once or address.seats.get(view["to_move"], HAND)) == PERFECT


def _page(address: Address, view: dict[str, Any], **parts: Any) -> Response:
    shown: dict[str, Any] = {"job": None, "stopped": None, "guess": None, "longest": None}
    shown |= {"back": _back(address, view), "seat_key": SEAT, **parts}
    work, stopped = shown["job"], shown["stopped"]
    known = work.proven_so_far if work is not None else stopped.get("document") if stopped is not None else None
    verdict = None if address.hide or (work is None and stopped is None) else proven_so_far(view, known, stopped)
    if verdict is not None and shown["guess"] is not None:
        verdict = replace(verdict, reason=f"Best guess: {shown['guess'].best}. {verdict.reason}")
    goes_on = work is None and _plays_itself(address, view)
    turns = [] if view["over"] else (view["to_move"] or "").split(" and ")
    shown |= {"unproven": verdict, "known": proven_moves(known), "turns": turns, "standing": _standing(view)}
    return rendered("game.html", view=view, address=address, named=address.named, goes_on=goes_on, **shown)


def _back(address: Address, view: Mapping[str, Any]) -> int:
    """Return the number of moves before the last decision of a person; without one, all but the last."""
    by_hand = [step["number"] - 1 for step in view["history"] if address.seats.get(step["player"], HAND) == HAND]
    return int(by_hand[-1]) if by_hand else max(0, len(address.moves) - 1)


def _standing(view: Mapping[str, Any]) -> str:
    """Say who is to move, as a sentence without its end."""
    if view["over"]:
        return "The game is over"
    return "Chance moves next" if view["to_move"] == "chance" else f"{capital(view['to_move'])} to move"


def proven_so_far(view: Mapping[str, Any], document: Mapping[str, Any] | None, stopped: Problem | None) -> Said:
    """Say what is proven while the work continues, or why there are no values."""
    if stopped is not None and stopped["status"] not in (503, 504):
        return Said("open", f"{stopped['title']}.", f"{capital(stopped['detail'])}. You can still play every move.")
    lower, upper = ((document or {}).get(end) or (document or {}).get("value") for end in ("lower", "upper"))
    verdict = unproven(view["players"], *(_ends(side) for side in (lower, upper)))
    return verdict if stopped is None else replace(verdict, reason=f"{capital(stopped['detail'])}. {verdict.reason}")


@dataclass(frozen=True)
class Guessed:
    """What random games suggest: short texts by move, the move that looked best, and the meaning of the texts."""

    moves: Mapping[str, str]
    best: str
    note: str


def guessed(document: Mapping[str, Any] | None) -> Guessed | None:
    """Put the guesses in a worker's document into words; None if there are none."""
    if document is None or document["best"] is None or document["player"] == "chance":
        return None
    is_share = document["is_share"]
    moves = {
        move: f"{round(50 * (brought + 1))} %" if is_share else f"{brought:.3g}"
        for move, brought in document["moves"].items()
        if brought is not None
    }
    what = "how many of them {0} won, draws counted half" if is_share else "what they brought {0} on average"
    note = f"Guesses are from {count_text(document['games'], 'game')} at random, and prove nothing: {what}."
    return Guessed(moves, document["best"], note.format(document["player"]))


def proven_moves(document: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what is proven about moves, as short texts."""
    rows = (document or {}).get("moves") or ()
    return {row["move"]: text for row in rows if (text := _bounds_text(row))}


def _bounds_text(row: Mapping[str, Any]) -> str:
    lower, upper = (_ends(row.get(end) or row.get("value")) or {} for end in ("lower", "upper"))
    return bounds_text(list(lower), lower, upper) if lower and upper else ""


def _ends(side: Mapping[str, Any] | None) -> dict[str, Fraction | None] | None:
    if side is None:
        return None
    return {name: None if end is None else Fraction(number_in(end)) for name, end in side.items()}
