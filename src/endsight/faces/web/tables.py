"""Tables: games between people who each have their own address, kept only in the server's memory.

The server knows the true history; a worker prepares what each seat receives (`table_service`). A table
disappears when nobody has asked for it for a while, and with the server.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from endsight.errors import QuestionError
from endsight.faces.web.asking import Ask
from endsight.faces.web.offered_games import Named
from endsight.faces.web.pool import Busy
from endsight.faces.web.seats import HAND
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


@dataclass
class Seat:
    """A player's place at a table: how it is played, and the token in its address.

    `turns` counts the choices that its person has made; `chosen` is one that others do not know yet.
    """

    player: str
    way: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    turns: int = 0
    chosen: str | None = None


@dataclass(eq=False)
class Table:
    """A game in progress. `asked` are the numbers of the people who have to choose; none while play continues.

    `notes` are for everybody: what happened to a seat that plays by itself. `fault` says why play is stuck.
    """

    named: Named
    seats: list[Seat]
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
        self.by_key: dict[str, Table] = {}
        self.by_token: dict[str, tuple[Table, int]] = {}

    def open(self, named: Named, ways: Mapping[str, str]) -> Table:
        """Open a table with a seat for each player, by name; raise `Busy` if there is no room."""
        self.clear()
        if len(self.by_key) >= MOST_TABLES:
            self._make_room()
        self.opened += 1
        seed = secrets.token_hex(SEED_BYTES) if self.seed is None else f"{self.seed} {self.opened}"
        table = Table(named, [Seat(player, way) for player, way in ways.items()], seed)
        self.by_key[table.key] = table
        self.by_token |= {seat.token: (table, number) for number, seat in enumerate(table.seats) if seat.way == HAND}
        return table

    def table(self, key: str) -> Table | None:
        """Return the table of that key, which only the person who opened it knows."""
        table = self.by_key.get(key)
        return None if table is None else _used(table)

    def seat(self, token: str) -> tuple[Table, int] | None:
        """Return the table and the number of the seat with that token; None for any other text."""
        found = self.by_token.get(token)
        return None if found is None else (_used(found[0]), found[1])

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

    def _forget(self, table: Table) -> None:
        del self.by_key[table.key]
        for seat in table.seats:
            self.by_token.pop(seat.token, None)
        if table.work is not None:
            table.work.cancel()


def _used(table: Table) -> Table:
    table.used = time.monotonic()
    return table
