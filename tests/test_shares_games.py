"""Layers with a value of every player: built-in games, and solutions stored as those of the graph are."""

from __future__ import annotations

from pathlib import Path

import pytest

import endsight as es
import sharing
from command_line import run
from endsight import Game, Question, open_tablebase
from sharing import check
from strategies import GraphGame

QUESTIONS = [
    Question("cooperative"),
    Question(utility="lead"),
    Question(utility="win"),
    Question("cooperative", "win"),
    Question(fixed={1: "worst"}),
    Question("cooperative", fixed={0: "worst"}),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
@pytest.mark.parametrize(
    "game",
    [
        es.games.TicTacToe(width=3, height=2, line=2),
        pytest.param(es.games.Nim(), marks=pytest.mark.slow),
        pytest.param(es.games.Dominoes(n=4), marks=pytest.mark.slow),
        pytest.param(es.games.Hexapawn(width=3, height=4), marks=pytest.mark.slow),
        pytest.param(es.games.TicTacToe(), marks=pytest.mark.slow),
        pytest.param(es.games.ConnectFour(width=4, height=3, line=3), marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_built_in_games(game: Game, question: Question) -> None:
    check(game, question)


@pytest.mark.slow
def test_pots_of_two_who_work_together_or_for_the_lead() -> None:
    game = es.games.Pots(pots=(4, 9, 2, 7, 3, 8))
    for question in (Question("cooperative"), Question(utility="lead"), Question(fixed={0: "worst"})):
        check(game, question)


@pytest.mark.parametrize(
    ("spec", "objective"),
    [
        (f"{sharing.__file__}:Paying", "competitive"),
        ("tictactoe:width=3,height=2,line=2", "cooperative"),
        pytest.param(f"{sharing.__file__}:Taking", "competitive", marks=pytest.mark.slow),
        pytest.param("tictactoe", "cooperative", marks=pytest.mark.slow),
    ],
)
def test_stored_as_the_graph_is(spec: str, objective: str, tmp_path: Path) -> None:
    game, asked = es.load(spec), ("--objective", objective, "--engine", "compiled", "--best")
    folders = tmp_path / "layers", tmp_path / "graph"
    for folder, method in zip(folders, ("layers", "graph"), strict=True):
        assert run("solve", spec, "-o", str(folder), "--method", method, *asked).code == 0
    ours, theirs = (open_tablebase(folder, game) for folder in folders)
    assert ours.source.method == "layers"
    assert theirs.source.method != "layers"
    assert (ours.source.states, ours.source.notion) == (theirs.source.states, theirs.source.notion)
    count = 0
    rows = [sorted(map(str, tablebase.source.nodes())) for tablebase in (ours, theirs)]
    assert rows[0] == rows[1]
    for node in theirs.source.nodes():
        position = theirs.source.keys.position(node)
        assert ours.source.row(position) == theirs.source.row(position)
        found = [tablebase.source.place(position) for tablebase in (ours, theirs)]
        assert len({int(place.block.columns["best"][place.number]) for place in found if place is not None}) == 1
        count += 1
    assert count >= ours.source.states
    assert ours.solution().line() == theirs.solution().line()


def test_states_are_counted_once_whoever_moves() -> None:
    """Rules that neither say nor prove that they pay single numbers keep positions apart by who moves."""
    game = GraphGame(((2, 3), (), (3,), ()), (-1, -1, -1, -1), seats=2)
    assert check(game, Question()).states == 3
