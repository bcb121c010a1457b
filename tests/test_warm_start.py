"""A second run of a large game: what it may load, what it remembers, and what it must not remember."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import Game, Limits
from endsight.errors import LimitReached
from test_layers import room

GAME = "connectfour:width=4,height=4"
SCRIPT = """
import sys
from endsight.faces.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
print(*sys.modules, file=sys.stderr)
"""


class Pebbles(Game):
    """Take one, two or three pebbles from either of two heaps; who takes the last one wins."""

    high: int = 260

    class State(NamedTuple):
        left: int
        right: int

    def limits(self) -> Any:
        return self.State(self.high, self.high)

    def start(self) -> Any:
        return self.State(self.high, self.high)

    def moves(self, state: Any) -> Iterator[int]:
        for count in range(1, 4):
            if count <= state.left:
                yield count
            if count <= state.right:
                yield -count

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.left - max(move, 0), state.right + min(move, 0))

    def payoff(self, state: Any) -> int:
        return -1


class Coins(Pebbles):
    """The same, with one more coin in reach."""

    def moves(self, state: Any) -> Iterator[int]:
        for count in range(1, 5):
            if count <= state.left:
                yield count
            if count <= state.right:
                yield -count

    def pay_three(self, state: Any) -> int:
        """Another payoff: the winner gets three."""
        return -3


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What these tests keep is kept for them only."""
    before = os.environ.get("ENDSIGHT_CACHE_DIR")
    place = tmp_path_factory.mktemp("cache")
    os.environ["ENDSIGHT_CACHE_DIR"] = str(place)
    yield place
    if before is None:
        del os.environ["ENDSIGHT_CACHE_DIR"]
    else:
        os.environ["ENDSIGHT_CACHE_DIR"] = before


def run(*arguments: str) -> tuple[str, set[str]]:
    """What a command prints, and the modules it has loaded at its end."""
    # Python itself takes a file edited within a second for the old one where it keeps bytecode.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout, set(done.stderr.split())


# -------------------------------------------------------------------- what is loaded


# What a warm command may load beside the rooms below: click and its own needs, and what
# finds and links object code. numpy alone takes longer to load than everything else here.
OTHERS = {"click", "llvmlite"}
ROOMS = {
    "algorithms", "algorithms.linear_systems", "algorithms.matrix_game",
    "answers", "answers.auditing", "answers.chosen_play", "answers.distribution",
    "answers.graph_values", "answers.mixtures", "answers.options",
    "answers.policies", "answers.records", "answers.searched", "answers.paths",
    "answers.seen", "answers.solution",
    "answers.solver", "answers.source", "answers.told_moves", "answers.unfinished", "board", "compiler",
    "compiler.payoffs", "compiler.refusal", "compiler.sources", "compiler.syntax",
    "engine", "engine.choice", "errors",
    "errors.complaints", "errors.legal_moves", "errors.rules_guard", "faces", "faces.blaming", "faces.cli",
    "faces.documents", "faces.wording", "game", "game.arguments", "game.codec",
    "game.contract", "game.derived", "game.equality", "game.limits", "game.exact",
    "game.position", "base.faults", "game.field_texts", "game.markup", "game.numbers",
    "base.printable", "game.protocol", "game.question", "game.state_text", "game.titles",
    "game.value_text", "game.infinite", "game.players", "game.results", "game.rule_texts",
    "games", "graph", "graph.components", "graph.discounting", "graph.explorer", "graph.giving_up",
    "graph.graph", "graph.graph_kernels",
    "graph.graph_table", "graph.heights",
    "graph.judgement", "graph.kernel_numbers", "graph.objective", "graph.paying_loops", "graph.plan", "graph.reachable",
    "graph.table", "graph.ways",
    "identity", "naming", "naming.arguments", "naming.class_names", "naming.input_files", "naming.rules_files",
    "naming.specification",
    "base", "base.alarm", "base.collector", "base.deferred", "base.extras", "base.lazy", "base.machine",
    "base.standard_streams", "base.waiting",
    "theorems",
}  # fmt: skip
COMPILER = {
    "amounts", "assigning", "branches", "built_in", "cache", "calls", "copies", "core", "dictionaries", "driver",
    "fields", "flow", "functions", "holders", "iteration", "kernels", "known_objects",
    "lazy_loops", "library", "memory", "native", "nested", "object_code", "objects",
    "operators", "packing", "program", "reading", "refusal", "resolve", "results", "rules", "scopes", "sequences",
    "simpler", "sources", "specialising", "statements", "syntax", "translator", "values", "views", "writing",
}  # fmt: skip
ENGINE = {
    "choice", "comparing", "entry", "goals", "graph_run", "kernels", "layers", "solved", "tables",
    "thread_pool",
}  # fmt: skip
SLOW_OF_PYTHON = {
    "asyncio", "concurrent.futures", "csv", "email", "html", "http", "importlib.metadata", "logging",
    "multiprocessing", "socket", "sqlite3", "ssl", "subprocess", "unittest", "xml",
}  # fmt: skip


