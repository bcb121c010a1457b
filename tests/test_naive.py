"""The oracle gets hand-checked games right, and the random games are what they claim to be."""

from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st

import strategies
from amounts import examples
from endsight import CHANCE, Game
from naive import Enumeration, Recursion, Sweeps
from strategies import AlternatingRewards, GraphGame, MoverGraph, MoverRewards

HALF = Fraction(1, 2)


class Heap(Game):
    """Take 1 to 3; who cannot take has lost."""

    heap: int = 10

    class State(NamedTuple):
        left: int

    def limits(self) -> State:
        return self.State(self.heap)

    def start(self) -> State:
        return self.State(self.heap)

    def moves(self, state: State) -> Any:
        yield from range(1, min(3, state.left) + 1)

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move)

    def payoff(self, state: State) -> int:
        return -1


class Ends(Game):
    """Take a number from either end of a row."""

    row: tuple = (1, 2, 10, 3)

    class State(NamedTuple):
        left: int
        right: int

    def limits(self) -> State:
        return self.State(len(self.row), len(self.row))

    def start(self) -> State:
        return self.State(0, len(self.row))

    def moves(self, state: State) -> Any:
        if state.left < state.right:
            yield 0
            yield 1

    def play(self, state: State, move: int) -> State:
        return self.State(state.left + 1, state.right) if move == 0 else self.State(state.left, state.right - 1)

    def to_move(self, state: State) -> int:
        return (state.left + len(self.row) - state.right) % 2

    def reward(self, state: State, move: int) -> tuple:
        gain = self.row[state.left] if move == 0 else self.row[state.right - 1]
        return (0, gain) if self.to_move(state) else (gain, 0)

    def payoff(self, state: State) -> tuple:
        return (0, 0)


# ---- backward induction


def test_a_heap_is_lost_at_multiples_of_four() -> None:
    for heap in range(13):
        oracle = Recursion(Heap(heap))
        assert oracle.value() == ((-1, 1) if heap % 4 == 0 else (1, -1))
        assert Sweeps(Heap(heap)).value() == oracle.value()
    assert Recursion(Heap(10)).best_moves() == [2]
    assert Recursion(Heap(8)).best_moves() == [1, 2, 3]


def test_a_heap_takes_two_plies_for_every_four_left() -> None:
    # The loser takes 1 each time and the winner answers with 3.
    assert [Sweeps(Heap(heap)).distance() for heap in range(10)] == [0, 1, 1, 1, 2, 3, 3, 3, 4, 5]


def test_the_second_player_to_move_sees_the_values_from_the_other_side() -> None:
    game = Heap(5)
    position = game.position("1")  # four left, the second is to move and loses
    assert Recursion(game).value(position) == (1, -1)
    assert Recursion(game).move_values(position) == [(1, (1, -1)), (2, (1, -1)), (3, (1, -1))]


@pytest.mark.parametrize(
    ("row", "competitive", "cooperative"),
    [((1, 2, 10, 3), (11, 5), 13), ((1, 5, 5, 1), (6, 6), 6), ((4, 9, 2, 7), (16, 6), 16), ((), (0, 0), 0)],
)
def test_taking_from_the_ends_of_a_row(row: tuple, competitive: tuple, cooperative: int) -> None:
    assert Recursion(Ends(row)).value() == competitive
    assert Recursion(Ends(row), objective="cooperative").value()[0] == cooperative


def test_utilities_look_at_the_totals_of_the_whole_game() -> None:
    # One pot each: 3 against 3 is a tie although both players only ever gain.
    assert Recursion(Ends((3, 3)), utility="win").value() == (HALF, HALF)
    assert Recursion(Ends((3, 3)), utility="lead").value() == (0, 0)
    game = Ends((1, 2, 10, 3))
    assert Recursion(game, utility="win").value() == (1, 0)
    assert Recursion(game, utility="lead").value() == (6, -6)
    behind = game.position("1 0")  # 3 against 1; the first now has 2 or 10
    assert Recursion(game, utility="lead").value(behind) == (10, -10)


def test_three_share_a_win_equally_and_lead_over_the_best_other() -> None:
    game = MoverGraph(((),), ((2, 2, 1),), 3, (0,), ((),))
    assert Recursion(game, utility="win").value() == (HALF, HALF, 0)
    assert Recursion(game, utility="lead").value() == (0, 0, -1)


