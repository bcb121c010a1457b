"""The steps of solving on one screen: read the plan, follow it, and wrap the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from endsight.answers.solution import Solution
from endsight.answers.source import Solved, Source
from endsight.answers.unfinished import BoundsProgress, telling
from endsight.base.deferred import deferred
from endsight.compiler.choice import ENGINES, LEAST_BYTES, METHODS, Engine, Method, Task, is_complete
from endsight.compiler.refusal import CannotCompile
from endsight.errors import LimitReached, QuestionError, Underway
from endsight.game import Game
from endsight.game.activity import Progress
from endsight.game.arguments import as_kind
from endsight.game.derived import discount_of
from endsight.game.limits import Budget, Limits, in_time
from endsight.game.numbers import Amount, is_settled
from endsight.game.position import Position
from endsight.game.question import Goal, PolicyRule, Question, Utility, player_number
from endsight.games import is_built_in
from endsight.graph.plan import FEW_BOUNDS, MOST_IN_ONE_GRAPH, PLAN, Row, fitting
from endsight.naming.arguments import as_asked

if TYPE_CHECKING:
    from endsight.answers.searching import Way
    from endsight.compiler.engine import CompiledMethod
    from endsight.compiler.looking import Difference
    from endsight.layers.rounds import LayerStore

with deferred(__name__):
    from endsight.answers.auditing import audited
    from endsight.answers.behaviours import by_policy
    from endsight.answers.enclosed import solve_enclosed
    from endsight.answers.followed import FollowedView
    from endsight.answers.graph_values import solved_graph
    from endsight.answers.plans import by_plans
    from endsight.answers.searching import search, search_at_once, search_if_suited
    from endsight.compiler.engine import solve_compiled
    from endsight.graph.explorer import explore_view
    from endsight.graph.graph import Graph
    from endsight.graph.graph_table import GraphTable
    from endsight.graph.objective import View
    from endsight.graph.soundness import require_kept
    from endsight.graph.table import Kind, Table
    from endsight.layers.rounds import find_rounds

Explored: TypeAlias = Callable[[Task, bool | None], tuple[View, Graph]]


MOST_FOR_DISTANCES = 500_000
"""States visited at most in a search for distances, where a theorem settles only who wins."""
MOST_EXACT_AT_ONCE = 100_000
"""By default, a game of simultaneous moves is solved exactly up to this many positions."""
MOST_EDGES_FOR_DISTANCES = 5_000_000
"""The same limit for moves: a few states with thousands of moves each would take minutes."""


@in_time
def solve(
    game: Game | str,
    position: Position | str | None = None,
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
    distance: bool = False,
    keep: Path | str | None = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    bounds: Callable[[Underway], None] | None = None,
) -> Solution:
    """Solve `game` from `position` (default: its start).

    `objective`, `utility`: see `endsight.Question`. `fixed` maps players (by name or number) to policies: a name or a
    `function(game, state) -> move`. `symmetry` merges states by the rules' `canonical`. `engine` `plain` runs the rules
    in Python, `compiled` compiles them first, and `auto` compiles from some 50 000 moves on. See the page "Methods".

    Values are exact, except that games with chance and loops and more than 2 000 positions get proven bounds. `exact`
    insists on exact values, `interval` asks for bounds where chance meets loops, `digits` asks for that many proven
    decimals, and `distance` for plies to the end in games won, drawn or lost, however long the search. A search resumes
    from what it kept in the file `keep`. `progress` receives reports of the work, `bounds` what is proven so far.

    Raises `QuestionError` for a question that does not fit the game, `RulesError` for broken rules, `NoValue` where no
    value is known, and `LimitReached` or, at Ctrl-C, `Interrupted`; both of these report what is proven so far.
    """
    game, asked = as_asked(game, position, "solve")
    if method not in METHODS or engine not in ENGINES:
        raise _no_such(method, engine)
    if {type(symmetry), type(exact), type(interval), type(distance)} != {bool}:
        _check_flags(symmetry=symmetry, exact=exact, interval=interval, distance=distance)
    question = Question(objective, utility, player_numbers(game, fixed) if fixed else {})
    question.check(game)
    if limits is not None or digits is not None or (exact and interval):
        _check_numbers(limits, digits, is_both=exact and interval)
    budget = Budget(limits, progress)
    kind: Kind = "exact" if exact else "interval" if interval else "auto"
    task = Task(game, asked, question, method, engine, kind, symmetry, budget, distance=distance, keep=keep)
    bounds_progress = None if bounds is None else BoundsProgress(asked, question, budget, bounds)
    with telling(asked, question, budget):
        require_sound(asked, question, budget, symmetry=symmetry)
        found = _Asker(task, digits)(asked)
    if bounds_progress is not None:
        bounds_progress.learn(found.proven)
    return found


def _no_such(method: str, engine: str) -> QuestionError:
    kind, name, names = ("engine", engine, ENGINES) if method in METHODS else ("method", method, METHODS)
    return QuestionError(f"there is no {kind} called {name!r}", allowed=", ".join(names))


def _check_flags(**flags: object) -> None:
    """Raise `UsageError` for a flag that is neither True nor False: a text such as "off" would count as True."""
    for name, flag in flags.items():
        as_kind(flag, bool, name, f"{name}=True or {name}=False")


def _check_numbers(limits: Limits | None, digits: int | None, *, is_both: bool) -> None:
    """Raise `UsageError` or `QuestionError` for bad limits or digits, or for exact values and intervals at once."""
    if is_both:
        raise QuestionError("exact values and intervals cannot be combined", allowed="one of them")
    if digits is not None:
        as_kind(digits, int, "digits", "digits=6")
        if digits < 0:
            raise QuestionError("the number of digits cannot be negative", found=str(digits), allowed="0, 1, 2, ...")
    if limits is not None:
        as_kind(limits, Limits, "limits", "endsight.Limits(seconds=60)")


def require_sound(position: Position, question: Question, budget: Budget, *, symmetry: bool) -> None:
    """Raise `RulesError` where a user's rules contradict themselves when asked again, or merge unequal states."""
    if not is_built_in(position.game):
        require_kept(position, question, budget, symmetry=symmetry)


