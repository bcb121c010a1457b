"""Rows of a stored solution as columns of Arrow tables, a block at a time.

Values are exact texts, computed for a whole block at once: numpy reduces the fractions, and Arrow writes them. Numbers
beyond 64 bits are Python's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from endsight.errors import EndsightError, FileError
from endsight.game import CHANCE, TOGETHER
from endsight.game.numbers import full_text, simplest
from endsight.game.position import as_text
from endsight.game.results import mover_in
from endsight.storage.keys import columns_of
from endsight.storage.layout import number_of
from endsight.storage.parts import Block
from endsight.storage.source import RowPlace
from endsight.storage.tablebase import Entry as Told
from endsight.storage.tablebase import Tablebase

Words: TypeAlias = npt.NDArray[np.int64]
Whole: TypeAlias = npt.NDArray[Any]
"""Whole numbers, as words or as Python's own."""
Entry: TypeAlias = "tuple[_Fractions, _Fractions]"
"""Lower and upper bound of one entry of every row's value, the same where values are exact."""
_MOST = 1 << 61
"""Numbers up to this size can be added, doubled and compared in 64 bits."""


def column_names(table: Tablebase, *, fields: bool) -> list[str]:
    """Names of the columns of `tables`."""
    game, parts = table.game, ("lower", "upper") if table.manifest.layout.values == "ends" else ("value",)
    place = table.source.keys.names if fields else ["position"]
    values = [f"{part}_{_storable(name)}" for name in game.player_names for part in parts]
    return [*place, "to_move", *values, "category", "distance"]


def tables(table: Tablebase, *, fields: bool = False) -> Iterator[pa.Table]:
    """All stored states in the order of the files, one Arrow table for each block.

    `position` in the game's own notation, as `Game.position_from` reads it, or with `fields` a column for every field
    of the state; `to_move`, whose turn it is, also at the end; `value_PLAYER` as text
    (`lower_PLAYER` and `upper_PLAYER` where only bounds are proven); `category`; `distance`.
    """
    reader = _BlockReader(table, fields)
    for block in table.source.blocks():
        if not block.is_empty:
            yield reader.table(block)


