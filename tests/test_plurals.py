"""Counts with their nouns: `1 state`, `2 states`, by one helper wherever a message counts something."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import endsight as es
from command_line import run

SOURCE = Path(es.__file__).parent
PLURAL = re.compile(
    r" (?:more |such |other )?(?:states|moves|positions|rows|bytes|files|values|lines|digits|signs|characters"
    r"|games|players|plies|parts|tasks|layers|choices|faults|items|levels|parameters|entries|edges|nodes|payoffs|outcomes|numbers|turns|ends"
    r"|processes|workers|headers|pairs|rules|kinds|moments|settings|threads|tiles)\b"
)
APART = ("verifier", "games", "solver.py")
"""The verifier shares nothing with the package, games import the base class alone, and the solver's count is huge."""
SHOWN = ("self.values", "_power_of_ten(rewards)", "_power_of_ten(digits * 9)")
"""They show themselves as `2 of 3`, or are powers of ten."""


def counted_by_hand(text: str) -> list[str]:
    """What stands in front of a plural in an f-string, unless it is a constant or a measured number."""
    found = []
    for node in ast.walk(ast.parse(text)):
        for value, after in zip(node.values, node.values[1:], strict=False) if isinstance(node, ast.JoinedStr) else ():
            if not (isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant)):
                continue
            shown, form = ast.unparse(value.value), ast.unparse(value.format_spec) if value.format_spec else ""
            if PLURAL.match(str(after.value)) and not (
                shown.rpartition(".")[2].strip("_").isupper() or shown in SHOWN or re.search(r"\.\df", form)
            ):
                found.append(f"line {node.lineno}: {{{shown}}}{after.value[:20]}")
    return found


@pytest.mark.parametrize("room", sorted({path.relative_to(SOURCE).parts[0] for path in SOURCE.rglob("*.py")}))
def test_counts_agree_with_their_nouns(room: str) -> None:
    if room in APART:
        return
    files = sorted((SOURCE / room).rglob("*.py")) if (SOURCE / room).is_dir() else [SOURCE / room]
    found = {path.name: counted_by_hand(path.read_text("utf-8")) for path in files if path.name not in APART}
    assert not any(found.values()), found


def test_the_scan_sees_them() -> None:
    assert counted_by_hand('f"{count:,} states met"') == ["line 1: {count} states met"]
    assert counted_by_hand('f"up to {MOST:,} states, {size:.0f} bytes a state, {name} has"') == []


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("estimate", "nim:heaps=1"), "1 ply"),
        (("estimate", "tictactoe"), "9 plies"),
        (("analyze", "tictactoe", "--symmetry", "off", "--method", "graph"), "5,478 states"),
        (("check", "nim:heaps=1"), "all 2 states"),
    ],
)
def test_one_and_many(words: tuple[str, ...], text: str) -> None:
    assert re.search(rf"\b{text}\b", run(*words).out)


def test_a_game_of_one_position() -> None:
    answer = run("value", "pots:4-9-2-7", "--method", "graph", "--states", "1")
    assert "more than 1 state" in answer.err.splitlines()[0], answer.err
    assert "1 states" not in answer.err
