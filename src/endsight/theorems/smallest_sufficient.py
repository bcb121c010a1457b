"""Cards against a partly known order: win with the smallest card that is enough.

**Theorem.** Play on a known turn the smallest card that beats the rival's; where none
does, throw away the smallest card; keep the rest for the unknown turns. No other order
of the cards gives a score that is larger in distribution: the greedy score is
stochastically the largest, so it is best for the expected score and for the chance of
more than half alike.

*Proof sketch.* Exchange arguments, arrangement by arrangement of the rival's unknown
cards. Another plan is changed in steps, none of which lowers the score. (a) A known turn
that could be won is lost with card b, while the winning card c > b lies elsewhere: swap
them. That turn is won, the other place loses at most one point. (b) A known turn is won
with a card larger than needed, or lost with a card that is not the smallest left: swap
it with the smaller card; the larger one does at least as well on the other turn. Cards
already laid on unknown turns take no part in any swap, so the theorem holds from every
position. What is revealed comes too late to be of use.

*Which cards are used.* Scan all cards from the smallest up; a card of ours wins if a
known card of the rival below it is still unbeaten. These are the same cards, however the
known turns are ordered (as drivers who park in the first free place at or behind their
own fill the same places in any order). Of the others the smallest are thrown away on the
known turns left. O(N) for the value; O(N log N) for the order itself.

*Distribution.* The kept cards meet a random arrangement of r unknown cards: hit numbers
of a Ferrers board (Kaplansky and Riordan 1946; Goldman, Joichi, White 1975). With
c_1 <= ... <= c_r the number of unknown cards below each kept one, R_j, the number of ways
to place j rooks, follows from R_{j+1} += R_j (c_i - j) for each i, and the number of
arrangements with k wins is the coefficient of x^k in sum_j R_j (r - j)! (x - 1)^j.
O(r^2) operations on whole numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import factorial
from operator import add
from typing import Any, Self

from endsight.answers.distribution import Distribution
from endsight.errors import LimitReached
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.highcard import HighCard
from endsight.theorems.base import Theorem

MOST_UNKNOWN = 10_000
"""Unknown turns up to which the distribution is computed: operations and memory grow with their square."""
FACTS_UNKNOWN = 500
"""Unknown turns up to which `analyze` shows the chance of more than half without being asked."""


HAND, KNOWN = 1, 2
"""Marks in a scan: our cards in hand, and the rival's cards on known turns to come."""


@dataclass(frozen=True)
class Scan:
    """A position scanned from the smallest card up.

    wins   known turns to come that will be won
    spare  cards in hand that win none of them, in increasing order
    kept   how many of these, the largest, are kept for unknown turns
    queue  our cards that already lie on unknown turns
    below  card -> how many of the rival's unknown cards are smaller
    """

    wins: int
    spare: list[int]
    kept: int
    queue: list[int]
    below: list[int]

    @property
    def unknown(self) -> int:
        """The number of the rival's unknown cards."""
        return self.below[-1]

    def board(self) -> list[int]:
        """For each of our cards that will meet an unknown card, the number of smaller unknown cards."""
        kept = self.spare[len(self.spare) - self.kept :]
        return [self.below[card] for card in (*self.queue, *kept)]

    def hits(self) -> list[int]:
        """The number of arrangements of the unknown cards in which 0, 1, 2, ... of them are beaten."""
        if self.unknown > MOST_UNKNOWN:
            raise LimitReached(
                f"time and memory for the chances of every score grow with the square of unknown turns: {self.unknown}",
                advice=f"up to {MOST_UNKNOWN} unknown turns, or the value alone under --utility payoff",
            )
        rooks = _rook_numbers(sorted(self.board()))
        return _shifted([count * factorial(self.unknown - j) for j, count in enumerate(rooks)])


