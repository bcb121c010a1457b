"""Loops that put the nodes of a graph into classes: nodes of which the same is to be said are one.

What is to be said of a node is a row of whole numbers. A trie gives every row a number: that of a longer one is found
by the number of the row without its last word, and that word, so that rows are equal just where their numbers are
(hash consing: A. P. Ershov, "On programming of arithmetic operations", Communications of the ACM 1, 1958). What first
letters of names mean is said in `kernel_numbers`.
"""

from __future__ import annotations

from collections.abc import Sequence

from endsight.graph.kernel_numbers import Futures, Links, Moved, Numbers, Trie

CHANCE = -1
OVER = -3
"""The mover where the game is over."""
WORD = 1 << 31
STEP = 3
"""Words of a step in `Futures.p_steps`: what it brings, what it is and leads to in one number; and these two."""
WEIGHT = 1
EDGE = 2


def number_rows(trie: Trie, width: int, p_words: Numbers, begin: int, stop: int, h_numbers: Numbers) -> int:
    """Number the rows `begin` .. `stop` - 1 of so many words; the result is the first one that there is no room for."""
    row = begin
    while row < stop and has_room(trie, width):
        number = 0
        for place in range(row * width, (row + 1) * width):
            number = longer_row(trie, number, p_words[place])
        h_numbers[row] = number
        row += 1
    return row


def number_futures(
    trie: Trie, links: Links, futures: Futures, h_order: Numbers, begin: int, h_old: Numbers, h_new: Numbers
) -> int:
    """Number what nodes look like and lead to, where other nodes stand with their old numbers.

    Nodes come in the order given, from its place `begin` on. The result is the first place that there is no room for.
    """
    count, p_offsets, _ = links
    h_sights, b_movers, h_paid, _, _, _, _, _, _, p_steps = futures
    at = begin
    while at < count:
        node = h_order[at]
        edges = p_offsets[node + 1] - p_offsets[node]
        if not has_room(trie, 1 + 2 * edges):
            break
        # The row of an end has no other words, so that payoffs are not taken for movers.
        here = h_paid[node] if edges == 0 else b_movers[node] + 3
        number = longer_row(trie, 0, h_sights[node] * WORD + here)
        for step in range(gather_steps(links, futures, node, h_old)):
            number = longer_row(trie, number, p_steps[STEP * step])
            if b_movers[node] == CHANCE:
                number = longer_row(trie, number, p_steps[STEP * step + WEIGHT])
        h_new[node] = number
        at += 1
    return at


def list_steps(
    trie: Trie, links: Links, futures: Futures, h_own: Numbers, h_first: Numbers, begin: int, stop: int, found: Moved
) -> int:
    """Write down the steps from the classes `begin` .. `stop` - 1; the result is the first that there is no room for.

    `h_own` holds the class of every node, `h_first` a node of every class.
    """
    _, p_offsets, h_successors = links
    h_sights, b_movers, _, h_moves, _, _, _, _, _, p_steps = futures
    p_begins, p_ways, p_weights, p_edges, b_who, h_menus = found
    own = begin
    while own < stop:
        node = h_first[own]
        edges = p_offsets[node + 1] - p_offsets[node]
        if not has_room(trie, 1 + edges):
            break
        b_who[own] = OVER if edges == 0 else b_movers[node]
        menu = longer_row(trie, 0, b_who[own] - OVER)
        count = gather_steps(links, futures, node, h_own)
        sort_steps(p_steps, count, EDGE)
        for step in range(count):
            at = p_begins[own] + step
            edge = p_steps[STEP * step + EDGE]
            child = h_successors[edge]
            seen = 0 if h_sights[child] == h_sights[node] else h_sights[child]
            p_ways[at] = seen * WORD + h_own[child]
            p_weights[at] = p_steps[STEP * step + WEIGHT]
            p_edges[at] = edge
            menu = longer_row(trie, menu, h_moves[edge])
        h_menus[own] = menu
        p_begins[own + 1] = p_begins[own] + count
        own += 1
    return own


def gather_steps(links: Links, futures: Futures, node: int, h_classes: Numbers) -> int:
    """Put the steps from a node into `p_steps`, where outcomes of chance that are alike are one; how many there are."""
    _, p_offsets, h_successors = links
    h_sights, b_movers, _, h_moves, moves, h_gains, gains, p_weights, is_weighted, p_steps = futures
    first = p_offsets[node]
    count = p_offsets[node + 1] - first
    for step in range(count):
        edge = first + step
        child = h_successors[edge]
        is_unseen = b_movers[node] == CHANCE and h_sights[child] == h_sights[node]
        move = 0 if is_unseen else h_moves[edge]
        gain = h_gains[edge] if gains > 1 else 0
        p_steps[STEP * step] = (h_classes[child] * gains + gain) * moves + move
        p_steps[STEP * step + WEIGHT] = p_weights[edge] if is_weighted != 0 else 1
        p_steps[STEP * step + EDGE] = edge
    return merge_steps(p_steps, count) if b_movers[node] == CHANCE else count


