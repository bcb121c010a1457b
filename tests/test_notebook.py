"""What notebooks show, and the tables that leave for CSV, pandas and Polars."""

from __future__ import annotations

import csv
import subprocess
import sys
from base64 import b64decode
from fractions import Fraction
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

import endsight as es
from endsight import Game, Interval, Records, games

MOST_ROWS, MOST_BYTES = 50, 200_000
ALLOWED = {"div", "p", "strong", "pre", "table", "caption", "thead", "tbody", "tr", "th", "td"}
HOSTILE = [
    "<script>alert(1)</script>",
    "</td></table><img src=x onerror=y>",
    "\"'&",
    "\x00\x1b[2J\ud800",
    "a|b`*_",
    "\n\n",
]


class Reader(HTMLParser):
    """Reads a page, and fails on anything that is not plain structure."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.rows = 0

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        if tag == "img":
            given = dict(attributes)
            assert set(given) == {"src", "alt"}
            kind, _, code = given["src"].partition(",")
            assert kind == "data:image/svg+xml;base64"
            ElementTree.fromstring(b64decode(code, validate=True))
            self.text += given["alt"]
            return
        assert tag in ALLOWED, tag
        assert [name for name, _ in attributes] in ([], ["scope"])
        self.open.append(tag)
        self.rows += tag == "td" and self.open[-2] == "tr"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    assert len(html.encode()) <= MOST_BYTES
    assert html.count("<tr>") <= MOST_ROWS + 1
    return reader


class Hostile(Game):
    """<b>bold</b> rules with hostile texts."""

    name = "<i>hostile"
    text: str = "<script>alert(1)</script>"

    class State(NamedTuple):
        left: int

    def limits(self) -> Any:
        return self.State(1)

    def start(self) -> Any:
        return self.State(1)

    def moves(self, state: Any) -> Any:
        yield from range(state.left * len(HOSTILE))

    def play(self, state: Any, move: int) -> Any:
        return self.State(0)

    def payoff(self, state: Any) -> int:
        return -1

    def show_move(self, state: Any, move: int) -> str:
        return HOSTILE[move]

    def show(self, state: Any) -> str:
        return "".join(HOSTILE)


def shown() -> dict[str, Any]:
    pots = games.Pots([4, 9, 2, 7])
    turn = es.solve(games.PigTurn())
    hostile = es.solve(Hostile())
    return {
        "game": pots,
        "game without parameters": games.Chomp(),
        "position": pots.position("L R"),
        "end": pots.position("L L L L"),
        "solution": es.solve(games.TicTacToe()),
        "theorem": es.solve(pots),
        "huge": es.solve(games.Pots([1] * 5000)),
        "distribution": turn.distribution(),
        "long distribution": es.solve(games.RepeatBust()).distribution(),
        "moves": turn.move_table(turn.game.position("roll 4")),
        "policy": turn.policy,
        "certificate": es.prove(es.solve(games.TicTacToe())),
        "table": turn.source.table.rows,  # type: ignore[attr-defined]
        "enclosed table": es.Table([(Interval(Fraction(1, 3), Fraction(1, 2)), 0)], [None], [-1], "hand"),
        "empty table": es.Table([], None, [], "hand"),
        "review": es.review(turn, "roll 4 roll 6 hold"),
        "hostile certificate": es.prove(hostile),
        "hostile game": hostile.game,
        "hostile position": hostile.position,
        "hostile solution": hostile,
        "hostile moves": hostile.move_table(),
        "hostile records": Records(HOSTILE[0], [(text, "text") for text in HOSTILE], [HOSTILE] * 100),
    }


SHOWN = shown()


@pytest.mark.parametrize("name", SHOWN)
def test_html_is_plain_escaped_and_short(name: str) -> None:
    reader = read(SHOWN[name]._repr_html_())
    assert reader.text.strip()
    if "hostile" in name and name != "hostile game":
        assert "<script>alert(1)</script>" in reader.text


@pytest.mark.parametrize("name", SHOWN)
def test_reprs_are_one_line(name: str) -> None:
    text = repr(SHOWN[name])
    assert "\n" not in text.replace("\\n", "") or "hostile" in name
    assert len(text) < 300 or name == "huge"
    if hasattr(SHOWN[name], "_repr_markdown_"):
        assert "<script>" not in SHOWN[name]._repr_markdown_()


def test_no_page_is_longer_than_allowed() -> None:
    columns = [(f"column {number}", "text") for number in range(300)]
    wide = Records("wide", columns, [["x" * 10_000] * 300] * 10_000)  # type: ignore[arg-type]
    assert "more" in read(wide._repr_html_()).text
    long = Records("long", [("a", "text")], [["b"]] * 10_000)
    assert len(long._repr_markdown_().splitlines()) <= MOST_ROWS + 4


def test_showing_solves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is shown, nothing new is explored and no theorem is asked."""
    games_solved = [es.solve(games.TicTacToe()), es.solve(games.Dominoes(n=6)), es.solve(games.RepeatBust())]
    states = [solution.states for solution in games_solved]

    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError("something was solved to be shown")

    for solution in games_solved:
        monkeypatch.setattr(solution, "again", refuse)
        monkeypatch.setattr(solution, "searched", refuse)
        if solution.theorem is not None:
            monkeypatch.setattr(type(solution.source), "value", refuse)
    for solution in games_solved:
        left = iter(range(3 + 3 * len([*solution.position.moves()])))  # the moves at hand, for three ways to show it
        play = type(solution.game).play

        def counted(game: Any, state: Any, move: Any, left: Any = left, play: Any = play) -> Any:
            return refuse() if next(left, None) is None else play(game, state, move)

        monkeypatch.setattr(type(solution.game), "play", counted)
        read(solution._repr_html_())
        read(solution.policy._repr_html_())
        repr(solution)
    assert [solution.states for solution in games_solved] == states


