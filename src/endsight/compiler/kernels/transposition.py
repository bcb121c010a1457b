"""A table of fixed size for bounds of values: it forgets, but never takes one key for another.

The first word of a key is mixed one-to-one. The low bits of that number are the bucket, and an entry holds the others,
with the second word of keys that have one: what is found under a key is what was kept under it. A bucket has two
entries, one for what took the most work to prove, one for whatever came last (Breuker, Uiterwijk and van den Herik,
"Replacement schemes and two-level tables", 1996). An entry of zeros says that a value may be anything.
"""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *

WORK_BITS = 6
"""Bits for the work that an entry took, as the logarithm of how many entries were written meanwhile."""


class Memo(NamedTuple):
    """Buckets of two entries, 2 ** `log_buckets` of them.

    An entry is what is left of the first word above its bounds and its work, and the second word of a key that has one;
    with WIDE its bounds are two more words. Bounds are told as how far they are from LEAST and MOST.
    """

    p_memo: Numbers
    log_buckets: int


def es_scattered(key: Key) -> int:
    """The first word of a key mixed one-to-one, as long as the second word is known."""
    word = int(key if KEY_WORDS == 1 else key[0] ^ (es_mixed(key[1]) & FIRST_MASK))
    for _ in range(2):
        word ^= es_unsigned_shift(word, FIRST_HALF)
        word = word * 0x1E3779B97F4A7C15 & FIRST_MASK
    return word ^ es_unsigned_shift(word, FIRST_HALF)


def es_second_word(key: Key) -> int:
    """The second word of a key, 0 where it has one."""
    return 0 if KEY_WORDS == 1 else int(key[1])


def es_first_entry(memo: Memo, scattered: int) -> int:
    """Where the first entry of the bucket stands."""
    return (scattered & ((1 << memo.log_buckets) - 1)) * (2 * ENTRY_WORDS)


def es_fetch(memo: Memo, scattered: int) -> None:
    """Ask for the bucket before it is needed."""
    es_prefetch(memo.p_memo, es_first_entry(memo, scattered))


def es_holds(memo: Memo, at: int, scattered: int, rest: int) -> bool:
    """Whether the entry there is that key's, or is empty and could be."""
    same = es_unsigned_shift(memo.p_memo[at], META_BITS) == es_unsigned_shift(scattered, memo.log_buckets)
    return same if KEY_WORDS == 1 else same and memo.p_memo[at + 1] == rest


def es_entry(memo: Memo, scattered: int, rest: int) -> int:
    """Where the entry of a key stands; -1 where it has none."""
    at = es_first_entry(memo, scattered)
    if es_holds(memo, at, scattered, rest):
        return at
    return at + ENTRY_WORDS if es_holds(memo, at + ENTRY_WORDS, scattered, rest) else -1


def es_lower(memo: Memo, at: int) -> int:
    """The lower bound in an entry."""
    if at < 0:
        return LEAST
    if WIDE:
        return LEAST + memo.p_memo[at + KEY_WORDS]
    return LEAST + (es_unsigned_shift(memo.p_memo[at], WORK_BITS) & VALUE_MASK)


def es_upper(memo: Memo, at: int) -> int:
    """The upper bound in an entry."""
    if at < 0:
        return MOST
    if WIDE:
        return MOST - memo.p_memo[at + KEY_WORDS + 1]
    return MOST - (es_unsigned_shift(memo.p_memo[at], WORK_BITS + VALUE_BITS) & VALUE_MASK)


def es_keep(memo: Memo, scattered: int, rest: int, lower: int, upper: int, work: int) -> None:
    """Keep bounds of a key's value: in the first entry, unless what stands there took more work."""
    p_memo, log_buckets = memo
    at = es_first_entry(memo, scattered)
    if not es_holds(memo, at, scattered, rest) and work < p_memo[at] & ((1 << WORK_BITS) - 1):
        at += ENTRY_WORDS
    word = es_unsigned_shift(scattered, log_buckets) << META_BITS | work
    if WIDE:
        p_memo[at + KEY_WORDS] = lower - LEAST
        p_memo[at + KEY_WORDS + 1] = MOST - upper
    else:
        word |= (lower - LEAST) << WORK_BITS | (MOST - upper) << WORK_BITS + VALUE_BITS
    es_store(p_memo, at, word)
    if KEY_WORDS == 2:
        p_memo[at + 1] = rest
