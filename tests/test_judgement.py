"""Games with loops: what play that never ends is worth, and the one reason why no value can be told."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import endsight as es
import fuzz_judgement
import naive
from amounts import seed_rows
from command_line import run
from endsight import CHANCE, Interval, check_rules
from endsight.errors import NoValue, Wrong
from stored_folders import seal, unsealed
from strategies import AlternatingRewards, GraphGame, MoverGraph, MoverRewards

HALF = Fraction(1, 2)


def graph(
    successors: tuple, movers: tuple, payoffs: tuple, players: int = 2, rewards: dict | None = None
) -> MoverGraph:
    """A game on a graph, outcomes of chance equally likely; `rewards` by (node, edge), else nothing."""
    weights = tuple(tuple(1 for _ in ways) for ways in successors)
    if rewards is None:
        return MoverGraph(successors, payoffs, players, movers, weights)
    gains = tuple(
        tuple(rewards.get((node, edge), (0,) * players) for edge in range(len(ways)))
        for node, ways in enumerate(successors)
    )
    return MoverRewards(successors, payoffs, players, movers, weights, gains)


NOTHING = (0, 0)

# ---------------------------------------------------------------------- what was gained before endless play


def led_by_the_first(payoff: tuple = (0, 3)) -> MoverRewards:
    """The first gains 1 on the way to a loop, from which the second may go to an end."""
    return graph(((1,), (2,), (1, 3), ()), (0, 0, 1, 0), (NOTHING,) * 3 + (payoff,), 2, {(0, 0): (1, 0)})


def test_endless_play_is_won_by_who_was_ahead() -> None:
    """It counted as a total of 0 to 0 whatever was gained before: a tie, and 'first 1/2' was said to be exact."""
    stays = led_by_the_first((0, 0))  # nobody gets anything more: the first has won, wherever play goes
    assert es.solve(stays, utility="win").values() == (1, 0)
    assert naive.Judge(stays, utility="win").value() == (1, 0)
    leaves = led_by_the_first()
    assert es.solve(leaves, utility="win").values() == (0, 1)
    assert es.solve(stays, utility="lead").values() == (1, -1)
    closed = graph(((1,), (1,), ()), (0, 0, 0), (NOTHING,) * 3, 2, {(0, 0): (0, 2)})
    assert es.solve(closed, utility="win").values() == (0, 1)
    assert dict(es.solve(closed, utility="win").distribution("second")) == {1: 1}
    assert es.solve(closed, utility="lead").values() == (-2, 2)


def test_the_same_with_chance_and_for_one_player_with_a_par() -> None:
    dice = graph(((1, 2), (1,), (2,)), (CHANCE, 0, 0), (NOTHING,) * 3, 2, {(0, 0): (2, 0), (0, 1): (0, 1)})
    assert es.solve(dice, utility="win").values() == (HALF, HALF)
    assert dict(es.solve(dice, utility="win").distribution()) == {0: HALF, 1: HALF}
    assert es.solve(dice, utility="lead").values() == (HALF, -HALF)
    # A total of 1 is half a win: 2 is one, and endless play with nothing gained is none.
    alone = fuzz_judgement.WithPar(
        ((1, 2), (1,), (2,)), ((0,),) * 3, 1, (CHANCE, 0, 0), ((1, 1), (1,), (1,)), (((2,), (0,)), ((0,),), ((0,),))
    )
    assert es.solve(alone, utility="win").values() == (HALF,)
    assert es.solve(alone).values() == (1,)


def test_what_was_gained_before_the_position_counts_too() -> None:
    game = led_by_the_first((0, 0))
    for utility, values in (("payoff", (1, 0)), ("lead", (1, -1)), ("win", (1, 0))):
        for moves in ("", "0", "0 0", "0 0 0"):
            if utility == "payoff" and not moves:
                continue
            assert es.solve(game, game.position(moves), objective="cooperative", utility=utility).values() == values
    # Set up directly, nothing was gained before.
    assert es.solve(game, game.position_from("number=1"), utility="win").values() == (HALF, HALF)


def test_three_players_and_lead_count_what_each_has() -> None:
    game = graph(((1,), (1, 2), ()), (0, 0, 0), ((0, 0, 0), (0, 0, 0), (0, 5, 0)), 3, {(0, 0): (2, 1, 0)})
    assert es.solve(game, utility="lead").values() == (1, -1, -2)
    assert es.solve(game, utility="win", objective="cooperative").values() == (1, 0, 0)


def test_rewards_that_change_no_difference_are_no_reason_under_lead_and_win() -> None:
    both = AlternatingRewards(((0, 1), ()), ((0, 0), (1, -1)), 2, (((1, 1), (0, 0)), ()))
    # Payoffs are the first's and the second's, whoever moves; the leads are 2 and 0.
    assert es.solve(both, utility="lead").values() == naive.Judge(both, utility="lead").value() == (2, -2)
    assert es.solve(both, utility="win").values() == naive.Judge(both, utility="win").value() == (1, 0)
    with pytest.raises(NoValue, match="pays on the way"):
        es.solve(both)


def test_the_verifier_counts_what_was_gained_before_endless_play() -> None:
    """It took a total of 0 to 0 for what endless play pays, so that 1/2 was proven of a game that is lost."""
    closed = graph(((1,), (1,), ()), (0, 0, 0), (NOTHING,) * 3, 2, {(0, 0): (0, 2)})
    for game, wrong in ((closed, HALF), (closed, 1), (led_by_the_first((0, 0)), HALF)):
        certificate = es.prove(es.solve(game, utility="win"))
        assert es.verify(certificate, MoverRewards).claim
        claim = replace(certificate.claim, value={"first": (wrong, wrong), "second": (1 - wrong, 1 - wrong)})
        with pytest.raises(Wrong):
            es.verify(replace(certificate, claim=claim), MoverRewards)
    told = es.verify(es.prove(es.solve(closed, utility="win")), MoverRewards).claim
    assert "utility win: first 0, second 1" in told


# ---------------------------------------------------------------------- loops that pay


def paying(gain: int = 1) -> AlternatingRewards:
    """The first player may leave a loop that pays, and the second may not."""
    return AlternatingRewards(((1, 2), (0,), ()), (0, 0, 1), 2, ((gain, 0), (0,), ()))


@pytest.mark.parametrize("engine", ["plain", "compiled", "auto"])
@pytest.mark.parametrize("utility", ["win", "payoff", "lead"])
def test_a_loop_that_pays_is_refused_at_once_and_shown(utility: str, engine: str) -> None:
    """Under `win` the running differences had no end, and nothing noticed."""
    with pytest.raises(NoValue) as caught:
        es.solve(paying(), utility=utility, engine=engine)
    more = 2 if utility == "lead" else 1
    assert f"lead back to it and pay first {more}, second -{more}" in str(caught.value.found)
    if utility == "win":
        assert "infinitely many values" in caught.value.message


@pytest.mark.parametrize("method", ["graph", "layers", "search", "minimax", "alphabeta", "proofnumber"])
def test_no_method_looks_through_totals_without_end(method: str) -> None:
    with pytest.raises(NoValue, match="infinitely many values"):
        es.solve(paying(), utility="win", method=method)


def test_totals_that_chance_moves_about_without_end_are_refused_too() -> None:
    """The value exists there (it is a limit), but no finite table holds the totals."""
    walk = graph(((0, 0, 1), ()), (CHANCE, 0), (NOTHING,) * 2, 2, {(0, 0): (1, 0), (0, 1): (0, 1)})
    with pytest.raises(NoValue, match="infinitely many values"):
        es.solve(walk, utility="win")
    assert es.solve(walk, utility="lead").values() == (0, 0)
    assert es.solve(walk).values() == (1, 1)


def test_totals_that_go_up_and_down_have_no_last_one() -> None:
    game = graph(((1,), (0, 2), ()), (0, 1, 0), (NOTHING,) * 2 + ((0, 0),), 2, {(0, 0): (1, 0), (1, 0): (0, 1)})
    with pytest.raises(NoValue, match="goes up and down") as caught:
        es.solve(game, utility="win")
    assert "0 0 lead back to it" in str(caught.value.found)
    # A lead that only becomes larger or smaller is a lead.
    ahead = graph(((1,), (2,), (1,)), (0, 0, 1), (NOTHING,) * 3, 2, {(0, 0): (5, 0), (1, 0): (1, 0), (2, 0): (0, 1)})
    assert es.solve(ahead, utility="win").values() == (1, 0)


def test_totals_that_go_up_and_down_do_not_matter_where_nobody_wants_to_stay() -> None:
    """The first gains 1 and the second takes it back, or the first stops at once and wins 5."""
    game = graph(((1, 2), (0, 2), ()), (0, 1, 0), (NOTHING,) * 2 + ((5, 0),), 2, {(0, 0): (1, 0), (1, 0): (0, 1)})
    assert es.solve(game, utility="win").values() == (1, 0)
    assert dict(es.solve(game, utility="win").distribution()) == {1: 1}
    assert es.estimate(game, utility="win").states == 4


def stops_or_rides() -> MoverRewards:
    """The first stops with 1, or rides a loop on which 1 is gained and lost again."""
    return graph(
        ((3, 1), (2,), (1,), ()), (0, 1, 1, 0), (NOTHING,) * 4, 2, {(0, 0): (1, 0), (1, 0): (1, 0), (2, 0): (-1, 0)}
    )


def test_a_position_has_a_value_where_later_ones_have_none(tmp_path: Path) -> None:
    game = stops_or_rides()
    solution = es.solve(game, utility="win")
    oracle = naive.Judge(game, utility="win")
    assert solution.values() == oracle.value() == (1, 0)
    assert solution.best_moves() == ["0"]
    assert solution.line() == ["0"]
    ride = game.position().play(1)
    assert oracle.value(ride) == (naive.Ends(HALF, Fraction(1)), naive.Ends(Fraction(0), HALF))
    ends = (Interval(HALF, Fraction(1)), Interval(Fraction(0), HALF))
    assert solution.ends(ride) == ends
    assert es.verify(es.prove(solution), MoverRewards).claim
    stored = es.open_tablebase(es.save(solution, tmp_path / "stored"), game)
    assert stored.solution().ends(ride) == ends
    with pytest.raises(NoValue, match="goes up and down"):
        stored.value(ride)
    with pytest.raises(NoValue, match="goes up and down"):
        es.solve(game, ride, utility="win")
    with pytest.raises(NoValue, match="goes up and down"):
        solution.exact_values(ride)
    compiled = es.solve(game, utility="win", engine="compiled")
    assert compiled.values() == (1, 0)
    assert compiled.ends(ride) == ends


def test_who_can_keep_to_a_smaller_loop_where_the_total_stands_still_is_answered() -> None:
    """The second holds a draw by going back at once; on the longer way round the first is ahead for a while."""
    game = graph(((1,), (2, 0), (3,), (0,)), (0, 1, 0, 1), (NOTHING,) * 4, 2, {(1, 0): (1, 0), (3, 0): (-1, 0)})
    solution = es.solve(game, utility="win")
    assert solution.values() == naive.Judge(game, utility="win").value() == (HALF, HALF)
    assert dict(solution.distribution()) == {HALF: 1}
    assert es.verify(es.prove(solution), MoverRewards).claim
    # The first is no better off for being allowed to choose on the longer way.
    gains = {(1, 0): (1, 0), (2, 1): (-1, 0), (3, 0): (-1, 0)}
    longer = graph(((1,), (2, 0), (3, 0), (0,)), (0, 1, 0, 1), (NOTHING,) * 4, 2, gains)
    assert es.solve(longer, utility="win").values() == (HALF, HALF)


@pytest.mark.parametrize("seeds", seed_rows(80, 10, 652))
def test_games_whose_totals_go_up_and_down_are_judged_alike(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, kind="swings")
    assert not wrong
    assert counts["valued, with swings"]
    assert counts["changing"]
    assert not counts["without certificate"]


def test_a_position_from_which_nobody_decides_gets_one_answer_whoever_is_asked() -> None:
    """The first player may end the game; else the second one's total goes up and down, and nobody can help it."""
    gains = {(1, 0): (0, -1, 0), (2, 0): (0, 1, 0)}
    game = graph(((1, 3), (2,), (1,), ()), (0, 1, 1, 0), (*[(0, 0, 0)] * 3, (0, 0, 1)), 3, gains)
    solution = es.solve(game, utility="lead")
    ends = Interval(Fraction(-1), Fraction(0))
    assert solution.values("0") == es.solve(game, game.position("0"), utility="lead").values() == (0, ends, 0)
    # Where the first player's goes up and down, whoever decides before is the only one whose total must not.
    gains = {(1, 0): (-1, 0, 0), (2, 0): (1, 0, 0)}
    other = graph(((1, 3), (2,), (1,), ()), (0, 1, 1, 0), (*[(0, 0, 0)] * 3, (1, 0, 0)), 3, gains)
    solution = es.solve(other, utility="lead")
    assert solution.values() == (1, -1, -1)
    assert solution.values("0") == es.solve(other, other.position("0"), utility="lead").values() == (ends, 0, 0)
    # Nobody has a value there.
    gains = {(1, 0): (-1, 1, 2), (2, 0): (1, -1, -2)}
    third = graph(((1, 3), (2,), (1,), ()), (0, 1, 1, 0), (*[(0, 0, 0)] * 3, (5, 0, 0)), 3, gains)
    for ask in (lambda: es.solve(third, utility="lead").values("0"), lambda: es.solve(third, "0", utility="lead")):
        with pytest.raises(NoValue, match="goes up and down"):
            ask()


