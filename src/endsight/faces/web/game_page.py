"""The page of a game: its board with moves and values, and what seats play that play by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response

from endsight.answers.seated import PERFECT
from endsight.faces.web.addresses import SEAT, Address
from endsight.faces.web.api import answer_of
from endsight.faces.web.pool import Busy, Job, Pool
from endsight.faces.web.problems import Problem, is_hidden, leaves_the_board, problem_of
from endsight.faces.web.proven_so_far import proven_moves, proven_so_far
from endsight.faces.web.rendering import problem_page, rendered
from endsight.faces.web.seats import HAND
from endsight.faces.web.shelf import Shelf
from endsight.faces.wording import capital

__all__ = ["GamePage", "asked_address", "redirect"]

QUICK_SECONDS = 0.7
"""How long a page waits for its values before it is shown without them."""
SEAT_SECONDS = 1.5
"""How long a seat that plays perfectly waits for a proof before it plays a guess."""
GUESS_SECONDS = 1.0
"""How long it guesses at the most; less where others wait."""
_PATIENCE = 20
"""Times a second apart that a page is tried where the queue is full."""


def asked_address(shelf: Shelf, request: Request) -> Address:
    """The view that a request asks for."""
    return Address.read(shelf.find(request.path_params["game"]), request.query_params.multi_items())


def redirect(place: str) -> Response:
    """The answer that leads to another address."""
    return Response(status_code=303, headers={"location": place})


class GamePage:
    """The handler, with what it needs."""

    def __init__(self, pool: Pool, shelf: Shelf) -> None:
        self.pool = pool
        self.shelf = shelf

    async def show(self, request: Request) -> Response:
        """The board with its moves and, unless hidden, their values; where the queue is full a bit later."""
        for _ in range(_PATIENCE):
            try:
                return await self._show(request)
            except Busy:
                await asyncio.sleep(1)
        return await self._show(request)

    async def _show(self, request: Request) -> Response:
        address = asked_address(self.shelf, request)
        job = self._job(address)
        if not await self.pool.wait(job, QUICK_SECONDS, request.is_disconnected):
            return await self._without_values(request, address, job)
        return await self._with_values(request, address, job)

    def _job(self, address: Address) -> Job:
        seats = {"seats": dict(address.seats), "once": address.once}
        shown = {"show": not address.hide, "link": address.link, "ahead": address.ahead}
        return self.pool.submit(address.ask("page", **seats, **shown))

    async def _with_values(self, request: Request, address: Address, job: Job) -> Response:
        """What has come of the work: the page, an address that seats have led to, or what went wrong."""
        if job.reply is None or "document" not in job.reply:
            problem = problem_of(job.reply)
            if leaves_the_board(problem) and (not address.hide or address.seats or address.once):
                return await self._without_values(request, address, job, problem)
            return _refused(address, problem)
        view = job.reply["document"]
        if "title" not in view:
            return redirect(address.to(moves=tuple(view["moves"]), ahead=()))
        return _page(address, view)

    async def _without_values(
        self, request: Request, address: Address, job: Job, problem: Problem | None = None
    ) -> Response:
        """The board alone, while values are being found or where a limit has stopped that; or a guess of its seat."""
        view, fault = await answer_of(request, self.pool, address.ask("page", show=False, link=address.link))
        if view is None:
            return problem_page(fault or problem_of(None))
        if _plays_itself(address, view) and not address.guessed:
            return await self._played(request, address, job, problem)
        if problem is None:
            self.pool.hold(job)
        return _page(address, view, job=job if problem is None else None, stopped=problem)

    async def _played(self, request: Request, address: Address, job: Job, problem: Problem | None) -> Response:
        """Where the seat that is to move has led: by what is proven within `SEAT_SECONDS`, else by a guess."""
        if problem is None and await self.pool.wait(job, SEAT_SECONDS, request.is_disconnected):
            return await self._with_values(request, address, job)
        seconds = GUESS_SECONDS if len(self.pool.queue) < 2 else GUESS_SECONDS / 4
        found, fault = await answer_of(request, self.pool, address.ask("guess", seconds=seconds))
        self.pool.leave(job)
        if found is None:
            return problem_page(fault or problem_of(None), address.to())
        return redirect(address.to(moves=tuple(found["moves"]), ahead=(), guessed=True))


def _refused(address: Address, problem: Problem) -> Response:
    """Why there is no page; games that hide something have tables instead."""
    if is_hidden(problem):
        hall = Address(address.named).to("seats")
        return problem_page(problem, hall) if address.moves or address.position else redirect(hall)
    start = Address(address.named).to()
    return problem_page(problem, start if start != address.to() else "/")


def _plays_itself(address: Address, view: Mapping[str, Any]) -> bool:
    """Whether who is to move plays perfectly: always, or this once."""
    return not view["over"] and (address.once or address.seats.get(view["to_move"], HAND)) == PERFECT


def _page(address: Address, view: dict[str, Any], **parts: Any) -> Response:
    shown: dict[str, Any] = {"job": None, "stopped": None, "back": _back(address, view), "seat_key": SEAT, **parts}
    work, stopped = shown["job"], shown["stopped"]
    known = work.proven_so_far if work is not None else stopped.get("document") if stopped is not None else None
    told = None if address.hide or (work is None and stopped is None) else proven_so_far(view, known, stopped)
    goes_on = work is None and _plays_itself(address, view)
    turns = [] if view["over"] else (view["to_move"] or "").split(" and ")
    shown |= {"unproven": told, "known": proven_moves(known), "turns": turns, "standing": _standing(view)}
    return rendered("game.html", view=view, address=address, named=address.named, goes_on=goes_on, **shown)


def _back(address: Address, view: Mapping[str, Any]) -> int:
    """How many moves lie before the last decision of somebody at the page; without one, all but the last."""
    by_hand = [step["number"] - 1 for step in view["history"] if address.seats.get(step["player"], HAND) == HAND]
    return int(by_hand[-1]) if by_hand else max(0, len(address.moves) - 1)


def _standing(view: Mapping[str, Any]) -> str:
    """Who is to move, as a sentence without its end."""
    if view["over"]:
        return "The game is over"
    return "Chance moves next" if view["to_move"] == "chance" else f"{capital(view['to_move'])} to move"