def merge_steps(p_steps: Numbers, count: int) -> int:
    """Make outcomes of chance that are alike one, in order, with weights without a common factor; how many are left."""
    sort_steps(p_steps, count, 0)
    kept = 0
    common = 0
    for step in range(count):
        before = STEP * (kept - 1)
        here = STEP * step
        if kept > 0 and p_steps[before] == p_steps[here]:
            p_steps[before + WEIGHT] += p_steps[here + WEIGHT]
            p_steps[before + EDGE] = min(p_steps[before + EDGE], p_steps[here + EDGE])
        else:
            for word in range(STEP):
                p_steps[STEP * kept + word] = p_steps[here + word]
            kept += 1
    for step in range(kept):
        common = common_divisor(common, p_steps[STEP * step + WEIGHT])
    for step in range(kept):
        p_steps[STEP * step + WEIGHT] = p_steps[STEP * step + WEIGHT] // common
    return kept


def sort_steps(p_steps: Numbers, count: int, by: int) -> int:
    """Put so many steps in order of one of their words (D. L. Shell, 1959, with gaps of powers of 2 less 1)."""
    gap = 1
    while 2 * gap + 1 < count:
        gap = 2 * gap + 1
    while gap > 0:
        for place in range(gap, count):
            at = place
            while at >= gap and p_steps[STEP * (at - gap) + by] > p_steps[STEP * at + by]:
                for word in range(STEP):
                    kept = p_steps[STEP * at + word]
                    p_steps[STEP * at + word] = p_steps[STEP * (at - gap) + word]
                    p_steps[STEP * (at - gap) + word] = kept
                at -= gap
        gap = gap // 2
    return 0


def common_divisor(one: int, other: int) -> int:
    """The largest number that divides both; the other one where one of them is 0."""
    while other != 0:
        rest = one % other
        one = other
        other = rest
    return one


def has_room(trie: Trie, words: int) -> bool:
    """Whether so many more words leave a quarter of the trie's slots empty."""
    mask, _, h_count = trie
    return 4 * (h_count[0] + words) <= 3 * mask


def longer_row(trie: Trie, before: int, word: int) -> int:
    """The number of the row that consists of the row with the number `before`, and a word: a new one if need be."""
    mask, p_slots, h_count = trie
    slot = slot_of(before, word, mask)
    while p_slots[2 * slot + 1] != 0 and (p_slots[2 * slot] != word or p_slots[2 * slot + 1] >> 31 != before):
        slot = slot + 1 & mask
    if p_slots[2 * slot + 1] == 0:
        h_count[0] += 1
        p_slots[2 * slot] = word
        p_slots[2 * slot + 1] = before << 31 | h_count[0]
    return p_slots[2 * slot + 1] & WORD - 1


def slot_of(before: int, word: int, mask: int) -> int:
    """Where to look for a row first."""
    mixed = ((word ^ word >> 31) & WORD - 1) * 0x2545F491 + before * 0x19660D
    return (mixed ^ mixed >> 27) & mask


def enter_again(trie: Trie, p_old: Numbers, slots: int) -> int:
    """Put the rows of a trie of so many slots into a larger one that is empty."""
    mask, p_slots, _ = trie
    for old in range(slots):
        if p_old[2 * old + 1] != 0:
            slot = slot_of(p_old[2 * old + 1] >> 31, p_old[2 * old], mask)
            while p_slots[2 * slot + 1] != 0:
                slot = slot + 1 & mask
            p_slots[2 * slot] = p_old[2 * old]
            p_slots[2 * slot + 1] = p_old[2 * old + 1]
    return 0


def number_in_order(
    count: int, h_rows: Numbers, h_numbers: Numbers, h_classes: Numbers, h_first: Numbers, h_sizes: Numbers
) -> int:
    """Number the classes of so many nodes as they are met, where equal rows are one class; how many there are.

    `h_numbers` holds a 0 for every row of the trie; the others receive the class of every node, and the first node of
    every class and how many it has. `h_sizes` must hold zeros.
    """
    met = 0
    for node in range(count):
        row = h_rows[node]
        if h_numbers[row] == 0:
            h_first[met] = node
            met += 1
            h_numbers[row] = met
        own = h_numbers[row] - 1
        h_classes[node] = own
        h_sizes[own] += 1
    return met


def most_edges(links: Links) -> int:
    """How many edges a node has at most."""
    count, p_offsets, _ = links
    most = 0
    for node in range(count):
        most = max(most, p_offsets[node + 1] - p_offsets[node])
    return most


def largest(p_numbers: Sequence[int], count: int) -> int:
    """The largest of so many numbers; 0 where all are less."""
    most = 0
    for place in range(count):
        most = max(most, p_numbers[place])
    return most
