"""What a solution knows of every node of a walk: proven ends, exact values, and where play must go."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from endsight.algorithms.interval_iteration import Enclosure
from endsight.algorithms.settled_play import exact_at
from endsight.enclosed import EnclosedSource
from endsight.graph_source import GraphSource
from endsight.limits import Budget
from endsight.numbers import Interval, Number, as_interval
from endsight.position import Position
from endsight.rounds import RoundSource
from endsight.solution import Solution
from endsight.source import Source
from endsight.verifier.walk import View

__all__ = ["Known", "known_of"]


class Known(ABC):
    """The first player's amount at every node of a solution: whole numbers over `scale`; exact numbers where that is 1.

    `is_exact` says that the value of the position is known exactly though most others are enclosed.
    """

    scale = 1
    is_exact = False

    @abstractmethod
    def number(self, view: View, node: Any) -> Any:
        """The solution's own number of a node."""

    @abstractmethod
    def ends(self, number: Any) -> tuple[Number, Number]:
        """Proven ends."""

    def has_uneasy_loops(self, *, pays: bool) -> bool:
        """Whether loops meet chance, or gains where moves pay, so that moves must be chosen by bounds."""
        return False

    def forced(self, view: View, node: Any) -> int | None:
        """Where play must go, as another move of the same worth may lead round for ever."""
        return None

    def exact(self, numbers: Iterable[Any], budget: Budget) -> dict[Any, Number]:
        """Exact values of these nodes where `is_exact`, else none. `LimitReached` where they are out of reach."""
        return {}


class _KnownGraph(Known):
    def __init__(self, source: GraphSource) -> None:
        self.graph = source.graph
        self.table = source.table
        self.view = source.view
        self.enclosure: Enclosure | None = getattr(source.table.values, "enclosure", None)
        if self.enclosure is not None:
            self.scale = self.enclosure.denominator
            self.place = source.table.values.place  # type: ignore[attr-defined]
            self.is_exact = not isinstance(source.table.values[0][0], Interval)

    def has_uneasy_loops(self, *, pays: bool) -> bool:
        return self.graph.is_cyclic and (self.graph.has_chance or pays)

    def number(self, view: View, node: Any) -> int:
        return self.graph.index[self.view.key_of(*node)]

    def ends(self, number: int) -> tuple[Number, Number]:
        if self.enclosure is not None:
            low, high = self.enclosure.bounds[self.place[number]]
            return int(low), int(high)
        value = self.table.values[number][0]
        assert not isinstance(value, Interval)
        return value, value

    def forced(self, view: View, node: Any) -> int | None:
        edge = self.table.forced.get(self.number(view, node))
        return None if edge is None or edge < 0 else self.graph.successors[edge]

    def exact(self, numbers: Iterable[int], budget: Budget) -> dict[int, Number]:
        assert self.enclosure is not None
        places = {number: self.place[number] for number in numbers}
        values = _settled(self.enclosure, places.values(), budget)
        return {number: values[place] for number, place in places.items()}


class _KnownArrays(Known):
    def __init__(self, source: EnclosedSource) -> None:
        rules = source.arrays.rules
        states, _ = rules.states(source.arrays.keys)
        self.numbers = {state: number for number, state in enumerate(states)}
        self.canonical = rules.game.canonical if rules.has_symmetry else None
        self.enclosure = source.enclosure
        self.scale = source.enclosure.denominator
        self.bounds = source.enclosure.bounds.tolist()
        self.is_exact = source.is_exact

    def has_uneasy_loops(self, *, pays: bool) -> bool:
        return True

    def number(self, view: View, node: Any) -> int:
        state = node[0]
        return self.numbers[state if self.canonical is None else self.canonical(state)]

    def ends(self, number: int) -> tuple[Number, Number]:
        low, high = self.bounds[number]
        return low, high

    def exact(self, numbers: Iterable[int], budget: Budget) -> dict[int, Number]:
        return dict(_settled(self.enclosure, numbers, budget))


def _settled(enclosure: Enclosure, nodes: Iterable[int], budget: Budget) -> Mapping[int, Number]:
    return exact_at(enclosure.arena, enclosure.verdicts, np.unique(np.array(list(nodes), np.int64)), budget)


class _KnownRounds(Known):
    """A node is its own number."""

    def __init__(self, source: RoundSource, view: View) -> None:
        self.source = source
        self.view = view
        self.scale = source.denominator
        self.nothing = (0,) * view.players

    def has_uneasy_loops(self, *, pays: bool) -> bool:
        return True

    def number(self, view: View, node: Any) -> Any:
        return node

    def ends(self, number: Any) -> tuple[Number, Number]:
        state, mover, _ = number
        found = self.source.bounds(Position(self.view.game, state, mover, self.nothing, ()))
        assert found is not None, "a walk meets only what was met when the game was solved"
        return found[0] + self.source.shift, found[1] + self.source.shift


class _KnownValues(Known):
    """Any other source, asked by position; a node is its own number."""

    def __init__(self, solution: Solution, view: View) -> None:
        self.solution = solution
        self.view = view

    def number(self, view: View, node: Any) -> Any:
        return node

    def ends(self, number: Any) -> tuple[Number, Number]:
        state, mover, totals = number
        position = Position(self.view.game, state, mover, totals or (0,) * self.view.players, ())
        value = as_interval(self.solution._at(position).value(position)[0])
        return value.lower, value.upper


@dataclass(frozen=True)
class _Knowing:
    """What is known by each form of table: see `endsight.source.TableReader`."""

    solution: Solution
    view: View

    def graph(self, source: GraphSource) -> Known:
        return _KnownGraph(source)

    def keys(self, source: Source, solved: object) -> Known:
        return self.nothing(source)

    shares = keys

    def bounds(self, source: EnclosedSource) -> Known:
        return _KnownArrays(source)

    def layers(self, source: RoundSource) -> Known:
        return _KnownRounds(source, self.view)

    def nothing(self, source: Source) -> Known:
        return _KnownValues(self.solution, self.view)


def known_of(solution: Solution, view: View) -> Known:
    """What the solution knows, asked by nodes of that view."""
    return solution.source.read_by(_Knowing(solution, view))
