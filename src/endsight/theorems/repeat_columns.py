"""`repeatbust` by columns of rewards: values, thresholds and distributions in O(K) a reward.

From reward E W - N on (mean sum times all throws, less the number of dice) stopping is
best after every sum, so backward induction over rewards is exact from there. The worth
of one more throw differs between last sums only in the one term that busts, which makes
a reward cost O(K) for K sums instead of O(K^2) (`repeat_sweeps`). Nothing is assumed that
backward induction would not find; it is the order that makes it fast.

Three fixed rules are evaluated the same way, in the rules without the bound on rolling:
`myopic` and `myopic-roll` (they stop exactly from a reward on, one for each sum), and
`never`, whose mean number of throws has a closed form: with p_k the chance of sum k and
s the sum of p_k / (1 + p_k) it is 1 / (1 - s), for h_k = 1 + H - p_k h_k throws are still
to come after a k, H being the mean of the h_k.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self, cast

from endsight.answers.distribution import Distribution, Shares
from endsight.base.machine import free_memory
from endsight.errors import LimitReached
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.repeatbust import DECIDING, ROLL, ROLLING, STOP, STOPPED, RepeatBust
from endsight.theorems import repeat_sweeps
from endsight.theorems.base import Theorem

# About a billion operations on 30-bit digits take a second.
MOST_DIGIT_OPERATIONS = 10**11
# Estimates below this many bytes are not compared with the free memory.
SMALL_MEMORY = 200_000_000

NEVER = "never"
THRESHOLDS: Mapping[str, Callable[[int, int], int]] = {
    # Smallest reward + last sum at which the rule stops, from the mean sum times all
    # throws and the ways of the last sum.
    "myopic": lambda total, ways: -(-total // ways),
    "myopic-roll": lambda total, ways: total // ways + 1,
}


class RepeatTheorem(Theorem):
    """A theorem about `repeatbust`, with or without a fixed rule."""

    game: RepeatBust

    def __init__(self, game: RepeatBust, question: Question) -> None:
        super().__init__(game, question)
        rule = question.fixed.get(0)
        self.rule = None if rule is None else str(rule)
        self.dice = repeat_sweeps.Dice(game.low, game.ways)

    def fixed_thresholds(self, rule: str) -> list[int]:
        """For each last sum, the reward from which on a rule with thresholds stops."""
        least = THRESHOLDS[rule]
        return [max(0, least(self.dice.total, ways) - self.dice.low - i) for i, ways in enumerate(self.dice.ways)]

    @abstractmethod
    def thresholds(self) -> Sequence[int | None]:
        """The same for the rule in force; None where it never stops."""

    def policy_rows(self, position: Position) -> list[dict[str, Any]]:
        """For each last sum, the reward from which on the rule in force stops, and the myopic rule's (None: never)."""
        rows = zip(self.thresholds(), self.fixed_thresholds("myopic"), strict=True)
        return [
            {"last": self.dice.low + i, "stop_at": stop, "myopic_stop_at": myopic}
            for i, (stop, myopic) in enumerate(rows)
        ]

    def ways(self) -> dict[str, Any]:
        """The fact of how many ways there are to throw each sum."""
        return {"ways": {str(self.dice.low + i): ways for i, ways in enumerate(self.dice.ways)}}


