"""How methods are chosen: every question about every kind of game has one path, and games are solved along it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

import endsight as es
import strategies
from endsight import Graph, Question, load
from endsight.answers.graph_values import _ALGORITHMS
from endsight.answers.paths import PATHS, SolvingPath, _bounds
from endsight.answers.paths import REFUSALS as REFUSING
from endsight.engine.choice import ENGINES, METHODS, Task
from endsight.game.limits import Budget
from endsight.graph.objective import View
from endsight.graph.plan import NODES, ON_GRAPHS, PLACES, PLAN, REFUSALS, Case, fitting
from endsight.layers.modes import _PLACES, MODES, Solve
from test_rounds import Ladder

T = TypeVar("T")

KINDS = ("auto", "exact", "interval")
BOTH = (False, True)
ASKED = {"method": METHODS, "engine": ENGINES, "kind": KINDS, "mode": MODES}
METHODS_PAGE = Path(__file__).parents[1] / "docs" / "reference" / "methods.md"
FACTS = dict(re.findall(r"^\| \*(\w+)\* \| (.+) \|$", METHODS_PAGE.read_text(encoding="utf-8"), re.MULTILINE))
"""What the documentation says of each fact."""
VALUES: dict[str, tuple[Any, ...]] = ASKED | dict.fromkeys(FACTS, BOTH) | {"bound": ("all", "all but one", None)}
TABLES = {"PLAN": PLAN, "NODES": NODES, "PLACES": PLACES, "ON_GRAPHS": ON_GRAPHS}


def is_possible(told: dict[str, Any]) -> bool:
    """Whether a game and a question can be like that, as far as it is told."""
    # Of games that hide nothing nobody asks who sees what; who plays by a policy is in no duel.
    if told.get("duel") and (told.get("bound") or not told.get("competes", True)):
        return False
    # Only of large games that hide nothing it is asked whether players move at once.
    if told.get("at_once") and (told.get("hides") or not told.get("large", True)):
        return False
    return bool(told.get("hides", True) or not (told.get("common_view") or told.get("duel")))


def in_all_cases(read: Callable[[Any], T]) -> Iterator[T]:
    """What comes of all that may be asked, of all that a game may be, as far as `read` asks for it."""
    cases: list[dict[str, Any]] = [{}]
    while cases:
        told = cases.pop()
        try:
            found = read(SimpleNamespace(**told))
        except AttributeError as asked:
            more = [told | {asked.name: value} for value in VALUES[asked.name]]
            cases += filter(is_possible, more)
        else:
            yield found


LAST = {*REFUSALS, "beliefs", "followed", "best reply", "sequence form", "minimax", "alphabeta", "proofnumber", "graph"}
"""Paths that never refuse, so that nothing below them is read; of the smaller tables all but one."""
LAST |= {row.path for row in (*ON_GRAPHS, *NODES, *PLACES)} - {"half of the memory", "rounds"}


@pytest.mark.parametrize("name", TABLES)
def test_everything_has_a_path_and_every_row_is_reached(name: str) -> None:
    rows = TABLES[name]

    def read(facts: Any) -> list[Case]:
        read = list(fitting(rows, facts))
        return read[: 1 + next(number for number, row in enumerate(read) if row.path in LAST)]

    reached = {id(row) for found in in_all_cases(read) for row in found}
    assert [row for row in rows if id(row) not in reached] == []


def _by_policies(facts: Any) -> str | None:
    """The path where policies go by what players see."""
    if facts.bound is None or not facts.by_views:
        return None
    if facts.bound == "all":
        return "followed"
    return "best reply" if facts.competes and not facts.discounted else None


def check_that_what_is_named_is_done_or_refused(facts: Any) -> None:
    paths = [row.path for row in fitting(PLAN, facts)]
    if facts.hides:
        # Nothing below may be read, where all would be taken for seen.
        asked = "sequence form" if facts.duel else "unopposed"
        asked = _by_policies(facts) or asked
        told = asked if facts.method == "auto" else "hidden"
        assert paths[0] == ("beliefs" if facts.common_view else told)
    elif facts.method == "auto" and _by_policies(facts) is not None:
        assert paths[0] == _by_policies(facts)
    elif facts.discounted and facts.method not in ("auto", "graph", "theorem"):
        assert paths[0] == "no discount"
    elif facts.method in ("minimax", "alphabeta"):
        assert paths[0] == facts.method
    elif facts.method == "proofnumber":
        is_compiled = facts.engine != "plain" and facts.opposed
        assert paths[: 1 + is_compiled] == ["proof numbers"] * is_compiled + ["proofnumber"]
    elif facts.method == "theorem":
        assert paths[0] == ("theorem" if facts.theorem else "unsettled")
    elif facts.engine == "plain":
        assert set(paths) <= {"theorem", "patient theorem", "tree", "matrix search", "graph"}
    assert paths[-1] == "graph", "there is always something left"
    # Nothing is read below a refusal, and rounds never come where exact values are asked for.
    assert facts.kind != "exact" or "rounds" not in paths


def test_what_is_named_is_done_or_refused() -> None:
    cases = list(in_all_cases(check_that_what_is_named_is_done_or_refused))
    assert len(cases) > 1_000


def test_facts_and_paths_are_there_and_told() -> None:
    rows = [row for table in TABLES.values() for row in table]
    named = {name for row in rows for name in row.when}
    assert named == set(VALUES)
    assert {row.path for row in PLAN} == {*PATHS, "beliefs", *REFUSING}
    assert {row.path for row in PLACES} == set(_PLACES)
    assert set(REFUSALS) == {*REFUSING, "no layers"}
    assert {row.path for row in ON_GRAPHS} == set(_ALGORITHMS)
    for row in PLAN:
        assert all(name in Task.__annotations__ or hasattr(Task, name) for name in row.when)
    for row in ON_GRAPHS:
        assert all(hasattr(Graph, name) for name in row.when)
    for row in NODES:
        assert all(hasattr(View(es.games.TicTacToe(), Question()), name) for name in row.when)
    for row in PLACES:
        assert all(name in Solve.__annotations__ or hasattr(Solve, name) for name in row.when)
    assert all(text.endswith(".") for text in [*FACTS.values(), *(row.reason for row in rows)])


PAYOFFS = {
    "-> int: return self.table[state.number]": ((3, -1), "state"),
    "-> Fraction: return self.table[state.number]": ((3, -1), "state"),
    ": return 1 if state.number % 2 else -1": ((3, -1), "state"),
    ": return self.table[state.number]": ((3, -1), "state and mover"),
    "-> Any: return self.table[state.number]": ((3, (2, 2)), "state and mover"),
    ": return (1, -1) if state.number % 2 else -1": ((3, -1), "state and mover"),
    "-> tuple[int, int]: return self.table[state.number]": (((3, 1), (0, 2)), "state and mover"),
}


@pytest.mark.parametrize("rule", PAYOFFS)
def test_nodes_hold_the_mover_unless_payoffs_are_known_to_be_numbers(rule: str, tmp_path: Path) -> None:
    table, path = PAYOFFS[rule]
    file = tmp_path / "rules.py"
    file.write_text(RULES.format(rule=rule, table=(0, *table)), encoding="utf-8")
    game = load(f"{file}:Rules")
    assert next(fitting(NODES, View(game, Question()))).path == path
    assert next(fitting(NODES, View(game, Question(objective="cooperative")))).path == "state and mover"
    wanted = max((own if isinstance(own, tuple) else (-own, own) for own in table), key=lambda share: share[0])
    assert es.solve(game, engine="plain").values() == wanted


RULES = """from typing import Any, NamedTuple
from fractions import Fraction
from endsight.game import Game


