"""Tables: games between people who each have their own address, kept only in the server's memory.

The server knows the true history; a worker says how play continues, and prepares what each seat receives
(`table_service`). Its report on a failure never reaches a seat unchanged: it may reveal the true position. A table
disappears when nobody has asked for it for a while, and with the server.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from endsight.errors import IllegalMoveError, QuestionError
from endsight.faces.web.asking import Ask
from endsight.faces.web.jobs import Job
from endsight.faces.web.offered_games import NamedGame
from endsight.faces.web.pool import Busy, Pool
from endsight.faces.web.problems import BUSY, Refused, problem, problem_of
from endsight.faces.web.seats import HAND
from endsight.faces.web.table_service import WAYS
from endsight.game.question import PERFECT

MOST_TABLES = 200
IDLE = 6 * 3600.0
"""Seconds without a request after which a table is removed."""
LEAST_IDLE = 600.0
"""Seconds without a request after which a table may be removed for a new one, if there is no more room."""
LONGEST_RECORD = 2**16
"""The number of characters in a table's moves at which it ends."""
TOKEN_BYTES = 18
SEED_BYTES = 32

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


@dataclass
class TableSeat:
    """A player's place at a table: how it is played, and the token in its address.

    `turns` counts the choices that its person has made; `chosen` is one that others do not know yet.
    """

    player: str
    way: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    turns: int = 0
    chosen: str | None = None


@dataclass(eq=False)
class LiveTable:
    """A game in progress. `asked` are the numbers of the people who have to choose; none while play continues.

    `notes` are for everybody: what happened to a seat that plays by itself. `fault` says why play is stuck.
    """

    named: NamedGame
    seats: list[TableSeat]
    seed: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    moves: list[str] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    over: bool = False
    fault: str | None = None
    notes: list[str] = field(default_factory=list)
    used: float = field(default_factory=lambda: time.monotonic())
    work: asyncio.Task[None] | None = None

    @property
    def waits(self) -> bool:
        """Whether play waits for a person's choice, or cannot continue at all."""
        return self.over or self.fault is not None or any(self.seats[number].chosen is None for number in self.asked)

    @property
    def is_full(self) -> bool:
        """Whether the record accepts no more moves."""
        return sum(map(len, self.moves)) + len(self.moves) > LONGEST_RECORD

    def choose(self, number: int, move: str, turn: int) -> None:
        """Accept a choice of the person at a seat, made for that `turn`; raise `QuestionError` if the turn is past."""
        seat = self.seats[number]
        if self.over or number not in self.asked or seat.chosen is not None or turn != seat.turns:
            raise QuestionError(
                "this turn is over, or it is not yours", found=f"turn {turn}", advice="look at the table again"
            )
        seat.chosen, seat.turns = move, seat.turns + 1

    def step(self) -> Ask:
        """Return the question of how play continues."""
        ways = {seat.player: seat.way for seat in self.seats}
        chosen = {seat.player: seat.chosen for seat in self.seats if seat.chosen is not None}
        return self.ask("step", ways=ways, chosen=chosen, seed=self.seed)

    def go_on(self, found: Mapping[str, Any]) -> None:
        """Record the answer to `step`."""
        self.moves += found["moves"]
        self.asked = list(found["asked"])
        self.over = bool(found["over"]) or self.is_full
        for seat in self.seats:
            seat.chosen = None

    def lapse(self) -> bool:
        """Switch seats whose perfect play cannot be found to random moves; return whether there was one."""
        lapsed = [seat for seat in self.seats if seat.way == PERFECT]
        for seat in lapsed:
            seat.way = "random"
            self.notes.append(f"Perfect play was not found within the limits: {seat.player} now makes random moves.")
        return bool(lapsed)

    def ask(self, kind: str, **extra: Any) -> Ask:
        """Return a question to a worker about the true history."""
        players = [seat.player for seat in self.seats]
        return Ask(kind, self.named.spec, " ".join(self.moves), extra={"players": players, **extra})


