"""The names that every kernel knows: operations of the core language, and what is linked to one game.

Kernels are Python modules that machine code is made of. What stands here has a type and no value: constants, keys
and rules differ from game to game, and are bound when a kernel is compiled with the rules of one, or is run as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, NamedTuple, Protocol, TypeAlias


class Numbers(Protocol):
    """Whole numbers one after the other: a list, plain memory or an array."""

    def __getitem__(self, place: int, /) -> int:
        """The number at a place."""

    def __setitem__(self, place: int, number: int, /) -> None:
        """Write a number."""


Key: TypeAlias = Any
"""A word, or two of them."""
State: TypeAlias = Any
Move: TypeAlias = Any
Node: TypeAlias = tuple[int, Key, State, int]
"""The place of a key in a list, the key, its state and who moves there."""
Batch: TypeAlias = tuple[int, int, int]
"""The counter HEAD as keys are expanded, how many keys these are, and how many children they have."""


class Code(IntEnum):
    """What kernels return."""

    DONE = 0
    STOPPED = 1
    NODES_FULL = 2
    EDGES_FULL = 3
    BUFFER_FULL = 4
    FAULT = 5
    NOT_LAYERED = 6
    NEEDS_MOVER = 7
    NOT_OPPOSED = 8
    NOT_WIN_LOSS = 9
    HAS_CHANCE = 10
    CYCLIC = 11
    STACK_FULL = 12
    TOO_LONG = 13
    MOVES_DIFFER = 14


(
    DONE, STOPPED, NODES_FULL, EDGES_FULL, BUFFER_FULL, FAULT, NOT_LAYERED,
    NEEDS_MOVER, NOT_OPPOSED, NOT_WIN_LOSS, HAS_CHANCE, CYCLIC, STACK_FULL, TOO_LONG, MOVES_DIFFER,
) = map(int, Code)  # fmt: skip

UNSET, SET, VALUES, UNDER_WAY = 1, 2, 2, 3
"""Codes beside a key: no value yet; its value stands in another array; the least value in the code itself;
a depth-first search has come by and not yet left."""

NONE = -(1 << 62)
"""Less than any value."""

FRAME = 8
"""Words of a frame on the stack of a depth-first kernel."""

BATCH = 48
"""Children that are generated, and their table slots fetched, before the first is looked up."""

HEAD, TAIL, EDGES, NEEDED, FOUND, IS_SHARED, OWN = range(7)
"""Counters: keys done, keys found, edges found, how much room is needed or at which site the rules failed, what is
wrong with the game (DONE is 0), whether other threads run; from OWN on those of each kernel."""


class Keys(NamedTuple):
    """A list of keys, and the table that says which are in it.

    p_table     the slots, one more than `mask`
    p_order     the list, with room for as many keys as may be entered at least
    most_nodes  how many keys may be entered
    """

    p_table: Numbers
    mask: int
    p_order: Numbers
    most_nodes: int


class Children(NamedTuple):
    """Room for `most_buffer` keys, to which moves from some nodes lead."""

    p_buffer: Numbers
    most_buffer: int


class Stack(NamedTuple):
    """Room for the frames of a depth-first search, FRAME words each."""

    p_stack: Numbers
    most_depth: int


class Work(NamedTuple):
    """How far a kernel has come, and where it stops to be called again.

    p_data      of the rules
    p_counters  see HEAD and those after it
    stop        the value of the first counter at which it hands back
    """

    p_data: Numbers
    p_counters: Numbers
    stop: int


# The game and its keys.
PLAYERS: int
HAS_MOVER: int
MOVER_TRACKED: int
HAS_REWARD: int
HAS_WEIGHT: int
HAS_ORDER: int
WHOLE: int
FIELDS: int
KEY_WORDS: int
VALUE_SITE: int
SHARE_SITE: int
MOVER_SITE: int
WEIGHT_SITE: int
CODE_BITS: int
CODE_MASK: int
LEAST_WORD: int
EXCHANGES: int
HAS_LAYER: int

# What a kernel is compiled for: each says in its docstring what its own mean.
SHARED: int
BACK: int
COUNTS: int
MEASURES: int
MOVE_WORDS: int
PAYS: int
WIN_LOSS: int
IN_WORD: int
NARROW: int
PLIES: int
COUNTS_PLIES: int
SHARE_ROOM: int
FIRST_MASK: int
FIRST_HALF: int
META_BITS: int
VALUE_BITS: int
VALUE_MASK: int
ENTRY_WORDS: int
WIDE: int
LEAST: int
MOST: int
HAS_SYMMETRY: int
VIEW_WORDS: int
SEEN_WORDS_0: int
SEEN_WORDS_1: int
SIGHT_WORDS: int
UTILITY: int

# Rules.
rule_to_move: Callable[[State], int]
rule_moves: Callable[[State], Iterable[Move]]
rule_play: Callable[[State, Move], State]
rule_canonical: Callable[[State], State]
rule_exchanged: Callable[[State], State]
rule_payoff: Callable[[State], Any]
rule_reward: Callable[[State, Move], Any]
rule_weight: Callable[[State, Move], int]
rule_bound: Callable[[State], Any]
rule_before: Callable[[State], Iterable[State]]
rule_order: Callable[[State, Move], int]
rule_layer: Callable[[State], int]
rule_sees_0: Callable[[State], Any]
rule_sees_1: Callable[[State], Any]

# Between keys and rules: see `endsight.compiler.rules.CompiledRules`.
es_state: Callable[[Key], State]
es_packed: Callable[[State, int], Key]
es_fields: Callable[[Key], tuple[int, ...]]

# Operations: see `endsight.compiler.lowering.operations`.
es_use_data: Callable[[Numbers], None]
es_clear_fault: Callable[[], None]
es_fault: Callable[[], int]
es_fault_at: Callable[[int, int], None]
es_add: Callable[[int, int, int], int]
es_subtract: Callable[[int, int, int], int]
es_multiply: Callable[[int, int, int], int]
es_absolute: Callable[[int, int], int]
es_bit_count: Callable[[int], int]
es_bit_length: Callable[[int], int]
es_whole: Callable[[Any], int]
es_mixed: Callable[[int], int]
es_store: Callable[[Numbers, int, int], None]
es_load_acquire: Callable[[Numbers, int], int]
es_store_release: Callable[[Numbers, int, int], None]
es_swap_if: Callable[[Numbers, int, int, int], int]
es_unsigned_shift: Callable[[int, int], int]
es_prefetch: Callable[[Numbers, int], None]
es_count_up: Callable[[Numbers, int], int]
es_width: Callable[[Move], int]
es_write_move: Callable[[Numbers, int, Move], None]
es_sights: Callable[[Numbers, int, State], None]
es_write_share: Callable[[Numbers, int, Any, int, int], int]

backed_up: Callable[[int, Any, Numbers], tuple[int, int]]
"""See `endsight.algorithms.interval_kernels`."""
