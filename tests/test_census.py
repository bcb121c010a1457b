"""How many positions games have: counted, or within an honest range; and nothing is refused on a guess."""

from __future__ import annotations

from math import comb, factorial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import each
from censuses import (
    counted,
    counted_layers,
    explored_layers,
    follow_trend,
    judged_large,
    least_size,
    most_ahead,
    told_while_counting,
    walked_share,
    way_back,
)
from command_line import ask, run
from endsight import Game, Limits, load
from endsight.errors import LimitReached, RulesError
from layer_runs import solving_stops

RULES = Path(__file__).parent.parent / "benchmarks" / "rules"

COUNTED = {
    "sliding.py:Sliding": factorial(9) // 2,
    "sliding.py:Sliding:columns=2": 360,
    "pancakes.py:Pancakes:count=7": factorial(7),
    "hanoi.py:Hanoi": 3**8,
    "lights.py:Lights:size=4": 2**12,
    "einstein.py:Einstein": 81_076,
    "krk.py:Krk": 402_676,
    "frozen.py:Frozen": 60,
    "cliff.py:Cliff": 32,
    "truel.py:Truel": 24,
    "forest.py:Forest": 6,
    "slippery.py:Slippery": 496,
    "showdown.py:Showdown": 28_244,
    "connectfour:width=5,height=4": 3_945_711,
    "tictactoe": 5_478,
}
LARGER = {
    "kalah.py:Kalah": 1_639_039,
    "kalah.py:Kalah:houses=4,seeds=3": 5_193_524,
    "pancakes.py:Pancakes": factorial(10),
    "pocketcube.py:PocketCube": factorial(7) * 3**6,
    "peg.py:Peg:board=square": 1_183_924,
}
SAMPLED = {
    "connectfour:width=5,height=4": 3_945_711,
    "connectfour:width=5,height=5": 69_763_700,
    "tictactoe:width=4,height=4,line=4": 9_722_011,
    "sliding.py:Sliding:columns=5,rows=2": factorial(10) // 2,
    "pancakes.py:Pancakes:count=9": factorial(9),
    "chomp:width=12,height=12": comb(24, 12),
    "pig": 1_941_588,
}
"""Too large for what is counted here."""
FEW = 150_000


def position_of(spec: str) -> es.Position:
    return load(f"{RULES}/{spec}" if ".py:" in spec else spec).position()


@pytest.mark.parametrize("spec", each(COUNTED, lambda spec: COUNTED[spec] < 100_000 or "sliding" in spec))
def test_games_that_can_be_counted_are(spec: str) -> None:
    census = counted(position_of(spec), symmetry=False)
    assert census.basis == "counted"
    assert census.positions == census.lower == census.upper == COUNTED[spec]


@pytest.mark.slow
@pytest.mark.parametrize("spec", LARGER)
def test_larger_games_that_can_be_counted_are(spec: str) -> None:
    assert counted(position_of(spec), symmetry=False).positions == LARGER[spec]


@pytest.mark.parametrize("spec", each(SAMPLED, lambda spec: spec in [*SAMPLED][::3]))
def test_ranges_hold_the_number(spec: str) -> None:
    census = counted(position_of(spec), symmetry=False, plain=5_000, most=FEW)
    assert census.basis != "counted"
    assert census.lower <= SAMPLED[spec] <= census.upper <= 100.1 * census.lower
    assert census.lower <= census.positions <= census.upper


def test_games_that_are_not_compiled_are_sampled_too() -> None:
    census = counted(position_of("connectfour:width=4,height=4"), symmetry=False, plain=2_000, most=0)
    assert not census.is_compiled
    assert census.basis == "sampled layers"
    assert census.lower <= 161_029 <= census.upper


def test_the_plain_and_the_compiled_count_are_one() -> None:
    for spec in ("einstein.py:Einstein", "dominoes:n=5"):
        place = position_of(spec)
        plain = counted(place, plain=200_000)
        compiled = counted(place, plain=100)
        assert (plain.is_compiled, compiled.is_compiled) == (False, True)
        assert (plain.positions, plain.edges, plain.depth) == (compiled.positions, compiled.edges, compiled.depth)


