"""Does `exchanged` keep what matters: the same game with the two players exchanged?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from endsight.errors.rules_guard import brief
from endsight.game import CHANCE, TOGETHER
from endsight.game.numbers import count_text
from endsight.rules_check.inspection import BROKEN, Inspector, Node

__all__ = ["Exchange"]

_BACK = "exchanging the players twice must change nothing"
_SAME = "with the players exchanged, the other player must have the same moves, and they must lead to exchanged states"
_PAYOFF = "with the players exchanged, each must be paid what the other was"
_LAYER = "layer must treat both players alike: count what they have together, or sort what each has"


class Exchange:
    """Whether `exchanged` gives, for every state, the one in which the two players have changed parts."""

    def __init__(self, inspector: Inspector, nodes: Mapping[Any, Node | None]) -> None:
        self.inspector = inspector
        self.nodes: dict[Any, Node | None] = dict(nodes)

    def compare(self, state: Any) -> None:
        """Note a fault where `state` and its image are not the same for exchanged players."""
        image = self._image(state)
        if image is BROKEN:
            return
        again = self._image(image)
        if again is not BROKEN and again != state:
            self._fault(state, f"returns {brief(image)}, and {brief(again)} when applied again", _BACK)
        elif again is not BROKEN:
            self._compare(state, image)

    def _image(self, state: Any) -> Any:
        image = self.inspector.ask("exchanged", state)
        return image if image is not BROKEN and self.inspector.is_state("exchanged", image, state) else BROKEN

    def _fault(self, state: Any, message: str, cure: str) -> None:
        self.inspector.fault("exchanged", state, message, cure)

    def _compare(self, state: Any, image: Any) -> None:
        here, there = self._node(state), self._node(image)
        if here is None or there is None:
            return
        to = f"leads to {brief(image)}, where "
        mover = here.mover if here.mover in (CHANCE, TOGETHER) else 1 - here.mover
        if there.mover != mover:
            self._fault(state, f"{to}to_move is {there.mover} instead of {mover}", _SAME)
        elif len(here.moves) != len(there.moves):
            self._fault(
                state,
                f"{to}moves yields {count_text(len(there.moves), 'move')} instead of {len(here.moves)}",
                _SAME,
            )
        elif here.payoff is not None and there.payoff != here.payoff[::-1]:
            self._fault(
                state, f"{to}the payoff is {brief(there.payoff)} instead of {brief(here.payoff[::-1])}", _PAYOFF
            )
        elif self._exchanged(here) != _successors(there):
            self._fault(state, f"{to}the moves lead to other states, or have other rewards or weights", _SAME)
        elif self.inspector.game.gives("layer") and self._layer(state) != self._layer(image):
            self._fault(state, f"{to}layer is {self._layer(image)} instead of {self._layer(state)}", _LAYER)

    def _layer(self, state: Any) -> Any:
        return self.inspector.ask("layer", state)

    def _node(self, state: Any) -> Node | None:
        if state not in self.nodes:
            self.nodes[state] = self.inspector.inspect(state, thorough=False)
        return self.nodes[state]

    def _exchanged(self, node: Node) -> Counter[Any]:
        """What the moves lead to and bring, each with the players exchanged."""
        found: Counter[Any] = Counter()
        for child, gain, weight in zip(node.children, node.gains, node.weights, strict=True):
            found[self._image(child), gain[::-1]] += weight
        return found


def _successors(node: Node) -> Counter[Any]:
    """What the moves lead to, with what they bring, and how often (or with what weight)."""
    found: Counter[Any] = Counter()
    for child, gain, weight in zip(node.children, node.gains, node.weights, strict=True):
        found[child, gain] += weight
    return found