class SmallestSufficient(Theorem):
    """Settles every position of `highcard`, for the expected score and for more than half."""

    game: HighCard
    method = "smallest sufficient card"
    theorem = (
        "winning each known turn with the smallest sufficient card, else throwing away the smallest, "
        "stochastically dominates every other order (exchange argument)"
    )

    def __init__(self, game: HighCard, question: Question) -> None:
        super().__init__(game, question)
        self._seen: set[HighCard.State] = set()

    @classmethod
    def settles(cls, game: Any, question: Question, position: Position) -> Self | None:
        """Every position, where the player is free to choose."""
        if question.fixed or question.utility not in ("payoff", "win"):
            return None
        return cls(game, question)

    # ---------------------------------------------------------------- answers

    def value(self, position: Position) -> tuple[Number, ...]:
        """Expected score; under the utility `win` the chance of more than half, where exactly half counts 1/2."""
        scan = self._scan(position.state)
        sure = position.so_far[0] + scan.wins
        if self.question.utility == "win":
            hits = scan.hits()
            halves = sum(count * self._halves(sure + wins) for wins, count in enumerate(hits))
            return (simplest(Fraction(halves, 2 * sum(hits))),)
        # With no unknown turn there is nothing to divide by.
        return (simplest(sure + Fraction(sum(scan.board()), scan.unknown or 1)),)

    def chosen(self, position: Position) -> int | None:
        """For the expected score, the first best card in increasing order; else None."""
        if self.question.utility != "payoff" or position.state.turn >= self.game.count:
            return None
        worths = self._worths(position.state)
        return max(worths, key=worths.__getitem__)

    def move_values(self, position: Position) -> Mapping[int, tuple[Number, ...]] | None:
        """The expected score after each card, from one pass."""
        if self.question.utility != "payoff" or position.state.turn >= self.game.count:
            return None
        unit = self._scan(position.state, skipped=1).unknown or 1
        (so_far,) = position.so_far
        worths = self._worths(position.state)
        return {card: (simplest(so_far + Fraction(worth, unit)),) for card, worth in worths.items()}

    def facts(self, position: Position) -> Mapping[str, Any]:
        """The number of known turns that will still be won, and where it is cheap the chance of more than half."""
        scan = self._scan(position.state)
        facts: dict[str, Any] = {"sure_wins": scan.wins}
        if scan.unknown <= FACTS_UNKNOWN:
            facts["more_than_half"] = self._more_than_half(position.so_far[0] + scan.wins, scan.hits())
        return facts

    def distribution(self, position: Position, player: int) -> Distribution | None:
        """Distribution of the score (under `win`: of 1, 1/2 and 0) with the smallest sufficient cards."""
        scan = self._scan(position.state)
        sure, hits = position.so_far[0] + scan.wins, scan.hits()
        counts: dict[Number, int] = {}
        for wins, count in enumerate(hits):
            score = sure + wins
            payoff = score if self.question.utility == "payoff" else simplest(Fraction(self._halves(score), 2))
            counts[payoff] = counts.get(payoff, 0) + count
        total = sum(hits)
        return Distribution(
            self.game.player_names[player],
            {payoff: Fraction(count, total) for payoff, count in counts.items() if count},
            max(0, self.game.count - position.state.turn),
            {"more_than_half": self._more_than_half(sure, hits)},
        )

    def policy_rows(self, position: Position) -> list[dict[str, Any]] | None:
        """A card for every turn to come with the reason: `sure win`, `sacrifice`, or `unknown` turn."""
        state = position.state
        plan = self._plan(state)
        self.states = max(self.states, len(plan))
        rivals = self.game.rival[state.turn :]
        return [
            {"turn": turn, "rival": rival, "card": card, "reason": reason}
            for turn, (rival, (card, reason)) in enumerate(zip(rivals, plan, strict=True), start=state.turn + 1)
        ]

    # ---------------------------------------------------------------- scores

    def _halves(self, score: Number) -> int:
        """2 for more than half of the turns, 1 for exactly half, else 0."""
        par = self.game.par()
        return int(score > par) + int(score >= par)

    def _more_than_half(self, sure: Number, hits: list[int]) -> Fraction:
        more = sum(count for wins, count in enumerate(hits) if self._halves(sure + wins) == 2)
        return Fraction(more, sum(hits))

    # ---------------------------------------------------------------- cards

    def _scan(self, state: HighCard.State, skipped: int = 0) -> Scan:
        """The position without its next `skipped` turns, with all cards in hand."""
        deal = self.game
        self._seen.add(state)
        self.states = max(self.states, len(self._seen))
        turn = min(state.turn + skipped, deal.count)
        marks = bytearray(2 * deal.count + 1)
        for card in deal.in_hand(state):
            marks[card] = HAND
        for card in deal.known[turn:]:
            marks[card] = KNOWN
        marks[0] = 0  # unknown turns
        wins, spare = _matched(marks)
        hidden = bytearray(2 * deal.count + 1)
        for card in deal.hidden(state):
            hidden[card] = 1
        return Scan(wins, spare, deal.before[-1] - deal.before[turn], deal.queue(state), list(accumulate(hidden)))

    def _worths(self, state: HighCard.State) -> dict[int, int]:
        """For each card in hand, `unknown` times the expected points still to come after laying it now.

        All come from one scan of the later turns. It has one card too many; taking away card c
        takes away the smallest spare card from c on: either that is c itself, or c was to
        win a turn and this one replaces it. Where there is none, a win is lost.
        """
        scan = self._scan(state, skipped=1)
        rival, unit = self.game.known[state.turn], scan.unknown or 1
        base = scan.wins * unit + sum(scan.board())
        one_more = len(scan.spare) - scan.kept - 1
        worths, place = {}, 0
        for card in self.game.in_hand(state):
            while place < len(scan.spare) and scan.spare[place] < card:
                place += 1
            worth = base
            if place == len(scan.spare):
                worth -= unit
            elif place >= one_more:
                worth += scan.below[scan.spare[one_more]] - scan.below[scan.spare[place]]
            worths[card] = worth + (scan.below[card] if rival == 0 else unit * int(card > rival))
        return worths

    def _plan(self, state: HighCard.State) -> list[tuple[int, str]]:
        """Card and reason for every turn to come, in order."""
        hand = self.game.in_hand(state)
        rivals = self.game.known[state.turn :]
        free = _Free(len(hand))
        plan = {}
        for turn, rival in enumerate(rivals):
            if rival:
                place, reason = free.take(bisect_right(hand, rival)), "sure win"
                if place == len(hand):
                    place, reason = free.take(0), "sacrifice"
                plan[turn] = (hand[place], reason)
        kept = (card for place, card in enumerate(hand) if free.is_free(place))
        return [plan[turn] if rival else (next(kept), "unknown") for turn, rival in enumerate(rivals)]


