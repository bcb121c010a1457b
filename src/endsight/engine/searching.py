"""The value of one position by search: `CompiledSearcher`.

Alpha-beta with a table that forgets (`kernels.search`). The first moves tried are those that have cut searches short,
or won random games, where they changed the same part of a position (`kernels.playouts`). A long search asks one
question after the other, so that more and more is proven: whether the mover gets at least 0, then whether more, and in
between, for a while, the same for each position that a move leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import NamedTuple

from endsight.base.machine import cores
from endsight.compiler.kernels.core import EDGES, HEAD, Code
from endsight.compiler.memory import emptied
from endsight.compiler.native import KernelText
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.bounds_table import BoundsTable, EntryLayout, KeptSearch
from endsight.engine.kernels import search
from endsight.engine.kernels.playouts import play_games
from endsight.engine.kernels.search import search_value
from endsight.engine.proof_numbers import SHORT, ProofNumbers
from endsight.engine.search_run import RulesSearcher, SearchThread, payoff_limits
from endsight.engine.thread_pool import Piece, ThreadPool
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number
from endsight.game.position import Position
from endsight.graph.plan import PROOFS_AFTER

_STRIDE = 1 << 15
"""Positions after which a thread checks whether others have settled a node of its line."""
_ROUND = 16
"""Strides after which limits are checked, and the table may grow."""
_ALONE = 1 << 20
"""Positions after which other threads join in."""
_SCOUTED = 16
"""One in this many of all positions is spent on examining single moves, whenever their number has doubled."""
_SHARE = 4
"""Proof numbers enter one position while the search enters so many, and later so many times `_LATER`."""
_LATER, _LONG = 6, 1 << 25
"""Later is when they have entered `_LONG` positions: what they have not found by then, they rarely find soon."""
_PROOF_MEMORY = 4
"""Their tables have at most as many buckets as that of the search, halved so often."""


class Window(NamedTuple):
    """Values that a search distinguishes: all up to `low` count as one, and all from `high` on."""

    low: int
    high: int


class CompiledSearcher(RulesSearcher):
    """What has been proven so far about positions of a game of two opposed players, or of one.

    Values are the mover's. The table takes at most half of the memory that may be used. All threads that the budget
    allows share a long search; each begins at the position, and takes from the table what others have proven.

    A search of more than `PROOFS_AFTER` positions shares its time with proof numbers, where `prover` makes them. What
    either of them proves about the position holds for both, and `method` names those whose answers were needed.

    With `counts_plies` values say how soon who wins (see `kernels.passing`), and `bounds` returns them.
    """

    method = "search"

    def __init__(self, rules: CompiledRules, budget: Budget, *, counts_plies: bool = False) -> None:
        super().__init__(rules, budget)
        self.by_mover = rules.players == 2
        self.layout = EntryLayout(rules.packing, None if counts_plies else payoff_limits(rules))
        self.constants = {**self.layout.constants, "COUNTS_PLIES": int(counts_plies)}
        self.table = BoundsTable(self.layout, budget)
        self.is_win_loss = (
            rules.players == 2 and self.layout.bounds is not None and set(self.layout.bounds) <= {-1, 0, 1}
        )
        self.prover: Callable[[int], ProofNumbers] | None = None
        """It makes proof numbers for these rules, with at most so many buckets; they are left out if it cannot."""
        self.proofs: ProofNumbers | None = None
        self._noted: dict[tuple[int, ...], tuple[int, int]] = {}
        """Bounds of the mover's value at positions asked about, and after moves that were examined, by their keys."""
        self._next_scouting = 0
        self.kept: KeptSearch | None = None
        """The file to which the table is written now and then."""
        self.beside = 0
        """Positions that other searches have seen, for limits."""
        self.threads = [SearchThread(rules, self.constants)]
        self.scouts: list[SearchThread] = []
        """They examine single moves while the threads stand still."""

    @staticmethod
    def kernels(rules: CompiledRules) -> list[KernelText]:
        """The programs of the search and of the random games before it."""
        constants = EntryLayout(rules.packing, payoff_limits(rules)).constants
        return [SearchThread.program(rules, loop, constants) for loop in (search_value, play_games)]

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions entered."""
        beside = 0 if self.proofs is None else self.proofs.states
        return beside + sum(each.states for each in (*self.threads, *self.scouts))

    @property
    def edges(self) -> int:
        """Moves generated."""
        return sum(int(each.counters[EDGES]) for each in (*self.threads, *self.scouts))

    # ---------------------------------------------------------------- answers

    def found(self, position: Position) -> tuple[Number, ...] | None:
        """Values for the mover and the other; None for a position that cannot be searched."""
        before = self.states
        try:
            return super().found(position)
        finally:
            if self.kept is not None and self.states > before:
                self.kept.stop()

    def search_on(self, position: Position, path: Path) -> None:
        """Search for the value from what a file holds of earlier searches, and keep there what is proven.

        Raises `FileError` for a file of something else, and what `search` raises.
        """
        self.kept = KeptSearch(path, self.rules, self.table, self.budget)
        self.kept.read()
        self.kept_in = path
        try:
            self.search(position)
        except BaseException:
            self.kept.stop()
            raise
        self.kept.write()

    def search(self, position: Position) -> int:
        """The mover's value, each position searched once.

        Raises `CannotCompile` (loops, chance, payoffs that are not opposed), `LimitReached`.
        """
        low, high = self._noted_of(position)
        if low < high:
            every_value = Window(*self.layout.limits)
            if self._is_done_alone(position, every_value):
                self._note(position, self.threads[0].ends)
            else:
                self._ask_all(position, every_value)
            low, high = self._noted_of(position)
        assert low == high, "a value inside of the window is found"
        return low

    def bounds(self, position: Position, window: Window) -> tuple[int, int]:
        """Bounds of the mover's value after one more move that gains nothing; equal if inside the window."""
        if self._is_done_alone(position, window):
            return self.threads[0].ends
        return self._done_by_all(position, window)

    def proven(self, position: Position) -> tuple[Amount, ...] | None:
        """What searches so far prove about a position for the mover and the other; None if none reached it."""
        key = self.rules.packed(position.state, position.mover)
        if key is None:
            return None
        if position.is_over:
            paid = self.view.final(position.state, position.mover, (0,) * self.rules.players)
            return paid if position.mover == 0 else paid[::-1]
        same = self.rules.key(position.state, position.mover)
        found = [self._noted_of(position)]
        found += [self.table.find(each) for each in dict.fromkeys((key, same)) if each is not None]
        found += [each.ends_on_the_way for each in self.threads if each.is_at(key)]
        low, high = max(low for low, _ in found), min(high for _, high in found)
        if low == self.layout.limits[0] and high == self.layout.limits[1] and self.layout.bounds is None:
            return None
        return self.amounts(low, high)

    def reaches(self, position: Position, player: int, amount: Number) -> bool | None:
        """Whether that player gets at least that much from there on; None if a short search cannot say.

        Positions that it enters are not counted.
        """
        least, is_own = ceil(amount * self.rules.denominator), self.rules.players == 1 or position.mover == player
        self._begin(position, Window(least - 1, least) if is_own else Window(-least, 1 - least))
        first = self.threads[0]
        before = first.counters[HEAD]
        result = first.run(self.table.memo, SHORT)
        self._watch()
        first.counters[HEAD] = before
        low, high = first.ends
        if result == Code.STOPPED:
            return None if self.proofs is None else self.proofs.reaches(position, player, amount)
        return bool(low >= least if is_own else high <= -least)

    def tried_first(self, position: Position) -> Position | None:
        """Where the move leads that a search would try first there; None if none is needed, and before it begins."""
        if self.threads[0].order is None:
            return None
        scout = self._ready(self.scouts, 0)
        before = scout.counters[HEAD]
        scout.begin(self._words(position), Window(*self.layout.limits), self.layout.limits)
        scout.run(self.table.memo, 1)
        scout.counters[HEAD] = before
        key = scout.tried_now
        places = map(position.play, position.moves())
        return next((each for each in places if self.rules.packed(each.state, each.mover) == key), None)

    # ---------------------------------------------------------------- one question after the other

    def _ask_all(self, position: Position, every_value: Window) -> None:
        """Ask whether the mover gets at least 0, whether more, and how much exactly, as far as that is open."""
        needed = dict[str, None]()
        for question in (Window(-1, 0), Window(0, 1), every_value):
            low, high = self._noted_of(position)
            asked = Window(max(low, question.low), min(high, question.high))
            if asked.low < asked.high:
                ends = self._done_by_all(position, asked)
                needed |= {"search" if self._is_open(position, position, asked) else ProofNumbers.method: None}
                self._note(position, ends)
        self.method = " and ".join(needed)
        self.table.keep(self.rules.root_key(position.state, position.mover), self._noted_of(position))

    def _noted_of(self, position: Position) -> tuple[int, int]:
        """What is proven about a position that was asked about, about a move from there, or by proof numbers."""
        low, high = self._noted.get(self.rules.root_key(position.state, position.mover), self.layout.limits)
        if self.proofs is None:
            return low, high
        known = _seen_by_mover(position, self.proofs.known(position))
        return max(low, known.low), min(high, known.high)

    def _note(self, position: Position, ends: tuple[int, int]) -> None:
        """Keep what is proven about a position: the table may forget it."""
        low, high = self._noted_of(position)
        key = self.rules.root_key(position.state, position.mover)
        self._noted[key] = max(low, ends[0]), min(high, ends[1])

    def _is_open(self, place: Position, position: Position, window: Window) -> bool:
        """Whether what is noted of a place leaves open on which side of a window the value lies."""
        low, high = self._noted_of(place)
        asked = _seen_by(place, position, window)
        return low < asked.high and high > asked.low

    def _is_done_alone(self, position: Position, window: Window) -> bool:
        """Whether the first thread finds the bounds before others would join in."""
        self._begin(position, window)
        stop = self.states + _ALONE
        while self.states < stop:
            result = self.threads[0].run(self.table.memo, self.budget.stride(min(4 * _STRIDE, stop - self.states)))
            self._watch()
            if result == Code.DONE:
                return True
        return False

    def _begin(self, position: Position, window: Window) -> None:
        """Let the first thread begin there."""
        first, key = self.threads[0], self._words(position)
        if first.order is None:
            first.learn(key, self.budget)
        first.begin(key, window, self.layout.limits)

    def _done_by_all(self, position: Position, window: Window) -> tuple[int, int]:
        """The bounds by the thread that finds them first, or by proof numbers."""
        done = list[SearchThread]()

        def search_on(number: int, piece: Piece) -> None:
            if piece[0] != 0:
                self._prove_on(position, piece[1] - piece[0])
            elif not done and self.threads[number].run(self.table.memo, piece[1] - piece[0]) == Code.DONE:
                done.append(self.threads[number])

        with ThreadPool(self.budget.limits.threads or cores()) as pool:
            self._join(pool.size, position, window)
            while not done and self._is_open(position, position, window):
                stride = self.budget.stride(_ROUND * _STRIDE) // _ROUND + 1
                strides = [(0, stride)] * (_ROUND if pool.size > 1 else 1)
                beside = [(1, 2 + self._for_proofs(len(strides) * stride))] if self._is_with_proofs() else []
                pool.run(search_on, beside + strides)
                self._watch()
                if not done and self._scout(pool, position, window):
                    self._join(pool.size, position, window)  # to learn of it
        return done[0].ends if done else self._noted_of(position)

    def _join(self, size: int, position: Position, window: Window) -> None:
        """Let that many threads begin there."""
        emptied(self.table.busy)  # lines of earlier searches that others ended
        for number in range(size):
            self._ready(self.threads, number).begin(self._words(position), window, self.layout.limits)

    def _ready(self, threads: list[SearchThread], number: int) -> SearchThread:
        """A thread that has learned what the first one has learned by now."""
        if number == len(threads):
            threads.append(SearchThread(replace(self.rules, is_apart=True), self.constants))
        thread = threads[number]
        if thread is not self.threads[0]:
            thread.learn_from(self.threads[0])
        return thread

    # ---------------------------------------------------------------- proof numbers

    def _is_with_proofs(self) -> bool:
        """Whether proof numbers run by now; they are made when the search has entered enough positions."""
        if self.prover is not None and self.proofs is None and self.states >= PROOFS_AFTER:
            with suppress(CannotCompile):
                self.proofs = self.prover(max(1, 1 << self.table.most_log >> _PROOF_MEMORY))
            self.prover = self.prover if self.proofs else None
        return self.prover is not None and self.proofs is not None

    def _for_proofs(self, positions: int) -> int:
        """How many positions proof numbers enter while the search enters that many."""
        is_late = self.proofs is not None and self.proofs.states >= _LONG
        return int(positions // (_LATER * _SHARE if is_late else _SHARE))

    def _prove_on(self, position: Position, most: int) -> None:
        """Let proof numbers go on for so many positions; where they cannot, the search goes on alone."""
        assert self.proofs is not None, "they have been made"
        low, high = self._noted_of(position)
        try:
            self.proofs.go_on(position, most, _seen_by_mover(position, (low, high)))
        except CannotCompile:
            self.prover = None

    # ---------------------------------------------------------------- single moves

    def _scout(self, pool: ThreadPool, position: Position, window: Window) -> bool:
        """Examine each move for a while, if the last time is long enough ago; return whether anything was proven."""
        before = self.states
        if before < self._next_scouting:
            return False
        after = map(position.play, position.moves())
        places = [each for each in after if not each.is_over and self._is_open(each, position, window)]
        most = before // (_SCOUTED * max(1, len(places))) + 1
        groups = [places[at : at + pool.size] for at in range(0, len(places), pool.size)]
        found = [self._scout_some(pool, group, position, window, most) for group in groups]
        emptied(self.table.busy)  # lines that were not followed to the end
        self._next_scouting = 2 * before
        return any(found)

    def _scout_some(
        self, pool: ThreadPool, places: Sequence[Position], position: Position, window: Window, most: int
    ) -> bool:
        """Examine a move with each thread, for at most `most` positions; return whether anything was proven."""
        for number, place in enumerate(places):
            asked = _seen_by(place, position, window)
            self._ready(self.scouts, number).begin(self._words(place), asked, self.layout.limits)
        done = set[int]()

        def look_on(_: int, piece: Piece) -> None:
            if self.scouts[piece[0]].run(self.table.memo, stride) == Code.DONE:
                done.add(piece[0])

        while most > 0 and len(done) < len(places):
            stride = min(most, self.budget.stride(_ROUND * _STRIDE) // len(places) + 1)
            pool.run(look_on, [(number, number + 1) for number in range(len(places)) if number not in done])
            self._watch()
            most -= stride
        for number in done:
            self._note(places[number], self.scouts[number].ends)
        return bool(done)

    # ---------------------------------------------------------------- keys and limits

    def _words(self, position: Position) -> tuple[int, ...]:
        return self.rules.root_key(position.state, position.mover, is_own=True)

    def _watch(self) -> None:
        self.budget.spend(self.beside + self.states, "searching")
        written = sum(int(each.counters[search.ENTRIES]) for each in (*self.threads, *self.scouts))
        self.table.grow(written, self.states)
        if self.proofs is not None:
            self.proofs.grow(self.states)
        if self.kept is not None:
            self.kept.look()


def _seen_by(place: Position, position: Position, window: Window) -> Window:
    """A window of the mover at a position as the mover at another place sees it, provided no move gains anything."""
    return window if place.mover == position.mover else Window(-window.high, -window.low)


def _seen_by_mover(position: Position, first: tuple[int, int]) -> Window:
    """Bounds of the first player's value as the mover there sees them, or the other way round."""
    return Window(*first) if position.mover == 0 else Window(-first[1], -first[0])