@dataclass(frozen=True, slots=True)
class _Asker:
    """Answers the question of a task at any position; this work is not measured.

    A solution keeps it for positions outside the part it solved. A function that passed itself on would form a
    cycle, so all tables of a solution would wait for the garbage collector.
    """

    task: Task
    digits: int | None

    def __call__(self, place: Position) -> Solution:
        task = replace(self.task, position=place)
        found = _followed(task)
        if self.digits is not None and not _is_settled(found, self.digits):
            found = _followed(replace(task, kind="exact"))
        budget, followed, again = task.budget, found.task, replace(self, task=found.task)
        budget.witness = None  # from here on the source knows everything
        found.source.wants_distances |= task.distance and found.source.is_win_loss and not found.source.holds_all
        searched = partial(_with_distances, followed, found.source)
        asked = followed.game, followed.position, followed.question
        return Solution(*asked, found.source, budget.seconds, again, searched, budget, found.row, task.distance)


class _Found(NamedTuple):
    """The source that answers a question, the row of the plan that was followed, and the task it answers."""

    source: Source
    row: Row
    task: Task


def _is_settled(found: _Found, digits: int) -> bool:
    """Whether the values are known to that many decimals."""
    return all(map(partial(is_settled, digits=digits), found.source.value(found.task.position)))


def _followed(task: Task) -> _Found:
    """The answer by the first row of the plan that does not refuse; a row may lead to another game and its plan."""
    began = process_time()
    source = None
    task.budget.engine, later = "plain", task.budget.later
    for row in fitting(PLAN, task):
        if row.path in _MADE:
            return _followed(_MADE[row.path](task))._replace(row=row)
        task.budget.engine, task.budget.refused = _ENGINES.get(row.path, "plain"), task.refusal
        try:
            source = _PATHS[row.path](task)
        except CannotCompile as reason:
            task.refusal = str(reason)
        if source is not None:
            break
        task.budget.witness, task.budget.guess, task.budget.later = None, None, later  # they may be wrong
    assert source is not None, "the last path refuses nothing"
    if source.engine == "plain":
        source.refusal = task.refusal
    if source.compiled is not None and (wrong := _audited(source, task, process_time() - began)) is not None:
        return _answered_plainly(task, source, wrong)
    if row.path in _COUNTING:
        task.keep_size(source.states)
    if source.merges and source.notion is not None:
        return _followed(replace(task, symmetry=False))  # merged states may break ties in a different order
    return _Found(source, row, task)


def _answered_plainly(task: Task, source: Source, wrong: Difference) -> _Found:
    """The answer from Python in place of wrong compiled rules; what their search kept is discarded."""
    if source.kept_in is not None:
        source.kept_in.unlink(missing_ok=True)
    found = _followed(replace(task, engine="plain"))
    found.source.refusal = f"the compiled answer was wrong: {wrong}"
    return found


def _audited(source: Source, task: Task, taken: float) -> Difference | None:
    task.budget.look(source.states, "looking at the rules again")
    return audited(source, task.position, taken)


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
    store: LayerStore | None = None,
) -> Source:
    """A source with a row for every position reachable from `position`; no theorem is used.

    `method` is `auto`, `graph` or `layers`; `kind` is `exact`, `interval` or `auto` (see `solve`). `store` keeps
    the layers of a game that is solved in rounds, and may already hold some. Raises what `solve` raises.
    """
    question.check(game)
    budget = budget or Budget()
    require_sound(position, question, budget, symmetry=symmetry)
    return _followed(
        Task(game, position, question, method, engine, kind, symmetry, budget, store, is_whole=True)
    ).source


