"""The pages: they turn a worker's view into HTML with a template. Nothing here knows any game."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from endsight.board import script, stylesheet
from endsight.errors import QuestionError
from endsight.faces.advice.verdicts import Said, bounds_text, unproven
from endsight.faces.gallery import KINDS as KINDS_OF_GAMES
from endsight.faces.gallery import Card, card_of
from endsight.faces.web.addresses import SEAT, Address
from endsight.faces.web.api import KINDS, answer_of
from endsight.faces.web.asking import Ask
from endsight.faces.web.jobs import Job
from endsight.faces.web.offered_games import NamedGame
from endsight.faces.web.pool import Busy, Pool
from endsight.faces.web.problems import Problem, is_hidden, leaves_the_board, needs_settings, problem_of
from endsight.faces.web.reading import PARAMETERS
from endsight.faces.web.rendering import download, form_fields, page_of, problem_page, redirect, rendered
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


routes = APIRouter(include_in_schema=False)
"""All routes of the pages; they find the pool and the games in the state of the application."""
page = partial(page_of, routes)


@cache
def _static_files() -> dict[str, bytes]:
    folder = resources.files("endsight.faces.web").joinpath("static")
    files = {name: folder.joinpath(name).read_bytes() for name in STATIC if name != BOARD}
    return files | {BOARD: stylesheet().encode(), SCRIPT: files[SCRIPT] + script().encode()}


# ---------------------------------------------------------------------- small pages


@page("/")
async def index(request: Request) -> Response:
    """Show all games, or those that match a search."""
    document = await answer_of(request, Ask("games"))
    asked = dict(request.query_params)
    search, kind = asked.get("search", "").strip()[:80], asked.get("kind", "")
    games = [_entry(game) for game in document["games"]]
    own = own_entries(request.app.state.offered.named())
    listed, named = (matching(entries, search, kind) for entries in (games, own))
    return rendered(
        "index.html", named=named, games=listed, search=search, kind=kind, kinds=KINDS_OF_GAMES, total=len(games)
    )


@page("/record")
async def open_record(request: Request) -> Response:
    """Go from the text of a record to the game's page."""
    record = read_record(request.query_params.get("text", ""))
    if record.game is None:
        raise QuestionError("the record does not say which game it is", allowed="# game: NAME[:key=value,...]")
    begun = Ask("page", position=record.position)
    return redirect(Address(request.app.state.offered.find(record.game), tuple(record.moves), begun).to())


@page("/open")
async def open_game(request: Request) -> Response:
    """Go from a form with parameters to the game's address."""
    items = request.query_params.multi_items()
    game = next((text for key, text in items if key == "game"), "")
    given = [(key.removeprefix(_PARAMETER), text.strip()) for key, text in items if key.startswith(_PARAMETER)]
    text = ",".join(f"{key}={value}" for key, value in given if value)
    found = request.app.state.offered.find(f"{game}:{text}" if text else game)
    return redirect(Address(found).to("seats" if ("page", "seats") in items else ""))


@page("/api")
async def describe_api() -> Response:
    """Describe the JSON API."""
    return rendered("api.html", kinds=KINDS.values(), parameters=PARAMETERS)


@page("/healthz")
async def health() -> Response:
    """Confirm that the server is running."""
    return Response('{"status": "ok"}', media_type="application/json")


@page("/static/{name}")
async def static(name: str) -> Response:
    """Serve the style sheets, the script and no other files."""
    if name not in STATIC:
        raise QuestionError("there is no such file", allowed=", ".join(STATIC))
    return Response(_static_files()[name], media_type=STATIC[name], headers={"cache-control": "max-age=3600"})


@page("/cancel", "POST")
async def cancel(request: Request) -> Response:
    """Cancel the work that a page waits for, and show the page without values."""
    fields, pool = await form_fields(request), request.app.state.pool
    job = pool.jobs.get(fields.get("job", ""))
    if job is not None:
        pool.cancel(job)
    back = fields.get("back", "/")
    return redirect(back if _BACK.fullmatch(back) else "/")


