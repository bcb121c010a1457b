"""The paths of the plan: what each does with a task to make the source of its answers, or why it refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from endsight.answers.source import Solved, Source
from endsight.base.deferred import deferred
from endsight.engine.choice import ENGINES, LEAST_BYTES, METHODS, Task, is_complete
from endsight.errors import EndsightError, LimitReached, QuestionError
from endsight.game.arguments import as_kind
from endsight.game.derived import discount_of
from endsight.game.limits import Budget, Limits, size_text
from endsight.game.numbers import Amount, count_text
from endsight.graph.plan import FEW_BOUNDS, MOST_IN_ONE_GRAPH

if TYPE_CHECKING:
    from endsight.answers.searching import Way
    from endsight.engine.entry import CompiledMethod

with deferred(__name__):
    from endsight.answers.enclosed import solve_enclosed
    from endsight.answers.graph_values import solved_graph
    from endsight.answers.plans import FollowedView, by_plans, require_past
    from endsight.answers.replies import Replied
    from endsight.answers.searching import search, search_at_once, search_if_suited
    from endsight.engine.entry import solve_compiled
    from endsight.graph.explorer import explore_view
    from endsight.graph.graph import Graph
    from endsight.graph.graph_table import GraphTable
    from endsight.graph.objective import View
    from endsight.graph.table import Table
    from endsight.layers.rounds import find_rounds

Explored: TypeAlias = "Callable[[Task, bool | None], tuple[View, Graph]]"


class SolvingPath(NamedTuple):
    """What one path of the plan does.

    follow  makes the source of a task's answers; None where the path refuses
    engine  what runs the rules on it, as far as is known before
    counts  whether it counts the states, for later runs to know
    """

    follow: Callable[[Task], Source | None]
    engine: Literal["plain", "compiled", "none"] = "plain"
    counts: bool = False


MOST_EXACT_AT_ONCE = 100_000
"""By default, a game of simultaneous moves is solved exactly up to this many positions."""


def _by_theorem(task: Task, *, is_patient: bool = False) -> Source | None:
    """The answer by theorem; None where the theorem gives up on who wins because its work grows too large.

    Where it `is_patient`, it goes on as long as the question allows.
    """
    source = task.known_theorem
    assert source is not None, "there is one on this path"
    task.budget.engine = source.engine
    if is_patient or task.method != "auto":
        source.search_on()
    elif source.gives_up(task.position):
        return None
    return source


def _by_sequence_form(task: Task) -> Source:
    source = by_plans(*task.asked, task.kind, task.engine, task.budget)
    task.refusal = source.refusal
    return source


def _followed_policies(task: Task) -> Source:
    view = FollowedView(task.game, task.question.utility, task.question.fixed, task.budget)
    graph = explore_view(view, task.position, task.budget)
    return Solved(GraphTable(view, graph, solved_graph(view, graph, task.budget, task.kind)), view)


def _best_reply(task: Task) -> Source:
    require_past(task.position)
    return Replied(task.game, task.question, task.budget)


def _by_tree(task: Task, way: Way) -> Source:
    return search(task.view(), task.position, way, task.budget)


def _by_tree_if_suited(task: Task) -> Source | None:
    return search_if_suited(task.view(), task.position, task.budget)


def _by_matrices(task: Task) -> Source | None:
    """Exact values of all positions where there are few, else bounds by a search; None where positions can repeat."""
    if task.kind == "auto":
        explored = task.plain_graph(None, MOST_EXACT_AT_ONCE)
        if is_complete(explored[1]):
            return _whole_graph(task, lambda *_: explored)
    return search_at_once(task.view(), task.position, symmetry=task.symmetry, budget=task.budget)


def _compiled(task: Task, method: CompiledMethod) -> Source:
    return solve_compiled(task.view(), task.position, method, task.budget, task.begun, task.keep)


def _in_rounds(task: Task) -> Source:
    return find_rounds(*task.asked[1:], symmetry=task.symmetry, budget=task.budget, store=task.store).solved()


def _bounds(task: Task, most: int | None = None) -> Source | None:
    return solve_enclosed(task.view(), task.position, task.kind, task.budget, most)


def _leave_witness(budget: Budget, view: View, graph: Graph, rows: Sequence[tuple[Amount, ...]]) -> None:
    """Set the budget's witness, so that whoever stops the work can read these rows."""
    budget.witness = Solved(GraphTable(view, graph, Table(rows, None, [], ""))).proven


def _whole_graph(task: Task, explored: Explored) -> Solved:
    view, graph = explored(task, None)
    if graph.is_cyclic and graph.alternating:
        view, graph = explored(task, True)
    if graph.moves_at_once and task.refusal is not None:
        task.refusal = task.budget.refused = "players move at once, and only Python explores such games"
    tell = partial(_leave_witness, task.budget, view, graph)
    return Solved(GraphTable(view, graph, solved_graph(view, graph, task.budget, task.kind, tell)))