class Rules(Game):
    class State(NamedTuple):
        number: int

    def setup(self): self.table = {table}
    def limits(self): return self.State(2)
    def start(self): return self.State(0)
    def moves(self, state): return [1, 2] if state.number == 0 else []
    def play(self, state, move): return self.State(move)
    def payoff(self, state){rule}
"""


class Lying(strategies.GraphGame):
    """Its annotation promises numbers, and a tuple comes at one end."""

    def payoff(self, state: Any) -> int:
        return self.payoffs[state.number]  # type: ignore[no-any-return]


@pytest.mark.parametrize("method", ["graph", "layers", "search", "alphabeta", "minimax"])
@pytest.mark.parametrize("engine", ["plain", "auto"])
def test_a_tuple_that_an_annotation_rules_out_is_a_fault_of_the_rules(method: Any, engine: Any) -> None:
    game = Lying(((1, 2), (), ()), (0, 1, (2, 2)))
    with pytest.raises(es.RulesError, match="payoff returns a tuple, but its annotation promises a number"):
        es.solve(game, method=method, engine=engine)


@pytest.mark.parametrize(
    ("mode", "facts", "paths"),
    [
        ("auto", {}, ["half of the memory", "disk"]),
        ("auto", {"has_begun": True}, ["disk"]),
        ("auto", {"in_layers": False}, ["memory"]),
        ("auto", {"has_scheduler": True}, ["cluster"]),
        ("auto", {"in_rounds": True}, ["rounds"]),
        ("memory", {}, ["memory"]),
        ("disk", {}, ["disk"]),
        ("disk", {"in_layers": False}, ["no layers"]),
        ("cluster", {"in_rounds": True}, ["cluster"]),
        ("cluster", {"in_layers": False}, ["no layers"]),
    ],
)
def test_where_a_whole_solve_is_done(mode: str, facts: dict[str, bool], paths: list[str]) -> None:
    usual = {"in_rounds": False, "has_scheduler": False, "has_begun": False, "in_layers": True}
    rows = [row.path for row in fitting(PLACES, SimpleNamespace(mode=mode, **usual | facts))]
    assert rows[: len(paths)] == paths


# ---------------------------------------------------------------------- real games


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment's work is no more than 40 moves."""
    monkeypatch.setattr("endsight.engine.choice.PLAIN_EDGES", 40)
    monkeypatch.setattr("endsight.engine.choice._FIRST_NODES", 20)
    monkeypatch.setattr("endsight.engine.choice._FIRST_EDGES", 40)