# ---------------------------------------------------------------------- paths


def _by_theorem(task: Task) -> Source | None:
    """The answer by theorem; None where the theorem gives up on who wins because its work grows too large."""
    source = task.known_theorem
    assert source is not None, "there is one on this path"
    if task.method != "auto":
        source.search_on()
    elif source.is_win_loss:
        try:
            source.value(task.position)
        except LimitReached as stop:
            if stop.limit is not None:
                raise
            return None
    return source


def _by_patient_theorem(task: Task) -> Source:
    """The theorem that has given up, which goes on as long as the question allows."""
    source = task.known_theorem
    assert source is not None, "it has given up before"
    source.search_on()
    return source


def _by_sequence_form(task: Task) -> Source:
    source = by_plans(task.game, task.position, task.question, task.kind, task.engine, task.budget)
    task.refusal = source.refusal
    return source


def _followed_policies(task: Task) -> Source:
    fixed = task.question.fixed
    behaviours = [by_policy(task.game, fixed[player]) for player in range(task.game.player_count)]
    view = FollowedView(task.game, task.question.utility, behaviours, task.budget)
    graph = explore_view(view, task.position, task.budget)
    return Solved(GraphTable(view, graph, solved_graph(view, graph, task.budget, task.kind)), view)


def _unopposed(task: Task) -> Source:
    found = f"players: {', '.join(task.game.player_names)}"
    if task.question.fixed:
        found = f"policies for {', '.join(task.game.player_names[player] for player in task.question.fixed)}"
    elif task.question.objective == "cooperative":
        found = "the objective cooperative"
    raise QuestionError(
        f"{task.game.title()} hides something from players, and such games have values only for two opposed players",
        found=found,
        allowed="two players, each after their own utility, with payoffs that add up to a constant",
        advice="endsight exploit GAME POLICY: what policies yield exactly, and what a best reply to them gains",
    )


def _hidden(task: Task) -> Source:
    raise QuestionError(
        f"the method {task.method!r} assumes that players see everything, "
        f"but {task.game.title()} hides something from players",
        allowed="auto",
    )


def _no_discount(task: Task) -> Source:
    raise QuestionError(
        f"the method {task.method!r} does not allow a discount, and {task.game.title()} has one",
        found=f"discount = {discount_of(task.game)}",
        allowed="auto, graph",
    )


def _unsettled(task: Task) -> Source:
    raise QuestionError(
        f"no theorem settles this position of {task.game.title()} under this question", advice="--method auto"
    )


def _too_large(task: Task) -> Source:
    assert task.size is not None, "an earlier run has counted them"
    budget, states = task.budget, task.size[0]
    claim = f"{task.game.title()} is too large here: it has {states:,} positions"
    if budget.limits.states is not None and states > budget.limits.states:
        most = budget.limits.states
        raise LimitReached(f"{claim}, and the limit is {most:,}", advice="a later position, or --method search")
    needed, left = states * LEAST_BYTES / 1e9, budget.memory_left() / 1e9
    raise LimitReached(
        f"{claim}, which need at least {needed:.1f} GB; the limit is {left:.1f} GB",
        advice="a later position, smaller parameters, or --method search for this position alone",
    )


def _by_tree(task: Task, way: Way) -> Source:
    return search(task.game, task.position, task.question, way, symmetry=task.symmetry, budget=task.budget)


def _by_tree_if_suited(task: Task) -> Source | None:
    return search_if_suited(task.game, task.position, task.question, symmetry=task.symmetry, budget=task.budget)


def _by_matrices(task: Task) -> Source | None:
    """Exact values of all positions where there are few, else bounds by a search; None where positions can repeat."""
    if task.kind == "auto":
        found = task.plain_graph(None, MOST_EXACT_AT_ONCE)
        if is_complete(found[1]):
            return _whole_graph(task, lambda *_: found)
    asked = task.game, task.position, task.question
    return search_at_once(*asked, symmetry=task.symmetry, budget=task.budget)


def _compiled(task: Task, method: CompiledMethod) -> Source:
    how: dict[str, Any] = {
        "symmetry": task.symmetry,
        "begun": task.begun,
        "keep": None if task.keep is None else Path(task.keep),
    }
    return solve_compiled(task.game, task.position, task.question, method, budget=task.budget, **how)


def _in_rounds(task: Task) -> Source:
    return find_rounds(
        task.game, task.position, task.question, symmetry=task.symmetry, budget=task.budget, store=task.store
    ).solved()


