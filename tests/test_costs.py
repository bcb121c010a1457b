"""Loops that cost one side something each time round: shortest ways, with chance and against an opponent."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import pytest

import endsight as es
import fuzz_judgement
import naive
import thresholds
from amounts import each, seed_rows
from endsight import CHANCE, Game, check_rules
from endsight.errors import NoValue
from strategies import MoverRewards

STEPS = ((0, 1), (-1, 0), (0, -1), (1, 0))


class Cliff(Game):
    """Sutton and Barto, *Reinforcement Learning* (2018), example 6.6: a fall costs 100 and leads back to the start."""

    players = 1
    width: int = 12

    class State(NamedTuple):
        row: int
        column: int

    def limits(self) -> State:
        return self.State(3, self.width - 1)

    def start(self) -> State:
        return self.State(3, 0)

    def moves(self, state: State) -> Iterator[int]:
        if state != (3, self.width - 1):
            yield from range(4)

    def after(self, state: State, move: int) -> State:
        row = min(3, max(0, state.row + STEPS[move][0]))
        return self.State(row, min(self.width - 1, max(0, state.column + STEPS[move][1])))

    def falls(self, state: State) -> bool:
        return state.row == 3 and 0 < state.column < self.width - 1

    def play(self, state: State, move: int) -> State:
        after = self.after(state, move)
        return self.start() if self.falls(after) else after

    def reward(self, state: State, move: int) -> int:
        return -100 if self.falls(self.after(state, move)) else -1

    def payoff(self, state: State) -> int:
        return 0


class Sliding(Game):
    """Tiles in rows: each step costs 1, in order with the hole last ends the game."""

    players = 1
    columns: int = 3

    class State(NamedTuple):
        tiles: tuple[int, ...]

    def limits(self) -> State:
        return self.State((2 * self.columns - 1,) * 2 * self.columns)

    def start(self) -> State:
        return self.State((0, *range(1, 2 * self.columns)))

    def moves(self, state: State) -> Iterator[int]:
        if state.tiles != (*range(1, 2 * self.columns), 0):
            hole = state.tiles.index(0)
            yield (hole + self.columns) % (2 * self.columns)
            if hole % self.columns:
                yield hole - 1
            if (hole + 1) % self.columns:
                yield hole + 1

    def play(self, state: State, move: int) -> State:
        tiles = list(state.tiles)
        hole = tiles.index(0)
        tiles[hole], tiles[move] = tiles[move], 0
        return self.State(tuple(tiles))

    def reward(self, state: State, move: int) -> int:
        return -1

    def payoff(self, state: State) -> int:
        return 0


def test_cliff_walking_has_its_value_line_and_certificate() -> None:
    solution = es.solve(Cliff())
    assert solution.values() == (-13,)
    assert len(solution.line()) == 13
    assert {option.text: option.regret for option in solution.options()}["1"] == 0
    assert es.verify(es.prove(solution), Cliff).claim == "Cliff(width=12) at the start: player -13"
    assert es.solve(Cliff(width=8)).values() == (-9,)
    assert es.solve(Cliff(), interval=True).values() == es.solve(Cliff(), engine="compiled").values() == (-13,)


def test_the_sliding_puzzle_takes_21_moves_at_most_and_each_position_as_many_as_a_search_from_the_end_says() -> None:
    # Every position is reachable from every other: breadth first from the order with the hole last.
    goal = (1, 2, 3, 4, 5, 0)
    ways, queue = {goal: 0}, [goal]
    for tiles in queue:
        hole = tiles.index(0)
        near = [(hole + 3) % 6, *[hole - 1] * bool(hole % 3), *[hole + 1] * bool((hole + 1) % 3)]
        for place in near:
            after = list(tiles)
            after[hole], after[place] = after[place], 0
            if tuple(after) not in ways:
                ways[tuple(after)] = ways[tiles] + 1
                queue.append(tuple(after))
    farthest = max(ways.values())
    assert farthest == 21
    game = Sliding()
    solution = es.solve(game, game.position_from(game.show(Sliding.State(queue[-1]))))
    assert solution.values() == (-21,)
    for tiles in queue[::7]:
        place = game.position_from(game.show(Sliding.State(tiles)))
        assert solution.values(place) == (-ways[tiles],)
        best = {move for move in place.moves() if ways[place.play(move).state.tiles] == ways[tiles] - 1}
        assert {option.move for option in solution.options(place) if option.best} == best
    assert "-21" in es.verify(es.prove(solution), Sliding).claim


def test_a_stochastic_shortest_path() -> None:
    """From k, one step back for 1, or a throw for 1 that takes three steps or none: worked out by value iteration."""
    size = 8
    successors, movers, gains = [()], [0], [()]
    for at in range(1, size + 1):
        successors += [(2 * at - 3 if at > 1 else 0, 2 * at), (max(0, 2 * (at - 3) - 1), 2 * at - 1)]
        movers += [0, CHANCE]
        gains += [((-1,), (-1,)), ((0,), (0,))]
    weights = tuple(tuple(1 for _ in ways) for ways in successors)
    nodes = len(successors)
    game = MoverRewards(tuple(successors), ((0,),) * nodes, 1, tuple(movers), weights, tuple(gains))
    values = [0.0] * nodes
    for _ in range(500):
        for node in range(1, nodes):
            ahead = [gain[0] + values[child] for gain, child in zip(gains[node], successors[node], strict=True)]
            values[node] = max(ahead) if movers[node] == 0 else sum(ahead) / len(ahead)
    solution = es.solve(game, game.position_from(f"number={2 * size - 1}"))
    assert abs(solution.values()[0] - Fraction(values[2 * size - 1])) < 1e-9
    assert es.verify(es.prove(solution), MoverRewards).claim


def two(gains: tuple, movers: tuple[int, ...] = (0, 1, 0)) -> MoverRewards:
    """Two positions that lead to each other, and from each a way to the end."""
    ways = ((1, 2), (0, 2), ())
    return MoverRewards(ways, ((0, 0),) * 2 + ((-5, 5),), 2, movers, ((1, 1), (1, 1), ()), gains)


def test_who_loses_on_a_loop_leaves_it_and_who_gains_there_would_stay() -> None:
    nothing = (0, 0)
    costs = two((((-1, 1), nothing), (nothing, nothing), ()))
    assert es.solve(costs).values() == naive.Judge(costs).value() == (-5, 5)
    # With the second player at both, there is no way out for who pays.
    kept = two((((-1, 1), nothing), (nothing, nothing), ()), (1, 1, 0))
    with pytest.raises(NoValue, match="first's total is minus infinity") as caught:
        es.solve(kept)
    assert "lead back to it and pay first -1, second 1" in str(caught.value.found)


def test_loops_that_pay_now_this_side_and_now_that_are_refused() -> None:
    with pytest.raises(NoValue, match="may have no value"):
        es.solve(two((((-1, 1), (0, 0)), ((2, -2), (0, 0)), ())))


def test_of_two_moves_to_one_place_a_certificate_takes_the_one_that_costs_less() -> None:
    game = MoverRewards(((0, 0), ()), ((0,), (0,)), 1, (0, 0), ((1, 1), ()), (((-1,), (0,)), ()))
    solution = es.solve(game)
    assert solution.values() == (0,)
    assert es.verify(es.prove(solution), MoverRewards).claim


def test_a_payer_may_stop_by_staying_where_nothing_is_paid() -> None:
    """From 0 a toll leads to 1, where the payer can wait for ever; chance at 2 leads back to 0."""
    game = MoverRewards(
        ((1, 2), (1, 2), (0, 2)),
        ((0,),) * 3,
        1,
        (0, 0, CHANCE),
        ((1, 1), (1, 1), (1, 1)),
        (((-1,), (-3,)), ((0,), (-1,)), ((-1,), (0,))),
    )
    assert es.solve(game).values() == naive.Judge(game).value() == (-1,)


def hills(*ways: tuple[int, int, int]) -> MoverRewards:
    """One player: moves from, to, and what they bring; the last node is an end that pays 10."""
    size = max(end for _, end, _ in ways) + 1
    rows = [[(end, gain) for start, end, gain in ways if start == node] for node in range(size)]
    successors = tuple(tuple(end for end, _ in row) for row in rows)
    gains = tuple(tuple((gain,) for _, gain in row) for row in rows)
    weights = tuple(tuple(1 for _ in row) for row in rows)
    return MoverRewards(successors, ((0,),) * (size - 1) + ((10,),), 1, (0,) * size, weights, gains)


def test_one_player_may_gain_on_loops_that_cost_more_than_they_bring() -> None:
    # The long way round, by 2 and 3, is dear at first and pays later.
    game = hills((0, 1, -1), (1, 0, -1), (0, 2, -8), (2, 3, 4), (3, 1, 4), (1, 3, -9), (3, 2, -5), (1, 4, -2))
    solution = es.solve(game)
    assert solution.values() == naive.Judge(game).value() == (8,)
    assert solution.line() == ["1", "0", "0", "2"]
    assert solution.source.method == "shortest paths"
    assert check_rules(game).value.reason is None


@pytest.mark.parametrize("last", [1, 2])
def test_loops_that_bring_something_or_go_up_and_down_are_refused_with_such_a_loop(last: int) -> None:
    # 0 and 1 cost each time round; 0, 2 and back bring 0 or 1 in all.
    game = hills((0, 1, -3), (1, 0, 1), (0, 2, -1), (2, 0, last), (0, 3, 0))
    with pytest.raises(NoValue, match="total is infinite" if last == 2 else "may have no value") as caught:
        es.solve(game)
    assert ("lead back to it and pay player 1" in str(caught.value.found)) == (last == 2)
    assert naive.Judge(game).why(naive.Judge(game).root()) == "pays"


def bets(wins: int, leaving: int = -5) -> Game:
    """One player may bet, which costs 1 but brings `wins` one time in three, or leave."""
    gains = (((0,), (leaving,)), ((wins,), (-1,), (-1,)), ())
    movers, weights = (0, CHANCE, 0), ((1, 1), (1, 1, 1), ())
    return MoverRewards(((1, 2), (0, 0, 0), ()), ((0,),) * 3, 1, movers, weights, gains)


def test_chance_on_loops_that_cost_and_pay() -> None:
    solution = es.solve(bets(1))
    assert solution.values() == (-5,)
    assert es.verify(es.prove(solution), MoverRewards).claim.endswith("player -5")
    assert not check_rules(bets(1)).faults
    out = MoverRewards(
        ((1,), (0, 0, 2), ()),
        ((0,),) * 3,
        1,
        (0, CHANCE, 0),
        ((1,), (1, 1, 1), ()),
        (((-1,),), ((3,), (-2,), (0,)), ()),
    )
    # Three bets in the mean, of -1 + 1/3 each.
    assert es.solve(out).values() == (-2,)
    assert "-2" in es.verify(es.prove(es.solve(out)), MoverRewards).claim


@pytest.mark.parametrize(("wins", "message"), [(2, "may have no value"), (3, "total is infinite")])
def test_fair_bets_without_end_and_better_ones_are_refused(wins: int, message: str) -> None:
    with pytest.raises(NoValue, match=message) as caught:
        es.solve(bets(wins))
    assert f"lead back to it and pay player {wins}" in str(caught.value.found)
    assert naive.Judge(bets(wins)).why(naive.Judge(bets(wins)).root()) == "pays"


@pytest.mark.parametrize("bettors", each([1_200, 1_500], lambda bettors: bettors == 1_200))
def test_large_loops_of_chance_that_cost_and_pay(bettors: int) -> None:
    """Bets that lead round a ring of tables: many positions, and what each is worth is known."""
    ring = [2 * ((table + 1) % (bettors // 2)) for table in range(bettors // 2)]
    successors = tuple(row for table, after in enumerate(ring) for row in ((2 * table + 1, bettors), (after, after)))
    gains = tuple(row for table in range(len(ring)) for row in (((0,), (-table,)), ((1,), (-2,))))
    game = MoverRewards(
        (*successors, ()),
        ((0,),) * (bettors + 1),
        1,
        (0, CHANCE) * len(ring) + (0,),
        ((1, 1), (1, 1)) * len(ring) + ((),),
        (*gains, ()),
    )
    solution = es.solve(game)
    assert solution.values() == (0,)
    assert solution.values("0 1") == (-3,)
    assert es.verify(es.prove(es.solve(game, "0 1")), MoverRewards).claim.endswith("player -3")


@pytest.mark.parametrize("seeds", seed_rows(100, 8, 500))
def test_heights_in_floats_never_say_more_than_exact_ones(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """With them games are refused that have a value, but seldom; and none gets a value that has none."""
    thresholds.find_heights_in_floats(monkeypatch)
    counts, wrong = fuzz_judgement.run(seeds, kind="hills")
    assert all("NoValue" in each for each in wrong), wrong
    assert 20 * len(wrong) <= counts["valued"]
    assert counts["pays"] > len(seeds) / 20


@pytest.mark.parametrize("seeds", seed_rows(60, 8, 1))
def test_random_games_of_one_player_with_costs_and_gains(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, compiled=15, kind="hills")
    assert not wrong
    assert counts["valued"] > len(seeds) / 2
    assert counts["pays"] > len(seeds) / 12
    assert not counts["without certificate"]


class Carrying(Game):
    """Three carry a box along four steps, and every move costs each of them 1; the first may slip back to the start."""

    players = 3
    theirs: int = -1

    class State(NamedTuple):
        at: int
        turn: int

    def limits(self) -> State:
        return self.State(4, 2)

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def moves(self, state: State) -> tuple[int, ...]:
        return (1, 2) if state.at < 4 else ()

    def play(self, state: State, move: int) -> State:
        slips = move == 2 and state.turn == 0
        return self.State(0 if slips else min(4, state.at + move), (state.turn + 1) % 3)

    def reward(self, state: State, move: int) -> tuple[int, ...]:
        return (-1, -1, self.theirs)

    def payoff(self, state: State) -> tuple[int, ...]:
        return (0, 0, 0)


def test_three_who_cooperate_and_are_paid_alike_are_as_one() -> None:
    game = Carrying()
    solution = es.solve(game, objective="cooperative")
    assert solution.values() == (-3, -3, -3)
    assert naive.Judge(game, objective="cooperative").value()[0] == -3
    assert solution.values(game.position("1 2")) == (-3, -3, -3)
    assert solution.notion is None
    certificate = es.prove(solution)
    assert certificate.claim.value == {"first": (-3, -3), "second": (None, None), "third": (None, None)}
    assert es.verify(certificate, Carrying).checked
    assert check_rules(game).value.reason is not None, "with interests of their own they have no value"
    for other, objective in ((Carrying(), "competitive"), (Carrying(theirs=-2), "cooperative")):
        with pytest.raises(NoValue, match="may have no value"):
            es.solve(other, objective=objective)


@pytest.mark.parametrize("seeds", seed_rows(60, 8, 1))
def test_random_games_of_several_who_are_paid_alike(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, compiled=15, kind="alike")
    assert not wrong
    assert counts["valued"] > len(seeds) / 2
    assert counts["pays"] > len(seeds) / 12
    assert not counts["without certificate"]


@pytest.mark.parametrize("seeds", seed_rows(80, 10, 1))
def test_random_games_with_costs(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, compiled=20, kind="costs")
    assert not wrong
    assert counts["valued"] > len(seeds) / 2
    assert counts["pays"] > len(seeds) / 8
    assert counts["certified"] > len(seeds) / 2
