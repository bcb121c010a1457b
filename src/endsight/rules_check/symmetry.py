"""Does `canonical` keep what matters?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from endsight.game import CHANCE
from endsight.numbers import Number
from endsight.rules_check.inspection import BROKEN, Inspector, Node
from endsight.rules_guard import brief

__all__ = ["Symmetry"]

_Outlook: TypeAlias = "dict[tuple[Number, ...], Fraction]"

# States after which nobody decides are compared by recursion; it must not become deep or long.
_DEEPEST = 200
_MOST_OUTLOOKS = 20_000
# Where canonical is not the same for all equivalent states, what follows is compared so far.
_PLIES_AHEAD = 3
_MOST_AHEAD = 5_000

_SAME_MOVER = "equivalent states have the same player to move"
_SAME_MOVES = "equivalent states have the same moves up to renaming; let canonical change less"
_SAME_PAYOFF = "equivalent ends pay the same, to the same players"


class _TooLong(Exception):
    """A comparison that is not worth the time."""


class Symmetry:
    """Whether `canonical` keeps what matters: who moves, the moves, and what they lead to."""

    def __init__(self, inspector: Inspector, nodes: Mapping[Any, Node | None]) -> None:
        self.inspector = inspector
        self.states = list(nodes)
        self.nodes: dict[Any, Node | None] = dict(nodes)
        self.images: dict[Any, Any] = {}
        self.outlooks: dict[Any, _Outlook | None] = {}
        self.looked_ahead = 0

    def compare(self, state: Any) -> None:
        """Note a fault where `state` and its image are not equivalent."""
        image = self._image(state)
        if image is not BROKEN and image != state and self._is_fixed(state, image):
            self._compare(state, image)

    def canonical_states(self) -> int | None:
        """How many images the states have; None where canonical fails."""
        images = {self._image(state) for state in self.states}
        return None if BROKEN in images else len(images)

    def _image(self, state: Any) -> Any:
        if state not in self.images:
            image = self.inspector.ask("canonical", state)
            if image is not BROKEN and not self.inspector.is_state("canonical", image, state):
                image = BROKEN
            self.images[state] = image
        return self.images[state]

    def _is_fixed(self, state: Any, image: Any) -> bool:
        again = self._image(image)
        if again in (image, BROKEN):
            return again is not BROKEN
        cure = "canonical of a canonical state must be itself: take the least of all its images, say"
        self._fault(state, f"gives {brief(image)}, and of that {brief(again)}", cure)
        return False

    def _fault(self, state: Any, message: str, cure: str) -> None:
        self.inspector.fault("canonical", state, message, cure)

    def _compare(self, state: Any, image: Any) -> None:
        here, there = self._node(state), self._node(image)
        if here is None or there is None:
            return
        to = f"leads to {brief(image)}, where "
        if here.mover != there.mover:
            self._fault(state, f"{to}to_move is {there.mover} instead of {here.mover}", _SAME_MOVER)
        elif len(here.moves) != len(there.moves):
            self._fault(state, f"{to}there are {len(there.moves)} moves instead of {len(here.moves)}", _SAME_MOVES)
        elif here.payoff != there.payoff:
            self._fault(state, f"{to}the payoff is {brief(there.payoff)} instead of {brief(here.payoff)}", _SAME_PAYOFF)
        elif self._successors(here) != self._successors(there) and not (
            self._same_outlook(state, image) or self._same_ahead(state, image)
        ):
            self._fault(state, f"{to}the moves lead elsewhere, or bring or weigh something else", _SAME_MOVES)

    def _node(self, state: Any) -> Node | None:
        if state not in self.nodes:
            self.nodes[state] = self.inspector.inspect(state, thorough=False)
        return self.nodes[state]

    def _successors(self, node: Node) -> Counter[Any]:
        """Canonical successors with what the moves bring, and how often (or with what weight)."""
        found: Counter[Any] = Counter()
        for child, gain, weight in zip(node.children, node.gains, node.weights, strict=True):
            found[self._image(child), gain] += weight
        return found

    def _same_outlook(self, state: Any, image: Any) -> bool:
        """Whether nobody decides any more and the totals to come have the same chances.

        True also where that would take too long to find out.
        """
        try:
            here = self._outlook(state, 0)
            return here is not None and here == self._outlook(image, 0)
        except _TooLong:
            self.outlooks.clear()
            return True

    def _same_ahead(self, state: Any, image: Any) -> bool:
        """Whether the next plies are the same up to renaming; also where that takes too long to find out.

        Equivalent successors may have different images: canonical need not find out about
        every symmetry.
        """
        self.looked_ahead = 0
        try:
            return bool(self._ahead(state, _PLIES_AHEAD) == self._ahead(image, _PLIES_AHEAD))
        except _TooLong:
            return True

    def _ahead(self, state: Any, plies: int) -> Any:
        """What the next plies look like from that state, in an order that does not depend on names."""
        self.looked_ahead += 1
        if self.looked_ahead > _MOST_AHEAD:
            raise _TooLong
        node = self._node(state)
        if node is None:
            return None
        if plies == 0:
            return node.mover, len(node.moves), node.payoff
        below = (self._ahead(child, plies - 1) for child in node.children)
        following = Counter(zip(below, node.gains, node.weights, strict=True))
        return node.mover, node.payoff, frozenset(following.items())

    def _outlook(self, state: Any, depth: int) -> _Outlook | None:
        """Chances of the totals to come; None where a player decides."""
        if state not in self.outlooks:
            if depth > _DEEPEST or len(self.outlooks) > _MOST_OUTLOOKS:
                raise _TooLong
            self.outlooks[state] = self._made_outlook(self._node(state), depth)
        return self.outlooks[state]

    def _made_outlook(self, node: Node | None, depth: int) -> _Outlook | None:
        if node is None or (node.moves and node.mover != CHANCE):
            return None
        if not node.moves:
            return None if node.payoff is None else {node.payoff: Fraction(1)}
        chances: _Outlook = {}
        for child, gain, weight in zip(node.children, node.gains, node.weights, strict=True):
            below = self._outlook(child, depth + 1)
            if below is None:
                return None
            for total, chance in below.items():
                whole = tuple(a + b for a, b in zip(gain, total, strict=True)) if gain else total
                chances[whole] = chances.get(whole, Fraction(0)) + chance * Fraction(weight, sum(node.weights))
        return chances
