"""The value of one position by proof numbers: `ProofNumbers`.

It asks one question after the other: whether the first player gets at least an amount, first of all more than a draw.
An answer says more than was asked: after a yes the value is at least the least payoff seen that says yes, after a no at
most the largest seen that says no. Further questions begin there, until both meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from endsight.compiler.kernels.core import HEAD, Code
from endsight.compiler.native import KernelText
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.bounds_table import BoundsTable, EntryLayout, rest_of
from endsight.engine.kernels import lines, proof_numbers
from endsight.engine.kernels.proof_numbers import LEAST_YES, MOST_NO, NEVER, NUMBERS, prove
from endsight.engine.search_run import RulesSearcher, SearchRun, payoff_limits
from endsight.engine.tables import put
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number
from endsight.game.position import Position

_STRIDE = 1 << 17
SHORT = 20_000
"""Positions after which an audit stops waiting for a proof."""
_LARGEST = (1 << 12) - 1
"""The table keeps larger numbers as this one: they only say where to look."""
_UNKNOWN = 1 << 60
"""No payoff is that large."""


@dataclass
class _Answers:
    """What is known about one question: the numbers of positions, and the payoffs seen that say yes and no.

    `entered` is how many positions have been entered for it.
    """

    table: BoundsTable
    entered: int = 0
    least_yes: int = _UNKNOWN
    most_no: int = -_UNKNOWN

    def bounds(self, key: tuple[int, ...]) -> tuple[int, int]:
        """Bounds of the first player's value by the answer at that key."""
        low, high = self.table.find(key)
        if low != high:
            return -_UNKNOWN, _UNKNOWN
        return (self.least_yes, _UNKNOWN) if high else (-_UNKNOWN, self.most_no)


