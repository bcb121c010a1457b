"""Layers of a game in rounds in files: one result in memory and on the disk, killed anywhere, and what it answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
import thresholds
from amounts import every
from command_line import ask, run
from endsight import Limits
from endsight.errors import FileError, LimitReached, RulesError
from layer_runs import Done, anywhere
from stored_folders import contents, flip, killed_and_resumed, killed_at
from test_rounds import Even, ends, reached

ASKED = {"method": "layers", "engine": "compiled", "kind": "interval"}


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few rows, so that a small layer has several."""
    thresholds.small_stored_parts(monkeypatch, 60)


def store(folder: Path, game: es.Game, mode: str = "disk", **more: Any) -> Done:
    return anywhere(folder, game, mode=mode, **ASKED, **more)


@pytest.mark.parametrize("game", [es.games.Ur(pieces=2), Even()])
def test_all_modes_write_the_same_bytes(tmp_path: Path, game: es.Game) -> None:
    for mode in ("memory", "disk", "auto"):
        assert store(tmp_path / mode, game, mode).outcome == "solved"
    solution = es.solve(game, interval=True, **{key: ASKED[key] for key in ("method", "engine")})
    es.save(solution, tmp_path / "saved")
    assert contents(tmp_path / "memory") == contents(tmp_path / "disk") == contents(tmp_path / "auto")
    assert contents(tmp_path / "saved") == contents(tmp_path / "disk")
    assert store(tmp_path / "disk", game).outcome == "complete"


class Begun(Even):
    """Play begins on the first rung, and `exchanged` is wrong below it."""

    def start(self) -> Even.State:
        return self.State(1, 0, 0, 0)

    def exchanged(self, state: Even.State) -> Even.State:
        return self.State(max(1, state.rung), state.foot, 1 - state.turn, state.tossed)


@pytest.mark.parametrize("place", ["rung=0 foot=0 turn=0 tossed=0", "rung=0 foot=1 turn=0 tossed=1"])
def test_players_are_compared_in_positions_that_are_set_up(tmp_path: Path, place: str) -> None:
    game = Begun()
    solution = es.solve(game, interval=True, method="layers", engine="compiled")
    position = game.position_from(place)
    assert solution.source.exchanges
    solution.value("1 1 0")
    with es.open_tablebase(es.save(solution, tmp_path / "begun"), game) as table:
        table.value("1 1 0")
        for ask in (solution.value, solution.options, table.solution().value, table.probe):
            with pytest.raises(RulesError, match="exchanged takes states"):
                ask(position)


def test_files_answer_what_memory_answers(tmp_path: Path) -> None:
    for game in (es.games.Ur(pieces=1), Even()):
        folder = tmp_path / game.name
        store(folder, game)
        solution = es.solve(game, interval=True, method="layers", engine="compiled")
        with es.open_tablebase(folder, game) as table:
            assert table.manifest.tiers == "layer"
            for place in reached(game, 20):
                assert table.probe(place).values == solution.values(place)
                if list(place.moves()):
                    assert [option.value for option in table.options(place)] == [
                        option.value for option in solution.options(place)
                    ]


def test_what_is_not_reached_is_not_stored(tmp_path: Path) -> None:
    game = es.games.Ur(pieces=1)
    place = game.position_from("first=9 second=none home=0-0 turn=second throw=2")
    anywhere(tmp_path / "late", place, mode="disk", **ASKED)
    with es.open_tablebase(tmp_path / "late") as table:
        assert place in table
        assert game.position() not in table
        (low, high), (least, most) = ends(table.probe(place).values[0]), ends(es.solve(game, place).values()[0])
        assert low <= least <= most <= high


# ---------------------------------------------------------------------- accidents


