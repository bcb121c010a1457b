"""Alpha-beta search: minimax without the lines that cannot change the result.

Knuth and Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975), in
the form that returns bounds outside its window (Fishburn 1983). With the optional table,
nodes that repeat are looked up: bounds are kept as Slate and Atkin did for chess
(1977). Needs two players with opposed interests, or one player, and no chance. A cut-off
relies on payoffs that are not examined, so there are cut-offs only where it is proven
that all of them are opposed; else every position is searched, and each payoff checked.

A node's value here is one number: the mover's where players alternate, else the first
player's, which the second wants low.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf

from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Number, count_text
from endsight.graph.game_tree import Call, GameNode, GameTree, ProvenNodes, SearchResult, Visits, run_deep

Bound = Number | float
"""A value, or an infinity that stands for no bound yet."""


def alphabeta(tree: GameTree, budget: Budget, findings: ProvenNodes, *, table: bool) -> SearchResult | None:
    """The exact value of the root; `table` remembers proven bounds of every node left.

    `findings` returns the bounds in the table. None, and a refusal in `findings`, for games with chance, for
    players whose interests are not opposed, and where play can come back to a position. Raises
    `LimitReached` when the budget is spent.
    """
    if not tree.is_opposed and not tree.may_be_opposed:
        findings.refusal = _not_opposed("a common aim" if tree.players == 2 else count_text(tree.players, "player"))
        return None
    run = _AlphaBeta(tree, budget, findings, table)
    findings.look = run.proven
    value = run_deep(run.value(tree.root, -inf, inf), findings)
    if findings.refusal is not None:
        return None
    assert not isinstance(value, float)
    name = "alpha-beta with a table" if table else "alpha-beta"
    return SearchResult(
        tree.values(value),
        run.visits.nodes,
        len(run.visits.met),
        name if tree.is_opposed else f"{name}, without cut-offs",
        is_complete=not tree.is_opposed,
    )


def _not_opposed(found: str) -> QuestionError:
    return QuestionError(
        "alpha-beta needs two players with opposed payoffs, or one player",
        found=found,
        allowed="payoffs that add up to 0, or the utility lead or win",
        advice="--utility lead, or --method graph",
    )


class _AlphaBeta:
    def __init__(self, tree: GameTree, budget: Budget, findings: ProvenNodes, table: bool) -> None:
        self.tree = tree
        self.findings = findings
        self.visits = Visits(tree, budget)
        self.table: dict[Hashable, tuple[Bound, Bound]] | None = {} if table else None
        # What is good for the player to move at the child is bad for the one at the parent.
        self.turn = -1 if tree.alternating else 1

    def value(self, key: Hashable, low: Bound, high: Bound) -> Call[Bound]:
        """The node's value if it lies between `low` and `high`, else a bound on that side of them."""
        known_low, known_high = self._known(key)
        if known_low >= high or known_low == known_high:
            return known_low
        if known_high <= low:
            return known_high
        if (refusal := self.visits.loop_at(key)) is not None:
            self.findings.refusal = refusal
            return low
        place = self.visits.enter(key)
        if place.payoff is not None:
            value: Bound = self._checked(place.payoff)
            bounds = (value, value)
        else:
            value = yield self._decided(place, max(low, known_low), min(high, known_high))
            bounds = (value if value > low else known_low, value if value < high else known_high)
        # A refused payoff says nothing about the other player's.
        if self.table is not None and self.findings.refusal is None:
            self.table[key] = bounds
        self.visits.leave(key)
        return value

    def proven(self, key: Hashable) -> tuple[Ends, ...] | None:
        """What the table says about a visited node, as ends per player."""
        if key not in self.visits.met:
            return None
        return self.tree.ends(*(None if isinstance(bound, float) else bound for bound in self._known(key)))

    def _known(self, key: Hashable) -> tuple[Bound, Bound]:
        return (-inf, inf) if self.table is None else self.table.get(key, (-inf, inf))

    def _decided(self, place: GameNode, low: Bound, high: Bound) -> Call[Bound]:
        """The best result for the mover there, until it leaves the window."""
        sign = self._sign(place)
        best: Bound = -inf
        floor, ceiling = sorted((sign * low, sign * high)) if self.tree.is_opposed else (-inf, inf)
        for child, gain in place.children:
            amount = 0 if gain is None else self._checked(gain)
            # Where any payoff may be needed, use a window that none leaves, so that nothing is cut off.
            near = max(floor, best) if self.tree.is_opposed else -inf
            ends = sorted((self.turn * (sign * near - amount), self.turn * (sign * ceiling - amount)))
            below = yield self.value(child, *ends)
            best = max(best, sign * (self.turn * below + amount))
            if best >= ceiling:
                break
        return sign * best

    def _checked(self, share: tuple[Number, ...]) -> Number:
        """The tree's number of a payoff or of a gain; a refusal where it is not opposed."""
        if not self.tree.is_opposed and sum(share) != 0:
            self.findings.refusal = _not_opposed(f"payoffs of {' and '.join(map(str, share))}")
        return share[0]

    def _sign(self, place: GameNode) -> int:
        """+1 where the mover wants the value high, -1 where low; a refusal at chance."""
        if place.mover == CHANCE:
            self.findings.refusal = QuestionError("alpha-beta needs a game without chance", advice="--method graph")
            return 1
        player, sign = self.tree.interests[place.mover]
        return sign if player == 0 else -sign
