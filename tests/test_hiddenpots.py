"""Hidden pots: the rules, and taking the bigger end against the rules played out in full."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from command_line import ask
from endsight import CHANCE, Position, Solution, solve
from endsight.errors import IllegalMoveError, ParameterError, PositionError, QuestionError
from endsight.games.hiddenpots import LEFT, RIGHT, HiddenPots
from naive import Recursion
from places import reachable

CASES = json.loads((Path(__file__).parent / "known" / "hiddenpots.json").read_text())["cases"]
SIZES = [(count, most) for count in range(7) for most in (1, 2, 3, 5) if most**count <= 130]


def theorem(game: HiddenPots, utility: str = "payoff") -> Solution:
    return solve(game, utility=utility, method="theorem")


def gold(game: HiddenPots, *, cooperative: bool) -> tuple[Fraction, Fraction]:
    """Expected gold of both players, from the rules alone."""

    @cache
    def ahead(state: HiddenPots.State) -> tuple[Fraction, Fraction]:
        mover = game.to_move(state)
        options = []
        for move in game.moves(state):
            later, now = ahead(game.play(state, move)), game.reward(state, move)
            options.append((later[0] + now[0], later[1] + now[1]))
        if not options:
            return Fraction(0), Fraction(0)
        if mover == CHANCE:
            return sum(own for own, _ in options) / len(options), sum(own for _, own in options) / len(options)
        return max(options, key=lambda option: option[0 if cooperative else mover])

    return ahead(game.start())


def win_chance(game: HiddenPots) -> Fraction:
    """The first player's chance to win when both play for the win, from the rules alone."""

    @cache
    def ahead(state: HiddenPots.State, lead: int) -> Fraction:
        mover = game.to_move(state)
        options = []
        for move in game.moves(state):
            now = game.reward(state, move)
            options.append(ahead(game.play(state, move), lead + now[0] - now[1]))
        if not options:
            return Fraction(1 + (lead > 0) - (lead < 0), 2)
        if mover == CHANCE:
            return sum(options) / len(options)
        return (min if mover else max)(options)

    return ahead(game.start(), 0)


# ---------------------------------------------------------------- rules


def test_a_game_move_by_move() -> None:
    game = HiddenPots(count=4, max=6)
    position = game.position("4 1 L 3")
    assert position.state == (3, 1, 1)
    assert position.to_move == "second"
    assert position.so_far == (4, 0)
    position = position.after("R")
    assert position.state == (3, 0, 1)
    assert position.to_move == "chance"
    assert [game.show_move(position.state, move) for move in position.moves()] == list("123456")
    position = position.after("6")
    assert position.state == (3, 6, 0)
    position = position.after("L")
    assert position.state == (6, 0, 0)
    assert [game.show_move(position.state, move) for move in position.moves()] == ["L"]
    position = position.after("L")
    assert position.is_over
    assert position.so_far == (7, 7)


def test_the_start_uncovers_left_then_right() -> None:
    game = HiddenPots(3, 2)
    assert game.position().to_move == "chance"
    assert game.position("1").to_move == "chance"
    assert game.position("1 2").state == (1, 2, 1)
    assert HiddenPots(1, 2).position("2").to_move == "first"
    assert HiddenPots(2, 2).position("2 1 L").state == (1, 0, 0)


def test_no_pots_at_all() -> None:
    game = HiddenPots(0, 5)
    assert game.position().is_over
    assert theorem(game).values(game.position()) == (0, 0)
    assert theorem(game, "win").values(game.position()) == (Fraction(1, 2), Fraction(1, 2))


@pytest.mark.parametrize("wrong", ["0", "7", "L", "04", "-1", "x", "4" * 5000])
def test_outcomes_that_cannot_come_up(wrong: str) -> None:
    with pytest.raises(IllegalMoveError):
        HiddenPots(4, 6).position(wrong)


def test_parameters() -> None:
    with pytest.raises(ParameterError, match="needs max"):
        HiddenPots(count=3)
    with pytest.raises(ParameterError, match="max=0 is out of range"):
        HiddenPots(3, 0)
    with pytest.raises(ParameterError, match="count=-1 is out of range"):
        HiddenPots(-1, 3)


