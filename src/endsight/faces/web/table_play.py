"""Play at tables, on the server's side: workers say how play continues, and what a seat may see.

A worker's report on a failure never reaches a seat unchanged: it may reveal the true position.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from endsight.errors import IllegalMoveError, QuestionError
from endsight.faces.web.asking import Ask
from endsight.faces.web.jobs import Job
from endsight.faces.web.offered_games import Named
from endsight.faces.web.pool import Pool
from endsight.faces.web.problems import BUSY, Refused, problem, problem_of
from endsight.faces.web.table_service import WAYS
from endsight.faces.web.tables import Table, Tables

SETTLING = 1.5
"""Seconds that a choice waits for its consequences; after that, people see them when they look again."""
RETRY = 0.5
MOST_RETRIES = 40
MOST_STEPS = 1000

GONE = problem(
    "unknown-seat",
    "No such seat",
    404,
    "no table has a seat with this address",
    advice="open a new table: seats are gone some hours after the last look at them, and when the server ends",
)
STALE = problem(
    "turn-over",
    "This turn is over",
    409,
    "that choice was made already, or it is not your turn",
    advice="look at the seat again",
)
NOT_OVER = problem(
    "not-over",
    "The game is not over",
    403,
    "the record would show what is hidden, so it is there when the game is over",
)

Document = dict[str, Any]


class Play:
    """The tables of a server, and the workers that know the rules. Every method may raise `Refused`."""

    def __init__(self, pool: Pool, tables: Tables) -> None:
        self.pool, self.tables = pool, tables

    def seat(self, token: str) -> tuple[Table, int]:
        """Return the table and the number of the seat with that token."""
        found = self.tables.seat(token)
        if found is None:
            raise Refused(GONE)
        return found

    async def hall(self, named: Named) -> Document:
        """Return who plays the game."""
        job = self.pool.submit(Ask("hall", named.spec))
        await self.pool.wait(job, None)
        if job.document is None:
            # The settings of a game hide nothing, so errors in them can be shown.
            raise Refused(problem_of(job.reply))
        return job.document

    async def open(self, named: Named, ways: Mapping[str, str]) -> Table:
        """Open a table; `ways` say, by name, how players play who are not people. Raises `QuestionError`."""
        found = await self.hall(named)
        for player, way in ways.items():
            if player not in found["players"]:
                raise QuestionError(f"{named.spec} has no player {player[:40]!r}", allowed=", ".join(found["players"]))
            if way not in WAYS:
                raise QuestionError(f"no way to play is called {way[:40]!r}", allowed=", ".join(WAYS))
        table = self.tables.open(named, {player: ways.get(player, WAYS[0]) for player in found["players"]})
        await self.settle(table)
        return table

    async def settle(self, table: Table) -> None:
        """Let play continue by itself where it can, and wait a moment for it."""
        if not table.waits and (table.work is None or table.work.done()):
            table.work = asyncio.get_running_loop().create_task(self._play_on(table))
        if table.work is not None:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(table.work), SETTLING)

    async def choose(self, table: Table, number: int, move: str, turn: int) -> None:
        """Accept a choice, unless it is too late. Raises `IllegalMoveError` if it is no legal move."""
        await self.settle(table)
        found = await self.view(table, number)
        if not found["your_turn"] or turn != table.seats[number].turns:
            raise Refused(STALE, f"/seats/{table.seats[number].token}")
        if move not in found["moves"]:
            raise IllegalMoveError(f"{move[:40]!r} is not one of your moves", allowed=" ".join(found["moves"]))
        table.choose(number, move, turn)
        await self.settle(table)

    async def view(self, table: Table, number: int) -> Document:
        """Return `endsight.seat/1` of a seat."""
        seat = table.seats[number]
        found = await self._asked(table.ask("seat", player=number, chosen=seat.chosen))
        return {**found, "turn": seat.turns, "notes": list(table.notes)}

    async def picture(self, table: Table, number: int) -> str:
        """Return the board of a seat as HTML; "" if the rules cannot draw it."""
        asked = table.ask("seat picture", player=number, chosen=table.seats[number].chosen)
        try:
            return str((await self._asked(asked))["html"])
        except Refused as refused:
            if refused.problem is BUSY:
                raise
            return ""

    async def values(self, table: Table, number: int, kind: str, seconds: float | None = None) -> Document | None:
        """Return the values of a seat's moves, as `seat values` or `seat worth`; None while the work continues."""
        job = self.pool.submit(table.ask(kind, player=number, chosen=None))
        if not await self.pool.wait(job, seconds):
            self.pool.hold(job)
            return None
        return _document_of(job)

    # ---------------------------------------------------------------- play without people

    async def _play_on(self, table: Table) -> None:
        """Make moves of chance and of seats without a person, until somebody has to choose."""
        for _ in range(MOST_STEPS):
            if table.waits:
                return
            try:
                table.go_on(await self._asked_again(table.step()))
            except Refused as refused:
                if not table.lapse():
                    table.fault = refused.problem["title"]

    async def _asked_again(self, ask: Ask) -> Document:
        """Ask a worker; try again if workers were busy or the work was cancelled."""
        for _ in range(MOST_RETRIES):
            try:
                return await self._asked(ask)
            except Refused as refused:
                if refused.problem["status"] not in (BUSY["status"], 503):
                    raise
            await asyncio.sleep(RETRY)
        raise _silent_refusal("Play cannot go on", 503)

    async def _asked(self, ask: Ask) -> Document:
        """Return a worker's answer; raise a problem that reveals nothing about the position."""
        job = self.pool.submit(ask)
        await self.pool.wait(job, None)
        return _document_of(job)


def _document_of(job: Job) -> Document:
    """Return the answer to a finished job; raise a problem that reveals nothing about the position."""
    if job.document is not None:
        return job.document
    found = problem_of(job.reply)
    raise _silent_refusal(found["title"], found["status"])


def _silent_refusal(title: str, status: int) -> Refused:
    return Refused(problem("untold", title, status, "there is no answer, and the reason may reveal what is hidden"))
