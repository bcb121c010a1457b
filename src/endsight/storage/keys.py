"""Keys of rows: from nodes and positions to numbers or texts, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.compiler.columns import fields_of, keys_of
from endsight.compiler.packing import Packing
from endsight.compiler.refusal import CannotCompile
from endsight.errors import FileError, RulesError
from endsight.errors.rules_guard import brief
from endsight.game import TOGETHER, Game
from endsight.game.codec import Codec
from endsight.game.numbers import simplest
from endsight.game.position import Position, as_text
from endsight.game.results import mover_in
from endsight.graph.objective import TrackedNode
from endsight.storage.layout import Layout, as_tuples, number_of, text_of

Key: TypeAlias = "int | str"
"""A packed key (the second word above the first), a dense row number, or a text."""

_WORD = 64
_LOW = (1 << _WORD) - 1
_ODD = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError)
"""What decoding a key raises that nobody wrote."""


def packing_of(game: Game, *, has_mover: bool, has_totals: bool) -> Packing | None:
    """How states of a game are packed into words; None if two words do not suffice."""
    if has_totals:
        return None
    try:
        return Packing.of(game, game.player_count if has_mover else 0)
    except CannotCompile:
        return None


class KeyCodec:
    """Converts nodes to keys and back under one layout, for one game."""

    def __init__(self, game: Game, layout: Layout) -> None:
        self.game = game
        self.layout = layout
        self._codec = Codec(game) if game.gives("limits") else None
        self.names: Sequence[str] = game.State._fields if self._codec is None else self._codec.names
        """The names of the whole numbers of a state."""
        if layout.keys == "packed":
            self._check_fields()
            names = [*self.names, *(["es_mover"] if layout.has_mover else [])]
            single = self.packing.words == 1 and not self.packing.is_radix
            self._bits = [(names.index(layout.fields[piece.field]), piece.at) for piece in self.packing.pieces]
            self._bits = self._bits if single else []
            self._limits = [layout.limits[layout.fields.index(name)] for name in names]
            self._order = [names.index(name) for name in layout.fields]
            self._back = [layout.fields.index(name) for name in names]

    @cached_property
    def packing(self) -> Packing:
        """The packing in the layout; equal to `packing_of` for the game."""
        return Packing(self.layout.fields, self.layout.limits)

    def _check_fields(self) -> None:
        own = packing_of(self.game, has_mover=self.layout.has_mover, has_totals=False)
        fields = set(zip(self.layout.fields, self.layout.limits, strict=False))
        if own is None or set(zip(own.names, own.limits, strict=True)) != fields or own.words != self.layout.words:
            raise FileError(
                f"the stored states of {self.game.title()} have other fields than its rules",
                found=f"{self.layout.fields} up to {self.layout.limits}",
                allowed="the fields and limits() of the rules" if own is None else f"{own.names} up to {own.limits}",
            )

    # ---------------------------------------------------------------- node -> key

    def of(self, node: Any) -> Key | None:
        """The key of a node as in `View.key`; None for one that no row can have."""
        state, mover, totals = node if self.layout.has_mover else (node, 0, ())
        if self.layout.keys == "packed":
            if self._codec is not None and not self._codec.is_plain:
                if self._codec.problem(state) is not None:
                    return None
                state = self._codec.numbers(state)
            fields = (*state, mover) if self.layout.has_mover else state
            if self._bits:
                return self._single(fields)
            words = self.packing.key([fields[field] for field in self._order])
            if words is None:
                return None
            return words[0] if len(words) == 1 else words[1] << _WORD | words[0]
        if self.layout.keys == "dense":
            return self.dense(state, mover)
        return text_key(self.numbers(state), mover, totals)

    def numbers(self, state: Any) -> Sequence[Any]:
        """A state as whole numbers, named by `names`; without `limits()` its fields may be tuples of them."""
        return state if self._codec is None else self._codec.numbers(state)

    def state(self, numbers: Sequence[Any]) -> Any:
        """The state that these numbers encode; the inverse of `numbers`."""
        try:
            return self.game.State(*map(as_tuples, numbers)) if self._codec is None else self._codec.state(numbers)
        except _ODD as error:
            raise self._no_state(numbers) from error

    def require_states(self, columns: Iterable[npt.NDArray[np.int64]]) -> None:
        """Raise `FileError` where a number of stored states, column by column as in `fields`, is above its limit."""
        for column, limit in zip(columns, self.layout.limits, strict=True):
            if int(column.max(initial=0)) > limit:
                raise self._no_state(int(column.max()))

    def _no_state(self, found: object) -> FileError:
        return FileError(
            f"the stored solution holds a key that is no state of {self.game.title()}", found=f"{found}"[:200]
        )

    def _single(self, fields: Sequence[int]) -> int | None:
        """The key in one word: the shortest path, as most look-ups need it."""
        for value, limit in zip(fields, self._limits, strict=True):
            if not 0 <= value <= limit:
                return None
        key = 0
        for field, place in self._bits:
            key |= fields[field] << place
        return key

    def words(self, nodes: Sequence[Any]) -> tuple[npt.NDArray[np.uint64], ...]:
        """Packed keys of many nodes, word by word, the highest first."""
        of = self.numbers
        rows = [(*of(node[0]), node[1]) for node in nodes] if self.layout.has_mover else list(map(of, nodes))
        fields = list(zip(*rows, strict=True))
        return keys_of(self.packing, [np.array(fields[field], np.int64) for field in self._order])[::-1]

    def dense(self, state: Any, mover: int) -> int:
        """The row of a state: the rules' rank, times the number of players where keys hold the mover."""
        rank: int = self.game.rank(state)  # type: ignore[attr-defined]
        if isinstance(rank, bool) or not isinstance(rank, int) or rank < 0:
            raise RulesError(
                f"{self.game.title()}: rank must be a whole number from 0 up", found=f"{rank!r} for {brief(state)}"
            )
        return rank * self.game.player_count + mover if self.layout.has_mover else rank

    def are_for(self, key: Key, node: Any) -> bool:
        """Whether a key is that node's own: a state that play never reaches may have the rank of another one."""
        return self.layout.keys != "dense" or bool(self.node(key) == node)

    # ---------------------------------------------------------------- key -> node

    def node(self, key: Key) -> Any:
        """The inverse of `of`."""
        if isinstance(key, str):
            try:
                fields, mover, totals = json.loads(key)
                is_odd = not (_is_whole(fields) and type(mover) is int and TOGETHER <= mover < self.game.player_count)
                totals = tuple(map(number_of, totals))
            except _ODD as error:
                raise self._no_state(key) from error
            if is_odd or len(fields) != len(self.names):
                raise self._no_state(key)
            state = self.state(fields)
            if self._codec is not None and self._codec.problem(state) is not None:
                raise self._no_state(key)
            return TrackedNode(state, mover, totals) if self.layout.has_mover else state
        if self.layout.keys == "packed":
            words = [key & _LOW, key >> _WORD][: self.layout.words]
            columns = fields_of(self.packing, np.array([words], np.uint64).astype(np.int64))
            self.require_states(columns)
            fields = [int(columns[field][0]) for field in self._back]
            mover = fields.pop() if self.layout.has_mover else 0
            state = self.state(fields)
        else:
            number, mover = divmod(key, self.game.player_count) if self.layout.has_mover else (key, 0)
            state = self.game.State(*self.game.unrank(number))  # type: ignore[attr-defined]
        return TrackedNode(state, mover, ()) if self.layout.has_mover else state

    def position(self, node: Any) -> Position:
        """A position at a node, as if set up; its mover is the first player where only play would tell."""
        game = self.game
        state, mover, totals = node if self.layout.has_mover else (node, 0, ())
        if game.gives("to_move"):
            mover = mover_in(game, state)
        elif not self.layout.has_mover and game.gives("seat"):
            mover = game.seat(state)
        so_far = totals if totals else (0,) * game.player_count
        return Position(game, state, mover, so_far, (), as_text(game, "show", state))


