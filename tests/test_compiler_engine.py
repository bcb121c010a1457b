"""The compiled engine against the plain one: graphs, layers and searches, faults and refusals."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import endsight as es
import strategies
from amounts import examples
from both_engines import Refused, by_machine, by_python, fields_of_key, parts_of, positions, words_of_key
from endsight import Game, Limits
from endsight.errors import LimitReached, RulesError

FAIR = settings(max_examples=60)
NODES = 12


def solved(game: Game, method: Any, symmetry: bool = True, limits: Limits | None = None) -> es.Solution:
    """By compiled rules, which must not leave it to Python."""
    solution = es.solve(game, method=method, engine="compiled", symmetry=symmetry, limits=limits)
    assert solution.source.refusal is None
    return solution


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


def check_graph(game: Game, symmetry: bool = True, tracks_mover: bool = False) -> es.Graph:
    how: Any = {"symmetry": symmetry, "tracks_mover": tracks_mover or None}
    graph = by_python(game, **how)
    assert parts_of(by_machine(game, **how)) == parts_of(graph)
    return graph


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.title())
def test_graphs_of_built_in_games_are_equal(game: Game) -> None:
    check_graph(game)


@pytest.mark.slow
@pytest.mark.parametrize("tracks_mover", [False, True])
@pytest.mark.parametrize("symmetry", [False, True])
@pytest.mark.parametrize("game", SMALL + OTHERS, ids=repr)
def test_graphs_of_all_built_in_games_are_equal_in_all_forms(game: Game, symmetry: bool, tracks_mover: bool) -> None:
    check_graph(game, symmetry, tracks_mover)


def check_answers(game: Game, method: str, symmetry: bool = True) -> None:
    """Values (and distances, of layers) of every position."""
    found = solved(game, method, symmetry)
    known = es.solve(game, method="graph", engine="plain", symmetry=symmetry)
    for position in positions(game, symmetry=symmetry):
        assert found.values(position) == known.values(position)
        if method == "layers":
            assert found.distance(position) == known.distance(position)
    if method == "layers":
        assert found.states == known.states
        assert found.category() == known.category()


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
    assert solved(es.games.ConnectFour(width=4, height=4), "layers", symmetry=False).states == 161_029


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
    graph = check_graph(game)
    if not (graph.is_cyclic or graph.has_chance):
        check_answers(game, "layers")


@examples(60, 8, game=strategies.alternating_acyclic(max_nodes=NODES, payoffs=(-1, 0, 1)))
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


@examples(60, 8, game=strategies.chance_acyclic(seats=2, max_nodes=NODES))
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
    check_graph(game)
    assert solved(game, "graph").values() == es.solve(game, engine="plain").values()


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
    check_graph(Doors(**parameters))


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
                es.solve(game, method="graph", engine=engine)  # type: ignore[arg-type]
        return
    # Python's numbers have no end, so the plain engine can do it.
    solution = es.solve(game, method="graph", engine="compiled")
    assert solution.states == game.top + 1
    said, _, line = str(solution.source.refusal).rstrip(")").rpartition(f" ({Path(__file__).name}, line ")
    assert reason in said
    assert "extra =" in Path(__file__).read_text(encoding="utf-8").splitlines()[int(line) - 1]


@pytest.mark.parametrize(
    "wide",
    [pytest.param(2**40, marks=pytest.mark.slow), pytest.param(2**50 - 1, marks=pytest.mark.slow), 2**63 - 1],
)
def test_keys_of_one_and_two_words(wide: int) -> None:
    game = Ladder(WIDE, wide=wide, top=5000)
    assert words_of_key(game) == (1 if wide < 2**48 else 2)
    solution = solved(game, "layers")
    assert (solution.states, solution.distance()) == (5001, 5000)
    # A position outside is not in the table; it is answered for itself.
    outside = game.position_from(game.show(game.State(17, 0, FINE)))
    assert solution.distance(outside) == 5000 - 17


def test_keys_in_mixed_radix_and_out_of_room() -> None:
    fields = tuple(range(14))
    assert fields_of_key((16,) * 14, fields) == (1, fields)  # of 5 bits each
    with pytest.raises(Refused, match="bits"):
        words_of_key(Ladder(wide=2**63 - 1, top=2**62))


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=6), st.data())
def test_packing_and_unpacking_agree(limits: list[int], data: Any) -> None:
    fields = tuple(data.draw(st.integers(0, limit)) for limit in limits)
    found = fields_of_key(tuple(limits), fields)
    assert found is None or found[1] == fields
    assert found is not None or sum(limit.bit_length() for limit in limits) > 124


def test_limits_stop_compiled_work() -> None:
    game = Ladder(WIDE, wide=2**63 - 1, top=5000)
    with pytest.raises(LimitReached) as caught:
        solved(game, "layers", limits=Limits(states=4000))
    assert caught.value.states > 4000
    game = es.games.ConnectFour(width=3, height=3, line=3)
    place, solution = game.position("1 2"), solved(game, "search")
    solution.budget.limits = Limits(states=solution.states + 5)
    with pytest.raises(LimitReached):
        solution.values(place)
    solution.budget.limits = Limits()
    assert solution.values(place) == es.solve(game, place, method="graph").values()


def test_data_of_another_instance_need_no_new_object_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    first, second = (
        es.games.RpsBag(dice=((1, 2, 3), (4, 5, 6), (1, 1, 1))),
        es.games.RpsBag(dice=((9, 2, 3), (4, 0, 6), (7, 1, 1))),
    )
    left = []
    for game in (first, second):
        check_graph(game)
        left.append({file.name for file in tmp_path.iterdir() if file.suffix == ".object"})
    assert left[0] == left[1]


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

    check_graph(Corners())


def test_only_the_first_positions_are_explored_when_asked() -> None:
    game = es.games.TicTacToe()
    graph = by_machine(game, symmetry=False, at_most=100)
    assert len(graph.offsets) == 101
    assert len(graph) > 100


def test_where_the_first_part_has_a_loop_the_whole_graph_is_explored_once() -> None:
    told: list[str] = []
    solution = es.solve(es.games.Dodgem(size=4), progress=lambda doing, _: told.append(doing))
    assert solution.states == 276_832
    assert told.count("compiling") == 2, "for layers, which meet the loop, and for the whole graph"


def test_names_of_the_package_that_were_not_read_yet_compile(tmp_path: Path) -> None:
    """`es.CHANCE` is loaded when it is first read, in Python and by the translator alike."""
    rules = tmp_path / "coin.py"
    rules.write_text(
        "from typing import NamedTuple\nimport endsight as es\n\n\nclass Coin(es.Game):\n    players = 1\n\n"
        "    class State(NamedTuple):\n        side: int\n\n    def limits(self): return self.State(2)\n"
        "    def start(self): return self.State(0)\n"
        "    def to_move(self, state): return 0 if state.side < 7 else es.CHANCE\n"
        "    def moves(self, state): return [1, 2] if state.side == 0 else []\n"
        "    def play(self, state, move): return self.State(move)\n    def payoff(self, state): return state.side\n",
        encoding="utf-8",
    )
    script = (
        f"import endsight\ngame = endsight.load({str(rules)!r})\nassert 'CHANCE' not in vars(endsight)\n"
        "solution = endsight.solve(game, engine='compiled', method='graph')\n"
        "assert solution.source.refusal is None, solution.source.refusal\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