@pytest.mark.parametrize("seeds", seed_rows(120, 10, 31))
def test_games_in_which_hardly_anybody_decides_are_judged_alike(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, kind="bystanders", compiled=8)
    assert not wrong
    assert counts["valued, with swings"]
    assert counts["valued, with later positions of none"]
    assert counts["changing"]


@pytest.mark.parametrize("seed", [131, 349, 643, 786, 894])
def test_values_on_loops_whose_totals_go_up_and_down_are_proven(seed: int) -> None:
    """Some wait on one loop, pass others that would pay too little if play stayed there, or must not stay at all."""
    draw = Random(seed)
    game = fuzz_judgement.swinging_game(draw)
    asked = fuzz_judgement.swinging_question(draw, game)
    fixed = {game.player_names[player]: rule for player, rule in asked["fixed"].items()}
    solution = es.solve(game, objective=asked["objective"], utility=asked["utility"], fixed=fixed)
    made = es.prove(solution)
    assert es.verify(made, type(game))
    assert made.claim.value == dict(zip(game.player_names, ((v, v) for v in solution.values()), strict=True))


def test_proof_numbers_refuse_loops_that_no_path_of_the_search_closes() -> None:
    """Numbers of two positions that lead to each other pushed each other up for ever."""
    successors = ((2, 1), (2, 3), (1, 1), (1, 1))
    gains = ((1, -1), (2, 1), (-2, -2), (-1, -1))
    rewards = {(node, edge): (gain, 0) for node, row in enumerate(gains) for edge, gain in enumerate(row)}
    game = graph(successors, (1, 0, 0, 1), (NOTHING,) * 4, 2, rewards)
    with pytest.raises(es.errors.QuestionError, match="go round for ever"):
        es.solve(game, utility="win", method="proofnumber")


