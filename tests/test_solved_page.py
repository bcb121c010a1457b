"""Files that hold a solved game: what is packed into them is what the solver says, and they play without a network."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from command_line import run
from endsight.faces.advice import moves_of
from endsight.faces.solved_page import writing
from endsight.faces.solved_page.writing import solved_page
from endsight.game import CHANCE, Game
from endsight.game.position import Position


class Reader:
    """Reads a file as its program does."""

    def __init__(self, page: str) -> None:
        self.about = json.loads(self._part(page, "tables"))
        self.stream = iter(self._part(page, "stream"))
        self.texts = self.about["texts"]
        self.positions = [self._position() for _ in range(self.about["count"])]
        assert next(self.stream, None) is None

    def _part(self, page: str, name: str) -> bytes:
        found = re.search(rf'<script type="text/plain" id="{name}">(.*?)</script>', page, re.DOTALL)
        assert found is not None
        return gzip.decompress(b64decode(found[1]))

    def _number(self) -> int:
        value, unit, byte = 0, 1, 128
        while byte > 127:
            byte = next(self.stream)
            value, unit = value + (byte & 127) * unit, unit * 128
        return value

    def _text(self) -> str:
        return str(self.texts[self._number()])

    def _position(self) -> dict[str, Any]:
        board = "".join(self._text() for _ in range(self._number()))
        mover = self._number()
        said = [self._text() for _ in range(5)]
        bar, label = self._number(), self._text()
        moves = {}
        for _ in range(self._number()):
            name = self._text()
            moves[name] = [self._text() for _ in range(5)], self._number() - 1, self._number(), self._number()
        return {"board": board, "mover": mover - 2, "said": said, "bar": bar, "label": label, "moves": moves}


def games(reader: Reader, solution: es.Solution, count: int, seed: int, perfect: int | None) -> Iterator[None]:
    """Random games in the file and by the rules; the player `perfect` makes the file's best moves."""
    random = Random(seed)
    for _ in range(count):
        number, place = 0, solution.position
        while not place.is_over:
            held = reader.positions[number]
            check(held, solution, place)
            names = list(held["moves"])
            name = (
                next((n for n in names if held["moves"][n][2]), "") if place.mover == perfect else random.choice(names)
            )
            number, place = held["moves"][name][1], place.after(name)
            if number < 0:
                assert not reader.about["whole"]
                break
            yield None
        else:
            assert reader.positions[number]["mover"] == -2


def check(held: dict[str, Any], solution: es.Solution, place: Position) -> None:
    _, rows = moves_of(solution, place)
    assert held["mover"] == (-1 if place.mover == CHANCE else place.mover)
    assert {name: (told[1], told[3], bool(best)) for name, (told, _, best, _) in held["moves"].items()} == {
        row.move: (row.result, row.gives_away, row.rank == 1) for row in rows
    }
    best = {name for name, (_, _, flag, _) in held["moves"].items() if flag}
    assert best <= set(solution.best_moves(place)) or place.mover == CHANCE


@pytest.mark.parametrize(
    "spec", ["tictactoe:width=3,height=2,line=2", "dominoes:n=3", "pots:4-9-2-7", "pigturn", "pig:target=4"]
)
def test_every_position_of_a_small_game_is_as_the_solver_says(spec: str) -> None:
    solution = es.solve(spec)
    reader = Reader(solved_page(solution))
    assert reader.about["whole"]
    assert sum(1 for _ in games(reader, solution, 40, 1, None)) > 40


def test_of_larger_games_what_perfect_play_can_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST", 100)
    solution = es.solve("connectfour:width=4,height=3,line=3")
    reader = Reader(solved_page(solution))
    assert not reader.about["whole"]
    for seat in (0, 1):
        for _ in games(reader, solution, 25, seat, seat):
            pass


def test_a_perfect_player_of_the_file_never_leaves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST", 100)
    solution = es.solve("connectfour:width=4,height=3,line=3")
    reader, random = Reader(solved_page(solution)), Random(5)
    for game in range(40):
        number, value = 0, solution.value()["first" if game % 2 == 0 else "second"]
        place = solution.position
        while not place.is_over:
            moves = reader.positions[number]["moves"]
            name = next(n for n in moves if moves[n][2]) if place.mover == game % 2 else random.choice(list(moves))
            number, place = moves[name][1], place.after(name)
            assert number >= 0
        final = place.game.payoff(place.state)
        won = {0: 0, -1: -1}[final] * (1 if place.mover == game % 2 else -1)
        assert won >= value