def text_key(numbers: Sequence[Any], mover: int, totals: Sequence[Any]) -> str:
    """`[numbers, mover, totals]` as JSON; raises `RulesError` unless the state is whole numbers or tuples of them."""
    return json.dumps(
        [list(map(_whole, numbers)), mover, [text_of(simplest(Fraction(total))) for total in totals]],
        separators=(",", ":"),
    )


def _is_whole(value: Any) -> bool:
    return type(value) is int or (isinstance(value, list) and all(map(_is_whole, value)))


def _whole(value: Any) -> Any:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, tuple):
        return list(map(_whole, value))
    raise RulesError(
        "a state that cannot be stored",
        found=brief(value),
        allowed="without limits(), fields of whole numbers, or tuples of them",
        advice="give limits(), the largest value of every field",
    )


# -------------------------------------------------------------------- the order of fields in a key

# It is the one whose sorted keys lie closest. They are stored as differences, so the choice of the highest field
# matters: on boards of two bit sets it affects about half of the bytes.


Words = tuple[npt.NDArray[np.uint64], ...]
"""Keys word by word, the highest first."""

_SAMPLED = 1 << 18
# Odd, from the golden ratio: multiplying by it mixes all bits.
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_BLOCK = 32
"""The number of differences that DELTA_BINARY_PACKED stores with the same number of bits."""


