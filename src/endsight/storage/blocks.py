"""Row groups of a stored solution, read when needed and verified before use.

A block is read once, its checksum is computed over those very bytes, and the same bytes are decoded: a change on disk
in between makes no difference, and a file that is truncated while open causes an error message, not a crash.
"""

from __future__ import annotations

import json
import os
import weakref
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from endsight.base.atomic import blaming_disk
from endsight.base.plain_files import open_plain
from endsight.game.numbers import count_text
from endsight.storage.keys import Key
from endsight.storage.layout import Layout
from endsight.storage.manifest import Part
from endsight.storage.parts import INDEX_KEY
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