def test_the_same_seed_gives_the_same_number() -> None:
    place = position_of("connectfour:width=4,height=4")
    first, again, other = (counted(place, plain=500, most=0, seed=seed).positions for seed in (1, 1, 2))
    assert first == again
    assert first != other


# ---------------------------------------------------------------------- how a range is found


@pytest.mark.parametrize("compiled", [True, False])
def test_walks_show_the_share_that_was_counted(compiled: bool) -> None:
    game = load(f"{RULES}/pancakes.py:Pancakes:count=7")
    found = walked_share(game, 1_000, compiled=compiled)
    assert found.agree
    true = 2_011 / factorial(7)  # a level is counted to its end: the first with more than 1,000
    assert found.lowest < true < found.highest < 3 * found.lowest
    assert 0.8 < found.share / true < 1.25


@pytest.mark.parametrize("compiled", [True, False])
def test_a_walk_that_stays_where_it_began_shows_nothing(compiled: bool) -> None:
    rings = load(f"{RULES}/rings.py:Rings:rings=20")
    assert not walked_share(rings, 3_000, compiled=compiled).agree


def test_where_a_walk_shows_nothing_limits_bound_the_number() -> None:
    census = counted(position_of("rings.py:Rings:rings=20"), plain=3_000, most=0)
    assert census.lower <= 2**20 <= census.upper == 2**20 <= 100 * census.lower


def test_puzzles_have_a_way_back_and_games_that_fill_up_have_none() -> None:
    assert way_back(load(f"{RULES}/sliding.py:Sliding"))
    assert way_back(load(f"{RULES}/lights.py:Lights"))
    assert not way_back(es.games.ConnectFour())
    assert not way_back(load(f"{RULES}/kalah.py:Kalah"))


def test_walks_give_narrow_ranges_where_moves_can_be_undone() -> None:
    census = counted(position_of("pancakes.py:Pancakes:count=9"), symmetry=False, plain=5_000, most=FEW)
    assert census.lower <= factorial(9) <= census.upper < 3 * census.lower


def test_a_frontier_that_shrinks_shows_how_much_is_ahead_at_most() -> None:
    assert most_ahead([(100, 200), (200, 340)]) is None  # it grows
    assert most_ahead([(100, 200), (200, 280)]) == 400
    assert most_ahead([(1_000, 1_010), (2_000, 2_005)]) is None  # it was thin
    census = counted(position_of("kalah.py:Kalah:houses=5,seeds=1"), plain=9_000, most=0)
    assert census.basis == "growth of layers"
    assert census.lower <= 56_189 <= census.upper <= 10 * census.lower


@pytest.mark.parametrize("cells", [12, 20, 30])
def test_the_trend_of_parents_is_that_of_each_player(cells: int) -> None:
    """Boards that fill up: of the pieces that may have been the last, all belong to one player."""
    sizes = [comb(cells, ply) * comb(ply, ply // 2) for ply in range(cells + 1)]
    layers = [(float(size), float(cells - ply), cells - ply) for ply, size in enumerate(sizes)]
    positions, lower, upper, _ = follow_trend(layers, sizes[:7], 2)
    assert positions == pytest.approx(sum(sizes))
    assert lower < positions < upper <= 100 * lower
    assert positions < 2 * lower


class Late(Game):
    """A payoff for each player turns up in the middle only, so that positions must tell who moves."""

    class State(NamedTuple):
        left: int

    def limits(self) -> State:
        return self.State(2_000)

    def start(self) -> State:
        return self.State(2_000)

    def moves(self, state: State) -> range:
        return range(1, min(3, state.left) + 1)

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move)

    def payoff(self, state: State) -> tuple[int, int]:
        return 1, 2


def test_positions_that_must_tell_who_moves_are_counted_twice() -> None:
    # All but the start, and 1,999, can be reached by both players.
    assert counted(Late().position()).positions == 2 * 2_001 - 2


# ---------------------------------------------------------------------- nothing is refused on a guess


@pytest.mark.parametrize("spec", ["sliding.py:Sliding", "einstein.py:Einstein"])
def test_games_that_fit_are_solved_with_default_options(spec: str) -> None:
    assert run("value", f"{RULES}/{spec}").code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "value"), [("kalah.py:Kalah:houses=4,seeds=3", "first 6, second -6\n"), ("pancakes.py:Pancakes", "1\n")]
)
def test_larger_games_that_fit_are_solved_with_default_options(spec: str, value: str) -> None:
    assert run("value", f"{RULES}/{spec}").out == value


