"""Does `canonical` preserve what matters?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from endsight.errors.rules_guard import brief
from endsight.game import CHANCE, TOGETHER
from endsight.game.numbers import count_text
from endsight.graph.equivalence import Compared, Inequivalence, StateRow, States
from endsight.rules_check.asking import BROKEN
from endsight.rules_check.inspection import InspectedState, Inspector

_SAME_MOVER = "equivalent states must have the same player to move"
_SAME_MOVES = "equivalent states must have the same moves up to renaming; let canonical change less"
_SAME_PAYOFF = "equivalent ends must pay the same to the same players"


class Symmetry:
    """Whether `canonical` preserves what matters: the mover, the moves, and the states after them.

    compared  how far states were compared with images that differ from them; None before that
    """

    def __init__(self, inspector: Inspector, nodes: Mapping[Any, InspectedState | None]) -> None:
        self.inspector = inspector
        self.visited = list(nodes)
        self.compared: Compared | None = None
        self.states = States(self._look, self._image)
        self.states.rows.update({state: None if node is None else _row(node) for state, node in nodes.items()})

    def compare(self, most: int, is_late: Callable[[], bool], thoroughly: Callable[[int], bool]) -> None:
        """Record every state that is not equivalent to its image.

        Visits up to `most` further states, until `is_late`; the rules are called twice on those states whose number
        `thoroughly` selects.
        """
        for number, state in enumerate(self.visited):
            if is_late() or self.inspector.faults.is_full:
                break
            self.inspector.twice = thoroughly(number)
            self._check_image(state)
        self.inspector.twice = False
        if most:
            self.states.reach(self.visited, len(self.visited) + most, is_late)
        for state, image in self.states.pairs():
            if not is_late():
                self.states.row(image)
                self.states.look_ahead(state, image)
        pairs = [pair for pair in self.states.pairs() if self.states.holds(pair)]
        differences, self.compared = self.states.differences(pairs, is_late)
        for difference in differences:
            self._tell(difference)

    def canonical_states(self) -> int | None:
        """The number of images of the states; None where canonical fails."""
        images = {self.states.image(state) for state in self.visited}
        return None if None in images else len(images)

    def _image(self, state: Any) -> Any:
        image = self.inspector.ask("canonical", state)
        return image if image is not BROKEN and self.inspector.is_state("canonical", image, state) else None

    def _look(self, state: Any) -> StateRow | None:
        node = self.inspector.inspect(state, thorough=False)
        return None if node is None else _row(node)

    def _check_image(self, state: Any) -> None:
        image = self.states.image(state)
        again = None if image is None else self.states.image(image)
        if again is not None and again != image:
            cure = "canonical of a canonical state must be the same state: take the smallest of its images, for example"
            self._fault(state, f"returns {brief(image)}, and {brief(again)} when applied again", cure)

    def _fault(self, state: Any, message: str, cure: str) -> None:
        self.inspector.fault("canonical", state, message, cure)

    def _tell(self, difference: Inequivalence) -> None:
        state, image = difference.state, difference.image
        here, there = self.states.row(state), self.states.row(image)
        assert here is not None, "it was compared"
        assert there is not None, "it was compared"
        to = f"leads to {brief(image)}, where "
        if difference.plies > 1:
            message = f"{to}play continues differently: it differs after {count_text(difference.plies, 'ply')}"
            self._fault(state, message, _SAME_MOVES)
        elif here.mover != there.mover:
            self._fault(state, f"{to}to_move is {there.mover} instead of {here.mover}", _SAME_MOVER)
        elif len(here.steps) != len(there.steps):
            count = count_text(len(there.steps), "move")
            self._fault(state, f"{to}moves yields {count} instead of {len(here.steps)}", _SAME_MOVES)
        elif here.payoff != there.payoff:
            self._fault(state, f"{to}the payoff is {brief(there.payoff)} instead of {brief(here.payoff)}", _SAME_PAYOFF)
        else:
            self._fault(state, f"{to}the moves lead to other states, or have other rewards or weights", _SAME_MOVES)


def _row(node: InspectedState) -> StateRow:
    return StateRow(node.mover, node.payoff, tuple(zip(node.children, node.gains, node.weights, strict=True)))


_BACK = "exchanging the players twice must change nothing"
_SAME = "with the players exchanged, the other player must have the same moves, and they must lead to exchanged states"
_PAYOFF = "with the players exchanged, each must be paid what the other was"
_LAYER = "layer must treat both players alike: count what they have together, or sort what each has"


class Exchange:
    """Whether `exchanged` returns, for every state, the one with the roles of the two players exchanged."""

    def __init__(self, inspector: Inspector, nodes: Mapping[Any, InspectedState | None]) -> None:
        self.inspector = inspector
        self.nodes: dict[Any, InspectedState | None] = dict(nodes)

    def compare(self, state: Any) -> None:
        """Record a fault if `state` and its image differ by more than the exchange of players."""
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
        elif _successors(here, self._image, -1) != _successors(there):
            self._fault(state, f"{to}the moves lead to other states, or have other rewards or weights", _SAME)
        elif self.inspector.game.gives("layer") and self._layer(state) != self._layer(image):
            self._fault(state, f"{to}layer is {self._layer(image)} instead of {self._layer(state)}", _LAYER)

    def _layer(self, state: Any) -> Any:
        return self.inspector.ask("layer", state)

    def _node(self, state: Any) -> InspectedState | None:
        if state not in self.nodes:
            self.nodes[state] = self.inspector.inspect(state, thorough=False)
        return self.nodes[state]


def _successors(node: InspectedState, image: Callable[[Any], Any] = lambda state: state, step: int = 1) -> Counter[Any]:
    """Images of the states after the moves, and rewards in the order of that `step`, with their counts (or weights)."""
    found: Counter[Any] = Counter()
    for child, gain, weight in zip(node.children, node.gains, node.weights, strict=True):
        found[image(child), gain[::step]] += weight
    return found
