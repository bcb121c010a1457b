"""Proof-number search, depth first with a table: who wins, by looking where the least is left to prove.

Allis, van der Meulen and van den Herik, "Proof-number search", Artificial Intelligence 66
(1994); in the depth-first form with thresholds and a table (df-pn): Nagai, "Df-pn algorithm
for searching AND/OR trees and its applications", dissertation, University of Tokyo (2002).

A proof number says how many positions at least have still to be proven won before a
question is answered with yes, a disproof number the same for no. A draw takes two
questions: does the player to move at the root win? if not, does that player hold the draw?
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game_tree import Findings, GameTree, Place, SearchResult, Visits, deep_recursion
from endsight.limits import Budget, Ends
from endsight.numbers import Number, simplest

__all__ = ["proof_number"]

_NEVER = 1 << 60
"""The number of something that cannot be proven any more."""

Numbers = tuple[int, int]
"""Proof and disproof number."""
_PROVEN, _DISPROVEN = (0, _NEVER), (_NEVER, 0)


def proof_number(tree: GameTree, budget: Budget | None = None, findings: Findings | None = None) -> SearchResult:
    """The exact value of the root of a game that is only won, drawn or lost.

    `findings` tell what is proven about single nodes. Raises `QuestionError` for games with
    chance, with scores, for players whose wishes are not opposed by the very form of the
    rules, and where play can come back to a position; `LimitReached` when the budget is spent.
    """
    if not tree.is_opposed:
        raise QuestionError(
            "proof numbers need payoffs that are opposed whatever happens",
            allowed="two players with single-number payoffs, or the utility lead or win",
            advice="--utility win, or --method graph",
        )
    visits = Visits(tree, budget or Budget())
    outcomes = _Outcomes.of(tree)
    questions = [_Search(tree, visits, outcomes, least) for least in (2, 1)]
    if findings is not None:
        findings.look = lambda key: _ends(tree, outcomes, questions, key)
    with deep_recursion():
        level = next((each.least for each in questions if each.is_yes()), 0)
    value = outcomes.value(level)
    row = (value,) if tree.players == 1 else (value, simplest(sum(tree.endless) - value))
    return SearchResult(row, visits.nodes, len(visits.met), "proof-number search")


@dataclass(frozen=True)
class _Outcomes:
    """The three ends of a game, as the one number of the tree, from bad to good for the root's mover.

    `is_first` says whether that player wants the number high where players have numbers.
    """

    numbers: tuple[Number, Number, Number]
    is_first: bool

    @staticmethod
    def of(tree: GameTree) -> _Outcomes:
        """A draw is what endless play is worth, a win 1, a loss as far below the draw."""
        draw = tree.endless[0]
        is_first = _wants_high(tree, tree.look(tree.root))
        ends: tuple[Number, Number, Number] = (simplest(2 * draw - 1), draw, 1)
        return _Outcomes(ends if is_first else (ends[2], ends[1], ends[0]), is_first)

    def value(self, level: int) -> Number:
        """The number of loss (0), draw (1) or win (2) of the root's mover."""
        return self.numbers[level]

    def level(self, number: Number) -> int:
        """The other way round; raises `QuestionError` for a score."""
        if number not in self.numbers:
            raise QuestionError(
                "proof numbers are for games that are only won, drawn or lost",
                found=f"a payoff of {number}",
                advice="--utility win, or --method alphabeta",
            )
        return self.numbers.index(number)


def _wants_high(tree: GameTree, place: Place) -> bool:
    """Whether the mover there wants the tree's number high: always where players alternate."""
    if place.mover == CHANCE:
        raise QuestionError("proof numbers need a game without chance", advice="--method graph")
    player, sign = tree.wishes[place.mover]
    return (sign if player == 0 else -sign) > 0


