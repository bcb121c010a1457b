"""Pots of which only the ends are seen: take the bigger end.

**Theorem.** Where the hidden pots are exchangeable (here: independent and alike), taking
the bigger of the two ends is optimal for every increasing goal: expected gold, the lead,
the chance to win.

*Proof.* Let the ends hold s <= M. Compare game A, in which the mover has taken M and s is
left as an end, with game B, in which the mover has taken s and M is left. Exchangeable
pots may be uncovered in the same order in both (with left and right exchanged in one), so
the games differ in the gold of one special pot only. In B let the opponent play as if the
special pot held s, the way that is best in A; in A let the mover copy what is best in B.
Then both games go alike. If the opponent gets the special pot, the mover's lead in B is
smaller than in A by 2 (M - s); if the mover gets it, the leads are equal. So B is worth
no more than A.

**Values.** With bigger ends taken, the end that stays is the least pot uncovered so far.
Let P(s, k) be the expected lead, for the player to move next, of a line with one end of s
gold and k hidden pots, one of which is uncovered now as the other end (k = 0: s is the
last pot). Taking M of the ends s <= M with k hidden leads by M - P(s, k). A pot taken is
what stays before it, plus what is uncovered, less what stays after it, so the sum of the
leads telescopes. With m the most a pot can hold, and e_j = sum_{w=m+1-s..m} (w/m)^j
the expected least of s and j more pots,

    P(s, k) = s + 2 sum_{j=1..k} (-1)^j e_j + (k odd) (m + 1)/2.

The inner sums are geometric: one power of each w <= m gives P(s, k) for all s.

For the chance to win the whole distribution of the lead is needed: counts of the m^k
ways to fill the hidden pots, by lead, as coefficients of a polynomial for each s. One
more hidden pot takes a few additions for each of the m polynomials of up to k m
coefficients: O(k^2 m^2) additions altogether.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from operator import add, sub
from typing import TypeAlias

from endsight.answers.distribution import Distribution
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.hiddenpots import LEFT, RIGHT, HiddenPots
from endsight.theorems.base import Theorem

Polynomial: TypeAlias = list[int]
"""Coefficients, the constant one first."""


class BiggerEnd(Theorem):
    """Values of hidden pots between players who each want gold, a lead or the win."""

    game: HiddenPots
    method: str = "bigger end"
    theorem: str | None = (
        "where the hidden pots are exchangeable, taking the bigger end is optimal for every increasing goal "
        "(by exchanging the two ends)"
    )

    def __init__(self, game: HiddenPots, question: Question) -> None:
        super().__init__(game, question)
        self._expected: dict[int, list[int]] = {}
        self._outcomes: dict[int, _Outcomes] = {}

    @classmethod
    def settles(cls, game: Game, question: Question, position: Position) -> BiggerEnd | None:
        """Every position; with nothing hidden any more, the win is only won, drawn or lost."""
        theorem = super().settles(game, question, position)
        if theorem is not None and question.utility == "win":
            theorem.has_parts = bool(position.state.hidden)
            theorem.is_win_loss = not theorem.has_parts
        return theorem

    def chosen(self, position: Position) -> int | None:
        """The left end where that is a best move, else the right end; None where this is not clear."""
        state: HiddenPots.State = position.state
        if state.left >= state.right:
            return LEFT
        # The smaller end may win as often as the bigger one, and then it is listed first.
        return None if self.question.utility == "win" else RIGHT

    # ---------------------------------------------------------------- expected gold

    def value(self, position: Position) -> tuple[Number, ...]:
        """Value of the whole game per player."""
        if self.question.utility == "win":
            chance = self._chance_of_first(position)
            return simplest(chance), simplest(1 - chance)
        lead = self._lead(position.state)
        if self.game.turn(position.state) == 1:
            lead = -lead
        so_far, so_far_other = position.so_far
        if self.question.utility == "lead":
            return simplest(so_far - so_far_other + lead), simplest(so_far_other - so_far - lead)
        left = position.state.left + position.state.right + Fraction(position.state.hidden * (self.game.max + 1), 2)
        return simplest(so_far + (left + lead) / 2), simplest(so_far_other + (left - lead) / 2)

    def _lead(self, state: HiddenPots.State) -> Fraction:
        """Expected lead in what is left of the player who takes next."""
        low, high = sorted((state.left, state.right))
        if low:
            return high - self._lead_of_one_end(low, state.hidden)
        if high:
            return self._lead_of_one_end(high, state.hidden)
        if state.hidden == 0:
            return Fraction(0)
        return Fraction(sum(self._leads(state.hidden - 1)), 2 * self.game.max**state.hidden)

    def _lead_of_one_end(self, end: int, hidden: int) -> Fraction:
        """P(s, k) of the module's docstring."""
        return Fraction(self._leads(hidden)[end - 1], 2 * self.game.max**hidden)

    def _leads(self, hidden: int) -> list[int]:
        """P(s, k) for s = 1, 2, ..., m, times 2 m^k."""
        if hidden not in self._expected:
            self._expected[hidden] = _expected_leads(self.game.max, hidden, self.budget)
            self.states += self.game.max
        return self._expected[hidden]

    # ---------------------------------------------------------------- whole distributions

    def _chance_of_first(self, position: Position) -> Fraction:
        """The chance that the first player gets more than the second; a tie counts half."""
        lead = int(position.so_far[0] - position.so_far[1])
        cases = list(self._cases(position.state, 0))
        if not cases:
            return Fraction(1 + (lead > 0) - (lead < 0), 2)
        outcomes = self._outcomes_of(0)
        doubled = sum(outcomes.doubled_wins(end, hidden, lead + gain) for end, hidden, gain in cases)
        self.states = outcomes.found
        return Fraction(doubled, 2 * len(cases) * self.game.max ** cases[0][1])

    def distribution(self, position: Position, player: int) -> Distribution | None:
        """Distribution of the player's payoff or lead when both take the bigger end."""
        if self.question.utility == "win":
            # Of moves that win equally often, the smaller end may be the first.
            return None
        own, other = position.so_far[player], position.so_far[1 - player]
        so_far = int(own - other if self.question.utility == "lead" else own)
        cases = list(self._cases(position.state, player))
        counts: dict[int, int] = {}
        for end, hidden, gain in cases:
            for amount, count in self._outcomes_of(player).counts(end, hidden):
                counts[so_far + gain + amount] = counts.get(so_far + gain + amount, 0) + count
        self.states = max(self.states, self._outcomes_of(player).found) if counts else self.states
        counts = counts or {so_far: 1}
        total = sum(counts.values())
        chances: dict[Number, Fraction] = {amount: Fraction(counts[amount], total) for amount in sorted(counts)}
        pots = position.state.hidden + bool(position.state.left) + bool(position.state.right)
        return Distribution(self.game.player_names[player], chances, pots)

    def _cases(self, state: HiddenPots.State, player: int) -> Iterator[tuple[int, int, int]]:
        """Equally likely continuations: the one end in view, the hidden pots, and the player's gains until then."""
        low, high = sorted((state.left, state.right))
        if low:
            yield low, state.hidden, high * self._sign(self.game.turn(state), player)
        elif high:
            yield high, state.hidden, 0
        elif state.hidden:
            for end in range(1, self.game.max + 1):
                yield end, state.hidden - 1, 0

    def _sign(self, taker: int, player: int) -> int:
        """How a piece of gold taken by `taker` counts for `player`."""
        if taker == player:
            return 1
        return 0 if self.question.utility == "payoff" else -1

    def _outcomes_of(self, player: int) -> _Outcomes:
        """The distributions of that player's gains."""
        if player not in self._outcomes:
            last = (self.game.count - 1) % 2
            signs = (self._sign(last, player), self._sign(1 - last, player))
            self._outcomes[player] = _Outcomes(self.game.max, signs, self.budget)
        return self._outcomes[player]


