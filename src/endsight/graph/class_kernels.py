"""Loops that put the nodes of a graph into classes: nodes of which the same is to be said are one.

What is to be said of a node is a row of whole numbers. A trie gives every row a number: that of a longer one is found
by the number of the row without its last word, and that word, so that rows are equal just where their numbers are
(hash consing: A. P. Ershov, "On programming of arithmetic operations", Communications of the ACM 1, 1958). What first
letters of names mean is said in `kernel_numbers`.
"""

from __future__ import annotations

from collections.abc import Sequence

from endsight.graph.kernel_numbers import Futures, Links, Numbers, Trie

__all__ = ["WORD", "enter_again", "largest", "most_edges", "number_futures", "number_in_order", "number_rows"]

CHANCE = -1
WORD = 1 << 31


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
    count, p_offsets, h_successors = links
    h_sights, b_movers, h_paid, h_moves, moves, h_gains, gains, p_weights, is_weighted, p_seen = futures
    at = begin
    while at < count:
        node = h_order[at]
        first = p_offsets[node]
        last = p_offsets[node + 1]
        if not has_room(trie, 1 + 2 * (last - first)):
            break
        # The row of an end has no other words, so that payoffs are not taken for movers.
        here = h_paid[node] if first == last else b_movers[node] + 3
        number = longer_row(trie, 0, h_sights[node] * WORD + here)
        is_chance = b_movers[node] == CHANCE
        for edge in range(first, last):
            child = h_successors[edge]
            is_unseen = is_chance and h_sights[child] == h_sights[node]
            move = 0 if is_unseen else h_moves[edge]
            gain = h_gains[edge] if gains > 1 else 0
            word = (h_old[child] * gains + gain) * moves + move
            if is_chance:
                p_seen[2 * (edge - first)] = word
                p_seen[2 * (edge - first) + 1] = p_weights[edge] if is_weighted != 0 else 1
            else:
                number = longer_row(trie, number, word)
        if is_chance:
            number = chance_row(trie, number, p_seen, last - first)
        h_new[node] = number
        at += 1
    return at


def chance_row(trie: Trie, number: int, p_seen: Numbers, count: int) -> int:
    """A row with so many outcomes of chance, pairs of a word and a weight: equal words once, with chances alone."""
    sort_pairs(p_seen, count)
    kept = 0
    common = 0
    for place in range(count):
        if kept > 0 and p_seen[2 * (kept - 1)] == p_seen[2 * place]:
            p_seen[2 * kept - 1] += p_seen[2 * place + 1]
        else:
            p_seen[2 * kept] = p_seen[2 * place]
            p_seen[2 * kept + 1] = p_seen[2 * place + 1]
            kept += 1
    for place in range(kept):
        common = common_divisor(common, p_seen[2 * place + 1])
    for place in range(kept):
        number = longer_row(trie, number, p_seen[2 * place])
        number = longer_row(trie, number, p_seen[2 * place + 1] // common)
    return number


def sort_pairs(p_pairs: Numbers, count: int) -> int:
    """Put so many pairs in order of their first numbers (D. L. Shell, 1959, with gaps of powers of 2 less 1)."""
    gap = 1
    while 2 * gap + 1 < count:
        gap = 2 * gap + 1
    while gap > 0:
        for place in range(gap, count):
            word = p_pairs[2 * place]
            weight = p_pairs[2 * place + 1]
            at = place
            while at >= gap and p_pairs[2 * (at - gap)] > word:
                p_pairs[2 * at] = p_pairs[2 * (at - gap)]
                p_pairs[2 * at + 1] = p_pairs[2 * (at - gap) + 1]
                at -= gap
            p_pairs[2 * at] = word
            p_pairs[2 * at + 1] = weight
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
