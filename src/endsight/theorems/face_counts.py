"""Rock, paper, scissors against a bag of dice: chances from one polynomial.

**Theorem.** Dice drawn without looking are exchangeable, so only the counts of faces
seen matter, and a gesture changes nothing but the points of its own turn: showing the
gesture with the most expected points now is optimal in every turn.

*Proof sketch.* Let die i of n have weights r_i, p_i, s_i with sum w_i, and let c(k) be
the coefficient for the counts k in prod_i (w_i + r_i x + p_i y + s_i z). Choosing which
|k| dice were thrown, and which of them showed what, gives

    P(counts k after |k| turns) = c(k) / (C(n, |k|) * prod_i w_i),

so P(k) is c(k) over the sum of all coefficients of the same degree (which lets every
degree be divided by its common factor). A given sequence of faces with counts k has this
chance divided by the number of its orders, the multinomial M(k). Both follow also for
what is still to come:

    P(next face f | k)    = (k_f + 1) c(k + f) / sum over faces g of (k_g + 1) c(k + g),
    P(counts k + d | k)   = M(d) * P(k + d) / M(k + d) * M(k) / P(k).

The bag without die i has the quotient polynomial, from which the chance that die i is
still in the bag is c_without_i(k) w_i / c(k).

The rules are those of TopCoder's "RockPaperScissors". The table of coefficients takes
O(n^3) operations on whole numbers, and so does every answer after that, with one reduction
to lowest terms for each number shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import comb, factorial, gcd, perm, prod
from typing import Any, Self, TypeAlias

from endsight.answers.distribution import Distribution
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.rpsbag import NAMES, RpsBag
from endsight.theorems.base import Theorem

Counts: TypeAlias = tuple[int, int, int]
"""How often rock, paper and scissors were seen."""

SIGNS = (1, 2, 3)
UNITS: tuple[Counts, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
FIXED = NAMES[1:]
"""The policies covered by the theorem: the same gesture in every turn."""


class FaceCounts(Theorem):
    """Settles every position of `rpsbag`, for best play or one gesture throughout."""

    game: RpsBag
    method = "face counts"
    theorem = (
        "dice drawn blindly are exchangeable: the chances of the counts of faces seen are the coefficients of "
        "prod_i (w_i + r_i x + p_i y + s_i z), and the gesture with the most expected points now is best"
    )

    def __init__(self, game: RpsBag, question: Question) -> None:
        super().__init__(game, question)
        self.fixed = FIXED.index(question.fixed[0]) + 1 if question.fixed else None
        size = game.count + 1
        self.states = size * (size + 1) * (size + 2) // 6
        self._planned_from: dict[Counts, list[Fraction]] = {}

    @classmethod
    def settles(cls, game: Any, question: Question, position: Position) -> Self | None:
        """Every position, where nothing is fixed except one gesture for all turns."""
        if question.utility != "payoff" or (question.fixed and question.fixed[0] not in FIXED):
            return None
        return cls(game, question)

    # ---------------------------------------------------------------- answers

    def value(self, position: Position) -> tuple[Number, ...]:
        """Points of the whole game: those so far and the expected ones of the coming turns."""
        return (simplest(position.so_far[0] + sum(self._per_turn(position.state), Fraction(0))),)

    def facts(self, position: Position) -> Mapping[str, Any]:
        """The chance of each die to be still in the bag, the best single gesture, the points of each coming turn."""
        state = position.state
        return {
            "posterior": self._posterior(state),
            "best_fixed": self._best_fixed(position),
            "per_turn": self._per_turn(state),
        }

    def policy_rows(self, position: Position) -> list[dict[str, Any]] | None:
        """A row for each combination of counts at which a gesture is chosen, by number of faces, then counts."""
        state = position.state
        start = _counts(state)
        return [
            self._row(start, ahead)
            for turns in range(1 if state.gesture else 0, self.game.count - sum(start))
            for ahead in _counts_of(turns)
            if self._ways(_plus(start, ahead))
        ]

    def distribution(self, position: Position, player: int) -> Distribution | None:
        """The distribution of the points of the whole game; of equally good gestures the first is shown."""
        state = position.state
        turns = self.game.count - sum(state[:3])
        chances = self._chances_of_points(state, turns)
        outcomes = {position.so_far[0] + points: chance for points, chance in enumerate(chances) if chance}
        return Distribution(self.game.player_names[player], outcomes, turns - (state.gesture > 0))

    def _row(self, start: Counts, ahead: Counts) -> dict[str, Any]:
        counts = _plus(start, ahead)
        weights = self._weights(counts)
        total = sum(weights)
        points = _points(weights)
        most = max(points)
        return {
            "rock": counts[0],
            "paper": counts[1],
            "scissors": counts[2],
            "probability": self._chance(start, ahead),
            "best": [name for name, worth in zip(NAMES[1:], points, strict=True) if worth == most],
            "worth": {name: Fraction(worth, total) for name, worth in zip(NAMES[1:], points, strict=True)},
            "next": {name: Fraction(weight, total) for name, weight in zip(NAMES[1:], weights, strict=True)},
        }

    # ---------------------------------------------------------------- chances of counts

    @cached_property
    def _totals(self) -> list[int]:
        """Sum of the coefficients for each number of faces seen."""
        sums = [0] * (self.game.count + 1)
        for rocks, plane in enumerate(self.game.ways):
            for papers, row in enumerate(plane):
                for scissors, ways in enumerate(row):
                    sums[rocks + papers + scissors] += ways
        return sums

    def _ways(self, counts: Counts) -> int:
        rocks, papers, scissors = counts
        return self.game.ways[rocks][papers][scissors]

    def _weights(self, counts: Counts) -> Counts:
        """Whole weights of rock, paper, scissors as the next face."""
        rocks, papers, scissors = counts
        ways = self.game.ways
        return (
            (rocks + 1) * ways[rocks + 1][papers][scissors],
            (papers + 1) * ways[rocks][papers + 1][scissors],
            (scissors + 1) * ways[rocks][papers][scissors + 1],
        )

    def _chance(self, start: Counts, ahead: Counts) -> Fraction:
        """Chance of the faces `ahead` in the next turns after the faces `start`."""
        counts = _plus(start, ahead)
        paths, orders = _orders(ahead) * _orders(start), _orders(counts)
        # Small numbers first: at the start of the game the two are the same.
        shared = gcd(paths, orders)
        return Fraction(
            paths // shared * self._ways(counts) * self._totals[sum(start)],
            orders // shared * self._totals[sum(counts)] * self._ways(start),
        )

    def _sequence(self, counts: Counts) -> Fraction:
        """Chance of one sequence of faces with these counts from the start of the game on."""
        return Fraction(self._ways(counts), self._totals[sum(counts)] * _orders(counts))

    @cached_property
    def _scales(self) -> list[int]:
        """The divisor of the coefficients of each degree: those of degree m sum to C(n, m) prod_i w_i."""
        weight = prod(map(sum, self.game.dice))
        return [comb(self.game.count, seen) * weight // total for seen, total in enumerate(self._totals)]

    # ---------------------------------------------------------------- points

    def _per_turn(self, state: RpsBag.State) -> list[Fraction]:
        """Expected points of each coming turn; the first is the one whose die is in the air."""
        counts = _counts(state)
        turns = self._planned(counts)
        if not state.gesture:
            return turns
        weights = self._weights(counts)
        return [Fraction(_points(weights)[state.gesture - 1], sum(weights)), *turns[1:]]

    def _planned(self, start: Counts) -> list[Fraction]:
        """Expected points of each coming turn where all gestures are still to be chosen."""
        if start not in self._planned_from:
            turns = range(self.game.count - sum(start))
            self._planned_from[start] = [self._planned_turn(start, turn) for turn in turns]
        return self._planned_from[start]

    def _planned_turn(self, start: Counts, turn: int) -> Fraction:
        """Expected points in the turn that comes after `turn` others.

        After m faces with counts k the weights of the next face add up to c(k) times
        something that depends on m alone; so c(k) cancels, and with T the sum of the
        coefficients of degree m + 1 a sequence of m faces and its next turn contribute
        points / ((m + 1) T M(k)), all over the same (m + 1)! T. With d faces ahead there are
        |d|! / prod d_f! such sequences, and 1 / M(k) is prod k_f! / m!.
        """
        numerator = 0
        for ahead in _counts_of(turn):
            counts = _plus(start, ahead)
            numerator += prod(map(perm, counts, start)) * self._choice(self._weights(counts))[1]
        seen = sum(start) + turn + 1
        return Fraction(factorial(turn) * numerator, factorial(seen) * self._totals[seen]) / self._sequence(start)

    def _choice(self, weights: Counts) -> tuple[int, int]:
        """The gesture shown (the first of the best, or the fixed one) and its points, over the sum of weights."""
        points = _points(weights)
        place = points.index(max(points)) if self.fixed is None else self.fixed - 1
        return place + 1, points[place]

    def _best_fixed(self, position: Position) -> dict[str, Any]:
        """The first best gesture for all turns to come and the value of the whole game with it.

        Every die to come shows the same chances, so one gesture is worth the same in each
        turn, and the best sequence of gestures chosen beforehand is no better.
        """
        state = position.state
        counts = _counts(state)
        turns = self.game.count - sum(counts) - (state.gesture > 0)
        coming = sum(self._per_turn(state)[: state.gesture > 0], Fraction(position.so_far[0]))
        if turns == 0:
            return {"gesture": NAMES[1], "value": simplest(coming)}
        weights = self._weights(counts)
        points = _points(weights)
        best = max(points)
        return {
            "gesture": NAMES[points.index(best) + 1],
            "value": simplest(coming + Fraction(turns * best, sum(weights))),
        }

    def _chances_of_points(self, state: RpsBag.State, turns: int) -> list[Fraction]:
        """Chance of 0, 1, 2, ... points in the `turns` dice to come."""
        slot = 2 * turns + 1  # bits for a number of sequences: at most 3^turns
        sums = [0] * (3 * turns + 1)
        for counts, packed in self._sequences(state, turns, slot).items():
            chance = self._ways(counts) * factorial(counts[0]) * factorial(counts[1]) * factorial(counts[2])
            for points in range(len(sums)):
                sums[points] += (packed >> slot * points & (1 << slot) - 1) * chance
        known = self._sequence(_counts(state)) * self._totals[-1] * factorial(self.game.count)
        return [numerator / known for numerator in sums]

    def _sequences(self, state: RpsBag.State, turns: int, slot: int) -> dict[Counts, int]:
        """Final counts -> how many sequences of faces lead there with 0, 1, 2, ... points.

        The numbers are packed into one, `slot` bits each, so that points are gained by a shift.
        """
        reached = {_counts(state): 1}
        for turn in range(turns):
            following: dict[Counts, int] = {}
            for counts, packed in reached.items():
                weights = self._weights(counts)
                gesture = state.gesture if turn == 0 and state.gesture else self._choice(weights)[0]
                for face, weight in zip(SIGNS, weights, strict=True):
                    if weight:
                        child = _plus(counts, UNITS[face - 1])
                        gained = packed << slot * self.game.points(gesture, face)
                        following[child] = following.get(child, 0) + gained
            reached = following
        return reached

    # ---------------------------------------------------------------- dice in the bag

    def _posterior(self, state: RpsBag.State) -> list[Fraction]:
        """Chance of each die, in the order of the parameters, to be still in the bag."""
        counts = _counts(state)
        inside = self.game.count - sum(counts)
        chances = {die: self._unthrown(die, counts) for die in set(self.game.dice)} if inside else {}
        # The die in the air is any of those that were still there.
        left = Fraction(inside - (state.gesture > 0), inside) if inside else Fraction(0)
        return [chances.get(die, Fraction(0)) * left for die in self.game.dice]

    def _unthrown(self, die: tuple[int, ...], counts: Counts) -> Fraction:
        """The chance that `die` showed none of the faces: its share in the coefficient of `counts`.

        The coefficients without the die are the quotient by w + r x + p y + s z, found
        from the lowest counts up.
        """
        rock, paper, scissors = die
        total = sum(die)
        nothing = [0] * (counts[2] + 1)
        plane = [nothing] * (counts[1] + 1)
        for i in range(counts[0] + 1):
            beside = nothing
            for j in range(counts[1] + 1):
                below, row, last = plane[j], [], 0
                for k, ways in enumerate(self.game.ways[i][j][: counts[2] + 1]):
                    whole = ways * self._scales[i + j + k]
                    last = (whole - rock * below[k] - paper * beside[k] - scissors * last) // total
                    row.append(last)
                beside = plane[j] = row
        return Fraction(last * total, self._ways(counts) * self._scales[sum(counts)])


def _counts(state: RpsBag.State) -> Counts:
    return (state.rocks, state.papers, state.scissors)


def _plus(counts: Counts, ahead: Counts) -> Counts:
    return (counts[0] + ahead[0], counts[1] + ahead[1], counts[2] + ahead[2])


def _counts_of(turns: int) -> Iterator[Counts]:
    """All counts of that many faces."""
    for rocks in range(turns + 1):
        for papers in range(turns + 1 - rocks):
            yield rocks, papers, turns - rocks - papers


def _orders(counts: Counts) -> int:
    """The number of orders in which faces with these counts can come up."""
    return comb(sum(counts), counts[0]) * comb(counts[1] + counts[2], counts[1])


def _points(weights: Counts) -> Counts:
    """Expected points of rock, paper, scissors over the sum of the weights of the faces."""
    rocks, papers, scissors = weights
    return (rocks + 3 * scissors, papers + 3 * rocks, scissors + 3 * papers)
