"""Stored solutions for other programs: CSV, JSON lines, one plain Parquet file, DOT graphs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from endsight.base.outputs import open_output
from endsight.base.printable import printable
from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game.limits import Activity, Progress
from endsight.game.numbers import count_text, is_enclosed
from endsight.game.position import Position, as_text
from endsight.storage.columns import column_names, tables
from endsight.storage.parts import Sink
from endsight.storage.tablebase import Tablebase

FORMS = ("csv", "jsonl", "parquet", "dot")
"""The formats of an exported solution."""

MOST_DOT = 2_000
"""The most states in a drawn graph."""


def export_text(
    table: Tablebase, form: str, *, fields: bool = False, progress: Progress | None = None
) -> Iterator[str]:
    """The whole file in pieces, in one of the text formats of `FORMS`."""
    if form == "dot":
        return dot_text(table)
    return (csv_text if form == "csv" else json_lines)(table, fields=fields, progress=progress)


def write_export(
    table: Tablebase, form: str, path: Path, *, fields: bool = False, progress: Progress | None = None
) -> None:
    """Write the file in one of `FORMS`; it appears whole or not at all. Raises `FileError`."""
    with open_output(path) as file:
        if form == "parquet":
            write_parquet(table, pa.PythonFile(Sink(file), mode="w"), fields=fields, progress=progress)
        else:
            for text in export_text(table, form, fields=fields, progress=progress):
                file.write(text.encode())
        file.commit()


def csv_text(table: Tablebase, *, fields: bool = False, progress: Progress | None = None) -> Iterator[str]:
    """A CSV file in pieces, the header first; see `columns.tables`."""
    names = [_csv_cell(name) for name in column_names(table, fields=fields)]
    yield ",".join(names) + "\n"
    separators = [*[","] * (len(names) - 1), "\n"]
    for rows in _told(table, fields, progress):
        cells = [pc.fill_null(text, "") for text in _texts(rows, _CSV_SPECIAL, _csv_cell)]
        yield _joined([piece for pair in zip(cells, separators, strict=True) for piece in pair])


def json_lines(table: Tablebase, *, fields: bool = False, progress: Progress | None = None) -> Iterator[str]:
    """One JSON object a line, in pieces; see `columns.tables`."""
    for rows in _told(table, fields, progress):
        pieces, before = list[Any](), "{"
        texts = _texts(rows, _JSON_SPECIAL, lambda text: json.dumps(text)[1:-1])
        for name, column, text in zip(rows.column_names, rows.columns, texts, strict=True):
            quote = '"' if pa.types.is_string(column.type) else ""
            pieces += [f"{before}{json.dumps(name)}: {quote}", pc.fill_null(text, "null")]
            before = f"{quote}, "
        yield _joined([*pieces, before.removesuffix(", ") + "}\n"])


def write_parquet(table: Tablebase, file: Any, *, fields: bool = False, progress: Progress | None = None) -> None:
    """One Parquet file: values as texts, distances and fields as whole numbers."""
    first = next(tables(table, fields=fields))
    with pq.ParquetWriter(file, first.schema, compression="zstd") as writer:
        for rows in _told(table, fields, progress):
            writer.write_table(rows)


def _told(table: Tablebase, fields: bool, progress: Progress | None) -> Iterator[pa.Table]:
    """The tables of all blocks; `progress` is called with the number of states written."""
    done, total = 0, table.manifest.states
    for rows in tables(table, fields=fields):
        yield rows
        done += rows.num_rows
        if progress is not None:
            progress(Activity(f"writing {count_text(total, 'row')}", part=(done, total)), done)


# -------------------------------------------------------------------- text

_CSV_SPECIAL = '[^ -~]|[",]'
_JSON_SPECIAL = r'[^ -~]|["\\]'


def _csv_cell(text: str) -> str:
    """A cell of a CSV file; unprintable characters are escaped."""
    text = printable(text)
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if "," in text or quoted != text else text


def _texts(rows: pa.Table, special: str, cell: Callable[[str], str]) -> list[pa.Array]:
    """All columns as texts; columns that rules may fill with special characters go through `cell`."""
    texts = [column.combine_chunks().cast(pa.string()) for column in rows.columns]
    for place, column in enumerate(rows.columns[: rows.column_names.index("to_move") + 1]):
        text = texts[place]
        if pa.types.is_string(column.type) and pc.any(pc.match_substring_regex(text, special)).as_py():
            texts[place] = pa.array([cell(each) for each in text.to_pylist()], pa.string())
    return texts


def _joined(pieces: Sequence[Any]) -> str:
    """The pieces of every row (columns of text, or a text common to all rows) joined, row by row."""
    rows = pc.binary_join_element_wise(*pieces, "")
    ends, text = rows.buffers()[1:]
    return bytes(text[: int(np.frombuffer(ends, np.int32, len(rows) + 1)[-1])]).decode() if len(rows) else ""


# -------------------------------------------------------------------- graphs


def dot_text(table: Tablebase) -> Iterator[str]:
    """The state graph for Graphviz: best moves bold, outcomes of chance dotted.

    Raises `QuestionError` beyond `MOST_DOT` states.
    """
    if table.manifest.states > MOST_DOT:
        raise QuestionError(
            f"a graph of {count_text(table.manifest.states, 'state')} is too large to draw",
            allowed=f"up to {MOST_DOT:,} states",
            advice="smaller parameters, or --to csv",
        )
    numbers: dict[Any, int] = {}
    yield "digraph solution {\n  node [shape=box, fontname=monospace];\n"
    for position in _play(table, numbers):
        yield from _node_lines(table, position, numbers)
    yield "}\n"


def _play(table: Tablebase, numbers: dict[Any, int]) -> Iterator[Position]:
    """One position for each stored node, breadth first from the start; `numbers` names nodes."""
    queue = [table.position]
    numbers[table.source.view.key(table.position)] = 0
    for position in queue:
        yield position
        for move in position.moves():
            then = position.play(move)
            key = table.source.view.key(then)
            if key not in numbers and then in table:
                numbers[key] = len(numbers)
                queue.append(then)


def _node_lines(table: Tablebase, position: Position, numbers: dict[Any, int]) -> Iterator[str]:
    number = numbers[table.source.view.key(position)]
    entry = table.probe(position)
    game = position.game
    values = ", ".join(map(_short, entry.values))
    plies = "" if entry.distance is None else f" in {entry.distance}"
    about = f"{position.to_move or 'over'}: {values}{plies}"
    yield f"  {number} [label={_quoted(as_text(game, 'show', position.state), about)}];\n"
    options = table.options(position)
    for option in options:
        there = numbers.get(table.source.view.key(position.play(option.move)))
        if there is not None:
            style = "dotted" if position.mover == CHANCE else "bold" if option.best else "solid"
            yield f"  {number} -> {there} [label={_quoted(option.text)}, style={style}];\n"


def _short(value: Any) -> str:
    text = f"[{value.lower}, {value.upper}]" if is_enclosed(value) else str(value)
    return text if len(text) <= 24 else f"{float(value.middle if is_enclosed(value) else value):.6g}"


def _quoted(*lines: str) -> str:
    return '"' + "\\n".join(printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'