def test_a_loop_that_pays_beyond_a_thousand_states_is_found_as_well() -> None:
    length = 3_000
    successors = (*(((node + 1),) for node in range(length)), (length,))
    gains = (*(((0, 0),) for _ in range(length)), ((1, 0),))
    far = MoverRewards(successors, (NOTHING,) * (length + 1), 2, (0,) * (length + 1), ((1,),) * (length + 1), gains)
    with pytest.raises(NoValue, match="infinitely many values"):
        es.solve(far, utility="win")


def test_rewards_beside_loops_are_counted_without_chance() -> None:
    """They were refused wherever there was any loop."""
    fee = graph(
        ((1,), (2, 3), (1, 3), ()), (0, 0, 1, 0), (NOTHING,) * 3 + ((-1, 1),), 2, {(0, 0): (3, -3), (2, 1): (5, -5)}
    )
    assert es.solve(fee).values() == naive.Judge(fee).value() == (3, -3)
    solution = es.solve(fee)
    assert solution.distribution().mean() == 3


def test_two_moves_to_one_position_may_bring_different_gains() -> None:
    """The play that a distribution follows took the first of them."""
    game = graph(((0, 1, 1), (1, 2), ()), (1, 1, 0), ((0, 0),) * 3, 2, {(0, 2): (1, -1)})
    solution = es.solve(game, objective="cooperative")
    assert solution.values() == (1, -1)
    assert dict(solution.distribution()) == {1: 1}


