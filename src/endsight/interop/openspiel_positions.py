"""All positions of one OpenSpiel game, by a text that tells each apart from all others."""

from __future__ import annotations

from collections import deque
from typing import Any

from endsight.base.faults import PositionError, RulesError
from endsight.interop.openspiel_node import Node
from endsight.interop.openspiel_states import Part, Sight, position_key

__all__ = ["Positions"]

MOST_KEPT = 100_000
"""States of OpenSpiel that are kept at a time; others are played anew."""


class Positions:
    """The positions of a game by key: the history, or the parts of a state that decide its future.

    Of every position one line of moves that leads there is known: that of the first time it was met. Where another line
    meets it, both must have the same moves and chances there. Positions that have not been met are searched for from
    the start, breadth first.
    """

    def __init__(self, source: Any, parts: tuple[Part, ...], sight: Sight | None) -> None:
        self.source, self.parts, self.sight = source, parts, sight
        self.nodes: dict[str, Node] = {}
        self.met: dict[str, tuple[str, Any]] = {}
        """Key -> the position before it, and the move that was made there."""
        self.start = self._key(self._first().state, "", None)

    def node(self, key: str) -> Node:
        """The position of that key; `PositionError` where the game has none."""
        return self.nodes.get(key) or self._replayed(key)

    def after(self, key: str, move: Any) -> str:
        """The key of the position after a move."""
        before = self.node(key)
        reached = before.after(move)
        new = self._key(reached, key, move)
        if new not in self.met and new != self.start:
            self.met[new] = key, move
        if new not in self.nodes:
            self._keep(new, self._reached(reached, before.seen))
        elif self.met.get(new) != (key, move):
            self._compare(new, reached)
        return new

    def line(self, key: str) -> list[tuple[str, Any]]:
        """The positions on the way to that of `key`, each with the move that was made there."""
        if key != self.start and key not in self.met:
            self._search(key)
        steps = []
        while key != self.start:
            steps.append(self.met[key])
            key = self.met[key][0]
        return steps[::-1]

    def _replayed(self, key: str) -> Node:
        node = self._first()
        for _, move in self.line(key):
            node = self._reached(node.after(move), node.seen)
        self._keep(key, node)
        return node

    def _search(self, key: str) -> None:
        """Meet positions, nearest ones first, until that of `key` is among them."""
        waiting, known = deque([self.start]), {self.start}
        while waiting and key not in self.met:
            place = waiting.popleft()
            reached = [self.after(place, move) for move in self.node(place).moves]
            waiting.extend(each for each in dict.fromkeys(reached) if each not in known)
            known.update(reached)
        if key not in self.met:
            raise PositionError("openspiel: play does not lead to that position", found=key)

    def _compare(self, key: str, reached: Any) -> None:
        """Raise `RulesError` where a state has other moves than the one that its position is known by."""
        known, other = self.nodes[key], Node(reached, ())
        if (known.mover, known.moves, known.weights) != (other.mover, other.moves, other.weights):
            raise RulesError(
                "OpenSpiel: two histories that were taken for one position have different moves",
                found=f"{known.state.history_str()!r:.200} and {reached.history_str()!r:.200}",
                advice="report it: endsight.interop.openspiel_states tells these positions apart by too little",
            )

    def _first(self) -> Node:
        return self._reached(self.source.new_initial_state(), ("",) * self.source.num_players())

    def _key(self, state: Any, before: str, move: Any) -> str:
        """The parts that decide the future, where they are known; else all moves so far."""
        if self.parts:
            return position_key(state, self.parts)
        own = "-".join(map(str, move)) if isinstance(move, tuple) else str(move)
        return "" if move is None else f"{before},{own}".removeprefix(",")

    def _reached(self, state: Any, seen: tuple[str, ...]) -> Node:
        """The node of a state, where players had seen that before."""
        node = Node(state, seen)
        if self.sight is not None:
            new = self.sight(node)
            node.seen = tuple(new.get(player, old) for player, old in enumerate(seen))
        return node

    def _keep(self, key: str, node: Node) -> None:
        if len(self.nodes) >= MOST_KEPT:
            self.nodes.clear()
        self.nodes[key] = node
