"""`repeatbust` between proven bounds: the sweep over rewards in machine words.

This is the same backward induction as `repeat_columns`, for dice whose exact numbers would be too
long. It keeps what a position is worth beyond its reward, as a lower and an upper bound in
whole multiples of 1 / 2^bits: the lower rounded down, the upper up, so that the worth
always lies between them. With D(R, k) for reward R after sum k, W all throws, c_k the ways
of sum k and E W the mean sum times W, rolling yields

    W D(R, k) = E W - c_k (R + k) + sum over j other than k of c_j D(R + j, j),

and D is 0 where stopping is best. A threshold is proven where the bounds leave no reward
at which either might be best. No sum is smaller than the number of dice, so that many
consecutive rewards do not depend on each other, and are swept together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from endsight.answers.distribution import Distribution
from endsight.errors import LimitReached
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, between
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.repeatbust import DECIDING, ROLLING, RepeatBust
from endsight.theorems.repeat_columns import RepeatColumns, RepeatTheorem
from endsight.theorems.repeat_sweeps import Dice

EASY_DIGIT_OPERATIONS = 3 * 10**8
"""Below this, exact numbers come at once, and bounds are not needed."""
MOST_REWARDS = 3 * 10**7
"""Rewards that can be swept in some minutes, and whose sums fit into memory."""
_WORD = 61
_CHUNK = 1 << 12

Words = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RollYield:
    """What is counted: a roll yields `base` / W less (slope * (reward + sum) + offset) where it busts with that sum."""

    base: int
    slope: int
    offset: int

    def loss(self, total: Any) -> Any:
        """The loss at a bust, by reward plus sum."""
        return self.slope * total + self.offset


@dataclass(frozen=True)
class Sweep:
    """Bounds of what every roll yields, in multiples of 1 / 2^bits.

    sums[side, R]  sum over j of c_j D(R + j, j); side 0 is the lower bound, 1 the upper
    stop_at        reward from which on each sum stops
    possible       reward from which on that is proven
    """

    dice: Dice
    yields: RollYield
    bits: int
    sums: Words
    stop_at: list[int]
    possible: list[int]

    def rolling(self, reward: int, i: int) -> Interval:
        """D with the dice in the air, after sum number i."""
        dice, step = self.dice, self.dice.low + i
        bounds = [0, 0]
        for lower in reversed(range(reward, max(reward + 1, self.stop_at[i]), step)):
            own = (self.yields.base - dice.ways[i] * self.yields.loss(lower + step)) << self.bits
            low, high = (own + self._sum(side, lower) - dice.ways[i] * bounds[side] for side in (0, 1))
            bounds = [low // dice.throws, -(-high // dice.throws)]
        return self._interval(bounds, 1)

    def deciding(self, reward: int, i: int) -> Interval:
        """D where the player is about to decide."""
        return self._interval([0, 0], 1) if reward >= self.stop_at[i] else self.rolling(reward, i)

    def any_sum(self, reward: int) -> Interval:
        """D with the dice in the air, where no sum busts."""
        base = self.yields.base << self.bits
        return self._interval([base + self._sum(side, reward) for side in (0, 1)], self.dice.throws)

    def _sum(self, side: int, reward: int) -> int:
        return int(self.sums[side, reward]) if reward < self.sums.shape[1] else 0

    def _interval(self, bounds: list[int], divisor: int) -> Interval:
        low, high = (Fraction(bound, divisor << self.bits) for bound in bounds)
        return Interval(low, high)


def sweep(dice: Dice, yields: RollYield, top: int, stop_at: list[int] | None, budget: Budget) -> Sweep:
    """Sweep down from reward `top`, from which on every sum stops; with `stop_at` None by the best rule."""
    most = 1 << (4 + (dice.total // dice.throws).bit_length())
    while True:
        found = _Sweeper(dice, yields, top, stop_at, most).run(budget)
        if found is not None:
            return found
        most *= 8


class _Sweeper:
    """One sweep, as long as nothing is worth more than `most`."""

    def __init__(self, dice: Dice, yields: RollYield, top: int, stop_at: list[int] | None, most: int) -> None:
        self.dice, self.yields, self.top = dice, yields, top
        self.ways = np.array(dice.ways, np.int64)
        self.sums_of_throw = dice.low + np.arange(len(dice.ways))
        self.high = dice.low + len(dice.ways) - 1
        self.cap = most * dice.throws
        self.bits = _WORD - 1 - (2 * self.cap + yields.base).bit_length()
        self.limit = most << self.bits
        self.stop_at = None if stop_at is None else np.array(stop_at, np.int64)
        count = len(dice.ways)
        # Rewards from which on stopping is possibly, and certainly, best.
        self.first = np.zeros((2, count), np.int64)
        self.sums = np.zeros((2, top), np.int64)
        # Row R holds D(R + sum, sum) for every sum: what rolling at R can lead to.
        self.rows = np.zeros((2, _CHUNK + self.high, count), np.int64)
        self.places = -np.arange(count) * count + np.arange(count) - dice.low * count

    def run(self, budget: Budget) -> Sweep | None:
        """The whole sweep; None where something is worth too much."""
        reward = self.top - 1
        while reward >= 0:
            budget.glance(self.top - reward, "going down the rewards")
            lowest = max(-1, reward - _CHUNK)
            if not self._chunk(reward, lowest):
                return None
            self.rows[:, _CHUNK:] = self.rows[:, : self.high].copy()
            self.rows[:, :_CHUNK] = 0
            reward = lowest
        stop_at = self.first[0] if self.stop_at is None else self.stop_at
        possible = self.first[1] if self.stop_at is None else self.stop_at
        return Sweep(self.dice, self.yields, self.bits, self.sums, stop_at.tolist(), possible.tolist())

    def _chunk(self, reward: int, lowest: int) -> bool:
        """Sweep the rewards down to the one after `lowest`; False where something is worth too much."""
        last = _CHUNK + self.high - 1
        top = reward
        while reward > lowest:
            count = min(self.dice.low, reward - lowest)
            place = last - (top - reward)
            here = self.rows[:, place - count + 1 : place + 1]
            rewards = np.arange(reward - count + 1, reward + 1)
            worth = self._block(rewards, here)
            if worth is None:
                return False
            flat = self.rows.reshape(2, -1)
            starts = (place - count + 1 + np.arange(count)) * len(self.ways)
            flat[:, starts[:, None] + self.places] = worth
            reward -= count
        return True

    def _block(self, rewards: Words, here: Words) -> Words | None:
        """D at these rewards (2 x rewards x sums); None where it is too large."""
        dice, yields = self.dice, self.yields
        own = here * self.ways
        sums = own.sum(axis=2)
        self.sums[:, rewards] = sums
        losses = self.ways * yields.loss(rewards[:, None] + self.sums_of_throw)
        if self.stop_at is None:
            # Larger losses also mean stopping.
            losses = np.minimum(losses, yields.base + self.cap)
        gain = ((yields.base - losses) << self.bits) + (sums[:, :, None] - own)
        if self.stop_at is None:
            self._note(rewards, gain)
            np.maximum(gain, 0, out=gain)
        else:
            gain *= rewards[:, None] < self.stop_at
        worth = np.empty_like(gain)
        np.floor_divide(gain[0], dice.throws, out=worth[0])
        np.negative(np.floor_divide(-gain[1], dice.throws), out=worth[1])
        return None if np.abs(worth).max() >= self.limit else worth

    def _note(self, rewards: Words, gain: Words) -> None:
        """Note where rolling is certainly (side 0) or possibly (side 1) better; at lower rewards it stays so."""
        rolls = (gain > 0).any(axis=1)
        new = rolls & (self.first == 0)
        if new.any():
            for side, i in zip(*np.nonzero(new), strict=True):
                self.first[side, i] = rewards[np.flatnonzero(gain[side, :, i] > 0)[-1]] + 1


class RepeatBounds(RepeatTheorem):
    """Backward induction over rewards for `repeatbust`, between proven bounds."""

    method = "backward induction between proven bounds"

    def __init__(self, game: RepeatBust, question: Question) -> None:
        super().__init__(game, question)
        self._swept: dict[Any, Sweep] = {}

    @classmethod
    def settles(cls, game: Any, question: Question, position: Position) -> Self | None:
        """Every position of dice whose exact numbers take long, for best play and the rules with thresholds."""
        exact = RepeatColumns.settles(game, question, position)
        if exact is None or exact.rule == "never" or exact.digit_operations < EASY_DIGIT_OPERATIONS:
            return None
        return cls(game, question)

    # ---------------------------------------------------------------- sweeps

    def _sweep(self, what: str, rule: str | None) -> Sweep:
        if (what, rule) not in self._swept:
            if self.game.bound > MOST_REWARDS:
                raise LimitReached(
                    f"{self.game.title()}: {self.game.bound:,} rewards would have to be examined",
                    advice="fewer dice, or fewer sides",
                )
            total, throws = self.dice.total, self.dice.throws
            yields = {"reward": RollYield(total, 1, 0), "bust": RollYield(0, 0, -1), "rolls": RollYield(throws, 0, 0)}[
                what
            ]
            stop_at = None if rule is None else self.fixed_thresholds(rule)
            if what != "reward" and rule is None:
                stop_at = self.thresholds()
            top = self.game.bound if stop_at is None else max(stop_at)
            self._swept[what, rule] = sweep(self.dice, yields, top, stop_at, self.budget)
            self.states = max(self.states, top * len(self.dice.ways))
        return self._swept[what, rule]

    def thresholds(self) -> list[int]:
        """Those of the rule in force, all of them proven; raises `LimitReached` if any is not."""
        if self.rule is not None:
            return self.fixed_thresholds(self.rule)
        best = self._sweep("reward", None)
        open_sums = [low for low, high in zip(best.stop_at, best.possible, strict=True) if low != high]
        if open_sums:
            raise LimitReached(
                f"stopped: the proven bounds leave {len(open_sums)} of {len(best.stop_at)} thresholds open",
                advice="--exact",
            )
        return best.stop_at

    # ---------------------------------------------------------------- answers

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Expected reward at the end of the game."""
        return (self._reward(position.state, self.rule),)

    def _reward(self, state: Any, rule: str | None) -> Amount:
        if not self._is_open(state):
            return int(state.reward)
        return _tidy(state.reward + self._beyond(self._sweep("reward", rule), state))

    def _is_open(self, state: Any) -> bool:
        return bool(state.phase == ROLLING or (state.phase == DECIDING and state.reward <= self.game.bound))

    def _beyond(self, found: Sweep, state: Any) -> Interval:
        """The bounds of what is still to come."""
        if state.phase == DECIDING:
            return found.deciding(state.reward, state.last - self.dice.low)
        if state.last:
            return found.rolling(state.reward, state.last - self.dice.low)
        if self.game.scores_first:
            return found.any_sum(0)
        parts = [found.deciding(0, i) for i in range(len(self.dice.ways))]
        low, high = (
            sum((ways * getattr(part, bound) for ways, part in zip(self.dice.ways, parts, strict=True)), Fraction(0))
            for bound in ("lower", "upper")
        )
        extra = found.yields.base - self.dice.total if found.yields.slope else found.yields.base
        # The first throw counts as a throw, but it neither busts nor scores.
        return Interval((low + extra) / self.dice.throws, (high + extra) / self.dice.throws)

    def facts(self, position: Position) -> Mapping[str, Any]:
        """Ways to throw each sum, chance to bust, throws to come; for best play also the cost of the myopic rule."""
        state = position.state
        facts = self.ways()
        for name, what in (("bust_probability", "bust"), ("expected_rolls", "rolls")):
            is_open = self._is_open(state)
            facts[name] = _tidy(self._beyond(self._sweep(what, self.rule), state)) if is_open else 0
        if self.rule is None:
            facts["myopic_value"] = self._reward(state, "myopic")
        return facts

    def distribution(self, position: Position, player: int) -> Distribution:
        """Not available between ends: raises `LimitReached`."""
        raise LimitReached(
            f"{self.game.title()}: distributions are found in exact numbers only", advice="leave --interval out"
        )


def _tidy(bounds: Interval) -> Amount:
    return between(bounds.lower, bounds.upper)
