"""The two sweeps over rewards behind `RepeatColumns`, in whole numbers.

Every rule considered stops exactly from some reward on, one for each last sum
(`stop_at`). Write V(R, k) for the worth of deciding at reward R after sum k, c_k for
the ways to throw k and W for all throws. Rolling is worth

    V(R, k) = A(R) - c_k V(R + k, k) / W,    A(R) = sum over j of c_j V(R + j, j) / W,

so one reward costs O(K) for K sums, from the largest reward down (`average_worths`).
The chances to decide at (R, k) obey the mirror image, from the smallest reward up
(`pass_forward`): the mass that rolls on to sum j is the total less its own term.

Numbers are whole numbers over powers of W, so no common divisor is ever computed: a `Scaled`
is (numerator, exponent), numerator / W^exponent. The exponent is the number of throws
that can still follow (or came before), so the longest chain is also tracked without its
own term: two equal sums in a row never score.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from endsight.game.limits import Budget

Scaled: TypeAlias = tuple[int, int]
"""(numerator, exponent): numerator / throws^exponent."""

_BETWEEN_GLANCES = 16
"""Rewards between checks of the limits."""

_Term: TypeAlias = tuple[int, int, int]
"""(index of a sum, numerator, exponent): to be weighted by the ways of that sum."""


class Dice:
    """Ways to throw each sum from `low` on, and exact numbers over powers of `throws`."""

    def __init__(self, low: int, ways: Sequence[int]) -> None:
        self.low = low
        self.ways = tuple(ways)
        self.throws = sum(ways)
        self.total = sum(count * (low + i) for i, count in enumerate(ways))
        """Mean sum times `throws`."""
        self._powers = [1]
        self._factors = [[count] for count in ways]

    def power(self, exponent: int) -> int:
        """throws^exponent."""
        return _extended(self._powers, exponent, self.throws)

    def factors(self, exponent: int) -> list[list[int]]:
        """For each sum its ways times throws^0, throws^1, ... to throws^exponent at least."""
        for factors in self._factors if exponent >= len(self._factors[0]) else ():
            _extended(factors, exponent, self.throws)
        return self._factors

    def fraction(self, number: Scaled) -> Fraction:
        """The number in lowest terms."""
        return Fraction(number[0], self.power(number[1]))

    def plus(self, first: Scaled, second: Scaled) -> Scaled:
        """The sum over the larger of the two powers."""
        if first[1] < second[1]:
            first, second = second, first
        return first[0] + second[0] * self.power(first[1] - second[1]), first[1]

    def sum(self, numbers: Iterable[Scaled]) -> Scaled:
        """The sum of many numbers."""
        by_exponent: dict[int, int] = {}
        for numerator, exponent in numbers:
            by_exponent[exponent] = by_exponent.get(exponent, 0) + numerator
        total, reached = 0, 0
        for exponent in sorted(by_exponent):
            total = total * self.power(exponent - reached) + by_exponent[exponent]
            reached = exponent
        return total, reached


def _extended(powers: list[int], exponent: int, base: int) -> int:
    while len(powers) <= exponent:
        powers.append(powers[-1] * base)
    return powers[exponent]


class _Row:
    """Terms of one reward, weighted, over their common power: the total, and the total without any one."""

    def __init__(self, dice: Dice, terms: Sequence[_Term], plain: int = 0) -> None:
        """Add `plain`, a whole number, to the total."""
        self.dice = dice
        highest, second, leader = 0, 0, -1
        lowest = terms[0][2] if terms else 0
        for i, _, exponent in terms:
            if leader < 0 or exponent >= highest:
                highest, second, leader = exponent, highest, i
            elif exponent > second:
                second = exponent
            if exponent < lowest:
                lowest = exponent
        # `second` is the largest exponent without the leader's.
        self.exponent, self.second, self.leader = highest, second, leader
        factors = dice.factors(highest - lowest)
        self.terms = {i: value * factors[i][highest - exponent] for i, value, exponent in terms}
        self.total = sum(self.terms.values(), plain * dice.power(highest) if plain else 0)

    def without_leader(self) -> Scaled:
        """The total less the leader's term: divisible by the power that only the leader needed."""
        rest = self.total - self.terms[self.leader]
        return rest // self.dice.power(self.exponent - self.second), self.second