def test_one_player_wins_by_beating_par() -> None:
    class Par(MoverGraph):
        def par(self) -> int:
            return 1

    game = Par(((1, 2, 3), (), (), ()), ((0,), (0,), (1,), (2,)), 1, (CHANCE, 0, 0, 0), ((1, 1, 2), (), (), ()))
    assert Recursion(game, utility="win").value() == (Fraction(1, 4) * HALF + HALF,)
    assert Recursion(game).value() == (Fraction(5, 4),)


def test_chance_weighs_its_outcomes() -> None:
    # The player takes 1 for sure, or a die that pays 5 with 1/4: the die is worth 5/4.
    game = MoverGraph(
        ((1, 2), (), (3, 4), (), ()),
        ((0,), (1,), (0,), (5,), (0,)),
        1,
        (0, 0, CHANCE, 0, 0),
        ((1, 1), (), (1, 3), (), ()),
    )
    oracle = Recursion(game)
    assert oracle.value() == (Fraction(5, 4),)
    assert oracle.best_moves() == [1]
    assert oracle.distribution() == {0: Fraction(3, 4), 5: Fraction(1, 4)}
    assert oracle.plies() == 1
    assert Enumeration(game).value() == (Fraction(5, 4),)


def test_fixed_policies() -> None:
    game = Ends((1, 2, 10, 3))
    right = {1: lambda state: 1}  # the second always takes the right end
    assert Recursion(game, fixed=right).value() == (11, 5)  # left 1, right 3, then 10
    # After 1 the first has 10 for sure, 11 in all; after 3 it gets 10 or 2 with 1/2 each, 9 in the mean.
    assert Recursion(game, fixed={1: "random"}).value() == (11, 5)
    assert Recursion(game, fixed={1: "random"}).move_values() == [(0, (11, 5)), (1, (9, 7))]
    both = Recursion(game, fixed={0: "random", 1: "random"})
    assert sum(both.distribution().values()) == 1
    # The first draws 1 or 3, then 10 or 3, 2 or 10 (twice as likely), or 1 or 2: 2 + 5 in the mean.
    assert both.value() == (7, 9)
    assert both.plies() == 4
    # The worst first player gets the least it can against a second who does not help.
    assert Recursion(game, fixed={0: "worst"}).value() == (3, 13)
    assert Recursion(game, fixed={1: "worst"}).value() == (13, 3)


def test_ties_go_to_the_first_move_and_decide_what_others_get() -> None:
    # The first is indifferent; the second gets 7 by the first move and 9 by the second.
    game = MoverGraph(((1, 2), (), ()), ((0, 0), (3, 7), (3, 9)), 2, (0, 0, 0), ((1, 1), (), ()))
    oracle = Recursion(game)
    assert oracle.value() == (3, 7)
    assert oracle.best_moves() == [0, 1]
    assert oracle.outcomes() == {(3, 7): 1}


def test_single_numbers_belong_to_the_mover_and_tuples_to_the_seats() -> None:
    single = AlternatingRewards(((1,), (2,), ()), (0, 0, 5), 2, ((1,), (10,), ()))
    # The first gains 1, the second 10, and the first, who would move, is paid 5.
    assert Recursion(single).value() == (1 - 10 + 5, -1 + 10 - 5)
    absolute = GraphGame(((1,), ()), ((0, 0), (4, 9)))
    assert Recursion(absolute).value() == (4, 9)


def test_three_players_in_turn() -> None:
    # Each may end the game: the third gets its best only if the others pass on.
    game = GraphGame(
        ((1, 2), (3, 4), (), (5, 6), (), (), ()), ((), (), (1, 1, 0), (), (2, 0, 0), (0, 2, 1), (3, 3, 3)), 3
    )
    assert Recursion(game).value() == (3, 3, 3)
    assert Recursion(game).best_moves() == [0]


# ---- loops


def test_endless_play_is_a_draw_and_a_win_is_found_through_a_loop() -> None:
    # 0 -> 1 or 2; 1 -> 0 or 3; 2 ends, lost for the would-be mover; so the first wins at once.
    game = GraphGame(((1, 2), (0, 3), (), ()), (0, 0, -1, -1))
    assert Sweeps(game).value() == (1, -1)
    assert Sweeps(game).distance() == 1
    assert Sweeps(game).best_moves() == [1]
    # Without the quick win both go round for ever rather than lose.
    loop = GraphGame(((1, 2), (0, 3), (), ()), (0, 0, 1, 1))
    assert Sweeps(loop).value() == (0, 0)
    assert Sweeps(loop).distance() is None
    assert Sweeps(loop).best_moves() == [0]
    assert Sweeps(loop, utility="win").value() == (HALF, HALF)
    # Who must not go round (the second is fixed to leave) loses.
    assert Sweeps(loop, fixed={1: lambda state: 1 if state.number == 1 else 0}).value() == (1, -1)


