"""Games with chance in parts on the disk: the ends of memory, to the byte, and the exact values inside."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import endsight as es
import strategies
import thresholds
from amounts import examples
from command_line import run
from endsight import open_tablebase
from endsight.errors import FileError, QuestionError
from layer_runs import Layers, anywhere, bounds_in_memory, in_layers
from layered_games import Climb, Loaded, Weighted
from naive import Recursion
from ranges import as_range
from stored_folders import contents, flip, killed_and_resumed
from test_compiler_engine import whole

BAG = es.games.RpsBag(dice=((100, 0, 200), (0, 300, 0), (1, 2, 3)))
CARDS = es.games.Scorecard()


def in_memory(folder: Path, game: es.Game) -> dict[str, str]:
    """What a solve of the whole graph in memory leaves."""
    bounds_in_memory(folder, game)
    return contents(folder)


def in_parts(folder: Path, game: es.Game, **more: Any) -> Layers:
    """Solve on the disk, between bounds."""
    return in_layers(folder, game, kind="interval", **more)


# ---------------------------------------------------------------- the same bytes


@pytest.mark.parametrize("game", [CARDS, BAG, es.games.PigTurn(), Climb(), Loaded(), Weighted()], ids=repr)
def test_one_part_as_in_memory(tmp_path: Path, game: es.Game) -> None:
    extent = in_parts(tmp_path / "disk", game)
    assert extent.scores == "ends"
    assert contents(tmp_path / "disk") == in_memory(tmp_path / "memory", game)


@pytest.mark.parametrize(("task_bytes", "parts", "workers"), [(1_100_000, 3, 1), (550_000, 8, 3)])
def test_many_parts_as_in_memory(tmp_path: Path, task_bytes: int, parts: int, workers: int) -> None:
    extent = in_parts(tmp_path / "disk", CARDS, task_bytes=task_bytes, workers=workers)
    assert max(extent.parts) == parts
    assert contents(tmp_path / "disk") == in_memory(tmp_path / "memory", CARDS)


def test_on_a_cluster_as_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    thresholds.small_tasks_of_a_cluster(monkeypatch, 100)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        extent = in_parts(tmp_path / "cluster", CARDS, client=client)
    assert max(extent.parts) == 2
    assert contents(tmp_path / "cluster") == in_memory(tmp_path / "memory", CARDS)


# ---------------------------------------------------------------- the right numbers


RANDOM = strategies.chance_acyclic(seats=1, zero_sum=True) | strategies.chance_acyclic(seats=2, zero_sum=True)


def check_random(folder: Path, game: es.Game) -> None:
    """Ends around the exact values, and those of memory."""
    game = whole(game)
    oracle = Recursion(game)
    extent = in_parts(folder / "disk", game)
    with open_tablebase(folder / "disk", game) as table:
        for node in oracle.reachable(oracle.root()):
            place = es.Position(game, node[0], node[1], (0,) * game.player_count, ())
            exact = oracle.value_of((*node[:2], (0,) * game.player_count))
            for own, stored in zip(exact, table[place].values, strict=True):
                assert own in as_range(stored)
                assert as_range(stored).width < Fraction(1, 1 << 40)
    if extent.scores == "ends":
        assert contents(folder / "disk") == in_memory(folder / "memory", game)


@examples(150, 3, game=RANDOM)
def test_random_games_hold_the_exact_values(tmp_path_factory: pytest.TempPathFactory, game: es.Game) -> None:
    check_random(tmp_path_factory.mktemp("random"), game)


def test_sums_that_pass_the_scale_get_a_coarser_one(tmp_path: Path) -> None:
    game = Climb()
    extent = in_parts(tmp_path / "disk", game)
    assert 0 < extent.bits < in_parts(tmp_path / "one", Climb(steps=1)).bits
    with open_tablebase(tmp_path / "disk", game) as table:
        assert as_range(table.value()["player"]).middle == 40 * 1007


@pytest.mark.parametrize("last", [5, 6])
def test_weights_without_chance_leave_exact_numbers(tmp_path: Path, last: int) -> None:
    """Ends are chance's there, though nothing is left to chance."""
    game = Weighted(last=last, dice=0)
    assert in_parts(tmp_path / "disk", game).scores in ("wins", "numbers")
    oracle = Recursion(game)
    layers = es.solve(game, method="layers", engine="compiled")
    with open_tablebase(tmp_path / "disk", game) as table:
        for node in oracle.reachable(oracle.root()):
            place = es.Position(game, node[0], node[1], (0, 0), ())
            assert table[place].values == oracle.value_of(node) == layers.values(place)


# ---------------------------------------------------------------- accidents


@pytest.mark.parametrize("game", [Loaded(), Weighted(last=3)], ids=repr)
def test_killed_at_every_write_and_resumed(tmp_path: Path, game: es.Game) -> None:
    killed_and_resumed(tmp_path, lambda folder: in_parts(folder, game), range(2, 1000, 7))


def test_a_flipped_bit_in_a_file_of_ends_is_reported(tmp_path: Path) -> None:
    def damage() -> None:
        work = tmp_path / "it" / "work"
        flip(max(work.rglob("scores-*"), key=lambda path: (path.stat().st_size, path.name)))

    with pytest.raises(FileError, match="is damaged"):
        in_layers(tmp_path / "it", CARDS, before_writing=damage)


# ---------------------------------------------------------------- what people ask for


def test_what_cannot_be_done_is_refused_with_the_reason(tmp_path: Path) -> None:
    for number, (game, kind, reason) in enumerate(
        [
            (es.games.HiddenPots(count=3, max=3), "auto", "not opposed"),
            (es.games.Pig(target=5), "auto", "come back to a position"),
            (CARDS, "exact", "exact values with chance are found in memory only"),
            (es.games.PigTurn(), "exact", "exact values with chance are found in memory only"),
        ]
    ):
        with pytest.raises(QuestionError, match="cannot") as found:
            anywhere(tmp_path / str(number), game, mode="disk", kind=kind)
        assert reason in (found.value.found or "")


def test_commands_answer_from_the_files(tmp_path: Path) -> None:
    folder = str(tmp_path / "cards")
    assert run("solve", "scorecard", "-o", folder, "--mode", "disk", "--interval").code == 0
    document = json.loads(run("status", folder, "--check", "--json").out)
    assert (document["status"], document["states"]) == ("complete", 1639)
    told = json.loads(run("analyze", "scorecard", "--from", folder, "--json").out)
    exact = json.loads(run("analyze", "scorecard", "--json").out)
    assert [move["move"] for move in told["moves"]] == [move["move"] for move in exact["moves"]]
    for one, other in zip(told["moves"], exact["moves"], strict=True):
        ends = (
            [Fraction((one["value"] or one[end])["player"]["exact"]) for end in ("lower", "upper")]
            if one["value"] is None
            else None
        )
        value = Fraction(other["value"]["player"]["exact"])
        assert ends is None or ends[0] <= value <= ends[1]
    assert run("export", folder, "--to", "csv", "-o", str(tmp_path / "cards.csv")).code == 0
    assert len((tmp_path / "cards.csv").read_text().splitlines()) == 1640
