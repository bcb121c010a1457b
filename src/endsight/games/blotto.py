"""Colonel Blotto: share out regiments over fields."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb
from typing import ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError
from endsight.game import Game
from endsight.games.pictures.cards import joint

MOST_PLACINGS = 1_000_000
"""Pairs of ways to share out regiments; more of them are no game that one matrix can hold."""


class Blotto(Game):
    """Two colonels share out their regiments over fields at once.

    The first colonel has `mine` regiments, the second `yours`, and all of them are placed
    on the `fields`. On every field the larger number wins: it takes the field, which
    counts 1, and beats the regiments of the other there, which count 1 each. Equal
    numbers bring nothing. The payoff is what a colonel wins less what the other wins
    (Dresher, 1961).

    A move is how many regiments go to each field, joined by `/`, the first colonel's
    before the second's: `3/1-0/3`. A position in one line is what stands on the fields,
    `placed=yes first=3-1 second=0-3`; before the moves it is `placed=no`, and nothing
    stands there.
    """

    players: ClassVar[int] = 2

    mine: int = 4
    yours: int = 3
    fields: int = 2

    class State(NamedTuple):
        """Whether the regiments are placed, and how many of each colonel stand on every field."""

        placed: bool
        first: tuple[int, ...]
        second: tuple[int, ...]

    def setup(self) -> None:
        for key, least in (("mine", 0), ("yours", 0), ("fields", 1)):
            if (found := getattr(self, key)) < least:
                allowed = f"{least}, {least + 1}, ..."
                raise ParameterError(f"blotto: {key} must be at least {least}", found=str(found), allowed=allowed)
        ways = [comb(count + self.fields - 1, count) for count in (self.mine, self.yours)]
        if ways[0] * ways[1] > MOST_PLACINGS:
            raise ParameterError(
                "blotto: too many ways to share out the regiments",
                found=f"{ways[0]:,} and {ways[1]:,}",
                allowed=f"up to {MOST_PLACINGS:,} pairs of them",
                advice="fewer regiments, or fewer fields",
            )

    def limits(self) -> State:
        return self.State(True, (self.mine,) * self.fields, (self.yours,) * self.fields)

    def start(self) -> State:
        return self.State(False, (0,) * self.fields, (0,) * self.fields)

    def to_move(self, state: State) -> tuple[int, int]:
        return (0, 1)

    def placings(self, regiments: int, fields: int) -> Iterator[tuple[int, ...]]:
        """All ways to share out so many regiments over so many fields."""
        if fields == 1:
            yield (regiments,)
        else:
            for here in range(regiments + 1):
                for rest in self.placings(regiments - here, fields - 1):
                    yield (here, *rest)

    def moves(self, state: State) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        if not state.placed:
            yield from product(self.placings(self.mine, self.fields), self.placings(self.yours, self.fields))

    def play(self, state: State, move: tuple[tuple[int, ...], tuple[int, ...]]) -> State:
        return self.State(True, *move)

    def payoff(self, state: State) -> tuple[int, int]:
        gain = 0
        for own, other in zip(state.first, state.second, strict=True):
            if own != other:
                gain += other + 1 if own > other else -own - 1
        return (gain, -gain)

    def show_move(self, state: State, move: tuple[tuple[int, ...], tuple[int, ...]]) -> str:
        return "-".join("/".join(map(str, part)) for part in move)

    def draw(self, state: State) -> str:
        if not state.placed:
            return "both are to place their regiments"
        rows = (("first", state.first), ("second", state.second))
        return "\n".join(f"{name:6}  {' '.join(map(str, counts))}" for name, counts in rows)

    def draw_board(self, state: State) -> kit.Board:
        """The fields with the regiments; before that all ways to place them, as a table."""
        if not state.placed:
            ways = [
                ["/".join(map(str, each)) for each in self.placings(n, self.fields)] for n in (self.mine, self.yours)
            ]
            choices = [[(text, kit.tile(text)) for text in own] for own in ways]
            tables = joint("Regiments by field: first's down, second's across", *choices)
            return kit.Board("Colonel Blotto", tuple(tables) or (kit.Panel(self.draw(state)),))
        cells = [[kit.disc(1), *map(kit.chip, state.second)], [kit.disc(0), *map(kit.chip, state.first)]]
        names = ["", *(f"field {field + 1}" for field in range(self.fields))]
        return kit.Board("Colonel Blotto", (kit.grid("Fields", cells, across=names, missing={(0, 0), (1, 0)}),))