@dataclass(frozen=True)
class Columns:
    """The worth of every reward under one stopping rule.

    `stop_at[i]`: reward from which on the rule stops after sum number i.
    `averages[R]`: the mean of V(R + j, j) over all throws j; from `len(averages)` on
    the rule stops after every sum, and the mean is R plus the mean sum.
    `first` holds V(0, i) for those sums after which the rule rolls at 0.
    """

    dice: Dice
    stop_at: tuple[int, ...]
    averages: list[Scaled]
    first: dict[int, Scaled]

    def average(self, reward: int) -> Scaled:
        """Mean worth after one more throw, if no sum busts."""
        if reward < len(self.averages):
            return self.averages[reward]
        return reward * self.dice.throws + self.dice.total, 1

    def deciding(self, reward: int, i: int) -> Scaled:
        """V(reward, sum number i)."""
        return (reward, 0) if reward >= self.stop_at[i] else self.rolling(reward, i)

    def rolling(self, reward: int, i: int) -> Scaled:
        """The worth of the dice in the air, with that reward and last sum."""
        if reward == 0 and i in self.first:
            return self.first[i]
        step = self.dice.low + i
        rewards = range(reward, max(reward + 1, self.stop_at[i]), step)
        worth: Scaled = (rewards[-1] + step, 0)
        for lower in reversed(rewards):
            average = self.average(lower)
            numerator, exponent = self.dice.plus(average, (-self.dice.ways[i] * worth[0], worth[1] + 1))
            # The remainder of the average has no larger power than the average itself.
            worth = numerator // self.dice.power(exponent - average[1]), average[1]
        return worth


def average_worths(dice: Dice, *, top: int, stop_at: Sequence[int] | None, budget: Budget) -> Columns:
    """Sweep down from reward `top`, from which on every sum stops.

    With `stop_at` None the best rule is found on the way. Its thresholds are exact:
    rolling less stopping falls strictly with the reward (from one more point, any plan
    yields at most one more point), so each sum has one. Raises `LimitReached` when the
    budget is spent.
    """
    found = [0] * len(dice.ways) if stop_at is None else list(stop_at)
    averages: list[Scaled] = [(0, 0)] * top
    # The terms of reward R lie at R + 1; index 0 holds the worth of deciding with nothing yet.
    pending: list[list[_Term]] = [[] for _ in range(top + 1)]
    stopping, rolling = set(range(len(dice.ways))), list[int]()
    lightest = _lightest(dice, stopping)
    for reward in range(top - 1, -1, -1):
        if reward % _BETWEEN_GLANCES == 0:
            budget.glance((top - reward) * len(dice.ways), "going down the rewards")
        row = _average_row(dice, reward, pending.pop())
        if stop_at is None:
            started = _worth_rolling(row, reward, stopping, lightest)
            for i in started:
                found[i] = reward + 1
        else:
            started = [i for i in stopping if reward < stop_at[i]]
        if started:
            stopping.difference_update(started)
            rolling.extend(started)
            lightest = _lightest(dice, stopping)
        averages[reward] = (row.total, row.exponent + 1)
        _hand_down(row, reward, rolling, pending)
    return Columns(dice, tuple(found), averages, {i: (value, exponent) for i, value, exponent in pending[0]})


def _average_row(dice: Dice, reward: int, terms: Sequence[_Term]) -> _Row:
    """Throws * A(reward): `terms` are the sums after which the rule rolls on, all others stop."""
    plain = reward * dice.throws + dice.total
    for i, _, _ in terms:
        plain -= dice.ways[i] * (reward + dice.low + i)
    return _Row(dice, terms, plain)


def _lightest(dice: Dice, sums: Iterable[int]) -> tuple[int, int]:
    """The fewest ways of any of these sums, and the smallest sum."""
    return min((dice.ways[i] for i in sums), default=0), dice.low + min(sums, default=0)


def _worth_rolling(row: _Row, reward: int, stopping: Iterable[int], lightest: tuple[int, int]) -> list[int]:
    """The sums of `stopping` after which rolling at `reward` is strictly better.

    They stop at every larger reward, so throwing the same sum again would lose reward + sum, which is
    never less than the `lightest` of them would lose.
    """
    dice = row.dice
    ways, least = lightest
    if row.total <= dice.power(row.exponent) * (reward * dice.throws + ways * (reward + least)):
        return []
    losses = sorted((dice.ways[i] * (reward + dice.low + i), i) for i in stopping)
    better = []
    for loss, i in losses:
        if row.total <= dice.power(row.exponent) * (reward * dice.throws + loss):
            break
        better.append(i)
    return better


def _hand_down(row: _Row, reward: int, rolling: Iterable[int], pending: list[list[_Term]]) -> None:
    """Store V(reward, k) for the `rolling` sums at the only reward that needs it: reward - k."""
    dice, total, terms, exponent = row.dice, row.total, row.terms, row.exponent + 1
    for i in rolling:
        slot = reward + 1 - dice.low - i
        if reward == 0:
            slot = 0
        elif slot < 1:
            continue
        if i == row.leader:
            rest, second = row.without_leader()
            pending[slot].append((i, rest, second + 1))
        elif i in terms:
            pending[slot].append((i, total - terms[i], exponent))
        else:
            own = dice.ways[i] * (reward + dice.low + i)
            pending[slot].append((i, total - own * dice.power(row.exponent), exponent))


