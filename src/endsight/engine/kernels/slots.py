"""A table of keys: entering keys, enlarging it where it stands, putting scores beside keys."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.keys import *


def enter(keys: Keys, h_numbers: Numbers, is_numbered: int, first: int, stop: int, code_bits: int, code: int) -> int:
    """Put the keys `first` .. `stop` - 1 of the list into the table, with their numbers if `is_numbered`."""
    for at in range(first, stop):
        es_touch_ahead(keys, at, stop)
        slot = es_put_new(keys.p_table, keys.mask, es_load_key(keys.p_order, at), code_bits, code)
        if is_numbered != 0:
            h_numbers[slot] = at
    return 0


def es_touch_ahead(keys: Keys, at: int, stop: int) -> None:
    """Ask for the slot of a key that comes a little later in the list."""
    if at + 16 < stop:
        es_touch(keys.p_table, es_slot(es_load_key(keys.p_order, at + 16), keys.mask))


def enlarge(p_table: Numbers, old: int, slots: int, begin: int, first: int, stop: int, code_bits: int) -> int:
    """Enlarge a table of `old` slots to `slots` where it stands, steps `first` .. `stop` - 1 of `old`.

    The steps go round the old slots from the empty slot `begin` on. A key then moves back
    towards its home, or beyond the old slots; what lies between is in its final place already,
    so no search ever crosses a slot that is emptied later.
    """
    mask = slots - 1
    for step in range(first, stop):
        at = (begin + step) & (old - 1)
        code = p_table[at * KEY_WORDS] & ((1 << code_bits) - 1)
        if code != 0:
            key = es_get(p_table, at, code_bits)
            p_table[at * KEY_WORDS] = 0
            es_put_new(p_table, mask, key, code_bits, code)
    return 0


def es_put_new(p_table: Numbers, mask: int, key: Key, code_bits: int, code: int) -> int:
    """Put a key that is not in a table into its first empty slot from its home on; gives the slot."""
    slot = es_slot(key, mask)
    while not es_is_empty(p_table, slot, code_bits):
        slot = (slot + 1) & mask
    es_put(p_table, slot, key, code_bits, code)
    return slot


def es_is_empty(p_table: Numbers, slot: int, code_bits: int) -> bool:
    """Whether a slot holds no key."""
    return p_table[slot * KEY_WORDS] & ((1 << code_bits) - 1) == 0


class ScoresBeside(NamedTuple):
    """Scores by slots of a table: `p_values` where they are wide, else `h_scores`."""

    h_scores: Numbers
    p_values: Numbers
    is_wide: int


def place(
    keys: Keys, scores: ScoresBeside, p_given: Numbers, first: int, stop: int, code_bits: int, fetches: int
) -> int:
    """Scores of the keys `first` .. `stop` - 1 of the list, all in the table: put beside it, or fetched from there."""
    for at in range(first, stop):
        es_touch_ahead(keys, at, stop)
        key = es_load_key(keys.p_order, at)
        slot = es_slot(key, keys.mask)
        while es_get(keys.p_table, slot, code_bits) != key or es_is_empty(keys.p_table, slot, code_bits):
            slot = (slot + 1) & keys.mask
        if fetches != 0:
            p_given[at] = scores.p_values[slot] if scores.is_wide != 0 else scores.h_scores[slot]
        elif scores.is_wide != 0:
            scores.p_values[slot] = p_given[at]
        else:
            scores.h_scores[slot] = p_given[at]
    return 0
