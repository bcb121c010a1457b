"""Work files: long runs of sorted keys, or of scores, compressed in blocks with checksums.

A file is a sequence of blocks: a header of four numbers (items, bytes of one item, bytes
of the payload, CRC-32 of these and the payload) and the payload, zstd of the items' bytes, all
first bytes first (sorted keys as differences, so that most of these planes are zeros).
A block of no items ends the file; a file without it is truncated.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self
from zlib import crc32

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from endsight.base.atomic import AtomicFile, blaming_disk, make_folder
from endsight.base.plain_files import open_plain
from endsight.layers.arrays import Keys
from endsight.layers.parts import Scores
from endsight.storage.checkpoint import File
from endsight.storage.parts import smallest
from endsight.storage.sealed import damaged

BLOCK = 1 << 16
"""Items of a block: half a megabyte of keys before compression."""

_HEADER = struct.Struct("<III")
_CHECKSUM = struct.Struct("<I")
_LEVEL = 1


class Writer:
    """Builds a work file block by block and names it when it is complete."""

    def __init__(self, folder: Path, path: str) -> None:
        make_folder((folder / path).parent)
        self.path = path
        self.count = 0
        self._file = AtomicFile(folder / path)
        self._codec = pa.Codec("zstd", compression_level=_LEVEL)

    def block(self, items: npt.NDArray[Any]) -> None:
        """Add one block of up to BLOCK items, one row of bytes each."""
        planes = np.ascontiguousarray(items.view(np.uint8).reshape(len(items), -1).T)
        payload = self._codec.compress(planes, asbytes=True)
        self._write(len(items), len(planes), payload)
        self.count += len(items)

    def _write(self, count: int, width: int, payload: bytes) -> None:
        header = _HEADER.pack(count, width, len(payload))
        self._file.write(header + _CHECKSUM.pack(crc32(payload, crc32(header))))
        self._file.write(payload)

    def commit(self) -> File:
        """Flush the file to disk and give it its name."""
        self._write(0, 0, b"")
        self._file.commit()
        return File(self.path, self._file.size, self._file.sha256)

    def __enter__(self) -> Self:
        self._file.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._file.__exit__(*error)


def _blocks(folder: Path, path: str, width: int) -> Iterator[npt.NDArray[np.uint8]]:
    """The items of each block as rows of bytes; `FileError` where the file has been changed."""
    codec = pa.Codec("zstd")
    with blaming_disk(folder / path, "read"), open_plain(folder / path) as file:
        while True:
            header, checksum = file.read(_HEADER.size), file.read(_CHECKSUM.size)
            if len(checksum) < _CHECKSUM.size:
                raise damaged(folder / path, "it is cut short")
            count, own, size = _HEADER.unpack(header)
            payload = file.read(size) if count <= BLOCK and own <= width and size <= 2 * BLOCK * width else b""
            if _CHECKSUM.pack(crc32(payload, crc32(header))) != checksum:
                raise damaged(folder / path, "a block is not what was written")
            if count == 0:
                return
            planes = np.frombuffer(codec.decompress(payload, count * own, asbytes=True), np.uint8)
            yield np.ascontiguousarray(planes.reshape(own, count).T)


# -------------------------------------------------------------------- sorted keys


def write_keys(folder: Path, path: str, keys: Keys) -> File:
    """Write a file of sorted keys."""
    with KeyWriter(folder, path) as writer:
        writer.add(keys)
        return writer.commit()


class KeyWriter(Writer):
    """Writes a file of sorted keys that arrive in pieces."""

    def __init__(self, folder: Path, path: str) -> None:
        super().__init__(folder, path)
        self._waiting: list[Keys] = []
        self._left = 0

    def add(self, keys: Keys) -> None:
        """Add the next keys, larger than those before."""
        self._waiting.append(keys)
        self._left += len(keys)
        if self._left >= BLOCK:
            self._flush()

    def _flush(self) -> None:
        keys = self._waiting[0] if len(self._waiting) == 1 else np.concatenate(self._waiting)
        for first in range(0, len(keys), BLOCK):
            block = keys[first : first + BLOCK].view(np.uint64)
            self.block(np.diff(block, axis=0, prepend=np.zeros((1, block.shape[1]), np.uint64)))
        self._waiting, self._left = [], 0

    def commit(self) -> File:
        """Flush the file to disk and give it its name."""
        if self._left:
            self._flush()
        return super().commit()


def read_keys(folder: Path, path: str, words: int) -> Keys:
    """All keys of a file."""
    return _joined(list(key_blocks(folder, path, words)), (0, words))


def key_blocks(folder: Path, path: str, words: int) -> Iterator[Keys]:
    """The keys block by block."""
    for rows in _blocks(folder, path, 8 * words):
        # Differences wrap round where a lower word starts again, and so do the sums.
        yield np.cumsum(rows.view(np.uint64).reshape(-1, words), axis=0, dtype=np.uint64).view(np.int64)


# -------------------------------------------------------------------- scores


def write_scores(folder: Path, path: str, scores: Scores) -> File:
    """Write scores, in as few bytes each as a block needs; or pairs of ends, where there are two columns."""
    form = smallest if scores.ndim == 1 else _as_width
    with Writer(folder, path) as writer:
        for first in range(0, len(scores), BLOCK):
            writer.block(form(scores[first : first + BLOCK]))
        return writer.commit()


def _as_width(bounds: Scores) -> Scores:
    """Lower ends, and the distances to the upper ones: numbers of few bytes, most of them zeros."""
    return np.stack((bounds[:, 0], bounds[:, 1] - bounds[:, 0]), axis=1)


def read_scores(folder: Path, path: str, columns: int = 1) -> Scores:
    """All scores of a file, or with two `columns` all pairs of ends."""
    return _joined(list(score_blocks(folder, path, columns)), (0,) if columns == 1 else (0, columns))


def score_blocks(folder: Path, path: str, columns: int = 1) -> Iterator[Scores]:
    """The scores, or pairs of ends, block by block."""
    for rows in _blocks(folder, path, 8 * columns):
        if columns == 1:
            yield rows.view(f"int{8 * rows.shape[1]}").reshape(-1).astype(np.int64)
        elif rows.shape[1] == 8 * columns:
            yield np.cumsum(rows.view(np.int64).reshape(-1, columns), axis=1)
        else:
            raise damaged(folder / path, "it does not hold pairs of ends")


def _joined(blocks: list[npt.NDArray[np.int64]], empty: tuple[int, ...]) -> npt.NDArray[np.int64]:
    return np.concatenate(blocks) if blocks else np.empty(empty, np.int64)