def test_a_warm_command_loads_little() -> None:
    cold, loaded = run("value", GAME, "--json")
    assert "endsight.compiler.lowering" in loaded
    warm, loaded = run("value", GAME, "--json")
    assert {name.partition(".")[0] for name in loaded - _of_python(loaded)} == {*OTHERS, "endsight"}
    own = {name for name in loaded if name.startswith("endsight.")}
    assert {room(name) for name in own} <= ROOMS
    assert {name.split(".")[2] for name in own if name.startswith("endsight.compiler.")} <= COMPILER
    assert {name.split(".")[2] for name in own if name.startswith("endsight.engine.")} <= ENGINE
    assert not any(name.startswith("endsight.board.") for name in own), "nothing is drawn"
    assert "llvmlite.binding" not in loaded or platform.machine() != "x86_64", "the code is placed without LLVM"
    assert not loaded & SLOW_OF_PYTHON
    assert without_seconds(warm) == without_seconds(cold)
    assert json.loads(warm)["method"]["states"] == 80_541


def _of_python(loaded: set[str]) -> set[str]:
    # What a virtual environment itself loads at its start is none of our doing.
    own = {*sys.stdlib_module_names, "__main__", "_distutils_hack", "sitecustomize", "usercustomize"}
    added = ("_virtualenv", "__editable__")
    return {name for name in loaded if name.partition(".")[0] in own or name.startswith(added)}


