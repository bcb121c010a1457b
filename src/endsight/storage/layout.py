"""The meaning of a stored solution's columns: keys, values, distances.

A row belongs to one node: a state (canonical with symmetry on), with the number of the
mover and the totals so far where the question needs them. Its key is

- `packed`: the fields as bits of one unsigned 64-bit word, or of two (see
  `compiler.packing.Packing`, which the compiled engine uses too),
- `text`: JSON without blanks, `[state, mover, totals]`, where two words do not suffice, or
- `dense`: the row's own number, the rules' `rank` of the state (no column at all).

Values are exact future payoffs: per player, or (`viewpoint` is `mover`) the mover's and the other's. The form of
`values` says how:

- `score`: one whole number for games won, drawn or lost. 0 is a draw, `most + 1 -
  distance` a win, `distance - most - 1` a loss: the larger the better;
- `numbers`: whole numbers over a `unit` that all rows share;
- `fractions`: numerator and denominator;
- `texts`: `p/q` in decimal digits, hexadecimal where that is very long;
- `ends`: proven lower and upper ends over a `unit` that is a power of two, and the exact
  value, as text, where it is known.

Where the entries always have one `sum`, only the first is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

from endsight.game.numbers import Amount, Interval, Number, exact_text, hex_text, is_enclosed, simplest
from endsight.storage.sealed import require_shape

KeyForm: TypeAlias = Literal["packed", "text", "dense"]
Viewpoint: TypeAlias = Literal["players", "mover"]
ValueForm: TypeAlias = Literal["score", "numbers", "fractions", "texts", "ends"]
_PARTS: dict[str, tuple[str, ...]] = {
    "score": (),
    "numbers": ("value",),
    "fractions": ("numerator", "denominator"),
    "texts": ("value",),
    "ends": ("lower", "upper", "exact"),
}
_LATER = {"rounds", "exchanges"}
"""Entries missing in earlier versions."""


@dataclass(frozen=True)
class Layout:
    """Meaning of the columns; the same for all parts of a solution.

    keys, words       form of keys; how many words a packed one has
    fields, limits    of packed states (and `es_mover` last, where keys hold it)
    merges            whether states are the canonical ones of the rules
    has_mover, has_totals   whether keys hold the mover, and the totals so far
    viewpoint, entries, sum   of values; `entries` how many a row stands for
    values, unit      form of values
    outcomes          for `score`: the entries of a win, a draw and a loss
    most              for `score`: the longest distance
    has_distances     whether there is a column of distances beside other values
    has_best          whether there is a column of best moves: number of the move, in the
                      rules' order, that best play takes; -1 at ends and at chance
    has_forced        whether there is a column of moves that must be taken (see `Table.forced`)
    rounds            whether positions in which a player answers chance have no rows: their
                      values are the best of those that their moves lead to
    exchanges         whether a state and the one with the players exchanged share a row, that
                      of the larger key
    """

    keys: KeyForm
    words: int
    fields: tuple[str, ...]
    limits: tuple[int, ...]
    merges: bool
    has_mover: bool
    has_totals: bool
    viewpoint: Viewpoint
    entries: int
    sum: str | None
    values: ValueForm
    unit: str
    outcomes: tuple[tuple[str, ...], ...]
    most: int
    has_distances: bool
    has_best: bool
    has_forced: bool
    rounds: bool = False
    exchanges: bool = False

    @property
    def key_columns(self) -> tuple[str, ...]:
        """Names of the key columns."""
        if self.keys == "dense":
            return ()
        return ("key_hi", "key_lo") if self.keys == "packed" and self.words == 2 else ("key",)

    @property
    def group_rows(self) -> int:
        """Rows of a row group: more where there are no keys to decode."""
        return 65_536 if self.keys == "dense" else 8_192

    @property
    def stored(self) -> int:
        """The number of entries of a value that have columns."""
        return 1 if self.sum is not None else self.entries

    @property
    def value_columns(self) -> tuple[str, ...]:
        """Names of the columns of values and distances."""
        names = ["score"] if self.values == "score" else []
        names += [f"{part}_{entry}" for entry in range(self.stored) for part in _PARTS[self.values]]
        optional = {"distance": self.has_distances, "best": self.has_best, "forced": self.has_forced}
        return (*names, *(name for name, is_there in optional.items() if is_there))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns in order."""
        return self.key_columns + self.value_columns

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {key: _plain(value) for key, value in asdict(self).items()}

    @staticmethod
    def from_document(document: Any) -> Layout:
        """The inverse of `document`; raises `ValueError` for anything else."""
        if not isinstance(document, dict) or set(document) | _LATER != set(Layout.__annotations__):
            raise ValueError("a layout has exactly the entries " + ", ".join(Layout.__annotations__))
        require_shape(document, Layout)
        layout = Layout(**{key: as_tuples(value) for key, value in document.items()})
        layout._require_sense()
        return layout

    def _require_sense(self) -> None:
        """Raise `ValueError` for entries that do not fit together."""
        numbers = [
            *(text for outcome in self.outcomes for text in outcome),
            self.unit,
            *([self.sum] if self.sum else []),
        ]
        is_wrong = [
            len(self.fields) != len(self.limits),
            self.values == "score" and [len(outcome) for outcome in self.outcomes] != [self.entries] * 3,
            min(self.words, self.most, self.entries - 1, *self.limits, 0) < 0,
            self.words > 2,
            any(number_of(text) is None for text in numbers) or number_of(self.unit) < 1,
        ]
        if any(is_wrong):
            raise ValueError("its entries do not fit together")

    # ---------------------------------------------------------------- single values

    def score_row(self, score: int) -> tuple[tuple[Number, ...], int | None]:
        """The entries and distance that a score encodes; `ValueError` where it encodes none."""
        win, draw, loss = self._outcomes
        if abs(score) > self.most + 1:
            raise ValueError(f"score {score}, of {self.most + 1} at most")
        if score == 0:
            return draw, None
        return (win, self.most + 1 - score) if score > 0 else (loss, self.most + 1 + score)

    @cached_property
    def _outcomes(self) -> tuple[tuple[Number, ...], ...]:
        return tuple(tuple(map(number_of, outcome)) for outcome in self.outcomes)


def _plain(value: Any) -> Any:
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def as_tuples(value: Any) -> Any:
    """Plain data with tuples where it has lists."""
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def text_of(value: Number) -> str:
    """`p/q`, or `p`; in hexadecimal where decimal digits would be thousands."""
    return exact_text(value) or hex_text(value)


def number_of(text: str) -> Number:
    """The inverse of `text_of`; raises `ValueError` for anything else."""
    numerator, slash, denominator = text.partition("/")
    base = 16 if "x" in text else 10
    if not slash:
        return int(numerator, base)
    return simplest(Fraction(int(numerator, base), int(denominator, base)))


def amount_texts(value: Amount) -> str | list[str]:
    """A number as text, or its two ends."""
    if is_enclosed(value):
        return [text_of(value.lower), text_of(value.upper)]
    return text_of(value)


def amount_of(text: str | Sequence[str]) -> Amount:
    """The inverse of `amount_texts`."""
    if isinstance(text, str):
        return number_of(text)
    low, high = map(number_of, text)
    return Interval(Fraction(low), Fraction(high))