# ---------------------------------------------------------------------- interests


def test_payoffs_of_one_sum_and_endless_play_of_another_are_named() -> None:
    """`(1, 0)` and `(0, 1)` were told to have sums that depend on play."""
    game = graph(((1, 2), (0, 3), (), ()), (0, 1, 0, 0), (NOTHING,) * 2 + ((1, 0), (0, 1)))
    with pytest.raises(NoValue, match="interests are not opposed") as caught:
        es.solve(game)
    assert "together 1; play that never ends pays (0, 0)" in str(caught.value.found)
    assert es.solve(game, utility="lead").values() == (1, -1)
    assert es.solve(game, utility="win").values() == (1, 0)


def test_sums_that_do_not_matter_are_no_reason() -> None:
    """Chance ends every loop: what endless play pays does not count."""
    game = graph(((1, 2), (0, 3), (), ()), (0, CHANCE, 1, 1), (NOTHING,) * 2 + ((0, 1), (1, 0)))
    assert es.solve(game).values() == (1, 0)


def test_the_others_get_nothing_where_one_player_stays_for_ever() -> None:
    """The second got 1 of endless play, as if it had the same sum as the ends."""
    game = graph(((0, 1), (2, 0), ()), (0, CHANCE, 0), (NOTHING,) * 2 + ((-1, 2),))
    assert es.solve(game).values() == (0, 0)
    cooperative = graph(((1, 0), (0, 2), ()), (0, CHANCE, 1), (NOTHING,) * 2 + ((-1, 2),))
    assert es.solve(cooperative, objective="cooperative").values() == (0, 0)