class _Search:
    """One question: does the root's mover reach at least `least` (2 a win, 1 a draw)?

    The table's keys say whether the root's mover is to move, as that decides what the
    numbers of the children mean.
    """

    def __init__(self, tree: GameTree, visits: Visits, outcomes: _Outcomes, least: int) -> None:
        self.tree = tree
        self.visits = visits
        self.outcomes = outcomes
        self.least = least
        self.table: dict[tuple[Hashable, bool], Numbers] = {}

    def is_yes(self) -> bool:
        """Search until the answer is proven."""
        root = (self.tree.root, True)
        self._numbers(root)
        while self.table[root] not in (_PROVEN, _DISPROVEN):
            self._search(root, _NEVER, _NEVER)
        return self.table[root] == _PROVEN

    def _search(self, node: tuple[Hashable, bool], most_proof: int, most_disproof: int) -> None:
        """Go on below a node until one of its numbers reaches its threshold."""
        place = self.visits.enter(node[0])
        own_side = node[1]
        for child, _ in place.children:
            self.visits.refuse_loop(child)
        children = [self._child(child, own_side) for child, _ in place.children]
        while True:
            numbers = [self._numbers(child) for child in children]
            proof, disproof = _together(numbers, own_side)
            self.table[node] = (proof, disproof)
            if proof >= most_proof or disproof >= most_disproof or not proof or not disproof:
                break
            side = 0 if own_side else 1
            chosen = min(range(len(numbers)), key=lambda item: numbers[item][side])
            second = min((pair[side] for item, pair in enumerate(numbers) if item != chosen), default=_NEVER)
            if own_side:
                limits = min(most_proof, second + 1), most_disproof - disproof + numbers[chosen][1]
            else:
                limits = most_proof - proof + numbers[chosen][0], min(most_disproof, second + 1)
            self._search(children[chosen], *limits)
        self.visits.leave(node[0])

    def _child(self, key: Hashable, own_side: bool) -> tuple[Hashable, bool]:
        if self.tree.alternating:
            return key, not own_side
        place = self.tree.look(key)
        is_end = place.payoff is not None
        return key, is_end or _wants_high(self.tree, place) == self.outcomes.is_first

    def _numbers(self, node: tuple[Hashable, bool]) -> Numbers:
        """Numbers of a node: of a new one by its payoff, or its count of moves."""
        known = self.table.get(node)
        if known is None:
            known = self.table[node] = self._first_numbers(*node)
        return known

    def _first_numbers(self, key: Hashable, own_side: bool) -> Numbers:
        place = self.tree.look(key)
        self.visits.met.add(key)
        if place.payoff is not None:
            number = place.payoff[0] if own_side or not self.tree.alternating else place.payoff[1]
            return _PROVEN if self.outcomes.level(number) >= self.least else _DISPROVEN
        _wants_high(self.tree, place)  # refuses chance
        if any(gain is not None for _, gain in place.children):
            raise QuestionError(
                "proof numbers are for games without scores on the way", advice="--utility win, or --method alphabeta"
            )
        count = len(place.children)
        return (1, count) if own_side else (count, 1)


def _together(numbers: list[Numbers], own_side: bool) -> Numbers:
    """One's own move: one child has to be proven, or all disproven; the other's move: the other way round."""
    if own_side:
        return min(proof for proof, _ in numbers), min(_NEVER, sum(disproof for _, disproof in numbers))
    return min(_NEVER, sum(proof for proof, _ in numbers)), min(disproof for _, disproof in numbers)


def _ends(tree: GameTree, outcomes: _Outcomes, questions: list[_Search], key: Hashable) -> tuple[Ends, ...] | None:
    """What both searches have proven about a node, per player as the tree sees them."""
    for own_side in (True, False):
        answers = {each.least: each.table.get((key, own_side)) for each in questions}
        if any(answers.values()):
            low = max((least for least, row in answers.items() if row == _PROVEN), default=0)
            high = min((least - 1 for least, row in answers.items() if row == _DISPROVEN), default=2)
            ends = sorted((outcomes.value(low), outcomes.value(high)))
            opposite = [simplest(sum(tree.endless) - end) for end in reversed(ends)]
            # Where players alternate, the tree's number is the mover's: here the other player's.
            if tree.alternating and not own_side:
                ends, opposite = opposite, ends
            return ((ends[0], ends[1]), (opposite[0], opposite[1]))[: tree.players]
    return None