def sample_of(words: Words, total: int) -> Words:
    """About a quarter of a million keys of `total` in all: the same ones for any order and division of the keys."""
    step = sampling_step(total)
    if step == 1:
        return words
    mixed = np.zeros(len(words[0]), np.uint64)
    for word in words:
        mixed = (mixed ^ word) * _MIXER
        mixed ^= mixed >> np.uint64(32)
    taken = mixed % np.uint64(step) == 0
    return tuple(word[taken] for word in words)


def sampling_step(total: int) -> int:
    """A sample of `total` keys takes one out of this many."""
    return max(1, total // _SAMPLED)


def order_for(packing: Packing, sample: Words) -> Packing:
    """The packing under which a sample of keys takes the fewest bits, among those with any one field moved in front.

    The first field stays there among equals.
    """
    columns = columns_of(packing, sample)
    fields = range(len(packing.names))
    others = (reordered(packing, [first, *(each for each in fields if each != first)]) for first in fields[1:])
    candidates = [packing, *others]
    costs = [_bits(packed_words(each, packing, columns)) for each in candidates]
    return candidates[costs.index(min(costs))]


def reordered(packing: Packing, order: list[int]) -> Packing:
    """The packing of the same fields in another order."""
    return Packing(tuple(packing.names[field] for field in order), tuple(packing.limits[field] for field in order))


def words_of(keys: npt.NDArray[np.int64]) -> Words:
    """The keys word by word; `keys` has a row for each key, its lowest word first, as in the compiled engine."""
    words = keys.view(np.uint64)
    return tuple(np.ascontiguousarray(words[:, word]) for word in reversed(range(keys.shape[1])))


def rows_of(words: Words) -> npt.NDArray[np.int64]:
    """The inverse of `words_of`."""
    return np.stack(words[::-1], axis=1).view(np.int64)


def columns_of(packing: Packing, words: Words) -> list[npt.NDArray[np.int64]]:
    """The keys' values of each field."""
    return fields_of(packing, rows_of(words))


def packed_words(packing: Packing, given: Packing, columns: list[npt.NDArray[np.int64]]) -> Words:
    """Keys under `packing` from columns in the order of `given`'s fields."""
    fields = [columns[given.names.index(name)] for name in packing.names]
    return keys_of(packing, fields)[::-1]


def _bits(words: Words) -> float:
    """The approximate number of bits of the differences of the sorted keys."""
    order = np.lexsort(words[::-1])
    total = 0.0
    for word in words:
        steps = np.diff(word[order].view(np.int64))
        blocks = steps[: len(steps) // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
        if len(blocks):
            spread = (blocks.max(axis=1) - blocks.min(axis=1)).view(np.uint64).astype(np.float64)
            total += float(np.log2(spread + 1).sum())
    return total
