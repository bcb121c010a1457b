"""The built-in games in which players see different things: their rules, texts, drawings and values."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

import endsight as es
from command_line import run
from endsight import CHANCE, Game, Position
from endsight.errors import ParameterError, PositionError
from hidden_games import pure_value
from small_instances import HIDDEN


def moves_at(game: Game, moves: str) -> str:
    """The legal moves there, as text."""
    position = game.position(moves)
    return " ".join(game.show_move(position.state, move) for move in game.moves(position.state))


def paid(game: Game, moves: str) -> tuple[int, ...]:
    """What the first player is paid at that end, and the second."""
    position = game.position(moves)
    assert position.is_over
    return game.payoff(position.state)  # type: ignore[return-value]


def ends(position: Position) -> Iterator[Position]:
    """All ends that play can reach."""
    if position.is_over:
        yield position
    for move in list(position.moves()):
        yield from ends(position.play(move))


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ("", "1 2 3"), ("2", "1 3"), ("2 3", "pass bet"), ("2 3 pass", "pass bet"), ("2 3 bet", "pass bet"),
        ("2 3 pass bet", "pass bet"), ("2 3 pass pass", ""), ("2 3 bet pass", ""), ("2 3 pass bet pass", ""),
    ],
)  # fmt: skip
def test_moves_of_kuhn(moves: str, legal: str) -> None:
    assert moves_at(es.games.Kuhn(), moves) == legal


@pytest.mark.parametrize(
    ("said", "low", "high"),
    [("pass pass", -1, 1), ("pass bet pass", -1, -1), ("pass bet bet", -2, 2), ("bet pass", 1, 1), ("bet bet", -2, 2)],
)
def test_kuhn_pays(said: str, low: int, high: int) -> None:
    """What the first player gets with the lower and with the higher card."""
    game = es.games.Kuhn(cards=4)
    assert paid(game, f"2 3 {said}") == (low, -low)
    assert paid(game, f"4 1 {said}") == (high, -high)


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ("1 1", "call raise"), ("1 1 call", "call raise"), ("1 1 raise", "fold call raise"),
        ("1 1 call raise raise", "fold call"), ("1 1 raise raise fold", ""), ("1 1 raise raise", "fold call"),
        ("1 1 call call", "2 3"), ("1 2 raise call", "1 2 3"), ("1 2 raise call 3", "call raise"),
        ("1 2 raise call 3 call call", ""), ("1 2 call call 3 raise", "fold call raise"),
    ],
)  # fmt: skip
def test_moves_of_leduc(moves: str, legal: str) -> None:
    assert moves_at(es.games.Leduc(), moves) == legal


@pytest.mark.parametrize(
    ("moves", "gain"),
    [
        ("3 1 raise fold", 1), ("3 1 call raise fold", -1), ("3 1 raise raise fold", -3),
        ("3 1 call call 1 call call", -1), ("3 1 call call 3 call call", 1), ("3 2 call call 1 call call", 1),
        ("2 2 raise raise call 1 raise raise call", 0), ("3 2 raise raise call 2 call raise raise call", -13),
        ("3 2 raise call 1 raise raise fold", -7), ("3 2 raise call 1 call raise fold", -3),
    ],
)  # fmt: skip
def test_leduc_pays(moves: str, gain: int) -> None:
    assert paid(es.games.Leduc(), moves) == (gain, -gain)


def test_cards_of_leduc_are_dealt_with_their_weights() -> None:
    game = es.games.Leduc(ranks=2, suits=3)
    position = game.position("1 1 call call")
    assert {move: game.weight(position.state, move) for move in game.moves(position.state)} == {1: 1, 2: 3}


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ("", "1 2 3"), ("1 3", "1x1 1x2 1x3 2x1 2x2 2x3"), ("1 3 1x2", "1x3 2x1 2x2 2x3 liar"),
        ("1 3 1x2 2x3", "liar"), ("1 3 1x2 liar", ""),
    ],
)  # fmt: skip
def test_moves_of_liarsdice(moves: str, legal: str) -> None:
    assert moves_at(es.games.LiarsDice(sides=3), moves) == legal


@pytest.mark.parametrize(
    ("moves", "gain"),
    [
        ("1 3 2x1 liar", 1),  # the highest face is wild
        ("1 2 2x1 liar", -1), ("1 2 1x1 1x2 liar", -1), ("1 2 1x1 2x2 liar", 1), ("3 3 2x1 liar", 1),
        ("1 1 1x3 liar", -1),
    ],
)  # fmt: skip
def test_liarsdice_pays(moves: str, gain: int) -> None:
    assert paid(es.games.LiarsDice(sides=3), moves) == (gain, -gain)


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 4)])
def test_hands_of_liarsdice_are_all_throws(dice: int, sides: int) -> None:
    game = es.games.LiarsDice(dice=dice, sides=sides)
    weights = {game.show_move(game.start(), move): game.weight(game.start(), move) for move in game.moves(game.start())}
    throws = ["-".join(map(str, sorted(throw))) for throw in product(range(1, sides + 1), repeat=dice)]
    assert weights == {hand: throws.count(hand) for hand in throws}
    assert len(weights) == comb(sides + dice - 1, dice)


def test_two_dice_each_count_together() -> None:
    game = es.games.LiarsDice(dice=2, sides=3)
    assert paid(game, "1-1 2-3 3x1 liar") == (1, -1)
    assert paid(game, "1-1 2-3 4x1 liar") == (-1, 1)


@pytest.mark.parametrize(
    ("moves", "mover", "legal"),
    [
        ("", "first", "a1 b1 a2 b2"), ("a1", "second", "a1 b1 a2 b2"), ("a1 a1", "second", "b1 a2 b2"),
        ("a1 a1 b2", "first", "b1 a2 b2"), ("a1 a1 b2 b2", "first", "b1 a2"), ("a1 b2 b1", "none", ""),
    ],
)  # fmt: skip
def test_moves_of_phantomtictactoe(moves: str, mover: str, legal: str) -> None:
    game = es.games.PhantomTicTacToe(width=2, height=2, line=2)
    assert moves_at(game, moves) == legal
    assert game.position(moves).is_over or game.position(moves).to_move == mover


def test_nobody_sees_that_the_other_bumps() -> None:
    game = es.games.PhantomTicTacToe()
    for before, after in (("b2", "b2 b2"), ("b2 a1", "b2 a1 a1")):
        here, there = game.position(before), game.position(after)
        mover = here.mover
        assert game.sees(here.state, 1 - mover) == game.sees(there.state, 1 - mover)
        assert game.sees(here.state, mover) != game.sees(there.state, mover)


@pytest.mark.parametrize(
    ("moves", "legal"),
    [("", "1 2 3"), ("2", "1 2 3"), ("2 3", "1 2 3"), ("2 3 1 1 2", "2 3"), ("2 3 3", ""), ("2 3 1 1 2 3", "")],
)
def test_moves_of_battleship(moves: str, legal: str) -> None:
    assert moves_at(es.games.Battleship(squares=3, shots=2), moves) == legal


@pytest.mark.parametrize(("moves", "gain"), [("2 3 3", 1), ("2 3 1 2", -1), ("2 3 1 1 2 3", 0)])
def test_battleship_pays(moves: str, gain: int) -> None:
    assert paid(es.games.Battleship(squares=3, shots=2), moves) == (gain, -gain)


def test_moves_of_highcardduel() -> None:
    game = es.games.HighCardDuel(hand=(1, 3, 5, 7), rival=(8, None, 4, None))
    assert moves_at(game, "") == "1 3 5 7"
    assert moves_at(game, "1") == "3-2 3-6 5-2 5-6 7-2 7-6"
    assert moves_at(game, "1 7-6 5") == "3-2"
    assert game.position("1").mover == -2
    assert paid(game, "1 7-6 5 3-2") == (3, 1)
    assert game.show_seen(game.sees(game.position("1 7-6").state, 1), 1) == "ours=none theirs=8-6"


@pytest.mark.parametrize(
    ("game", "moves", "drawing"),
    [
        ("kuhn", "2 3 pass bet", ["first   card 2  1 in the pot  pass", "second  card 3  2 in the pot  bet"]),
        ("kuhn", "", ["first   card -  1 in the pot", "second  card -  1 in the pot"]),
        ("leduc", "2 1", ["first   2", "second  1"]),
        (
            "leduc", "2 1 raise call 3 call",
            ["board   3", "first   2", "second  1", "before  raise call", "after   call"],
        ),
        ("liarsdice:dice=2", "1-2 3-3 1x2 2x3 liar", ["first   1-2  1x2  liar", "second  3-3  2x3"]),
        ("liarsdice", "", ["first   -", "second  -"]),
        (
            "phantomtictactoe:width=2,height=2,line=2", "a1 a1 b2",
            ["the board      first knows    second knows", "2  . O         2  . .         2  . O",
             "1  X .         1  X .         1  X .", "   a b            a b            a b"],
        ),
        ("battleship:squares=3,shots=2", "2 3 1 2", ["         1  2  3", "first    .  X  .", "second   x  .  o"]),
        (
            "highcardduel:hand=1-3-5-7,rival=8-x-4-x", "1 7-6",
            ["turn     1  2  3  4", "second   8  6  4  x", "first    1  7", "in hand  3  5"],
        ),
    ],
)  # fmt: skip
def test_drawings(game: str, moves: str, drawing: list[str]) -> None:
    rules = es.load(game)
    assert rules.draw(rules.position(moves).state).splitlines() == drawing


@pytest.mark.parametrize("name", HIDDEN)
def test_texts_read_back_and_views_are_told_apart(name: str) -> None:
    game, rng = es.load(name), random.Random(name)
    texts: dict[tuple[int, str], object] = {}
    for _ in range(20):
        position = game.position()
        while True:
            assert game.parse(game.show(position.state)) == position.state
            assert game.draw(position.state) == game.draw(position.state).rstrip()
            for player in (0, 1):
                seen = game.sees(position.state, player)
                assert texts.setdefault((player, game.show_seen(seen, player)), seen) == seen
            if position.is_over:
                break
            legal = list(position.moves())
            shown = [game.show_move(position.state, move) for move in legal]
            assert len(set(shown)) == len(legal)
            assert [game.parse_move(position.state, text) for text in shown] == legal
            position = position.play(rng.choice(legal))


@pytest.mark.parametrize(
    "game",
    ["kuhn:cards=1", "leduc:ranks=1,suits=2", "liarsdice:dice=0", "liarsdice:dice=6,sides=6", "battleship:squares=0",
     "battleship:squares=3,shots=4", "phantomtictactoe:width=0", "phantomtictactoe:width=9,height=9",
     "highcardduel:hand=1-2,rival=x", "highcardduel:hand=1-1,rival=x-x"],
)  # fmt: skip
def test_parameters_out_of_range_are_refused(game: str) -> None:
    with pytest.raises(ParameterError) as caught:
        es.load(game)
    assert caught.value.found
    assert caught.value.allowed


@pytest.mark.parametrize(
    ("game", "sets", "sequences"),
    [("kuhn", (6, 6), (13, 13)), ("leduc", (144, 144), (337, 337)), ("liarsdice:sides=3", (96, 96), (190, 190))],
)
def test_sizes_of_the_literature(game: str, sets: tuple[int, int], sequences: tuple[int, int]) -> None:
    plans = es.estimate(game).plans
    assert plans is not None
    assert tuple(plans.sets.values()) == sets
    assert tuple(plans.sequences.values()) == sequences


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("battleship:squares=2,shots=1", Fraction(1, 4)),
        ("highcardduel:hand=2-3,rival=x-x", None),
        ("highcardduel:hand=1-4-6,rival=x-5-x", None),
    ],
)
def test_small_games_against_all_pure_strategies(game: str, value: Fraction | None) -> None:
    if value is None:  # a rival who chooses the order does no better than one whose cards lie at random
        value = es.solve(es.load(game.replace("duel", ""))).value()["player"]
    assert pure_value(es.load(game)) == value


VALUES = {
    "kuhn": Fraction(-1, 18),
    "kuhn:cards=4": Fraction(-1, 24),
    "liarsdice:sides=2": Fraction(1, 2),
    "liarsdice:sides=3": Fraction(1, 9),
    "liarsdice:sides=4": Fraction(1, 16),
    "battleship:squares=2,shots=1": Fraction(1, 4),
    "phantomtictactoe:width=2,height=2,line=2": Fraction(1),
    "highcardduel:hand=1-3-5-7,rival=8-x-4-x": Fraction(5, 2),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_found_by_others(name: str) -> None:
    """Kuhn (1950); OpenSpiel's and Gambit's solvers, an independent checker, and best replies of regret matching."""
    game = es.load(name)
    first, second = es.solve(game).value().values()
    assert first == VALUES[name]
    assert first + second == (4 if name.startswith("highcard") else 0)


def test_leduc_is_worth_what_is_known_to_many_digits() -> None:
    assert abs(es.solve(es.games.Leduc()).value()["first"] - Fraction("-0.085606424078")) < Fraction(1, 10**12)


@pytest.mark.parametrize(
    "lists", ["hand=1-3-5-7,rival=8-x-4-x", "hand=2-3,rival=x-x", "hand=1-4-6,rival=x-5-x", "hand=2-5-6,rival=x-x-x"]
)
@pytest.mark.parametrize("utility", ["payoff", "win"])
def test_a_rival_who_chooses_the_order_does_no_better_than_one_who_shuffles(lists: str, utility: Any) -> None:
    shuffled, chosen = (es.solve(f"{name}:{lists}", utility=utility).value() for name in ("highcard", "highcardduel"))
    assert chosen["first"] == shuffled["player"]


def test_chance_only_deals() -> None:
    for name in HIDDEN:
        for end in ends(es.load(name).position()) if name in ("kuhn", "liarsdice:sides=2") else ():
            assert sum(end.game.payoff(end.state)) == 0
    assert es.games.Kuhn().position("1").mover == CHANCE


def test_positions_that_do_not_exist() -> None:
    with pytest.raises(PositionError):
        es.games.Kuhn().position_from("first=4 second=1 said=")
    assert run("games", "kuhn").code == 0