@pytest.mark.parametrize("size", SIZES)
def test_positions_as_text_are_the_reachable_ones(size: tuple[int, int]) -> None:
    game = HiddenPots(*size)
    movers = {position.state: position.mover for position in reachable(game.position(), totals=True)}
    count, most = size
    for left in range(most + 2):
        for right in range(most + 2):
            for hidden in range(count + 2):
                state = game.State(left, right, hidden)
                text = game.show(state)
                if state in movers:
                    position = game.position_from(text)
                    assert (position.state, position.mover) == (state, movers[state])
                else:
                    with pytest.raises(PositionError):
                        game.position_from(text)


def test_turning_the_line_round_changes_nothing() -> None:
    game = HiddenPots(5, 3)
    for position in reachable(game.position(), totals=True):
        state = position.state
        same = game.canonical(state)
        assert game.canonical(same) == same
        assert game.to_move(same) == game.to_move(state)
        children = sorted((game.reward(state, m), game.canonical(game.play(state, m))) for m in game.moves(state))
        others = sorted((game.reward(same, m), game.canonical(game.play(same, m))) for m in game.moves(same))
        assert children == others


def test_policies() -> None:
    game = HiddenPots(6, 6)
    for left, right, bigger, smaller in ((4, 1, LEFT, RIGHT), (1, 4, RIGHT, LEFT), (2, 2, RIGHT, LEFT)):
        state = game.State(left, right, 3)
        assert (game.policy_bigger(state), game.policy_smaller(state)) == (bigger, smaller)
    single = game.State(3, 0, 0)
    assert (game.policy_bigger(single), game.policy_smaller(single)) == (LEFT, LEFT)


def test_drawings() -> None:
    game = HiddenPots(30, 12)
    assert game.draw(game.State(3, 12, 2)) == " L        R\n[3] ? ? [12]"
    assert game.draw(game.State(3, 1, 0)) == " L   R\n[3] [1]"
    assert game.draw(game.State(3, 0, 0)) == " L\n[3]"
    assert game.draw(game.State(3, 0, 2)) == "[3] ? ?"
    assert game.draw(game.State(0, 3, 2)) == "? ? [3]"
    assert game.draw(game.State(0, 0, 0)) == "no pot is left"
    assert "? ? ? ... 24 more ... ? ? ?" in game.draw(game.start())


# ---------------------------------------------------------------- worked answers


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['n_pots']}-{case['m']}")
def test_worked_answers(case: dict) -> None:
    game = HiddenPots(case["n_pots"], case["m"])
    start = game.position()
    expected = Fraction(case["optimal_first_player_expected_gold"])
    difference = Fraction(case["optimal_expected_difference_first_minus_second"])
    chance = Fraction(case["win_probability_first_ties_half_both_optimal"])
    assert theorem(game).values(start) == (expected, expected - difference)
    assert theorem(game, "lead").values(start) == (difference, -difference)
    assert theorem(game, "win").values(start) == (chance, 1 - chance)
    assert gold(game, cooperative=False) == (expected, expected - difference)
    assert gold(game, cooperative=True)[0] == Fraction(case["cooperative_first_player_expected_gold"])
    assert win_chance(game) == chance
    for known in case.get("states", []):
        state = game.State(known["visible_left"], known["visible_right"], known["remaining_pots"] - 2)
        lead = known["mover_lead_so_far"]
        position = Position(game, state, game.to_move(state), (lead, 0), ())
        assert position.mover == 0
        for move, side in ((LEFT, "left"), (RIGHT, "right")):
            then = position.play(move)
            assert theorem(game, "lead").values(then)[0] - lead == Fraction(known[f"value_difference_if_take_{side}"])
            assert theorem(game, "win").values(then)[0] == Fraction(known[f"win_probability_if_take_{side}"])


# ---------------------------------------------------------------- against the oracle


@pytest.mark.parametrize("utility", ["payoff", "win", "lead"])
@pytest.mark.parametrize("size", SIZES)
def test_every_position_agrees_with_the_rules_played_out(size: tuple[int, int], utility: str) -> None:
    game = HiddenPots(*size)
    oracle = Recursion(game, "competitive", utility)
    found = theorem(game, utility)
    for position in reachable(game.position(), totals=True):
        value = oracle.value(position)
        assert found.values(position) == value
        assert solve(game, position, utility=utility, method="theorem").values() == value
        if position.to_move not in ("chance", None):
            assert found.chosen(position) in (oracle.chosen(oracle.root(position)), None)


