"""One part of a layer in memory: its children, and its scores from theirs.

Both passes use the kernels of `engine.layers`, on a table that holds only this part and its children.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endsight.compiler.driver import Rooms
from endsight.compiler.kernels.core import HEAD, SET, UNSET, Code
from endsight.compiler.memory import words, zeros
from endsight.compiler.rules import CompiledRules, shared_kernel
from endsight.engine.kernels.backward import MoveRoom, Values, solve_keys
from endsight.engine.kernels.forward import SHARE, find_keys
from endsight.engine.kernels.slots import place
from endsight.engine.layers import OUTSIDE_TOP
from endsight.layers.arrays import Keys, sorted_keys
from endsight.layers.bounds import bounds_of
from endsight.layers.kernel_runs import KernelRun
from endsight.layers.scoring import Measure, Scoring

Scores = npt.NDArray[np.int64]
"""As the mover sees them: OUTSIDE_TOP - distance for a win, distance - OUTSIDE_TOP for a loss, else the payoff."""

_STRIDE = 1 << 19


@dataclass(frozen=True)
class Expanded:
    """The children of a part, sorted, and a measure of the game's numbers."""

    children: Keys
    measure: Measure | None


def children_of(rules: CompiledRules, keys: Keys, expected: int = 0, *, measures: bool = False) -> Expanded | None:
    """All states one move after those of `keys`, each once; about `expected` of them.

    With `measures` chance may move, and the size of the game's numbers is measured. Without it, None at chance.
    """
    run = _Run(rules, keys)
    run.table.presize(expected)
    return run.expand(measures)


def backed_up(rules: CompiledRules, keys: Keys, children: Keys, known: Scores, scoring: Scoring) -> Scores | None:
    """Scores of `keys`, in the files' form, from those of all their children; None where the scoring does not fit.

    `children` are distinct, in any order; `known` has their scores.
    """
    if scoring.kind == "ends":
        return bounds_of(rules, keys, children, known, scoring)
    is_win_loss = scoring.kind == "wins"
    scores = _Run(rules, keys).solve(children, packed(known.reshape(-1), is_win_loss), is_win_loss)
    return None if scores is None else packed(scores, is_win_loss)


def packed(scores: Scores, is_win_loss: bool) -> Scores:
    """Small numbers for the files, and back: wins and losses as 1 + distance with a sign, other values as they are."""
    return np.sign(scores) * (OUTSIDE_TOP + 1 - np.abs(scores)) if is_win_loss else scores


class _Run(KernelRun):
    """Table and buffers of one part."""

    def __init__(self, rules: CompiledRules, keys: Keys) -> None:
        super().__init__(rules, keys)
        self.part = keys

    def make_buffers(self, room: int) -> None:
        """Make room for `room` children and their values at a time."""
        super().make_buffers(room)
        self.signs = words(room)
        self.gains = words(room)

    # ---------------------------------------------------------------- children

    def expand(self, measures: bool) -> Expanded | None:
        """The children, sorted; None at unexpected chance."""
        count = len(self.part)
        kernel = self.rules.kernel(find_keys, SHARED=0, COUNTS=0, MEASURES=int(measures))
        measured = words(SHARE + 2)
        self.make_order(4 * count + (1 << 12))

        def run() -> int:
            if int(self.counters[HEAD]) == count:
                return Code.DONE
            return kernel(self.keys(self.table.most + count), self.children, self.work(_STRIDE, count), measured)

        if self.drive(run, "expanding", Code.HAS_CHANCE) == Code.HAS_CHANCE:
            return None
        children = self.known[count:].copy()
        measure = Measure.of(measured[:SHARE]) if measures else None
        return Expanded(sorted_keys(children), measure)

    @property
    def rooms(self) -> Rooms:
        """The growing buffers, the children included."""
        return {**super().rooms, Code.NODES_FULL: self._more_children}

    def _more_children(self, count: int) -> None:
        needed = len(self.known) + count
        self.more_keys(needed, needed - len(self.part))

    # ---------------------------------------------------------------- scores

    def solve(self, children: Keys, known: Scores, is_win_loss: bool) -> Scores | None:
        """The best of the children's scores for every key, in their order; None where they have another form."""
        count = len(self.part)
        self.table.presize(count + len(children))
        self.table.grow(count + len(children), self.budget)
        self.table.enter(children.reshape(-1), len(children), SET)
        self.table.enter(self.part.reshape(-1), count, UNSET)
        narrow = zeros(self.table.slots if is_win_loss else 1, np.int32)
        wide = zeros(1 if is_win_loss else self.table.slots)
        self._place(narrow, wide, children, known, is_win_loss, fetches=False)
        kernel = self.rules.kernel(solve_keys, WIN_LOSS=int(is_win_loss), IN_WORD=0)
        self.counters[HEAD] = count
        counts, share = words(64), words(2)
        result = self.drive(
            lambda: kernel(
                self.keys(), Values(narrow, wide, OUTSIDE_TOP), self.children,
                MoveRoom(self.signs, self.gains, counts, share),
                self.work(-_STRIDE),
            ),
            "solving", Code.NOT_WIN_LOSS,
        )  # fmt: skip
        if result == Code.NOT_WIN_LOSS:
            return None
        scores = np.empty(count, np.int64)
        self._place(narrow, wide, self.part, scores, is_win_loss, fetches=True)
        return scores

    def _place(
        self,
        narrow: npt.NDArray[np.int32],
        wide: Scores,
        keys: Keys,
        scores: Scores,
        is_win_loss: bool,
        *,
        fetches: bool,
    ) -> None:
        run = shared_kernel(place, self.words)
        code_bits = self.rules.packing.code_bits
        run(
            self.table.words, self.table.mask, narrow, wide, keys, scores, 0, len(keys), code_bits,
            int(not is_win_loss), int(fetches),
        )  # fmt: skip
