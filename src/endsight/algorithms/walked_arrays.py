"""The result of a compiled walk, as the record that the plain walk makes: rows are made on demand.

The kernel numbers views, sets and sequences of both players together. Here each player's own get new numbers, in the
same order, so that both walks give the same record.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.algorithms.treeplex import InformationSets, Payoffs, Treeplex, View
from endsight.compiler.columns import Words
from endsight.compiler.kernels.histories import (
    CONSTANT,
    DID,
    ENDS,
    NODES,
    SCALE,
    SIDE,
)
from endsight.compiler.rules import CompiledRules
from endsight.game.numbers import simplest
from endsight.game.question import Utility
from endsight.graph.graph import Made

_HALF = 31
"""Bits of the second sequence in a pair."""
Array: TypeAlias = npt.NDArray[Any]


class Walked(NamedTuple):
    """The arrays at the end of a walk, each cut to its filled part: see `endsight.compiler.kernels.histories`.

    views  a row per view; moves, a row per sequence; pairs, a row per slot of their table
    """

    rules: CompiledRules
    utility: Utility
    counters: Words
    views: Words
    parents: Array
    first: Array
    seen: Array
    owners: Array
    moves: Words
    pairs: Words


def as_information_sets(walked: Walked) -> InformationSets:
    """The record of a whole game."""
    found = _Found(walked)
    payoffs, common = found.payoffs()
    counters, unit = walked.counters, found.unit
    return InformationSets(
        (found.treeplex(0), found.treeplex(1)),
        payoffs,
        int(counters[SCALE]) * unit // common,
        simplest(Fraction(int(counters[CONSTANT]), unit)),
        int(counters[NODES]),
        int(counters[ENDS]),
    )


class _Numbering(NamedTuple):
    """The views, sets or sequences of both players, separated.

    own    for each player, the numbers in the order in which they were found
    place  number -> place in the order of its owner
    """

    own: tuple[Words, Words]
    place: Words

    @staticmethod
    def of(owners: Words) -> _Numbering:
        own = np.flatnonzero(owners == 0), np.flatnonzero(owners == 1)
        place = np.empty(len(owners), np.int64)
        for numbers in own:
            place[numbers] = np.arange(len(numbers))
        return _Numbering(own, place)


class _Found:
    """The result of the walk, with a numbering for each player."""

    def __init__(self, walked: Walked) -> None:
        self.walked = walked
        self.unit = 2 if walked.utility == "win" else walked.rules.denominator

    @cached_property
    def views(self) -> _Numbering:
        return _Numbering.of((self.walked.views[:, 0] & SIDE) // SIDE)

    @cached_property
    def sequences(self) -> _Numbering:
        first = self.walked.first.astype(np.int64)
        counts = first[1:] - first[:-1]
        return _Numbering.of(np.concatenate([np.arange(2), np.repeat(self.walked.owners, counts)]))

    def treeplex(self, player: int) -> Treeplex:
        """The information sets of one player."""
        walked = self.walked
        numbers = np.flatnonzero(walked.owners == player)
        first = walked.first[numbers].astype(np.int64)
        count = walked.first[numbers + 1] - first
        return Treeplex(
            _row(self.sequences.place[walked.parents[numbers]]),
            _row(self.sequences.place[first]),
            _row(count),
            _Moves(self, first, count),
            _row(self.views.place[walked.seen[numbers]]),
            _Views(self, player),
            len(self.sequences.own[player]),
        )

    def payoffs(self) -> tuple[Payoffs, int]:
        """The payoffs of pairs, and the common factor of all amounts and the denominator."""
        table, place = self.walked.pairs, self.sequences.place
        filled = np.flatnonzero(table[:, 1])
        # Each player's own numbers keep their order among those of both players.
        filled = filled[np.argsort(table[filled, 0])]
        pairs, amounts = table[filled, 0] - 1, table[filled, 1]
        common = gcd(int(np.gcd.reduce(amounts, initial=0)), int(self.walked.counters[SCALE]) * self.unit)
        if common > 1:
            amounts //= common
        first, second = place[pairs >> _HALF], place[pairs & (1 << _HALF) - 1]
        return Payoffs(_row(first), _row(second), _row(amounts)), common

    def did(self, sequence: int) -> Any:
        """The last move of a sequence."""
        return self.walked.rules.translation.move(iter(self.walked.moves[sequence].tolist()))


def _row(numbers: npt.NDArray[np.int64]) -> memoryview[int]:
    """An array as Python's own numbers, one by one."""
    row: memoryview[int] = np.ascontiguousarray(numbers, np.int64).data
    return row


class _Moves(Made[tuple[Any, ...]]):
    """The moves of each information set of a player."""

    def __init__(self, found: _Found, first: Words, count: Words) -> None:
        self.found, self.first, self.widths = found, first, count

    def __len__(self) -> int:
        return len(self.first)

    def made(self, places: slice) -> list[tuple[Any, ...]]:
        """The moves of these sets."""
        spans = zip(self.first[places].tolist(), self.widths[places].tolist(), strict=True)
        return [tuple(self.found.did(first + place) for place in range(count)) for first, count in spans]


class _Views(Made[View]):
    """The views of a player."""

    def __init__(self, found: _Found, player: int) -> None:
        self.found, self.numbers = found, found.views.own[player]
        self.seen = found.walked.rules.translation.seen[player]

    def __len__(self) -> int:
        return len(self.numbers)

    def made(self, places: slice) -> list[View]:
        """The views at these places."""
        rows = self.found.walked.views[self.numbers[places]].tolist()
        numbers = range(len(self))[places]
        return [self._view(words) if number else (-1, None) for number, words in zip(numbers, rows, strict=True)]

    def _view(self, words: list[int]) -> View:
        before, _, *thing = words
        came = ("did", self.found.did(thing[0])) if before & DID else ("saw", self.seen(iter(thing)))
        return int(self.found.views.place[before >> 2]), came