SCORES = strategies.GraphGame(((1, 2), (), ()), (0, 1, 3))
SMALL: list[tuple[str | es.Game, dict[str, Any], str, str]] = [
    ("tictactoe", {}, "graph", "backward induction"),
    ("tictactoe", {"engine": "plain"}, "graph", "backward induction"),
    ("tictactoe", {"method": "layers", "engine": "plain"}, "graph", "backward induction"),
    ("dodgem", {}, "graph", "retrograde analysis"),
    ("pig:target=3", {}, "graph", "policy iteration"),
    ("pots:4-9-2-7", {}, "theorem", "stack reduction"),
    ("pots:4-9-2-7", {"method": "graph"}, "graph", "backward induction"),
    ("tictactoe:width=2,height=3,line=3", {"method": "minimax"}, "minimax", "minimax"),
    ("tictactoe", {"method": "alphabeta"}, "alphabeta", "alpha-beta with a table"),
    ("tictactoe", {"method": "proofnumber"}, "proof numbers", "proof-number search"),
    ("tictactoe", {"method": "proofnumber", "engine": "plain"}, "proofnumber", "proof-number search"),
    ("tictactoe", {"method": "search", "engine": "plain"}, "tree", "alpha-beta with a table"),
    ("dodgem", {"method": "search", "engine": "plain"}, "graph", "retrograde analysis"),
    ("tictactoe", {"method": "search"}, "search", "search"),
    (SCORES, {"method": "search"}, "layers", "layers"),
    ("tictactoe", {"method": "layers"}, "layers", "layers"),
    ("tictactoe", {"engine": "compiled"}, "layers", "layers"),
    ("tictactoe", {"engine": "compiled", "method": "graph"}, "compiled graph", "backward induction"),
    ("tictactoe", {"engine": "compiled", "fixed": {"first": "random"}}, "compiled graph", "backward induction"),
    ("dodgem", {"engine": "compiled"}, "compiled graph", "retrograde analysis"),
    ("pig:target=3", {"engine": "compiled"}, "compiled graph", "policy iteration"),
]
LARGE = [
    ("tictactoe", {}, "layers", "layers"),
    ("tictactoe", {"fixed": {"first": "random"}}, "compiled graph", "backward induction"),
    ("tictactoe", {"engine": "plain"}, "graph", "backward induction"),
    ("dodgem", {}, "compiled graph", "retrograde analysis"),
    ("pig:target=12", {}, "bounds", None),
    ("ur:pieces=1", {}, "bounds of up to 1,000,000 positions", None),
    ("ur:pieces=1", {"method": "layers"}, "rounds", "interval iteration by layers"),
    ("ur:pieces=1", {"exact": True, "limits": es.Limits(seconds=60)}, "bounds", None),
]