class RepeatColumns(RepeatTheorem):
    """Backward induction over rewards for `repeatbust`."""

    method = "backward induction"

    def __init__(self, game: RepeatBust, question: Question) -> None:
        super().__init__(game, question)
        self._columns: dict[str | None, repeat_sweeps.Columns] = {}
        # Facts and distributions are usually asked for one after the other.
        self._latest: tuple[Any, Distribution] | None = None
        self._asked: Any = game.start()

    @classmethod
    def settles(cls, game: Any, question: Question, position: Position) -> Self | None:
        """Every position, for best play and for the rules with thresholds."""
        rule = question.fixed.get(0)
        if question.utility != "payoff" or not (rule is None or rule in (NEVER, *THRESHOLDS)):
            return None
        theorem = cls(game, question)
        theorem._asked = position.state
        return theorem

    # ---------------------------------------------------------------- the rule in force

    @property
    def columns(self) -> repeat_sweeps.Columns:
        """The worth of every reward under the rule in force."""
        return self._columns_of(self.rule)

    def _columns_of(self, rule: str | None) -> repeat_sweeps.Columns:
        """The worth of every reward under `rule`; `LimitReached` where that would take too long."""
        if rule not in self._columns:
            self._check_size()
            stop_at = None if rule is None else self.fixed_thresholds(rule)
            top = self.game.bound if stop_at is None else max(stop_at)
            self._columns[rule] = repeat_sweeps.average_worths(self.dice, top=top, stop_at=stop_at, budget=self.budget)
        return self._columns[rule]

    def _rolls_on(self, state: Any) -> bool:
        """Whether the rule in force rolls at the decision `state`."""
        return self.rule == NEVER or state.reward < self.columns.stop_at[state.last - self.game.low]

    @property
    def digit_operations(self) -> int:
        """The approximate number of operations on 30-bit digits that the exact numbers take."""
        rewards: int = self.game.bound * len(self.game.ways)
        return rewards * self._digits() // 2

    def _digits(self) -> int:
        """The approximate number of 30-bit digits of the longest numbers."""
        rules, bits = self.game, int(self.game.throws).bit_length()
        # Only the smallest sum (and the largest) rolls on up to the bound, the next one
        # up to about bound / dice; two equal sums in a row never follow each other.
        shared = Fraction(rules.bound, rules.dice)
        rolls = shared * 2 / (2 * rules.dice + 1) + (rules.bound - shared) * 2 / (rules.low + rules.high)
        return 4 + int(rolls) * bits // 30

    def _check_size(self) -> None:
        """Raise `LimitReached` before work that would take too long or does not fit into memory."""
        rules, digits = self.game, self._digits()
        rewards = rules.bound * len(rules.ways)
        if self.digit_operations > MOST_DIGIT_OPERATIONS or not _fits(rules.bound * digits * 2):
            raise LimitReached(
                f"{rules.title()}: an exact answer needs about {_power_of_ten(rewards)} pairs of reward and last sum, "
                f"with numbers of up to {_power_of_ten(digits * 9)} digits",
                advice="--interval, or fewer dice or sides",
            )

    # ---------------------------------------------------------------- values

    def value(self, position: Position) -> tuple[Number]:
        """Expected reward at the end of the game."""
        self._count()
        return (self._worth(position.state, self.rule),)

    def _worth(self, state: Any, rule: str | None) -> Number:
        """Expected reward from `state` on under `rule`."""
        if rule == NEVER and state.phase in (DECIDING, ROLLING):
            return 0
        open_decision = state.phase == DECIDING and state.reward < self.game.bound
        if state.phase != ROLLING and not open_decision:
            return cast(int, state.reward)
        columns = self._columns_of(rule)
        if open_decision:
            worth = columns.deciding(state.reward, state.last - self.game.low)
        else:
            worth = self._worth_rolling(state, columns)
        return simplest(self.dice.fraction(worth))

    def _worth_rolling(self, state: Any, columns: repeat_sweeps.Columns) -> repeat_sweeps.Scaled:
        if state.last:
            return columns.rolling(state.reward, state.last - self.game.low)
        if self.game.scores_first:
            return columns.average(0)
        worths = (columns.deciding(0, i) for i in range(len(self.dice.ways)))
        numerator, exponent = self.dice.sum(
            (ways * worth[0], worth[1]) for ways, worth in zip(self.dice.ways, worths, strict=True)
        )
        return numerator, exponent + 1

    def chosen(self, position: Position) -> int:
        """The move of best play, which stops on a tie."""
        return ROLL if self._rolls_on(position.state) else STOP

    # ---------------------------------------------------------------- distributions

    def distribution(self, position: Position, player: int) -> Distribution:
        """Final rewards with their chances; its facts are `bust_probability` and `expected_rolls`."""
        self._count()
        if self._latest is None or self._latest[0] != position.state:
            self._latest = position.state, self._distribution(position.state)
        return self._latest[1]

    def _distribution(self, state: Any) -> Distribution:
        # One throw is in the air in what follows: was it there before, or is it decided on now?
        decided = int(state.phase != ROLLING)
        if state.phase == DECIDING and self._rolls_on(state):
            state = self.game.play(state, ROLL)
        elif state.phase != ROLLING:
            return self._certain(state)
        if self.rule == NEVER:
            return self._endless(state, decided)
        passage = repeat_sweeps.pass_forward(self.dice, self.columns.stop_at, self._arrivals(state), self.budget)
        return self._of_passage(passage, decided)

    def _arrivals(self, state: Any) -> Iterator[tuple[int, int, repeat_sweeps.Scaled]]:
        """Decisions that can follow the dice in the air, with chance / ways of their last sums."""
        for move in self.game.moves(state):
            after = self.game.play(state, move)
            if after.phase == DECIDING:
                yield after.reward, move - self.game.low, (1, 1)

    def _certain(self, state: Any) -> Distribution:
        """The distribution where the game is over, or the player stops at once."""
        decisions = int(state.phase == DECIDING)
        bust = int(not decisions and state.phase != STOPPED)
        facts = {"bust_probability": bust, "expected_rolls": 0}
        return Distribution(self.game.player_names[0], {state.reward: Fraction(1)}, decisions, facts)

    def _of_passage(self, passage: repeat_sweeps.Passage, decided: int) -> Distribution:
        stops = passage.stopping()
        bust = self.dice.plus((1, 0), (-stops[0], stops[1]))
        outcomes = dict(passage.stopped)
        if bust[0]:
            outcomes = {0: self.dice.plus(bust, outcomes.pop(0, (0, 0))), **outcomes}
        rolled = self.dice.fraction(passage.rolled)
        decisions = decided + rolled + self.dice.fraction(stops)
        facts = {
            "bust_probability": simplest(self.dice.fraction(bust)),
            "expected_rolls": simplest(rolled + 1),
        }
        shares = _shares(self.dice, outcomes)
        return Distribution(self.game.player_names[0], shares, simplest(decisions), facts, shares=shares)

    def _endless(self, state: Any, decided: int) -> Distribution:
        """The distribution of rolling for ever: the bust is certain."""
        chances = [Fraction(ways, self.dice.throws) for ways in self.dice.ways]
        rolls = 1 / (1 - sum((chance / (1 + chance) for chance in chances), Fraction(0)))
        if state.last:
            rolls /= 1 + chances[state.last - self.game.low]
        facts = {"bust_probability": 1, "expected_rolls": simplest(rolls)}
        return Distribution(self.game.player_names[0], {0: Fraction(1)}, simplest(rolls - 1 + decided), facts)

    # ---------------------------------------------------------------- facts and tables

    def facts(self, position: Position) -> Mapping[str, Any]:
        """Ways to throw each sum, chance to bust, throws to come; for best play also the cost of the myopic rule."""
        facts = {**self.ways(), **self.distribution(position, 0).facts}
        if self.rule is None:
            (value,) = self.value(position)
            myopic = self._worth(position.state, "myopic")
            facts.update(myopic_value=myopic, myopic_loss=simplest(value - myopic))
        return facts

    def thresholds(self) -> Sequence[int | None]:
        """Those of backward induction, or of the fixed rule."""
        self._count()
        return [None] * len(self.dice.ways) if self.rule == NEVER else self.columns.stop_at

    def _count(self) -> None:
        if not self.states:
            self.states = self._count_states(self._asked)

    def _count_states(self, state: Any) -> int:
        """The number of decision states reachable from `state`, including itself, under the rule in force."""
        if state.phase not in (DECIDING, ROLLING):
            return 0
        if self.rule == NEVER:
            return len(self.dice.ways)
        if state.phase == DECIDING and not self._rolls_on(state) and state.reward >= self.game.bound:
            return 1
        limits = [self.game.bound] * len(self.dice.ways) if self.rule is None else self.columns.stop_at
        self._check_size()
        if state.phase == DECIDING:
            decisions = [(state.reward, state.last - self.game.low)]
        else:
            decisions = [(reward, i) for reward, i, _ in self._arrivals(state)]
        return repeat_sweeps.count_reachable(self.dice, limits, decisions, self.budget)


def _shares(dice: repeat_sweeps.Dice, numbers: Mapping[int, repeat_sweeps.Scaled]) -> Shares:
    """The chances over the largest power that any of them needs."""
    exponent = max(exponent for _, exponent in numbers.values())
    parts = {payoff: numerator * dice.power(exponent - own) for payoff, (numerator, own) in numbers.items()}
    return Shares(parts, dice.power(exponent))


def _fits(size: int) -> bool:
    """Whether that many bytes take at most three quarters of the free memory."""
    return size <= SMALL_MEMORY or size <= free_memory() * 3 // 4


def _power_of_ten(number: int) -> str:
    digits = int(number.bit_length() * 0.30103)
    return str(number) if digits < 6 else f"10^{digits}"