def test_certificates_show_their_claim() -> None:
    text = read(SHOWN["certificate"]._repr_html_()).text
    assert "TicTacToe(width=3, height=3, line=3) at the start: first secures 0, second secures 0" in text
    assert "bytes of JSON, to be checked with endsight.verify" in text
    assert repr(SHOWN["certificate"]).startswith("<Certificate of TicTacToe(")


def test_tables_show_values_distances_and_choices() -> None:
    table = es.Table([(1, -1), (Fraction(1, 3), Fraction(-1, 3)), (0, 0)], [2, None, None], [4, -1, 0], "hand")
    text = table._repr_html_()
    assert "<td>0</td><td>1</td><td>-1</td><td>2</td><td>4</td>" in text
    assert "<td>1</td><td>1/3 ≈ 0.333333</td><td>-1/3 ≈ -0.333333</td><td></td><td></td>" in text
    assert "distance" not in SHOWN["empty table"]._repr_html_()


def test_solutions_show_their_moves() -> None:
    text = read(SHOWN["solution"]._repr_html_()).text
    assert "worth first 0, second 0" in text
    assert all(move in text for move in ("a1", "b2", "c3"))


# ---------------------------------------------------------------------- tables


TABLES = {name: item for name, item in SHOWN.items() if hasattr(item, "to_arrow") and "hostile" not in name}


@pytest.mark.parametrize("name", TABLES)
def test_csv_holds_every_exact_number(name: str) -> None:
    table = TABLES[name]
    rows = list(csv.DictReader(StringIO(table.to_csv())))
    dicts = table.to_dicts()
    assert len(rows) == len(dicts) == len(table.records())
    for row, entry in zip(rows, dicts, strict=True):
        for key, value in entry.items():
            if isinstance(value, int | Fraction) and not isinstance(value, bool):
                assert Fraction(row[key]) == value


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_hold_every_exact_number(name: str, kind: str) -> None:
    pytest.importorskip(kind)
    table = TABLES[name]
    frame = table.to_pandas() if kind == "pandas" else table.to_polars()
    columns = {key: list(frame[key]) for key in frame.columns}
    for number, entry in enumerate(table.to_dicts()):
        for key, value in entry.items():
            if isinstance(value, int | Fraction) and f"{key}_numerator" in columns:
                assert Fraction(columns[key][number]) == value
                parts = [columns[f"{key}_{part}"][number] for part in ("numerator", "denominator")]
                if max(abs(value.numerator), value.denominator) < 2**63:
                    assert Fraction(*map(int, parts)) == value
                else:
                    assert all(str(part) in ("None", "nan", "<NA>") for part in parts)
                assert columns[f"{key}_approx"][number] == value.numerator / value.denominator


def test_numbers_that_do_not_fit_are_text_alone() -> None:
    table = Records("t", [("x", "number")], [[2**63 - 1], [2**63], [Fraction(1, 2**64)], [None], [-(2**63) + 1]])
    arrow = table.to_arrow()
    assert arrow["x_numerator"].to_pylist() == [2**63 - 1, None, None, None, -(2**63) + 1]
    assert arrow["x_denominator"].to_pylist() == [1, None, None, None, 1]
    assert arrow["x"].to_pylist()[2] == f"1/{2**64}"


def test_enclosed_numbers_have_their_ends() -> None:
    arrow = Records("t", [("x", "number")], [[Interval(Fraction(1, 3), Fraction(1, 2))], [5]]).to_arrow()
    assert arrow["x"].to_pylist() == [None, "5"]
    assert (arrow["x_lower"].to_pylist(), arrow["x_upper"].to_pylist()) == (["1/3", None], ["1/2", None])


def test_arrow_takes_them_without_a_copy_in_between() -> None:
    import pyarrow

    table = pyarrow.table(TABLES["review"])
    assert table["player"].to_pylist()[:2] == ["player", "chance"]
    assert table["best"].to_pylist()[:2] == [["roll"], None]
    assert pyarrow.table(Records("none", [("x", "number"), ("y", "flag")], [])).num_rows == 0


def test_files(tmp_path: Path) -> None:
    solution = es.solve(games.Nim(heaps=(1, 2)))
    path = tmp_path / "policy.csv"
    solution.policy.to_csv(path)
    rows = list(csv.DictReader(StringIO(path.read_text(encoding="utf-8"))))
    assert rows == [dict(row) for row in solution.policy.rows()]
    with pytest.raises(es.FileError, match="cannot be written"):
        solution.policy.to_csv(tmp_path / "nowhere" / "policy.csv")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_missing_libraries_are_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(es.UsageError, match=library) as error:
        getattr(TABLES["review"], f"to_{library}")()
    assert error.value.advice == "pip install 'endsight[arrow]'"


def test_showing_loads_nothing_heavy() -> None:
    script = (
        "import sys, endsight as es\n"
        "es.solve(es.games.Nim(heaps=(1, 2)))._repr_html_()\n"
        "assert not {'pyarrow', 'pandas', 'polars', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
