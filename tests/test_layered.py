"""Solves in parts on the disk: the same table as in memory, whatever the parts, the workers and the accidents."""

from __future__ import annotations

import hashlib
import linecache
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import endsight as es
from amounts import each
from endsight import Question, open_tablebase
from endsight.base.atomic import AtomicFile
from endsight.base.machine import memory_in_use
from endsight.compiler import choice
from endsight.errors import FileError, LimitReached, QuestionError
from endsight.game.limits import Budget
from endsight.layers import arrays, segments, table
from endsight.layers.disk_space import DiskSpace
from endsight.layers.executors import Serial, Threads
from endsight.layers.modes import solve_anywhere
from endsight.layers.solving import solve_layered
from endsight.storage.checkpoint import Checkpoint
from endsight.storage.manifest import Manifest
from endsight.storage.saving import solve_into
from lead_game import Lead

SMALL_TASKS = 150_000
"""Bytes of memory of a task: enough for a few hundred states, so that layers have many parts."""

TINY_TASKS = 20_000

GAMES = {
    "connectfour": lambda: es.games.ConnectFour(width=4, height=3, line=3),
    "tictactoe": es.games.TicTacToe,
    "dominoes": lambda: es.games.Dominoes(n=4),
    "chomp": lambda: es.games.Chomp(width=4, height=3),
    "lead": Lead,
}