def _bounds(task: Task, most: int | None = None) -> Source | None:
    return solve_enclosed(
        task.game, task.position, task.question, task.kind, symmetry=task.symmetry, budget=task.budget, most=most
    )


def _leave_witness(budget: Budget, view: View, graph: Graph, rows: Sequence[tuple[Amount, ...]]) -> None:
    """Set the budget's witness, so that whoever stops the work can read these rows."""
    budget.witness = Solved(GraphTable(view, graph, Table(rows, None, [], ""))).proven


def _whole_graph(task: Task, explored: Explored) -> Solved:
    view, graph = explored(task, None)
    if graph.is_cyclic and graph.alternating:
        view, graph = explored(task, True)
    if graph.moves_at_once and task.refusal is not None:
        task.refusal = "players move at once, and only Python explores such games"
    tell = partial(_leave_witness, task.budget, view, graph)
    return Solved(GraphTable(view, graph, solved_graph(view, graph, task.budget, task.kind, tell)))


_PATHS: Mapping[str, Callable[[Task], Source | None]] = {
    "minimax": partial(_by_tree, way="minimax"),
    "alphabeta": partial(_by_tree, way="table"),
    "proof numbers": partial(_compiled, method="proof numbers"),
    "proofnumber": partial(_by_tree, way="proofnumber"),
    "theorem": _by_theorem,
    "sequence form": _by_sequence_form,
    "followed": _followed_policies,
    "unopposed": _unopposed,
    "hidden": _hidden,
    "no discount": _no_discount,
    "patient theorem": _by_patient_theorem,
    "unsettled": _unsettled,
    "too large": _too_large,
    "bounds": _bounds,
    FEW_BOUNDS: partial(_bounds, most=MOST_IN_ONE_GRAPH),
    "rounds": _in_rounds,
    "layers": partial(_compiled, method="layers"),
    "matrix search": _by_matrices,
    "search": partial(_compiled, method="search"),
    "iterative deepening": partial(_compiled, method="iterative deepening"),
    "tree": _by_tree_if_suited,
    "compiled graph": partial(_whole_graph, explored=Task.compiled_graph),
    "graph": partial(_whole_graph, explored=Task.plain_graph),
}
_MADE: Mapping[str, Callable[[Task], Task]] = {"beliefs": Task.of_beliefs}
"""Paths that make another game and read the plan again for it."""
_ENGINES = dict.fromkeys(
    ("layers", "search", "iterative deepening", "proof numbers", "rounds", "bounds", FEW_BOUNDS, "compiled graph"),
    "compiled",
)
_ENGINES |= dict.fromkeys(("theorem", "patient theorem"), "none")
"""What runs the rules on a path, where it is not Python."""
_COUNTING = ("layers", "bounds", FEW_BOUNDS, "compiled graph")
"""Paths that count the states; the count is passed on to later runs."""


def _with_distances(task: Task, source: Source) -> Source | None:
    """A source of distances beside one that says only who wins; None where finding them would take too long."""
    if task.distance and source.counts_plies():
        return source
    small = _small_graph(task)
    if small is not None or not task.distance:
        return small
    # Distances that were asked for are searched for as long as the limits allow.
    searched = _followed(replace(task, method="search", engine="auto")).source
    return searched if searched.holds_all or searched.counts_plies() else None


def _small_graph(task: Task) -> Source | None:
    """The solved graph, where it has few enough states to search for distances."""
    budget = task.budget
    fewer = min(budget.limits.states or MOST_FOR_DISTANCES, MOST_FOR_DISTANCES)
    # Distances are an extra: half of the time remains for the answer itself.
    half = None if budget.seconds_left is None else budget.seconds_left / 2
    limits = replace(budget.limits, states=fewer, seconds=half, since=None)
    small = Budget(limits, budget.progress, edges=MOST_EDGES_FOR_DISTANCES)
    asked = task.game, task.position, task.question
    try:
        return _followed(Task(*asked, "graph", "auto", "auto", task.symmetry, small)).source
    except LimitReached:
        return None


def player_numbers(game: Game, fixed: Mapping[str | int, PolicyRule]) -> dict[int, PolicyRule]:
    """Policies by player number; raises `QuestionError` for an unknown player, and for one with two policies."""
    as_kind(fixed, Mapping, "fixed", f"fixed={{{game.player_names[-1]!r}: 'random'}}")
    numbers = {player: player_number(game, player) for player in fixed}
    policies = {numbers[player]: rule for player, rule in fixed.items()}
    if len(policies) < len(numbers):
        raise QuestionError("a player has two policies", found=repr(dict(fixed)), allowed="one policy per player")
    return policies