def test_a_player_alone_with_a_choice_decides_whoever_it_is() -> None:
    """Payoffs of any sums, and only the second (or third) ever chooses: that one takes what is best for it."""
    second = graph(((1,), (0, 2, 3), (), ()), (0, 1, 0, 0), (NOTHING,) * 2 + ((4, 1), (0, 2)))
    assert es.solve(second).values() == (0, 2)
    third = graph(((0, 1, 2), (), ()), (2, 0, 0), ((0, 0, 0), (1, 2, -1), (1, 1, 1)), 3)
    assert es.solve(third).values() == (1, 1, 1)
    with_dice = graph(((1, 2, 3), (0, 2), (), ()), (1, CHANCE, 0, 0), (NOTHING,) * 2 + ((4, 1), (0, 2)))
    assert es.solve(with_dice).values() == (0, 2)


def test_endless_play_under_win_is_a_tie_where_a_policy_is_followed() -> None:
    """It was worth 0 to both where values were those of a play."""
    game = graph(((0, 1), (1, 0), ()), (0, CHANCE, 0), ((0, 0, 0),) * 3, 3)
    solution = es.solve(game, utility="win", objective="cooperative")
    assert solution.values() == (Fraction(1, 3),) * 3


# ---------------------------------------------------------------------- one judgement