def contents(folder: Path) -> dict[str, str]:
    """Name and checksum of every file but the lock and the record of the audit, which depends on time."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("LOCK", "AUDIT.json")
    }


# ---------------------------------------------------------------- arrays and files


def rows(words):
    numbers = st.integers(0, (1 << 61) - 1) | st.integers(0, 50)
    return st.lists(st.tuples(*[numbers] * words), max_size=60).map(
        lambda keys: np.array(keys, np.int64).reshape(len(keys), words)
    )


def as_set(keys):
    return {tuple(row[::-1]) for row in keys.tolist()}


@pytest.mark.parametrize("words", [1, 2])
def test_keys_are_sorted_joined_split_and_found(words) -> None:
    @given(rows(words), rows(words), st.integers(1, 5), st.integers(0, 63))
    def check(one, other, parts, shift):
        first, second = arrays.sorted_keys(one.copy()), arrays.sorted_keys(other.copy())
        assert [tuple(row[::-1]) for row in first.tolist()] == sorted(as_set(one))
        both = arrays.distinct([first.copy(), second.copy()], words)
        assert [tuple(row[::-1]) for row in both.tolist()] == sorted(as_set(one) | as_set(other))
        places = arrays.places_of(first, both)
        assert (both[places] == first).all()
        assert [place >= 0 for place in arrays.places_of(both, first).tolist()] == [
            tuple(row[::-1]) in as_set(one) for row in both.tolist()
        ]
        owners = arrays.part_of(both, shift, parts)
        assert ((owners >= 0) & (owners < parts)).all()
        assert (arrays.part_of(first, shift, parts) == owners[places]).all()

    check()


@pytest.mark.parametrize("words", [1, 2])
def test_work_files_give_back_what_was_written(tmp_path, words, monkeypatch) -> None:
    monkeypatch.setattr(segments, "BLOCK", 7)

    @given(rows(words), st.lists(st.integers(-(1 << 62), 1 << 62) | st.integers(-3, 3), max_size=40))
    def check(keys, numbers):
        keys, scores = arrays.sorted_keys(keys), np.array(numbers, np.int64)
        segments.write_keys(tmp_path, "keys", keys)
        segments.write_scores(tmp_path, "scores", scores)
        assert (segments.read_keys(tmp_path, "keys", words) == keys).all()
        assert (segments.read_scores(tmp_path, "scores") == scores).all()

    check()


def test_a_changed_or_cut_work_file_is_refused(tmp_path) -> None:
    keys = np.arange(0, 900, 3).reshape(-1, 1)
    segments.write_keys(tmp_path, "keys", keys)
    whole = (tmp_path / "keys").read_bytes()
    for place in range(len(whole)):
        for data in (whole[:place], whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]):
            (tmp_path / "keys").write_bytes(data)
            with pytest.raises(FileError, match="damaged"):
                segments.read_keys(tmp_path, "keys", 1)


# ---------------------------------------------------------------- whole solves


# Rules are compiled anew without symmetry, as another game.
@pytest.mark.parametrize(
    "case", each(product(GAMES, (True, False)), lambda case: case[1] or case[0] in ("connectfour", "lead"))
)
def test_in_parts_on_the_disk_as_in_memory(tmp_path, case) -> None:
    name, symmetry = case
    game = GAMES[name]()
    in_memory = tmp_path / "memory"
    solve_into(in_memory, game.position(), Question(), method="layers", engine="compiled", symmetry=symmetry)
    ways = [(Threads(3), SMALL_TASKS)]
    if symmetry and name in ("connectfour", "lead"):  # parts and workers know nothing of symmetries, or of games
        ways += [(Serial(), 1 << 30), (Serial(), SMALL_TASKS)]
    for number, (executor, task_bytes) in enumerate(ways):
        folder = tmp_path / str(number)
        done = solve_layered(folder, game.position(), executor=executor, task_bytes=task_bytes, symmetry=symmetry)
        assert done.outcome == "solved"
        assert contents(folder) == contents(in_memory)


def test_parts_whose_states_are_all_over(tmp_path) -> None:
    position = es.games.ConnectFour(width=4, height=2, line=2).position()
    solve_into(tmp_path / "memory", position, Question(), method="layers", engine="compiled")
    for task_bytes in (3_000, 1_500):
        solve_layered(tmp_path / str(task_bytes), position, task_bytes=task_bytes)
        assert contents(tmp_path / str(task_bytes)) == contents(tmp_path / "memory")


@pytest.mark.parametrize("held", [1, 100])
def test_the_table_does_not_depend_on_how_many_sampled_keys_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    """Layers of this game share states, which are sampled again in each layer."""
    position = es.games.Hexapawn(width=3, height=4).position()
    solve_layered(tmp_path / "once", position)
    monkeypatch.setattr(table, "_REPEATED", held)
    solve_layered(tmp_path / "again", position)
    assert contents(tmp_path / "again") == contents(tmp_path / "once")


@pytest.mark.parametrize("words", [1, 2, 3])
def test_sampled_keys_are_kept_once_and_in_order(words: int) -> None:
    draw = np.random.default_rng(1)
    samples = [tuple(draw.integers(0, 6, 200, np.uint64) for _ in range(words)) for _ in range(5)]
    every = np.concatenate([np.stack(sample) for sample in samples], axis=1)
    assert (np.stack(table._distinct(samples)) == np.unique(every, axis=1)).all()


def test_many_parts_were_at_work(tmp_path) -> None:
    seen = []
    solve_layered(
        tmp_path / "it",
        GAMES["connectfour"]().position(),
        task_bytes=SMALL_TASKS // 3,
        watch=lambda phases: seen.append(max(phases.extent.parts)),
    )
    assert seen[0] > 3


def test_values_of_a_solve_in_parts_are_those_of_the_solver(tmp_path) -> None:
    game = GAMES["connectfour"]()
    solve_layered(tmp_path / "it", game.position(), task_bytes=SMALL_TASKS)
    solution = es.solve(game, method="graph", engine="plain")
    with open_tablebase(tmp_path / "it") as table:
        place = game.position()
        while not place.is_over:
            assert table[place].values == solution.values(place)
            assert table[place].distance == solution.distance(place)
            place = place.play(solution.chosen(place))


# ---------------------------------------------------------------- accidents


class Killed(BaseException):
    """Nothing in the package catches this."""


def test_killed_at_every_write_and_resumed(tmp_path, monkeypatch) -> None:
    position = es.games.ConnectFour(width=3, height=2, line=3).position()
    solve_layered(tmp_path / "whole", position, task_bytes=TINY_TASKS)
    whole = contents(tmp_path / "whole")
    commit = AtomicFile.commit
    for number in range(3, 1000, 13):
        left = [number]

        def counted(file, left=left, before=number % 2 == 0):
            left[0] -= 1
            if left[0] == 0 and before:
                raise Killed
            commit(file)
            if left[0] == 0:
                raise Killed

        folder = tmp_path / str(number)
        monkeypatch.setattr(AtomicFile, "commit", counted)
        with suppress(Killed):
            solve_layered(folder, position, task_bytes=TINY_TASKS)
        monkeypatch.setattr(AtomicFile, "commit", commit)
        solve_layered(folder, position, task_bytes=TINY_TASKS)
        assert contents(folder) == whole
        if left[0] > 0:
            return
    raise AssertionError("the solve has more writes than were tried")


def test_a_flipped_bit_in_a_work_file_is_reported(tmp_path, monkeypatch) -> None:
    position = GAMES["connectfour"]().position()
    folder = tmp_path / "it"
    flipped = []

    def flip(phases):
        path = max((folder / "work").rglob("scores-*"), key=lambda path: (path.stat().st_size, path.name))
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        flipped.append(path.name)

    with pytest.raises(FileError, match="is damaged"):
        solve_layered(folder, position, task_bytes=SMALL_TASKS, watch=flip)
    assert flipped


def test_games_that_layers_do_not_solve_are_refused_with_the_reason(tmp_path) -> None:
    for number, (game, reason) in enumerate(
        [(es.games.Pig(target=5), "come back to a position"), (es.games.Pots([1, 2, 3]), "not opposed")]
    ):
        with pytest.raises(QuestionError, match="cannot be solved in layers") as found:
            solve_layered(tmp_path / str(number), game.position())
        assert reason in found.value.found
        # What was tried in vain leaves nothing.
        assert not (tmp_path / str(number)).exists()


def test_a_full_disk_stops_the_solve_and_the_same_command_goes_on(tmp_path) -> None:
    position = GAMES["connectfour"]().position()
    folder = tmp_path / "it"
    with pytest.raises(LimitReached, match=r"the files take [\d,]+ bytes, more than the 2,000 of --disk"):
        solve_layered(folder, position, space=DiskSpace(folder, 2_000))
    assert solve_layered(folder, position).outcome == "resumed"
    solve_layered(tmp_path / "whole", position)
    assert contents(folder) == contents(tmp_path / "whole")


TYPED = """
from typing import NamedTuple
from endsight import Game
class Typed(Game):
    heap: int = 30
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(self.heap)
    def start(self): return self.State(self.heap)
    def moves(self, state): yield from range(1, min(3, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1
    def layer(self, state): return self.heap - state.left
"""


def test_what_half_of_the_memory_does_not_hold_is_solved_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose positions an earlier run had counted was refused, where its first solve had used the disk."""
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path / "cache"))
    game = es.games.ConnectFour(width=4, height=4)
    states, spare = es.solve(game).states, 4 << 30
    monkeypatch.setattr(choice, "LEAST_BYTES", 3 * spare // 4 // states)
    limits = es.Limits(memory=memory_in_use() + spare)
    stored = solve_anywhere(tmp_path / "it", game.position(), Question(), budget=Budget(limits))
    assert (stored.outcome, stored.manifest.states) == ("solved", states)
    with pytest.raises(LimitReached, match="too large here") as refused:
        solve_anywhere(tmp_path / "more", game.position(), Question(), budget=Budget(es.Limits(states=states - 1)))
    assert refused.value.limit == "states"


def test_what_half_of_the_memory_solves_and_does_not_store_is_stored_in_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder holds parts by then, so that layers on the disk cannot begin in it."""
    allowed = []

    def finished(checkpoint: Checkpoint, manifest: Manifest) -> None:
        allowed.append(1)
        if len(allowed) == 1:
            raise Budget().memory_is_out("writing")
        finish(checkpoint, manifest)

    finish = Checkpoint.finish
    monkeypatch.setattr(Checkpoint, "finish", finished)
    stored = solve_anywhere(tmp_path / "it", es.games.TicTacToe().position(), Question())
    assert (stored.outcome, len(allowed)) == ("resumed", 2)


def test_rules_that_were_typed_in_are_refused_in_layers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notebooks keep the text of what was typed, so that it compiles; workers looked for its file, with an OSError."""
    name = "<ipython-input-7>"
    typed = ModuleType("typed_in")
    monkeypatch.setitem(sys.modules, "typed_in", typed)
    monkeypatch.setitem(linecache.cache, name, (len(TYPED), None, TYPED.splitlines(keepends=True), name))
    exec(compile(TYPED, name, "exec"), typed.__dict__)
    game = typed.Typed()
    with pytest.raises(QuestionError) as refused:
        solve_anywhere(tmp_path / "layers", game.position(), Question(), mode="disk")
    assert "the rules are in no file" in str(refused.value)
    stored = solve_anywhere(tmp_path / "memory", game.position(), Question(), mode="auto")
    assert stored.manifest.states == 31
