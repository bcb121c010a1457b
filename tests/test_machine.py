"""Memory as the system's own account has it, beside psutil."""

from __future__ import annotations

import builtins
import mmap
import sys
from collections.abc import Callable
from io import BytesIO
from typing import Any

import psutil
import pytest

import endsight as es
from command_line import ask


def is_within(size: float) -> bool:
    """Whether a small game is solved with that limit of memory."""
    try:
        es.solve("nim:heaps=1-2", method="graph", engine="plain", limits=es.Limits(memory=int(size)))
    except es.LimitReached as stop:
        return stop.limit != "memory"
    return True


def without_account(content: bytes | None) -> Callable[..., Any]:
    """`open` on a system whose account of memory is that text, or is not there; psutil reads the right one."""
    as_it_was = open

    def opened(path: Any, *arguments: Any, **options: Any) -> Any:
        asker = sys._getframe(1).f_globals["__name__"].partition(".")[0]
        if asker == "psutil" or path not in ("/proc/self/statm", "/proc/meminfo"):
            return as_it_was(path, *arguments, **options)
        if content is None:
            raise FileNotFoundError(path)
        return BytesIO(content)

    return opened


@pytest.mark.parametrize("content", ["as it is", None, b"", b"MemTotal: \n", b"nothing of the kind"])
def test_what_is_read_is_what_psutil_says(content: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if content != "as it is":
        monkeypatch.setattr(builtins, "open", without_account(content))
    told, used = ask("doctor")["memory"], psutil.Process().memory_info().rss
    assert told["total"] == psutil.virtual_memory().total
    assert told["free"] == pytest.approx(psutil.virtual_memory().available, rel=0.2)
    assert (is_within(0.8 * used), is_within(1.2 * used)) == (False, True)


@pytest.mark.parametrize("content", [None, "as it is"])
def test_memory_counts_once_it_is_used(content: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    if content != "as it is":
        monkeypatch.setattr(builtins, "open", without_account(content))
    before = psutil.Process().memory_info().rss
    room = mmap.mmap(-1, 500_000_000)  # not from what this process has given back to itself
    assert is_within(before + 40_000_000)
    room.write(bytes(50_000_000))
    assert not is_within(before + 40_000_000)
    del room
