"""Which engine does the work: plain Python for small games, compiled rules beyond that.

Both give the same answers. What cannot be compiled is done by the plain engine, and
`Task.refusal` says why. Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING, Literal, TypeAlias

from endsight.compiler.refusal import CannotCompile
from endsight.explorer import explore
from endsight.game import CHANCE, Game, Position
from endsight.graph import Graph
from endsight.limits import Budget
from endsight.objective import View
from endsight.question import Question

if TYPE_CHECKING:
    from endsight.compiler.engine import CompiledSource, SearchSource
    from endsight.compiler.sizes import Sizes

__all__ = ["ENGINES", "Engine", "Task"]

Engine: TypeAlias = Literal["auto", "plain", "compiled"]
ENGINES: tuple[Engine, ...] = ("auto", "plain", "compiled")

# Compiling takes about as long as exploring that many moves plainly.
PLAIN_EDGES = 50_000
_FIRST_NODES = 500
# Rules that take several times as long for a move as rules usually do (most often because of
# `canonical`) are explored plainly for so many seconds of computing, but so many moves at
# least: small games never depend on time. Only where no chance is met, so that nothing but
# the engine depends on it.
_FIRST_LOOK, _FIRST_EDGES = 30, 5_000
_SLOW_EDGE, _SLOW_SECONDS, _SLOW_EDGES = 2e-5, 0.5, 10_000
# After that part of them, code that was compiled in an earlier run is looked for.
_SHARE_BEFORE_COMPILED = 10


@dataclass
class Task:
    """One question about one position, for whichever engine.

    `refusal` says after the work why something was not compiled, with file and line
    where a line of the rules is to blame; None where nothing was refused. `known` is what
    an earlier run found out about a large game: how many states there are, and whether
    chance is met among the first.
    """

    game: Game
    position: Position
    question: Question
    engine: Engine
    symmetry: bool
    budget: Budget
    refusal: str | None = None
    known: tuple[int, bool] | None = None
    _begun: dict[bool, tuple[View, Graph]] = field(default_factory=dict, repr=False)

    def graph(self, *, tracks_mover: bool = False) -> tuple[View, Graph]:
        """The whole state graph, by the engine that suits its size."""
        if self.engine == "plain":
            return self._plain(tracks_mover)
        return self._if_small(tracks_mover) or self._compiled(tracks_mover) or self._plain(tracks_mover)

    @property
    def is_large(self) -> bool:
        """Whether there are more positions than the plain engine does in a moment (unknown where it is not asked)."""
        return self.engine != "auto" or self._if_small(False) is None

    @property
    def suits_layers(self) -> bool:
        """Whether there are so many positions that `layers` pay, and nothing seen so far speaks against them."""
        if self.engine == "plain" or not self._has_aims:
            return False
        if self.engine == "compiled":
            return True
        return self._if_small(False) is None and not self._meets_chance

    @property
    def _has_aims(self) -> bool:
        """Whether the question is one that `layers` answer."""
        from endsight.compiler.aims import Aims

        try:
            Aims.of(View(self.game, self.question, symmetry=self.symmetry))
        except CannotCompile:
            return False
        return True

    @property
    def suits_enclosing(self) -> bool:
        """Whether chance is met, and more positions than the plain engine should be bothered with."""
        if self.engine == "plain":
            return False
        if False not in self._begun:
            self._begun[False] = self._first_part(False)
        return not is_complete(self._begun[False][1]) and self._meets_chance

    @property
    def _meets_chance(self) -> bool:
        """Whether chance is met in the first part."""
        return CHANCE in self._begun[False][1].movers if self.known is None else self.known[1]

    def keep_size(self, states: int) -> None:
        """Leave to later runs how many states a game has that turned out to be large.

        Of its start only: the later positions that people ask about are thousands, and each another one.
        """
        if self.engine != "auto" or self.known is not None or False not in self._begun or self.position.history:
            return
        if not is_complete(self._begun[False][1]) and self._sizes is not None:
            self._sizes.keep(states, has_chance=self._meets_chance)

    @cached_property
    def _sizes(self) -> Sizes | None:
        """The notes of earlier runs; None where none are kept."""
        from endsight.compiler.sizes import Sizes

        try:
            return Sizes(self.game, self.position, self.question, symmetry=self.symmetry)
        except CannotCompile:
            return None

    def solved(self, method: Literal["layers", "search"]) -> CompiledSource | SearchSource | None:
        """The answer by that method of the compiled engine, None where it refuses."""
        from endsight.compiler.engine import solve_compiled

        if self.engine == "plain":
            self.refusal = "the plain engine was asked for"
            return None
        try:
            return solve_compiled(
                self.game,
                self.position,
                self.question,
                method,
                symmetry=self.symmetry,
                budget=self.budget,
                begun=self._begun.get(False),
            )
        except CannotCompile as reason:
            self.budget.witness = None  # what was met on the way may be wrong
            self.refusal = str(reason)
            return None

    def _if_small(self, tracks_mover: bool) -> tuple[View, Graph] | None:
        """The graph by the plain engine, where it is complete within PLAIN_EDGES."""
        if self.engine == "compiled":
            return None
        if tracks_mover not in self._begun:
            self._begun[tracks_mover] = self._first_part(tracks_mover)
        view, graph = self._begun[tracks_mover]
        return (view, graph) if is_complete(graph) else None

    def _first_part(self, tracks_mover: bool) -> tuple[View, Graph]:
        """What the plain engine finds in about PLAIN_EDGES moves, or in a moment where rules are slow."""
        view, graph = self._plain(tracks_mover, at_most=_FIRST_LOOK)
        first = min(_FIRST_NODES, max(_FIRST_LOOK, nodes_with(_FIRST_EDGES, graph)))
        if is_complete(graph):
            return view, graph
        began = process_time()
        view, graph = self._plain(tracks_mover, at_most=first)
        counted = nodes_with(PLAIN_EDGES, graph)
        nodes = int(min(counted, nodes_in_time(process_time() - began, graph)))
        if is_complete(graph) or nodes <= first or self._knows(tracks_mover):
            return view, graph
        view, graph = self._plain(tracks_mover, min(nodes, max(first, counted // _SHARE_BEFORE_COMPILED)))
        if is_complete(graph) or len(graph.offsets) > nodes:
            return view, graph
        del view, graph  # a larger part is coming
        return self._compiled_part(tracks_mover, nodes) or self._plain(tracks_mover, nodes)

    def _knows(self, tracks_mover: bool) -> bool:
        """Whether an earlier run found the game to be large; its rules are compiled, and compared, by now."""
        if not tracks_mover and self._sizes is not None:
            self.known = self._sizes.found()
        return self.known is not None

    def _compiled_part(self, tracks_mover: bool, nodes: int) -> tuple[View, Graph] | None:
        """The same first part by rules that were compiled and compared before; None where there are none."""
        from endsight.compiler.engine import begin_compiled

        try:
            return begin_compiled(
                self.game,
                self.position,
                self.question,
                at_most=nodes,
                symmetry=self.symmetry,
                tracks_mover=tracks_mover,
                budget=self.budget,
            )
        except CannotCompile:
            return None

    def _plain(self, tracks_mover: bool, at_most: int | None = None) -> tuple[View, Graph]:
        return explore(
            self.game,
            self.position,
            self.question,
            symmetry=self.symmetry,
            tracks_mover=tracks_mover,
            budget=self.budget,
            at_most=at_most,
        )

    def _compiled(self, tracks_mover: bool) -> tuple[View, Graph] | None:
        from endsight.compiler.engine import explore_compiled

        try:
            return explore_compiled(
                self.game,
                self.position,
                self.question,
                symmetry=self.symmetry,
                tracks_mover=tracks_mover,
                budget=self.budget,
            )
        except CannotCompile as reason:
            self.refusal = str(reason)
            return None


def is_complete(graph: Graph) -> bool:
    """Whether all nodes of a graph have been expanded."""
    return len(graph.offsets) == len(graph) + 1


def nodes_in_time(seconds: float, begun: Graph) -> float:
    """How many nodes slow rules without chance may be asked about, if those begun took `seconds`; else no limit."""
    if CHANCE in begun.movers or seconds <= _SLOW_EDGE * len(begun.successors):
        return math.inf
    return max(nodes_with(_SLOW_EDGES, begun), int(_SLOW_SECONDS / seconds * (len(begun.offsets) - 1)))


def nodes_with(edges: int, begun: Graph) -> int:
    """How many nodes have about that many edges, going by those expanded so far."""
    return edges * (len(begun.offsets) - 1) // max(1, len(begun.successors))
