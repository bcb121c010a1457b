"""Proof-number search, depth first with a table: the value of a game, searched where the least is left to prove.

Allis, van der Meulen and van den Herik, "Proof-number search", Artificial Intelligence 66
(1994); in the depth-first form with thresholds and a table (df-pn): Nagai, "Df-pn algorithm
for searching AND/OR trees and its applications", dissertation, University of Tokyo (2002).

A proof number is the least number of positions that must still be proven won before the answer to a
question is yes; a disproof number is the same for no. The first question is
whether the player to move at the root gets more than a draw. An answer says more than the question
asked: after a yes the value is at least the least payoff seen above the threshold,
after a no at most the largest seen below. Further questions start there, until both meet.
"""

from __future__ import annotations

from collections.abc import Hashable

from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Number, simplest
from endsight.graph.game_tree import Call, Findings, GameTree, Place, SearchResult, Visits, run_deep

_NEVER = 1 << 60
"""The number of something that cannot be proven any more."""

Numbers = tuple[int, int]
"""Proof and disproof number."""
_PROVEN, _DISPROVEN = (0, _NEVER), (_NEVER, 0)


def proof_number(tree: GameTree, budget: Budget | None = None, findings: Findings | None = None) -> SearchResult:
    """The exact value of the root.

    `findings` holds what is proven about single nodes. Raises `QuestionError` for games with
    chance, with rewards on the way, for players whose payoffs are not proven to be opposed,
    and where play can come back to a position; `LimitReached` when the budget is spent.
    """
    if not tree.is_opposed:
        raise QuestionError(
            "proof numbers need payoffs that the rules prove to be opposed",
            found="a common aim" if tree.players == 2 and not tree.may_be_opposed else None,
            allowed="single numbers of two players who alternate, as constants; or the utility lead or win",
            advice="--utility win, or --method alphabeta",
        )
    run = _ProofNumbers(tree, budget or Budget())
    if findings is not None:
        findings.look = run.proven
    value = run.value()
    row = (value,) if tree.players == 1 else (value, simplest(sum(tree.draw) - value))
    return SearchResult(row, run.visits.nodes, len(run.visits.met), "proof-number search", is_complete=False)


class _ProofNumbers:
    """The questions asked so far, and the bounds that their answers leave.

    Scores are the tree's numbers as the player to move at the root likes them: more is better.
    """

    def __init__(self, tree: GameTree, budget: Budget) -> None:
        self.tree = tree
        self.visits = Visits(tree, budget)
        self.sign = 1 if _wants_high(tree, tree.look(tree.root)) else -1
        self.questions: list[_Search] = []
        low, high = tree.bounds if self.sign > 0 else tree.bounds[::-1]
        self.low = None if low is None else self.sign * low
        self.high = None if high is None else self.sign * high

    def value(self) -> Number:
        """The tree's number at the root."""
        draw = self.sign * self.tree.draw[0]
        is_yes = self._ask(draw, reaches=self.high is not None and self.high <= draw)
        while self.low is None or self.low != self.high:
            threshold = self.low if is_yes else self.high
            assert threshold is not None, "each answer leaves a bound"
            is_yes = self._ask(threshold, reaches=not is_yes)
        return self.sign * self.low

    def _ask(self, threshold: Number, *, reaches: bool) -> bool:
        """Whether the score is more than the threshold, or with `reaches` at least that."""
        question = _Search(self.tree, self.visits, self.sign, threshold, reaches=reaches)
        self.questions.append(question)
        is_yes = question.is_yes()
        if is_yes:
            self.low = question.least_yes if self.low is None else max(self.low, question.least_yes)
        else:
            self.high = question.largest_no if self.high is None else min(self.high, question.largest_no)
        return is_yes

    def proven(self, key: Hashable) -> tuple[Ends, ...] | None:
        """What all questions have proven about a node, per player as the tree sees them."""
        for own_side in (True, False):
            rows = [(question, question.table.get((key, own_side))) for question in self.questions]
            if any(row for _, row in rows):
                low = max((each.least_yes for each, row in rows if row == _PROVEN), default=None)
                high = min((each.largest_no for each, row in rows if row == _DISPROVEN), default=None)
                return self._per_player((low, high), own_side=own_side)
        return None

    def _per_player(self, scores: Ends, *, own_side: bool) -> tuple[Ends, ...]:
        low, high = (None if score is None else self.sign * score for score in scores)
        first = (low, high) if self.sign > 0 else (high, low)
        total = simplest(sum(self.tree.draw))
        second = (None if first[1] is None else total - first[1], None if first[0] is None else total - first[0])
        # Where players alternate, the tree's number is the mover's: here the other player's.
        turned = self.tree.alternating and not own_side
        return ((second, first) if turned else (first, second))[: self.tree.players]