def test_too_large_files_are_refused_before_they_are_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(writing, "MOST", 20)
    monkeypatch.setattr(writing, "LARGEST", 30)
    with pytest.raises(es.LimitReached, match="the file would be too large"):
        solved_page(es.solve("tictactoe"))


class Ladder(Game):
    """Each step costs 1, and slippery ones may lead back down: totals have no limit."""

    players = 1
    is_slippery: bool = False

    class State(NamedTuple):
        rung: int
        slips: bool

    def limits(self) -> State:
        return self.State(4, True)

    def start(self) -> State:
        return self.State(0, False)

    def to_move(self, state: State) -> int:
        return CHANCE if state.slips else 0

    def moves(self, state: State) -> Iterator[str]:
        if state.rung < 4:
            yield from ("holds", "slips") if state.slips else ("up", "down")

    def play(self, state: State, move: str) -> State:
        if state.slips:
            return self.State(state.rung if move == "holds" else 0, False)
        return self.State(state.rung + 1 if move == "up" else max(0, state.rung - 1), self.is_slippery)

    def reward(self, state: State, move: str) -> int:
        return 0 if state.slips else -1

    def payoff(self, state: State) -> int:
        return 0


def test_where_totals_have_no_limit_the_file_holds_perfect_play() -> None:
    reader = Reader(solved_page(es.solve(Ladder())))
    assert not reader.about["whole"]
    assert [list(position["moves"]) for position in reader.positions] == [["up", "down"]] * 4 + [[]]


def test_perfect_play_whose_totals_have_no_limit_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plays: list[object] = []
    monkeypatch.setattr(writing, "key_of", lambda place, known=writing.key_of: plays.append(place) or known(place))
    with pytest.raises(es.LimitReached, match="the file would be too large"):
        solved_page(es.solve(Ladder(is_slippery=True)))
    assert 0 < len(plays) < 1000


def test_the_command(tmp_path: Path) -> None:
    target = tmp_path / "pots.html"
    done = run("page", "pots:4-9-2-7", "-o", str(target))
    assert done.out.startswith("pots: ")
    text = target.read_text()
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    assert "<script src" not in text
    assert run("page", "pots:4-9-2-7", "-o", "pots.txt").code == 2


@pytest.mark.parametrize(
    ("game", "why", "found"),
    [
        ("kuhn", "players see different things", "rules that give `sees`"),
        ("rps", "players move at once", "moves at once at the start"),
        ("goofspiel:cards=9", "players move at once", "moves at once after '1'"),
    ],
)
def test_where_best_play_draws_lots_the_command_says_so_before_it_solves(
    game: str, why: str, found: str, tmp_path: Path
) -> None:
    done = run("page", game, "-o", str(tmp_path / "game.html"))
    assert done.code == 2
    assert f"no file can play {game.partition(':')[0]}: its {why}" in done.err
    assert found in done.err
    assert "endsight serve" in done.err
    assert not (tmp_path / "game.html").exists()


class LateDuel(es.Game):
    """The first player says how high the stakes are, then both call at once."""

    class State(NamedTuple):
        stake: int
        calls: tuple[bool, ...]

    def start(self) -> State:
        return self.State(0, ())

    def to_move(self, state: State) -> int | tuple[int, int]:
        return (0, 1) if state.stake else 0

    def moves(self, state: State) -> Iterator[int | tuple[bool, bool]]:
        if not state.stake:
            yield from (1, 2)
        elif not state.calls:
            yield from ((own, other) for own in (False, True) for other in (False, True))

    def play(self, state: State, move: int | tuple[bool, bool]) -> State:
        return self.State(state.stake, move) if isinstance(move, tuple) else self.State(move, ())

    def payoff(self, state: State) -> tuple[int, int]:
        won = state.stake if state.calls[0] == state.calls[1] else -state.stake
        return won, -won


def test_moves_at_once_further_on_are_refused_too() -> None:
    with pytest.raises(es.QuestionError, match="no file can play LateDuel: its players move at once") as refused:
        solved_page(es.solve(LateDuel()))
    assert "moves at once after '1'" in str(refused.value)


@pytest.mark.slow
def test_connect_four_on_five_columns_and_four_rows() -> None:
    solution = es.solve("connectfour:width=5,height=4")
    page = solved_page(solution)
    reader = Reader(page)
    assert len(page) < 5_000_000
    for seat in (0, 1):
        for _ in games(reader, solution, 100, seat + 9, seat):
            pass
