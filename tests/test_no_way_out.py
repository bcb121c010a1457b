"""Positions from which a total has no limit, in games whose first position has a value all the same."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
import fuzz_judgement
import naive
from amounts import seed_rows
from command_line import run
from endsight import CHANCE, Interval, check_rules, load
from endsight.errors import NoValue
from strategies import MoverRewards

BELOW_ALL, ABOVE_ALL = map(Interval.without_limit, (-1, 1))
BOX = '''
from typing import NamedTuple
from endsight import Game

class Box(Game):
    """Push or kick the box along the corridor to the mark; a kick sends it two squares. Every move costs 1."""

    players = 1
    length: int = 7
    mark: int = 5

    class State(NamedTuple):
        me: int
        box: int

    def limits(self): return self.State(self.length, self.length)
    def start(self): return self.State(0, 2)
    def moves(self, state):
        if state.box != self.mark:
            if state.me: yield "back"
            if state.me + 1 < state.box: yield "walk"
            elif state.box < self.length: yield "push"
            if state.me + 1 == state.box < self.length - 1: yield "kick"
    def play(self, state, move):
        if move == "back": return self.State(state.me - 1, state.box)
        return self.State(state.me + (move != "kick"), state.box + {"walk": 0, "push": 1, "kick": 2}[move])
    def reward(self, state, move): return -1
    def payoff(self, state): return 0
'''


def costs(successors: tuple, movers: tuple, gain: int = -1) -> MoverRewards:
    """One player, or two who are opposed: every move pays the first `gain`, ends pay nothing, outcomes are alike."""
    seats = 1 + (1 in movers)
    weights = tuple(tuple(1 for _ in ways) for ways in successors)
    gains = tuple(tuple((gain, -gain)[:seats] for _ in ways) for ways in successors)
    return MoverRewards(successors, ((0,) * seats,) * len(successors), seats, movers, weights, gains)


@pytest.fixture
def box(tmp_path: Path) -> str:
    file = tmp_path / "box.py"
    file.write_text(BOX)
    return f"{file}:Box"


def test_a_puzzle_may_be_spoilt_for_good(box: str) -> None:
    game = load(box)
    solution = es.solve(game)
    assert solution.values() == es.solve(game, engine="compiled").values() == (-3,)
    assert solution.line() == ["walk", "push", "kick"]
    near = game.position("walk push")
    told = {
        option.text: (option.value, option.regret, option.rank, option.distance) for option in solution.options(near)
    }
    assert told["kick"] == ((-3,), 0, 1, 1)
    assert told["push"] == ((-4,), 1, 2, 2)
    assert {option.text for option in solution.options(game.position("walk push push")) if option.best} == {"push"}
    at_wall = solution.options(game.position("walk push push"))
    assert [
        (option.text, option.value, option.regret, option.distance) for option in at_wall if option.text == "kick"
    ] == [("kick", (BELOW_ALL,), ABOVE_ALL.lower, None)]
    lost = game.position("walk push push kick")
    assert solution.ends(lost) == (BELOW_ALL,)
    assert solution.distance(lost) is None
    for ask in (solution.value, solution.values, solution.exact_values, lambda place: es.solve(game, place)):
        with pytest.raises(NoValue, match="player's total is minus infinity"):
            ask(lost)


def test_the_value_is_proven_and_the_certificate_says_nothing_of_lost_positions(box: str) -> None:
    game = load(box)
    verdict = es.verify(es.prove(es.solve(game)), type(game))
    assert verdict.claim.endswith("at the start: player -3")
    assert verdict.checked[-1].startswith("at most: 24 states")


@pytest.mark.parametrize("kind", ["values", "board", "graph"])
def test_charts_show_moves_after_which_a_total_has_no_limit(kind: str, box: str, tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    assert run("plot", box, kind, "--at", "walk push push", "-o", str(file)).code == 0
    assert kind != "values" or "∞" in file.read_text(encoding="utf-8")


def test_a_page_shows_moves_after_which_a_total_has_no_limit(box: str, tmp_path: Path) -> None:
    assert run("page", box, "-o", str(tmp_path / "box.html")).code == 0


def test_commands_tell_it(box: str, tmp_path: Path) -> None:
    assert run("value", box).out == "-3\n"
    said = run("analyze", box, "--at", "walk push push")
    assert ("kick  -∞     ∞" in said.out, said.code) == (True, 0)
    assert "-∞: play can be made to go on for ever there, and pays on the way." in said.out
    document = json.loads(run("analyze", box, "--at", "walk push push", "--json").out)
    kick = next(move for move in document["moves"] if move["move"] == "kick")
    nothing = {"player": {"exact": "-infinity", "approx": None}}
    assert (kick["value"], kick["lower"], kick["upper"]) == (None, nothing, nothing)
    assert (kick["regret"], kick["best"]) == ({"exact": "infinity", "approx": None}, False)
    assert "me=0 box=7,player,lower=-infinity upper=-infinity" in run("table", box, "--plain").out.replace("\t", ",")
    said = run("value", box, "--at", "walk push push kick")
    assert (said.code, "player's total is minus infinity" in said.err) == (3, True)
    assert "The game has a value." in run("check", box).out
    assert check_rules(load(box)).value.reason is None
    said = run("solve", box, "-o", str(tmp_path / "box"))
    assert (said.code, "stored solutions hold only numbers" in said.err) == (2, True)


def test_who_is_paid_drives_the_other_into_a_loop_without_a_way_out() -> None:
    # 0: the payer's, to 1 or to an end; 1: the other's, to the loop 2-3 or to the end; 3 could only go back.
    ways = ((1, 4), (2, 4), (3,), (2,), ())
    game = costs(ways, (0, 1, 0, 1, 0))
    solution = es.solve(game)
    assert solution.values() == naive.Judge(game).value() == (-1, 1)
    assert [option.value[0] for option in solution.options()] == [-1, BELOW_ALL]
    assert solution.options()[1].value[1] == ABOVE_ALL
    driven = solution.options(game.position("0"))
    assert [(option.move, option.best) for option in driven] == [(0, True), (1, False)]
    assert es.verify(es.prove(solution), MoverRewards).claim
    # Where the other moves first, there is no way round it; nor where chance does.
    for mover in (1, CHANCE):
        with pytest.raises(NoValue, match="first's total is minus infinity"):
            es.solve(costs(ways, (mover, 1, 0, 1, 0)))


def test_a_total_without_limit_upwards_is_the_same_the_other_way_round() -> None:
    game = costs(((1, 4), (2, 4), (3,), (2,), ()), (1, 0, 1, 0, 0), gain=1)
    solution = es.solve(game)
    assert solution.values() == (1, -1)
    assert solution.ends(game.position("0")) == (ABOVE_ALL, BELOW_ALL)
    for asked in (solution.value, solution.values, solution.exact_values, lambda place: es.solve(game, place)):
        with pytest.raises(NoValue, match="first's total is infinite"):
            asked(game.position("0"))


def test_both_kinds_in_one_game_are_refused() -> None:
    up, down = (1, -1), (-1, 1)
    ways = ((1, 5), (2, 3, 5), (2,), (4,), (3,), ())
    gains = ((down, down), (down, down, down), (down,), (up,), (up,), ())
    weights = tuple(tuple(1 for _ in row) for row in ways)
    game = MoverRewards(ways, ((0, 0),) * 6, 2, (0, 1, 0, 1, 0, 0), weights, gains)
    with pytest.raises(NoValue, match="total is"):
        es.solve(game)
    assert naive.Judge(game).why(naive.Judge(game).root()) == "pays"
    assert check_rules(game).value.reason is not None


def heads(length: int) -> MoverRewards:
    """Throw so many heads in a row, every throw for 1, or go round for ever."""
    last = 2 * length
    ways: list[tuple[int, ...]] = []
    for done in range(length):
        ways += [(2 * done + 1, last + 1) if done == 0 else (2 * done + 1,), (2 * done + 2, 0)]
    return costs((*ways, (), (last + 1,)), (*(0, CHANCE) * length, 0, 0))


def test_giving_up_costs_more_than_the_worst_that_can_be_afforded() -> None:
    game = heads(9)
    expected = -2 * (2**10 - 2)  # a throw and its outcome cost 1 each
    solution = es.solve(game)
    assert solution.values() == (expected,)
    assert es.verify(es.prove(solution), MoverRewards).claim


def test_amounts_without_limit_are_ordered_and_added_like_numbers() -> None:
    low, high = BELOW_ALL.lower, ABOVE_ALL.lower
    numbers = [Fraction(1, 2), -(10**40), 0, 10**40]
    assert all(low < number < high and high > number > low and number != low for number in numbers)
    assert all(low + number == number + low == low and number - low == high for number in numbers)
    assert sorted([high, 3, low, Fraction(-5, 2)]) == [low, Fraction(-5, 2), 3, high]
    assert (low - low, 2 * low, low * -2, -low, low / 3) == (0, low, high, high, low)
    assert low <= low <= high >= high
    assert len({low, Interval.without_limit(-1).upper, high}) == 2


@pytest.mark.parametrize("seeds", seed_rows(60, 5, 1))
def test_random_games_with_nodes_that_play_never_gets_away_from(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, compiled=15, kind="traps")
    assert not wrong
    assert counts["valued, with later positions without limit"] == counts["games"] > 5 / 6 * len(seeds)
    assert counts["certified"] == counts["valued"]