def test_a_loser_delays_as_long_as_possible() -> None:
    # At 0 both moves lose: after 1 the second wins at once, after 2 only three plies later.
    game = GraphGame(((1, 2), (4,), (3,), (5,), (), (2, 6), ()), (0, 0, 0, 0, -1, 0, -1))
    assert Sweeps(game).value(game.position("0")) == (-1, 1)
    assert Sweeps(game).distance(game.position("0")) == 1
    # 0, 2, 3, 5, 6: four plies instead of the two over 1; going round 2, 3, 5 is the second's choice.
    assert Sweeps(game).value() == (-1, 1)
    assert Sweeps(game).distance() == 4


# ---- loops with chance


def test_rolling_until_a_six() -> None:
    # Wait for a 6 for ever: it comes with certainty.
    game = MoverGraph(((1, 0), ()), ((0,), (1,)), 1, (CHANCE, 0), ((1, 5), ()))
    assert Enumeration(game).value() == (1,)


def test_gamblers_ruin() -> None:
    # From 1 of 3 coins with fair tosses: ruin 2/3; with chance 2/3 to gain one: (1 - 1/2) / (1 - 1/8) = 4/7.
    fair = MoverGraph(
        ((1, 2), (), (0, 3), ()), ((0,), (0,), (0,), (1,)), 1, (CHANCE, 0, CHANCE, 0), ((1, 1), (), (1, 1), ())
    )
    assert Enumeration(fair).value() == (Fraction(1, 3),)
    good = MoverGraph(fair.successors, fair.payoffs, 1, fair.movers, ((1, 2), (), (1, 2), ()))
    assert Enumeration(good).value() == (Fraction(4, 7),)


def test_retrying_pays_and_rewards_count_every_round() -> None:
    # Stop for 1, or roll: a coin pays 2 and comes back, or ends: the rolls are worth 2 in the mean.
    game = MoverRewards(
        ((2, 1), (0, 2), ()),
        ((0,), (0,), (0,)),
        1,
        (0, CHANCE, 0),
        ((1, 1), (1, 1), ()),
        (((1,), (0,)), ((2,), (0,)), ()),
    )
    oracle = Enumeration(game)
    assert oracle.value() == (2,)
    assert oracle.move_values() == [(0, (1,)), (1, (2,))]
    assert oracle.best_moves() == [1]


def test_pig_to_two() -> None:
    # Any roll but a 1 wins (and is held); a 1 hands over: p = 5/6 + (1 - p) / 6, so p = 6/7.
    game = MoverGraph(
        ((2,), (3,), (4, 1), (5, 0), (), ()),
        ((0, 0), (0, 0), (0, 0), (0, 0), (1, -1), (-1, 1)),
        2,
        (0, 1, CHANCE, CHANCE, 0, 0),
        ((1,), (1,), (5, 1), (5, 1), (), ()),
    )
    assert Enumeration(game).value() == (Fraction(5, 7), Fraction(-5, 7))
    assert Enumeration(game, utility="win").value() == (Fraction(6, 7), Fraction(1, 7))
    assert Enumeration(game, objective="cooperative").value() == (Fraction(5, 7), Fraction(-5, 7))


