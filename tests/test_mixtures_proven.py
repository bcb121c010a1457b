"""Certificates of games in which players move at once and see all else: mixtures held against every reply."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight.algorithms.matrix_game import matrix_game
from endsight.game import CHANCE, Game
from endsight.verifier.certificate import SECURED, Bounds, Induction, Play
from test_plan_certificates import TINY, certificate, refused

HALF = ((2, 1),)


class Board(Game):
    """A graph without loops, or with them: at every node one player moves, chance, or (-2) both at once."""

    edges: tuple[tuple[int, ...], ...]
    movers: tuple[int, ...]
    shapes: tuple[tuple[int, ...], ...]
    """How many own moves each player has, where both move at once."""
    payoffs: tuple[tuple[Fraction | int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[Fraction | int, ...], ...]
    """What the first player gets from the second with every move."""
    players = 2

    class State(NamedTuple):
        node: int

    def limits(self) -> Any:
        return self.State(len(self.edges))

    def start(self) -> Any:
        return self.State(0)

    def to_move(self, state: Any) -> Any:
        mover = self.movers[state.node]
        return (0, 1) if mover == -2 else mover

    def moves(self, state: Any) -> Any:
        edges, mover = self.edges[state.node], self.movers[state.node]
        return list(product(*map(range, self.shapes[state.node]))) if mover == -2 and edges else range(len(edges))

    def place(self, state: Any, move: Any) -> int:
        return move[0] * self.shapes[state.node][1] + move[1] if isinstance(move, tuple) else move

    def play(self, state: Any, move: Any) -> Any:
        return self.State(self.edges[state.node][self.place(state, move)])

    def weight(self, state: Any, move: int) -> int:
        return self.weights[state.node][move]

    def reward(self, state: Any, move: Any) -> Any:
        gain = self.gains[state.node][self.place(state, move)]
        return gain, -gain

    def payoff(self, state: Any) -> Any:
        return self.payoffs[state.node]


def random_board(draw: random.Random) -> Board:
    rows = []
    nodes = draw.randint(3, 9)
    for node in range(nodes):
        mover = draw.choice((CHANCE, 0, 1, -2, -2, -2))
        shape = (draw.randint(1, 3), draw.randint(1, 3)) if mover == -2 else (1, draw.randint(1, 3))
        count = 0 if node + 1 == nodes or (node and draw.random() < 0.3) else shape[0] * shape[1]
        edges = tuple(draw.randrange(node + 1, nodes) for _ in range(count))
        gains = tuple(draw.choice((0, 0, 1, -1, Fraction(1, 2), 3)) for _ in range(count))
        amount = draw.choice((-3, -1, 0, 1, 2, Fraction(1, 3)))
        rows.append((edges, mover, shape, (amount, -amount), tuple(draw.randint(1, 3) for _ in range(count)), gains))
    return Board(*zip(*rows, strict=True))


def solved(game: Board) -> tuple[list[Fraction], list[Any], list[Any]]:
    """The value of every node, and the mixtures of both players, from the last node back."""
    values: list[Any] = [Fraction(0)] * len(game.edges)
    rows, columns = [[]] * len(game.edges), [[]] * len(game.edges)
    for node in reversed(range(len(game.edges))):
        ahead = [values[child] + gain for child, gain in zip(game.edges[node], game.gains[node], strict=True)]
        mover, weights = game.movers[node], game.weights[node]
        if not ahead:
            values[node] = Fraction(game.payoffs[node][0])
        elif mover == CHANCE:
            values[node] = sum((Fraction(w) * own for w, own in zip(weights, ahead, strict=True)), Fraction(0)) / sum(
                weights
            )
        elif mover == -2:
            width = game.shapes[node][1]
            found = matrix_game([ahead[place : place + width] for place in range(0, len(ahead), width)])
            values[node], rows[node], columns[node] = Fraction(found.value), list(found.rows), list(found.columns)
        else:
            values[node] = (max if mover == 0 else min)(ahead)
            rows[node] = columns[node] = [ahead.index(values[node])]
    return values, rows, columns


def choices(game: Board, told: list[Any], player: int) -> tuple[int, ...]:
    """The choices of a play in the order of a walk: mixtures where both move, a number where the player does."""
    order, found = [0], []
    for node in order:
        edges, mover = game.edges[node], game.movers[node]
        used = list(range(len(edges)))
        if edges and mover == -2:
            found += told[node]
            width = game.shapes[node][1]
            pairs = [divmod(place, width) for place in used]
            used = [place for other in range(game.shapes[node][1 - player]) for place in used
                    if pairs[place][1 - player] == other and told[node][pairs[place][player]]]  # fmt: skip
        elif mover == player and len(edges) > 1:
            found += told[node]
            used = told[node]
        order += [child for child in dict.fromkeys(edges[place] for place in used) if child not in order]
    return tuple(found)


@pytest.mark.parametrize("seed", range(80))
def test_values_of_random_games_are_proven_exactly(seed: int) -> None:
    game = random_board(random.Random(seed))
    values, rows, columns = solved(game)
    evidence = Bounds(Play(choices(game, rows, 0)), Play(choices(game, columns, 1)))
    assert evidence.at_least is not None
    assert evidence.at_most is not None
    # A play without choices has met all ends of the game.
    meaning = SECURED if evidence.at_least.choices and evidence.at_most.choices else None
    assert es.verify(certificate(game, evidence, values[0], values[0], notion=meaning), Board)
    for low, high in ((values[0] + TINY, values[0] + 1), (values[0] - 1, values[0] - TINY)):
        with pytest.raises(es.Wrong):
            es.verify(certificate(game, evidence, low, high, notion=meaning), Board)


# ---------------------------------------------------------------------- by hand


def pennies() -> Board:
    """Who finds what the other hides wins."""
    payoffs = ((0, 0), (-1, 1), (1, -1))
    return Board(
        ((1, 2, 2, 1), (), ()), (-2, 0, 0), ((2, 2), (0, 0), (0, 0)), payoffs, ((), (), ()), ((0,) * 4, (), ())
    )


EVEN = Bounds(Play((1, 1)), Play((1, 1)))


def test_matching_pennies() -> None:
    verdict = es.verify(certificate(pennies(), EVEN, 0, 0, notion=SECURED), Board)
    assert verdict.checked[1:] == (
        "at least: 3 states, 4 moves, 1 choices, an inequality each",
        "at most: 3 states, 4 moves, 1 choices, an inequality each",
    )
    assert verdict.claim.endswith("first secures 0, second secures 0")


LIES: dict[str, tuple[Bounds, Any, Any, str]] = {
    "a mixture that can be beaten": (Bounds(Play((2, 1)), Play((1, 1))), 0, 0, "the value of first is not as claimed"),
    "below 0": (Bounds(Play((2, -1)), Play((1, 1))), 0, 0, "weights that are not whole numbers from 0 up"),
    "all 0": (Bounds(Play((0, 0)), Play((1, 1))), 0, 0, "weights that are not whole numbers from 0 up"),
    "a weight missing": (Bounds(Play((1,)), Play((1, 1))), 0, 0, "weights that are not whole numbers from 0 up"),
    "a weight too many": (Bounds(Play((1, 1, 1)), Play((1, 1))), 0, 0, "more choices than decisions"),
    "more than the value": (EVEN, TINY, 1, "the value of first is not as claimed"),
    "less than the value": (EVEN, -1, -TINY, "the value of first is not as claimed"),
    "one sure move": (Bounds(Play((1, 0)), Play((1, 1))), 0, 0, "the value of first is not as claimed"),
    "rounded by a scale": (
        Bounds(Play((1, 2), HALF), Play((1, 1))), Fraction(-1, 3), 0, "the value of first is not as claimed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_lies_about_matching_pennies_are_refused(name: str) -> None:
    evidence, low, high, reason = LIES[name]
    assert reason in refused(certificate(pennies(), evidence, low, high, notion=SECURED), Board)


def test_one_play_alone_is_a_bound_that_each_player_keeps() -> None:
    made = certificate(pennies(), Bounds(Play((1, 2)), Play((1, 0))), Fraction(-1, 3), 1, notion=SECURED)
    assert es.verify(made, Board)


def test_no_backward_induction_where_players_move_at_once() -> None:
    assert "only mixtures of two rivals" in refused(certificate(pennies(), Induction(), 0, 0, notion=None), Board)


def test_no_mixture_without_rivals() -> None:
    made = certificate(pennies(), EVEN, 0, 0, notion=SECURED, objective="cooperative")
    assert "only mixtures of two rivals" in refused(made, Board)


def test_a_mixture_is_no_win() -> None:
    made = certificate(pennies(), EVEN, 0, 0, notion=SECURED, category="draw")
    assert "the category is 'value', not 'draw'" in refused(made, Board)


def test_a_loop_whose_value_is_no_fraction_is_enclosed() -> None:
    """[[2, v/2], [v/2, 1]], where a coin ends play or begins it again: v is 2 - 2 / sqrt(3)."""
    edges = ((1, 3, 3, 2), (), (), (0, 4), ())
    payoffs = ((0, 0), (2, -2), (1, -1), (0, 0), (0, 0))
    shapes = ((2, 2),) + ((0, 0),) * 4
    game = Board(
        edges, (-2, 0, 0, CHANCE, 0), shapes, payoffs, ((), (), (), (1, 1), ()), ((0,) * 4, (), (), (0, 0), ())
    )
    scale, unit = ((10, 5),), 100_000

    def play(value: int) -> Play:
        """With it, both replies bring the same."""
        return Play((2 * unit - value, 4 * unit - value), scale, (0,), (value,))

    low, high = Fraction(84_525, unit), Fraction(84_535, unit)
    assert low < 2 - 2 / Fraction(3**0.5) < high
    made = certificate(game, Bounds(play(84_525), play(84_535)), low, high, notion=SECURED)
    assert es.verify(made, Board)
    for wrong in (play(84_540), Play((1, 1), scale, (0,), (84_525,))):
        made = certificate(game, Bounds(wrong, play(84_535)), low, high, notion=SECURED)
        assert "is not kept by the moves from there" in refused(made, Board)


def test_a_loop_that_one_player_can_keep_up_is_endless_play() -> None:
    """The second stays for ever by the first move, whatever the first mixes."""
    edges = ((0, 1, 0, 1), ())
    game = Board(edges, (-2, 0), ((2, 2), (0, 0)), ((0, 0), (1, -1)), ((1,) * 4, ()), ((0,) * 4, ()))
    stays = Play((0, 1), (), (0,), (1,))
    made = certificate(game, Bounds(stays, Play((1, 1), (), (0,), (1,))), 1, 1, notion=SECURED)
    assert "play need not end, and the bounds say too much for that" in refused(made, Board)
    least, most = Play((1, 1), (), (0,), (0,)), Play((1, 0), (), (0,), (0,))
    assert es.verify(certificate(game, Bounds(least, most), 0, 0, notion=SECURED), Board)
