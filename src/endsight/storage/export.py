"""Stored solutions for other programs: CSV, JSON lines, one plain Parquet file, DOT graphs.

Numbers are exact texts (`p/q`); values are per player and count what is still to come.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from endsight.errors import QuestionError
from endsight.game import CHANCE, Position
from endsight.numbers import Interval, full_text
from endsight.printable import printable
from endsight.storage.tablebase import Entry, Tablebase

__all__ = ["MOST_DOT", "csv_text", "dot_text", "export_rows", "json_lines", "write_parquet"]

MOST_DOT = 2_000
"""States of the largest graph that is drawn."""
_BATCH = 1 << 14

Row = dict[str, Any]


def export_rows(table: Tablebase) -> Iterator[Row]:
    """One row per stored state, in the order of the file.

    `position` in the game's own notation, `to_move`, `value_PLAYER` as text (`lower_PLAYER`
    and `upper_PLAYER` where only ends are proven), `category`, `distance`.
    """
    for position in table:
        yield _row(position, table.probe(position))


def columns_of(table: Tablebase) -> list[str]:
    """Names of the columns of `export_rows`."""
    parts = ("lower", "upper") if table.manifest.layout.values == "ends" else ("value",)
    values = [f"{part}_{name}" for name in table.game.player_names for part in parts]
    return ["position", "to_move", *values, "category", "distance"]


def _row(position: Position, entry: Entry) -> Row:
    row: Row = {"position": position.game.show(position.state), "to_move": position.to_move}
    for name, value in zip(position.game.player_names, entry.values, strict=True):
        if isinstance(value, Interval):
            row |= {f"lower_{name}": full_text(value.lower), f"upper_{name}": full_text(value.upper)}
        else:
            row |= {f"{part}_{name}": full_text(value) for part in ("value", "lower", "upper")}
    return row | {"category": entry.category, "distance": entry.distance}


def csv_text(table: Tablebase) -> Iterator[str]:
    """Lines of a CSV file, the header first; what is not printable in texts is escaped."""
    names = columns_of(table)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, names, lineterminator="\n", extrasaction="ignore")
    writer.writerow({name: printable(name) for name in names})
    for row in export_rows(table):
        writer.writerow({name: printable(text) if isinstance(text, str) else text for name, text in row.items()})
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def json_lines(table: Tablebase) -> Iterator[str]:
    """One JSON object a line."""
    names = columns_of(table)
    for row in export_rows(table):
        yield json.dumps({name: row[name] for name in names}) + "\n"


def write_parquet(table: Tablebase, file: Any) -> None:
    """The rows as one Parquet file: texts, and distances as whole numbers."""
    names = columns_of(table)
    schema = pa.schema([(name, pa.int32() if name == "distance" else pa.string()) for name in names])
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        rows: list[Row] = []
        for row in export_rows(table):
            rows.append(row)
            if len(rows) == _BATCH:
                writer.write_table(_batch(rows, schema))
                rows = []
        writer.write_table(_batch(rows, schema))


def _batch(rows: list[Row], schema: pa.Schema) -> pa.Table:
    return pa.table({name: [row[name] for row in rows] for name in schema.names}, schema=schema)


# -------------------------------------------------------------------- graphs


def dot_text(table: Tablebase) -> Iterator[str]:
    """The state graph for Graphviz: best moves bold, outcomes of chance dotted.

    Raises `QuestionError` beyond `MOST_DOT` states.
    """
    if table.manifest.states > MOST_DOT:
        raise QuestionError(
            f"a graph of {table.manifest.states:,} states cannot be looked at",
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
    yield f"  {number} [label={_quoted(game.show(position.state), about)}];\n"
    options = table.options(position)
    for option in options:
        there = numbers.get(table.source.view.key(position.play(option.move)))
        if there is not None:
            style = "dotted" if position.mover == CHANCE else "bold" if option.best else "solid"
            yield f"  {number} -> {there} [label={_quoted(option.text)}, style={style}];\n"


def _short(value: Any) -> str:
    text = f"[{value.lower}, {value.upper}]" if isinstance(value, Interval) else str(value)
    return text if len(text) <= 24 else f"{float(value.middle if isinstance(value, Interval) else value):.6g}"


def _quoted(*lines: str) -> str:
    return '"' + "\\n".join(printable(line).replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'
