"""The walk of `information_sets` by compiled rules: the same histories in the same order, with the result as arrays.

The kernel `histories` keeps the current history on a stack, and views, information sets, sequences and sums of payoffs
in tables that grow. Numbers are machine words: where a sum or a chance exceeds them, and where anything is wrong with
the rules, the walk gives up, and the plain walk reports the fault.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from endsight.algorithms.tree_arrays import row_of
from endsight.algorithms.treeplex import InformationSets, Payoffs, Treeplex, View
from endsight.base.waiting import patiently
from endsight.compiler.columns import Words
from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels.core import Code, Stack, Work
from endsight.compiler.memory import zeros
from endsight.compiler.native import KernelText, load_loop
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.entry import require_trusted
from endsight.engine.goals import UTILITIES
from endsight.engine.kernels import histories as walking
from endsight.engine.tables import grown, put
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.numbers import simplest
from endsight.game.question import Utility
from endsight.game.results import opening
from endsight.graph.graph import Made

_DOING = "walking through the histories"
# Histories after which the kernel returns, to check limits and Ctrl-C.
_STRIDE = 1 << 18
_VIEWS, _SETS, _SEQUENCES, _SLOTS, _CHILDREN, _DEPTH = 1 << 15, 1 << 13, 1 << 15, 1 << 14, 1 << 10, 1 << 8
"""Initial room."""
_SMALL = 1 << 26
_DEEPEST = 1 << 20
_NUMBERS = 1 << 29
"""Number of views and sequences that 32 bits can hold, with two bits to spare."""


def compiled_information_sets(game: Game, budget: Budget, utility: Utility = "payoff") -> InformationSets:
    """The result of `information_sets`, by compiled rules.

    Raises `CannotCompile` where rules or numbers do not suit machine code, or are wrong in any way that the plain walk
    can report, and `LimitReached`.
    """
    rules = rules_of(game)
    require_trusted(rules, game.position(), lambda own: [walk_program(own, utility)])
    walk = WalkArrays(rules, budget, utility)
    walk.run()
    return walk.result()


def rules_of(game: Game) -> CompiledRules:
    """The rules, with what players see; raises `CannotCompile`."""
    if game.player_count != 2 or game.discount != 1:
        raise CannotCompile("the walk is for two players, and counts everything fully")
    return CompiledRules.of(game, symmetry=False, tracks_mover=not game.gives("to_move"), hints=("sees",))


def walk_program(rules: CompiledRules, utility: Utility) -> KernelText:
    """The program that walks."""
    return rules.program(walking.walk_histories, **_constants(rules, utility))


def _constants(rules: CompiledRules, utility: Utility) -> dict[str, int]:
    """The constants of the kernel: the words of moves and views, and the utility of payoffs."""
    move, first, second = rules.translation.words
    sizes = {"MOVE_WORDS": move, "SEEN_WORDS_0": first, "SEEN_WORDS_1": second}
    return sizes | {"VIEW_WORDS": 2 + max(1, first, second), "UTILITY": UTILITIES.index(utility)}


def _times(numbers: npt.NDArray[Any]) -> int:
    """The factor by which an array grows: more while its memory does not matter yet, as entries are entered anew."""
    return 4 if numbers.nbytes < _SMALL else 2


class WalkArrays:
    """Arrays while they grow: a table of views and the views, the data of sets and moves, and a table of pairs."""

    def __init__(self, rules: CompiledRules, budget: Budget, utility: Utility) -> None:
        self.rules, self.budget, self.utility = rules, budget, utility
        constants = _constants(rules, utility)
        self.move_words, self.words_0, self.words_1, self.view_words, _ = constants.values()
        budget.look(0, "compiling")
        self.kernel = rules.kernel(walking.walk_histories, **constants)
        self.counters = zeros(16)
        self.scratch = zeros(self.words_0 + self.words_1 + 2)
        self.most_views, self.most_sets, self.most_sequences = _VIEWS, _SETS, _SEQUENCES
        self.table, self.views = zeros(2 * _VIEWS, np.int32), zeros(self.view_words * _VIEWS)
        self.parents, self.first, self.seen, self.after = (zeros(_SETS, np.int32) for _ in range(4))
        self.owners, self.moves = zeros(_SETS, np.int8), zeros(self.move_words * _SEQUENCES)
        self.pairs, self.held = zeros(2 * _SLOTS), zeros(2 * walking.MOST_HELD)
        self.keys = zeros(_CHILDREN * rules.packing.words)
        self.places, self.gains, self.most_children = zeros(_CHILDREN), zeros(2 * _CHILDREN), _CHILDREN
        self.stack, self.most_depth = zeros(walking.FRAME_WORDS * _DEPTH), _DEPTH
        self._begin()

    def _begin(self) -> None:
        """Make the start of the game the one child of the first frame, as an outcome of chance that is certain."""
        state, mover = opening(self.rules.game)
        put(self.keys, 0, self.rules.root_key(state, mover))
        for word in (walking.HIGH, walking.TOTAL, walking.OVER, walking.UNDER):
            self.stack[word] = 1
        self.places[0], self.stack[walking.MOVER] = 1, CHANCE
        # The second of the empty views and sequences belongs to the second player.
        self.stack[walking.VIEW + 1] = self.stack[walking.SEQUENCE + 1] = 1
        self.views[self.view_words] = walking.SIDE
        self.counters[walking.VIEWS] = self.counters[walking.SEQUENCES] = 2
        self.counters[walking.SCALE] = 1

    def run(self) -> None:
        """Walk to the end."""
        drive(self._step, self.counters, self._rooms, self.rules.fault, self._watch)

    def result(self) -> InformationSets:
        """The information sets found."""
        return _FoundArrays(self).information_sets()

    def _step(self) -> int:
        """Run the kernel once."""
        sets = walking.Sets(
            self.parents, self.first, self.seen, self.after, self.owners, self.most_sets,
            self.moves, self.most_sequences,
        )  # fmt: skip
        waiting = walking.Waiting(self.keys, self.places, self.gains, self.most_children)
        work = Work(self.rules.data, self.counters, self._count(walking.NODES) + self.budget.stride(_STRIDE))
        return self.kernel(
            self._views, sets, self._pairs, waiting, Stack(self.stack, self.most_depth), self.scratch, work
        )

    @property
    def _views(self) -> walking.HistoryViews:
        return walking.HistoryViews(self.table, len(self.table) - 1, self.views, self.most_views)

    @property
    def _pairs(self) -> walking.Pairs:
        """The table of pairs, of which three quarters may be filled."""
        slots = len(self.pairs) // 2
        return walking.Pairs(self.pairs, slots - 1, slots // 4 * 3, self.held)

    def _count(self, counter: int) -> int:
        return int(self.counters[counter])

    def _watch(self) -> None:
        self.budget.spend(self._count(walking.NODES), _DOING)

    # ---------------------------------------------------------------- more room

    @property
    def _rooms(self) -> Rooms:
        """The functions that make room in each array that may fill up."""
        return {
            Code.NODES_FULL: self._more_sets, Code.EDGES_FULL: self._more_pairs,
            Code.BUFFER_FULL: self._more_children, Code.STACK_FULL: self._more_depth,
        }  # fmt: skip

    def _reserve(self, size: int) -> None:
        self.budget.reserve(size, self._count(walking.NODES), _DOING)

    def _more_sets(self, needed: int) -> None:
        """Make room for more views, sets and sequences; the system only provides memory that is written to."""
        times = _times(self.views)
        self._reserve(times * (self.table.nbytes + self.views.nbytes + self.moves.nbytes))
        self.most_views, self.most_sets = times * self.most_views + needed, times * self.most_sets
        self.most_sequences = times * self.most_sequences + needed
        if max(self.most_views, self.most_sequences) > _NUMBERS:
            raise CannotCompile(f"players have more than {_NUMBERS:,} views or sequences")
        self.views = grown(self.views, self.view_words * self.most_views)
        self.moves = grown(self.moves, self.move_words * self.most_sequences)
        own = (self.parents, self.first, self.seen, self.after, self.owners)
        self.parents, self.first, self.seen, self.after, self.owners = (grown(each, self.most_sets) for each in own)
        self.table = zeros(1 << (self.most_views * 4 // 3).bit_length(), np.int32)
        sizes = self.view_words, self.words_0, self.words_1
        patiently(load_loop(walking.enter_views), self._views, *sizes, 2, self._count(walking.VIEWS))

    def _more_pairs(self, _: int) -> None:
        times = _times(self.pairs)
        self._reserve(times * self.pairs.nbytes)
        old, self.pairs = self.pairs, zeros(times * len(self.pairs))
        patiently(load_loop(walking.enter_pairs), self._pairs, old, len(old) // 2)

    def _more_children(self, needed: int) -> None:
        self.most_children = 2 * needed
        self.keys = grown(self.keys, self.most_children * self.rules.packing.words)
        self.places, self.gains = grown(self.places, self.most_children), grown(self.gains, 2 * self.most_children)

    def _more_depth(self, _: int) -> None:
        self.most_depth *= 4
        if self.most_depth > _DEEPEST:
            raise CannotCompile(f"histories are longer than {_DEEPEST:,} moves")
        self.stack = grown(self.stack, self.most_depth * walking.FRAME_WORDS)


_HALF = 31
"""Bits of the second sequence in a pair."""


class _PlayerNumbers(NamedTuple):
    """The views, sets or sequences of both players, separated.

    own    for each player, the numbers in the order in which they were found
    place  number -> place in the order of its owner
    """

    own: tuple[Words, Words]
    place: Words

    @staticmethod
    def of(owners: Words) -> _PlayerNumbers:
        own = np.flatnonzero(owners == 0), np.flatnonzero(owners == 1)
        place = np.empty(len(owners), np.int64)
        for numbers in own:
            place[numbers] = np.arange(len(numbers))
        return _PlayerNumbers(own, place)


class _FoundArrays:
    """The arrays at the end of a walk, each cut to its filled part: see `endsight.engine.kernels.histories`.

    views  a row per view; moves, a row per sequence; pairs, a row per slot of their table
    """

    def __init__(self, walk: WalkArrays) -> None:
        self.rules, self.counters = walk.rules, walk.counters
        sets, views, sequences = (int(self.counters[each]) for each in (walking.SETS, walking.VIEWS, walking.SEQUENCES))
        self.unit = 2 if walk.utility == "win" else walk.rules.denominator
        self.views = walk.views[: walk.view_words * views].reshape(-1, walk.view_words)
        self.moves = walk.moves[: walk.move_words * sequences].reshape(-1, walk.move_words)
        self.parents, self.first = walk.parents[:sets], walk.first[: sets + 1].astype(np.int64)
        self.seen, self.owners, self.pairs = walk.seen[:sets], walk.owners[:sets], walk.pairs.reshape(-1, 2)

    def information_sets(self) -> InformationSets:
        """The record of a whole game."""
        payoffs, common = self.payoffs()
        return InformationSets(
            (self.treeplex(0), self.treeplex(1)),
            payoffs,
            int(self.counters[walking.SCALE]) * self.unit // common,
            simplest(Fraction(int(self.counters[walking.CONSTANT]), self.unit)),
            int(self.counters[walking.NODES]),
            int(self.counters[walking.ENDS]),
        )

    @cached_property
    def own_views(self) -> _PlayerNumbers:
        """The views of each player."""
        return _PlayerNumbers.of((self.views[:, 0] & walking.SIDE) // walking.SIDE)

    @cached_property
    def sequences(self) -> _PlayerNumbers:
        """The sequences of each player."""
        return _PlayerNumbers.of(np.concatenate([np.arange(2), np.repeat(self.owners, np.diff(self.first))]))

    def treeplex(self, player: int) -> Treeplex:
        """The information sets of one player."""
        numbers = np.flatnonzero(self.owners == player)
        first = self.first[numbers]
        count = self.first[numbers + 1] - first
        return Treeplex(
            row_of(self.sequences.place[self.parents[numbers]]),
            row_of(self.sequences.place[first]),
            row_of(count),
            _SetMoves(self, first, count),
            row_of(self.own_views.place[self.seen[numbers]]),
            _Views(self, player),
            len(self.sequences.own[player]),
        )

    def payoffs(self) -> tuple[Payoffs, int]:
        """The payoffs of pairs, and the common factor of all amounts and the denominator."""
        table, place = self.pairs, self.sequences.place
        filled = np.flatnonzero(table[:, 1])
        # Each player's own numbers keep their order among those of both players.
        filled = filled[np.argsort(table[filled, 0])]
        pairs, amounts = table[filled, 0] - 1, table[filled, 1]
        common = gcd(int(np.gcd.reduce(amounts, initial=0)), int(self.counters[walking.SCALE]) * self.unit)
        if common > 1:
            amounts //= common
        first, second = place[pairs >> _HALF], place[pairs & (1 << _HALF) - 1]
        return Payoffs(row_of(first), row_of(second), row_of(amounts)), common

    def did(self, sequence: int) -> Any:
        """The last move of a sequence."""
        return self.rules.translation.move(iter(self.moves[sequence].tolist()))


class _SetMoves(Made[tuple[Any, ...]]):
    """The moves of each information set of a player."""

    def __init__(self, found: _FoundArrays, first: Words, count: Words) -> None:
        self.found, self.first, self.widths = found, first, count

    def __len__(self) -> int:
        return len(self.first)

    def made(self, places: slice) -> list[tuple[Any, ...]]:
        """The moves of these sets."""
        spans = zip(self.first[places].tolist(), self.widths[places].tolist(), strict=True)
        return [tuple(self.found.did(first + place) for place in range(count)) for first, count in spans]


class _Views(Made[View]):
    """The views of a player."""

    def __init__(self, found: _FoundArrays, player: int) -> None:
        self.found, self.numbers = found, found.own_views.own[player]
        self.seen = found.rules.translation.seen[player]

    def __len__(self) -> int:
        return len(self.numbers)

    def made(self, places: slice) -> list[View]:
        """The views at these places."""
        rows = self.found.views[self.numbers[places]].tolist()
        numbers = range(len(self))[places]
        return [self._view(words) if number else (-1, None) for number, words in zip(numbers, rows, strict=True)]

    def _view(self, words: list[int]) -> View:
        before, _, *thing = words
        came = ("did", self.found.did(thing[0])) if before & walking.DID else ("saw", self.seen(iter(thing)))
        return int(self.found.own_views.place[before >> 2]), came
