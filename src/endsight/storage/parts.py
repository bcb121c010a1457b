"""All rows of a solution in order of their keys, and each part of them as a Parquet file of small, checked row groups.

Row groups of 8 192 rows (65 536 in dense tables), zstd, keys as DELTA_BINARY_PACKED. The footer's key `endsight` holds,
as JSON, the offset, CRC-32 and first key of every row group; the manifest holds the footer's size and CRC-32. So a
reader verifies the footer by the manifest, and every block that it reads by the footer. A block is read once, its
checksum is computed over those very bytes, and the same bytes are decoded: a change on disk in between makes no
difference, and a file that is truncated while open causes an error message, not a crash.
"""

from __future__ import annotations

import json
import os
import weakref
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from endsight.base.atomic import AtomicFile, OutputFile, blaming_disk, make_folder
from endsight.base.plain_files import open_plain
from endsight.errors import RulesError
from endsight.game.numbers import count_text
from endsight.storage.keys import Key
from endsight.storage.layout import Layout
from endsight.storage.manifest import Part
from endsight.storage.sealed import damaged

_DAMAGES = (pa.ArrowException, OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError)
_WORD = 64


class Block:
    """One decoded row group: keys to search, columns to read.

    `columns` holds numpy arrays (lists for columns of text or with nulls).
    """

    def __init__(self, table: pa.Table, layout: Layout, first: int) -> None:
        if any(table.column(name).null_count for name in layout.key_columns):
            raise ValueError("a row without a key")
        self.rows = table.num_rows
        self.first = first
        self.columns: dict[str, Any] = {name: _array(table.column(name)) for name in layout.value_columns}
        self.keys: list[Any] = [_array(table.column(name)) for name in layout.key_columns]
        self.size = table.nbytes
        if layout.keys == "dense":
            self.present = table.column(0).is_valid().to_numpy()

    @property
    def is_empty(self) -> bool:
        """Whether none of the rows has a state; rows without one stand for numbers that play does not reach."""
        return not self.keys and not self.present.any()

    def find(self, key: Key) -> int | None:
        """The row of a key, None where there is none."""
        if not self.keys:
            row = int(key) - self.first
            return row if 0 <= row < self.rows and self.present[row] else None
        if isinstance(key, str):
            row = bisect_left(self.keys[0], key)
            return row if row < self.rows and self.keys[0][row] == key else None
        if len(self.keys) == 1:
            word = np.uint64(key)
            row = int(self.keys[0].searchsorted(word))
            return row if row < self.rows and self.keys[0][row] == word else None
        high, low = np.uint64(key >> _WORD), np.uint64(key & (1 << _WORD) - 1)
        start, stop = (int(self.keys[0].searchsorted(high, side)) for side in ("left", "right"))
        row = start + int(self.keys[1][start:stop].searchsorted(low))
        return row if row < stop and self.keys[1][row] == low else None

    def key(self, row: int) -> Key | None:
        """The key of a row; None for a row of a dense table without a state."""
        if not self.keys:
            return self.first + row if self.present[row] else None
        if len(self.keys) == 2:
            return int(self.keys[0][row]) << _WORD | int(self.keys[1][row])
        key = self.keys[0][row]
        return key if isinstance(key, str) else int(key)


def _array(column: pa.ChunkedArray) -> Any:
    if column.null_count or pa.types.is_string(column.type):
        return column.to_pylist()
    return column.to_numpy()


class _Window:
    """A file of which only one verified piece can be read, in the interface that pyarrow needs."""

    closed = False

    def __init__(self, size: int) -> None:
        self.size = size
        self.start = 0
        self.data = b""
        self.place = 0

    def seek(self, place: int, whence: int = 0) -> int:
        """Move to an offset in the file."""
        self.place = place if whence == 0 else self.place + place if whence == 1 else self.size + place
        return self.place

    def tell(self) -> int:
        """The current offset in the file."""
        return self.place

    def read(self, count: int = -1) -> bytes:
        """Bytes of the piece; `ValueError` outside it."""
        begin = self.place - self.start
        if begin < 0 or count < 0 or begin + count > len(self.data):
            raise ValueError("a block reaches outside its bounds")
        self.place += count
        return self.data[begin : begin + count]

    def close(self) -> None:
        """Nothing to close."""