def test_a_game_that_cannot_fit_begins_and_tells_how_far_it_came() -> None:
    with pytest.raises(LimitReached, match="stopped: more than 300,000 states") as caught:
        es.solve(es.games.ConnectFour(), method="graph", limits=Limits(states=300_000))
    assert caught.value.states > 300_000
    assert caught.value.found is not None
    assert "not explored yet, still growing" in caught.value.found


def test_progress_tells_whether_the_frontier_grows() -> None:
    said: list[str] = []
    es.solve(es.games.ConnectFour(width=4, height=3), engine="plain", progress=lambda doing, _: said.append(doing))
    assert any(doing.startswith("exploring") and "growing" in doing for doing in said)
    assert any(doing.startswith("exploring") and "shrinking" in doing for doing in said)


def test_a_solve_that_outgrows_half_of_the_memory_goes_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped = solving_stops(monkeypatch, LimitReached("stopped: more than 100 MB of memory", limit="memory"))
    folder = str(tmp_path / "it")
    done = run("solve", "connectfour:width=4,height=3,line=3", "-o", folder, "--memory", "1GB")
    assert done.code == 0, done
    assert ask("status", folder)["method"].startswith("layers")
    assert 0 < stopped[0] < 10**9


def test_progress_says_how_many_positions_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    said = told_while_counting(es.games.ConnectFour(width=4, height=4).position(), monkeypatch)
    assert said == [
        "estimating the number of positions (12 ahead, growing)",
        "exploring (12 ahead, growing), of some 1.6e5 to 1.6e5",
        "solving",
    ]


def test_check_says_between_what_numbers_that_of_all_positions_lies() -> None:
    report = es.check_rules(es.games.ConnectFour(width=4, height=4), states=500)
    assert report.facts["positions"] == [161_029, 161_029]
    assert es.check_rules(es.games.Nim()).facts["positions"] is None


# -------------------------------------------------------------------- before a game is compiled


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("connectfour:width=4,height=4", 50_000),
        ("tictactoe:width=4,height=3", 50_000),
        ("connectfour:width=4,height=3", 0),
    ],
)
def test_few_positions_tell_that_a_graded_game_is_large(spec: str, moves: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(spec)
    least = least_size(game, 1_000)[1]
    assert moves < least <= counted(game.position()).edges
    found = judged_large(game, monkeypatch)
    assert found.is_large == (moves > 0)
    assert found.explored < 10_000


@pytest.mark.parametrize("spec", ["chomp:width=8,height=8", "dodgem:size=4", "ur:pieces=2"])
def test_nothing_is_said_of_games_whose_positions_have_several_plies(spec: str) -> None:
    assert least_size(load(spec), 1_000) == (0, 0)


class Failing(es.games.ConnectFour):
    """Rules that fail where the board is half full."""

    def play(self, state: Any, move: int) -> Any:
        assert state.full.bit_count() < 8, "half full"
        return super().play(state, move)


def test_rules_that_fail_in_a_sample_are_left_to_the_explorer() -> None:
    game = Failing(width=4, height=4)
    assert least_size(game, 300) == (0, 0)
    with pytest.raises(RulesError, match="half full"):
        es.solve(game).value()


@pytest.mark.parametrize("nodes", [1, 2, 30, 1_000])
def test_layers_of_an_explored_part_are_those_that_are_counted(nodes: int) -> None:
    found = explored_layers(es.games.TicTacToe(), nodes)
    assert found == counted_layers(es.games.TicTacToe(), len(found.sizes))
