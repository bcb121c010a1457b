"""Keys, each a word or a pair of words, in lists and in tables of which every slot holds a key and a code beside it.

Where threads share a table, `es_claim` says whether an empty slot is now this key's, or another thread was faster;
until the second word is written the code is SET, which others wait for.
"""

from __future__ import annotations

from endsight.compiler.kernels.core import *


def es_load_key(p_keys: Numbers, at: int) -> Key:
    """The key at a place of a list."""
    return p_keys[at] if KEY_WORDS == 1 else (p_keys[at * 2], p_keys[at * 2 + 1])


def es_store_key(p_keys: Numbers, at: int, key: Key) -> None:
    """Put a key there."""
    p_keys[at * KEY_WORDS] = es_first_word(key)
    if KEY_WORDS == 2:
        p_keys[at * 2 + 1] = key[1]


def es_first_word(key: Key) -> int:
    """The first word of a key."""
    return int(key if KEY_WORDS == 1 else key[0])


def es_is_less(key: Key, other: Key) -> bool:
    """Whether a key comes before another: by the second words, then by the first, without a sign."""
    if KEY_WORDS == 2 and key[1] != other[1]:
        return key[1] ^ LEAST_WORD < other[1] ^ LEAST_WORD  # type: ignore[no-any-return]
    return es_first_word(key) ^ LEAST_WORD < es_first_word(other) ^ LEAST_WORD


def es_slot(key: Key, mask: int) -> int:
    """Where the search for a key begins in a table."""
    return es_mixed(key if KEY_WORDS == 1 else key[0] ^ es_mixed(key[1])) & mask


def es_touch(p_table: Numbers, slot: int) -> None:
    """Ask for the memory of a slot before it is needed."""
    es_prefetch(p_table, slot * KEY_WORDS)


def es_code(p_table: Numbers, slot: int) -> int:
    """The code in a slot; 0 if that is empty."""
    return p_table[slot * KEY_WORDS] & CODE_MASK


def es_is_at(p_table: Numbers, slot: int, key: Key) -> bool:
    """Whether a slot that is not empty is that key's."""
    is_same = es_unsigned_shift(p_table[slot * KEY_WORDS], CODE_BITS) == es_first_word(key)
    return is_same if KEY_WORDS == 1 else is_same and p_table[slot * 2 + 1] == key[1]


def es_enter(p_table: Numbers, slot: int, key: Key, code: int) -> None:
    """Put a key and its code into a slot."""
    es_put(p_table, slot, key, CODE_BITS, code)


def es_put(p_table: Numbers, slot: int, key: Key, code_bits: int, code: int) -> None:
    """The same for codes of that many bits."""
    es_store(p_table, slot * KEY_WORDS, es_first_word(key) << code_bits | code)
    if KEY_WORDS == 2:
        p_table[slot * 2 + 1] = key[1]


def es_get(p_table: Numbers, slot: int, code_bits: int) -> Key:
    """The key in a slot beside a code of that many bits."""
    first = es_unsigned_shift(p_table[slot * KEY_WORDS], code_bits)
    return first if KEY_WORDS == 1 else (first, p_table[slot * 2 + 1])


def es_code_acquire(p_table: Numbers, slot: int) -> int:
    """The code in a slot of a table that threads share."""
    code = es_load_acquire(p_table, slot * KEY_WORDS) & CODE_MASK
    while KEY_WORDS == 2 and code == SET:
        code = es_load_acquire(p_table, slot * 2) & CODE_MASK
    return code


def es_claim(p_table: Numbers, slot: int, key: Key) -> bool:
    """Whether an empty slot of such a table is now this key's, with the code UNSET."""
    word = es_first_word(key) << CODE_BITS
    is_ours = es_swap_if(p_table, slot * KEY_WORDS, 0, word | (UNSET if KEY_WORDS == 1 else SET)) == 0
    if KEY_WORDS == 2 and is_ours:
        p_table[slot * 2 + 1] = key[1]
        es_swap_if(p_table, slot * 2, word | SET, word | UNSET)
    return is_ours
