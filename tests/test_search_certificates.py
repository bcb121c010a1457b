"""Certificates of positions that a search has answered, and long plays, which are verified ply by ply."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import at_once
import endsight as es
import forger
import second_verifier
import strategies
from amounts import each, examples, times
from command_line import run
from endsight import Certificate
from endsight.verifier import checking
from endsight.verifier.certificate import Claim, Play
from endsight.verifier.checking import along, secured, walked
from endsight.verifier.walk import LESS, MORE, PlyWalk, Terms, Walk
from thresholds import certificates_hold_few_choices

AT_ONCE = es.load("rps").position().mover
"""Who moves where all move at once."""
BOARDS = {"4,height=4": (0, 0), "5,height=4": (0, 0), "4,height=4,line=3": (1, 1)}
"""What the first player gets, proven from both sides."""


@pytest.fixture
def ply_by_ply(monkeypatch: pytest.MonkeyPatch) -> None:
    """All plays count as long."""
    monkeypatch.setattr(checking, "LONG_PLAY", 0)


@pytest.mark.parametrize("board", each(BOARDS, lambda board: board[0] == "4"))
def test_searched_boards_are_proven(board: str, tmp_path: Path) -> None:
    file = tmp_path / "board.cert"
    assert run("prove", f"connectfour:width={board}", "--method", "search", "-o", str(file)).code == 0
    certificate = Certificate.read(file)
    assert certificate.claim.value["first"] == BOARDS[board]
    assert es.verify(certificate).checked[1:]


def test_a_searched_position_is_proven_for_both_verifiers() -> None:
    """After three stones of the 4x4 board, from every line of play that is drawn at random."""
    game, draw = es.games.ConnectFour(width=4, height=4), random.Random(4)
    for _ in range(4):
        position = game.position()
        while len(position.history) < 6 and not position.is_over:
            position = position.play(draw.choice(list(position.moves())))
        certificate = es.prove(es.solve(game, position, method="search"))
        assert certificate.claim.value["first"] == (es.solve(game, position, engine="plain").value()["first"],) * 2
        assert es.verify(certificate)
        assert second_verifier.accepts(certificate.to_text())


def test_a_play_finds_few_positions() -> None:
    """A search tells which move keeps the value, and a move to a position that is met already is taken first."""
    certificate = es.prove(es.solve(es.games.ConnectFour(width=4, height=4), method="search"))
    walks = [_walk(certificate, side) for side in (MORE, LESS)]
    assert all(len(walk) < 4_000 for walk in walks)


def _walk(certificate: Certificate, side: int) -> Walk:
    view = Terms(es.games.ConnectFour(width=4, height=4), certificate.claim, {})
    evidence = certificate.evidence
    return walked(view, side, evidence.at_least if side == MORE else evidence.at_most)


def test_limits_stop_a_proof(tmp_path: Path) -> None:
    """The empty board of seven columns takes longer than a second, and there is no file then."""
    said = run("prove", "connectfour", "--time", "1s", "-o", str(tmp_path / "c4.cert"))
    assert said.code == 5
    assert "stopped: more than 1 s" in said.err
    assert not (tmp_path / "c4.cert").exists()


def test_a_play_of_too_many_choices_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificates_hold_few_choices(monkeypatch, 100)
    said = run("prove", "connectfour:width=4,height=4", "--method", "search", "-o", str(tmp_path / "c4.cert"))
    assert said.code == 5
    assert "a certificate holds up to 100 choices of a play" in said.err
    assert "--at MOVES" in said.err
    assert not (tmp_path / "c4.cert").exists()


# ---------------------------------------------------------------------- ply by ply


def _plays(game: es.Game, draw: random.Random) -> Iterator[tuple[Terms, int, Play]]:
    """Random choices for each side: as many as a walk asks for, one less, and one more."""
    claim = Claim("", None, "competitive", "payoff", {}, {}, "value", None)

    def pick(_: Walk, node: Any, moves: list[Any]) -> int:
        return draw.randint(1, 3) if node[1] == AT_ONCE else draw.randrange(len(moves))

    for side in (MORE, LESS):
        walk = Walk(Terms(game, claim, {}), side, pick)
        for choices in (walk.picked, walk.picked[:-1], (*walk.picked, 0)):
            yield Terms(game, claim, {}), side, Play(tuple(choices))


def in_short(view: Terms, side: int, play: Play) -> Walk | None:
    """The walk ply by ply; None where it has to be whole, or choices are left."""
    walk = along(PlyWalk, view, side, play)
    return walk if walk.is_whole and len(walk.picked) == len(play.choices) else None


def agree(game: es.Game, draw: random.Random) -> int:
    """How many plays were walked through ply by ply: each proves what the whole walk does, in the same words."""
    short = 0
    for view, side, play in _plays(game, draw):
        try:
            whole = walked(view, side, play)
        except es.Wrong as reason:
            with pytest.raises(es.Wrong, match=str(reason)):
                in_short(view, side, play) or walked(view, side, play)
            continue
        seen, view.ends_seen = view.ends_seen, set()
        found = in_short(view, side, play)
        assert (found is None) or view.ends_seen == seen
        if found is None:
            continue
        short += 1
        assert not whole.dice
        assert not whole.gains
        assert whole.order() is not None
        one, other = secured(found, play), secured(whole, play)
        assert (one.amount, one.total, found.line()) == (other.amount, other.total, whole.line())
        assert bool(found.best) == bool(whole.best)
    return short


@examples(150, 20, game=strategies.alternating_acyclic(payoffs=(-3, -1, 0, 2, 5)))
def test_what_is_walked_ply_by_ply_is_the_whole_walk(game: es.Game) -> None:
    agree(game, random.Random(1))


@examples(100, 15, game=strategies.alternating_loops())
def test_loops_are_noticed(game: es.Game) -> None:
    agree(game, random.Random(2))


def test_chance_gains_and_moves_at_once_are_left_to_whole_walks() -> None:
    draw = random.Random(3)
    for _ in range(60):
        agree(forger._loop_free(draw, 2), draw)
        agree(at_once.random_game(draw), draw)
    assert agree(es.games.TicTacToe(), draw) == 2


def test_a_node_in_two_plies_is_walked_whole() -> None:
    """The end is one move away, and three."""
    game = strategies.GraphGame(((1, 3), (2,), (3,), ()), (0, 0, 0, 1))
    claim = Claim("", None, "competitive", "payoff", {}, {}, "value", None)
    assert in_short(Terms(game, claim, {}), LESS, Play(())) is None


@pytest.mark.usefixtures("ply_by_ply")
@pytest.mark.parametrize("name", ["at_least", "at_most", "both", "subject", "category", "waiting", "mixtures"])
@pytest.mark.parametrize("count", times(150, 25))
def test_no_forgery_is_accepted_ply_by_ply(name: str, count: int) -> None:
    counts, false = forger.forged(name, count, 3)
    assert false == []
    assert counts["refused"] > 0.4 * count


@pytest.mark.usefixtures("ply_by_ply")
def test_distributions_still_show_best_moves() -> None:
    solution = es.solve(es.games.TicTacToe())
    assert es.verify(es.prove(solution, distribution="first"))