def _storable(text: str) -> str:
    """The text with lone surrogates, which no file can hold, as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


class _BlockReader:
    """Decodes the blocks of one solution."""

    def __init__(self, table: Tablebase, fields: bool) -> None:
        self.table_of = table
        self.game = table.game
        self.source = table.source
        self.layout = table.manifest.layout
        self.fields = fields
        self.has_bounds = self.layout.values == "ends"
        self.names = column_names(table, fields=fields)
        self.movers = pa.array(["chance", *map(_storable, self.game.player_names)], pa.string())
        total = self.layout.sum
        self.total = None if total is None else Fraction(number_of(total))
        question, is_seated = self.source.view.question, self.game.gives("seat") and not self.game.gives("to_move")
        self.changes_places = is_seated and not question.fixed and question.objective == "competitive"
        self.draw = Fraction(1, 2) if self.source.view.question.utility == "win" else Fraction(0)

    def table(self, block: Block) -> pa.Table:
        """The rows of a block."""
        rows = np.flatnonzero(block.present) if self.layout.keys == "dense" else np.arange(block.rows)
        places = self._places(block, rows)
        columns = places.fields if self.fields else [pa.array(self._shown(places), pa.string())]
        columns.append(self._names_of_movers(places))
        try:
            columns += self._values(block, rows, places)
        except EndsightError:
            raise
        except (ValueError, TypeError, ArithmeticError, LookupError) as error:  # those of Arrow are some of these
            raise FileError(f"{self.source.folder} holds a row that cannot be read", found=str(error)) from error
        return pa.table(columns, self.names)

    # ---------------------------------------------------------------- positions

    def _names_of_movers(self, places: _Places) -> pa.Array:
        """The movers by name: `first and second` where they move at once."""
        names = self.movers.take(pa.array(np.maximum(places.seats, CHANCE) + 1))
        together = np.flatnonzero(places.movers == TOGETHER).tolist()
        groups: dict[int, Any] = {row: self.game.to_move(places.states[row]) for row in together}
        players = self.game.player_names
        return _replaced(names, {row: " and ".join(players[each] for each in group) for row, group in groups.items()})

    def _places(self, block: Block, rows: Words) -> _Places:
        """The states of some rows, and their movers: the first player where only play would tell."""
        keys = self.source.keys
        if self.layout.keys == "packed":
            found = columns_of(keys.packing, tuple(block.keys))
            keys.require_states(found)
            stored = dict(zip(self.layout.fields, found, strict=True))
            columns = [stored[name] for name in keys.names]
            movers = stored.get("es_mover", np.zeros(len(rows), np.int64))
            asks = self.game.gives("to_move") or (not self.layout.has_mover and self.game.gives("seat"))
            states: list[Any] = []
            if asks or self.changes_places or not self.fields:
                states = list(map(keys.state, zip(*(column.tolist() for column in columns), strict=True)))
            movers = self._asked(states) if asks else movers
            seats = self._asked(states) if self.changes_places else movers
            return _Places(states, movers, seats, [pa.array(column) for column in columns])
        nodes = [keys.node(key) for row in rows.tolist() if (key := block.key(row)) is not None]
        positions = list(map(keys.position, nodes))
        states = [position.state for position in positions]
        movers = np.array([position.mover for position in positions], np.int64)
        seats = self._asked(states) if self.changes_places else movers
        return _Places(
            states, movers, seats, [_field_column(column) for column in zip(*map(keys.numbers, states), strict=True)]
        )

    def _shown(self, places: _Places) -> Iterator[str]:
        """The texts of the positions, each as it is read back: with the mover before what does not tell it."""
        game = self.game
        is_told = game.gives("to_move") or game.gives("seat")
        before = ["" if is_told or mover == 0 else f"{name}: " for mover, name in enumerate(game.player_names)]
        for state, mover in zip(places.states, places.movers.tolist(), strict=True):
            yield _storable(before[max(mover, 0)] + as_text(game, "show", state))

    def _asked(self, states: Sequence[Any]) -> Words:
        """The movers by the rules."""
        ask = partial(mover_in, self.game) if self.game.gives("to_move") else self.game.seat
        return np.fromiter(map(ask, states), np.int64, len(states))

    # ---------------------------------------------------------------- values

    def _values(self, block: Block, rows: Words, places: _Places) -> list[pa.Array]:
        """Values, categories and distances."""
        entries = self._entries(block, rows)
        own = entries[0] if self.layout.viewpoint == "mover" else _chosen(entries, places.movers)
        if self.layout.viewpoint == "mover" and len(entries) == 2:
            is_second = places.movers == 1
            entries = [_either(is_second, entries[1], entries[0]), _either(is_second, entries[0], entries[1])]
        nothing = _Fractions(np.zeros(len(rows), np.int64), np.ones(len(rows), np.int64))
        entries += [(nothing, nothing)] * (len(self.game.player_names) - len(entries))
        exact = self._exact_texts(block, rows, len(entries)) if self.has_bounds else {}
        values = [
            _replaced(bound.text(), exact.get(player, {}))
            for player, entry in enumerate(entries)
            for bound in (entry if self.has_bounds else entry[:1])
        ]
        if (turned := places.seats != places.movers).any():
            # Of two opposed players who change places, the mover keeps what the mover gets.
            others = values[len(values) // 2 :] + values[: len(values) // 2]
            values = [pc.if_else(pa.array(turned), *pair) for pair in zip(others, values, strict=True)]
        told = self._told_apart(block, rows)
        categories = _replaced(self._categories(own, places.movers), {row: each.category for row, each in told.items()})
        distances = self._distances(block, rows)
        if told:
            known = enumerate(distances.to_pylist())
            distances = pa.array([told[row].distance if row in told else plies for row, plies in known], pa.int32())
        return [*values, categories, distances]

    def _told_apart(self, block: Block, rows: Words) -> dict[int, Told]:
        """What is told of those of the rows at which other facts hold than of the whole game."""
        table, keys, told = self.table_of, self.source.keys, dict[int, Told]()
        for number, row in enumerate(() if self.source.play_facts.are_full else rows.tolist()):
            key = block.key(row)
            assert key is not None, "only rows that hold a state are asked about"
            position = keys.position(keys.node(key))
            if table.told_at(position).source is not self.source:
                told[number] = table.entry(position, self.source.row_at(position, RowPlace(block, row)))
        return told

    def _entries(self, block: Block, rows: Words) -> list[Entry]:
        """The entries of every row's value in the form of the layout."""
        stored = self.layout.entries if self.layout.values == "score" else self.layout.stored
        entries = [self._entry(block, rows, entry) for entry in range(stored)]
        if self.total is not None:
            low, high = (bound.less_than(self.total) for bound in entries[0])
            entries.append((high, low))
        return entries

    def _entry(self, block: Block, rows: Words, entry: int) -> Entry:
        """An entry with its own columns; where games are won, drawn or lost, by the sign of the score."""
        columns, unit, form = block.columns, number_of(self.layout.unit), self.layout.values
        if form == "ends":
            low, high = (_Fractions.of(columns[f"{bound}_{entry}"], unit, rows) for bound in ("lower", "upper"))
            return low, high
        if form == "score":
            amounts = [Fraction(number_of(outcome[entry])) for outcome in self.layout.outcomes]
            places = 1 - np.sign(np.asarray(columns["score"])[rows].astype(np.int64))
            found = _Fractions.of([each.numerator for each in amounts], [each.denominator for each in amounts], places)
        elif form == "numbers":
            found = _Fractions.of(columns[f"value_{entry}"], unit, rows)
        elif form == "fractions":
            found = _Fractions.of(columns[f"numerator_{entry}"], columns[f"denominator_{entry}"], rows)
        else:
            amounts = [Fraction(number_of(text)) for text in np.asarray(columns[f"value_{entry}"], object)[rows]]
            every = np.arange(len(rows))
            found = _Fractions.of([each.numerator for each in amounts], [each.denominator for each in amounts], every)
        return found, found

    def _exact_texts(self, block: Block, rows: Words, players: int) -> dict[int, dict[int, str]]:
        """By player and row, the known exact values among bounds."""
        texts: dict[int, dict[int, str]] = {player: {} for player in range(players)}
        for entry in range(self.layout.stored):
            column = block.columns[f"exact_{entry}"]
            if column.count(None) == len(column):
                continue
            for place, text in enumerate(column[row] for row in rows.tolist()):
                if text is not None:
                    texts[entry][place] = full_text(number_of(text))
                    if self.total is not None:
                        texts[1][place] = full_text(self.total - number_of(text))
        return texts

    def _categories(self, own: Entry, movers: Words) -> pa.Array:
        """Win, draw or loss of the player to move, in games that are only won, drawn or lost."""
        if not self.source.is_win_loss:
            return pa.array(["value"] * len(movers), pa.string())
        low, high = (bound.compared(self.draw) for bound in own)
        codes = np.where((low != high) | (movers < 0), 2, low)
        return pa.array(["loss", "draw", "win", "value"], pa.string()).take(pa.array(codes + 1))

    def _distances(self, block: Block, rows: Words) -> pa.Array:
        if self.layout.values == "score":
            scores = np.asarray(block.columns["score"])[rows].astype(np.int64)
            largest = int(np.abs(scores).max(initial=0))
            if largest > self.layout.most + 1:
                raise ValueError(f"score {largest}, of {self.layout.most + 1} at most")
            return pa.array(self.layout.most + 1 - np.abs(scores), pa.int32(), mask=scores == 0)
        if not self.layout.has_distances:
            return pa.nulls(len(rows), pa.int32())
        return pa.array(block.columns["distance"]).take(pa.array(rows)).cast(pa.int32())


