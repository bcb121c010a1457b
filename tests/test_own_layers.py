"""Solves cut by the rules' own layers, with loops inside: the table of memory, whatever the parts and the accidents."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import endsight as es
import strategies
import thresholds
from amounts import every
from command_line import run
from endsight import open_tablebase
from endsight.errors import FileError, LimitReached, QuestionError
from layer_runs import anywhere, bounds_in_memory, in_layers
from layer_runs import in_memory as stored_in_memory
from naive import Recursion, Sweeps
from stored_folders import contents, flip, killed_and_resumed
from test_compiler_engine import whole

# An example that fails prints as one line, and making it smaller takes minutes.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
TINY = 400
"""Bytes of memory of a task: a few states."""


class Chase(es.Game):
    """A hunter and a hare on a ring with a shelter; after each stretch that the hare runs a door closes for good.

    The layer counts doors that are closed; in between both may go to and fro for ever.
    """

    ring: int = 5
    doors: int = 2

    class State(NamedTuple):
        hunter: int
        hare: int
        closed: int
        turn: int

    def limits(self) -> State:
        return self.State(self.ring - 1, self.ring - 1, self.doors, 1)

    def start(self) -> State:
        return self.State(0, self.ring // 2, 0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def moves(self, state: State) -> Any:
        if state.hunter != state.hare and state.closed < self.doors:
            yield 1
            yield self.ring - 1
            if state.turn == 0:
                yield 2
            if state.turn == 1 and state.hare == 0:
                yield 0  # through the door, which closes

    def play(self, state: State, move: int) -> State:
        if state.turn == 0:
            return self.State((state.hunter + move) % self.ring, state.hare, state.closed, 1)
        if move == 0:
            return self.State(state.hunter, self.ring // 2, state.closed + 1, 0)
        return self.State(state.hunter, (state.hare + move) % self.ring, state.closed, 0)

    def payoff(self, state: State) -> tuple[int, int]:
        caught = 1 if state.hunter == state.hare else -1
        return (caught, -caught)

    def layer(self, state: State) -> int:
        return state.closed


class Bet(Chase):
    """The same for stakes that grow with the doors."""

    def payoff(self, state: Chase.State) -> tuple[int, int]:
        caught = 5 - 2 * state.closed if state.hunter == state.hare else -3 - state.closed
        return (caught, -caught)


GAMES = {
    "bet": (Bet(), [1 << 30, 4_000, 2_000], 8),
    "dodgem": (es.games.Dodgem(), [40_000], 3),
}
"""Each with bytes of memory for a task, and how many parts a layer then has at least."""


# ---------------------------------------------------------------- the same bytes, and the right ones


@pytest.mark.parametrize("name", GAMES)
def test_in_parts_on_the_disk_as_in_memory(tmp_path: Path, name: str) -> None:
    game, sizes, parts = GAMES[name]
    stored_in_memory(tmp_path / "memory", game)
    most = 0
    for number, task_bytes in enumerate(sizes):
        extent = in_layers(tmp_path / str(number), game, workers=3 if number == 2 else 1, task_bytes=task_bytes)
        most = max(most, *extent.parts)
        assert contents(tmp_path / str(number)) == contents(tmp_path / "memory")
    assert most >= parts


def test_on_a_cluster_as_in_memory(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    game = Bet()
    stored_in_memory(tmp_path / "memory", game)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        extent = in_layers(tmp_path / "cluster", game, client=client, task_bytes=4_000)
    assert max(extent.parts) >= 3
    assert contents(tmp_path / "cluster") == contents(tmp_path / "memory")


def check_random(folder: Path, game: es.Game, task_bytes: int) -> None:
    """The table that memory writes, and in it what sweeps over the whole game say."""
    game = whole(game, scale=1)
    stored_in_memory(folder / "memory", game)
    in_layers(folder / "disk", game, task_bytes=task_bytes)
    oracle = Sweeps(game)
    with open_tablebase(folder / "disk", game) as table:
        oracle.value()
        for node in oracle.reachable(oracle.root()):
            place = es.Position(game, node[0], node[1], (0,) * game.player_count, ())
            assert table[place].values == oracle.value_of(node)
            if table.manifest.is_win_loss:
                assert table[place].distance == oracle.distance(place)
        # One player's fewest moves are counted in memory only.
        if table.manifest.method == "retrograde analysis" and game.player_count == 2:
            assert contents(folder / "disk") == contents(folder / "memory")


PAYOFFS = (-3, -1, -1, 0, 0, 1, 1, 2)
FEW = strategies.layered_loops(max_nodes=10) | strategies.layered_loops(told=True, payoffs=PAYOFFS)
RANDOM = (
    strategies.layered_loops()
    | strategies.layered_loops(told=True)
    | strategies.layered_loops(told=True, payoffs=PAYOFFS)
    | strategies.layered_loops(payoffs=PAYOFFS)
    | strategies.layered_loops(told=True, payoffs=PAYOFFS, seats=1)
    | strategies.alternating_loops()
)
SIZES = st.sampled_from([1 << 29, 1500, TINY])


@settings(max_examples=3, phases=PHASES)
@given(game=FEW, task_bytes=SIZES)
def test_random_games_with_loops(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, game: es.Game, task_bytes: int
) -> None:
    thresholds.small_layers_of_rules(monkeypatch, fewest=1)
    check_random(tmp_path_factory.mktemp("random"), game, task_bytes)


@pytest.mark.slow
@settings(max_examples=1500, phases=PHASES)
@given(game=RANDOM, task_bytes=SIZES)
def test_many_random_games_with_loops(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, game: es.Game, task_bytes: int
) -> None:
    thresholds.small_layers_of_rules(monkeypatch, fewest=1)
    check_random(tmp_path_factory.mktemp("random"), game, task_bytes)


# ---------------------------------------------------------------- without loops


@pytest.mark.slow
@settings(max_examples=300, phases=PHASES)
@given(game=strategies.layered_chance() | strategies.layered_chance(seats=2), task_bytes=SIZES)
def test_many_random_games_with_chance(
    tmp_path_factory: pytest.TempPathFactory, game: es.Game, task_bytes: int
) -> None:
    check_chance(tmp_path_factory.mktemp("random"), game, task_bytes)


def check_chance(folder: Path, game: es.Game, task_bytes: int) -> None:
    """The ends that memory finds, to the byte, or the exact values."""
    game = whole(game)
    oracle = Recursion(game)
    extent = in_layers(folder / "disk", game, task_bytes=task_bytes, kind="interval")
    assert sum(extent.states) == len({node[:2] for node in oracle.reachable(oracle.root())})
    if extent.scores == "ends":
        bounds_in_memory(folder / "memory", game)
        assert contents(folder / "disk") == contents(folder / "memory")
        return
    with open_tablebase(folder / "disk", game) as table:
        for node in oracle.reachable(oracle.root()):
            place = es.Position(game, node[0], node[1], (0,) * game.player_count, ())
            assert table[place].values == oracle.value_of((*node[:2], (0,) * game.player_count))


class Cards(es.games.Scorecard):
    """Cut by the categories that are filled, so that throws and rerolls stay in a layer."""

    def layer(self, state: es.games.Scorecard.State) -> int:
        return state.filled.bit_count()


def test_with_chance_each_position_is_stored_once(tmp_path: Path) -> None:
    game = Cards()
    bounds_in_memory(tmp_path / "memory", game)
    for task_bytes in (1 << 29, 60_000):
        extent = in_layers(tmp_path / str(task_bytes), game, task_bytes=task_bytes, kind="interval")
        assert sum(extent.states) == 1639
        assert len(extent.parts) == game.count + 1
        assert contents(tmp_path / str(task_bytes)) == contents(tmp_path / "memory")
    assert max(extent.parts) > 1


class Stones(es.games.ConnectFour):
    """Cut by the stones on the board in pairs, so that half of the moves stay in a layer."""

    def layer(self, state: Any) -> int:
        return (state.full.bit_count()) // 2


def test_a_game_without_loops_gives_the_files_of_layers_by_moves(tmp_path: Path) -> None:
    game = Stones(width=3, height=3, line=3)
    stored_in_memory(tmp_path / "memory", game, method="layers", engine="compiled")
    for task_bytes in (1 << 29, 30_000):
        extent = in_layers(tmp_path / str(task_bytes), game, task_bytes=task_bytes)
        assert contents(tmp_path / str(task_bytes)) == contents(tmp_path / "memory")
        assert len(extent.parts) <= 6
    assert max(extent.parts) > 1


# ---------------------------------------------------------------- accidents


@pytest.mark.parametrize("step", every(111, 37))
def test_killed_at_every_write_and_resumed(step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.small_layers_of_rules(monkeypatch, fewest=4, closed=1_000)
    place = Bet().position_from("hunter=0 hare=2 closed=1 turn=0")
    parts: list[int] = []

    def solve(folder: Path) -> None:
        parts.extend(in_layers(folder, place, task_bytes=4_000).parts)

    seen = killed_and_resumed(tmp_path, solve, range(2, 1000, step))
    assert max(parts) > 1
    kinds = {name.partition("-")[0] for name in seen}
    assert {"ahead", "reached", "beyond", "known", "keys", "children", "scores", "chosen"} <= kinds


@pytest.mark.parametrize("kind", ["keys", "scores"])
def test_a_flipped_bit_in_a_work_file_is_reported(tmp_path: Path, kind: str) -> None:
    def damage() -> None:
        work = tmp_path / "it" / "work"
        flip(max(work.rglob(f"{kind}-*"), key=lambda path: (path.stat().st_size, path.name)))

    with pytest.raises(FileError, match="is damaged"):
        in_layers(tmp_path / "it", Chase(), before_writing=damage)


def test_a_full_disk_stops_the_solve_and_the_same_command_goes_on(tmp_path: Path) -> None:
    with pytest.raises(LimitReached, match=r"more than the 500 bytes of --disk"):
        in_layers(tmp_path / "it", Chase(), disk=500)
    assert in_layers(tmp_path / "it", Chase()).outcome == "resumed"


# ---------------------------------------------------------------- what is refused


class Falling(Chase):
    """Layers the wrong way round."""

    def layer(self, state: Chase.State) -> int:
        return self.doors - state.closed


class Paid(Chase):
    """Steps cost something."""

    def reward(self, state: Chase.State, move: int) -> tuple[int, int]:
        return (-1, 1)


class Tied(Chase):
    """Both win something, and not the same together."""

    def payoff(self, state: Chase.State) -> tuple[int, int]:
        return (1, 2)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Falling(), "a move lowers the layer of a state"),
        (Paid(), "play can come back to a position, and pays on the way"),
        (Tied(), "the two players' payoffs are not opposed"),
        (es.games.Pig(target=5), "play can come back to a position"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_done_is_refused_with_the_reason(tmp_path: Path, game: es.Game, reason: str) -> None:
    with pytest.raises(QuestionError, match="cannot") as found:
        anywhere(tmp_path / "it", game, mode="disk")
    assert reason in (found.value.found or "")


def test_commands_answer_from_the_files(tmp_path: Path) -> None:
    folder = str(tmp_path / "dodgem")
    assert run("solve", "dodgem", "-o", folder, "--mode", "disk").code == 0
    assert (
        run("analyze", "dodgem", "--from", folder).out.splitlines()[:8] == run("analyze", "dodgem").out.splitlines()[:8]
    )
    assert "all verified" in run("status", folder, "--check").out
