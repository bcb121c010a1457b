"""Object code is placed in memory without LLVM, where its form is the usual one, and by LLVM elsewhere."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from endsight.compiler import native
from endsight.compiler.object_code import placed

GAMES = ["connectfour:width=4,height=4", "dodgem:size=3", "pigturn"]
is_usual = pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="the code of other systems is linked by LLVM"
)


@pytest.fixture
def objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[bytes]]:
    """A cache of its own, and no code in this process; the function gives the object code that is kept there."""
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(native, "_loaded", {})
    return lambda: [file.read_bytes().split(b"\n", 2)[2] for file in sorted(tmp_path.glob("*.object"))]


@pytest.mark.parametrize("game", GAMES)
def test_llvm_links_the_same_code(
    objects: Callable[[], list[bytes]], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    ways: list[Any] = []
    monkeypatch.setattr(native, "placed", lambda *code: ways.append(placed(*code)) or ways[-1])
    here = es.solve(es.load(game), engine="compiled").value()
    monkeypatch.setattr(native, "placed", lambda *_: None)
    monkeypatch.setattr(native, "_loaded", {})
    assert es.solve(es.load(game), engine="compiled").value() == here
    assert objects()
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        assert ways
        assert None not in ways


@is_usual
@pytest.mark.parametrize(
    ("what", "change"),
    [
        pytest.param("the processor", lambda code: code[:18] + b"\xb7" + code[19:], id="another processor"),
        pytest.param("the format", lambda code: b"\xfe\xed\xfa\xcf" + code[4:], id="another format"),
        pytest.param("a relocation", lambda code: _with_relocation(code, 2), id="another kind of relocation"),
    ],
)
def test_other_code_is_left_to_llvm(
    objects: Callable[[], list[bytes]], what: str, change: Callable[[bytes], bytes]
) -> None:
    es.solve(es.load(GAMES[0]), engine="compiled")
    for code in objects():
        assert placed(code, native.units.ENTRY) is not None
        assert placed(change(code), native.units.ENTRY) is None, what


def _with_relocation(code: bytes, kind: int) -> bytes:
    # An entry of the table is where, the symbol and the kind, and what is added.
    changed = bytearray(code)
    start = int.from_bytes(code[40:48], "little")
    for header in range(start, len(code), 64):
        if int.from_bytes(code[header + 4 : header + 8], "little") == 4:
            changed[int.from_bytes(code[header + 24 : header + 32], "little") + 8] = kind
    return bytes(changed)


@is_usual
def test_a_system_that_allows_no_new_code_plays_in_python(
    objects: Callable[[], list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> Any:
        raise OSError(13, "the system allows no new machine code")

    monkeypatch.setattr("endsight.compiler.object_code._make_executable", refused)
    solution = es.solve(es.load("tictactoe:width=4,height=3"))
    assert solution.value()["first"] == 1
    assert solution.engine == "plain"
    assert not objects()
