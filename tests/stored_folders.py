"""Folders of stored solutions as files: compared, damaged, sealed again, locked, and left by killed solves."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

__all__ = ["Killed", "contents", "flip", "forge", "killed_and_resumed", "killed_at", "locked", "seal", "unsealed"]


def contents(folder: Path) -> dict[str, str]:
    """Name and checksum of every file but the lock and the record of the audit, which depends on time."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("LOCK", "AUDIT.json")
    }


def flip(path: Path) -> None:
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


# ---------------------------------------------------------------- documents with a checksum of their own


def unsealed(path: Path) -> dict[str, Any]:
    """The document at `path` without its checksum, which fits."""
    document: dict[str, Any] = json.loads(path.read_bytes())
    assert document.pop("checksum") == _checksum(document)
    return document


def seal(path: Path, document: dict[str, Any]) -> None:
    """Write the document with its checksum."""
    path.write_text(json.dumps(document | {"checksum": _checksum(document)}), encoding="utf-8")


def _checksum(document: dict[str, Any]) -> str:
    return sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def forge(patch: pytest.MonkeyPatch, column: str, row: int, value: Any) -> None:
    """Solutions are stored with that value in a column of a row, and with all checksums of that."""
    write = pq.ParquetWriter.write_table

    def forged(writer: pq.ParquetWriter, table: pa.Table, **options: Any) -> None:
        place, own = table.schema.get_field_index(column), table.column(column)
        values = [*own.to_pylist()[:row], value, *own.to_pylist()[row + 1 :]]
        write(writer, table.set_column(place, table.schema.field(place), pa.array(values, own.type)), **options)

    patch.setattr(pq.ParquetWriter, "write_table", forged)


# ---------------------------------------------------------------- solves that are killed


class Killed(BaseException):
    """Nothing in the package catches this."""


@contextmanager
def killed_at(number: int = 1, named: str = "", *, before: bool = False) -> Iterator[list[Path]]:
    """Kill what is done within when the file of that number gets its name, or just before; lists all such files.

    Files count whose paths hold `named`.
    """
    files: list[Path] = []
    replace = os.replace

    def counted(source: Any, target: Any) -> None:
        counts = named in str(target)
        files.extend([Path(target)] * counts)
        kills = counts and len(files) == number
        if kills and before:
            raise Killed
        replace(source, target)
        if kills:
            raise Killed

    with suppress(Killed), pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", counted)
        yield files


def killed_and_resumed(root: Path, solve: Callable[[Path], object], numbers: Iterable[int]) -> set[str]:
    """Kill a solve at the writes of these numbers, resume it each time, and compare the folders; all files' names."""
    solve(root / "whole")
    whole = contents(root / "whole")
    names: set[str] = set()
    for turn, number in enumerate(numbers):
        folder = root / str(number)
        with killed_at(number, before=turn % 2 == 0) as files:
            solve(folder)
        names |= {path.name for path in files}
        solve(folder)
        assert contents(folder) == whole
        if len(files) < number:
            return names
    raise AssertionError("the solve has more writes than were tried")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, as another process would."""
    fcntl = pytest.importorskip("fcntl")
    with (folder / "LOCK").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
