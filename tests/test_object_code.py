"""Object code is placed in memory without LLVM where its form is the usual one, and by LLVM elsewhere."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import endsight as es
from command_line import run
from kernel_runs import is_placed, loaded_anew, no_code_allowed

GAMES = ["connectfour:width=4,height=4", "dodgem:size=3", "pigturn"]
IS_USUAL = (sys.platform, platform.machine()) == ("linux", "x86_64")


@pytest.fixture
def objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[bytes]]:
    """A cache of its own, and no code in this process; the function gives the object code that is kept there."""
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    loaded_anew(monkeypatch, by_llvm=False)
    return lambda: [file.read_bytes().split(b"\n", 2)[2] for file in sorted(tmp_path.glob("*.object"))]


@pytest.mark.parametrize("game", GAMES)
def test_llvm_links_the_same_code(
    objects: Callable[[], list[bytes]], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    here = es.solve(es.load(game), engine="compiled").value()
    loaded_anew(monkeypatch, by_llvm=True)
    assert es.solve(es.load(game), engine="compiled").value() == here
    kept = objects()
    assert kept
    assert all(is_placed(code) == IS_USUAL for code in kept)


def _with_other_relocations(code: bytes) -> bytes:
    # A section of kind 4 holds entries of 24 bytes: where, the symbol with the kind, and what is added.
    changed, first = bytearray(code), int.from_bytes(code[40:48], "little")
    for header in range(first, len(code), 64):
        if code[header + 4] == 4:
            changed[int.from_bytes(code[header + 24 : header + 32], "little") + 8] = 2
    return bytes(changed)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda code: code[:18] + b"\xb7" + code[19:], id="of another processor"),
        pytest.param(lambda code: b"\xfe\xed\xfa\xcf" + code[4:], id="in another format"),
        pytest.param(_with_other_relocations, id="with other relocations"),
    ],
)
def test_other_code_is_left_to_llvm(objects: Callable[[], list[bytes]], changed: Callable[[bytes], bytes]) -> None:
    es.solve(es.load(GAMES[0]), engine="compiled")
    assert objects()
    assert not any(is_placed(changed(code)) for code in objects())


@pytest.mark.skipif(not IS_USUAL, reason="LLVM links the code of other systems")
def test_a_system_that_allows_no_new_code_plays_in_python(
    objects: Callable[[], list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_code_allowed(monkeypatch)
    document = json.loads(run("value", "tictactoe:width=4,height=3", "--json").out)
    assert document["value"]["first"]["exact"] == "1"
    assert document["method"]["engine"] == "plain"
    assert "the system allows no new machine code" in document["method"]["refused"]
    assert not objects()
