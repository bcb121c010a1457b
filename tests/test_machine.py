"""Memory as the system's own account has it, beside psutil."""

from __future__ import annotations

import mmap
from pathlib import Path

import psutil
import pytest

from endsight.base import machine


def test_what_is_read_is_what_psutil_says() -> None:
    assert machine.all_memory() == psutil.virtual_memory().total
    assert machine.memory_in_use() == pytest.approx(psutil.Process().memory_info().rss, rel=0.2)
    assert machine.free_memory() == pytest.approx(psutil.virtual_memory().available, rel=0.2)


@pytest.mark.parametrize("content", [None, b"", b"MemTotal: \n", b"nothing of the kind"])
def test_without_such_an_account_psutil_is_asked(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = tmp_path / "account"
    if content is not None:
        account.write_bytes(content)
    monkeypatch.setattr(machine, "_OF_PROCESS", str(account))
    monkeypatch.setattr(machine, "_OF_MACHINE", str(account))
    test_what_is_read_is_what_psutil_says()


def test_growing_memory_is_seen() -> None:
    before = machine.memory_in_use()
    room = mmap.mmap(-1, 50_000_000)  # not from what this process has given back to itself
    room.write(bytes(50_000_000))
    assert machine.memory_in_use() - before > 40_000_000
    del room
