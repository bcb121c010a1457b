"""Drawings of the built-in games: every legal move can be clicked, and nothing else."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

import endsight as es
from endsight.faces.web.drawing import rebuilt
from endsight.game import Game
from endsight.games import BUILT_IN
from endsight.games.board import svg_board

EXAMPLES: dict[str, list[Game]] = {
    "chomp": [es.games.Chomp(), es.games.Chomp(width=5, height=2)],
    "connectfour": [es.games.ConnectFour(), es.games.ConnectFour(width=4, height=5, line=3)],
    "dominoes": [es.games.Dominoes(n=4), es.games.Dominoes(n=7)],
    "nim": [es.games.Nim(), es.games.Nim(heaps=(1, 5, 2))],
    "pots": [es.games.Pots([4, 9, 2, 7]), es.games.Pots([-3]), es.games.Pots([5, 5])],
    "tictactoe": [es.games.TicTacToe(), es.games.TicTacToe(width=5, height=4, line=4)],
}
GAMES = [game for games in EXAMPLES.values() for game in games]


def test_every_game_that_draws_is_here() -> None:
    drawing = {name for name, kind in BUILT_IN.items() if hasattr(getattr(es.games, kind), "svg")}
    assert drawing == set(EXAMPLES)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_exactly_the_legal_moves_can_be_clicked(game: Game) -> None:
    dice = random.Random(repr(game))
    for _ in range(5):
        position = game.position()
        while not position.is_over:
            legal = [game.show_move(position.state, move) for move in position.moves()]
            text = game.svg(position.state)
            assert sorted(re.findall(r'data-move="([^"]*)"', text)) == sorted(legal)
            position = position.after(dice.choice(legal))


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_page_keeps_all_of_the_drawing(game: Game) -> None:
    position = game.position()
    text = game.svg(position.state)
    links = {game.show_move(position.state, move): ("/x", "play") for move in position.moves()}
    made = ElementTree.fromstring(rebuilt(text, links))
    shapes = [element for element in made.iter() if not element.tag.endswith("}a")]
    drawn = list(ElementTree.fromstring(text).iter())
    assert len(shapes) == len(drawn)
    for ours, theirs in zip(shapes, drawn, strict=True):
        lost = set(theirs.attrib) - set(ours.attrib) - {"data-move"}
        assert not lost, (theirs.tag, lost)


@pytest.mark.parametrize(
    "game", [es.games.Nim(heaps=(100,)), es.games.Pots([1] * 100), es.games.Pots([10**6]), es.games.Dominoes(n=20)]
)
def test_big_games_are_not_drawn(game: Game) -> None:
    assert game.svg(game.start()) == ""


def test_players_differ_by_shape() -> None:
    text = svg_board(["XO"], "ab", {})
    assert text.count("<path") == text.count("<circle") == 1