REFUSED = {
    "pays": paying(),
    "three players": GraphGame(
        ((3, 1), (4, 2), (5, 0), (), (), ()), (*((0,) * 3,) * 3, (1, 0, 3), (3, 1, 0), (0, 3, 1)), 3
    ),
    "sums": GraphGame(((0, 1), (0, 2), ()), ((0, 0), (0, 0), (2, 1))),
}


@pytest.mark.parametrize("name", REFUSED)
def test_everybody_gives_the_same_reason(name: str) -> None:
    game = REFUSED[name]
    with pytest.raises(NoValue) as caught:
        es.solve(game)
    with pytest.raises(NoValue) as again:
        es.estimate(game)
    report = check_rules(game)
    assert report.is_sound
    assert report.value is not None
    assert report.value.reason is not None
    assert str(caught.value) == str(again.value) == str(report.value.reason.error())


RULES = '''
from typing import NamedTuple
from endsight import Game

class Ring(Game):
    """Two players move round a ring; who stops gets one of the two prizes."""
    class State(NamedTuple):
        square: int
    def limits(self): return self.State(5)
    def start(self): return self.State(0)
    def to_move(self, state): return state.square % 2
    def moves(self, state):
        if state.square < 4: yield from (0, 1)
    def play(self, state, move): return self.State((state.square + 1) % 4 if move == 0 else 4 + state.square % 2)
    def payoff(self, state): return (1, 0) if state.square == 4 else (0, 1)
'''


def test_the_commands_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.py").write_text(RULES)
    told = run("value", "ring.py")
    assert told.code == 3
    message = "play can go on for ever in this game, and its players' interests are not opposed"
    assert message in told.err
    for name in ("analyze", "dist", "estimate", "line"):
        other = run(name, "ring.py")
        assert (other.code, other.err) == (3, told.err)
    assert run("prove", "ring.py", "-o", "ring.json").err == told.err
    checked = run("check", "ring.py")
    assert checked.code == 0
    assert message in " ".join(checked.out.split())
    document = json.loads(run("check", "ring.py", "--json").out)
    assert document["value"]["can_be_told"] is False
    assert message in document["value"]["reason"]
    assert run("value", "ring.py", "--utility", "lead").code == 0


@pytest.mark.parametrize("seeds", seed_rows(120, 16, 1))
def test_random_games_are_judged_as_the_oracle_judges_them(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds)
    assert not wrong, "\n".join(wrong)
    assert counts["valued"] > len(seeds) / 2
    assert counts["checked"] > len(seeds) / 6


RIDE = """
from typing import NamedTuple
from endsight import Game

class Ride(Game):
    players = 2
    class State(NamedTuple):
        at: int
    def limits(self): return self.State(3)
    def start(self): return self.State(0)
    def moves(self, state): return ((3, 1), (2,), (1,), ())[state.at]
    def to_move(self, state): return (0, 1, 1, 0)[state.at]
    def play(self, state, move): return self.State(move)
    def payoff(self, state): return (0, 0)
    def reward(self, state, move): return (-1, 0) if state.at == 2 else (int(move != 1), 0)
"""


@pytest.mark.parametrize("command", ["analyze", "table"])
def test_ends_of_positions_are_written_as_intervals(command: str, tmp_path: Path) -> None:
    rules = tmp_path / "ride.py"
    rules.write_text(RIDE, encoding="utf-8")
    shown = run(command, str(rules), "--utility", "win").out
    assert "[0.500000, 1.000000]" in shown
    assert "Interval" not in shown
    asked = run("value", str(rules), "--utility", "win", "--at", "1")
    assert (asked.code, asked.out) == (3, "")
    assert "goes up and down" in asked.err


