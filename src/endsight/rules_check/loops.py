"""Loops in a game, and whether they may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from endsight.game import CHANCE
from endsight.graph import strongly_connected
from endsight.rules_check.inspection import Inspector, Node

__all__ = ["Loops"]

_PAY_AT_THE_END = "pay at the end of the game, or count the turns in the state"


class Loops:
    """Loops, and whether they may be: endless play must have a value."""

    def __init__(self, inspector: Inspector, nodes: Mapping[Any, Node | None], known: Iterable[Any]) -> None:
        self.inspector = inspector
        self.players = inspector.players
        self.states = list(known)
        number = {state: index for index, state in enumerate(self.states)}
        self.nodes = [nodes.get(state) for state in self.states]
        self.successors = [[number[child] for child in node.children] if node else [] for node in self.nodes]
        self.loops = [part for part in self._components(range(len(self.states))) if self._is_loop(part)]
        self.is_complete = None not in self.nodes

    @property
    def is_cyclic(self) -> bool:
        """Whether play can come back to a state."""
        return bool(self.loops)

    @property
    def is_constant_sum(self) -> bool | None:
        """Whether all payoffs met have one sum and all rewards sum 0; None where no end was met."""
        sums = {sum(node.payoff) for node in self.nodes if node and node.payoff is not None}
        if any(sum(gain) for node in self.nodes if node for gain in node.gains):
            return False
        return len(sums) == 1 if sums else None

    def check(self) -> None:
        """Note a fault for loops that leave the game without a value."""
        self._check_ends()
        if not self.loops:
            return
        endless = self._endless_parts()
        if endless:
            self._check_endless(endless)
        self._check_opposed()

    def _components(self, nodes: Any) -> list[list[int]]:
        """Strongly connected components of the part of the graph with those nodes."""
        kept = list(nodes)
        place = {node: index for index, node in enumerate(kept)}
        offsets = [0]
        edges: list[int] = []
        for node in kept:
            edges.extend(place[child] for child in self.successors[node] if child in place)
            offsets.append(len(edges))
        return [[kept[index] for index in part] for part in strongly_connected(offsets, edges)]

    def _is_loop(self, part: list[int]) -> bool:
        return len(part) > 1 or part[0] in self.successors[part[0]]

    def _check_ends(self) -> None:
        """Moves after the end: in a state that they do not change, or everywhere."""
        idle = [
            state
            for state, node, after in zip(self.states, self.nodes, self.successors, strict=True)
            if node is not None and after and all(self.states[child] == state for child in after)
        ]
        cure = "moves must yield nothing where the game is over; payoff is asked there"
        for state in idle:
            self.inspector.fault("moves", state, "offers moves after the end: none changes the state", cure)
        if self.is_complete and not idle and all(node is not None and node.moves for node in self.nodes):
            self.inspector.fault("moves", self.states[0], "offers moves in every state: no end can be reached", cure)

    def _endless_parts(self) -> list[set[int]]:
        """Maximal end components: where the players together can stay for ever.

        De Alfaro, *Formal verification of probabilistic systems* (1997): drop chance states
        that may leave and players' states that must, until nothing changes.
        """
        pending = [set(part) for part in self.loops]
        endless = []
        while pending:
            part = pending.pop()
            stays = {node for node in part if self._can_stay(node, part)}
            if stays == part:
                endless.append(part)
                continue
            parts = self._components(stays)
            pending.extend(set(inner) for inner in parts if self._is_loop(inner))
        return endless

    def _can_stay(self, index: int, part: set[int]) -> bool:
        node = self.nodes[index]
        inside = [child in part for child in self.successors[index]]
        return all(inside) and bool(inside) if node is not None and node.mover == CHANCE else any(inside)

    def _check_endless(self, endless: list[set[int]]) -> None:
        """Endless play is a draw in a game without chance and without rewards, and worth nothing known elsewhere."""
        nodes = [node for node in self.nodes if node is not None]
        has_chance = any(node.mover == CHANCE and node.moves for node in nodes)
        has_rewards = any(any(gain) for node in nodes for gain in node.gains)
        for part in endless:
            state = self.states[min(part)]
            if self._pays(part):
                message = "pays on a loop: play can go round for ever, so the total need not exist"
                self.inspector.fault("reward", state, message, _PAY_AT_THE_END)
            elif has_chance:
                message = "lets play go round for ever without an end, in a game with chance"
                cure = "make every way to play end with probability 1: count the turns in the state, say"
                self.inspector.fault("play", state, message, cure)
            elif has_rewards:
                message = "pays on the way in a game that has loops elsewhere: solved only where they cannot be reached"
                self.inspector.warn("reward", state, message, _PAY_AT_THE_END)

    def _pays(self, part: set[int]) -> bool:
        for index in part:
            node = self.nodes[index]
            for child, gain in zip(self.successors[index], node.gains, strict=True) if node else ():
                if child in part and any(gain):
                    return True
        return False

    def _check_opposed(self) -> None:
        """Loops need players whose wishes are opposed, or a single one."""
        movers = {node.mover for node in self.nodes if node is not None and node.moves}
        takes_turns = not self.inspector.game.gives("to_move") and (self.players or 1) > 1
        if self.players is None or (movers <= {0, CHANCE} and not takes_turns):
            return
        if self.players > 2 or self.is_constant_sum is False:
            state = self.states[min(self.loops[0])]
            what = f"{self.players} players" if self.players > 2 else "payoffs whose sum is not always the same"
            message = f"lets play come back to a state, with {what}: such a game has no value that all must agree on"
            self.inspector.fault(
                "play", state, message, "make play end (count the turns in the state), or the sums constant"
            )