class _Free:
    """Places 0 to `count` - 1, all free at first; takes the first free one from a given place on.

    A forest with path halving (Gabow and Tarjan 1985 for this case): nearly constant time each.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.onward = list(range(count + 1))

    def is_free(self, place: int) -> bool:
        """Whether that place is still free."""
        return self.onward[place] == place

    def take(self, place: int) -> int:
        """Take the first free place from `place` on; `count` where there is none."""
        onward = self.onward
        while onward[place] != place:
            onward[place] = onward[onward[place]]
            place = onward[place]
        if place < self.count:
            onward[place] = place + 1
        return place


def _matched(marks: bytearray) -> tuple[int, list[int]]:
    """The number of known cards that are beaten, and the cards in hand that beat none."""
    wins = unbeaten = 0
    spare = []
    for card, mark in enumerate(marks):
        if mark == HAND:
            if unbeaten:
                unbeaten -= 1
                wins += 1
            else:
                spare.append(card)
        elif mark == KNOWN:
            unbeaten += 1
    return wins, spare


def _rook_numbers(board: list[int]) -> list[int]:
    """Ways to place 0, 1, 2, ... rooks on columns of these heights, in increasing order."""
    rooks = [1]
    for height in board:
        # At most `height` rooks stand on the lower columns, so no factor that counts is negative.
        placed = [count * (height - j) for j, count in enumerate(rooks)]
        rooks = [*map(add, [*rooks, 0], [0, *placed])]
    return rooks


def _shifted(coefficients: list[int]) -> list[int]:
    """Coefficients of p(x - 1) for those of p(x): Horner's scheme, on the polynomial with signs alternating."""
    signed = [-number if j % 2 else number for j, number in enumerate(coefficients)]
    for low in range(len(signed) - 1):
        signed[low:] = [*accumulate(reversed(signed[low:]))][::-1]
    return [-number if j % 2 else number for j, number in enumerate(signed)]
