"""A table of bounds becomes twice as large where it stands."""

from __future__ import annotations

from endsight.compiler.kernels.core import *


def double_buckets(p_memo: Numbers, log_buckets: int, first: int, stop: int, entry_words: int, meta_bits: int) -> int:
    """Part the buckets `first` .. `stop` - 1 of 2 ** `log_buckets` between themselves and as many new, empty ones.

    The lowest bit that an entry holds of its key becomes the highest of its bucket's number: see `transposition`.
    """
    meta = (1 << meta_bits) - 1
    for entry in range(2 * first, 2 * stop):
        at = entry * entry_words
        word = p_memo[at]
        held = es_unsigned_shift(word, meta_bits)
        es_store(p_memo, at, es_unsigned_shift(held, 1) << meta_bits | word & meta)
        if held & 1 != 0:
            beyond = at + ((2 * entry_words) << log_buckets)
            for place in range(entry_words):
                p_memo[beyond + place] = p_memo[at + place]
                p_memo[at + place] = 0
    return 0
