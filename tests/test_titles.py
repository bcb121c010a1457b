"""Long parameters: documents and titles have their count and hash, so that two games never read the same."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import endsight as es
from command_line import ask, run
from endsight.charts.naming import game_name
from test_schemas import schema
from web_server import serving

ROWS = """
from fractions import Fraction
from typing import NamedTuple
from endsight import Game

class Rows(Game):
    shares: tuple[Fraction, ...] = (Fraction(1, 2),) * 1001
    label: str = ""
    marks: tuple[int | None, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(1)
    def start(self): return self.State(1)
    def moves(self, state): return range(state.left)
    def play(self, state, move): return self.State(0)
    def payoff(self, state): return 1
"""


def pots(count: int, last: int) -> str:
    """A line of pots as a name; only the middle one may differ."""
    return "pots:" + "-".join(["7"] * (count // 2) + [str(last)] + ["7"] * (count - count // 2 - 1))


def hash_of(value: Any) -> str:
    return sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.parametrize("count", [1_000, 1_001])
def test_documents_hold_lists_up_to_a_thousand(count: int) -> None:
    values = [7] * (count // 2) + [8] + [7] * (count - count // 2 - 1)
    document = ask("value", pots(count, 8))
    expected = {"count": count, "sha256": hash_of(values)} if count > 1_000 else values
    assert document["params"] == {"pots": expected}
    assert not list(Draft202012Validator(schema("position")).iter_errors(document))


def test_the_schema_refuses_longer_lists() -> None:
    document = ask("value", pots(1_000, 8))
    document["params"]["pots"].append(7)
    assert list(Draft202012Validator(schema("position")).iter_errors(document))
    document["params"]["pots"] = {"count": 1_000, "sha256": "0" * 64}
    assert list(Draft202012Validator(schema("position")).iter_errors(document))


def test_long_lists_of_fractions_and_rows(tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(ROWS, encoding="utf-8")
    name = f"{tmp_path / 'rows.py'}:Rows"
    half = {"exact": "1/2", "approx": 0.5}
    found = {"count": 1001, "sha256": hash_of([half] * 1001)}
    for command in ("value", "fair", "estimate", "line"):
        assert ask(command, name)["params"]["shares"] == found
    (row, *_) = ask("games", name)["params"]
    assert row["default"] == found
    assert f"(1,001 items, SHA-256 {found['sha256']})" in " ".join(run("games", name).out.split())
    rows = "/".join(["1-1"] * 1_200)
    assert ask("value", f"{name}:rows={rows}")["params"]["rows"] == {"count": 1200, "sha256": hash_of([[1, 1]] * 1200)}


@pytest.mark.parametrize("command", ["analyze", "estimate", "dist", "fair", "line", "simulate"])
def test_headings_tell_two_games_apart(command: str) -> None:
    """Two lines of pots that differ in the middle, where a shortened name has nothing."""
    headings = []
    fewer = ["--games", "10"] if command == "simulate" else []
    for last in (8, 9):
        out = " ".join(run(command, pots(120, last), *fewer).out.split())
        values = [7] * 60 + [last] + [7] * 59
        assert f"pots:(120 items, SHA-256 {hash_of(values)})" in out
        headings.append(out.partition(")")[0])
    assert len(set(headings)) == 2


def test_games_from_files_tell_what_is_in_them(tmp_path: Path) -> None:
    file = tmp_path / "pots.txt"
    headings = []
    for last in (8, 9):
        file.write_text(pots(120, last).partition(":")[2].replace("-", " "), encoding="utf-8")
        headings.append(" ".join(run("analyze", f"pots:@{file}").out.split()).partition(")")[0])
    assert len(set(headings)) == 2
    assert f"pots:@{file} (120 items, SHA-256 ".replace(" ", "") in headings[0].replace(" ", "")  # lines break anywhere
    file.write_text("4 9 2 7", encoding="utf-8")
    assert "(4-9-2-7)" in run("analyze", f"pots:@{file}").out.replace("\n", " ")


def test_titles_of_charts_and_tables() -> None:
    titles = {game_name(es.games.Pots(pots=(7,) * 60 + (last,) + (7,) * 59)) for last in (8, 9)}
    assert len(titles) == 2
    assert all("120 items, SHA-256 " in title for title in titles)
    assert game_name(es.games.Nim(heaps=(1, 2), misere=True)) == "nim:1-2,misere=yes"


def test_status_tells_two_solutions_apart(tmp_path: Path) -> None:
    games = {}
    for last in (1, 2):
        heaps = "-".join(["0"] * 600 + [str(last)] + ["0"] * 600)
        folder = tmp_path / str(last)
        assert run("solve", f"nim:heaps={heaps}", "-o", str(folder)).code == 0
        games[last] = " ".join(run("status", str(folder)).out.split()).partition("question")[0].partition("game")[2]
        assert "1,201 items, SHA-256" in games[last]
    assert games[1] != games[2]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("nim:heaps=3-4-5", "nim:heaps=3-4-5"),
        (f"nim:heaps={'0-' * 60}1,misere=yes", f"nim:heaps=(61 items, SHA-256 {hash_of([0] * 60 + [1])}),misere=yes"),
        (f"rows.py:Rows:marks={'x-' * 60}1", f"rows.py:Rows:marks=(61 items, SHA-256 {hash_of([None] * 60 + [1])})"),
        (f"rpsbag:{'0-1-0/' * 20}0-1-0", f"rpsbag:(21 items, SHA-256 {hash_of([[0, 1, 0]] * 21)})"),
        (f"rows.py:Rows:label={'y' * 70}", f"rows.py:Rows:label=(70 characters, SHA-256 {hash_of('y' * 70)})"),
        (f"{'./' * 40}rows.py:Rows:label=b", f"{'./' * 40}rows.py:Rows:label=b"),
        (f"pots:@{'./' * 40}pots.txt", f"pots:@{'./' * 40}pots.txt"),
    ],
)
def test_names_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, title: str) -> None:
    monkeypatch.setenv("COLUMNS", "999")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.py").write_text(ROWS, encoding="utf-8")
    (tmp_path / "pots.txt").write_text("4 9", encoding="utf-8")
    assert " ".join(run("fair", name).out.split()).startswith(title)


def test_values() -> None:
    for value, text in (
        ({"heaps": (3, 4)}, "3-4"),
        ({"heaps": (10**50,)}, f"(1 item, SHA-256 {hash_of([10**50])})"),
    ):
        assert game_name(es.games.Nim(**value)) == f"nim:{text}"
    assert game_name(es.games.RpsBag(dice=((3, 0, 1), (4, 5, 0)))) == "rpsbag:3-0-1/4-5-0"
    assert game_name(es.games.Pig(target=10**3)) == "pig:target=1000"


def test_pages_tell_two_games_apart() -> None:
    with serving(quick=1) as served:
        for path in ("", "/rules", "/review"):
            pages = [served.get(f"/games/{pots(60, last)}{path}").text for last in (8, 9)]
            titles = {page.partition("<title>")[2].partition("</title>")[0] for page in pages}
            heads = {page.partition('<h1 title="')[2].partition('"')[0] for page in pages}
            assert len(titles) == len(heads) == 2, path
            shown = [re.sub("<wbr>| (?= )", "", text) for text in (*titles, *heads)]
            assert all("60 items, SHA-256 " in text for text in shown), shown