def game_of(name: str | es.Game) -> es.Game:
    return load(name) if isinstance(name, str) else name


def taken(name: str | es.Game, options: dict[str, Any]) -> tuple[str, str]:
    solution = es.solve(game_of(name), **options)
    assert solution.plan is not None
    return solution.plan.path, solution.method


@pytest.mark.parametrize(("name", "options", "path", "method"), SMALL)
def test_small_games(name: str | es.Game, options: dict[str, Any], path: str, method: str) -> None:
    assert taken(name, options) == (path, method)


@pytest.mark.usefixtures("all_are_large")
@pytest.mark.parametrize(("name", "options", "path", "method"), LARGE)
def test_large_games(name: str, options: dict[str, Any], path: str, method: str | None) -> None:
    found = taken(name, options)
    assert found[0] == path
    assert method in (None, found[1])


@pytest.mark.usefixtures("all_are_large")
def test_more_than_one_graph_holds_goes_on_in_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Ladder(rungs=9)
    whole = es.solve(game)
    assert whole.plan is not None
    assert whole.plan.path == "bounds of up to 1,000,000 positions"
    monkeypatch.setitem(PATHS, whole.plan.path, SolvingPath(partial(_bounds, most=100)))
    beyond = es.solve(game)
    assert beyond.plan is not None
    assert beyond.plan.path == "rounds"


@pytest.mark.parametrize(("name", "options"), [(name, options) for name, options, *_ in SMALL])
def test_the_first_row_is_followed_or_refuses(name: str | es.Game, options: dict[str, Any]) -> None:
    game = game_of(name)
    fixed = {game.player_names.index(player): rule for player, rule in options.get("fixed", {}).items()}
    task = Task(
        game,
        game.position(),
        Question(fixed=fixed),
        options.get("method", "auto"),
        options.get("engine", "auto"),
        "auto",
        True,
        Budget(),
    )
    rows = [row.path for row in fitting(PLAN, task)]
    path, _ = taken(name, options)
    assert path in rows
    assert path == rows[0] or rows[0] in ("layers", "search", "tree")


def test_what_a_path_met_that_refuses_is_told_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(task: Task) -> None:
        task.budget.witness = lambda _: ((5, 5), (5, 5))

    def stopping(task: Task) -> None:
        assert task.budget.witness is None
        raise es.LimitReached("stopped: that was all")

    monkeypatch.setitem(PATHS, "tree", SolvingPath(refusing))
    monkeypatch.setitem(PATHS, "graph", SolvingPath(stopping))
    with pytest.raises(es.LimitReached) as caught:
        es.solve(es.games.TicTacToe(), method="search", engine="plain")
    assert caught.value.upper == {"first": 1, "second": 1}


def test_a_small_game_stays_small_after_a_method_was_asked_for_by_name() -> None:
    assert taken("tictactoe", {"method": "layers"}) == ("layers", "layers")
    assert taken("tictactoe", {}) == ("graph", "backward induction")
