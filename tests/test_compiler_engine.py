"""The compiled engine against the plain one: graphs, layers and searches, faults and refusals."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import endsight as es
import strategies
from amounts import examples
from endsight import Game, Limits, Position, Question
from endsight.algorithms.backward_induction import backward_induction
from endsight.answers.solver import solve_whole
from endsight.answers.source import Solved
from endsight.compiler.columns import fields_of
from endsight.compiler.engine import explore_compiled, solve_compiled
from endsight.compiler.exploring import explore_arrays
from endsight.compiler.kernels.graph import explore_graph
from endsight.compiler.packing import Packing
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import LimitReached, RulesError
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from endsight.graph.graph_table import GraphTable

PLAIN = Question()
FAIR = settings(max_examples=60)
NODES = 12


def solved(game: Game, method: Any, symmetry: bool = True, budget: Budget | None = None) -> Any:
    return solve_compiled(
        game, game.position(), PLAIN, method, symmetry=symmetry, budget=budget or Budget(Limits(memory=1 << 40))
    )


def positions(game: Game, view: Any, graph: Any) -> Iterator[Position]:
    """Every node as a position; both seats where the graph is the mover's."""
    for node, key in enumerate(graph.keys):
        state, mover, _ = view.split(key)
        for seat in (0, 1) if view.relative else (mover if view.tracks else graph.movers[node],):
            yield Position(game, state, seat, (0,) * game.player_count, ())


# -------------------------------------------------------------------- built-in games

SMALL = [es.games.TicTacToe(), es.games.RpsBag(dice=((100, 0, 200), (0, 300, 0), (1, 2, 3)))]
OTHERS = [
    es.games.Dodgem(),
    es.games.RepeatBust(),
    es.games.Pig(target=15),
    es.games.ConnectFour(width=4, height=3),
    es.games.Chomp(),
    es.games.Chomp(width=3, height=3),
    es.games.Hexapawn(width=4, height=4),
    es.games.PigTurn(),
    es.games.Nim(),
    es.games.Dominoes(n=4),
    es.games.Pots(pots=(4, 9, 2, 7, -3)),
    es.games.HiddenPots(count=3, max=3),
]


def check_graph(game: Game, symmetry: bool, tracks_mover: bool) -> None:
    where = game.position()
    try:
        compiled = explore_compiled(game, where, PLAIN, symmetry=symmetry, tracks_mover=tracks_mover or None)[1]
    except CannotCompile as reason:
        pytest.fail(f"{game!r} is not compiled: {reason}")
    assert compiled == explore(game, where, PLAIN, symmetry=symmetry, tracks_mover=tracks_mover or None)[1]


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.title())
def test_graphs_of_built_in_games_are_equal(game: Game) -> None:
    check_graph(game, symmetry=True, tracks_mover=False)


@pytest.mark.slow
@pytest.mark.parametrize("tracks_mover", [False, True])
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("game", SMALL + OTHERS, ids=repr)
def test_graphs_of_all_built_in_games_are_equal_in_all_forms(game: Game, symmetry: bool, tracks_mover: bool) -> None:
    check_graph(game, symmetry, tracks_mover)


def check_answers(game: Game, method: str, symmetry: bool = True) -> Any:
    """Values (and distances, of layers) of every position."""
    source = solved(game, method, symmetry)
    view, graph = explore(game, game.position(), PLAIN, symmetry=symmetry)
    known = Solved(GraphTable(view, graph, backward_induction(graph)))
    for position in positions(game, view, graph):
        assert source.covers(position)
        assert source.value(position) == known.value(position)
        assert source.distance(position) == (known.distance(position) if method == "layers" else None)
    if method == "layers":
        assert source.states == known.states
    # A search says so where the rules prove it, as it does not see all ends.
    assert known.is_win_loss or not source.is_win_loss
    if method == "layers":
        assert source.is_win_loss == known.is_win_loss
    return source


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.slow
def test_values_of_layers_lie_in_the_words_of_the_keys(symmetry: bool) -> None:
    assert check_answers(es.games.Nim(), "layers", symmetry).table.values is None


def test_search_proves_every_position_alike() -> None:
    check_answers(es.games.ConnectFour(width=3, height=3, line=3), "search")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["layers", "search"])
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("game", [SMALL[0], *OTHERS[3:7], *OTHERS[8:10]], ids=repr)
def test_layers_and_search_of_all_built_in_games(game: Game, symmetry: bool, method: str) -> None:
    check_answers(game, method, symmetry)