class Tagged(es.Game):
    """Chance moves and marks a state, and forgets the mark at every other turn in what it calls equivalent."""

    class State(NamedTuple):
        at: int
        mark: int

    def limits(self) -> State:
        return self.State(4, 27)

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return es.CHANCE

    def layer(self, state: State) -> int:
        return state.at

    def moves(self, state: State) -> Any:
        return range(3) if state.at < 4 else ()

    def weight(self, state: State, move: int) -> int:
        return move + 1

    def play(self, state: State, move: int) -> State:
        return self.State(state.at + 1, (3 * state.mark + move) % 27)

    def payoff(self, state: State) -> int:
        return 1

    def canonical(self, state: State) -> State:
        return state if state.at % 2 else state._replace(mark=27)


@pytest.mark.parametrize("step", every(7))
@pytest.mark.parametrize(
    ("mode", "game"), [("memory", es.games.Ur(pieces=1)), ("disk", es.games.Ur(pieces=1)), ("disk", Tagged())]
)
def test_killed_at_every_write_and_resumed(
    tmp_path: Path, small_parts: None, mode: str, game: es.Game, step: int
) -> None:
    # A chain of chance has three times as many files as the layers of the game of Ur.
    step *= 3 if isinstance(game, Tagged) else 1
    killed_and_resumed(tmp_path, lambda folder: store(folder, game, mode), range(1, 1000, step))


def begun(folder: Path, game: es.Game, last: str) -> None:
    """A solve that was killed when it had written the first file whose path holds `last`."""
    with killed_at(named=last) as files:
        store(folder, game)
    assert files


def test_status_of_a_solve_that_was_killed(tmp_path: Path) -> None:
    folder = tmp_path / "ur"
    begun(folder, es.games.Ur(pieces=2), "tier=001")
    status = ask("status", str(folder))
    assert status["status"] == "interrupted"
    assert "rounds/merged/found/0" in status["done"]
    assert "tier=009/part-0000.parquet" in status["done"]
    assert store(folder, es.games.Ur(pieces=2)).outcome == "resumed"
    assert ask("status", str(folder), "--check")["checked"]


def test_flipped_bits_are_reported_or_solved_again(tmp_path: Path) -> None:
    game, folder = es.games.Ur(pieces=2), tmp_path / "ur"
    store(tmp_path / "whole", game)
    begun(folder, game, "tier=001")
    flip(next((folder / "tier=009").iterdir()))
    store(folder, game)
    assert contents(folder) == contents(tmp_path / "whole")
    begun(tmp_path / "keys", game, "tier=009")
    flip(tmp_path / "keys" / "work" / "merged-000000-000.keys")
    with pytest.raises(FileError, match="is damaged"):
        store(tmp_path / "keys", game)


def test_limits_keep_what_is_done(tmp_path: Path) -> None:
    game = es.games.Ur(pieces=2)
    with pytest.raises(LimitReached, match="more than 5,000"):
        store(tmp_path / "ur", game, limits=Limits(states=5_000))
    assert ask("status", str(tmp_path / "ur"))["parts"] == 0
    with pytest.raises(LimitReached, match="--disk"):
        store(tmp_path / "ur", game, disk=1_000)
    assert ask("status", str(tmp_path / "ur"))["parts"] > 0
    with pytest.raises(LimitReached, match="more than 12,000 states"):
        store(tmp_path / "ur", game, limits=Limits(states=12_000))
    assert store(tmp_path / "ur", game).outcome == "resumed"


def test_the_commands(tmp_path: Path) -> None:
    asked = ("ur:pieces=1", "--method", "layers", "--engine", "compiled", "--interval")
    solved = run("solve", *asked, "--mode", "disk", "-o", str(tmp_path / "ur"))
    assert solved.code == 0, solved
    for question in ("value", "analyze", "line"):
        answer = run(question, "ur:pieces=1", "--from", str(tmp_path / "ur"), "--at", "4 enter-4 1")
        assert answer.code == 0, answer
    status = run("status", str(tmp_path / "ur"), "--check")
    assert status.code == 0
    assert "first [0.06" in status.out
