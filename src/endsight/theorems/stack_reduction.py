"""Pots in view, each player after gold: the line shrinks to a valley, and a valley is easy.

Let D be the lead of the player to move in what is left of the line.

**Theorem** (HNOI 2010; more generally Brown and Brown, arXiv:1509.07533).

1. *Reduction.* Where a pot b stands between a and c with a <= b >= c, the three may be
   replaced by one pot of a - b + c gold without changing D.
2. *Valley.* Where no such b is left, the gold falls and then rises along the line. Taking
   the bigger end is best there, so the pots go in falling order: D = x1 - x2 + x3 - ...
   with x1 >= x2 >= x3 >= ... A sort finds the two runs and merges them in linear time.

A stack makes all reductions in one pass: O(n) for the value of a line.

**Which end to take.** What is left after all reductions does not depend on their order.
(Two triples that share an end pot can be reduced one after the other, in any order, with
the same sum. Two that overlap in two pots are a <= b = c >= d, and either order leaves
a, d. So Newman's lemma applies.) Call its end pots x on the left and y on the right.

*If x >= y, then taking the left end of the line itself is best*, and by symmetry the right
end where y >= x. Proof by induction on the length. In a valley it is clear. Else some
triple can be reduced. If it does not hold the left end p, then p is also the left end of
the reduced line, where p - D(the rest) is best by induction, and D(the rest) is the same in
both. If it is p = a, b, c with the line R behind, then by induction the reduced line gives
D = (a - b + c) - D(R). The lines b, c, R and c, R have left ends no smaller than x, so by
induction D(b, c, R) = b - (c - D(R)), and taking a gives a - D(b, c, R) = D.

The converse fails: both ends may be best with x > y. So for the *first* best move, where
x < y, the two sides are compared. (With x a pot as given, not a merged one, that is not
needed: if x has rank j among x1 >= x2 >= ..., taking it gives less than taking y by
2 (x1 - x2 + x3 - ...), with j or j - 1 terms, an even number; and x2 < x1 = y in a valley
from which every pot no smaller than its neighbours is gone.)

**Other goals.** The gold in the line is fixed and maximum and minimum commute with
increasing functions, so the same play is best for the lead and for winning; only more
moves may be best for winning.

Between moves of one line of play, the reduced line is kept as a sequence of merged pots, each
of which knows the three it was made of: taking a pot opens those along the edge, and what
they leave is reduced again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games.pots import LEFT, RIGHT, Pots
from endsight.theorems.known_pots import KnownPots


class StackReduction(KnownPots):
    """Values of known pots between players who each want gold, a lead or the win: O(n) each."""

    method: str = "stack reduction"
    theorem: str | None = (
        "a pot no smaller than both its neighbours merges with them; the rest is a valley, taken bigger end first "
        "(HNOI 2010; Brown and Brown, arXiv:1509.07533)"
    )

    def __init__(self, game: Pots, question: Question) -> None:
        super().__init__(game, question)
        self._leads: dict[Pots.State, int] = {}
        self._line: ReducedLine | None = None

    def value(self, position: Position) -> tuple[Number, ...]:
        """Value of the whole game per player; O(n)."""
        state: Pots.State = position.state
        if state not in self._leads:
            self._leads[state] = mover_lead(self.pots[state.left : state.right])
            self.states = len(self._leads)
        return self._worth(position, self._leads[state])

    def _worth(self, position: Position, lead: int) -> tuple[Number, ...]:
        """The whole game's value when the player to move leads by `lead` in what is left."""
        left = self.sums[position.state.right] - self.sums[position.state.left]
        gold = [(left - lead) // 2, (left - lead) // 2]
        gold[position.mover] += lead
        return self.with_gold(position, *gold)

    def chosen(self, position: Position) -> int:
        """The left end where that is a best move, else the right end."""
        state: Pots.State = position.state
        line = self._reduced(state)
        first, last = line.clusters[0], line.clusters[-1]
        if first[0] >= last[0]:
            return LEFT
        if not first[1] and self.question.utility != "win":
            return RIGHT
        best = mover_lead(line.reduced())
        left = self.pots[state.left] - mover_lead(line.after_left())
        return LEFT if self._worth(position, left) == self._worth(position, best) else RIGHT

    def _reduced(self, state: Pots.State) -> ReducedLine:
        """The line of `state`, in one step from the last line asked for if that is one move before."""
        if self._line is None or not self._line.follow(state):
            self._line = ReducedLine(self.pots, state)
        return self._line


def mover_lead(line: Sequence[int]) -> int:
    """The lead of the player to move on `line` when both want gold; O(n)."""
    if not line:
        return 0
    # Two pots that never merge save the loop from testing whether there are neighbours.
    wall = max(line) + 1
    stack = [wall + 1]
    push, pop = stack.append, stack.pop
    top = wall
    for gold in line:
        while stack[-1] <= top >= gold:
            gold += pop() - top
            top = pop()
        push(top)
        top = gold
    push(top)
    del stack[:2]
    stack.sort(reverse=True)
    return sum(stack[::2]) - sum(stack[1::2])


Cluster: TypeAlias = "tuple[int, tuple[Cluster, ...]]"
"""Gold of a pot of the reduced line, and the three it was merged from (none: a pot as given)."""


class ReducedLine:
    """The reduced line of a state, updated as pots are taken from its ends.

    A move costs as much as it opens along the edge of one merged pot: little, except for lines
    constructed to make it costly.
    """

    def __init__(self, pots: Sequence[int], state: Pots.State) -> None:
        self.state = state
        self.clusters: deque[Cluster] = deque()
        for gold in pots[state.left : state.right]:
            self._push_right((gold, ()))

    def follow(self, state: Pots.State) -> bool:
        """Advance the line to `state` if it is there already or one move before; else return False."""
        here = self.state
        if state == here:
            return True
        if state == (here.left + 1, here.right):
            self._take_left()
        elif state == (here.left, here.right - 1):
            self._take_right()
        else:
            return False
        self.state = state
        return True

    def _push_right(self, cluster: Cluster) -> None:
        clusters = self.clusters
        while len(clusters) > 1 and clusters[-2][0] <= clusters[-1][0] >= cluster[0]:
            peak, far = clusters.pop(), clusters.pop()
            cluster = (far[0] - peak[0] + cluster[0], (far, peak, cluster))
        clusters.append(cluster)

    def _push_left(self, cluster: Cluster) -> None:
        clusters = self.clusters
        while len(clusters) > 1 and clusters[1][0] <= clusters[0][0] >= cluster[0]:
            peak, far = clusters.popleft(), clusters.popleft()
            cluster = (cluster[0] - peak[0] + far[0], (cluster, peak, far))
        clusters.appendleft(cluster)

    def _take_left(self) -> None:
        for peak, far in list(_edge(self.clusters.popleft(), 0)):
            self._push_left(far)
            self._push_left(peak)

    def _take_right(self) -> None:
        for peak, far in list(_edge(self.clusters.pop(), 2)):
            self._push_right(far)
            self._push_right(peak)

    def reduced(self) -> list[int]:
        """The gold in the reduced line's pots."""
        return [gold for gold, _ in self.clusters]

    def after_left(self) -> list[int]:
        """A line with the same value as the line without its left end."""
        opened = [gold for pair in _edge(self.clusters[0], 0) for gold, _ in reversed(pair)]
        return opened[::-1] + self.reduced()[1:]


def _edge(cluster: Cluster, side: int) -> Iterator[tuple[Cluster, Cluster]]:
    """The pots that appear when the outermost pot of `cluster` on that side (0 or 2) is taken.

    These are pairs of peak and inner neighbour, the innermost pair first.
    """
    while cluster[1]:
        parts = cluster[1]
        yield parts[1], parts[2 - side]
        cluster = parts[side]