@pytest.mark.slow
def test_connect_four_4x4_has_the_published_number_of_positions() -> None:
    source = solved(es.games.ConnectFour(width=4, height=4), "layers", symmetry=False)
    assert (source.states, source.edges) == (161_029, 304_574)


# -------------------------------------------------------------------- random games


def whole(game: Game, scale: int = 6) -> Game:
    """The same game with payoffs and rewards that are whole, and with as many nodes as all others."""

    def scaled(value: Any) -> Any:
        return tuple(map(scaled, value)) if isinstance(value, tuple) else int(value * scale)

    values = game.values()
    for key in ("payoffs", "rewards"):
        if key in values:
            values[key] = scaled(values[key])
    missing = NODES - len(values["successors"])
    filler = {"successors": (), "weights": (), "rewards": (), "movers": 0, "layers": 9}
    filler["payoffs"] = values["payoffs"][-1]
    return type(game)(
        **{
            key: value + (filler[key],) * missing if isinstance(value, tuple) else value
            for key, value in values.items()
        }
    )


def check_random(game: Game) -> None:
    game = whole(game)
    view, compiled = explore_compiled(game, game.position(), PLAIN)
    assert compiled == explore(game, game.position(), PLAIN)[1]
    if compiled.is_cyclic or compiled.has_chance or compiled.players > 2 or not compiled.is_constant_sum:
        return
    is_opposed = not sum(compiled.endless) and all(payoff is None or not sum(payoff) for payoff in compiled.payoffs)
    if compiled.players == 2 and not (
        is_opposed and all(gain is None or not sum(gain) for gain in compiled.rewards or [])
    ):
        return  # a constant sum other than 0 is left to the graph
    source = solved(game, "layers")
    known = Solved(GraphTable(view, compiled, backward_induction(compiled)))
    for position in positions(game, view, compiled):
        assert source.value(position) == known.value(position)
        assert source.distance(position) == known.distance(position)


@examples(60, 15, game=strategies.alternating_acyclic(max_nodes=NODES, payoffs=(-1, 0, 1)))
def test_random_games_won_drawn_or_lost(game: Game) -> None:
    check_random(game)


