"""The whole trip on one screen: theorem? else explore, choose an algorithm, run it, wrap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from endsight.algorithms.backward_induction import backward_induction
from endsight.algorithms.retrograde import retrograde
from endsight.arguments import as_game, as_kind, as_position
from endsight.compiler.choice import ENGINES, Engine, Task
from endsight.compiler.refusal import CannotCompile
from endsight.errors import LimitReached, QuestionError, Underway
from endsight.game import Game, Position
from endsight.graph import Graph, with_exchanged
from endsight.graph_source import GraphSource
from endsight.judgement import amount_player, judge, opposed_signs, with_swings_settled
from endsight.limits import Budget, Limits, Progress, in_time
from endsight.numbers import Amount, is_settled
from endsight.objective import View, may_have_rounds
from endsight.question import Goal, PolicyRule, Question, Utility
from endsight.solution import Solution
from endsight.source import Source
from endsight.table import Kind, Table
from endsight.theorems import Theorem, find
from endsight.unfinished import Herald, telling

if TYPE_CHECKING:
    from endsight.searching import Search

if TYPE_CHECKING:
    from endsight.rounds import Shelf

__all__ = ["ENGINES", "METHODS", "Engine", "Method", "player_numbers", "solve", "solve_whole"]

Method = Literal["auto", "theorem", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber"]
MOST_FOR_DISTANCES = 500_000
"""States met in search of distances beside a theorem that settles only who wins."""
MOST_EDGES_FOR_DISTANCES = 5_000_000
"""The same for moves: few states with thousands of moves each would take minutes."""

MOST_IN_ONE_GRAPH = 1_000_000
"""States beyond which a game with chance and layers is solved layer by layer."""

LEAST_BYTES = 16
"""A state takes at least so many by every method that solves all states: a slot of a table, and a place in a list."""

METHODS: tuple[Method, ...] = (
    "auto", "theorem", "graph", "layers", "search", "minimax", "alphabeta", "proofnumber",
)  # fmt: skip


@in_time
def solve(
    game: Game,
    position: Position | None = None,
    *,
    objective: Goal = "competitive",
    utility: Utility = "payoff",
    fixed: Mapping[str | int, PolicyRule] | None = None,
    method: Method = "auto",
    engine: Engine = "auto",
    symmetry: bool = True,
    exact: bool = False,
    interval: bool = False,
    digits: int | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    bounds: Callable[[Underway], None] | None = None,
) -> Solution:
    """Solve `game` from `position` (default: its start).

    `objective`, `utility`: see `endsight.Question`. `fixed` gives players (by name or
    number) a policy: a name, or `function(game, state) -> move`. `method`: `auto` uses a
    theorem where one settles the position, else solves all that is reachable; `theorem`
    insists on one. The others use none: `graph` keeps the state graph, `layers` solves it
    backwards without keeping moves (with chance, by the rules' `layer`), `search` proves one
    position, and so do `minimax` (every line of play), `alphabeta` (with a table) and
    `proofnumber` (who wins).
    `symmetry` merges states by the rules' `canonical`. `engine`: `plain` runs the rules in
    Python, `compiled` compiles them first, `auto` does so from some 50 000 moves on. Rules or
    questions that cannot be compiled are answered plainly; the source's `refusal` then says why.

    Values are exact, but for games with chance and loops of more than 2 000 positions:
    those are enclosed between proven ends. `exact` insists on exact values, `interval`
    asks for ends where chance meets loops at all, `digits` for decimals proven to so many
    places at the position asked about.

    `progress` is called now and then with what is being done and how many states have been
    met; `bounds` at first and now and then with what is proven about the position asked about.

    Raises `QuestionError` for a question that makes no sense for the game, `RulesError`
    for rules that break their contract, `NoValue` where loops leave no value that can be told,
    `LimitReached` past one of `limits` and `Interrupted` (a `KeyboardInterrupt`) at Ctrl-C;
    both tell what is proven by then.
    """
    game = as_game(game, "solve")
    asked = game.position() if position is None else as_position(position, game, "solve")
    if method not in METHODS:
        raise QuestionError(f"no method is called {method!r}", allowed=", ".join(METHODS))
    question = Question(objective, utility, player_numbers(game, fixed or {}))
    question.check(game)
    if engine not in ENGINES:
        raise QuestionError(f"no engine is called {engine!r}", allowed=", ".join(ENGINES))
    if exact and interval:
        raise QuestionError("exact values and intervals cannot both be asked for", allowed="one of them")
    if digits is not None:
        as_kind(digits, int, "digits", "digits=6")
        if digits < 0:
            raise QuestionError("no number has fewer than 0 digits", found=str(digits), allowed="0, 1, 2, ...")
    if limits is not None:
        as_kind(limits, Limits, "limits", "endsight.Limits(seconds=60)")
    budget = Budget(limits, progress)
    kind: Kind = "exact" if exact else "interval" if interval else "auto"

    asker = _Asker(game, question, method, symmetry, budget, kind, engine, digits)
    herald = None if bounds is None else Herald(asked, question, budget, bounds)
    with telling(asked, question, budget):
        found = asker(asked)
    if herald is not None:
        herald.learn(found.proven)
    return found


@dataclass(frozen=True, slots=True)
class _Asker:
    """Answers one question at any position.

    Solutions keep it for positions outside of what they solved. A function that hands itself
    on would form a cycle, and all tables of a solution would wait for the garbage collector.
    """

    game: Game
    question: Question
    method: Method
    symmetry: bool
    budget: Budget
    kind: Kind
    engine: Engine
    digits: int | None

    def __call__(self, place: Position) -> Solution:
        source = self._source(place, self.kind)
        if self.digits is not None and not all(map(partial(is_settled, digits=self.digits), source.value(place))):
            source = self._source(place, "exact")
        self.budget.witness = None  # the source knows it all from here on
        searched = partial(_searched, self.game, place, self.question, self.symmetry, self.budget)
        return Solution(self.game, place, self.question, source, self.budget.seconds, self, searched, self.budget)

    def _source(self, place: Position, kind: Kind) -> Source:
        return _source(self.game, place, self.question, self.method, self.symmetry, self.budget, kind, self.engine)


def _source(
    game: Game,
    position: Position,
    question: Question,
    method: Method,
    symmetry: bool,
    budget: Budget,
    kind: Kind = "auto",
    engine: Engine = "auto",
) -> Source:
    """What answers the question: a theorem, or the solved graph."""
    found = _found(game, position, question, method, symmetry, budget, kind, engine)
    if _may_break_ties_otherwise(found):
        return _found(game, position, question, method, False, budget, kind, engine)
    return found


def _may_break_ties_otherwise(source: Source) -> bool:
    """Whether values rest on ties, which states that were merged may break in other orders."""
    return source.merges and source.notion is not None


def _found(
    game: Game,
    position: Position,
    question: Question,
    method: Method,
    symmetry: bool,
    budget: Budget,
    kind: Kind,
    engine: Engine,
) -> Source:
    """A source by the method that is asked for."""
    if method == "minimax" or method == "alphabeta" or method == "proofnumber":
        from endsight.searching import search

        way: Search = "table" if method == "alphabeta" else method
        return search(game, position, question, way, symmetry=symmetry, budget=budget)
    task = Task(game, position, question, engine, symmetry, budget)
    theorem = None
    if method in ("auto", "theorem"):
        theorem = find(game, question, position, budget, ends=kind == "interval")
    if theorem is not None:
        return _by_theorem(theorem, task) if method == "auto" else theorem
    if method == "theorem":
        raise QuestionError(
            f"no theorem settles this position of {game.title()} under this question", advice="--method auto"
        )
    return _without_theorem(task, method, kind)


def _by_theorem(source: Theorem, task: Task) -> Source:
    """The theorem, or a search where the theorem gives up on who wins (its work grows too large)."""
    if not source.is_win_loss:
        return source
    try:
        source.value(task.position)
    except LimitReached as stop:
        found = task.solved("search") if stop.limit is None else None
        if found is None:
            raise
        return found
    return source


def solve_whole(
    game: Game,
    position: Position,
    question: Question,
    *,
    method: Method = "auto",
    engine: Engine = "auto",
    symmetry: bool = True,
    kind: Kind = "auto",
    budget: Budget | None = None,
    shelf: Shelf | None = None,
) -> Source:
    """A source that holds a row for every position reachable from `position`; no theorem is used.

    `method` is `auto`, `graph` or `layers`; `kind` is `exact`, `interval` or `auto` (see
    `solve`). `shelf` keeps the layers of a game that is solved in rounds, and may know some
    already. Raises what `solve` raises.
    """
    question.check(game)
    budget = budget or Budget()
    found = _without_theorem(Task(game, position, question, engine, symmetry, budget), method, kind, shelf)
    if _may_break_ties_otherwise(found):
        return _without_theorem(Task(game, position, question, engine, False, budget), method, kind, shelf)
    return found


def _without_theorem(task: Task, method: Method, kind: Kind, shelf: Shelf | None = None) -> Source:
    if method in ("auto", "layers") and kind != "exact":
        source = _in_rounds(task, method, kind, shelf)
        if source is not None:
            return source
    if method != "search" and task.is_large:
        _refuse_known(task)
    source = _compiled(task, method, kind) or _whole_graph(task, kind)
    if method != "search":
        task.keep_size(source.states)
    return source


def _refuse_known(task: Task) -> None:
    """Raise `LimitReached` where an earlier run has found more states than the limits hold."""
    if task.known is None:
        return
    budget, states = task.budget, task.known[0]
    budget.expected = states
    most, memory = budget.limits.states, budget.memory_left()
    claim = f"{task.game.title()} has {states:,} positions to tell apart here"
    if most is not None and states > most:
        raise LimitReached(f"{claim}, more than {most:,}", advice="a later position, or --method search")
    if states * LEAST_BYTES > memory:
        raise LimitReached(
            f"{claim}: at least {states * LEAST_BYTES / 1e9:.1f} GB, of which {memory / 1e9:.1f} may be used",
            advice="a later position, smaller parameters, or --method search for this position alone",
        )


def _compiled(task: Task, method: Method, kind: Kind) -> Source | None:
    """What the compiled engine's own methods find; None where they are not wanted or refuse."""
    if method == "layers":
        return task.solved(method)
    if method == "search":
        return task.solved(method) or _plainly_searched(task)
    if method != "auto":
        return None
    if task.suits_layers:
        return task.solved("layers")
    return _enclosed(task, kind) if task.suits_enclosing else None


def _in_rounds(task: Task, method: Method, kind: Kind, shelf: Shelf | None) -> Source | None:
    """Bounds found layer by layer, where the rules say layers and the graph is too large; None where that refuses."""
    if not may_have_rounds(task.game, task.question) or task.engine == "plain" or not task.is_large:
        return None
    from endsight.rounds import solve_rounds

    game, position, question, budget = task.game, task.position, task.question, task.budget
    try:
        if method == "auto" and (shelf is None or not shelf.has_begun):
            whole = _whole_if_fewer(task, kind)
            if whole is not None:
                return whole
        return solve_rounds(game, position, question, symmetry=task.symmetry, budget=budget, shelf=shelf)
    except CannotCompile as reason:
        task.refusal = str(reason)
        return None


def _whole_if_fewer(task: Task, kind: Kind) -> Source | None:
    """The whole graph enclosed, unless it has more than MOST_IN_ONE_GRAPH states."""
    from endsight.enclosed import solve_enclosed

    limits = task.budget.limits
    if limits.states is not None and limits.states <= MOST_IN_ONE_GRAPH:
        return None
    fewer = replace(limits, states=MOST_IN_ONE_GRAPH, seconds=task.budget.seconds_left, since=None)
    budget = Budget(fewer, task.budget.progress)
    try:
        return solve_enclosed(task.game, task.position, task.question, kind, symmetry=task.symmetry, budget=budget)
    except LimitReached as stop:
        if stop.limit != "states":
            raise
        return None


def _plainly_searched(task: Task) -> Source | None:
    """Alpha-beta with a table in plain Python, where rules cannot be compiled; None where it does not suit the game."""
    from endsight.searching import search

    try:
        return search(task.game, task.position, task.question, "table", symmetry=task.symmetry, budget=task.budget)
    except QuestionError:
        return None


def _enclosed(task: Task, kind: Kind) -> Source | None:
    """Bounds of a large game with chance and loops, found on arrays; None where that refuses."""
    from endsight.enclosed import solve_enclosed

    try:
        return solve_enclosed(task.game, task.position, task.question, kind, symmetry=task.symmetry, budget=task.budget)
    except CannotCompile as reason:
        task.refusal = str(reason)
        return None


def _whole_graph(task: Task, kind: Kind) -> Source:
    view, graph = task.graph()
    if graph.is_cyclic and graph.alternating:
        view, graph = task.graph(tracks_mover=True)

    def tell(rows: Sequence[tuple[Amount, ...]]) -> None:
        task.budget.witness = GraphSource(view, graph, Table(rows, None, [], "")).proven

    source = GraphSource(view, graph, solved_graph(view, graph, task.budget, kind, tell))
    source.refusal = task.refusal
    return source


def solved_graph(
    view: View,
    graph: Graph,
    budget: Budget,
    kind: Kind = "auto",
    tell: Callable[[Sequence[tuple[Amount, ...]]], None] | None = None,
) -> Table:
    """The table of a graph that keeps players apart by number; `NoValue` where no value can be told.

    Bounds that are found before exact values are told to `tell`.
    """
    tell = tell or (lambda _: None)
    reason = judge(graph, view)
    if reason is None:
        return _table(graph, budget, kind, tell)
    table = _whatever_swings(graph, budget, kind) if reason.hinges else None
    if table is None:
        raise reason.error()
    return table


def _whatever_swings(graph: Graph, budget: Budget, kind: Kind) -> Table | None:
    """The table where best play has no use for loops on which totals go up and down; None where it may have.

    Whoever wants more is safe with the choices for the least that such loops may pay, whoever
    wants less with those for the most. Where both give the same values, such play never stays there.
    """
    least, most = (_table(each, budget, kind, lambda _: None) for each in with_swings_settled(graph))
    signs = opposed_signs(graph)
    assert signs is not None, "other reasons come first"
    wants_more = [signs[mover] > 0 for mover in graph.movers]
    if (not graph.has_one_amount and len(set(wants_more)) > 1) or list(least.values) != list(most.values):
        return None
    tables = [least if more else most for more in wants_more]
    return replace(
        least,
        choices=[table.choices[node] for node, table in enumerate(tables)],
        forced={node: table.forced[node] for node, table in enumerate(tables) if node in table.forced},
    )


def _table(graph: Graph, budget: Budget, kind: Kind, tell: Callable[[Sequence[tuple[Amount, ...]]], None]) -> Table:
    """The algorithm that fits the graph; bounds that it finds before exact values are told."""
    if not graph.is_cyclic:
        return backward_induction(graph, budget)
    player = amount_player(graph)
    if player:
        table = _looped(graph.exchanged(player), budget, kind, tell)
        return replace(table, values=[with_exchanged(row, player) for row in table.values])
    return _looped(graph, budget, kind, tell)


def _looped(graph: Graph, budget: Budget, kind: Kind, tell: Callable[[Sequence[tuple[Amount, ...]]], None]) -> Table:
    if not graph.has_chance:
        return retrograde(graph, budget)
    # Loops with chance need the exact linear algebra; nothing else should wait for it to load.
    from endsight.algorithms.policy_iteration import policy_iteration

    return policy_iteration(graph, kind, budget, tell)


def _searched(game: Game, position: Position, question: Question, symmetry: bool, budget: Budget) -> Source | None:
    """The solved graph, where it has few enough states to look for distances."""
    fewer = min(budget.limits.states or MOST_FOR_DISTANCES, MOST_FOR_DISTANCES)
    # Distances are an extra: half of the time stays for the answer itself.
    half = None if budget.seconds_left is None else budget.seconds_left / 2
    limits = replace(budget.limits, states=fewer, seconds=half, since=None)
    try:
        return _source(
            game, position, question, "graph", symmetry, Budget(limits, budget.progress, edges=MOST_EDGES_FOR_DISTANCES)
        )
    except LimitReached:
        return None


def player_numbers(game: Game, fixed: Mapping[str | int, PolicyRule]) -> dict[int, PolicyRule]:
    """Policies by player number; raises `QuestionError` for a player who is not there."""
    as_kind(fixed, Mapping, "fixed", f"fixed={{{game.player_names[-1]!r}: 'random'}}")
    names = game.player_names
    numbered: dict[int, PolicyRule] = {}
    for player, rule in fixed.items():
        if isinstance(player, str):
            if player not in names:
                raise QuestionError(f"{game.title()} has no player {player!r}", allowed=", ".join(names))
            player = names.index(player)
        numbered[player] = rule
    return numbered