def test_both_sides_choose_in_loops() -> None:
    # Each may stop for a draw or toss a coin that loses for the tosser or hands over: nobody tosses.
    game = MoverGraph(
        ((2, 4), (3, 4), (5, 1), (6, 0), (), (), ()),
        ((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (-1, 1), (1, -1)),
        2,
        (0, 1, CHANCE, CHANCE, 0, 0, 0),
        ((1, 1), (1, 1), (1, 1), (1, 1), (), (), ()),
    )
    oracle = Enumeration(game)
    assert oracle.value() == (0, 0)
    assert oracle.best_moves() == [1]
    assert oracle.move_values()[0] == (0, (-HALF, HALF))
    # A second who always tosses loses 1/2 when asked, so the first's toss is worth -1/2 + 1/2 * 1/2.
    reckless = Enumeration(game, fixed={1: lambda state: 0})
    assert reckless.move_values()[0] == (0, (Fraction(-1, 4), Fraction(1, 4)))
    helpful = Enumeration(game, objective="cooperative")
    assert helpful.value() == (0, 0)
    # A worst first player tosses, and the second then stops for the draw: -1/2.
    assert Enumeration(game, fixed={0: "worst"}).value() == (-HALF, HALF)


# ---- the three agree where they overlap, and the strategies keep their promises


@examples(60, 10, strategies.alternating_acyclic())
def test_recursion_and_sweeps_agree(game: GraphGame) -> None:
    assert Recursion(game).value() == Sweeps(game).value()
    value, distance = Sweeps(game).value(), Sweeps(game).distance()
    assert (distance is None) == (value == (0, 0))


@examples(40, 5, strategies.chance_acyclic(max_nodes=7, zero_sum=True, rewards=False, seats=2))
def test_recursion_and_enumeration_agree(game: MoverGraph) -> None:
    assert Recursion(game).value() == Enumeration(game).value()


@examples(40, 5, strategies.alternating_loops(max_nodes=6))
def test_sweeps_and_enumeration_agree(game: GraphGame) -> None:
    assert Sweeps(game).value() == Enumeration(game).value()


@examples(60, 10, strategies.chance_acyclic())
def test_a_distribution_has_the_value_as_its_mean(game: MoverGraph) -> None:
    oracle = Recursion(game)
    outcomes = oracle.outcomes()
    assert sum(outcomes.values()) == 1
    means = tuple(sum(chance * totals[i] for totals, chance in outcomes.items()) for i in range(game.seats))
    assert means == oracle.value()


GAMES = {
    "alternating_acyclic": strategies.alternating_acyclic(),
    "alternating_rewards": strategies.alternating_rewards(),
    "alternating_loops": strategies.alternating_loops(),
    "chance_acyclic": strategies.chance_acyclic(),
    "stopping_loops": strategies.stopping_loops(rewards=True),
}


def states_of(game: GraphGame) -> list:
    states = [game.start()]
    for state in states:
        states += dict.fromkeys(c for m in game.moves(state) if (c := game.play(state, m)) not in states)
    return states


@pytest.mark.parametrize("kind", GAMES)
@examples(30, 5, data=st.data())
def test_random_games_keep_the_contract(kind: str, data: st.DataObject) -> None:
    game = data.draw(GAMES[kind])
    assert game == eval(repr(game), {**vars(strategies), "Fraction": Fraction}), "a failing example can be pasted"
    for state in states_of(game):
        assert 0 <= state.number <= game.limits().number
        assert game.parse(game.show(state)) == state
        assert all(0 <= game.play(state, move).number <= game.limits().number for move in game.moves(state))
        if game.gives("to_move"):
            assert CHANCE <= game.to_move(state) < game.player_count
            assert all(game.weight(state, move) >= 1 for move in game.moves(state))


def has_loop(game: GraphGame) -> bool:
    """Whether the start leads to a state that can come back to itself."""
    below = {state: {game.play(state, move) for move in game.moves(state)} for state in states_of(game)}
    for _ in below:
        below = {state: out.union(*(below[child] for child in out)) for state, out in below.items()}
    return any(state in out for state, out in below.items())


@examples(40, 5, strategies.chance_acyclic() | strategies.alternating_acyclic() | strategies.alternating_rewards())
def test_acyclic_games_have_no_loops(game: GraphGame) -> None:
    assert not has_loop(game)


@pytest.mark.parametrize("kind", ["alternating_loops", "stopping_loops"])
def test_cyclic_games_do_have_loops(kind: str) -> None:
    assert has_loop(find(GAMES[kind], has_loop, settings=settings(phases=[Phase.generate])))


@examples(40, 5, strategies.stopping_loops())
def test_stopping_games_stop_whatever_the_players_do(game: MoverGraph) -> None:
    # If players try to go on for ever, the chance of still playing shrinks: no state can avoid the end.
    going = {state: Fraction(1) for state in states_of(game)}
    for _ in range(2 * len(going)):
        going = {state: still(game, state, going) for state in going}
    assert max(going.values()) < 1


def still(game: MoverGraph, state: Any, going: dict) -> Fraction:
    """The chance to be playing after one more ply when everybody wants to go on."""
    moves = list(game.moves(state))
    if not moves:
        return Fraction(0)
    ways = [going[game.play(state, move)] for move in moves]
    if game.to_move(state) != CHANCE:
        return max(ways)
    weights = [game.weight(state, move) for move in moves]
    return sum((weight * way for weight, way in zip(weights, ways, strict=True)), Fraction(0)) / sum(weights)