@pytest.mark.slow
@FAIR
@given(game=strategies.alternating_acyclic(max_nodes=NODES, payoffs=(-1, 0, 1)))
def test_random_games_by_search(game: Game) -> None:
    game = whole(game)
    game = type(game)(game.successors, tuple(value // 6 for value in game.payoffs), game.seats)
    check_answers(game, "search")


@pytest.mark.slow
@FAIR
@given(game=strategies.alternating_loops(max_nodes=NODES))
def test_random_games_with_loops(game: Game) -> None:
    check_random(game)


@pytest.mark.slow
@FAIR
@given(game=strategies.alternating_rewards(max_nodes=NODES))
def test_random_games_with_rewards(game: Game) -> None:
    check_random(game)


@examples(60, 15, game=strategies.chance_acyclic(seats=2, max_nodes=NODES))
def test_random_games_with_chance(game: Game) -> None:
    check_random(game)


@pytest.mark.slow
@FAIR
@given(game=strategies.chance_acyclic(seats=2, max_nodes=NODES, zero_sum=True, chance=False))
def test_random_games_that_say_who_moves(game: Game) -> None:
    check_random(game)


@pytest.mark.parametrize("payoffs", [(0, Fraction(1, 2)), ((0, 0), (Fraction(1, 3), Fraction(-1, 2)))])
def test_tables_of_fractions(payoffs: Any) -> None:
    game = strategies.GraphGame(((1,), ()), payoffs)
    source = solve_whole(game, game.position(), PLAIN, method="graph", engine="compiled")
    assert isinstance(source.table, GraphTable)
    assert source.table.graph == explore(game, game.position(), PLAIN)[1]
    assert source.refusal is None


class Doors(Game):
    """Moves that a parameter may take away, all in one helper, or altogether."""

    leaps: bool = False
    opens: bool = True

    class State(NamedTuple):
        step: int

    def limits(self) -> Any:
        return self.State(20)

    def start(self) -> Any:
        return self.State(0)

    def moves(self, state: Any) -> Any:
        if self.opens:
            if state.step < 12:
                yield 1
            yield from self.leaping(state)

    def leaping(self, state: Any) -> Any:
        if self.leaps and state.step < 10:
            yield 3

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.step + move)

    def payoff(self, state: Any) -> int:
        return -1


@pytest.mark.parametrize("parameters", [{}, {"leaps": True}, {"opens": False}], ids=str)
def test_parameters_may_take_moves_away(parameters: dict[str, bool]) -> None:
    check_graph(Doors(**parameters), symmetry=True, tracks_mover=False)


# -------------------------------------------------------------------- words, faults, limits


FINE, PRODUCT, SHIFT, INDEX, DIVISION, OUTSIDE, WIDE = range(7)


class Ladder(Game):
    """One step up at a time; what a step adds, and how, is up to the test."""

    kind: int = FINE
    wide: int = 1
    top: int = 6000

    class State(NamedTuple):
        step: int
        extra: int = 0
        kind: int = 0

    def setup(self) -> None:
        self.few = (1, 2, 3)

    def limits(self) -> Any:
        return self.State(self.top, self.wide, WIDE)

    def start(self) -> Any:
        return self.State(0, 0, self.kind)

    def moves(self, state: Any) -> Any:
        if state.step < self.top:
            yield 1

    def play(self, state: Any, move: int) -> Any:
        # Everything goes well on the positions that both engines explore before the compiled one is trusted.
        late = state.step > 5000
        extra = 0
        if state.kind == PRODUCT:
            extra = ((1 << 40) * (1 << 40 if late else 1)) % 2
        elif state.kind == SHIFT:
            extra = (1 << (state.step // 80)) % 2
        elif state.kind == INDEX:
            extra = self.few[3 if late else 0] % 2
        elif state.kind == DIVISION:
            extra = 0 // (0 if late else 1)
        elif state.kind == OUTSIDE:
            extra = -1 if late else 0
        elif state.kind == WIDE:
            extra = self.wide - state.step
        return self.State(state.step + move, extra, state.kind)

    def payoff(self, state: Any) -> int:
        return -1


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (PRODUCT, "product does not fit"),
        (SHIFT, "shifted out"),
        (INDEX, "index out of range"),
        (DIVISION, "division or modulo by zero"),
        (OUTSIDE, r"outside limits\(\)"),
    ],
)
def test_what_goes_wrong_later_is_caught_and_never_silently_wrong(kind: int, reason: str) -> None:
    game = Ladder(kind)
    if kind not in (PRODUCT, SHIFT):
        # Neither engine can do it, and both say so in the same words.
        for engine in ("compiled", "plain"):
            with pytest.raises(RulesError, match=reason):
                solve_whole(game, game.position(), PLAIN, method="graph", engine=engine)  # type: ignore[arg-type]
        return
    with pytest.raises(CannotCompile, match=reason) as caught:
        explore_compiled(game, game.position(), PLAIN)
    line = Path(__file__).read_text(encoding="utf-8").splitlines()[(caught.value.line or 0) - 1]
    assert "extra =" in line
    assert caught.value.file == __file__
    # Python's numbers have no end, so the plain engine can do it.
    assert solve_whole(game, game.position(), PLAIN, method="graph", engine="compiled").states == game.top + 1


@pytest.mark.parametrize(
    "wide",
    [pytest.param(2**40, marks=pytest.mark.slow), pytest.param(2**50 - 1, marks=pytest.mark.slow), 2**63 - 1],
)
def test_keys_of_one_and_two_words(wide: int) -> None:
    game = Ladder(WIDE, wide=wide, top=5000)
    assert Packing.of(game).words == (1 if wide < 2**48 else 2)
    source = solved(game, "layers")
    assert (source.states, source.distance(game.position())) == (5001, 5000)


def test_keys_in_mixed_radix_and_out_of_room() -> None:
    names = tuple(f"f{k}" for k in range(14))
    digits = Packing(names, (16,) * 14)
    assert digits.is_radix
    assert digits.words == 1
    fields = tuple(range(14))
    rows = fields_of(digits, np.array([digits.key(fields)]))
    assert [int(column[0]) for column in rows] == list(fields)
    with pytest.raises(CannotCompile, match="bits"):
        Packing.of(Ladder(wide=2**63 - 1, top=2**62))


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=6), st.data())
def test_packing_and_unpacking_agree(limits: list[int], data: Any) -> None:
    packing = Packing(tuple(f"f{k}" for k in range(len(limits))), tuple(limits))
    if packing.bits > 124:
        return
    fields = tuple(data.draw(st.integers(0, limit)) for limit in limits)
    key = packing.key(fields)
    assert key is not None
    assert len(key) == packing.words
    rows = fields_of(packing, np.array([key], dtype=np.uint64).view(np.int64))
    assert tuple(int(column[0]) for column in rows) == fields