@dataclass(frozen=True)
class Passage:
    """The outcome of play from some position: chances as numbers over powers of `dice.throws`.

    `stopped`: chance to stop with each reward, rewards increasing.
    `rolled`: expected number of rolls decided on.
    """

    dice: Dice
    stopped: dict[int, Scaled]
    rolled: Scaled

    def stopping(self) -> Scaled:
        """Chance to stop at all."""
        return self.dice.sum(self.stopped.values())


def pass_forward(
    dice: Dice, stop_at: Sequence[int], arrivals: Iterable[tuple[int, int, Scaled]], budget: Budget
) -> Passage:
    """Sweep up from the `arrivals`: (reward, number of the last sum, chance / ways of that sum).

    Raises `LimitReached` when the budget is spent.
    """
    pending: dict[int, list[_Term]] = {}
    for reward, i, (numerator, exponent) in arrivals:
        pending.setdefault(reward, []).append((i, numerator, exponent))
    stopped: dict[int, Scaled] = {}
    rolled: list[Scaled] = []
    reward, last = min(pending, default=0), max(pending, default=-1)
    while reward <= last:
        if reward % _BETWEEN_GLANCES == 0:
            budget.glance(reward * len(dice.ways), "passing chances up the rewards")
        terms = pending.pop(reward, [])
        stops, rolls = list[_Term](), list[_Term]()
        for term in terms:
            (stops if reward >= stop_at[term[0]] else rolls).append(term)
        if stops:
            row = _Row(dice, stops)
            stopped[reward] = (row.total, row.exponent)
        if rolls:
            row = _Row(dice, rolls)
            rolled.append((row.total, row.exponent))
            last = max(last, reward + dice.low + len(dice.ways) - 1)
            _hand_up(row, reward + dice.low, pending)
        reward += 1
    return Passage(dice, stopped, dice.sum(rolled))


def _hand_up(row: _Row, lowest: int, pending: dict[int, list[_Term]]) -> None:
    """Pass the mass of `row` on, from reward `lowest` up, to every sum but the one it comes from."""
    total, terms, exponent, leader = row.total, row.terms, row.exponent + 1, row.leader
    for i in range(len(row.dice.ways)):
        if i == leader:
            rest, second = row.without_leader()
            term = i, rest, second + 1
        else:
            term = i, total - terms[i] if i in terms else total, exponent
        # Nothing rolls on where the only sum that rolled is the one that busts.
        if term[1]:
            if lowest + i in pending:
                pending[lowest + i].append(term)
            else:
                pending[lowest + i] = [term]


def count_reachable(dice: Dice, limits: Sequence[int], decisions: Iterable[tuple[int, int]], budget: Budget) -> int:
    """The number of pairs of reward and last sum reachable from `decisions`, rolling below `limits` (one per sum)."""
    arrived: dict[int, int] = {}
    for reward, i in decisions:
        arrived[reward] = arrived.get(reward, 0) | 1 << i
    closing: dict[int, int] = {}
    for i, limit in enumerate(limits):
        closing[limit] = closing.get(limit, 0) | 1 << i
    high, every = dice.low + len(dice.ways) - 1, (1 << len(dice.ways)) - 1
    reward, last, count = min(arrived, default=0), max(arrived, default=-1), 0
    open_sums = sum(1 << i for i, limit in enumerate(limits) if limit > reward)
    rolled: dict[int, int] = {}
    # The number of consecutive rewards, up to the one before, at which two sums or more
    # roll on: they lead to every sum.
    run = 0
    while reward <= last:
        if reward % _BETWEEN_GLANCES == 0:
            budget.glance(count, "counting states")
        open_sums &= ~closing.get(reward, 0)
        here = every if run >= high else _thrown(dice, reward, rolled) | arrived.get(reward, 0)
        count += here.bit_count()
        rolled[reward] = here & open_sums
        run = run + 1 if rolled[reward].bit_count() > 1 else 0
        if rolled[reward]:
            last = max(last, reward + high)
        reward += 1
    return count


def _thrown(dice: Dice, reward: int, rolled: dict[int, int]) -> int:
    """Set of the sums that lead to `reward` from rewards with a different last sum."""
    return sum(1 << i for i in range(len(dice.ways)) if rolled.get(reward - dice.low - i, 0) & ~(1 << i))