# ---------------------------------------------------------------------- further pages of a game


async def _asked_address(request: Request) -> Address:
    """Return the view that a request asks for."""
    return Address.read(request.app.state.offered.find(request.path_params["game"]), request.query_params.multi_items())


_Asked = Annotated[Address, Depends(_asked_address)]


def _view(name: str) -> None:
    """Add the page of a game that shows one view from a worker."""

    @page(f"/games/{{game:path}}/{name}")
    async def handler(request: Request, address: _Asked) -> Response:
        pool: Pool = request.app.state.pool
        extra: dict[str, Any] = {"player": address.player} if address.player else {}
        extra |= {"trial": dict(address.trial)} if address.trial else {}
        asked = address
        if name in ("review", "explorer"):  # of the whole record, with the board at the position of the address
            extra["here"] = len(address.moves)
            asked = replace(address, moves=address.moves + address.ahead)
        job = pool.submit(asked.ask(f"{name} page", **extra))
        shown: dict[str, Any] = {"address": address, "named": address.named}
        if not await pool.wait(job, VIEW_SECONDS, request.is_disconnected):
            pool.hold(job)
            known = job.proven_so_far
            verdict = None if known is None else proven_so_far(known, known, None)
            return rendered("working.html", job=job, page=name, verdict=verdict, **shown)
        if job.document is None:
            return problem_page(problem_of(job.reply), address.to(hide=True))
        shown["review_address"] = partial(address.through, page="review")
        return rendered(f"{name}.html", view=job.document, **shown)


for view in VIEWS:
    _view(view)


@page("/games/{game:path}/certificate")
async def certificate(request: Request, address: _Asked) -> Response:
    """Send the certificate of a position as a file."""
    document = await answer_of(request, address.ask("certificate"), address.to())
    return download(document["text"], "endsight.cert", "application/json")


@page("/games/{game:path}/board.svg")
async def picture(request: Request, address: _Asked) -> Response:
    """Send the board alone as a picture."""
    document = await answer_of(request, address.ask("picture"))
    return Response(document["svg"], media_type="image/svg+xml", headers={"cache-control": "max-age=600"})


@page("/games/{game:path}/record")
async def send_record(request: Request, address: _Asked) -> Response:
    """Send the moves so far as a record, in a text file."""
    document = await answer_of(request, address.ask("record"), address.to())
    notes = [document["result"]] if document["result"] else []
    text = record_text(address.named.spec, address.moves, notes, address.asked.position)
    return download(text, "endsight-game.txt")


# ---------------------------------------------------------------------- the page of a game


@page("/games/{game:path}")
async def show(request: Request, address: _Asked) -> Response:
    """Show the board with its moves and, unless hidden, their values; try again while the queue is full."""
    for _ in range(_PATIENCE):
        with suppress(Busy):
            return await _Shown(request, address).response()
        await asyncio.sleep(1)
    return await _Shown(request, address).response()


