"""Between keys and rules: who moves at a state, and the keys that moves lead to."""

from __future__ import annotations

from endsight.compiler.kernels.keys import *


def es_mover_in(key: Key) -> int:
    """Who moves according to a key; 0 if keys do not say."""
    return es_fields(key)[FIELDS - 1] if MOVER_TRACKED else 0


def es_mover(key: Key, state: State) -> int:
    """Who moves at a state with that key."""
    if MOVER_TRACKED or not HAS_MOVER:
        return es_mover_in(key)
    mover = es_whole(rule_to_move(state))
    es_fault_at(es_whole(mover < -1 or mover >= PLAYERS), MOVER_SITE)
    return mover


def es_after(state: State, mover: int, move: Move) -> Key:
    """The key after a move."""
    after = rule_play(state, move)
    return es_packed(rule_canonical(after) if HAS_SYMMETRY else after, (mover + 1) % PLAYERS)


def es_played(state: State, mover: int, move: Move) -> Key:
    """The same for the state as it is, even if another one represents it."""
    return es_packed(rule_play(state, move), (mover + 1) % PLAYERS)


def es_canonical(key: Key) -> Key:
    """The key of the state that represents the state of a key."""
    return es_packed(rule_canonical(es_state(key)), es_mover_in(key)) if HAS_SYMMETRY else key


def es_with_mover(key: Key, mover: int) -> Key:
    """The key of the same state with another mover, who is the lowest field of a key."""
    change = mover - es_mover_in(key)
    return key + change if KEY_WORDS == 1 else (key[0] + change, key[1])


def es_seated(key: Key) -> Key:
    """The larger key of a state and of the one with the players exchanged."""
    if not EXCHANGES:
        return key
    other = rule_exchanged(es_state(key))
    return max(key, es_packed(rule_canonical(other) if HAS_SYMMETRY else other, 0))


def es_weight(state: State, mover: int, move: Move) -> int:
    """The weight of a move: 1 if a player makes it."""
    weight = rule_weight(state, move) if HAS_WEIGHT and mover == -1 else 1
    es_fault_at(es_whole(weight < 1), WEIGHT_SITE)
    return weight


def es_layer(state: State) -> int:
    """The layer of a state; 0 if rules give none."""
    return es_whole(rule_layer(state)) if HAS_LAYER else 0
