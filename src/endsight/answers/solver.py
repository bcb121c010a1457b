"""The steps of solving on one screen: read the plan, follow it, and wrap the result.

`solve` makes a `Task` of what is asked (`engine.choice`). `_answered` reads the plan for it (`graph.plan`) and follows
the path of the first row that fits and does not refuse (`paths`); what compiled rules say is looked at again
(`auditing`). The `Source` at the end of the path knows values and moves, and a `Solution` asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from endsight.answers.paths import PATHS, REFUSALS, SolvingPath, check_numbers, no_such
from endsight.answers.solution import Solution
from endsight.answers.source import Source
from endsight.answers.unfinished import BoundsProgress, telling
from endsight.base.deferred import deferred
from endsight.compiler.refusal import CannotCompile
from endsight.engine.choice import ENGINES, METHODS, Engine, Method, Task
from endsight.errors import Underway
from endsight.game import Game
from endsight.game.arguments import check_flags
from endsight.game.limits import Budget, Limits, Progress, in_time
from endsight.game.numbers import is_settled
from endsight.game.position import Position
from endsight.game.question import Goal, PolicyRule, Question, Utility, question_about
from endsight.games import is_built_in
from endsight.graph.plan import PLAN, Case, fitting
from endsight.naming.arguments import as_asked

if TYPE_CHECKING:
    from endsight.engine.comparing import Difference
    from endsight.graph.table import Kind
    from endsight.layers.rounds import LayerStore

with deferred(__name__):
    from endsight.answers.auditing import audited
    from endsight.graph.soundness import require_alike, require_kept
    from endsight.identity.watch import Watch

MOST_FOR_DISTANCES = 500_000
"""States visited at most in a search for distances, where a theorem settles only who wins."""
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
        raise no_such(method, engine)
    if {type(symmetry), type(exact), type(interval), type(distance)} != {bool}:
        check_flags(symmetry=symmetry, exact=exact, interval=interval, distance=distance)
    question = question_about(game, objective, utility, fixed)
    if limits is not None or digits is not None or (exact and interval):
        check_numbers(limits, digits, is_both=exact and interval)
    budget = Budget(limits, progress)
    kind: Kind = "exact" if exact else "interval" if interval else "auto"
    task = Task(game, asked, question, method, engine, kind, symmetry, budget, distance=distance, keep=keep)
    bounds_progress = None if bounds is None else BoundsProgress(asked, question, budget, bounds)
    with telling(asked, question, budget):
        if not is_built_in(game):
            require_kept(asked, question, budget, symmetry=symmetry)
        solution = (_Asker if is_built_in(game) and not question.fixed else _watching)(task, digits)(asked)
    if bounds_progress is not None:
        bounds_progress.learn(solution.proven)
    return solution


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
    if not is_built_in(game):
        require_kept(position, question, budget, symmetry=symmetry)
    return _answered(
        Task(game, position, question, method, engine, kind, symmetry, budget, store, is_whole=True)
    ).source


@dataclass(frozen=True, slots=True)
class _Asker:
    """Answers the question of a task at any position; this work is not measured.

    A solution keeps it for positions outside the part it solved. A function that passed itself on would form a
    cycle, so all tables of a solution would wait for the garbage collector.
    """

    task: Task
    digits: int | None

    def __call__(self, place: Position) -> Solution:
        answer = _answered(replace(self.task, position=place))
        if self.digits is not None and not answer.is_settled(self.digits):
            answer = _answered(replace(self.task, position=place, kind="exact"))
        source, row, task = answer
        task.budget.witness = None  # from here on the source knows everything
        source.wants_distances |= task.distance and source.is_win_loss and not source.holds_all
        asked, again = (task.game, task.position, task.question, source), replace(self, task=task)
        searched = partial(_with_distances, task, source)
        return Solution(*asked, task.budget.seconds, again, searched, task.budget, row, task.distance)


@dataclass(frozen=True, slots=True)
class _Watching:
    """Answers by `ask` as long as the rules and policies are those of the first answer."""

    ask: Callable[[Position], Solution]
    watch: Watch

    def __call__(self, place: Position) -> Solution:
        self.watch.require_same()
        solution = self.ask(place)
        self.watch.accept()
        source = solution.source
        alike = partial(require_alike, place, merges=source.merges, exchanges=source.exchanges)
        again = replace(self, ask=solution.again)
        return replace(solution, require_same=self.watch.require_same, require_alike=alike, again=again)


def _watching(task: Task, digits: int | None) -> _Watching:
    return _Watching(_Asker(task, digits), Watch(task.game, task.question.fixed))


class _Answer(NamedTuple):
    """The source that answers a question, the row of the plan that was followed, and the task it answers."""

    source: Source
    row: Case
    task: Task

    def is_settled(self, digits: int) -> bool:
        """Whether the values are known to that many decimals."""
        return all(is_settled(value, digits) for value in self.source.value(self.task.position))


def _answered(task: Task) -> _Answer:
    """The audited answer of the first path of the plan that does not refuse; some lead to another game and its plan."""
    began = process_time()
    task.budget.engine, task.budget.refused = "plain", task.refusal
    for row in fitting(PLAN, task):
        if row.path in REFUSALS:
            raise REFUSALS[row.path](task)
        if row.path == "beliefs":  # the plan is read again, for another game
            return _answered(task.of_beliefs())._replace(row=row)
        if (source := _followed(PATHS[row.path], task)) is not None:
            break
    assert source is not None, "the last path refuses nothing"
    if source.compiled is not None and (wrong := _audited(source, task, process_time() - began)) is not None:
        return _answered_plainly(task, source, wrong)
    if PATHS[row.path].counts:
        task.keep_size(source.states)
    if source.merges and source.notion is not None:
        return _answered(replace(task, symmetry=False))  # merged states may break ties in a different order
    return _Answer(source, row, task)


_WHY_NOT = {("plain", "compiled"): "this method works in Python"}
"""Why rules are not compiled that could be, by the engine that runs them and the one that was asked for."""


def _followed(path: SolvingPath, task: Task) -> Source | None:
    """The source at the end of the path; None where it refuses, and `task.refusal` says which rules do not compile."""
    budget, later, source = task.budget, task.budget.later, None
    budget.engine, budget.refused = path.engine, task.refusal or _WHY_NOT.get((path.engine, task.engine))
    try:
        source = path.follow(task)
    except CannotCompile as reason:
        task.refusal = str(reason)
    if source is None:
        budget.engine, budget.refused = "plain", task.refusal
        budget.witness, budget.guess, budget.later = None, None, later  # they may be wrong
    elif source.engine == "plain":
        source.refusal = task.refusal or _WHY_NOT.get((source.engine, task.engine))
    return source


def _answered_plainly(task: Task, source: Source, wrong: Difference) -> _Answer:
    """The answer from Python in place of wrong compiled rules; what their search kept is discarded."""
    if source.kept_in is not None:
        source.kept_in.unlink(missing_ok=True)
    answer = _answered(replace(task, engine="plain"))
    answer.source.refusal = f"the compiled answer was wrong: {wrong}"
    return answer


def _audited(source: Source, task: Task, taken: float) -> Difference | None:
    task.budget.look(source.states, "looking at the rules again")
    return audited(source, task.position, taken)


def _with_distances(task: Task, source: Source) -> Source | None:
    """A source of distances beside one that says only who wins; None where finding them would take too long."""
    if task.distance and source.counts_plies():
        return source
    small = _small_graph(task)
    if small is not None or not task.distance:
        return small
    # Distances that were asked for are searched for as long as the limits allow.
    searched = _answered(replace(task, method="search", engine="auto")).source
    return searched if searched.holds_all or searched.counts_plies() else None


def _small_graph(task: Task) -> Source | None:
    """The solved graph, where it has few enough states to search for distances."""
    budget = task.budget
    fewer = min(budget.limits.states or MOST_FOR_DISTANCES, MOST_FOR_DISTANCES)
    # Distances are an extra: half of the time remains for the answer itself.
    half = None if budget.seconds_left is None else budget.seconds + budget.seconds_left / 2
    small = budget.within(states=fewer, seconds=half, memory=budget.limits.memory, edges=MOST_EDGES_FOR_DISTANCES)
    answer = small.attempt(partial(_answered, Task(*task.asked, "graph", "auto", "auto", task.symmetry, small)))
    return None if answer is None else answer.source