def without_seconds(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    del document["method"]["seconds"], document["method"]["audited"]
    return document


@pytest.mark.parametrize("game", ["tictactoe", "dominoes:n=5", "pots:4-9-2-7"])
def test_a_small_game_leaves_nothing_behind_and_loads_no_compiler(game: str, folder: Path) -> None:
    before = set(folder.iterdir())
    for _ in range(2):
        _, loaded = run("value", game)
        assert not loaded & {"numpy", "llvmlite", "llvmlite.binding", "psutil", "endsight.engine.entry"}
    assert set(folder.iterdir()) == before


# -------------------------------------------------------------------- what is remembered


def solved(game: Game, **options: Any) -> es.Solution:
    return es.solve(game, **options)


def known(game: Game, position: es.Position | None = None) -> int | None:
    """The number of states that an earlier run has counted: a limit that is lower is refused by that number."""
    with pytest.raises(LimitReached) as stop:
        es.solve(game, position, limits=Limits(states=1000))
    found = re.match(r"it has ([\d,]+) positions, and the limit is 1,000", str(stop.value).partition(": ")[2])
    return None if found is None else int(found[1].replace(",", ""))


def count_otherwise(folder: Path, states: int, as_many: int) -> None:
    """Change the note of a game with so many states: it has `as_many`."""
    for note in folder.glob("*.note"):
        line, _, content = note.read_bytes().partition(b"\n")
        if content.startswith(b"%d " % states):
            content = content.replace(b"%d" % states, b"%d" % as_many)
            checksum = sha256(content).hexdigest().encode()
            note.write_bytes(line.rpartition(b" ")[0] + b" " + checksum + b"\n" + content)


def test_sizes_are_remembered_for_the_same_rules_and_position_only() -> None:
    game = Pebbles()
    assert known(game) is None
    states = solved(game).states
    assert states == 261 * 261
    assert known(game) == states
    assert known(Pebbles(high=261)) is None
    assert known(Coins()) is None
    assert known(game, game.position("1")) is None
    again = solved(game)
    assert (again.method, again.source.engine) == ("layers", "compiled")


def test_rules_of_the_same_name_find_nothing() -> None:
    game = Pebbles()
    solved(game)
    changed = type("Pebbles", (Coins,), {"__module__": Pebbles.__module__, "__qualname__": "Pebbles"})()
    assert known(changed) is None
    assert solved(changed).source.states == 261 * 261


def test_rules_that_change_while_a_game_lives_are_translated_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Pebbles(high=262)
    before = solved(game, engine="compiled").value()
    monkeypatch.setattr(Pebbles, "payoff", Coins.pay_three)
    again = solved(game, engine="compiled")
    assert again.source.engine == "compiled"
    assert again.value() == {player: 3 * value for player, value in before.items()}


def test_a_method_asked_for_by_name_leaves_a_note_on_a_large_game_only() -> None:
    large, small = Pebbles(high=264), Pebbles(high=35)
    for game in (large, small):
        solved(game, method="graph")
    assert known(large) == 265 * 265
    assert known(small) is None


def test_later_positions_leave_no_notes(folder: Path) -> None:
    game = Pebbles(high=275)
    before = {file for file in folder.iterdir() if file.suffix == ".note"}
    es.solve(game, game.position("1 2"))
    assert {file for file in folder.iterdir() if file.suffix == ".note"} == before


def test_a_damaged_note_is_no_note(folder: Path) -> None:
    game = Pebbles(high=270)
    solved(game)
    assert known(game) is not None
    for note in folder.glob("*.note"):
        note.write_bytes(b"[1")
    assert known(game) is None
    assert solved(game).source.states == 271 * 271


def test_a_known_size_is_held_against_the_limits(folder: Path) -> None:
    game = Pebbles(high=280)
    solved(game)
    with pytest.raises(LimitReached, match="it has 78,961 positions, and the limit is 1,000"):
        solved(game, limits=Limits(states=1000))
    count_otherwise(folder, 281 * 281, 4 * 10**9)
    for method in ("graph", "layers"):
        with pytest.raises(LimitReached, match=r"has 4,000,000,000 positions, .* at least 64 GB; .* may still be used"):
            solved(game, method=method, limits=Limits(memory=4 * 10**9))


def test_a_game_known_to_be_larger_than_the_memory_is_searched(folder: Path) -> None:
    game = Pebbles(high=282)
    exact = solved(game).value()
    count_otherwise(folder, 283 * 283, 4 * 10**9)
    found = solved(game, limits=Limits(memory=4 * 10**9))
    assert found.plan is not None
    assert found.plan.path == "search"
    assert found.value() == exact


RULES = '''
    from typing import NamedTuple

    from endsight.game import Game
    from reach import MOST


    class Heaps(Game):
        """Two heaps; who cannot take any more has lost."""

        class State(NamedTuple):
            left: int
            right: int

        def limits(self): return self.State(265, 265)
        def start(self): return self.State(265, 265)
        def moves(self, state):
            for count in range(1, MOST + 1):
                if count <= state.left:
                    yield count
                if count <= state.right:
                    yield -count
        def play(self, state, move):
            return self.State(state.left - max(move, 0), state.right + min(move, 0))
        def payoff(self, state): return -1
'''


def test_an_edit_of_a_helper_is_not_answered_from_a_note(tmp_path: Path) -> None:
    file = tmp_path / "heaps.py"
    file.write_text(textwrap.dedent(RULES), encoding="utf-8")
    (tmp_path / "reach.py").write_text("MOST = 3\n", encoding="utf-8")
    asked = ("value", f"{file}:Heaps", "--at", "1", "--json")
    first, _ = run(*asked)
    again, _ = run(*asked)
    assert without_seconds(first) == without_seconds(again)
    (tmp_path / "reach.py").write_text("MOST = 4\n", encoding="utf-8")
    edited, loaded = run(*asked)
    assert "endsight.compiler.lowering" in loaded
    assert json.loads(edited)["distance"] != json.loads(first)["distance"]
