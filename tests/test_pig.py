"""Pig and a single turn of it: rules, published values, and policy iteration on the rules as a witness."""

import random
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from endsight import solve
from endsight.errors import IllegalMoveError, ParameterError, PositionError
from endsight.games import Pig, PigTurn


def reachable(game, start=None) -> list:
    states = [start or game.start()]
    seen = set(states)
    for state in states:
        for move in game.moves(state):
            child = game.play(state, move)
            if child not in seen:
                seen.add(child)
                states.append(child)
    return states


def named_moves(game, state) -> list:
    return [game.show_move(state, move) for move in game.moves(state)]


class Witness:
    """Chance of winning less losing for the player on turn, by policy iteration.

    Seen from the player on turn there are half as many decisions. Scores only grow, so
    the pairs of scores are solved one after the other, from the highest sum down.
    """

    def __init__(self, game: Pig):
        self.game = game
        self.values: dict = {}
        groups: dict = {}
        for state in reachable(game):
            if game.to_move(state) == 0 and list(game.moves(state)):
                groups.setdefault(tuple(sorted((state.first, state.second))), []).append(state)
        for pair in sorted(groups, key=sum, reverse=True):
            self.solve(groups[pair])

    def parts(self, state, move) -> list:
        """What follows a decision: (chance, sign, state with the first player on turn, or who has won)."""
        after = self.game.play(state, move)
        rolls = [after]
        if after.rolling:
            rolls = [self.game.play(after, face) for face in self.game.moves(after)]
        return [(Fraction(1, len(rolls)), *self.seen(child)) for child in rolls]

    def seen(self, state) -> tuple:
        if not list(self.game.moves(state)):
            return 1, self.game.payoff(state)[0]
        if state.turn == 0:
            return 1, state
        return -1, state._replace(first=state.second, second=state.first, turn=0)

    def worth(self, state, move) -> Fraction:
        return sum(chance * sign * self.values.get(child, child) for chance, sign, child in self.parts(state, move))

    def solve(self, states: list) -> None:
        policy = {state: next(iter(self.game.moves(state))) for state in states}
        improved = True
        while improved:
            self.evaluate(policy)
            improved = False
            for state in states:
                best = max(self.game.moves(state), key=lambda move: self.worth(state, move))
                if self.worth(state, best) > self.worth(state, policy[state]):
                    policy[state], improved = best, True

    def evaluate(self, policy: dict) -> None:
        """Values of the states of one pair of scores when each plays `policy`."""
        for state in policy:
            self.values.pop(state, None)
        steps = {}
        for state, move in policy.items():
            merged: dict = {}
            for chance, sign, child in self.parts(state, move):
                merged[child] = merged.get(child, 0) + chance * sign
            steps[state] = [(weight, child, 0) for child, weight in merged.items()]
        known = {child: Fraction(child) for parts in steps.values() for _, child, _ in parts if isinstance(child, int)}
        self.values.update(naive.solve(steps, known | self.values))


# ---------------------------------------------------------------- pig


@pytest.mark.parametrize(("target", "value"), [(5, "161/271"), (10, "4591/10961")])
def test_published_values_follow_from_the_rules(target, value):
    game = Pig(target)
    assert Witness(game).values[game.start()] == Fraction(value)


@pytest.mark.parametrize("target", [1, 2, 3, 4])
def test_general_engine_agrees_everywhere(target):
    game = Pig(target)
    witness = Witness(game)
    solution = solve(game)
    for state in reachable(game):
        if state.turn == 0 and not state.rolling and list(game.moves(state)):
            first, second = solution.values(game.position_from(game.show(state)))
            assert first == -second == witness.values[state]
            mirrored = state._replace(first=state.second, second=state.first, turn=1)
            assert solution.values(game.position_from(game.show(mirrored))) == (second, first)


def test_general_engine_finds_the_published_value():
    assert solve(Pig(5)).value() == {"first": Fraction(161, 271), "second": Fraction(-161, 271)}


@pytest.mark.parametrize("target", [1, 2, 4, 7])
def test_every_play_ends_whatever_the_players_do(target):
    """From every state some outcome of every choice comes nearer to the end."""
    game = Pig(target)
    states = reachable(game)
    ending = {state for state in states if not list(game.moves(state))}
    growing = True
    while growing:
        more = {
            state
            for state in set(states) - ending
            if (any if state.rolling else all)(game.play(state, move) in ending for move in game.moves(state))
        }
        ending |= more
        growing = bool(more)
    assert ending == set(states)


@settings(max_examples=100)
@given(st.integers(1, 30), st.randoms(use_true_random=False))
def test_scores_and_pot_keep_to_the_rules(target, dice: random.Random):
    game = Pig(target)
    state = game.start()
    for _ in range(200):
        moves = list(game.moves(state))
        own = (state.first, state.second)[state.turn]
        assert all(0 <= value <= most for value, most in zip(state, game.limits(), strict=True))
        assert game.parse(game.show(state)) == state
        assert len(game.draw(state).splitlines()) == 2
        if not moves:
            assert target in (state.first, state.second)
            assert game.payoff(state) == ((1, -1) if state.first == target else (-1, 1))
            break
        if state.rolling:
            assert moves == [1, 2, 3, 4, 5, 6]
        else:
            wins = own + state.pot == target
            assert named_moves(game, state) == ["roll"] * (not wins) + ["hold"] * (state.pot > 0)
        move = dice.choice(moves)
        after = game.play(state, move)
        if state.rolling and move == 1:
            assert after == (state.first, state.second, 0, 1 - state.turn, 0)
        elif state.rolling:
            assert after == (state.first, state.second, min(state.pot + move, target - own), state.turn, 0)
        elif game.show_move(state, move) == "hold":
            assert (after.first + after.second, after.pot) == (state.first + state.second + state.pot, 0)
            assert after.turn == 1 - state.turn
        state = after


