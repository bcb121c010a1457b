"""Loops in the checked part of a game, and whether it has a value in spite of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from endsight.base.deferred import deferred
from endsight.errors import EndsightError, NoValue, QuestionError
from endsight.game import TOGETHER, Game
from endsight.game.limits import Budget, Limits
from endsight.game.numbers import count_text, short_text
from endsight.game.results import endless_share
from endsight.graph.components import loop_free_order
from endsight.graph.discounting import without_discount
from endsight.graph.explorer import explore
from endsight.graph.giving_up import judge_first
from endsight.graph.graph import Graph
from endsight.graph.judgement import Reason
from endsight.graph.objective import View
from endsight.rules_check.inspection import InspectedState, Inspector
from endsight.rules_check.views import Views

with deferred(__name__):
    from endsight.algorithms.information_sets import few_information_sets
    from endsight.algorithms.stationary_equilibrium import stationary_equilibrium

_NO_MOVES = "if the game is over there, moves must yield nothing; otherwise play stays there for ever, which pays "
_MANY = 1_000
"""With fewer states, play without an end may simply be longer."""


@dataclass(frozen=True)
class Outlook:
    """Whether the game has a value: `reason` says why not, `complete` whether the whole game was judged.

    `notion` is the meaning of the value where it is not simply *the* value.
    """

    reason: Reason | None
    complete: bool
    notion: str | None = None

    def to_document(self) -> dict[str, Any]:
        """The same as plain data for JSON."""
        reason = self.reason
        return {
            "can_be_told": reason is None,
            "reason": None if reason is None else reason.message,
            "found": None if reason is None else reason.found,
            "advice": None if reason is None else reason.advice,
            "complete": self.complete,
            "notion": self.notion,
        }


def outlook(game: Game, states: int, seconds: float | None) -> Outlook | None:
    """The judgement of `value`, on up to `states` states; None if time runs out or the rules fail there."""
    budget = Budget(Limits(seconds=seconds))
    try:
        view, graph = explore(game, game.position(), tracks_mover=True, at_most=states, budget=budget)
        return _judged(view, graph, budget)
    except EndsightError:
        return None


def hidden_outlook(game: Game, views: Views, *, is_cyclic: bool, most: int, seconds: float | None) -> Outlook | None:
    """The judgement of `value` where players do not see everything; None where only solving the game shows it."""
    if views.is_common:
        return None if is_cyclic else Outlook(None, views.is_complete)
    try:
        is_whole = few_information_sets(game, Budget(Limits(seconds=seconds)), at_most=most) is not None
    except (QuestionError, NoValue) as error:
        return Outlook(Reason(error.message, error.found or "", error.advice or error.allowed or ""), True)
    except EndsightError:
        return None
    return Outlook(None, is_whole)


def _judged(view: View, graph: Graph, budget: Budget) -> Outlook:
    is_whole = len(graph.offsets) > len(graph)
    graph = without_discount(graph.padded() if not is_whole else graph)
    reason = judge_first(graph, view)
    if reason is None or not reason.unopposed or not is_whole:
        return Outlook(reason, is_whole)
    found = stationary_equilibrium(graph, budget)
    return Outlook(reason, is_whole) if found is None else Outlook(None, is_whole, found.notion)


def _paid_for_ever(game: Game) -> str:
    """The payoff of endless play: `0`, or an amount for each player."""
    paid = endless_share(game) if game.gives("endless") else (0,)
    if len({*paid}) == 1:
        return short_text(paid[0])
    return ", ".join(f"{name} {short_text(amount)}" for name, amount in zip(game.player_names, paid, strict=True))


class Loops:
    """The visited states as a graph: loops, ends, and sums of payoffs."""

    def __init__(self, inspector: Inspector, nodes: Mapping[Any, InspectedState | None], known: Iterable[Any]) -> None:
        self.inspector = inspector
        self.states = list(known)
        number = {state: index for index, state in enumerate(self.states)}
        self.nodes = [nodes.get(state) for state in self.states]
        self.successors = [[number[child] for child in node.children] if node else [] for node in self.nodes]
        offsets, edges = [0], []
        for after in self.successors:
            edges += after
            offsets.append(len(edges))
        self.is_cyclic = loop_free_order(offsets, edges) is None
        """Whether play can come back to a state."""
        self.is_complete = None not in self.nodes

    @property
    def moves_at_once(self) -> bool:
        """Whether several players move at once in a visited state."""
        return any(node is not None and node.mover == TOGETHER for node in self.nodes)

    @property
    def is_constant_sum(self) -> bool | None:
        """Whether all payoffs seen have one sum and all rewards sum 0; None if no end was reached."""
        sums = {sum(node.payoff) for node in self.nodes if node and node.payoff is not None}
        if any(sum(gain) for node in self.nodes if node for gain in node.gains):
            return False
        return len(sums) == 1 if sums else None

    def check_ends(self, *, is_faulty: bool) -> None:
        """Warn of moves that seem to come after the end: in a state that they do not change, or everywhere.

        Rules that discount may be endless on purpose.
        """
        if self.inspector.game.discount != 1:
            return
        idle = [
            state
            for state, node, after in zip(self.states, self.nodes, self.successors, strict=True)
            if node is not None and after and all(self.states[child] == state for child in after)
        ]
        no_moves = _NO_MOVES + _paid_for_ever(self.inspector.game)
        for state in idle:
            self.inspector.warn("moves", state, "offers moves after the end: none changes the state", no_moves)
        looked_at = [node for node in self.nodes if node is not None]
        if idle or not looked_at or not all(node.moves for node in looked_at):
            return
        if self.is_complete:
            message, cure = "offers moves in every state: no end can be reached", no_moves
        elif is_faulty or len(looked_at) < _MANY:
            return
        else:
            message = f"offers moves in every one of {count_text(len(looked_at), 'state')} checked: no end was found"
            cure = "make play end, or check more of the game: --states"
        self.inspector.warn("moves", self.states[0], message, cure)
