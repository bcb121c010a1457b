"""Tables of exact answers, for Python, CSV files, pandas and Polars; and values by player, as notebooks show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal

from endsight.base.printable import printable
from endsight.errors import FileError
from endsight.game.field_texts import value_text
from endsight.game.markup import html_table, markdown_table
from endsight.game.numbers import (
    Interval,
    Number,
    amount_text,
    are_exact,
    count_text,
    exact_text,
    is_enclosed,
    nearest_float,
    short_decimal,
    short_text,
    simplest,
)

if TYPE_CHECKING:
    from pathlib import Path
from endsight.base.extras import package_of

Kind = Literal["text", "count", "flag", "list", "number"]
Column = tuple[str, Kind]
_LARGEST = 2**63 - 1


class Tabular:
    """Anything with `records()` is a table for Python, CSV, Arrow, pandas and Polars."""

    def records(self) -> Records:
        """The rows with their columns."""
        raise NotImplementedError

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary per row; numbers are `int`, `Fraction` or `Interval`."""
        records = self.records()
        return [dict(zip(records.names, row, strict=True)) for row in records.rows]

    def to_csv(self, path: str | Path | None = None) -> str | None:
        """Write the table as a CSV file with a header and numbers as exact texts; without a path, return the text.

        Raises `FileError`.
        """
        from pathlib import Path

        text = self.records().csv_text()
        if path is None:
            return text
        try:
            Path(path).write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise FileError(f"the table cannot be written to {str(path)!r}", found=error.strerror) from error
        return None

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`.

        Each column of numbers becomes several. The column with its name holds the exact text; `_numerator` and
        `_denominator` hold whole 64-bit numbers, null where they do not fit; `_approx` holds the nearest double.
        Enclosed numbers are null in all of these, and `_lower` and `_upper` hold their ends as texts.
        """
        import pyarrow

        records = self.records()
        kinds = {
            "text": pyarrow.string(),
            "count": pyarrow.int64(),
            "flag": pyarrow.bool_(),
            "list": pyarrow.list_(pyarrow.string()),
        }
        arrays: dict[str, Any] = {}
        for number, (name, kind) in enumerate(records.columns):
            values = [row[number] for row in records.rows]
            if kind == "number":
                arrays |= {key: pyarrow.array(part, type_) for key, part, type_ in _number_columns(name, values)}
            else:
                arrays[name] = pyarrow.array(values, kinds[kind])
        return pyarrow.table(arrays)

    def to_frame(self) -> Any:
        """The same as `to_pandas`."""
        return self.to_pandas()

    def to_pandas(self) -> Any:
        """A pandas DataFrame with the columns of `to_arrow`; `UsageError` where pandas is missing."""
        import pyarrow

        pandas = package_of("pandas", "arrow", "to_pandas")
        kinds = {pyarrow.int64(): pandas.Int64Dtype(), pyarrow.bool_(): pandas.BooleanDtype()}
        return self.to_arrow().to_pandas(types_mapper=kinds.get)

    def to_polars(self) -> Any:
        """A Polars DataFrame with the columns of `to_arrow`; `UsageError` where Polars is missing."""
        return package_of("polars", "arrow", "to_polars").from_arrow(self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        records = self.records()
        return html_table(records.title, records.names, *records.shown())

    def _repr_markdown_(self) -> str:
        records = self.records()
        return markdown_table(records.names, *records.shown())


class Records(Tabular):
    """Rows under named columns; numbers are exact.

    Each entry of `columns` is a name and a kind: `text`, `count` (whole numbers), `flag`, `list` (of
    texts) or `number` (int, Fraction, Interval or None).
    """

    def __init__(self, title: str, columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> None:
        self.title = title
        self.columns = tuple(columns)
        self.rows = [tuple(row) for row in rows]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _ in self.columns)

    def records(self) -> Records:
        """The table itself."""
        return self

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.to_dicts())

    def __repr__(self) -> str:
        return printable(f"<{self.title}: {count_text(len(self), 'row')} of {', '.join(self.names)}>")

    # ---------------------------------------------------------------- as text

    def csv_text(self) -> str:
        """The table as CSV, with exact numbers, lists joined by blanks, and unprintable characters escaped."""
        import csv

        file = StringIO(newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(printable, self.names))
        writer.writerows([printable(_text(value)) for value in row] for row in self.rows)
        return file.getvalue()

    def shown(self) -> tuple[Iterator[list[str]], int]:
        """An iterator over the rows as text for people, and the number of rows."""
        return map(_shown, self.rows), len(self)


def records_of(title: str, names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Records:
    """Rows given as dictionaries, under these names; the values of a column determine its kind."""
    cells = [[row.get(name) for name in names] for row in rows]
    columns = [(name, _kind_of([row[place] for row in cells])) for place, name in enumerate(names)]
    texts = [place for place, (_, kind) in enumerate(columns) if kind == "text"]
    for row in cells:
        for place in texts:
            row[place] = None if row[place] is None else value_text(row[place])
    return Records(title, columns, cells)


def _kind_of(values: Sequence[Any]) -> Kind:
    """The narrowest kind that holds all values present."""
    there = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in there):
        return "flag" if there else "text"
    if all(isinstance(value, int) for value in there):
        return "count" if all(abs(value) <= _LARGEST for value in there) else "number"
    if all(isinstance(value, int | Fraction) or is_enclosed(value) for value in there):
        return "number"
    is_list = all(isinstance(value, list | tuple) and all(isinstance(each, str) for each in value) for value in there)
    return "list" if is_list else "text"


def _number_columns(name: str, values: list[Any]) -> Iterator[tuple[str, list[Any], Any]]:
    """The columns that represent one column of exact numbers."""
    import pyarrow

    exact = [None if is_enclosed(value) else value for value in values]
    yield name, [None if value is None else amount_text(value) for value in exact], pyarrow.string()
    small = [None if value is None or not _fits(value) else value for value in exact]
    for part in ("numerator", "denominator"):
        parts = [None if value is None else getattr(value, part) for value in small]
        yield f"{name}_{part}", parts, pyarrow.int64()
    yield f"{name}_approx", [None if value is None else nearest_float(value) for value in exact], pyarrow.float64()
    if not are_exact(values):
        for end in ("lower", "upper"):
            ends = [amount_text(getattr(value, end)) if is_enclosed(value) else None for value in values]
            yield f"{name}_{end}", ends, pyarrow.string()


def _fits(value: Number) -> bool:
    """Whether the numerator and the denominator fit into 64 bits."""
    return max(abs(value.numerator), value.denominator) <= _LARGEST


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Fraction) or is_enclosed(value):
        return amount_text(value)
    return " ".join(value) if isinstance(value, list | tuple) else str(value)


def _shown(row: tuple[Any, ...]) -> list[str]:
    """Cells for people: exact where short, and with a decimal."""
    return [short_text(value) if isinstance(value, Fraction) else _text(value) for value in row]


# ---------------------------------------------------------------------- values by player

_LONGEST = 60
"""Fractions with more characters than this are shown as a decimal with their size in bits."""


class AmountsByPlayer(dict[str, Fraction | Interval]):
    """The value of a position by player name: a dictionary whose display stays short, however long its fractions.

    `str` of one of its fractions shows all digits.
    """

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {_shown_amount(value)}" for name, value in self.items()) + "}"

    def _repr_latex_(self) -> str:
        r"""LaTeX for notebooks and papers, as in `$\text{first}\colon \tfrac{1}{2}$`."""
        texts = (rf"\text{{{_escaped(name)}}}\colon {_typeset(value)}" for name, value in self.items())
        return "$" + r",\quad ".join(texts) + "$"


def _shown_amount(value: Fraction | Interval) -> str:
    if is_enclosed(value) or exact_text(value, _LONGEST) is not None:
        return repr(value)
    return f"{short_decimal(value)} (a fraction of {_bits(value):,} bits)"


def _bits(value: Number) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _typeset(value: Fraction | Interval) -> str:
    if is_enclosed(value):
        return f"[{_typeset_number(value.lower)}, {_typeset_number(value.upper)}]"
    return _typeset_number(value)


def _typeset_number(value: Number) -> str:
    value = simplest(value)
    if exact_text(value, _LONGEST) is None:
        return short_decimal(value).replace("≈", r"\approx")
    if value.denominator == 1:
        return str(value)
    sign = "-" if value < 0 else ""
    return rf"{sign}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _escaped(name: str) -> str:
    """Escape a player's name: the rules may call players anything, and TeX reads these characters as commands."""
    return "".join(rf"\{sign}" if sign in "#$%&_{}" else "" if sign in r"\^~" else sign for sign in name)