def test_moves_are_read_in_the_notation_of_the_game():
    game = Pig()
    position = game.position("roll 5 roll 6 hold roll 1 roll")
    assert game.show(position.state) == "first=11 second=0 pot=0 turn=first rolling=yes"
    assert position.to_move == "chance"
    with pytest.raises(IllegalMoveError, match="allowed: roll"):
        game.position("hold")
    with pytest.raises(IllegalMoveError, match="1 2 3 4 5 6"):
        game.position("roll 7")
    won = game.position_from("first=95 second=99 pot=5 turn=first")
    assert named_moves(game, won.state) == ["hold"]
    assert won.after("hold").is_over


@pytest.mark.parametrize(
    ("score", "pot", "move"), [(0, 0, "roll"), (0, 19, "roll"), (0, 20, "hold"), (90, 9, "roll"), (90, 10, "hold")]
)
def test_hold20_holds_at_20_or_where_it_wins(score, pot, move):
    game = Pig()
    for state in (game.State(score, 7, pot, 0, 0), game.State(7, score, pot, 1, 0)):
        assert game.show_move(state, game.policy_hold20(state)) == move


def test_hold20_loses_against_best_play():
    game = Pig(6)
    free = solve(game).values()[0]
    assert solve(game, fixed={0: "hold20"}).values()[0] <= free <= solve(game, fixed={1: "hold20"}).values()[0]


@pytest.mark.parametrize(
    "text",
    [
        "first=1 second=2 pot=3",
        "first=1 second=2 pot=3 turn=third",
        "first=1 second=2 pot=3 turn=2",
        "first=101 second=2 pot=0 turn=first",
        "first=90 second=2 pot=11 turn=first",
        "first=90 second=2 pot=10 turn=first rolling=yes",
        "first=100 second=2 pot=3 turn=second",
        "first=100 second=100 pot=0 turn=first",
    ],
)
def test_positions_that_are_none_are_refused(text):
    with pytest.raises(PositionError):
        Pig().position_from(text)


def test_drawing_shows_scores_and_pot():
    game = Pig()
    drawn = game.draw(game.parse("first=34 second=5 pot=12 turn=second"))
    assert drawn == "first    34 of 100\nsecond    5 of 100  pot 12, on turn"
    assert game.draw(game.parse("first=34 second=100 pot=0 turn=first")).splitlines()[1] == "second  100 of 100  won"


@pytest.mark.parametrize("make", [lambda: Pig(0), lambda: PigTurn(0), lambda: PigTurn(6, 7), lambda: PigTurn(6, 0)])
def test_parameters_out_of_range_are_refused(make):
    with pytest.raises(ParameterError):
        make()


# ---------------------------------------------------------------- one turn


def turn_value(sides: int, bust: int, hold_at: int | None = None) -> tuple:
    """(Value, chance to bust) from 0, deciding freely far beyond any sensible total, or holding at `hold_at`."""
    others = [face for face in range(1, sides + 1) if face != bust]

    @cache
    def decide(total: int) -> tuple:
        stop = (Fraction(total), Fraction(0))
        if total > 3 * sides * sides or (hold_at is not None and total >= hold_at):
            return stop
        parts = [decide(total + face) for face in others]
        value = sum((part[0] for part in parts), Fraction(0)) / sides
        busts = (1 + sum((part[1] for part in parts), Fraction(0))) / sides
        return stop if total > 0 and total >= value and hold_at is None else (value, busts)

    return decide(0)


def test_one_turn_with_a_common_die():
    game = PigTurn()
    solution = solve(game)
    assert solution.values() == (Fraction(492303203, 60466176),)
    tie = solution.options(game.position_from("total=20"))
    assert [(option.text, option.value, option.best) for option in tie] == [
        ("roll", (20,), True),
        ("hold", (20,), True),
    ]
    assert solution.best_moves(game.position_from("total=19")) == ["roll"]
    assert named_moves(game, game.position_from("total=21").state) == ["hold"]
    myopic = solve(game, fixed={0: "myopic"})
    assert myopic.values() == solution.values()
    assert myopic.distribution()[0] == Fraction(9440899, 15116544)
    assert turn_value(6, 1, hold_at=20) == (Fraction(492303203, 60466176), Fraction(9440899, 15116544))


@pytest.mark.parametrize(("sides", "bust"), [(1, 1), (2, 1), (2, 2), (4, 3), (6, 6), (8, 1)])
def test_other_dice_against_a_turn_without_a_bound(sides, bust):
    game = PigTurn(sides, bust)
    value, _ = turn_value(sides, bust)
    assert (
        solve(game).values() == (value,) == solve(game, fixed={0: "myopic"}).values() == naive.Recursion(game).value()
    )


def test_turn_texts():
    game = PigTurn()
    position = game.position("roll 5 roll 6")
    assert game.show(position.state) == "total=11"
    assert named_moves(game, game.start()) == ["roll"]
    for state in reachable(game):
        assert all(0 <= value <= most for value, most in zip(state, game.limits(), strict=True))
        assert game.parse(game.show(state)) == state
    assert game.draw(position.state) == "turn total 11, to roll or hold (a 1 busts)"
    assert game.draw(game.position("roll 5 roll 1").state) == "turn over with 0"
    for text in ("total=99", "total=21 phase=rolling", "total=3 phase=4", "total=3 phase=x", "phase=over"):
        with pytest.raises(PositionError):
            game.position_from(text)