class ProofNumbers(RulesSearcher):
    """What has been proven so far about positions of a game of two opposed players, or of one.

    The keys of the rules include the mover. Values are the first player's. Every question has its own
    table, which grows up to half of the memory that may be used, or to `most_buckets`, and then forgets; those of the
    last two are kept. Raises `CannotCompile` for rules that give rewards.
    """

    method = "proof-number search"
    by_mover = False

    def __init__(self, rules: CompiledRules, budget: Budget, most_buckets: int | None = None) -> None:
        super().__init__(rules, budget)
        if rules.translation.gives("reward"):
            raise CannotCompile("proof numbers are for games without rewards on the way")
        self.most_buckets = most_buckets
        self.layout = self._layout(rules)
        self.limits = payoff_limits(rules) or (-_UNKNOWN, _UNKNOWN)
        self.is_win_loss = rules.players == 2 and set(self.limits) <= {-1, 0, 1}
        self._answers: dict[int, _Answers] = {}
        self._noted: dict[tuple[int, ...], tuple[int, int]] = {}
        self._open: tuple[tuple[int, ...], int] | None = None
        """The key and the question at which the run stopped, if it may go on there."""
        self.run = SearchRun(rules, prove, self.layout.constants)

    @staticmethod
    def kernels(rules: CompiledRules) -> list[KernelText]:
        """The program of the search."""
        return [SearchRun.program(rules, prove, ProofNumbers._layout(rules).constants)]

    @staticmethod
    def _layout(rules: CompiledRules) -> EntryLayout:
        return EntryLayout(rules.packing, (0, _LARGEST))

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions entered."""
        return self.run.states

    # ---------------------------------------------------------------- answers

    def proven(self, position: Position) -> tuple[Amount, ...] | None:
        """What the questions so far prove about a position; None if that is nothing."""
        low, high = self.known(position)
        return None if -low == high == _UNKNOWN else self.amounts(low, high)

    def known(self, position: Position) -> tuple[int, int]:
        """What the questions so far prove: bounds of the first player's value."""
        key = self.rules.key(position.state, position.mover)
        if key is None:
            return self.limits
        known = [self._noted_of(position, key), *(each.bounds(key) for each in self._answers.values())]
        return max(low for low, _ in known), min(high for _, high in known)

    def reaches(self, position: Position, player: int, amount: Number) -> bool | None:
        """Whether that player gets at least that much from there on; None if a short search cannot say.

        Positions that it enters are not counted.
        """
        least, before = ceil(amount * self.rules.denominator), self.run.counters[HEAD]
        answer = self._is_yes(position, least if player == 0 else 1 - least, SHORT)
        self.run.counters[HEAD], self._open = before, None
        return answer if answer is None or player == 0 else not answer

    # ---------------------------------------------------------------- work

    def search(self, position: Position) -> int:
        """The first player's value, each position searched once.

        Raises `CannotCompile` (loops, chance, payoffs that are not opposed), `LimitReached`.
        """
        low, high = self.known(position)
        while low < high:
            low, high = self.go_on(position, self.budget.stride(_STRIDE))
            self.budget.spend(self.states, "searching")
            self.grow(self.states)
        return low

    def go_on(self, position: Position, most: int, known: tuple[int, int] = (-_UNKNOWN, _UNKNOWN)) -> tuple[int, int]:
        """Search on for so many positions, where the last call has stopped; bounds of the first player's value.

        What is `known` from elsewhere is not asked.
        """
        key, stop = self.rules.root_key(position.state, position.mover), self.states + most
        low, high = self._noted_of(position, key)
        while (least := max(low, known[0]) + 1) <= (top := min(high, known[1])) and self.states < stop:
            least = max(least, min(1, top))
            is_yes = self._is_yes(position, least, stop - self.states)
            if is_yes is not None:
                answers = self._answers[least]
                low, high = (max(low, answers.least_yes), high) if is_yes else (low, min(high, answers.most_no))
                self._noted[key] = low, high
        return low, high

    def grow(self, positions: int) -> None:
        """Give the last question a larger table, if it needs one, as far as memory allows."""
        for answers in [*self._answers.values()][-1:]:
            answers.table.grow(answers.entered, positions)

    def _noted_of(self, position: Position, key: tuple[int, ...]) -> tuple[int, int]:
        """Bounds of the first player's value there: what the rules pay at an end, else what questions have left."""
        if position.is_over:
            paid = self.view.final(position.state, position.mover, (0,) * self.rules.players)
            self._noted[key] = (int(paid[0] * self.rules.denominator),) * 2
        return self._noted.get(key, self.limits)

    def _is_yes(self, position: Position, least: int, most: int) -> bool | None:
        """Whether the first player gets at least that much; None if it takes more than `most` positions."""
        key = self.rules.root_key(position.state, position.mover)
        low, high = self._noted_of(position, key)
        if not low < least <= high:
            return low >= least
        answers = self._answers.pop(least, None) or _Answers(BoundsTable(self.layout, self.budget, self.most_buckets))
        self._answers = dict([*self._answers.items()][-1:]) | {least: answers}
        if self._open != (key, least):
            self._begin(position, answers)
        run, before, work = self.run, self.states, self.run.work(self.states + most)
        self._open, answers.least_yes, answers.most_no = None, least, least - 1  # so much is true whatever stops this
        result = run.drive(
            lambda: run.kernel(answers.table.memo, least, run.line, run.share, work), answers=(Code.STOPPED,)
        )
        answers.entered += self.states - before
        answers.least_yes, answers.most_no = (int(run.counters[each]) for each in (LEAST_YES, MOST_NO))
        if result == Code.STOPPED:
            self._open = key, least
            return None
        proof, disproof = run.frames[NUMBERS : NUMBERS + 2]
        if proof != 0 and disproof != 0:
            raise CannotCompile(f"its proof numbers passed {NEVER}, and the question is still open")
        return bool(proof == 0)

    def _begin(self, position: Position, answers: _Answers) -> None:
        """Make a position the only child of frame 0."""
        same = self.rules.root_key(position.state, position.mover)
        self.run.start(self.rules.root_key(position.state, position.mover, is_own=True))
        put(self.run.children, proof_numbers.PROVING, (1, 1))
        put(self.run.children, lines.HASH, (answers.table.hashed(same), rest_of(same)))
        put(self.run.frames, proof_numbers.FIRST, (0, 1, NEVER, NEVER, 1, 1, 0))
        put(self.run.counters, LEAST_YES, (answers.least_yes, answers.most_no))
