"""All rows of a solution in order of their keys, and each part of them as a Parquet file of small, checked row groups.

Row groups of 8 192 rows (65 536 in dense tables), zstd, keys as DELTA_BINARY_PACKED. The footer's key `endsight` holds,
as JSON, the offset, CRC-32 and first key of every row group; the manifest holds the footer's size and CRC-32. So a
reader verifies the footer by the manifest, and every block that it reads by the footer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from endsight.base.atomic import AtomicFile, OutputFile, make_folder
from endsight.errors import RulesError
from endsight.storage.keys import Key
from endsight.storage.layout import Layout
from endsight.storage.manifest import Part

Column: TypeAlias = "npt.NDArray[Any] | pa.Array"

_DENSITY = 10
"""The most rows of a dense table for each state."""


@dataclass(frozen=True)
class PartRows:
    """Columns by name, of equal length, in order of the keys."""

    layout: Layout
    columns: Mapping[str, Column]
    states: int

    def __len__(self) -> int:
        """The number of rows; in a dense table more than states."""
        return len(next(iter(self.columns.values())))

    def table(self, first: int, stop: int) -> pa.Table:
        """Some of the rows as an Arrow table."""
        return pa.table({name: _arrow(self.columns[name][first:stop]) for name in self.layout.columns})

    def key(self, row: int) -> Key:
        """The key of one row."""
        if self.layout.keys == "dense":
            return row
        words = [self.columns[name][row] for name in self.layout.key_columns]
        if self.layout.keys == "text":
            return str(words[0].as_py())
        return int(words[0]) if len(words) == 1 else int(words[0]) << 64 | int(words[1])

    def ranges(self, most: int) -> Iterator[tuple[int, int]]:
        """Start and end row of each part of at most `most` rows; one empty part where there are no rows."""
        for first in range(0, max(1, len(self)), most):
            yield first, min(first + most, len(self))


def in_order(layout: Layout, keys: Sequence[Key], columns: Mapping[str, Column]) -> PartRows:
    """Rows sorted by text keys, or by ranks; `columns` are those beside the key, in the order of `keys`."""
    if layout.keys == "text":
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
        named: dict[str, Column] = {"key": pa.array([keys[row] for row in order.tolist()], pa.string())}
        return PartRows(layout, named | _taken(columns, order), len(keys))
    assert layout.keys == "dense", "packed keys are sorted as words"
    return _by_rank(layout, keys, columns)


def sorted_words(layout: Layout, words: tuple[npt.NDArray[np.uint64], ...], columns: Mapping[str, Column]) -> PartRows:
    """Rows sorted by packed keys, given word by word, the highest first."""
    order = np.lexsort(words[::-1])
    named: dict[str, Column] = dict(zip(layout.key_columns, (word[order] for word in words), strict=True))
    return PartRows(layout, named | _taken(columns, order), len(order))


def _arrow(column: Column, valid: npt.NDArray[np.uint8] | None = None) -> pa.Array:
    """An Arrow column; `valid` has a bit for each row, 0 for null.

    Arrow does not import pandas when it gets numpy's buffers directly.
    """
    if not isinstance(column, np.ndarray):
        return column
    buffers = [None if valid is None else pa.py_buffer(valid), pa.py_buffer(np.ascontiguousarray(column))]
    return pa.Array.from_buffers(pa.from_numpy_dtype(column.dtype), len(column), buffers)


def _by_rank(layout: Layout, keys: Sequence[Key], columns: Mapping[str, Column]) -> PartRows:
    """A row for every rank up to the largest; ranks without a state are null."""
    ranks = np.array(keys, np.int64)
    places = np.full(int(ranks.max()) + 1, -1, np.int64)
    places[ranks] = np.arange(len(ranks))
    if int((places >= 0).sum()) < len(ranks):
        raise RulesError("rank gives two states the same number", advice="a different number for every state")
    taken = _arrow(places, np.packbits(places >= 0, bitorder="little"))
    return PartRows(layout, {name: _arrow(column).take(taken) for name, column in columns.items()}, len(ranks))


def _taken(columns: Mapping[str, Column], order: npt.NDArray[np.int64]) -> dict[str, Column]:
    return {
        name: column[order] if isinstance(column, np.ndarray) else column.take(pa.array(order))
        for name, column in columns.items()
    }


def is_dense(keys: Sequence[Key]) -> bool:
    """Whether ranks are dense enough for a dense table to be the smaller one."""
    return max(map(int, keys), default=0) < _DENSITY * len(keys)


def smallest(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same whole numbers in the fewest bytes each that hold them all."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    return numbers.astype(smallest_kind(low, high))


def smallest_kind(low: int, high: int) -> str:
    """The kind of the shortest whole numbers that hold those from `low` to `high`."""
    return next((f"int{bits}" for bits in (8, 16, 32) if -(1 << bits - 1) <= low and high < 1 << bits - 1), "int64")


# -------------------------------------------------------------------- as a file


PART_ROWS = 1 << 22
"""Rows of a part: a few megabytes, so that a killed solve loses little."""
INDEX_KEY = "endsight"
_LEVEL, _DENSE_LEVEL = 3, 19


def part_path(tier: int, number: int) -> str:
    """The path of a part in the folder of its solution."""
    return f"tier={tier:03d}/part-{number:04d}.parquet"


def write_part(
    folder: Path, rows: PartRows, tier: int, number: int, first: int, stop: int, tell: Callable[[int], None]
) -> Part:
    """Write rows `first` to `stop` as one part, atomically; `tell` is called before each group with the next row.

    The bytes depend only on the rows and the version of pyarrow. Raises `FileError`.
    """
    path = part_path(tier, number)
    make_folder((folder / path).parent)
    with AtomicFile(folder / path) as file:
        end = _write_groups(file, rows, first, stop, tell)
        file.commit()
        return Part(
            path=path,
            tier=tier,
            rows=stop - first,
            groups=-(-(stop - first) // rows.layout.group_rows),
            size=file.size,
            sha256=file.sha256,
            footer=file.size - end,
            footer_crc32=file.crc32,
            first=rows.key(first) if first < stop else None,
            last=rows.key(stop - 1) if first < stop else None,
        )


def _write_groups(file: AtomicFile, rows: PartRows, first: int, stop: int, tell: Callable[[int], None]) -> int:
    """Write all row groups and the footer; returns the offset of the footer."""
    index: dict[str, list[Any]] = {"offset": [], "crc32": [], "first": []}
    sink = pa.PythonFile(Sink(file), mode="w")
    with pq.ParquetWriter(sink, rows.table(first, first).schema, **_options(rows.layout)) as writer:
        count = rows.layout.group_rows
        for row in range(first, stop, count):
            tell(row)
            index["offset"].append(file.size)
            index["first"].append(rows.key(row))
            file.restart_crc()
            writer.write_table(rows.table(row, min(row + count, stop)), row_group_size=count)
            sink.flush()
            index["crc32"].append(file.crc32)
        end = file.size
        writer.add_key_value_metadata({INDEX_KEY: json.dumps(index, separators=(",", ":"))})
        file.restart_crc()
    return end


def _options(layout: Layout) -> dict[str, Any]:
    deltas = [name for name in layout.key_columns if layout.keys == "packed"]
    # Ends differ from row to row, so only their leading bytes compress, when stored side by side.
    bounds = ("lower_0", "upper_0") if layout.rounds else ()
    planes = dict.fromkeys(bounds, "BYTE_STREAM_SPLIT")
    return {
        "compression": "zstd",
        "compression_level": _DENSE_LEVEL if layout.keys == "dense" else _LEVEL,
        "use_dictionary": [
            name for name in layout.columns if name not in deltas and name not in planes and layout.keys != "dense"
        ],
        "column_encoding": dict.fromkeys(deltas, "DELTA_BINARY_PACKED") | planes or None,
        "write_statistics": list(layout.key_columns) or False,
        "data_page_size": 1 << 20,
    }


class Sink:
    """A file under construction, in the interface that pyarrow needs."""

    closed = False

    def __init__(self, file: OutputFile) -> None:
        self._file = file

    def write(self, data: Any) -> int:
        """Add to the end."""
        return self._file.write(data if isinstance(data, bytes) else memoryview(data))

    def tell(self) -> int:
        """Bytes written so far."""
        return self._file.size

    def flush(self) -> None:
        """Do nothing, as nothing is buffered."""

    def close(self) -> None:
        """Do nothing: the owner commits the file."""