def _expected_leads(most: int, hidden: int, budget: Budget) -> list[int]:
    """P(s, k) of the module's docstring for s = 1, 2, ..., m, times 2 m^k."""
    ways = most**hidden
    fresh = (most + 1) * ways if hidden % 2 else 0
    leads = []
    total = 0
    for end, rank in enumerate(range(most, 0, -1), 1):
        budget.glance(end, "finding expected leads")
        # sum_{j=1..k} (-w)^j m^(k-j) for w = m, m - 1, ..., 1
        total -= rank * (ways - (-rank) ** hidden) // (most + rank)
        leads.append(2 * end * ways + 4 * total + fresh)
    return leads


class _Outcomes:
    """The number of ways for a player to get each amount from a line with one end of s gold and k hidden pots.

    `signs` says how gold counts for the player: when taken by whoever takes the last pot, and
    when taken by the other. A polynomial is the list of its coefficients: entry i is the
    number of ways to get the amount i - `offset(k)`.
    """

    def __init__(self, most: int, signs: tuple[int, int], budget: Budget) -> None:
        self.most, self.signs, self.budget = most, signs, budget
        self.found = 0
        """The number of polynomials found so far."""
        self._rows = {0: self._first_row()}

    def offset(self, hidden: int) -> int:
        """The number added to amounts, so that exponents are 0 or more."""
        return self.most * sum(self.signs[stage % 2] < 0 for stage in range(hidden + 1))

    def row(self, hidden: int) -> list[Polynomial]:
        """The polynomials for s = 1, 2, ..., m."""
        if hidden not in self._rows:
            # Rows one move later may be needed next; all of them together could be large.
            rows = self._rows if min(self._rows) < hidden else {0: self._first_row()}
            for stage in range(max(known for known in rows if known <= hidden) + 1, hidden + 1):
                before = rows[stage - 1]
                rows = {stage - 1: before, stage: self._longer(before, self.signs[stage % 2])}
            self._rows = rows
        return self._rows[hidden]

    def _exponent(self, gold: int, sign: int) -> int:
        return gold if sign > 0 else self.most - gold if sign < 0 else 0

    def _first_row(self) -> list[Polynomial]:
        return [[0] * self._exponent(end, self.signs[0]) + [1] for end in range(1, self.most + 1)]

    def _longer(self, row: list[Polynomial], sign: int) -> list[Polynomial]:
        """The polynomials with one more hidden pot, uncovered first; gold taken first counts `sign`."""
        longer = []
        smaller: Polynomial = []
        for end, same in enumerate(row, 1):
            self.budget.glance(self.found, "adding up distributions")
            # If the new pot is smaller, the end is taken; else the new pot is taken and the end stays.
            end_taken = [0] * self._exponent(end, sign) + smaller
            longer.append(_added(end_taken, self._new_taken(same, end, sign)))
            smaller = _added(smaller, same)
        self.found += self.most
        return longer

    def _new_taken(self, polynomial: Polynomial, end: int, sign: int) -> Polynomial:
        """The sum over new pots from `end` up, taken first."""
        count = self.most - end + 1
        if sign == 0:
            return [count * ways for ways in polynomial]
        # Times x^0 + ... + x^(count-1): differences of running sums.
        sums = list(accumulate(polynomial))
        sums += [sums[-1]] * (count - 1)
        lowest = [0] * end if sign > 0 else []
        return lowest + sums[:count] + list(map(sub, sums[count:], sums))

    def doubled_wins(self, end: int, hidden: int, lead: int) -> int:
        """Twice the ways in which `lead` and the amount make more than 0, and the ways in which they make 0."""
        polynomial = self.row(hidden)[end - 1]
        place = self.offset(hidden) - lead
        return sum(polynomial[max(0, place) :]) + sum(polynomial[max(0, place + 1) :])

    def counts(self, end: int, hidden: int) -> Iterator[tuple[int, int]]:
        """Every possible amount with the number of ways to get it."""
        offset = self.offset(hidden)
        for place, ways in enumerate(self.row(hidden)[end - 1]):
            if ways:
                yield place - offset, ways


def _added(a: Polynomial, b: Polynomial) -> Polynomial:
    long, short = (a, b) if len(a) >= len(b) else (b, a)
    return list(map(add, long, short)) + long[len(short) :]