@pytest.mark.parametrize("size", SIZES)
def test_distributions_agree_with_the_rules_played_out(size: tuple[int, int]) -> None:
    game = HiddenPots(*size)
    oracle = Recursion(game)
    starts = [game.position(), *(game.position(str(gold)) for gold in range(1, size[1] + 1) if size[0])]
    starts += [then.play(move) for then in starts[1:] for move in then.moves()]
    for position in starts:
        outcomes = oracle.outcomes(oracle.root(position))
        for player in (0, 1):
            distribution = theorem(game).distribution(game.player_names[player], position)
            assert dict(distribution) == oracle.distribution(player, position)
            assert distribution.expected_plies == oracle.plies(oracle.root(position))
            leads: dict = {}
            for totals, chance in outcomes.items():
                lead = totals[player] - totals[1 - player]
                leads[lead] = leads.get(lead, 0) + chance
            assert dict(theorem(game, "lead").distribution(game.player_names[player], position)) == dict(
                sorted(leads.items())
            )


def test_other_questions_are_left_to_the_engine() -> None:
    game = HiddenPots(3, 2)
    start = game.position()
    for question in ({"objective": "cooperative"}, {"fixed": {"first": "bigger"}}):
        with pytest.raises(QuestionError, match="no theorem"):
            solve(game, method="theorem", **question)
        assert solve(game, **question).theorem is None
    oracle, wins = Recursion(game, "competitive", "win"), dict[Fraction, Fraction]()
    for (own, other), chance in oracle.outcomes(oracle.root(start)).items():
        share = Fraction((own > other) + (own >= other), 2)
        wins[share] = wins.get(share, Fraction(0)) + chance
    assert dict(theorem(game, "win").distribution("first", start)) == wins


# ---------------------------------------------------------------- big instances


def test_many_pots() -> None:
    @cache
    def lead(end: int, hidden: int) -> Fraction:
        """Of the player to move, one pot at a time, when the bigger end is taken."""
        if hidden == 0:
            return Fraction(end)
        return sum(max(end, new) - lead(min(end, new), hidden - 1) for new in range(1, 7)) / Fraction(6)

    for count in (80, 81):
        game = HiddenPots(count, 6)
        first, second = theorem(game).values(game.position())
        assert first + second == Fraction(count * 7, 2)
        assert first - second == sum(lead(end, count - 1) for end in range(1, 7)) / 6
    huge = HiddenPots(5000, 6)
    assert sum(theorem(huge).values(huge.position())) == 5000 * 7 // 2


def test_pots_that_are_all_alike() -> None:
    same = HiddenPots(300, 1)
    assert theorem(same, "win").values(same.position()) == (Fraction(1, 2), Fraction(1, 2))
    odd = HiddenPots(301, 1)
    assert theorem(odd, "win").values(odd.position()) == (1, 0)


def test_distribution_lead_and_win_of_many_pots_fit_together() -> None:
    game = HiddenPots(60, 4)
    start = game.position()
    leads = theorem(game, "lead").distribution("first", start)
    assert sum(leads.values()) == 1
    assert leads.mean() == theorem(game, "lead").values(start)[0]
    chance = sum(share if lead > 0 else share / 2 for lead, share in leads.items() if lead >= 0)
    assert theorem(game, "win").values(start)[0] == chance
    assert theorem(game).distribution("second", start).mean() == theorem(game).values(start)[1]


def test_a_big_pot_range_needs_no_enumeration_of_positions() -> None:
    game = HiddenPots(4, 10_000)
    position = game.position("9000 20")
    value = theorem(game).values(position)
    assert sum(value) == 9020 + 10_001
    assert theorem(game).values(position.after("L"))[0] == value[0]
    assert theorem(game).values(position.after("R"))[0] < value[0]


@pytest.mark.parametrize("moves", ["", "1 2", "1 2 R", "1 2 R 1"])
def test_with_nothing_hidden_any_more_the_win_is_won_drawn_or_lost(moves: str) -> None:
    asked = ("table", "hiddenpots:count=3,max=2", "--utility", "win", f"--at={moves}")
    theorem, graph = ([row["category"] for row in ask(*asked, "--method", each)["rows"]] for each in ("auto", "graph"))
    assert theorem == graph
    assert {"win", "draw", "loss"} & {*graph}
