"""Solves in parts on the disk: the same table as in memory, whatever the parts, the workers and the accidents."""

from __future__ import annotations

import linecache
import sys
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

import endsight as es
import thresholds
from amounts import each
from endsight import open_tablebase
from endsight.errors import FileError, LimitReached, QuestionError
from layer_runs import anywhere, in_layers, in_memory, memory_beyond, memory_runs_out_at_the_end
from lead_game import Lead
from stored_folders import contents, flip, killed_and_resumed

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


# ---------------------------------------------------------------- whole solves


# Rules are compiled anew without symmetry, as another game.
@pytest.mark.parametrize(
    "case", each(product(GAMES, (True, False)), lambda case: case[1] or case[0] in ("connectfour", "lead"))
)
def test_in_parts_on_the_disk_as_in_memory(tmp_path, case) -> None:
    name, symmetry = case
    game = GAMES[name]()
    in_memory(tmp_path / "memory", game, method="layers", engine="compiled", symmetry=symmetry)
    ways = [(3, SMALL_TASKS)]
    if symmetry and name in ("connectfour", "lead"):  # parts and workers know nothing of symmetries, or of games
        ways += [(1, 1 << 30), (1, SMALL_TASKS)]
    for number, (workers, task_bytes) in enumerate(ways):
        folder = tmp_path / str(number)
        done = in_layers(folder, game, workers=workers, task_bytes=task_bytes, symmetry=symmetry)
        assert done.outcome == "solved"
        assert contents(folder) == contents(tmp_path / "memory")


def test_parts_whose_states_are_all_over(tmp_path) -> None:
    position = es.games.ConnectFour(width=4, height=2, line=2).position()
    in_memory(tmp_path / "memory", position, method="layers", engine="compiled")
    for task_bytes in (3_000, 1_500):
        in_layers(tmp_path / str(task_bytes), position, task_bytes=task_bytes)
        assert contents(tmp_path / str(task_bytes)) == contents(tmp_path / "memory")


@pytest.mark.parametrize("held", [1, 100])
def test_the_table_does_not_depend_on_how_many_sampled_keys_are_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    """Layers of this game share states, which are sampled again in each layer."""
    position = es.games.Hexapawn(width=3, height=4).position()
    in_layers(tmp_path / "once", position)
    thresholds.hold_few_sampled_keys(monkeypatch, held)
    in_layers(tmp_path / "again", position)
    assert contents(tmp_path / "again") == contents(tmp_path / "once")


def test_many_parts_were_at_work(tmp_path) -> None:
    assert max(in_layers(tmp_path / "it", GAMES["connectfour"](), task_bytes=SMALL_TASKS // 3).parts) > 3


def test_values_of_a_solve_in_parts_are_those_of_the_solver(tmp_path) -> None:
    game = GAMES["connectfour"]()
    in_layers(tmp_path / "it", game.position(), task_bytes=SMALL_TASKS)
    solution = es.solve(game, method="graph", engine="plain")
    with open_tablebase(tmp_path / "it") as table:
        place = game.position()
        while not place.is_over:
            assert table[place].values == solution.values(place)
            assert table[place].distance == solution.distance(place)
            place = place.play(solution.chosen(place))


# ---------------------------------------------------------------- accidents


def test_killed_at_every_write_and_resumed(tmp_path) -> None:
    game = es.games.ConnectFour(width=3, height=2, line=3)
    killed_and_resumed(tmp_path, lambda folder: in_layers(folder, game, task_bytes=TINY_TASKS), range(3, 1000, 13))


def test_a_flipped_bit_in_a_work_file_is_reported(tmp_path) -> None:
    folder = tmp_path / "it"

    def damage() -> None:
        flip(max((folder / "work").rglob("scores-*"), key=lambda path: (path.stat().st_size, path.name)))

    with pytest.raises(FileError, match="is damaged"):
        in_layers(folder, GAMES["connectfour"](), task_bytes=SMALL_TASKS, before_writing=damage)


def test_games_that_layers_do_not_solve_are_refused_with_the_reason(tmp_path) -> None:
    for number, (game, reason) in enumerate(
        [(es.games.Pig(target=5), "come back to a position"), (es.games.Pots([1, 2, 3]), "not opposed")]
    ):
        with pytest.raises(QuestionError, match="cannot be solved in layers") as found:
            in_layers(tmp_path / str(number), game.position())
        assert reason in found.value.found
        # What was tried in vain leaves nothing.
        assert not (tmp_path / str(number)).exists()


def test_a_full_disk_stops_the_solve_and_the_same_command_goes_on(tmp_path) -> None:
    position = GAMES["connectfour"]().position()
    folder = tmp_path / "it"
    with pytest.raises(LimitReached, match=r"the files take more than the 2 kB of --disk(.|\n)*found: +[\d,]+ bytes"):
        in_layers(folder, position, disk=2_000)
    assert in_layers(folder, position).outcome == "resumed"
    in_layers(tmp_path / "whole", position)
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
    thresholds.states_take_memory(monkeypatch, 3 * spare // 4 // states)
    stored = anywhere(tmp_path / "it", game, limits=memory_beyond(spare))
    assert (stored.outcome, stored.states) == ("solved", states)
    with pytest.raises(LimitReached, match="too large here") as refused:
        anywhere(tmp_path / "more", game, limits=es.Limits(states=states - 1))
    assert refused.value.limit == "states"


def test_what_half_of_the_memory_solves_and_does_not_store_is_stored_in_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder holds parts by then, so that layers on the disk cannot begin in it."""
    tried = memory_runs_out_at_the_end(monkeypatch)
    stored = anywhere(tmp_path / "it", es.games.TicTacToe())
    assert (stored.outcome, tried) == ("resumed", [2])


def test_rules_that_were_typed_in_are_refused_in_layers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notebooks keep the text of what was typed, so that it compiles; workers looked for its file, with an OSError."""
    name = "<ipython-input-7>"
    typed = ModuleType("typed_in")
    monkeypatch.setitem(sys.modules, "typed_in", typed)
    monkeypatch.setitem(linecache.cache, name, (len(TYPED), None, TYPED.splitlines(keepends=True), name))
    exec(compile(TYPED, name, "exec"), typed.__dict__)
    game = typed.Typed()
    with pytest.raises(QuestionError) as refused:
        anywhere(tmp_path / "layers", game, mode="disk")
    assert "the rules are in no file" in str(refused.value)
    assert anywhere(tmp_path / "memory", game, mode="auto").states == 31