PATHS: Mapping[str, SolvingPath] = {
    "minimax": SolvingPath(partial(_by_tree, way="minimax")),
    "alphabeta": SolvingPath(partial(_by_tree, way="table")),
    "proof numbers": SolvingPath(partial(_compiled, method="proof numbers"), "compiled"),
    "proofnumber": SolvingPath(partial(_by_tree, way="proofnumber")),
    "theorem": SolvingPath(_by_theorem, "none"),
    "sequence form": SolvingPath(_by_sequence_form, "compiled"),
    "followed": SolvingPath(_followed_policies),
    "best reply": SolvingPath(_best_reply),
    "patient theorem": SolvingPath(partial(_by_theorem, is_patient=True), "none"),
    "bounds": SolvingPath(_bounds, "compiled", counts=True),
    FEW_BOUNDS: SolvingPath(partial(_bounds, most=MOST_IN_ONE_GRAPH), "compiled", counts=True),
    "rounds": SolvingPath(_in_rounds, "compiled"),
    "layers": SolvingPath(partial(_compiled, method="layers"), "compiled", counts=True),
    "matrix search": SolvingPath(_by_matrices),
    "search": SolvingPath(partial(_compiled, method="search"), "compiled"),
    "iterative deepening": SolvingPath(partial(_compiled, method="iterative deepening"), "compiled"),
    "bidirectional search": SolvingPath(partial(_compiled, method="bidirectional search"), "compiled"),
    "tree": SolvingPath(_by_tree_if_suited),
    "compiled graph": SolvingPath(partial(_whole_graph, explored=Task.compiled_graph), "compiled", counts=True),
    "graph": SolvingPath(partial(_whole_graph, explored=Task.plain_graph)),
}


# ---------------------------------------------------------------------- questions that are refused


def no_such(method: str, engine: str) -> QuestionError:
    """The error for a method or an engine that does not exist."""
    kind, name, names = ("engine", engine, ENGINES) if method in METHODS else ("method", method, METHODS)
    return QuestionError(f"there is no {kind} called {name!r}", allowed=", ".join(names))


def check_numbers(limits: Limits | None, digits: int | None, *, is_both: bool) -> None:
    """Raise `UsageError` or `QuestionError` for bad limits or digits, or for exact values and intervals at once."""
    if is_both:
        raise QuestionError("exact values and intervals cannot be combined", allowed="one of them")
    if digits is not None:
        as_kind(digits, int, "digits", "digits=6")
        if digits < 0:
            raise QuestionError("the number of digits cannot be negative", found=str(digits), allowed="0, 1, 2, ...")
    if limits is not None:
        as_kind(limits, Limits, "limits", "endsight.Limits(seconds=60)")


def _unopposed(task: Task) -> EndsightError:
    found = f"players: {', '.join(task.game.player_names)}"
    if task.question.fixed:
        found = f"policies for {', '.join(task.game.player_names[player] for player in task.question.fixed)}"
    elif task.question.objective == "cooperative":
        found = "the objective cooperative"
    if task.game.discount != 1:
        found += f"; discount = {discount_of(task.game)}"
    return QuestionError(
        f"{task.game.title()} hides something from players, and such games have values only for two opposed players",
        found=found,
        allowed="two players, each after their own utility, with payoffs that add up to a constant; "
        "or policies for all players but one, in rules without discount",
        advice="endsight exploit GAME POLICY: what policies yield exactly, and what a best reply to them gains",
    )


def _hidden(task: Task) -> EndsightError:
    return QuestionError(
        f"the method {task.method!r} assumes that players see everything, "
        f"but {task.game.title()} hides something from players",
        allowed="auto",
    )


def _no_discount(task: Task) -> EndsightError:
    return QuestionError(
        f"the method {task.method!r} does not allow a discount, and {task.game.title()} has one",
        found=f"discount = {discount_of(task.game)}",
        allowed="auto, graph",
    )


def _unsettled(task: Task) -> EndsightError:
    return QuestionError(
        f"no theorem settles this position of {task.game.title()} under this question", advice="--method auto"
    )


def _too_large(task: Task) -> EndsightError:
    assert task.size is not None, "an earlier run has counted them"
    budget, states = task.budget, task.size[0]
    claim = f"{task.game.title()} is too large here: it has {count_text(states, 'position')}"
    if budget.limits.states is not None and states > budget.limits.states:
        most = budget.limits.states
        advice = "a later position, or --method search"
        return LimitReached(f"{claim}, and the limit is {most:,}", advice=advice, limit="states")
    needed, left = size_text(states * LEAST_BYTES, 2), size_text(budget.memory_left(), 2)
    return LimitReached(
        f"{claim}, which need at least {needed}; {left} of memory may still be used",
        advice="a later position, smaller parameters, or --method search for this position alone",
        limit="memory",
    )


REFUSALS: Mapping[str, Callable[[Task], EndsightError]] = {
    "unopposed": _unopposed,
    "hidden": _hidden,
    "no discount": _no_discount,
    "unsettled": _unsettled,
    "too large": _too_large,
}
"""What a refusing row of the plan raises, by its path."""