class Tables:
    """All tables of a server. Draws use a secret of each table; `seed` makes them reproducible."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed
        self.opened = 0
        self.by_key: dict[str, LiveTable] = {}
        self.by_token: dict[str, tuple[str, int]] = {}

    def open(self, named: NamedGame, ways: Mapping[str, str]) -> LiveTable:
        """Open a table with a seat for each player, by name; raise `Busy` if there is no room."""
        self.clear()
        if len(self.by_key) >= MOST_TABLES:
            self._make_room()
        self.opened += 1
        seed = secrets.token_hex(SEED_BYTES) if self.seed is None else f"{self.seed} {self.opened}"
        table = LiveTable(named, [TableSeat(player, way) for player, way in ways.items()], seed)
        self.by_key[table.key] = table
        seats = enumerate(table.seats)
        self.by_token |= {seat.token: (table.key, number) for number, seat in seats if seat.way == HAND}
        return table

    def table(self, key: str) -> LiveTable:
        """Return the table of that key, which only the person who opened it knows; raise `Refused` for other texts."""
        if key not in self.by_key:
            raise Refused(GONE)
        self.by_key[key].used = time.monotonic()
        return self.by_key[key]

    def seat(self, token: str) -> tuple[LiveTable, int]:
        """Return the table and the number of the seat with that token; raise `Refused` for any other text."""
        key, number = self.by_token.get(token, ("", 0))
        return self.table(key), number

    def clear(self) -> None:
        """Remove the tables that nobody has used for long."""
        now = time.monotonic()
        for table in [table for table in self.by_key.values() if now - table.used > IDLE]:
            self._forget(table)

    def _make_room(self) -> None:
        table = min(self.by_key.values(), key=lambda each: each.used)
        if time.monotonic() - table.used < LEAST_IDLE:
            raise Busy
        self._forget(table)

    def _forget(self, table: LiveTable) -> None:
        del self.by_key[table.key]
        for seat in table.seats:
            self.by_token.pop(seat.token, None)
        if table.work is not None:
            table.work.cancel()


class TableHost:
    """The tables of a server, and the workers that know the rules. Every method may raise `Refused`."""

    def __init__(self, pool: Pool, tables: Tables) -> None:
        self.pool, self.tables = pool, tables

    async def hall(self, named: NamedGame) -> Document:
        """Return who plays the game."""
        job = self.pool.submit(Ask("hall", named.spec))
        await self.pool.wait(job, None)
        if job.document is None:
            # The settings of a game hide nothing, so errors in them can be shown.
            raise Refused(problem_of(job.reply))
        return job.document

    async def open(self, named: NamedGame, ways: Mapping[str, str]) -> LiveTable:
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

    async def settle(self, table: LiveTable) -> None:
        """Let play continue by itself where it can, and wait a moment for it."""
        if not table.waits and (table.work is None or table.work.done()):
            table.work = asyncio.get_running_loop().create_task(self._play_on(table))
        if table.work is not None:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(table.work), SETTLING)

    async def choose(self, table: LiveTable, number: int, move: str, turn: int) -> None:
        """Accept a choice, unless it is too late. Raises `IllegalMoveError` if it is no legal move."""
        await self.settle(table)
        found = await self.view(table, number)
        if not found["your_turn"] or turn != table.seats[number].turns:
            raise Refused(STALE, f"/seats/{table.seats[number].token}")
        if move not in found["moves"]:
            raise IllegalMoveError(f"{move[:40]!r} is not one of your moves", allowed=" ".join(found["moves"]))
        table.choose(number, move, turn)
        await self.settle(table)

    async def view(self, table: LiveTable, number: int) -> Document:
        """Return `endsight.seat/1` of a seat."""
        seat = table.seats[number]
        found = await self._asked(table.ask("seat", player=number, chosen=seat.chosen))
        return {**found, "turn": seat.turns, "notes": list(table.notes)}

    async def picture(self, table: LiveTable, number: int) -> str:
        """Return the board of a seat as HTML; "" if the rules cannot draw it."""
        asked = table.ask("seat picture", player=number, chosen=table.seats[number].chosen)
        try:
            return str((await self._asked(asked))["html"])
        except Refused as refused:
            if refused.problem is BUSY:
                raise
            return ""

    async def values(self, table: LiveTable, number: int, kind: str, seconds: float | None = None) -> Document | None:
        """Return the values of a seat's moves, as `seat values` or `seat worth`; None while the work continues."""
        job = self.pool.submit(table.ask(kind, player=number, chosen=None))
        if not await self.pool.wait(job, seconds):
            self.pool.hold(job)
            return None
        return _document_of(job)

    # ---------------------------------------------------------------- play without people

    async def _play_on(self, table: LiveTable) -> None:
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