def test_a_position_outside_is_not_covered() -> None:
    game = Ladder(WIDE, wide=2**63 - 1, top=5000)
    source = solved(game, "layers")
    assert not source.covers(Position(game, game.State(5001), 0, (0, 0), ()))
    assert not source.covers(Position(game, game.State(17, 0, FINE), 0, (0, 0), ()))


def test_limits_stop_compiled_work() -> None:
    game = Ladder(WIDE, wide=2**63 - 1, top=5000)
    with pytest.raises(LimitReached) as caught:
        solved(game, "layers", budget=Budget(Limits(states=4000)))
    assert caught.value.states > 4000
    source = solved(es.games.ConnectFour(width=3, height=3, line=3), "search", symmetry=True)
    source.searcher.budget = Budget(Limits(states=5))
    place = es.games.ConnectFour(width=3, height=3, line=3).position("1 2")
    with pytest.raises(LimitReached):
        source.value(place)
    source.searcher.budget = Budget()
    assert source.value(place) == es.solve(place.game, place, method="graph").values()


def test_data_of_another_instance_need_no_new_object_code() -> None:
    first, second = (
        es.games.RpsBag(dice=((1, 2, 3), (4, 5, 6), (1, 1, 1))),
        es.games.RpsBag(dice=((9, 2, 3), (4, 0, 6), (7, 1, 1))),
    )
    kernels = [CompiledRules.of(game).kernel(explore_graph, MOVE_WORDS=0) for game in (first, second)]
    assert kernels[0] is kernels[1]
    check_graph(second, symmetry=True, tracks_mover=False)


def test_moves_may_be_tuples() -> None:
    class Corners(Game):
        class State(NamedTuple):
            a: int
            b: int

        def limits(self) -> Any:
            return self.State(3, 3)

        def start(self) -> Any:
            return self.State(3, 3)

        def moves(self, state: Any) -> Any:
            for k in range(state.a):
                for m in range(state.b):
                    yield (k, m)

        def play(self, state: Any, move: Any) -> Any:
            return self.State(move[0], move[1])

        def payoff(self, state: Any) -> int:
            return -1

    check_graph(Corners(), symmetry=True, tracks_mover=False)


def test_only_the_first_positions_are_explored_when_asked() -> None:
    game = es.games.TicTacToe()
    rules = CompiledRules.of(game, symmetry=False)
    arrays, _ = explore_arrays(rules, game.position(), Budget(Limits(memory=1 << 40)), at_most=100)
    assert arrays.nodes == 100
    assert len(arrays.keys) > 100


def test_where_the_first_part_has_a_loop_the_whole_graph_is_explored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    explored: list[bool | None] = []

    def noted(*asked: Any, tracks_mover: bool | None = None, **more: Any) -> Any:
        explored.append(tracks_mover)
        return explore_compiled(*asked, tracks_mover=tracks_mover, **more)

    monkeypatch.setattr("endsight.compiler.engine.explore_compiled", noted)
    solution = es.solve(es.games.Dodgem(size=4))
    assert solution.states == 276_832
    assert explored == [True]


def test_names_of_the_package_that_were_not_read_yet_compile(tmp_path: Path) -> None:
    """`es.CHANCE` is loaded when it is first read, in Python and by the translator alike."""
    rules = tmp_path / "coin.py"
    rules.write_text(
        "from typing import NamedTuple\nimport endsight as es\n\n\nclass Coin(es.Game):\n    players = 1\n\n"
        "    class State(NamedTuple):\n        side: int\n\n    def limits(self): return self.State(2)\n"
        "    def start(self): return self.State(0)\n    def to_move(self, state): return es.CHANCE\n"
        "    def moves(self, state): return [1, 2] if state.side == 0 else []\n"
        "    def play(self, state, move): return self.State(move)\n    def payoff(self, state): return state.side\n",
        encoding="utf-8",
    )
    script = (
        "import endsight, sys\nfrom endsight.compiler.rules import CompiledRules\n"
        "from endsight.naming.rules_files import module_from_file\n"
        f"game = module_from_file({str(rules)!r}).Coin()\n"
        "assert 'CHANCE' not in vars(endsight)\nCompiledRules.of(game)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
