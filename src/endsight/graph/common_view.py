"""Whether all players see the same in a game, so that what one of them knows all know.

Two things are checked in every state that play can reach: that `sees` gives the same for all players, and that each of
several players learns of the others' moves: two moves never look alike. For that, what a move shows first is
compared for all states that look the same. A single player knows their own moves, seen or not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from endsight.base.collector import collector_paused
from endsight.errors.complaints import odd, unsteady
from endsight.game import CHANCE
from endsight.game.natural import is_natural
from endsight.game.position import as_text
from endsight.graph.graph import Graph, Picked
from endsight.graph.hidden_states import NOTHING, Sights
from endsight.graph.objective import View


@collector_paused()
def common_view(view: View, graph: Graph, kinds: Sequence[int], examples: Iterable[Hashable]) -> Sights:
    """What all players see at every node of `graph`, or why they do not all see the same.

    Nodes of one kind look the same to everybody: `kinds` gives that of every node, `examples` a node of every kind.
    Raises `RulesError` where `sees` gives something that is not exact, or that can change.
    """
    things, numbers = dict[Any, int]({None: NOTHING}), list[int]()
    for seen, differing in _looks(view, examples):
        if differing is not None:
            return Sights((), Picked((), ()), differing)
        numbers.append(things.setdefault((seen,), len(things)))
    nodes = Picked(numbers, kinds)
    told = _Moves(view, graph, list(nodes)).alike() if view.players > 1 else None
    return Sights([thing and thing[0] for thing in things], nodes, told)


def different_sights(view: View, keys: Iterable[Hashable]) -> str | None:
    """A text where players see different things at one of these nodes; else None."""
    return next((differing for _, differing in _looks(view, keys) if differing is not None), None)


def _looks(view: View, keys: Iterable[Hashable]) -> Iterator[tuple[Any, str | None]]:
    """What the first player sees at each of these nodes, and a text where another one sees something else."""
    game = view.game
    for key in keys:
        state = view.split(key)[0]
        seen = game.sees(state, 0)
        if not is_natural(seen):
            raise odd(game, "sees", seen, state)
        if (again := game.sees(state, 0)) != seen:
            raise unsteady(game, state, seen, again)
        others = ((player, game.sees(state, player)) for player in range(1, view.players))
        yield seen, next((_differing(view, state, seen, *other) for other in others if other[1] != seen), None)


def _differing(view: View, state: Any, seen: Any, player: int, other: Any) -> str:
    game, names = view.game, view.game.player_names
    shown = f"{names[0]} sees {game.show_seen(seen, 0)} and {names[player]} {game.show_seen(other, player)}"
    return f"at {as_text(game, 'show', state)} {shown}"


@dataclass(frozen=True)
class _Moves:
    """What players' moves show first."""

    view: View
    graph: Graph
    sights: list[int]

    def alike(self) -> str | None:
        """Two moves that look alike to others, in words; None where there are none."""
        graph, known = self.graph, dict[tuple[int, int], tuple[Any, int]]()
        for node in range(len(graph)):
            if graph.movers[node] == CHANCE:
                continue
            for edge in graph.edges(node):
                for seen in self._first_seen(self.sights[node], graph.successors[edge]):
                    move, other = known.setdefault((self.sights[node], seen), (graph.moves[edge], node))
                    if move != graph.moves[edge]:
                        return self._said(other, move, node, graph.moves[edge])
        return None

    def _first_seen(self, before: int, node: int) -> set[int]:
        """All that may be seen next from a node on, where `before` was seen last; `NOTHING` if somebody moves first."""
        sights, known, waiting = set[int](), {node}, deque([node])
        while waiting:
            here = waiting.popleft()
            if self.sights[here] != before:
                sights.add(self.sights[here])
            elif self.graph.movers[here] != CHANCE or self.graph.is_end(here):
                sights.add(NOTHING)
            else:
                fresh = {*self.graph.children(here)} - known
                known |= fresh
                waiting += fresh
        return sights

    def _said(self, one: int, move: Any, other: int, another: Any) -> str:
        game, keys = self.view.game, self.graph.keys
        places = (self.view.split(keys[node])[0] for node in (one, other))
        texts = [
            f"{as_text(game, 'show_move', place, made)} at {as_text(game, 'show', place)}"
            for place, made in zip(places, (move, another), strict=True)
        ]
        return f"the moves {' and '.join(texts)} look the same to the others"
