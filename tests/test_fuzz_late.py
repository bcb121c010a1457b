"""One position has one answer: asked alone, in Python, at the API, from a stored folder, in a line and in its row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from amounts import seed_rows
from command_line import ask, run
from endsight import load, solve
from fuzz_late import Tally, Whole, differences, facts_of_document, run_one
from late_games import Heaps
from web_server import serving

SPEC = f"{Path(__file__).parent}/late_games.py:Heaps"


@pytest.mark.parametrize("seeds", seed_rows(40, 4, 1))
def test_random_games_have_one_answer_at_every_position(seeds: range, tmp_path: Path) -> None:
    tally = Tally()
    for seed in seeds:
        run_one(seed, tmp_path, tally)
    assert not tally.differences
    assert min(tally.asked.values()) > 1.5 * len(seeds)
    assert tally.apart > len(seeds) / 8


PLAIN = {"objective": "competitive", "utility": "payoff", "fixed": {}}
WAYS = {
    "graph": {"method": "graph"},
    "compiled graph": {"method": "graph", "engine": "compiled"},
    "layers": {"method": "layers", "engine": "compiled"},
}


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("kind", ["coin", "prize", "loop"])
def test_play_that_has_come_to_be_won_or_lost_is_told_so_by_all(tmp_path: Path, kind: str, how: str) -> None:
    game = Heaps(kind=kind)
    whole = Whole(game, f"{SPEC}:kind={kind}", PLAIN, tmp_path / "stored", WAYS[how])
    tally = Tally()
    for text in ("", "1", "2", "1 2", "2 2", "1 2 2", "1 1 2 2"):
        assert not list(differences(whole, game.position(text), tally))
    assert whole.solution.distance() is None
    assert [whole.solution.distance(text) for text in ("1", "1 2", "1 2 2")] == [3, 2, 1]
    assert whole.solution.category("1 2 2") == "win"
    assert tally.asked["stored"] == 7


@pytest.mark.parametrize("kind", ["coin", "prize"])
def test_rows_from_the_disk_say_what_holds_at_their_positions(tmp_path: Path, kind: str) -> None:
    game, spec, folder = Heaps(kind=kind), f"{SPEC}:kind={kind}", str(tmp_path / "stored")
    assert run("solve", spec, "-o", folder, "--mode", "disk").code == 0
    rows = map(json.loads, run("export", folder, "--game", spec, "--to", "jsonl").out.splitlines())
    told = {row["position"]: (row["category"], row["distance"]) for row in rows}
    assert len(told) > 10
    for text, facts in told.items():
        alone = ask("analyze", spec, f"--position={text}")
        assert facts == (alone["category"], alone["distance"])
    assert {category for category, _ in told.values()} == {"win", "loss", "value"}
    assert solve(game).category() == "value"


@pytest.mark.parametrize("kind", ["coin", "prize", "loop"])
def test_the_server_says_of_a_late_position_what_the_command_says(kind: str) -> None:
    spec = f"{SPEC}:kind={kind}"
    with serving([spec], quick=1) as page:
        for text in ("", "1", "1 2", "2 2", "1 1 2 2"):
            told = page.client.get("/api/v1/games/1/position", params={"at": text}).json()
            assert facts_of_document(told) == facts_of_document(ask("analyze", spec, f"--at={text}"))
        line = page.client.get("/api/v1/games/1/line", params={"at": "1"}).json()
        assert line["moves"] == ask("line", spec, "--at=1")["moves"]


def test_play_that_can_come_back_is_not_looked_at_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of the 15-puzzle explored 100,000 positions after every move."""
    game = load(f"{Path(__file__).parent.parent}/benchmarks/rules/fifteen.py:Fifteen:rows=3,columns=3")
    solution = solve(game, method="search", engine="compiled")
    kind, played = type(game), []
    play = kind.play
    monkeypatch.setattr(kind, "play", lambda self, state, move: played.append(move) or play(self, state, move))
    solution.require_same = lambda **_: None
    assert len(solution.line()) == 12
    assert len(played) < 20_000
