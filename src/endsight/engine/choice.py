"""Which engine does the work: plain Python for small games, compiled rules for larger ones.

Both give the same answers. The plain engine does what cannot be compiled, and `Task.refusal` says why. Nothing heavy is
imported before it is needed.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from time import thread_time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from endsight.base.deferred import deferred
from endsight.compiler.refusal import CannotCompile
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.derived import gives_hint
from endsight.game.limits import Budget, Limits
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.plan import MOST_IN_ONE_GRAPH
from endsight.theorems import Theorem, find

if TYPE_CHECKING:
    from endsight.graph.hidden_states import Sights

with deferred(__name__):
    from endsight.compiler.cache import keep, kept
    from endsight.compiler.hint_proofs import prove_before, prove_bound
    from endsight.compiler.payoffs import constant_sum
    from endsight.cost.sampling import rough_size
    from endsight.engine.alike import hidden_states, kinds_of
    from endsight.engine.entry import explore_compiled
    from endsight.engine.goals import Goals
    from endsight.graph.beliefs import belief_game, goes_by_states
    from endsight.graph.common_view import common_view, different_sights
    from endsight.graph.explorer import explore_on, explore_view, first_movers, nodes_with
    from endsight.graph.graph import Graph
    from endsight.graph.objective import View, may_have_rounds
    from endsight.graph.table import Kind
    from endsight.identity import key_of


Engine: TypeAlias = Literal["auto", "plain", "compiled"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
Method: TypeAlias = Literal["auto", "theorem", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber"]
METHODS: tuple[Method, ...] = get_args(Method)

LEAST_BYTES = 16
"""A state takes at least this many by every method that solves all states: a table slot and a place in a list."""
_MUCH = 8
"""Where all states take more than one part in this many of the memory, a search for one is mostly faster."""

# Games of fewer moves are not compiled.
PLAIN_EDGES = 50_000
_FIRST_NODES = 500
# Rules whose moves take several times as long as usual (most often because of `canonical`) are explored plainly for
# this many seconds of computing, but for at least this many moves: small games never depend on time. This applies only
# where no chance occurs, so that nothing but the engine depends on it.
_FIRST_LOOK, _FIRST_EDGES = 30, 5_000
_BOUND = {0: "all", 1: "all but one"}
"""Names for so many players without a policy."""
MOST_APART = 1_000
"""Up to this many hidden states stay apart, so that beliefs name them; of more, those with one future are merged."""
_SLOW_EDGE, _SLOW_SECONDS, _SLOW_EDGES = 2e-5, 0.5, 15_000
# After that part of them, a small sample shows whether the game is surely larger; if not, code that an earlier run
# compiled is looked for.
_SHARE_BEFORE_SAMPLE = 10


@dataclass
class Task:
    """A question about one position, and the facts by which `graph.plan` chooses a path; each is measured once.

    `store` (of `endsight.layers.rounds`) keeps the layers of a game that is solved in rounds. `is_whole` asks for every
    position, so that no theorem suffices; `distance` asks for plies to the end, however long they take to find. `keep`
    names the file in which a search keeps what it proves. `size` is what an earlier run counted: the number of states,
    and whether chance occurs among the first. `refusal` says why the last path that refused did not compile, with file
    and line where a line of the rules is to blame.
    """

    game: Game
    position: Position
    question: Question
    method: Method
    engine: Engine
    kind: Kind
    symmetry: bool
    budget: Budget
    store: Any = None
    is_whole: bool = False
    distance: bool = False
    keep: Path | str | None = None
    size: tuple[int, bool] | None = None
    refusal: str | None = field(default=None, init=False)

    @property
    def asked(self) -> tuple[Game, Position, Question]:
        """The game, the position and the question, as functions that answer take them."""
        return self.game, self.position, self.question

    def view(self, tracks_mover: bool | None = None) -> View:
        """The game under the question, as a view of its own, since views learn what is paid."""
        return View(self.game, self.question, symmetry=self.symmetry, tracks_mover=tracks_mover)

    # ---------------------------------------------------------------- facts

    @cached_property
    def known_theorem(self) -> Theorem | None:
        """The theorem that settles the position; None if there is none, or if none suffices."""
        return None if self.is_whole else find(self.game, self.question, self.position, self.budget, self.kind)

    @property
    def theorem(self) -> bool:
        """Whether a theorem settles the position."""
        return self.known_theorem is not None

    @property
    def hides(self) -> bool:
        """Whether the game hides something from players."""
        return self.game.gives("sees")

    @property
    def common_view(self) -> bool:
        """Whether all players see the same at every state of a game that hides something."""
        return self.sighted[2].differing is None

    @cached_property
    def sighted(self) -> tuple[View, Graph, Sights]:
        """All states from the start on, and what all players see in them."""
        question = Question("competitive", self.question.utility)
        whole = replace(self, position=self.game.position(), question=question, method="graph", symmetry=False)
        view, graph = whole.plain_graph(None, _FIRST_NODES)
        if different_sights(view, graph.keys) is not None:  # most games with different sights show it soon
            return view, graph, common_view(view, graph, range(len(graph)), graph.keys)
        view, graph = whole.whole_graph()
        return view, graph, common_view(view, graph, *kinds_of(view, graph, self.budget))

    def whole_graph(self) -> tuple[View, Graph]:
        """All states, with players kept apart by number, from the engine that suits how many states there are."""
        apart = None if self.game.gives("to_move") else True
        if self.engine == "compiled" or (self.engine == "auto" and self.large):
            try:
                return self.compiled_graph(apart)
            except CannotCompile as reason:
                self.refusal = str(reason)
        return self.plain_graph(apart)

    def of_beliefs(self) -> Task:
        """The same question about players' knowledge, in a game in which all see the same."""
        is_apart = len(self.sighted[1]) <= MOST_APART or goes_by_states(self.game, self.question)
        game = belief_game(hidden_states(*self.sighted, self.budget, merged=not is_apart))
        place, question = game.position_after(self.position), game.asked(self.question)
        asked = replace(self, game=game, position=place, question=question, engine="plain", symmetry=False)
        asked.refusal = self.refusal
        if self.engine == "compiled":
            asked.refusal = "what players know is followed in Python"
        return asked

    @property
    def bound(self) -> str | None:
        """Which players play by policies: `all`, `all but one`; None for fewer or none."""
        return _BOUND.get(self.game.player_count - len(self.question.fixed)) if self.question.fixed else None

    @property
    def by_views(self) -> bool:
        """Whether policies go by what players see: something is hidden, or players move at once soon."""
        return self.hides or TOGETHER in first_movers(self.position)

    @property
    def competes(self) -> bool:
        """Whether players pursue their own utility."""
        return self.question.objective == "competitive"

    @property
    def duel(self) -> bool:
        """Whether there are two players, each pursuing their own utility, and neither plays by a policy."""
        return self.competes and not self.question.fixed and self.game.player_count == 2

    @property
    def discounted(self) -> bool:
        """Whether the rules discount."""
        return self.game.discount != 1

    @property
    def rounds(self) -> bool:
        """Whether rules and question suit a solution in rounds."""
        return may_have_rounds(self.game, self.question)

    @property
    def whole_first(self) -> bool:
        """Whether no layer is kept from an earlier run, and the limits hold as many states as one graph may have."""
        most = self.budget.limits.states
        return (self.store is None or not self.store.has_begun) and (most is None or most > MOST_IN_ONE_GRAPH)

    @cached_property
    def told(self) -> bool:
        """Whether layers can represent the players' goals."""
        return Goals.refusal(self.view()) is None

    @property
    def opposed(self) -> bool:
        """Whether there is one player, or two where one provably loses what the other gets."""
        if self.game.player_count == 1 or View(self.game, Question(), symmetry=False).pays_numbers:
            return True
        return constant_sum(self.game, Question()) is not None

    @cached_property
    def bounded(self) -> bool:
        """Whether one position is asked about, of a puzzle whose bound is proven and in which every move costs."""
        return self._is_puzzle_with("bound") and prove_bound(self.game).is_costly

    @cached_property
    def retraced(self) -> bool:
        """The same of a puzzle whose steps back are proven to be complete, and in which no move brings more than 0."""
        return self._is_puzzle_with("before", "ends") and prove_before(self.game).never_gains

    def _is_puzzle_with(self, *hints: str) -> bool:
        """Whether one position is asked about, of a game of one player who decides everything, with these hints."""
        game = self.game
        if self.is_whole or game.player_count != 1 or game.gives("to_move"):
            return False
        return not self.discounted and self.question.is_plain and all(gives_hint(game, hint) for hint in hints)

    @property
    def large(self) -> bool:
        """Whether there are more positions than the plain engine explores in a moment."""
        return not is_complete(self.first[1])

    @property
    def at_once(self) -> bool:
        """Whether two players move at once at one of the first positions, and not every position is asked for."""
        may_be = self.game.gives("to_move") and self.duel and not self.is_whole
        return may_be and TOGETHER in self.first[1].movers

    @property
    def chance(self) -> bool:
        """Whether chance occurs among the first positions."""
        return CHANCE in self.first[1].movers if self.size is None else self.size[1]

    @property
    def fits(self) -> bool:
        """Whether the limits hold as many positions as an earlier run counted, if there was one."""
        if self.size is None:
            return True
        states, most = self.size[0], self.budget.limits.states
        return (most is None or states <= most) and states * LEAST_BYTES <= self.budget.memory_left()

    @property
    def vast(self) -> bool:
        """Whether one position is asked about, and all may take much of the memory, by a count or a small sample."""
        left = self.budget.memory_left() // _MUCH
        if self.is_whole:
            return False
        if self.size is not None:
            return self.size[0] * LEAST_BYTES > left
        return 2 * rough_size(*self.first, self.budget)[0] * LEAST_BYTES > left

    @property
    def begun(self) -> tuple[View, Graph] | None:
        """The first part, if it has been explored and is more than a first look."""
        found: tuple[View, Graph] | None = self.__dict__.get("first")
        is_look = found is not None and not is_complete(found[1]) and len(found[1].offsets) <= _FIRST_LOOK + 1
        return None if is_look else found

    def keep_size(self, states: int) -> None:
        """Record for later runs how many states a game has that turned out to be large.

        Only for its start: people ask about thousands of later positions, each a different one. Methods asked for by
        name solve small games as well, of which some seem large on a busy machine: they leave a note on more states.
        """
        found = self.__dict__.get("first")
        if self.engine != "auto" or self.size is not None or self.position.history:
            return
        if found is None or is_complete(found[1]) or (self.method != "auto" and states <= PLAIN_EDGES):
            return
        if self.size_note is not None:
            keep("note", self.size_note, b"%d %b\n" % (states, b"chance" if self.chance else b"choice"))

    @cached_property
    def size_note(self) -> str | None:
        """The name of the note on the game's size, under the key of rules, data and position.

        None if there is none: for rules without a key, and questions that are not plain.
        """
        text = key_of(self.game).text if self.question.is_plain else None
        if text is None:
            return None
        view = self.view()
        state, mover = tuple(self.position.state), self.position.mover
        about = ("size", text, state, mover, view.canonical is not None, view.tracks)
        return sha256(repr(about).encode()).hexdigest()[:40]

    # ---------------------------------------------------------------- graphs

    def plain_graph(self, tracks_mover: bool | None = None, at_most: int | None = None) -> tuple[View, Graph]:
        """The whole state graph by the plain engine, or the graph of `at_most` expanded nodes."""
        if at_most is None and self.engine == "auto" and not tracks_mover:
            view, part = self.first
            return view, part if is_complete(part) else self._more(view, part, None)
        view = View(self.game, self.question, symmetry=self.symmetry, tracks_mover=tracks_mover)
        return view, explore_view(view, self.position, self.budget, at_most)

    def compiled_graph(self, tracks_mover: bool | None = None) -> tuple[View, Graph]:
        """The same by the compiled engine; raises `CannotCompile`.

        Where alternating players return to a node of the first part, they are kept apart by number at once.
        """
        if tracks_mover is None and self.begun is not None:
            part = self.begun[1]
            tracks_mover = (part.alternating and part.padded().is_cyclic) or None
        view = self.view(tracks_mover)
        graph = explore_compiled(view, self.position, self.budget)
        self.refusal = None  # the rules were compiled, whatever other paths said
        return view, graph

    @cached_property
    def first(self) -> tuple[View, Graph]:
        """The part that the plain engine finds in about PLAIN_EDGES moves, or in a moment where rules are slow."""
        view, graph = self.plain_graph(None, _FIRST_LOOK)
        first = min(_FIRST_NODES, max(_FIRST_LOOK, nodes_with(_FIRST_EDGES, graph)))
        if is_complete(graph) or (not self.game.gives("to_move") and self._knows()):
            return view, graph
        began = thread_time()
        graph = self._more(view, graph, first)
        counted = nodes_with(PLAIN_EDGES, graph)
        nodes = int(min(counted, nodes_in_time(thread_time() - began, graph)))
        if is_complete(graph) or nodes <= first or self._knows():
            return view, graph
        graph = self._more(view, graph, min(nodes, max(first, counted // _SHARE_BEFORE_SAMPLE)))
        if is_complete(graph) or len(graph.offsets) > nodes or self._is_surely_large(view, graph, nodes):
            return view, graph
        # The same by rules that were compiled and compared before, if there are any.
        own = self.view()
        with suppress(CannotCompile):
            return own, explore_compiled(own, self.position, self.budget, nodes)
        return view, self._more(view, graph, nodes)

    def _more(self, view: View, part: Graph, nodes: int | None) -> Graph:
        """The graph with that many nodes expanded, those of `part` included; without a number, all of them."""
        return explore_on(view, part, self.position, self.budget, nodes)

    def _is_surely_large(self, view: View, graph: Graph, nodes: int) -> bool:
        """Whether a sample shows it, and no more of the game need be seen to know whether chance occurs."""
        if view.has_to_move and CHANCE not in graph.movers:
            return False
        if self.budget.limits.states is not None and self.budget.limits.states < nodes:
            return False  # that many states are soon reached, and prove more than a sample
        return rough_size(view, graph, self.budget)[1] > PLAIN_EDGES

    def _knows(self) -> bool:
        """Whether an earlier run found the game to be large; if so, its rules are compiled and compared by now."""
        note = None if self.size_note is None else kept("note", self.size_note)
        if note is not None:
            states, chance = note.split()
            self.size = int(states), chance == b"chance"
            self.budget.expected = self.size[0]
        return self.size is not None


def is_complete(graph: Graph) -> bool:
    """Whether all nodes of a graph have been expanded."""
    return len(graph.offsets) == len(graph) + 1


def nodes_in_time(seconds: float, begun: Graph) -> float:
    """How many nodes slow rules without chance may be asked about, if those begun took `seconds`; else no limit."""
    if CHANCE in begun.movers or seconds <= _SLOW_EDGE * len(begun.successors):
        return math.inf
    return max(nodes_with(_SLOW_EDGES, begun), int(_SLOW_SECONDS / seconds * (len(begun.offsets) - 1)))


def goes_by_views(position: Position, limits: Limits | None = None) -> bool:
    """Whether players see different things anywhere, or move at once at one of the first positions from there.

    Policies then depend on what a player sees.
    """
    task = Task(position.game, position, Question(), "auto", "auto", "auto", True, Budget(limits))
    return TOGETHER in first_movers(position) or (task.hides and not task.common_view)
