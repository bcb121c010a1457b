"""A table of fixed size for bounds of values: it forgets, but never takes one key for another.

The first word of a key is mixed one-to-one. The low bits of that number are the bucket, and an entry holds the others,
with the second word of keys that have one: what is found under a key is what was kept under it. A bucket has two
entries, one for what took the most work to prove, one for whatever came last (Breuker, Uiterwijk and van den Herik,
"Replacement schemes and two-level tables", 1996). An entry of zeros says that a value may be anything.

Threads may use it at the same time. An entry of one word is read at once and written at once. Those of several words
are guarded by versions, odd while somebody writes (sequence locks: Boehm, "Can seqlocks get along with programming
language memory models?", 2012): whoever reads while a version changes has found nothing, and whoever finds it odd
writes nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from endsight.engine.kernels.lines import *

WORK_BITS = 6
"""Bits for the work that an entry took, as the logarithm of how many entries were written meanwhile."""

VERSION_BITS, BUSY_BITS = 12, 12
"""Logarithms of how many versions there are, and of how many places for what is searched now."""


class Memo(NamedTuple):
    """Buckets of two entries, 2 ** `log_buckets` of them.

    An entry is what is left of the first word above its bounds and its work, and the second word of a key that has one;
    with WIDE its bounds are two more words. Bounds are told as how far they are from LEAST and MOST.

    p_versions  of the entries in buckets whose numbers end alike
    p_busy      keys, mixed, of large nodes that are searched now; each thread passes by what others search
    """

    p_memo: Numbers
    log_buckets: int
    p_versions: Numbers
    p_busy: Numbers


def es_hashed(key: Key) -> int:
    """The first word of a key mixed one-to-one, as long as the second word is known."""
    word = int(key if KEY_WORDS == 1 else key[0] ^ (es_mixed(key[1]) & FIRST_MASK))
    for _ in range(2):
        word ^= es_unsigned_shift(word, FIRST_HALF)
        word = word * 0x1E3779B97F4A7C15 & FIRST_MASK
    return word ^ es_unsigned_shift(word, FIRST_HALF)


def es_first_entry(memo: Memo, hashed: int) -> int:
    """Where the first entry of the bucket stands."""
    return (hashed & ((1 << memo.log_buckets) - 1)) * (2 * ENTRY_WORDS)


def es_name(memo: Memo, p_children: Numbers, child: int, key: Key, is_shallow: bool) -> None:
    """Write beside a child what the table knows it by, and ask for its bucket."""
    if HAS_SYMMETRY and is_shallow:
        key = es_canonical(key)
    p_children[child + HASH] = es_hashed(key)
    p_children[child + SECOND_WORD] = 0 if KEY_WORDS == 1 else key[1]
    es_prefetch(memo.p_memo, es_first_entry(memo, p_children[child + HASH]))


def es_version_at(hashed: int) -> int:
    """Where the version of a bucket stands."""
    return hashed & ((1 << VERSION_BITS) - 1)


def es_known(memo: Memo, hashed: int, rest: int) -> tuple[int, int]:
    """Bounds of a key's value: LEAST and MOST where the table has none."""
    at = es_first_entry(memo, hashed)
    if ENTRY_WORDS == 1:
        word = es_load_acquire(memo.p_memo, at)
        if not es_is_word_of(memo, word, hashed):
            word = es_load_acquire(memo.p_memo, at + 1)
        return es_bounds_in(word) if es_is_word_of(memo, word, hashed) else (LEAST, MOST)
    version = es_load_acquire(memo.p_versions, es_version_at(hashed))
    if not es_holds(memo, at, hashed, rest):
        at += ENTRY_WORDS
    low, high = LEAST, MOST
    if es_holds(memo, at, hashed, rest):
        low, high = es_bounds_at(memo, at)
    if version & 1 != 0 or es_load_acquire(memo.p_versions, es_version_at(hashed)) != version:
        return (LEAST, MOST)
    return (low, high)


def es_is_word_of(memo: Memo, word: int, hashed: int) -> bool:
    """Whether the first word of an entry is that key's, or is empty and could be."""
    return es_unsigned_shift(word, META_BITS) == es_unsigned_shift(hashed, memo.log_buckets)


def es_holds(memo: Memo, at: int, hashed: int, rest: int) -> bool:
    """The same of all words of an entry."""
    same = es_is_word_of(memo, es_load_acquire(memo.p_memo, at), hashed)
    return same if KEY_WORDS == 1 else same and es_load_acquire(memo.p_memo, at + 1) == rest


def es_bounds_in(word: int) -> tuple[int, int]:
    """The bounds in the first word of an entry."""
    low = LEAST + (es_unsigned_shift(word, WORK_BITS) & VALUE_MASK)
    return (low, MOST - (es_unsigned_shift(word, WORK_BITS + VALUE_BITS) & VALUE_MASK))


def es_bounds_at(memo: Memo, at: int) -> tuple[int, int]:
    """The bounds in an entry."""
    if WIDE:
        low = LEAST + es_load_acquire(memo.p_memo, at + KEY_WORDS)
        return (low, MOST - es_load_acquire(memo.p_memo, at + KEY_WORDS + 1))
    return es_bounds_in(es_load_acquire(memo.p_memo, at))


def es_keep(memo: Memo, hashed: int, rest: int, lower: int, upper: int, work: int) -> None:
    """Keep bounds of a key's value: in the first entry, unless what stands there took more work."""
    if ENTRY_WORDS == 1:
        es_write(memo, hashed, rest, lower, upper, work)
        return
    place = es_version_at(hashed)
    version = es_load_acquire(memo.p_versions, place)
    if version & 1 == 0 and es_swap_if(memo.p_versions, place, version, version + 1) == version:
        es_write(memo, hashed, rest, lower, upper, work)
        es_store_release(memo.p_versions, place, version + 2)


def es_write(memo: Memo, hashed: int, rest: int, lower: int, upper: int, work: int) -> None:
    """Write the entry of a key while nobody else writes there, or where it has one word."""
    p_memo, log_buckets, _, _ = memo
    at = es_first_entry(memo, hashed)
    if not es_holds(memo, at, hashed, rest) and work < es_load_acquire(p_memo, at) & ((1 << WORK_BITS) - 1):
        at += ENTRY_WORDS
    word = es_unsigned_shift(hashed, log_buckets) << META_BITS | work
    if WIDE:
        es_store_release(p_memo, at + KEY_WORDS, lower - LEAST)
        es_store_release(p_memo, at + KEY_WORDS + 1, MOST - upper)
    else:
        word |= (lower - LEAST) << WORK_BITS | (MOST - upper) << WORK_BITS + VALUE_BITS
    es_store_release(p_memo, at, word)
    if KEY_WORDS == 2:
        es_store_release(p_memo, at + 1, rest)


def es_is_busy(memo: Memo, hashed: int) -> bool:
    """Whether a node with that key, mixed, is searched now. Only the order of moves depends on it."""
    return es_load_acquire(memo.p_busy, es_busy_at(hashed)) == hashed + 1


def es_busy_at(hashed: int) -> int:
    """Where what is searched now is written down."""
    return es_unsigned_shift(es_mixed(hashed), 64 - BUSY_BITS)


def es_mark_busy(memo: Memo, hashed: int) -> None:
    """A node is searched from now on; one whose place is taken is not written down."""
    es_swap_if(memo.p_busy, es_busy_at(hashed), 0, hashed + 1)


def es_unmark_busy(memo: Memo, hashed: int) -> None:
    """It no longer is."""
    es_swap_if(memo.p_busy, es_busy_at(hashed), hashed + 1, 0)