@dataclass(frozen=True)
class _Places:
    """The states of some rows (none unless needed), their movers, and their fields as columns.

    `canonical` may give a state that names the other player; `seats` are the movers by the states.
    """

    states: list[Any]
    movers: Words
    seats: Words
    fields: list[pa.Array]


@dataclass(frozen=True)
class _Fractions:
    """A fraction in lowest terms for every row: numbers as of `_whole`, denominators above 0."""

    numerators: Whole
    denominators: Whole

    @staticmethod
    def of(numerators: Any, denominators: Any, rows: Words) -> _Fractions:
        """Fractions of some rows of two columns, or of a column and one number."""
        return _Fractions.reduced(_whole(numerators, rows), _whole(denominators, rows))

    @staticmethod
    def reduced(numerators: Whole, denominators: Whole) -> _Fractions:
        """Fractions in lowest terms."""
        common = np.gcd(numerators, denominators)
        return _Fractions(numerators // common, denominators // common)

    def less_than(self, total: Fraction) -> _Fractions:
        """`total` minus each of them."""
        above, below = self.numerators, self.denominators
        sizes = (-above.min(initial=0), above.max(initial=0), below.max(initial=0))
        if max(map(int, sizes)) * max(abs(total.numerator), total.denominator) >= _MOST:
            above, below = above.astype(object), below.astype(object)
        if total.denominator == 1:
            return _Fractions(total.numerator * below - above, below)
        return _Fractions.reduced(total.numerator * below - total.denominator * above, total.denominator * below)

    def compared(self, number: Fraction) -> Words:
        """1 where larger than a small number, 0 where equal, else -1."""
        signs = np.sign(number.denominator * self.numerators - number.numerator * self.denominators)
        told: Words = signs.astype(np.int64)
        return told

    def text(self) -> pa.Array:
        """`p/q`, or `p` where that is whole."""
        if self.numerators.dtype == object or self.denominators.dtype == object:
            pairs = zip(self.numerators.tolist(), self.denominators.tolist(), strict=True)
            return pa.array([full_text(simplest(Fraction(*pair))) for pair in pairs], pa.string())
        numerators = pa.array(self.numerators).cast(pa.string())
        is_whole = self.denominators == 1
        if is_whole.all():
            return numerators
        fractions = pc.binary_join_element_wise(numerators, pa.array(self.denominators).cast(pa.string()), "/")
        return pc.if_else(pa.array(is_whole), numerators, fractions)


def _whole(column: Any, rows: Words) -> Whole:
    """Some rows of a column of whole numbers (texts where they are long), or one number for all of them.

    They are words where all of them can be added, doubled and compared in 64 bits, else Python's own numbers.
    """
    if isinstance(column, int):
        taken: Whole = np.full(len(rows), column, object)
    else:
        taken = np.asarray(column, object if isinstance(column, list) else None)[rows]
    if taken.dtype == object:
        taken[:] = [number_of(number) if isinstance(number, str) else number for number in taken.tolist()]
    is_short = int(taken.min(initial=0)) > -_MOST and int(taken.max(initial=0)) < _MOST
    return taken.astype(np.int64 if is_short else object)


def _either(takes_first: npt.NDArray[np.bool_], first: Entry, second: Entry) -> Entry:
    """The first entry in the rows of `takes_first`, else the second."""
    low, high = (
        _Fractions(
            np.where(takes_first, one.numerators, other.numerators),
            np.where(takes_first, one.denominators, other.denominators),
        )
        for one, other in zip(first, second, strict=True)
    )
    return low, high


def _chosen(entries: Sequence[Entry], movers: Words) -> Entry:
    """The mover's entry, the first player's at chance."""
    own = entries[0]
    for player, entry in enumerate(entries):
        own = _either(movers == player, entry, own)
    return own


def _replaced(column: pa.Array, texts: dict[int, str]) -> pa.Array:
    """The column with some of its texts replaced."""
    if not texts:
        return column
    replaced = column.to_pylist()
    for place, text in texts.items():
        replaced[place] = text
    return pa.array(replaced, pa.string())


def _field_column(values: Sequence[Any]) -> pa.Array:
    """A field of every state: whole numbers, or else JSON."""
    if all(type(value) is int and abs(value) < 1 << 63 for value in values):
        return pa.array(values, pa.int64())
    return pa.array([json.dumps(value) for value in values], pa.string())
