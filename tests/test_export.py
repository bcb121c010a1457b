"""Exports say, column by column, what the stored solution says row by row."""

from __future__ import annotations

import csv
import io
import json
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest

import endsight as es
import thresholds
from amounts import each
from command_line import ask, run
from endsight import Game, Tablebase
from layer_runs import audit_moves_at_once_wrongly
from ranges import as_range
from small_instances import AT_ONCE
from small_instances import GAMES as BUILT_IN


class Sequel(Game):
    """Two rounds of stones; who moves is told, states are tuples, amounts are broken and long."""

    stones: int = 4
    unit: int = 3

    class State(NamedTuple):
        left: tuple[int, ...]
        turn: int

    def start(self) -> State:
        return self.State((self.stones, 2), 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def moves(self, state: State) -> Any:
        yield from range(1, min(2, state.left[0]) + 1)

    def play(self, state: State, move: int) -> State:
        return self.State((state.left[0] - move, state.left[1]), 1 - state.turn)

    def payoff(self, state: State) -> Any:
        amount = Fraction(state.turn + 1, self.unit)
        return amount, -amount

    def show(self, state: State) -> str:
        return f'left "{state.left[0]}", é {state.turn}'


class AtOnce(Game):
    """Two of three players show fingers at once; the third pays."""

    class State(NamedTuple):
        shown: tuple[int, ...]

    def players(self) -> int:
        return 3

    def start(self) -> State:
        return self.State(())

    def to_move(self, state: State) -> Any:
        return 1, 2

    def moves(self, state: State) -> Any:
        return () if state.shown else ((1, 1), (1, 2), (2, 1), (2, 2))

    def play(self, state: State, move: tuple[int, ...]) -> State:
        return self.State(move)

    def payoff(self, state: State) -> Any:
        return -sum(state.shown), *state.shown


class Circle(Game):
    """Players take turns to push a stone along a row; whoever brings it to an end wins."""

    class State(NamedTuple):
        place: int

    def limits(self) -> State:
        return self.State(4)

    def start(self) -> State:
        return self.State(2)

    def moves(self, state: State) -> Any:
        return (-1, 1) if 0 < state.place < 4 else ()

    def play(self, state: State, move: int) -> State:
        return self.State(state.place + move)

    def payoff(self, state: State) -> Any:
        return -1


def full_text(value: Any) -> str:
    """`p/q` or `p` in decimal digits of any length."""
    allowed = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(Fraction(value))
    finally:
        sys.set_int_max_str_digits(allowed)


def exported(folder: Path, game: Game, *, fields: bool) -> list[dict[str, Any]]:
    """Rows of the file that holds them all."""
    es.export(folder, "parquet", folder / "rows.parquet", game=game, fields=fields)
    return pq.read_table(folder / "rows.parquet").to_pylist()


def expected(table: Tablebase, *, fields: bool) -> list[dict[str, Any]]:
    """Rows of the table, asked one by one."""
    rows = []
    for position in table:
        entry, game = table.probe(position), position.game
        before = "" if game.gives("to_move") or game.gives("seat") or position.mover < 1 else f"{position.to_move}: "
        state = position.state._asdict() if fields else {"position": before + game.show(position.state)}
        row: dict[str, Any] = (
            {name: value if isinstance(value, int) else json.dumps(value) for name, value in state.items()}
            if fields
            else state
        )
        row["to_move"] = " and ".join(game.player_names[player] for player in position.movers) or "chance"
        values = entry.values
        if game.gives("seat") and game.seat(position.state) != position.mover:
            # The canonical state names the other player, whose place the mover takes.
            row["to_move"], values = game.player_names[game.seat(position.state)], values[::-1]
        for name, value in zip(game.player_names, values, strict=True):
            if table.manifest.layout.values == "ends":
                ends = as_range(value)
                row |= {f"lower_{name}": full_text(ends.lower), f"upper_{name}": full_text(ends.upper)}
            else:
                row[f"value_{name}"] = full_text(value)  # type: ignore[arg-type]
        rows.append(row | {"category": entry.category, "distance": entry.distance})
    return rows


GAMES: dict[str, tuple[Game, dict[str, Any]]] = {
    "score, by the mover": (es.games.TicTacToe(), {"method": "graph"}),
    "score, in layers": (es.games.ConnectFour(width=4, height=3, line=3), {"method": "layers"}),
    "score, with the mover before the state": (Circle(), {}),
    "score, with players who change places": (es.games.Dodgem(), {}),
    "score, dense": (es.games.Nim(heaps=(3, 4, 5)), {"method": "graph"}),
    "win as a utility": (es.games.Hexapawn(), {"utility": "win"}),
    "whole numbers": (es.games.Pots(pots=(4, 9, 2, 7, 3)), {"method": "graph"}),
    "fractions": (es.games.Pig(target=6), {}),
    "bounds": (es.games.Pig(target=8), {"interval": True}),
    "one player": (es.games.PigTurn(sides=4), {}),
    "bounds of one player": (es.games.RepeatBust(sides=3, dice=1), {"method": "graph", "interval": True}),
    "texts as keys": (Sequel(), {}),
    "long numbers": (Sequel(unit=3**60), {}),
    "moves at once": (es.games.Goofspiel(cards=3), {}),
    "moves at once, bounds": (es.games.Goofspiel(cards=3), {"interval": True}),
    "moves at once, by texts": (AtOnce(), {"objective": "cooperative"}),
    "differences in keys": (es.games.Pots(pots=(4, 9, 2, 7, 3)), {"utility": "win", "method": "graph"}),
}


@pytest.mark.parametrize("name", GAMES)
def test_columns_say_what_rows_say(name: str, tmp_path: Path) -> None:
    game, options = GAMES[name]
    es.save(es.solve(game, **options), tmp_path / "solved")
    with es.open_tablebase(tmp_path / "solved", game) as table:
        for fields in (False, True):
            assert exported(tmp_path / "solved", game, fields=fields) == expected(table, fields=fields)


def test_who_only_alternates_is_named_before_the_state(tmp_path: Path) -> None:
    game = Circle()
    es.save(es.solve(game), tmp_path / "solved")
    rows = exported(tmp_path / "solved", game, fields=False)
    assert {row["position"].partition(" ")[0] for row in rows} >= {"second:", "place=2"}
    for row in rows:
        position = game.position_from(row["position"])
        assert game.player_names[position.mover] == row["to_move"]
        values = es.solve(game, position).value()
        assert {name: row[f"value_{name}"] for name in values} == {name: str(value) for name, value in values.items()}


HIDES = ("kuhn", "leduc", "liarsdice", "battleship", "highcardduel", "phantomtictactoe")
STORED = dict.fromkeys(game for game in (*BUILT_IN, *AT_ONCE, "dominoes:n=5") if game.partition(":")[0] not in HIDES)
LARGEST = {game.partition(":")[0]: game for game in STORED}


@pytest.mark.parametrize("game", each(STORED, lambda game: game in LARGEST.values()))
def test_an_exported_position_can_be_asked_about(game: str, tmp_path: Path) -> None:
    assert run("solve", game, "-o", str(tmp_path / "solved")).code == 0
    rows = [json.loads(line) for line in run("export", str(tmp_path / "solved"), "--to", "jsonl").out.splitlines()]
    for row in Random(1).sample(rows, min(20, len(rows))):
        told = ask("value", game, "--position", row["position"])
        values = {f"value_{name}": value["exact"] for name, value in told["value"].items()}
        assert values.items() <= row.items(), row
        assert told["to_move"] in (row["to_move"], None), row


@pytest.mark.parametrize("fields", [(), ("--fields",)])
def test_all_forms_hold_the_same(fields: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "sequel.py").write_text(Path(__file__).read_text(encoding="utf-8"), encoding="utf-8")
    spec, folder = f"{tmp_path / 'sequel.py'}:Sequel", str(tmp_path / "solved")
    assert run("solve", spec, "-o", folder).code == 0
    texts = {}
    for form in ("csv", "jsonl", "parquet"):
        file = tmp_path / f"rows.{form}"
        assert run("export", folder, "--game", spec, "--to", form, "-o", str(file), *fields).code == 0
        texts[form] = file
    told = [json.loads(line) for line in texts["jsonl"].read_text(encoding="utf-8").splitlines()]
    assert told == pq.read_table(texts["parquet"]).to_pylist()
    plain = list(csv.DictReader(io.StringIO(texts["csv"].read_text(encoding="utf-8"))))
    assert plain == [{key: "" if value is None else str(value) for key, value in row.items()} for row in told]
    assert run("export", folder, "--game", spec, "--to", "jsonl", *fields).out == texts["jsonl"].read_text("utf-8")


def test_fields_are_for_rows(tmp_path: Path) -> None:
    folder = str(tmp_path / "solved")
    assert run("solve", "nim:heaps=1-2", "-o", folder).code == 0
    done = run("export", folder, "--to", "dot", "--fields")
    assert (done.code, "--fields is about rows" in done.err) == (2, True)


@pytest.mark.parametrize("fields", [False, True])
def test_numbers_that_stand_for_no_state_have_no_rows(
    fields: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where they fill a whole group of rows."""
    thresholds.stored_rows_in_small_groups(monkeypatch, 4)
    game = es.games.Nim(heaps=(9, 1, 1))
    es.save(es.solve(game, method="graph"), tmp_path / "solved")
    with es.open_tablebase(tmp_path / "solved", game) as table:
        assert exported(tmp_path / "solved", game, fields=fields) == expected(table, fields=fields)


@pytest.mark.parametrize("options", [(), ("--interval",), ("--objective", "cooperative")])
@pytest.mark.parametrize("spec", ["goofspiel:cards=3", "goofspiel:cards=3,points=win", "rps"])
def test_stored_moves_at_once_are_as_the_rules_say(spec: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """A mixture is worth less than the best of all joint moves, for which the solution was called wrong."""
    folder = str(tmp_path / "solved")
    assert run("solve", spec, "-o", folder, *options).code == 0
    done = run("status", folder, "--audit", "300")
    assert (done.code, "all as the rules in Python say" in done.out) == (0, True)


def test_an_audit_notices_another_worth_of_moves_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path / "solved")
    assert run("solve", "goofspiel:cards=3", "-o", folder).code == 0
    audit_moves_at_once_wrongly(monkeypatch)
    done = run("status", folder, "--audit", "300")
    assert (done.code, "holds a wrong solution" in done.err) == (4, True)
