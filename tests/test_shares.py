"""Layers with a value of every player: three players, unopposed payoffs, objectives and utilities."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import endsight as es
import naive
import random_rules
import strategies
from endsight.algorithms.backward_induction import backward_induction
from endsight.compiler import crew, layers
from endsight.compiler.engine import CompiledSource, solve_compiled
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.solved import SolvedShares
from endsight.errors import LimitReached
from endsight.explorer import explore
from endsight.game import Game, Position
from endsight.limits import Budget, Limits
from endsight.objective import NeedsMover
from endsight.question import Question
from endsight.source import GraphSource
from endsight.storage.saving import solve_into
from endsight.storage.tablebase import open_tablebase
from test_random_rules import load

FAIR = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
NODES = 12


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


class Taking(Game):
    """In turn, everybody takes one to three of `stones`; what a move brings whom depends on how many are left."""

    stones: int = 30
    seats: int = 3
    pays: bool = True

    class State(NamedTuple):
        left: int
        last: int

    def players(self) -> int:
        return self.seats

    def limits(self) -> Any:
        return self.State(self.stones, 3)

    def start(self) -> Any:
        return self.State(self.stones, 0)

    def moves(self, state: Any) -> Iterator[int]:
        for move in range(1, 4):
            if move <= state.left and move != state.last:
                yield move

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.left - move, move)

    def payoff(self, state: Any) -> Any:
        return (state.last * 2 % 3 + state.left, state.last % 3, state.last * 4 % 3)


class Paying(Taking):
    """The same, and moves bring something."""

    def reward(self, state: Any, move: int) -> Any:
        return ((state.left * 7) % 5 - 2, (state.left + move) % 4, (state.left * move) % 3 - 1)


def by_layers(game: Game, question: Question, **limits: Any) -> CompiledSource:
    budget = Budget(Limits(memory=1 << 40, **limits))
    source = solve_compiled(game, game.position(), question, "layers", symmetry=True, budget=budget)
    assert isinstance(source, CompiledSource)
    return source


def known(game: Game, question: Question) -> tuple[Any, Any, GraphSource]:
    try:
        view, graph = explore(game, game.position(), question)
    except NeedsMover:
        view, graph = explore(game, game.position(), question, tracks_mover=True)
    return view, graph, GraphSource(view, graph, backward_induction(graph))


def check(game: Game, question: Question) -> CompiledSource:
    """Every value and distance, the tie rule and the number of states, as the graph has them."""
    source = by_layers(game, question)
    view, graph, other = known(game, question)
    for node, key in enumerate(graph.keys):
        state, mover, _ = view.split(key)
        for seat in (0, 1) if view.relative else (mover if view.tracks else graph.movers[node],):
            position = Position(game, state, seat, (0,) * game.player_count, ())
            assert source.value(position) == other.value(position), (key, question)
            assert source.distance(position) == other.distance(position), (key, question)
    assert source.states == other.states
    assert source.is_win_loss == other.is_win_loss
    assert source.notion == other.notion
    return source


def check_naive(game: Game, question: Question, source: CompiledSource) -> None:
    oracle = naive.Recursion(game, question.objective, question.utility, dict(question.fixed))
    assert source.value(game.position()) == oracle.value()


# -------------------------------------------------------------------- random games


def padded(game: Game, least: int = 6) -> Game:
    """With whole payoffs and rewards, and as many nodes as all others, so that all share compiled rules."""

    def scaled(value: Any) -> Any:
        return tuple(map(scaled, value)) if isinstance(value, tuple) else int(value * least)

    values = game.values()
    values |= {key: scaled(values[key]) for key in ("payoffs", "rewards") if key in values}
    filler = {"successors": (), "weights": (), "rewards": (), "movers": 0, "payoffs": values["payoffs"][-1]}
    for key in filler.keys() & values.keys():
        values[key] = values[key] + (filler[key],) * (NODES - len(values[key]))
    return type(game)(**values)


@st.composite
def questions(draw: Any, players: int, pays: bool) -> Question:
    utilities = ["payoff"] if pays and players > 2 else ["payoff", "lead"] if pays else ["payoff", "lead", "win"]
    worst = {player: "worst" for player in range(players) if draw(st.integers(0, 3)) == 0}
    objective = draw(st.sampled_from(["competitive", "cooperative"]))
    return Question(objective, draw(st.sampled_from(utilities)) if players > 1 else "payoff", worst)


@FAIR
@given(strategies.chance_acyclic(seats=3, max_nodes=NODES, chance=False), st.data())
def test_three_players_with_rewards(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(3, isinstance(game, strategies.MoverRewards)))
    check_naive(game, question, check(game, question))


@pytest.mark.slow
@FAIR
@given(strategies.chance_acyclic(seats=3, max_nodes=NODES, chance=False, rewards=False), st.data())
def test_three_players_by_every_utility(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(3, False))
    check_naive(game, question, check(game, question))


@pytest.mark.slow
@FAIR
@given(strategies.chance_acyclic(seats=2, max_nodes=NODES, chance=False, rewards=False), st.data())
def test_two_players_of_any_sums(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(2, False))
    check_naive(game, question, check(game, question))


@FAIR
@given(strategies.alternating_acyclic(max_nodes=NODES), st.data())
def test_games_won_drawn_or_lost_under_other_questions(game: Game, data: Any) -> None:
    check(padded(game, 1), data.draw(questions(2, False)))


@pytest.mark.slow
@FAIR
@given(strategies.alternating_rewards(max_nodes=NODES), st.data())
def test_two_players_alternate_with_rewards_of_any_sums(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(2, True))
    check_naive(game, question, check(game, question))


@pytest.mark.slow
@FAIR
@given(strategies.alternating_rewards(max_nodes=NODES, seats=3))
def test_three_players_alternate_with_rewards(game: Game) -> None:
    game = padded(game)
    check_naive(game, Question(), check(game, Question()))


RULES = [(seed, random_rules.source(seed)) for seed in range(200)]
MANY = [seed for seed, text in RULES if "CHANCE if" not in text and ("players = 3" in text or "to_move" in text)]


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[] if place < 1 else pytest.mark.slow) for place, seed in enumerate(MANY[::4])]
)
def test_random_rules(seed: int, tmp_path: Path) -> None:
    game = load(seed, tmp_path)
    for question in (Question(), Question("cooperative"), Question(fixed={game.player_count - 1: "worst"})):
        check(game, question)


# -------------------------------------------------------------------- other shapes of rules


class TwoWords(Game):
    """Three players who do not alternate strictly, 2-word keys, canonical swaps two heaps, tuple rewards."""

    n: int = 6
    players = 3

    class State(NamedTuple):
        a: int
        b: int
        who: int

    def limits(self) -> Any:
        return self.State(1 << 50, 1 << 50, 2)

    def start(self) -> Any:
        return self.State(self.n << 44, (self.n - 1) << 44, 0)

    def to_move(self, s: Any) -> int:
        return s.who

    def canonical(self, s: Any) -> Any:
        return s if s.a >= s.b else self.State(s.b, s.a, s.who)

    def moves(self, s: Any) -> Any:
        for h in range(2):
            left = (s.a if h == 0 else s.b) >> 44
            for k in range(1, 3):
                if k <= left:
                    yield (h, k)

    def play(self, s: Any, m: Any) -> Any:
        h, k = m
        a, b = s.a, s.b
        if h == 0:
            a -= k << 44
        else:
            b -= k << 44
        return self.State(a, b, (s.who + k) % 3)

    def reward(self, s: Any, m: Any) -> Any:
        total = (s.a >> 44) + (s.b >> 44)
        return ((total + m[1]) % 4 - 1, (total * m[1]) % 3, -total % 5)

    def payoff(self, s: Any) -> Any:
        return (s.who, -s.who, 1)


class Turns(Game):
    """Four players in turn without to_move; payoffs by who is last; win shares."""

    n: int = 10
    players = 4

    class State(NamedTuple):
        left: int
        odd: int
        score: int

    def limits(self) -> Any:
        return self.State(self.n, 1, 255)

    def start(self) -> Any:
        return self.State(self.n, 0, 0)

    def moves(self, s: Any) -> Any:
        if s.left:
            yield 1
            if s.left > 1:
                yield 2
            if s.left > 2 and not s.odd:
                yield 3

    def play(self, s: Any, m: Any) -> Any:
        return self.State(s.left - m, m & 1, (s.score * 2 + m) & 255)

    def payoff(self, s: Any) -> Any:
        return (s.score & 3, s.score >> 2 & 3, s.score >> 4 & 3, s.score >> 6)


class TwoTuples(Game):
    """Two in turn without to_move, payoffs sometimes a tuple, sometimes 0."""

    n: int = 12
    players = 2

    class State(NamedTuple):
        left: int
        last: int

    def limits(self) -> Any:
        return self.State(self.n, 3)

    def start(self) -> Any:
        return self.State(self.n, 0)

    def moves(self, s: Any) -> Any:
        for m in range(1, 4):
            if m <= s.left and m != s.last:
                yield m

    def play(self, s: Any, m: Any) -> Any:
        return self.State(s.left - m, m)

    def reward(self, s: Any, m: Any) -> Any:
        return (m, s.left % 3)

    def payoff(self, s: Any) -> Any:
        return (s.left, -2) if s.last != 2 else (0, 0)


@pytest.mark.parametrize(
    "game",
    [TwoWords(), pytest.param(Turns(), marks=pytest.mark.slow), pytest.param(TwoTuples(), marks=pytest.mark.slow)],
    ids=repr,
)
def test_rules_of_other_shapes(game: Game) -> None:
    pays = game.gives("reward")
    for question in (
        Question(),
        Question("cooperative"),
        Question(fixed={game.player_count - 1: "worst"}),
        *([] if pays else [Question(utility="lead"), Question(utility="win")]),
    ):
        check_naive(game, question, check(game, question))


# -------------------------------------------------------------------- built-in games and stored solutions

QUESTIONS = [
    Question("cooperative"),
    Question(utility="lead"),
    Question(utility="win"),
    Question("cooperative", "win"),
    Question(fixed={1: "worst"}),
    Question("cooperative", fixed={0: "worst"}),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
@pytest.mark.parametrize(
    "game",
    [
        es.games.TicTacToe(width=3, height=2, line=2),
        pytest.param(es.games.Nim(), marks=pytest.mark.slow),
        pytest.param(es.games.Dominoes(n=4), marks=pytest.mark.slow),
        pytest.param(es.games.Hexapawn(width=3, height=4), marks=pytest.mark.slow),
        pytest.param(es.games.TicTacToe(), marks=pytest.mark.slow),
        pytest.param(es.games.ConnectFour(width=4, height=3, line=3), marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_built_in_games(game: Game, question: Question) -> None:
    check(game, question)


@pytest.mark.slow
def test_pots_of_two_who_work_together_or_for_the_lead() -> None:
    game = es.games.Pots(pots=(4, 9, 2, 7, 3, 8))
    for question in (Question("cooperative"), Question(utility="lead"), Question(fixed={0: "worst"})):
        check(game, question)


@pytest.mark.parametrize(
    ("game", "question"),
    [
        (Paying(), Question()),
        (es.games.TicTacToe(width=3, height=2, line=2), Question("cooperative")),
        pytest.param(Taking(), Question(), marks=pytest.mark.slow),
        pytest.param(es.games.TicTacToe(), Question("cooperative"), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_stored_as_the_graph_is(game: Game, question: Question, tmp_path: Path) -> None:
    folders = tmp_path / "layers", tmp_path / "graph"
    for folder, method in zip(folders, ("layers", "graph"), strict=True):
        solve_into(folder, game.position(), question, method=method, engine="compiled", best=True)
    ours, theirs = (open_tablebase(folder, game) for folder in folders)
    assert ours.source.method == "layers"
    assert theirs.source.method != "layers"
    assert (ours.source.states, ours.source.notion) == (theirs.source.states, theirs.source.notion)
    count = 0
    rows = [sorted(map(str, tablebase.source.nodes())) for tablebase in (ours, theirs)]
    assert rows[0] == rows[1]
    for node in theirs.source.nodes():
        position = theirs.source.keys.position(node)
        assert ours.source.answer(position) == theirs.source.answer(position)
        found = [tablebase.source.row(position) for tablebase in (ours, theirs)]
        assert len({int(row.block.columns["best"][row.number]) for row in found if row is not None}) == 1
        count += 1
    assert count >= ours.source.states
    assert ours.solution().line() == theirs.solution().line()


# -------------------------------------------------------------------- ways and limits


def test_forms_and_orders_that_were_at_work() -> None:
    source = check(Paying(), Question())
    assert isinstance(source.solved, SolvedShares)
    assert source.solved.values.format == "i"
    assert source.solved.plies is None
    assert check(es.games.TicTacToe(width=3, height=2, line=2), Question("cooperative")).solved.plies is not None


class Wide(Paying):
    """Amounts that do not fit into 32 bits."""

    def payoff(self, state: Any) -> Any:
        return (3 << 40, -(5 << 40), state.last << 50)


@pytest.mark.slow
def test_amounts_of_more_than_32_bits() -> None:
    assert check(Wide(), Question()).solved.values.format == "q"


class TooWide(Taking):
    """Sums that do not fit into 64 bits."""

    def reward(self, state: Any, move: int) -> Any:
        return (1 << 61, 0, 0)


@pytest.mark.slow
def test_amounts_of_more_than_64_bits_are_left_to_the_plain_engine() -> None:
    with pytest.raises(CannotCompile, match="does not fit"):
        by_layers(TooWide(), Question())
    solution = es.solve(TooWide(), method="layers", engine="compiled")
    assert solution.values() == naive.Recursion(TooWide()).value()


def test_what_is_refused_by_name() -> None:
    game = es.games.TicTacToe()
    for question, reason in [
        (Question(fixed={0: "random"}), "follows a policy"),
        (Question(fixed={0: lambda game, state: next(game.moves(state))}), "follows a policy"),
    ]:
        with pytest.raises(CannotCompile, match=reason):
            by_layers(game, question)
    with pytest.raises(CannotCompile, match="gained so far"):
        by_layers(es.games.Pots(pots=(1, 2, 3)), Question(utility="win"))
    solution = es.solve(game, fixed={"first": "random"}, method="layers", engine="compiled")
    assert "follows a policy" in str(solution.source.refusal)


@pytest.mark.parametrize("threads", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_threads_give_the_same(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.TicTacToe(width=3, height=2, line=2)
    alone = by_layers(game, Question("cooperative"), threads=1)
    monkeypatch.setattr(layers, "CROWD", 10)
    monkeypatch.setattr(layers, "_STRIDE", 60)
    monkeypatch.setattr(crew, "_PIECE", 7)
    together = by_layers(game, Question("cooperative"), threads=threads)
    assert together.states == alone.states
    view, graph = explore(game, game.position(), Question("cooperative"))
    for key in graph.keys:
        state, mover, _ = view.split(key)
        position = Position(game, state, mover, (0, 0), ())
        assert together.value(position) == alone.value(position)
        assert together.distance(position) == alone.distance(position)


def test_auto_takes_them_for_large_games(monkeypatch: pytest.MonkeyPatch) -> None:
    from endsight.compiler import choice

    monkeypatch.setattr(choice, "PLAIN_EDGES", 50)
    monkeypatch.setattr(choice, "_FIRST_NODES", 10)
    game = Paying()
    solution = es.solve(game)
    assert isinstance(solution.source, CompiledSource)
    graph = es.solve(game, method="graph", engine="plain")
    assert solution.values() == graph.values()
    assert solution.notion == graph.notion
    assert solution.line() == graph.line()
    assert [option.text for option in solution.options()] == [option.text for option in graph.options()]


def test_limits_tell_what_is_proven() -> None:
    game = es.games.TicTacToe(width=3, height=2, line=2)
    with pytest.raises(LimitReached) as caught:
        es.solve(game, objective="cooperative", method="layers", engine="compiled", limits=Limits(states=20))
    assert caught.value.lower is not None


def test_witness_tells_values_that_are_solved_already(monkeypatch: pytest.MonkeyPatch) -> None:
    game, told = Paying(), 0
    exact = es.solve(game, engine="plain")
    monkeypatch.setattr(layers, "_STRIDE", 10)
    budget = Budget(Limits(memory=1 << 40))

    def watch(doing: str, states: int) -> None:
        nonlocal told
        place = game.position()
        while budget.witness is not None and not place.is_over:
            place = place.play(next(place.moves()))
            proven = budget.witness(place)
            if proven is not None:
                assert [low for low, _ in proven] == list(exact.values(place))
                told += 1

    monkeypatch.setattr(Budget, "glance", lambda self, states, doing: watch(doing, states))
    solve_compiled(game, game.position(), Question(), "layers", symmetry=True, budget=budget)
    assert told
