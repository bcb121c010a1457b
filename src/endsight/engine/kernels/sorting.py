"""Long lists of keys: sorting, dropping repeats, finding those of one list in another."""

from __future__ import annotations

from endsight.compiler.kernels.keys import *


def sort_digit(p_keys: Numbers, p_sorted: Numbers, p_counts: Numbers, count: int, word: int, shift: int) -> int:
    """One pass of a radix sort: order `count` keys by 11 bits of one word, equal ones as they were.

    Gives 1 with the result in `p_sorted`, or 0 where all keys share the digit and nothing was moved.
    """
    for digit in range(2048):
        p_counts[digit] = 0
    for at in range(count):
        digit = (p_keys[at * KEY_WORDS + word] >> shift) & 2047
        p_counts[digit] = p_counts[digit] + 1
    total = 0
    largest = 0
    for digit in range(2048):
        same = p_counts[digit]
        p_counts[digit] = total
        total += same
        if same > largest:
            largest = same
    if largest == count:
        return 0
    for at in range(count):
        digit = (p_keys[at * KEY_WORDS + word] >> shift) & 2047
        place = p_counts[digit]
        p_counts[digit] = place + 1
        es_store_key(p_sorted, place, es_load_key(p_keys, at))
    return 1


def drop_repeats(p_keys: Numbers, count: int) -> int:
    """Keep one of equal neighbours among `count` sorted keys; gives how many are left."""
    kept = 0
    for at in range(count):
        key = es_load_key(p_keys, at)
        if kept == 0 or es_load_key(p_keys, kept - 1) != key:
            es_store_key(p_keys, kept, key)
            kept += 1
    return kept


def match(p_keys: Numbers, count: int, p_asked: Numbers, asked: int, p_places: Numbers) -> int:
    """For every one of `p_asked` its place in `p_keys`, -1 for none; both are sorted. Gives how many are missing."""
    at = 0
    missing = 0
    for number in range(asked):
        key = es_load_key(p_asked, number)
        while at < count and es_is_less(es_load_key(p_keys, at), key):
            at += 1
        if at < count and es_load_key(p_keys, at) == key:
            p_places[number] = at
        else:
            p_places[number] = -1
            missing += 1
    return missing
