"""The data of the loops that can be compiled: lists of numbers in Python, arrays of machine words when compiled.

The first letters of a parameter say what its array holds when compiled: `p_` 64-bit,
`h_` 32-bit, `b_` 8-bit whole numbers, `d_` doubles.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple, TypeAlias

Numbers: TypeAlias = MutableSequence[int]
Doubles: TypeAlias = MutableSequence[float]


class Links(NamedTuple):
    """Where the moves of some nodes lead, m in all.

    nodes         number of nodes
    p_offsets     nodes + 1  where the edges of a node begin in `h_successors`
    h_successors  m          node an edge leads to
    """

    nodes: int
    p_offsets: Sequence[int]
    h_successors: Sequence[int]


class Back(NamedTuple):
    """The same edges from their ends: those into node k come from h_before[p_into[k] .. p_into[k + 1] - 1].

    `h_open` holds for every node how many of its edges are still to be examined.
    """

    p_into: Numbers
    h_before: Numbers
    h_open: Numbers


class PayoffRows(NamedTuple):
    """The different payoffs of a game, r rows, of which n nodes pay some.

    rows                    number of rows
    h_paid    n             the row paid where the game ends at a node; 0 where it continues
    h_worths  r per player  how much each mover in turn prefers them: 0 as much as a draw
    h_seen    r             which row the mover before sees a row as
    h_first   r             plies of an end with that row; -1 where plies are not counted
    """

    rows: int
    h_paid: Numbers
    h_worths: Numbers
    h_seen: Numbers
    h_first: Numbers


class Choices(NamedTuple):
    """Best play at n nodes: row of payoffs, plies to the end (-1: not counted), edge (-1: none)."""

    h_rows: Numbers
    h_plies: Numbers
    p_chosen: Numbers


class SearchRoom(NamedTuple):
    """Scratch space of a depth-first search, one number per node in each array; `h_found` must hold zeros."""

    h_found: Numbers
    h_path: Numbers
    h_entered: Numbers
    p_next: Numbers
    h_stack: Numbers


class Trie(NamedTuple):
    """Rows of words, each with a number from 1 on; 0 is the row without words.

    mask                   one less than the number of slots, which is a power of 2
    p_slots  2 mask + 2    a slot holds the last word of a row, and 2^31 times the number of the row before that word,
                           plus the row's own number: 0 in an empty slot
    h_count  1             number of rows
    """

    mask: int
    p_slots: Numbers
    h_count: Numbers


class Futures(NamedTuple):
    """How n nodes look and what is known of their m moves; see `class_kernels`.

    h_sights      n    what all players see there, by number
    b_movers      n    who moves
    h_paid        n    what is paid at an end, by number
    h_moves       m    the move, by number: one of 0 .. `moves` - 1
    h_gains       m    its gain, by number: one of 0 .. `gains` - 1; not read where all are the same
    p_weights     m    of outcomes of chance, where `is_weighted`; else all weigh the same
    p_steps       3 k  room for the steps from a node; k is the largest number of edges of a node
    """

    h_sights: Sequence[int]
    b_movers: Sequence[int]
    h_paid: Sequence[int]
    h_moves: Sequence[int]
    moves: int
    h_gains: Sequence[int]
    gains: int
    p_weights: Sequence[int]
    is_weighted: int
    p_steps: Numbers


class Moved(NamedTuple):
    """The steps from k classes of nodes, s in all; see `hidden_states.HiddenStates`.

    p_begins   k + 1  where the steps from a class begin in the other arrays
    p_ways     s      what a step shows, times 2^31, plus the class that it leads to
    p_weights  s      of outcomes of chance, without a common factor; 1 for players' moves
    p_edges    s      an edge that is such a step
    b_who      k      who moves
    h_menus    k      the same for classes at which the same player has the same moves
    """

    p_begins: Numbers
    p_ways: Numbers
    p_weights: Numbers
    p_edges: Numbers
    b_who: Numbers
    h_menus: Numbers


class Edges(NamedTuple):
    """The moves of n nodes, m in all, and who decides: the first parameter of the loops of interval iteration.

    p_offsets     n + 1  where a node's edges begin in the other arrays; they end where the next node's begin
    h_successors  m      node an edge leads to
    p_weights     m      of outcomes of chance, where `is_weighted`; else all weigh the same
    b_signs       n      1 where the first player decides, -1 for others, 0 for chance
    p_gains       m      the first player's gain on an edge, where `has_gains`
    """

    p_offsets: Numbers
    h_successors: Numbers
    p_weights: Numbers
    is_weighted: int
    b_signs: Numbers
    p_gains: Numbers
    has_gains: int


class IterationArrays(NamedTuple):
    """The arrays that interval iteration writes to.

    p_bounds  2 n  lower and upper bound of every node, side by side
    p_kept    2 k  the bounds that the turns of a part (at most k nodes) had before a sweep
    d_guess   n    value of every node in floats
    d_work    8 k  see `guess_kernels.try_next`
    """

    p_bounds: Numbers
    p_kept: Numbers
    d_guess: Doubles
    d_work: Doubles


class Moving(NamedTuple):
    """Bounds of n nodes where play may never end, and when they moved: see `deflation_kernels`.

    p_bounds     2 n  lower and upper bound of every node, side by side
    p_moved      2 n  the time at which each moved last
    p_clock      1    the time now
    least, most       what endless play pays, rounded down and up
    little, wide      the change below which bounds hardly move, and the largest distance at which they are close
    limit             the largest size of any amount
    """

    p_bounds: Numbers
    p_moved: Numbers
    p_clock: Numbers
    least: int
    most: int
    little: int
    wide: int
    limit: int


Part: TypeAlias = tuple[Numbers, int, int, int]
"""A part: its turns, their number, its first node, and the node after its last one."""


class RoundArrays(NamedTuple):
    """The rounds of n nodes, with g groups and m children in all: see `round_kernels`.

    nodes              number of nodes
    p_offsets   n + 1  where a node's groups begin
    h_groups    g + 1  where a group's children begin
    h_weights   g      of the outcome of chance that leads to a group
    b_signs     g      whether the group's player wants more (1) or less (-1)
    h_children  m      the player's choices
    """

    nodes: int
    p_offsets: Numbers
    h_groups: Numbers
    h_weights: Numbers
    b_signs: Numbers
    h_children: Numbers


class Levels(NamedTuple):
    """Amounts of n nodes with m edges, for each of some players: see `whole_numbers`.

    players            number of players
    p_tops   n players  numerators, over the denominator of the node's level
    h_levels n          level of each node
    p_scales            factor from numerators of each level up to one of them to numerators of that one; the
                        first also converts gains
    p_gains  m players  gain on an edge, where `has_gains`
    """

    players: int
    p_tops: Numbers
    h_levels: Numbers
    p_scales: Numbers
    p_gains: Numbers
    has_gains: int