def _wants_high(tree: GameTree, place: Place) -> bool:
    """Whether the mover there wants the tree's number high: always where players alternate."""
    if place.mover == CHANCE:
        raise QuestionError("proof numbers need a game without chance", advice="--method graph")
    player, sign = tree.interests[place.mover]
    return (sign if player == 0 else -sign) > 0


class _Search:
    """One question: does the root's mover get more than `threshold`, or with `reaches` at least that?

    The table's keys say whether the root's mover is to move, as that decides what the
    numbers of the children mean.
    """

    def __init__(self, tree: GameTree, visits: Visits, sign: int, threshold: Number, *, reaches: bool) -> None:
        self.tree = tree
        self.visits = visits
        self.sign = sign
        self.threshold = threshold
        self.reaches = reaches
        self.scores: set[Number] = set()
        self.table: dict[tuple[Hashable, bool], Numbers] = {}

    @property
    def least_yes(self) -> Number:
        """The least score seen that says yes: what every proof so far guarantees."""
        return min(filter(self._says_yes, self.scores))

    @property
    def largest_no(self) -> Number:
        """The largest score seen that says no."""
        return max(score for score in self.scores if not self._says_yes(score))

    def _says_yes(self, score: Number) -> bool:
        return score >= self.threshold if self.reaches else score > self.threshold

    def is_yes(self) -> bool:
        """Search until the answer is proven."""
        root = (self.tree.root, True)
        self._numbers(root)
        while self.table[root] not in (_PROVEN, _DISPROVEN):
            run_deep(self._search(root, _NEVER, _NEVER))
        return self.table[root] == _PROVEN

    def _search(self, node: tuple[Hashable, bool], most_proof: int, most_disproof: int) -> Call[None]:
        """Search below a node until one of its numbers reaches its threshold."""
        place = self.visits.enter(node[0])
        own_side = node[1]
        self.visits.refuse_rounds()
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
            yield self._search(children[chosen], *limits)
        self.visits.leave(node[0])

    def _child(self, key: Hashable, own_side: bool) -> tuple[Hashable, bool]:
        if self.tree.alternating:
            return key, not own_side
        place = self.tree.look(key)
        is_end = place.payoff is not None
        return key, is_end or _wants_high(self.tree, place) == (self.sign > 0)

    def _numbers(self, node: tuple[Hashable, bool]) -> Numbers:
        """Numbers of a node: for a new one from its payoff, or its count of moves."""
        known = self.table.get(node)
        if known is None:
            known = self.table[node] = self._first_numbers(*node)
        return known

    def _first_numbers(self, key: Hashable, own_side: bool) -> Numbers:
        place = self.tree.look(key)
        self.visits.met.add(key)
        if place.payoff is not None:
            number = place.payoff[0] if own_side or not self.tree.alternating else place.payoff[1]
            score = self.sign * number
            self.scores.add(score)
            return _PROVEN if self._says_yes(score) else _DISPROVEN
        _wants_high(self.tree, place)  # refuses chance
        if any(gain is not None for _, gain in place.children):
            raise QuestionError(
                "proof numbers are for games without rewards on the way", advice="--utility win, or --method alphabeta"
            )
        count = len(place.children)
        return (1, count) if own_side else (count, 1)


def _together(numbers: list[Numbers], own_side: bool) -> Numbers:
    """At one's own move one child has to be proven, or all disproven; at the other's move, the other way round."""
    if own_side:
        return min(proof for proof, _ in numbers), min(_NEVER, sum(disproof for _, disproof in numbers))
    return min(_NEVER, sum(proof for proof, _ in numbers)), min(disproof for _, disproof in numbers)