def test_a_later_position_without_value_is_refused_as_where_it_is_asked_first(tmp_path: Path) -> None:
    rules = tmp_path / "ride.py"
    rules.write_text(RIDE, encoding="utf-8")
    game = es.load(f"{rules}:Ride")
    solution, place = es.solve(game, utility="win"), game.position("1")
    with pytest.raises(NoValue) as first:
        es.solve(game, place, utility="win")
    for asked in (solution.value, solution.values, solution.exact_values):
        with pytest.raises(NoValue) as later:
            asked(place)
        assert str(later.value) == str(first.value)
    assert solution.ends(place) == (Interval(Fraction(1, 2), 1), Interval(0, Fraction(1, 2)))
    assert solution.ends() == solution.values() == (1, 0)


ROUND = """
from typing import NamedTuple
from endsight import Game

class Round(Game):
    class State(NamedTuple):
        at: int
    def players(self): return 3
    def limits(self): return self.State(4)
    def start(self): return self.State(0)
    def moves(self, state): return ((1, 3), (2,), (0,), (4,), ())[state.at]
    def to_move(self, state): return 0
    def play(self, state, move): return self.State(move)
    def payoff(self, state): return (0, 1, 0)
    def reward(self, state, move): return (0, (-2, 0, 2, 0)[state.at], 0)
"""


@pytest.fixture
def going_round(tmp_path: Path) -> list[str]:
    """Rules under which the first player does best to go round for ever, while the second one's total swings."""
    rules = tmp_path / "round.py"
    rules.write_text(ROUND, encoding="utf-8")
    return [str(rules), "--objective", "cooperative", "--utility", "lead"]


def test_ends_of_another_player_are_told_where_the_first_has_a_value(going_round: list[str]) -> None:
    told = run("analyze", *going_round, "--exact")
    assert (told.code, told.out) == (3, "")
    assert "goes up and down" in told.err
    told = run("analyze", *going_round)
    assert told.code == 0
    assert "first 0, second [-2.000000, 0.000000], third 0" in " ".join(told.out.split())
    assert "no single value" in told.out


def test_a_total_that_goes_up_and_down_has_no_distribution(going_round: list[str]) -> None:
    told = run("dist", *going_round, "--player", "second")
    assert (told.code, told.out) == (2, "")
    assert "no final total" in told.err


def test_play_that_nobody_decides_and_that_comes_back_ends(going_round: list[str]) -> None:
    told = run("play", *going_round, "--seat", "first=perfect")
    assert told.code == 0
    assert "play repeats for ever" in told.out


def test_stored_solutions_refuse_positions_without_value(tmp_path: Path) -> None:
    rules, stored = tmp_path / "ride.py", tmp_path / "stored"
    rules.write_text(RIDE, encoding="utf-8")
    asked = [str(rules), "--utility", "win"]
    assert run("solve", *asked, "-o", str(stored)).code == 0
    for options in ([], ["--from", str(stored)]):
        assert run("value", *asked, *options).out == "first wins\n"
        refused = run("value", *asked, *options, "--at", "1")
        assert (refused.code, refused.out) == (3, "")
        assert "goes up and down" in refused.err
        assert "no single value" in run("analyze", *asked, *options).out


def test_a_manifest_with_other_swings_is_not_read(going_round: list[str], tmp_path: Path) -> None:
    stored = tmp_path / "stored"
    assert run("solve", *going_round, "-o", str(stored)).code == 0
    manifest = unsealed(stored / "MANIFEST.json")
    for wrong in ({"player": 0}, {**manifest["swings"], "player": "0"}, {**manifest["swings"], "more": 1}, "swings"):
        seal(stored / "MANIFEST.json", manifest | {"swings": wrong})
        refused = run("status", str(stored))
        assert (refused.code, "is not a manifest that can be read" in refused.err) == (3, True)
    seal(stored / "MANIFEST.json", manifest)
    assert run("value", *going_round, "--from", str(stored)).code == 0
