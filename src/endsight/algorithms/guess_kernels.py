"""Loops that guess values in floats: nothing here is proven, it says where to look for bounds.

A sweep gives the nodes of a part new values one after the other, in their order. All that
it takes over from the sweep before are the values of a few nodes, which it reads before it
comes to them: the part's *turns* (in a depth-first order the nodes that some edge leads
back to; in a turn of Pig a single one). A sweep is a map of their values, and what is
looked for is its fixed point. See `kernel_numbers` for parameters.
"""

from __future__ import annotations

from endsight.graph.kernel_numbers import Doubles, Edges, Numbers, Part

SETTLED = 2.0**-46
"""Change, relative to the values, at which floats count as settled."""
FARTHEST = 1000.0
"""How many times as far as a sweep went the next try goes at most."""
TRIAL, AIM = 16, 8.0
"""In so many sweeps changes must shrink by that factor where a part is swept on trial."""


def guess_values(
    edges: Edges,
    p_payoffs: Numbers,
    d_guess: Doubles,
    d_work: Doubles,
    h_turns: Numbers,
    h_starts: Numbers,
    first_part: int,
    parts: int,
    most_sweeps: int,
    p_reason: Numbers,
) -> int:
    """Rough values of all nodes from part `first_part` on, from a guess that `d_guess` holds; returns `parts`.

    Parts may be unions of components, as long as each comes after all those it leads to.
    It ends soon when somebody else sets `p_reason[1]`.
    """
    p_offsets, _, _, _, _, _, _ = edges
    for number in range(first_part, parts):
        begin = h_starts[number]
        end = h_starts[number + 1]
        if p_offsets[begin] == p_offsets[begin + 1]:
            d_guess[begin] = p_payoffs[begin] * 1.0
            continue
        part = (h_turns, find_turns(edges, h_turns, begin, end), begin, end)
        guess_part(edges, d_guess, d_work, part, most_sweeps, 0, p_reason)
        if p_reason[1] != 0:
            return number
    return parts


def find_turns(edges: Edges, h_turns: Numbers, begin: int, end: int) -> int:
    """List the nodes of a part that a sweep reads before it comes to them in `h_turns`; how many there are."""
    p_offsets, h_successors, _, _, _, _, _ = edges
    for place in range(end - begin):
        h_turns[place] = 0
    for node in range(begin, end):
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            if node <= child < end:
                h_turns[child - begin] = 1
    turns = 0
    for place in range(end - begin):
        if h_turns[place] != 0:
            h_turns[turns] = begin + place
            turns += 1
    return turns


def guess_part(
    edges: Edges, d_guess: Doubles, d_work: Doubles, part: Part, most_sweeps: int, is_trial: int, p_reason: Numbers
) -> int:
    """Sweep a part until its turns settle: 1, or 0 where it gave up, on trial also if that is slow.

    `d_guess` must hold a first value at every turn, and the values of the nodes that the
    part leads to. `d_work` is left as `try_next` leaves it.
    """
    h_turns, turns, begin, end = part
    before = 0.0
    for turn in range(turns):
        d_work[turn] = d_guess[h_turns[turn]]
    for sweep in range(most_sweeps):
        if p_reason[1] != 0:
            return 0
        sweep_guess(edges, d_guess, begin, end)
        size = 0.0
        for turn in range(turns):
            now = d_guess[h_turns[turn]]
            d_work[turns + turn] = now
            size = max(size, abs(now))
        largest = try_next(d_work, 0, turns, 1 if sweep > 0 else 0)
        if largest <= size * SETTLED:
            return 1
        if is_trial != 0 and sweep % TRIAL == 0:
            if sweep > 0 and largest * AIM > before:
                return 0
            before = largest
        for turn in range(turns):
            d_guess[h_turns[turn]] = d_work[turn]
    return 0


def sweep_guess(edges: Edges, d_guess: Doubles, begin: int, end: int) -> int:
    """Give every node of a part what its successors are worth; returns 0."""
    p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains = edges
    for node in range(begin, end):
        first = p_offsets[node]
        last = p_offsets[node + 1]
        sign = b_signs[node]
        value = 0.0
        if sign == 0 and is_weighted == 0 and has_gains == 0:
            for edge in range(first, last):
                value += d_guess[h_successors[edge]]
            d_guess[node] = value / (last - first)
            continue
        total = 0
        for edge in range(first, last):
            worth = d_guess[h_successors[edge]]
            if has_gains != 0:
                worth += p_gains[edge]
            if sign == 0:
                weight = p_weights[edge] if is_weighted != 0 else 1
                value += worth * weight
                total += weight
            elif edge == first:
                value = worth
            elif sign > 0:
                value = max(value, worth)
            else:
                value = min(value, worth)
        if sign == 0:
            value /= total
        d_guess[node] = value
    return 0


def try_next(d_work: Doubles, at: int, turns: int, has_before: int) -> float:
    """From what a sweep made of the turns' values to the values to try next; the largest change the sweep made.

    `d_work` holds four rows of `turns` numbers, from `at` on: values that were tried and
    what became of them; and, with `has_before`, the changes of the try before and what had
    become of that. Becomes: the values to try next, in the first row; the rest is kept for
    the try after. Of two tries follows where the changes would be least if
    they went on in a straight line (Anderson 1965, with one step of memory; for one turn
    that is the secant).
    """
    image = at + turns
    change_before = at + 2 * turns
    image_before = at + 3 * turns
    largest = 0.0
    across = 0.0
    square = 0.0
    for turn in range(turns):
        change = d_work[image + turn] - d_work[at + turn]
        largest = max(largest, abs(change))
        if has_before != 0:
            bend = change - d_work[change_before + turn]
            across += change * bend
            square += bend * bend
        d_work[change_before + turn] = change
    share = across / square if square > 0.0 else 0.0
    if abs(share) > FARTHEST:
        share = 0.0
    for turn in range(turns):
        now = d_work[image + turn]
        d_work[at + turn] = now
        if has_before != 0:
            d_work[at + turn] = now - share * (now - d_work[image_before + turn])
        d_work[image_before + turn] = now
    return largest


def guess_around(edges: Edges, d_guess: Doubles, part: Part) -> int:
    """Set the turns of a part to the mean of what its ways out bring; how many ways there are."""
    p_offsets, h_successors, _, _, _, p_gains, has_gains = edges
    h_turns, turns, begin, end = part
    around = 0.0
    ways = 0
    for node in range(begin, end):
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            if child < begin or child >= end:
                around += d_guess[child]
                if has_gains != 0:
                    around += p_gains[edge]
                ways += 1
    for turn in range(turns):
        d_guess[h_turns[turn]] = around / max(ways, 1)
    return ways
