"""How long play lasts: against play followed path by path, and against theorems about chains."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import examples
from command_line import ask, exact, run
from endsight import CHANCE
from naive import Recursion
from strategies import MoverGraph, chance_acyclic, stopping_loops
from test_schemas import validate


def lengths_by_paths(oracle: Recursion) -> dict[int, Fraction]:
    """Every path of play under the first best moves, with its number of moves by players."""
    found: dict[int, Fraction] = {}

    def follow(node: Any, plies: int, chance: Fraction) -> None:
        if not oracle.legal(node):
            found[plies] = found.get(plies, Fraction(0)) + chance
            return
        for move, part in oracle.chances(node) or [(oracle.chosen(node), Fraction(1))]:
            follow(oracle.after(node, move), plies + (node[1] != CHANCE), chance * part)

    follow(oracle.root(), 0, Fraction(1))
    return dict(sorted(found.items()))


@examples(150, 20, chance_acyclic())
def test_without_loops_all_lengths_are_exact(game: Any) -> None:
    for fixed in ({}, {0: "random"}):
        lengths = es.solve(game, fixed=fixed).length_distribution()
        assert dict(lengths) == lengths_by_paths(Recursion(game, fixed=fixed))
        assert lengths.longer == lengths.endless == 0
        assert lengths.mean == sum(plies * chance for plies, chance in lengths.items())


@examples(60, 8, stopping_loops())
def test_with_loops_the_listed_chances_and_the_rest_make_one(game: Any) -> None:
    lengths = es.solve(game).length_distribution(rest=Fraction(1, 50))
    assert sum(lengths.values()) + lengths.longer == 1
    assert lengths.longer <= Fraction(1, 50)
    further = es.solve(game).length_distribution(rest=Fraction(1, 10**6))
    assert all(further[plies] == chance for plies, chance in lengths.items())
    # What is listed and what is left bound the mean from below, and nearly reach it.
    listed = sum(plies * chance for plies, chance in further.items())
    after = max(further, default=0) + 1
    assert listed + (after * further.longer if further.longer else 0) <= further.mean
    assert further.mean - listed < Fraction(1, 100)


class Waiting(es.Game):
    """Chance alone goes round: heads comes back, tails lets the player move; 3 moves in all."""

    players = 1
    share: int = 3

    class State(NamedTuple):
        left: int
        waiting: int

    def start(self) -> State:
        return self.State(3, 1)

    def to_move(self, state: State) -> int:
        return CHANCE if state.waiting else 0

    def moves(self, state: State) -> Any:
        return [0, 1] if state.waiting else [0] if state.left else []

    def weight(self, state: State, move: int) -> int:
        return self.share if move else 1

    def play(self, state: State, move: int) -> State:
        if state.waiting:
            return self.State(state.left, 1) if move else self.State(state.left, 0)
        return self.State(state.left - 1, int(state.left > 1))

    def payoff(self, state: State) -> int:
        return 0


class Geometric(Waiting):
    """The player throws until tails comes: 1 move, with chance 1/(1+share) the last."""

    def start(self) -> Waiting.State:
        return self.State(1, 0)

    def play(self, state: Any, move: int) -> Any:
        if state.waiting:
            return self.State(1, 0) if move else self.State(0, 0)
        return self.State(1, 1)


def test_chance_that_goes_round_takes_no_move() -> None:
    lengths = es.solve(Waiting()).length_distribution()
    assert dict(lengths) == {3: 1}
    assert (lengths.longer, lengths.endless, lengths.mean) == (0, 0, 3)


def test_a_geometric_length_is_listed_and_its_rest_is_exact() -> None:
    lengths = es.solve(Geometric(share=1)).length_distribution()
    assert dict(lengths) == {plies: Fraction(1, 2**plies) for plies in range(1, 11)}
    assert lengths.longer == Fraction(1, 1024)
    assert lengths.mean == 2
    assert lengths.at_least()[3] == Fraction(1, 4)
    assert lengths.at_most()[3] == Fraction(7, 8)
    short = es.solve(Geometric(share=1)).length_distribution(most=2)
    assert (dict(short), short.longer) == ({1: Fraction(1, 2), 2: Fraction(1, 4)}, Fraction(1, 4))


def test_play_that_never_ends_is_said_to_be_endless() -> None:
    # From the first position chance leads to a loop of two positions, or to the end.
    game = MoverGraph(((1, 3), (2,), (1,), ()), (0, 0, 0, 0), 1, (CHANCE, 0, 0, 0), ((1, 2), (1,), (1,), ()))
    lengths = es.solve(game).length_distribution()
    assert dict(lengths) == {0: Fraction(2, 3)}
    assert (lengths.longer, lengths.endless, lengths.mean) == (0, Fraction(1, 3), None)
    assert lengths.at_least()[0] == 1


def test_forced_wins_last_as_long_as_their_distance() -> None:
    for game in (es.games.Nim(), es.games.Chomp(width=3, height=2), es.games.Hexapawn()):
        solution = es.solve(game)
        assert dict(solution.length_distribution()) == {solution.distance(): 1}


def test_repeatbust_lengths_have_the_mean_of_its_theorem() -> None:
    solution = es.solve(es.games.RepeatBust(sides=4, dice=2), fixed={"player": "myopic"})
    lengths = solution.length_distribution()
    assert lengths.mean == solution.distribution().expected_plies
    assert sum(lengths.values()) == 1


@pytest.mark.parametrize("options", [[], ["--at-least", "--at-most"], ["--facts"]])
def test_documents(options: list[str]) -> None:
    document = ask("dist", "pig:target=5", "--length", *options)
    assert validate(document) == "length"
    if "--facts" in options:
        assert "lengths" not in document
        return
    total = sum(exact(row["probability"]) for row in document["lengths"])
    assert total + exact(document["longer"]) == 1
    assert exact(document["endless"]) == 0
    assert exact(document["longer"]) <= Fraction(1, 1000)
    if options:
        last = document["lengths"][-1]
        assert exact(last["at_most"]) == total
        assert exact(last["at_least"]) == exact(last["probability"]) + exact(document["longer"])


def test_what_people_see() -> None:
    shown = run("dist", "pig:target=5", "--length").out
    assert "longer" in shown
    assert "expected plies" in shown
    assert "endless" not in shown
    ending = run("dist", "pig:target=5", "--length", "--player", "first")
    assert ending.code == 2
    assert "--length or --player" in ending.err
