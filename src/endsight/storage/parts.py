"""One part of a solution as a Parquet file: small row groups, each with its own checksum.

Row groups of 8 192 rows (65 536 in dense tables), zstd, keys as DELTA_BINARY_PACKED. The footer's key `endsight` holds,
as JSON, the offset, CRC-32 and first key of every row group; the manifest holds the footer's size and CRC-32. So a
reader verifies the footer by the manifest, and every block that it reads by the footer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from endsight.base.atomic import AtomicFile, OutputFile, make_folder
from endsight.storage.layout import Layout
from endsight.storage.manifest import Part
from endsight.storage.rows import Rows

PART_ROWS = 1 << 22
"""Rows of a part: a few megabytes, so that a killed solve loses little."""
INDEX_KEY = "endsight"
_LEVEL, _DENSE_LEVEL = 3, 19


def part_path(tier: int, number: int) -> str:
    """The path of a part in the folder of its solution."""
    return f"tier={tier:03d}/part-{number:04d}.parquet"


def write_part(
    folder: Path, rows: Rows, tier: int, number: int, first: int, stop: int, tell: Callable[[int], None]
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


def _write_groups(file: AtomicFile, rows: Rows, first: int, stop: int, tell: Callable[[int], None]) -> int:
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
