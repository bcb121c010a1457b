"""Proof-number search, depth first with a table: the value of a game, searched where the least is left to prove.

Allis, van der Meulen and van den Herik, "Proof-number search", Artificial Intelligence 66
(1994); in the depth-first form with thresholds and a table (df-pn): Nagai, "Df-pn algorithm
for searching AND/OR trees and its applications", dissertation, University of Tokyo (2002).

The search itself is that of `engine.kernels.proof_numbers`. Python runs it on nodes in place of packed positions,
with a table that keeps them all. The first question is whether the player to move at the root gets more than a draw. An
answer says more than the question asked: after a yes the value is at least the least payoff seen above the threshold,
after a no at most the largest seen below. Further questions start there, until both meet.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from endsight.compiler.kernels import plain
from endsight.compiler.kernels.core import DONE, OWN, STACK_FULL, Work
from endsight.engine.kernels.lines import CHILD, ROOM, LineStack
from endsight.engine.kernels.proof_numbers import END, FIRST, NEVER, NUMBERS, PROVING, SIDE, prove
from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Number
from endsight.graph.game_tree import GameNode, GameTree, ProvenNodes, SearchResult, Visits

Numbers = tuple[int, int]
"""Proof and disproof number."""
_Node = tuple[Hashable, bool]
_PROVEN, _DISPROVEN = (0, NEVER), (NEVER, 0)
_FRAMES = 64
_PLAIN: dict[str, Any] = {
    "LEAST": 0,
    "MOST": NEVER,
    "es_key_at": list.__getitem__,
    "es_store_at": list.__setitem__,
    "es_slot": lambda *_: 0,
    "es_whole": int,
    "es_bit_length": int.bit_length,
    "es_use_data": lambda _: None,
    "es_clear_fault": lambda: None,
}
"""What the kernel uses where keys are nodes in a list: their hashes need not be told apart."""


def proof_number(tree: GameTree, budget: Budget, findings: ProvenNodes) -> SearchResult:
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
    run = _ProofNumbers(tree, budget)
    findings.look = run.proven
    value = run.value()
    return SearchResult(
        tree.values(value), run.visits.nodes, len(run.visits.met), "proof-number search", is_complete=False
    )


class _ProofNumbers:
    """The questions asked so far, and the bounds that their answers leave.

    Scores are the tree's numbers as the player to move at the root likes them: more is better.
    """

    def __init__(self, tree: GameTree, budget: Budget) -> None:
        self.tree = tree
        self.visits = Visits(tree, budget)
        self.sign = 1 if _wants_high(tree, tree.look(tree.root)) else -1
        self.questions: list[_Question] = []
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
        question = _Question(self.tree, self.visits, self.sign, threshold, reaches=reaches)
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
        rows = self.tree.ends(low, high) if self.sign > 0 else self.tree.ends(high, low)
        # Where players alternate, the tree's number is the mover's: here the other player's.
        return rows[::-1] if self.tree.alternating and not own_side else rows


def _wants_high(tree: GameTree, place: GameNode) -> bool:
    """Whether the mover there wants the tree's number high: always where players alternate."""
    if place.mover == CHANCE:
        raise QuestionError("proof numbers need a game without chance", advice="--method graph")
    player, sign = tree.interests[place.mover]
    return (sign if player == 0 else -sign) > 0


class _Question:
    """Does the root's mover get more than `threshold`, or with `reaches` at least that?

    Nodes are keys, each with whether the root's mover is to move there, which decides what the numbers of the children
    mean. Where players do not alternate, the key shows that, and True stands beside all of them.
    """

    def __init__(self, tree: GameTree, visits: Visits, sign: int, threshold: Number, *, reaches: bool) -> None:
        self.tree = tree
        self.visits = visits
        self.sign = sign
        self.threshold = threshold
        self.reaches = reaches
        self.scores: set[Number] = set()
        self.table: dict[_Node, Numbers] = {}

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
        search = plain(prove, **_PLAIN, es_generate=self._generate, es_keep=self._leave)
        frames, children = [0] * (_FRAMES * ROOM), list[Any]()
        self._put_child(children, 0, (self.tree.root, True))
        frames[FIRST : FIRST + 7] = (0, 1, NEVER, NEVER, 1, 1, 0)
        work = Work([], [0] * OWN, NEVER)
        while search(None, 0, LineStack(frames, len(frames) // ROOM, children, NEVER, [0]), [], work) == STACK_FULL:
            frames += [0] * len(frames)
        return frames[NUMBERS] == 0

    def _generate(self, memo: None, least: int, line: Any, share: Any, counters: Any, frame: int) -> int:
        """Enter the node of a frame, and write its children after all others."""
        key, own_side = line.p_frames[frame]
        place = self.visits.enter(key)
        self.visits.refuse_rounds()
        for child, _ in place.children:
            self.visits.refuse_loop(child)
        first = line.p_frames[frame + FIRST]
        for number, (child, _) in enumerate(place.children):
            self._put_child(line.p_children, first + number, (child, not (own_side and self.tree.alternating)))
        line.p_frames[frame + SIDE] = 0 if self._is_own(place, own_side) else 1
        line.p_frames[frame + END] = first + len(place.children)
        return DONE

    def _is_own(self, place: GameNode, own_side: bool) -> bool:
        """Whether the root's mover is to move; refuses chance."""
        wants_high = _wants_high(self.tree, place)
        return own_side if self.tree.alternating else wants_high == (self.sign > 0)

    def _put_child(self, children: list[Any], number: int, node: _Node) -> None:
        """Write a child: its node, and the numbers as the table knows them."""
        if node not in self.table:
            self.table[node] = self._first_numbers(*node)
        child: list[Any] = [node] * CHILD
        child[PROVING : PROVING + 2] = self.table[node]
        children[number * CHILD : (number + 1) * CHILD] = child

    def _leave(self, memo: None, node: _Node, second: Any, low: int, high: int, work: int) -> None:
        """Keep the numbers of a node that is left: see `proof_numbers.es_leave`."""
        self.table[node] = NEVER - high, low
        self.visits.leave(node[0])

    def _first_numbers(self, key: Hashable, own_side: bool) -> Numbers:
        """Numbers of a new node: from its payoff, or its count of moves."""
        place = self.tree.look(key)
        self.visits.met.add(key)
        if place.payoff is not None:
            score = self.sign * place.payoff[0 if own_side else 1]
            self.scores.add(score)
            return _PROVEN if self._says_yes(score) else _DISPROVEN
        is_own = self._is_own(place, own_side)
        if any(gain is not None for _, gain in place.children):
            raise QuestionError(
                "proof numbers are for games without rewards on the way", advice="--utility win, or --method alphabeta"
            )
        return (1, len(place.children)) if is_own else (len(place.children), 1)
