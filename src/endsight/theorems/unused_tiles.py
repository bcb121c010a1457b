"""Dominoes as seen from the tail: which tiles are still unused, up to the names of the values.

Values with no tile laid are alike, and are only counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import isqrt
from typing import NamedTuple

from endsight.games.dominoes import Dominoes

_Key = tuple[int, ...]
"""What values are sorted by."""


class Tiles(NamedTuple):
    """The unused tiles that can still be reached. Value 0 is the tail.

    Bit w of `rows[v]` says that tile v-w is unused; `fresh` more values have all their tiles.
    """

    rows: tuple[int, ...]
    fresh: int


def free_rows(game: Dominoes, state: Dominoes.State) -> list[int]:
    """For every value, the bit set of values that its unused tiles lead to."""
    everything = (1 << game.n) - 1
    rows = [everything] * game.n
    used = state.used
    while used:
        last = used & -used
        tile = last.bit_length() - 1
        used ^= last
        # Tiles are numbered row by row of a triangle: isqrt inverts a * (a + 1) / 2.
        a = (isqrt(8 * tile + 1) - 1) // 2
        b = tile - a * (a + 1) // 2
        rows[a] &= ~(1 << b)
        rows[b] &= ~(1 << a)
    return rows


def unused_tiles(game: Dominoes, state: Dominoes.State) -> Tiles:
    """The unused tiles of a position whose tail is a value, values renamed."""
    rows = free_rows(game, state)
    return renamed(*compact(rows, state.tail)[:3])


def compact(rows: list[int], tail: int) -> tuple[list[int], int, int, list[int]]:
    """Rows, tail and number of fresh values, which stay unnamed, and the list of named values.

    A single fresh value is named, so `fresh` is never 1.
    """
    everything = (1 << len(rows)) - 1
    named = [value for value, row in enumerate(rows) if row != everything or value == tail]
    if len(named) == len(rows) - 1:
        named = list(range(len(rows)))
    kept = [sum(1 << place for place, other in enumerate(named) if rows[value] >> other & 1) for value in named]
    return kept, named.index(tail), len(rows) - len(named), named


def bits(number: int) -> Iterator[int]:
    """The members of a bit set, smallest first."""
    while number:
        last = number & -number
        number ^= last
        yield last.bit_length() - 1


@lru_cache(maxsize=1 << 14)
def _members(number: int) -> tuple[int, ...]:
    """The members of a bit set as a cached tuple, since rows repeat often."""
    return tuple(bits(number))


def renamed(rows: list[int], tail: int, fresh: int) -> Tiles:
    """The part that the tail reaches: the tail first, then by degree and double, refined by the neighbours.

    Equal positions get equal names, unless refinement takes values for alike that are not.
    """
    values = range(len(rows)) if fresh else _members(_reached(rows, tail))
    colors, weights = [0] * len(rows), [0] * len(rows)
    for value in values:
        # A reached value has a degree of at least 1, so nothing else has the tail's colour.
        color = 1 if value == tail else 2 * rows[value].bit_count() + (rows[value] >> value & 1)
        colors[value], weights[value] = color, color * color * 0x9E3779B1 + color
    weight_of = weights.__getitem__
    keys: dict[int, _Key] = {
        value: (value != tail, -colors[value], sum(map(weight_of, _members(rows[value])))) for value in values
    }
    if len(set(keys.values())) < len(values):
        keys = _told_apart(rows, keys)
    return Tiles(reordered(rows, sorted(values, key=keys.__getitem__)), fresh)


def _told_apart(rows: list[int], keys: dict[int, _Key]) -> dict[int, _Key]:
    """Keys refined by those of neighbours until all differ.

    Where that does not help, one of the first values that share a key is put before the others of them.
    """
    distinct = 0
    while True:
        ranks = {key: number for number, key in enumerate(sorted(set(keys.values())))}
        if len(ranks) == len(keys):
            return keys
        places = {value: 2 * ranks[key] for value, key in keys.items()}
        if len(ranks) == distinct:
            counts = Counter(places.values())
            chosen = min((value for value in places if counts[places[value]] > 1), key=places.__getitem__)
            places[chosen] -= 1
        distinct = len(ranks)
        place_of = places.__getitem__
        keys = {value: (places[value], *sorted(map(place_of, _members(rows[value])))) for value in keys}


def _reached(rows: list[int], tail: int) -> int:
    reached = todo = 1 << tail
    while todo:
        last = todo & -todo
        more = rows[last.bit_length() - 1] & ~reached
        reached |= more
        todo = todo ^ last | more
    return reached


def reordered(rows: list[int], order: list[int]) -> tuple[int, ...]:
    """The rows of the values in `order`, renamed 0, 1, 2, ...; other values have no unused tile to them."""
    places = [0] * len(rows)
    for number, value in enumerate(order):
        places[value] = 1 << number
    place_of = places.__getitem__
    return tuple([sum(map(place_of, _members(rows[value]))) for value in order])


def after(tiles: Tiles, value: int) -> tuple[list[int], int, int]:
    """Rows, tail and fresh values after the reply `value`; the first number without a row is a fresh value."""
    rows, fresh = list(tiles.rows), tiles.fresh
    for _ in range(0 if value < len(rows) else 2 if fresh == 2 else 1):
        new = len(rows)
        rows = [row | 1 << new for row in rows]
        rows.append((2 << new) - 1)
        fresh -= 1
    rows[0] &= ~(1 << value)
    if value:
        rows[value] &= ~1
    return rows, value, fresh


def replies(tiles: Tiles) -> Iterator[int]:
    """The new tails, with a single one for all fresh values."""
    yield from bits(tiles.rows[0])
    if tiles.fresh:
        yield len(tiles.rows)


def key_of(tiles: Tiles) -> int:
    """The tiles as one number, since a table of tuples would take several times the memory."""
    packed = 1
    for row in tiles.rows:
        packed = packed << len(tiles.rows) | row
    return packed << 40 | tiles.fresh