class _Shown:
    """The page of a game for one request: its view, and the work on its values."""

    def __init__(self, request: Request, address: Address) -> None:
        self.request, self.address, self.pool = request, address, request.app.state.pool
        seats = {"seats": dict(address.seats), "once": address.once}
        shown = {"show": not address.hide, "link": address.link, "ahead": address.ahead}
        self.job: Job = self.pool.submit(address.ask("page", **seats, **shown))

    async def is_done(self, seconds: float) -> bool:
        """Return whether the work on the values ends within that time."""
        return bool(await self.pool.wait(self.job, seconds, self.request.is_disconnected))

    async def response(self) -> Response:
        """Return the page, as far as it can be made in a moment."""
        return await (self.with_values() if await self.is_done(QUICK_SECONDS) else self.without_values())

    async def with_values(self) -> Response:
        """Return the page with values, a redirect after moves of seats, or the error."""
        address, view = self.address, self.job.document
        if view is None:
            problem = problem_of(self.job.reply)
            if leaves_the_board(problem) and (not address.hide or address.seats or address.once):
                return await self.without_values(problem)
            return _refused(address, problem)
        if "board" not in view:
            return redirect(address.to(moves=tuple(view["moves"]), ahead=()))
        return _page(address, view)

    async def without_values(self, problem: Problem | None = None) -> Response:
        """Return the board while work continues or after a limit stopped it; or a guessed move of its seat."""
        address = self.address
        view = await answer_of(self.request, address.ask("page", show=False, link=address.link))
        if _plays_itself(address, view) and not address.guessed:
            return await self.played(problem)
        guess = await self.guessed(problem) if not view["over"] else None
        if problem is None:
            self.pool.hold(self.job)
            return _page(address, view, job=self.job, longest=self.pool.settings.seconds, guess=guess)
        return _page(address, view, stopped=problem, guess=guess)

    async def guessed(self, problem: Problem | None) -> Guessed | None:
        """Return what random games suggest about the moves; a page that will ask again does not wait for them."""
        if self.address.hide or len(self.pool.queue) > 1:
            return None
        job: Job = self.pool.submit(self.address.ask("guesses", seconds=GUESS_SECONDS))
        await self.pool.wait(job, 0.0 if problem is None else 2 * GUESS_SECONDS, self.request.is_disconnected)
        return guessed((job.reply or {}).get("document"))

    async def played(self, problem: Problem | None) -> Response:
        """Play for the seat to move: by a proof within `SEAT_SECONDS`, else by a guess; redirect there."""
        address = self.address
        if problem is None and await self.is_done(SEAT_SECONDS):
            return await self.with_values()
        seconds = GUESS_SECONDS if len(self.pool.queue) < 2 else GUESS_SECONDS / 4
        try:
            guess = await answer_of(self.request, address.ask("guess", seconds=seconds), address.to())
        finally:
            self.pool.leave(self.job)
        return redirect(address.to(moves=tuple(guess["moves"]), ahead=(), guessed=True))


@dataclass(frozen=True)
class GameEntry:
    """A game of the index: its names, its address, the address of a picture, and its author ("" for built-in games)."""

    slug: str
    card: Card
    href: str
    picture: str
    source: str = ""


def _entry(game: Mapping[str, Any]) -> GameEntry:
    name, source = game["name"], game["source"]
    card = card_of(name, game["summary"])
    slug = f"{name}:{card.example}" if card.example else name
    address = Address(NamedGame(slug, slug))
    picture = address.to("board.svg", moves=tuple(card.at.split()))
    return GameEntry(name, card, address.to(), picture, "" if source == "endsight" else source)


def own_entries(named: Sequence[NamedGame]) -> list[GameEntry]:
    """Return the entries of the games given at the server's start."""
    entries = []
    for each in named:
        known, address = each.card, Address(each)
        about = known.about or f"Your rules in {each.base.partition(':')[0].rpartition('/')[2]}."
        card = Card(known.name, about, known.kinds)
        entries.append(GameEntry(each.slug, card, address.to(), address.to("board.svg")))
    return entries


def matching(entries: Iterable[GameEntry], search: str, kind: str) -> list[GameEntry]:
    """Return the entries with all words of a search in their name or text, and of that kind if one is given."""
    words = search.lower().split()
    return [each for each in entries if (not kind or kind in each.card.kinds) and _has(each, words)]


def _has(entry: GameEntry, words: Sequence[str]) -> bool:
    text = f"{entry.slug} {entry.card.name} {entry.card.about}".lower()
    return all(word in text for word in words)


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


def usual_settings(named: NamedGame, problem: Problem) -> NamedGame | None:
    """Return a built-in game with the index's settings if the request lacks required ones; else None."""
    usual = named.card.example
    if not needs_settings(problem) or not usual or named.spec != named.base:
        return None
    slug = f"{named.base}:{usual}"
    return NamedGame(slug, slug)


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
