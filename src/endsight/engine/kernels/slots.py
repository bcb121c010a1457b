"""A table of keys: entering keys, enlarging it where it stands, putting scores beside keys."""

from __future__ import annotations

from endsight.compiler.kernels.keys import *


def enter(
    p_table: Numbers,
    h_numbers: Numbers,
    is_numbered: int,
    mask: int,
    p_order: Numbers,
    first: int,
    stop: int,
    code_bits: int,
    code: int,
) -> int:
    """Put the keys `first` .. `stop` - 1 of `p_order` into a table, with their numbers if `is_numbered`."""
    for at in range(first, stop):
        if at + 16 < stop:
            es_touch(p_table, es_slot(es_load_key(p_order, at + 16), mask))
        slot = es_put_new(p_table, mask, es_load_key(p_order, at), code_bits, code)
        if is_numbered != 0:
            h_numbers[slot] = at
    return 0


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
    while p_table[slot * KEY_WORDS] & ((1 << code_bits) - 1) != 0:
        slot = (slot + 1) & mask
    es_put(p_table, slot, key, code_bits, code)
    return slot


def place(
    p_table: Numbers,
    mask: int,
    h_scores: Numbers,
    p_values: Numbers,
    p_order: Numbers,
    p_given: Numbers,
    first: int,
    stop: int,
    code_bits: int,
    wide: int,
    fetches: int,
) -> int:
    """Scores of the keys `first` .. `stop` - 1 of `p_order`, all in the table: put beside it, or fetched from there.

    They stand in `p_values` where `wide`, else in `h_scores`.
    """
    for at in range(first, stop):
        if at + 16 < stop:
            es_touch(p_table, es_slot(es_load_key(p_order, at + 16), mask))
        key = es_load_key(p_order, at)
        slot = es_slot(key, mask)
        while es_get(p_table, slot, code_bits) != key or p_table[slot * KEY_WORDS] & ((1 << code_bits) - 1) == 0:
            slot = (slot + 1) & mask
        if fetches != 0:
            p_given[at] = p_values[slot] if wide != 0 else h_scores[slot]
        elif wide != 0:
            p_values[slot] = p_given[at]
        else:
            h_scores[slot] = p_given[at]
    return 0