class PartFile:
    """One part of a solution, opened when it is first needed."""

    def __init__(self, folder: Path, part: Part, layout: Layout) -> None:
        self.path = folder / part.path
        self.part = part
        self.layout = layout
        with blaming_disk(self.path, "read"):
            self._bytes = open_plain(self.path)
        weakref.finalize(self, self._bytes.close)  # nobody has to close a solution
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        part = self.part
        size = os.fstat(self._bytes.fileno()).st_size
        if size != part.size:
            raise damaged(self.path, f"it has {count_text(size, 'byte')} instead of {part.size:,}")
        footer = self._read(part.size - part.footer, part.footer, part.footer_crc32, "its footer")
        try:
            metadata = pq.read_metadata(pa.BufferReader(b"PAR1" + footer))
            index = json.loads(metadata.metadata[INDEX_KEY.encode()])
            self.offsets = [*map(int, index["offset"]), part.size - part.footer]
            self.checksums, self.first_keys = list(map(int, index["crc32"])), index["first"]
            names = tuple(metadata.schema.names)
            self._window = _Window(part.size)
            self._file = pq.ParquetFile(pa.PythonFile(self._window, mode="r"), metadata=metadata, pre_buffer=False)
        except _DAMAGES as error:
            raise damaged(self.path, f"its footer cannot be read ({type(error).__name__})") from error
        counts = {metadata.num_row_groups, len(self.offsets) - 1, len(self.checksums), len(self.first_keys)}
        if counts != {part.groups} or names != self.layout.columns or metadata.num_rows != part.rows:
            raise damaged(self.path, "it holds something else than the manifest says")

    def close(self) -> None:
        """Close the file."""
        self._bytes.close()

    def group_of(self, key: Key) -> int:
        """The only row group that can hold a key; -1 for a key before the first."""
        if self.layout.keys == "dense":
            return min((int(key) - int(self.part.first or 0)) // self.layout.group_rows, self.part.groups - 1)
        return bisect_right(self.first_keys, key) - 1

    def block(self, group: int) -> Block:
        """A row group, verified and decoded; raises `FileError`."""
        start, stop = self.offsets[group], self.offsets[group + 1]
        self._window.data = self._read(start, stop - start, self.checksums[group], f"block {group}")
        self._window.start = start
        try:
            table = self._file.read_row_group(group, use_threads=False)
            return Block(table, self.layout, self._first_row(group))
        except _DAMAGES as error:
            raise damaged(self.path, f"block {group} cannot be read ({type(error).__name__})") from error
        finally:
            self._window.data = b""

    def _first_row(self, group: int) -> int:
        """The number of a group's first row in a dense table."""
        if self.layout.keys != "dense":
            return 0
        return int(self.part.first or 0) + group * self.layout.group_rows

    def _read(self, start: int, count: int, checksum: int, what: str) -> bytes:
        """Bytes of the file, verified."""
        if not 0 <= start <= start + count <= self.part.size:
            raise damaged(self.path, f"{what} lies outside the file")
        with blaming_disk(self.path, "read"):
            data = _read_at(self._bytes.fileno(), start, count)
        if len(data) != count or crc32(data) != checksum:
            raise damaged(self.path, f"{what} is not what was written")
        return data


def _read_at(number: int, start: int, count: int) -> bytes:
    """Bytes at an offset of an open file; fewer where the file ends before."""
    pieces = []
    while count:
        if hasattr(os, "pread"):  # processes that were forked share the place at which others read
            piece = os.pread(number, count, start)
        else:
            os.lseek(number, start, os.SEEK_SET)
            piece = os.read(number, count)
        if not piece:
            break
        pieces.append(piece)
        start, count = start + len(piece), count - len(piece)
    return b"".join(pieces)


def blocks_of(folder: Path, part: Part, layout: Layout) -> Iterator[Block]:
    """All row groups of a file in order; closes the file afterwards."""
    with closing(PartFile(folder, part, layout)) as file:
        yield from map(file.block, range(part.groups))


class BlockCache:
    """The most recently used blocks, up to a number of bytes (at least one block)."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._blocks: OrderedDict[tuple[int, int], Block] = OrderedDict()

    def get(self, place: tuple[int, int]) -> Block | None:
        """A block by the numbers of its part and row group."""
        block = self._blocks.get(place)
        if block is not None:
            self._blocks.move_to_end(place)
        return block

    def put(self, place: tuple[int, int], block: Block) -> None:
        """Keep a block, and drop those unused for longest."""
        self._blocks[place] = block
        self.size += block.size
        while self.size > self.most and len(self._blocks) > 1:
            self.size -= self._blocks.popitem(last=False)[1].size


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
