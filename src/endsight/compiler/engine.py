"""The way in: questions answered by compiled rules, as far as they can be.

`solve_compiled` tries one method and gives a `Source`; `explore_compiled` is the twin of
`explorer.explore`. Both raise `CannotCompile` where the plain engine has to do it.
What only some questions need is imported where they are answered: numpy takes longer to
load than many a game to solve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from endsight.compiler.aims import Aims
from endsight.compiler.layers import NeedsTracking, first_kernels, solve_layers
from endsight.compiler.native import Program, is_trusted, trust
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.solved import Solved, SolvedShares, per_player
from endsight.game import Game
from endsight.graph import Graph
from endsight.limits import Budget, Ends
from endsight.numbers import Number
from endsight.objective import NeedsMover, View
from endsight.position import Position
from endsight.question import Question
from endsight.source import Answers, T, TableReader

if TYPE_CHECKING:
    from endsight.compiler.searching import Searcher

__all__ = [
    "CannotCompile",
    "CompiledMethod",
    "CompiledSource",
    "SearchSource",
    "begin_compiled",
    "explore_compiled",
    "solve_compiled",
]

CompiledMethod = Literal["layers", "search", "postorder"]
Sample: TypeAlias = tuple[View, Graph]
"""A part of the graph by the plain engine."""
FirstKernels: TypeAlias = Callable[[CompiledRules, bool], list[Program]]
"""The kernels that are needed next, where moves lead to positions that are found later, or not always."""


def solve_compiled(
    game: Game,
    position: Position,
    question: Question,
    method: CompiledMethod,
    *,
    symmetry: bool,
    budget: Budget,
    begun: Sample | None = None,
) -> CompiledSource | SearchSource:
    """What answers the question: `layers` and `postorder` solve all that is reachable, `search` one position.

    `begun` is what the plain engine has explored already from the position on.
    Raises `CannotCompile` where the rules, the game or the question are not for that
    method, `LimitReached` past a limit, `RulesError` for rules that break their contract.
    """
    solve = _METHODS[method]
    view = View(game, question, symmetry=symmetry)
    try:
        return solve(view, position, budget, begun)
    except NeedsTracking:
        return solve(View(game, question, symmetry=symmetry, tracks_mover=True), position, budget, begun)


def _by_layers(view: View, position: Position, budget: Budget, begun: Sample | None) -> CompiledSource:
    aims = Aims.of(view)
    rules = _trusted(view, position, begun, then=partial(first_kernels, aims=aims))
    return CompiledSource(solve_layers(rules, position, budget, aims), "layers")


def _trusted(view: View, position: Position, begun: Sample | None, then: FirstKernels | None) -> CompiledRules:
    """Trusted rules whose keys are the nodes of that view."""
    symmetry = view.canonical is not None
    return trusted_rules(view.game, position, symmetry=symmetry, tracks_mover=view.tracks, then=then, begun=begun)


def _by_search(view: View, position: Position, budget: Budget, begun: Sample | None) -> SearchSource:
    from endsight.compiler.searching import Searcher

    source = SearchSource(Searcher(_plainly_asked(view, position, begun), budget))
    budget.witness = source.proven
    source.search(position)
    return source


def _in_postorder(view: View, position: Position, budget: Budget, begun: Sample | None) -> CompiledSource:
    from endsight.compiler.postorder import solve_postorder

    return CompiledSource(solve_postorder(_plainly_asked(view, position, begun), position, budget), "search")


_METHODS: Mapping[CompiledMethod, Callable[..., CompiledSource | SearchSource]] = {
    "layers": _by_layers,
    "search": _by_search,
    "postorder": _in_postorder,
}


def _plainly_asked(view: View, position: Position, begun: Sample | None) -> CompiledRules:
    """Trusted rules, for the plain question only."""
    if not view.question.is_plain:
        raise CannotCompile("a search answers only the plain question (own payoff, no policies)")
    return _trusted(view, position, begun, then=None)


def explore_compiled(
    game: Game,
    position: Position,
    question: Question,
    *,
    symmetry: bool = True,
    tracks_mover: bool = False,
    budget: Budget | None = None,
) -> tuple[View, Graph]:
    """The same view and graph as `explorer.explore`, explored by compiled rules."""
    from endsight.compiler.exploring import explore_arrays, graph_of

    budget = budget or Budget()
    view = View(game, question, symmetry=symmetry, tracks_mover=tracks_mover)
    if view.tracks_totals or view.choosers:
        raise CannotCompile("this question adds totals or a policy to the positions")
    try:
        rules = trusted_rules(game, position, symmetry=view.canonical is not None, tracks_mover=view.tracks)
        arrays, _ = explore_arrays(rules, position, budget)
        return view, graph_of(arrays, view)
    except (NeedsMover, NeedsTracking):
        if tracks_mover:
            raise
        return explore_compiled(game, position, question, symmetry=symmetry, tracks_mover=True, budget=budget)


def begin_compiled(
    game: Game,
    position: Position,
    question: Question,
    *,
    at_most: int,
    symmetry: bool,
    tracks_mover: bool,
    budget: Budget,
) -> tuple[View, Graph] | None:
    """The graph of the first `at_most` nodes as `explorer.explore` gives it; None unless the rules are trusted already.

    Raises `CannotCompile` as `explore_compiled` does.
    """
    from endsight.compiler.exploring import explore_arrays, graph_of

    view = View(game, question, symmetry=symmetry, tracks_mover=tracks_mover)
    if view.tracks_totals or view.choosers:
        return None
    rules = CompiledRules.of(game, symmetry=view.canonical is not None, tracks_mover=view.tracks)
    if not is_trusted(rules.program("graph", MOVE_WORDS=0)):
        return None
    try:
        return view, graph_of(explore_arrays(rules, position, budget, at_most=at_most)[0], view)
    except (NeedsMover, NeedsTracking):
        return None


# -------------------------------------------------------------------- trust


def trusted_rules(
    game: Game,
    position: Position,
    *,
    symmetry: bool,
    tracks_mover: bool,
    exchanges: bool = False,
    then: FirstKernels | None = None,
    begun: Sample | None = None,
) -> CompiledRules:
    """Compiled rules that agree with the plain engine on the first positions and on some later ones.

    `then` gives the kernels that are going to be needed: they are compiled at once. `begun`
    is what the plain engine has explored from the position on. What was compared once is
    remembered with the object code. Raises `CannotCompile` where they differ,
    `NeedsTracking` where payoffs turn out to be tuples.
    """
    rules = CompiledRules.of(game, symmetry=symmetry, tracks_mover=tracks_mover, exchanges=exchanges)
    program = rules.program("graph", MOVE_WORDS=0)
    if not is_trusted(program):
        from endsight.compiler.comparing import compare, first_sample, is_ordered

        first = first_sample(rules, position, begun)
        if then is not None:
            from endsight.compiler.aside import compile_together

            compile_together([*then(rules, is_ordered(first[1])), program])
        compare(rules, position, first)
        trust(program)
    return rules


# -------------------------------------------------------------------- answers


class CompiledSource(Answers):
    """Positions solved by compiled rules, asked by position."""

    holds_all = True

    def __init__(self, solved: Solved | SolvedShares, method: str) -> None:
        self.solved = solved
        self.method = method
        self.states = solved.states
        self.edges = solved.edges
        self.merges = solved.rules.has_symmetry
        self.is_win_loss = solved.is_win_loss
        self.notion = solved.notion

    def covers(self, position: Position) -> bool:
        """Whether the position has been solved."""
        return self.solved.answer(position) is not None

    def value(self, position: Position) -> tuple[Number, ...]:
        """Whole-game value per player."""
        answer = self.solved.answer(position)
        assert answer is not None, "only positions that are covered are asked about"
        return answer[0]

    def distance(self, position: Position) -> int | None:
        """Plies to the end, in games that are only won, drawn or lost."""
        answer = self.solved.answer(position)
        return None if answer is None else answer[1]

    def read_by(self, reader: TableReader[T]) -> T:
        """Show the table."""
        return self.solved.read_by(reader, self)


class SearchSource(Answers):
    """Positions proven one by one, when asked for, over one table; verdicts without distances.

    Of a game that its rules prove to be only won, drawn or lost.
    """

    method = "search"
    notion: str | None = None
    is_win_loss = True

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self._known: dict[Any, int] = {}

    @property
    def states(self) -> int:
        """Positions met by all searches so far."""
        return self.searcher.states

    def covers(self, position: Position) -> bool:
        """Whether the position can be searched: it is now, where it has not been yet."""
        try:
            self.search(position)
        except (CannotCompile, NeedsTracking):
            return False
        return True

    def value(self, position: Position) -> tuple[Number, ...]:
        """Value per player of a position that is covered."""
        return per_player(position, self.search(position))

    def search(self, position: Position) -> int:
        """1, 0 or -1 for the mover; raises what `Searcher.value` raises."""
        key = self.searcher.rules.key(position.state, position.mover)
        if key not in self._known:
            self._known[key] = self.searcher.value(position)
        return self._known[key]

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """What the searches so far prove about a position; None for nothing."""
        found = self.searcher.proven(position)
        return None if found is None else _ends_per_player(position, *found)


def _ends_per_player(position: Position, low: int, high: int) -> tuple[Ends, ...]:
    """Proven ends per player, from those of what is to come as the mover sees it."""
    rows = per_player(position, low), per_player(position, high)
    return tuple((min(pair), max(pair)) for pair in zip(*rows, strict=True))
