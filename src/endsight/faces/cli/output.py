"""The forms of an answer: for people, in columns and styles; as JSON, as JSON lines or as tab-separated text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeGuard

from endsight.base.deferred import deferred
from endsight.base.standard_streams import stdout
from endsight.errors import UsageError
from endsight.faces.cli.streams import is_unicode, say, say_cells, say_error
from endsight.faces.cli.surroundings import in_first_folder
from endsight.faces.wording import interval_text, number_text
from endsight.game.numbers import Amount, Number, amount_text, decimal_text, is_enclosed, number_in

with deferred(__name__):
    from endsight.base.outputs import write_output
    from endsight.faces.cli.screen import Screen

LONG_LIST = 100
"""A document writes longer lists with one item per line."""

Form = Literal["people", "json", "jsonl", "plain"]
Document = dict[str, Any]
Rows = Callable[[Document], Iterable[Mapping[str, Any]]]


def one_row(document: Document) -> list[Document]:
    """Return the document itself, as the only row of text."""
    return [document]


@dataclass(frozen=True)
class Output:
    """The settings of the output options."""

    as_json: bool = False
    as_jsonl: bool = False
    as_plain: bool = False
    exact: bool = False
    interval: bool = False
    digits: int | None = None
    color: str = "auto"
    ascii_only: bool = False
    quiet: bool = False

    def __post_init__(self) -> None:
        _at_most_one({"--json": self.as_json, "--jsonl": self.as_jsonl, "--plain": self.as_plain})
        _at_most_one({"--exact": self.exact, "--interval": self.interval})
        _at_most_one({"--exact": self.exact, "--digits": self.digits is not None})

    @property
    def form(self) -> Form:
        """Which of the four forms the options select."""
        if self.as_json or self.as_jsonl:
            return "json" if self.as_json else "jsonl"
        return "plain" if self.as_plain else "people"

    @property
    def is_ascii(self) -> bool:
        """Whether to use ASCII only: on request, or because the stream cannot carry more."""
        return self.ascii_only or not is_unicode(stdout())

    @cached_property
    def screen(self) -> Screen:
        """The screen for output to people; loads rich."""
        return Screen(color=self.color, is_ascii=self.is_ascii)

    def say(self, *lines: str) -> None:
        """Print lines for people."""
        say(*lines, ascii_only=self.ascii_only)

    def note(self, text: str, kind: str = "note") -> None:
        """Print a note on standard error, unless nobody wants any."""
        if not self.quiet:
            say_error(*f"{kind}: {text}".split("\n"))

    def file(self, path: str, content: bytes, note: str) -> None:
        """Print the content if the path is `-`; else write it to the file, and print the note."""
        if path == "-":
            self.say(*content.decode().rstrip("\n").split("\n"))
            return
        write_output(in_first_folder(Path(path)), content)
        self.say(note)

    def document(self, document: Document) -> None:
        """Print one JSON document: on several lines for `--json`, on one for `--jsonl`."""
        say(*([json.dumps(document)] if self.as_jsonl else _json_text(document).split("\n")))

    def answer(
        self, document: Document, draw: Callable[[], None], rows: Rows = one_row, columns: Sequence[str] = ()
    ) -> None:
        """Print an answer in the requested form: `draw` it for people, else `write` it."""
        if self.form == "people":
            draw()
        else:
            self.write(document, rows, columns)

    def write(self, document: Document, rows: Rows = one_row, columns: Sequence[str] = ()) -> None:
        """Print an answer for programs: the document, or its `rows` as text under `columns` (default: all keys)."""
        if self.form == "plain":
            self.rows(rows(document), columns)
        else:
            self.document(document)

    def rows(self, rows: Iterable[Mapping[str, Any]], columns: Sequence[str] = ()) -> None:
        """Print tab-separated text: a header, and the rows as they come.

        `columns` names the keys to show, in order (default: all keys that occur). Players' values in one cell read
        `first=13 second=9`, a single player's value has no name; null is the empty cell; lists are joined by blanks.
        """
        rows = rows if columns else list(rows)
        names = list(columns) or list(dict.fromkeys(key for row in rows for key in row))
        say_cells(names, ascii_only=self.ascii_only)
        for row in rows:
            say_cells((_cell(row.get(name), self.plain_number) for name in names), ascii_only=self.ascii_only)

    def plain_number(self, value: Amount) -> str:
        """Write a number in a cell: exact and whole, or as the options say, without any sign around it."""
        if self.interval or (self.digits is not None and is_enclosed(value)):
            return interval_text(value, self.digits)
        if self.digits is None or is_enclosed(value):
            return amount_text(value)
        return decimal_text(value, self.digits)

    def number(self, value: Amount) -> str:
        """Write a number as the options say: short, exact, to a number of digits, or as an interval."""
        if self.interval:
            return interval_text(value, self.digits)
        return amount_text(value) if self.exact else number_text(value, self.digits)


def _json_text(document: Mapping[str, Any]) -> str:
    """Return the document on several lines, with one line per item of a long list: several times faster to write."""
    entries = (f" {json.dumps(key)}: {_json_entry(value)}" for key, value in document.items())
    return "{\n" + ",\n".join(entries) + "\n}"


def _json_entry(value: Any) -> str:
    if isinstance(value, list) and len(value) > LONG_LIST:
        return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
    return json.dumps(value, indent=1).replace("\n", "\n ")


def _at_most_one(options: Mapping[str, bool]) -> None:
    given = [name for name, is_given in options.items() if is_given]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} cannot be combined", allowed=f"one of {', '.join(options)}")


VALUE_COLUMNS = (
    "game", "position", "to_move", "objective", "utility",
    "status", "value", "so_far", "category", "distance", "lower", "upper",
)  # fmt: skip
MOVE_COLUMNS = ("move", "probability", "value", "regret", "rank", "best", "category", "distance")


def is_number(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Return whether that part of a document is an exact number."""
    return isinstance(value, Mapping) and "exact" in value and "approx" in value


def _cell(value: Any, number: Callable[[Number], str]) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        return number(number_in(value))
    if isinstance(value, Mapping):
        cells = [(key, _cell(item, number)) for key, item in value.items()]
        return cells[0][1] if len(cells) == 1 else " ".join(f"{key}={cell}" for key, cell in cells)
    if isinstance(value, list | tuple):
        return " ".join(_cell(item, number) for item in value)
    return str(value)
