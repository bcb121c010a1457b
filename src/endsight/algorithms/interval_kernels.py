"""The loops of interval iteration, in whole numbers: run as they stand, or compiled.

Plainly they work on lists of Python's unbounded numbers; compiled, on arrays of words (see
`kernel_numbers`). Both give the same numbers, because no whole number here passes 2^62:
amounts never pass `limit`, and `limit` times the largest sum of weights is at most 2^61
(see `interval_iteration.Scale`). Floats only guess.

A node's lower and upper bound stand side by side, as p_bounds[2 * node] and
p_bounds[2 * node + 1]. A part is a strongly connected component; nodes are numbered
by `structure_kernels.arrange`, so that those of a part lie side by side.
"""

from __future__ import annotations

from endsight.algorithms.kernel_numbers import Doubles, Numbers

FINISHED, SLOW, TOO_LARGE = 0, 1, 2
"""Why `enclose` handed back."""
SETTLED, NOISE = 2.0**-51, 2.0**-50
"""Change, relative to the values, at which floats count as settled; and how far off they may be then."""
WIDEST, SETTLING = 1 << 14, 6
"""Units by which a guess is widened at most, and sweeps in which its bounds must hold."""
TRIAL = 12
"""Sweeps in which the bounds of a part must come 8 times closer, or it counts as slow."""


def backed_up(
    node: int,
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_bounds: Numbers,
) -> tuple[int, int]:
    """Bounds of a node from those of its successors: the lower rounded down, the upper up."""
    first = p_offsets[node]
    last = p_offsets[node + 1]
    sign = b_signs[node]
    low = 0
    high = 0
    if sign == 0 and is_weighted == 0 and has_gains == 0:
        for edge in range(first, last):
            child = 2 * h_successors[edge]
            low += p_bounds[child]
            high += p_bounds[child + 1]
        return low // (last - first), -((-high) // (last - first))
    total = 0
    for edge in range(first, last):
        child = 2 * h_successors[edge]
        worst = p_bounds[child]
        best = p_bounds[child + 1]
        if has_gains != 0:
            worst += p_gains[edge]
            best += p_gains[edge]
        if sign == 0:
            weight = 1
            if is_weighted != 0:
                weight = p_weights[edge]
            low += weight * worst
            high += weight * best
            total += weight
        elif edge == first:
            low = worst
            high = best
        elif sign > 0:
            low = max(low, worst)
            high = max(high, best)
        else:
            low = min(low, worst)
            high = min(high, best)
    if sign == 0:
        return low // total, -((-high) // total)
    return low, high


def steps_left(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_steps: Numbers,
    begin: int,
    end: int,
    most_sweeps: int,
) -> int:
    """Fill `p_steps` with g so that g >= 1 + (mean of g over outcomes, largest over moves), in 64ths.

    g bounds the moves that play can stay in the part. Sweeps h = 1 + ... from 0 up, until
    no node would gain more than a half; then g = 2 h will do. Returns 0 where that takes
    more than `most_sweeps` or 2^14 moves.
    """
    for node in range(begin, end):
        p_steps[node] = 0
    for _ in range(most_sweeps):
        growth = 0
        for check in range(2):
            # In the second round nothing changes: it measures what is still lacking everywhere.
            if check == 1 and growth > 32:
                break
            growth = 0
            for node in range(begin, end):
                value = 0
                total = 0
                for edge in range(p_offsets[node], p_offsets[node + 1]):
                    child = h_successors[edge]
                    beyond = 0
                    if begin <= child < end:
                        beyond = p_steps[child]
                    if b_signs[node] != 0:
                        if beyond > value:
                            value = beyond
                    else:
                        weight = 1
                        if is_weighted != 0:
                            weight = p_weights[edge]
                        value += weight * beyond
                        total += weight
                if total > 0:
                    value = -((-value) // total)
                value += 64
                if value - p_steps[node] > growth:
                    growth = value - p_steps[node]
                if check == 0 and value > p_steps[node]:
                    if value > (1 << 20):
                        return 0
                    p_steps[node] = value
        if growth <= 32:
            for node in range(begin, end):
                p_steps[node] *= 2
            return 1
    return 0


def start_part(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_bounds: Numbers,
    p_steps: Numbers,
    begin: int,
    end: int,
    limit: int,
    most_sweeps: int,
) -> int:
    """First bounds of a part: the least and the largest amount on the way out, and what could be gained before."""
    low = limit
    high = -limit
    least = 0
    most = 0
    for node in range(begin, end):
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            gain = 0
            if has_gains != 0:
                gain = p_gains[edge]
            if begin <= child < end:
                if gain < least:
                    least = gain
                if gain > most:
                    most = gain
            else:
                if p_bounds[2 * child] + gain < low:
                    low = p_bounds[2 * child] + gain
                if p_bounds[2 * child + 1] + gain > high:
                    high = p_bounds[2 * child + 1] + gain
    if least < 0 or most > 0:
        done = steps_left(p_offsets, h_successors, p_weights, is_weighted, b_signs, p_steps, begin, end, most_sweeps)
        if done == 0:
            return SLOW
    # An amount a move that covers the largest gain and loss, and rounding; in 64ths like the moves left.
    fall = 0
    rise = 0
    if least < 0:
        fall = (-least + 65) // 64
    if most > 0:
        rise = (most + 65) // 64
    for node in range(begin, end):
        down = low
        up = high
        if fall > 0 or rise > 0:
            if fall > limit // p_steps[node] or rise > limit // p_steps[node]:
                return TOO_LARGE
            down -= fall * p_steps[node]
            up += rise * p_steps[node]
        if down < -limit or up > limit:
            return TOO_LARGE
        p_bounds[2 * node] = down
        p_bounds[2 * node + 1] = up
    return FINISHED


def guess_part(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    d_guess: Doubles,
    d_change: Doubles,
    begin: int,
    end: int,
    most_sweeps: int,
) -> int:
    """Sweep floats until they settle: no bounds, only where to look for them. How many sweeps it took.

    Where changes shrink by the same factor from sweep to sweep, all that is still to come
    is added at once (Aitken 1926), for the part as a whole. `d_guess` must hold a
    first value at every node of the part, and the values of the nodes it leads to.
    """
    before = 0.0
    wait = 2
    for sweep in range(most_sweeps):
        largest = 0.0
        total_change = 0.0
        size = 0.0
        for node in range(begin, end):
            first = p_offsets[node]
            sign = b_signs[node]
            value = 0.0
            total = 0
            for edge in range(first, p_offsets[node + 1]):
                worth = d_guess[h_successors[edge]]
                if has_gains != 0:
                    worth += p_gains[edge]
                if sign == 0:
                    if is_weighted != 0:
                        value += worth * p_weights[edge]
                        total += p_weights[edge]
                    else:
                        value += worth
                        total += 1
                elif edge == first:
                    value = worth
                elif sign > 0:
                    value = max(value, worth)
                else:
                    value = min(value, worth)
            if sign == 0:
                value /= total
            change = value - d_guess[node]
            d_change[node - begin] = change
            d_guess[node] = value
            total_change += change
            largest = max(largest, abs(change))
            size = max(size, abs(value))
        if largest <= size * SETTLED:
            return sweep + 1
        wait -= 1
        ratio = 0.0
        if before != 0.0:
            ratio = total_change / before
        before = total_change
        if wait <= 0 and 0.0 < ratio < 0.9999:
            for node in range(begin, end):
                d_guess[node] += d_change[node - begin] * (ratio / (1.0 - ratio))
            before = 0.0
            wait = 2
    return most_sweeps


def guess_values(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_payoffs: Numbers,
    d_guess: Doubles,
    d_change: Doubles,
    h_starts: Numbers,
    first_part: int,
    parts: int,
    most_sweeps: int,
) -> int:
    """Rough values of all nodes from part `first_part` on, from a guess that `d_guess` holds; returns `parts`.

    Parts may be unions of components, as long as each comes after all those it leads to.
    """
    for part in range(first_part, parts):
        begin = h_starts[part]
        end = h_starts[part + 1]
        if p_offsets[begin] == p_offsets[begin + 1]:
            d_guess[begin] = p_payoffs[begin] * 1.0
            continue
        guess_part(
            p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, d_guess, d_change,
            begin, end, most_sweeps,
        )  # fmt: skip
    return parts


def bounds_from_guess(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_bounds: Numbers,
    d_guess: Doubles,
    begin: int,
    end: int,
    limit: int,
) -> int:
    """Bounds of a part close around the guess, where they can be proven; 1 for success, else 0.

    The guess, widened on both sides, is swept a few times. As soon as one whole sweep
    lowers every upper bound, or leaves it, one move lowers none of the new bounds
    either: they lie above the values. The same upside down for the lower bounds
    (Hartmanns and Kaminski 2020, in whole numbers).
    """
    size = 0.0
    for node in range(begin, end):
        size = max(size, abs(d_guess[node]))
    if size * 1.001 >= limit - WIDEST:
        return 0
    slack = int(size * NOISE) + 2
    while slack <= WIDEST:
        for node in range(begin, end):
            middle = int(d_guess[node])
            p_bounds[2 * node] = max(-limit, middle - slack)
            p_bounds[2 * node + 1] = min(limit, middle + slack)
        for _ in range(SETTLING):
            has_held = 1
            for node in range(begin, end):
                low, high = backed_up(
                    node, p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds
                )
                if low < p_bounds[2 * node] or high > p_bounds[2 * node + 1]:
                    has_held = 0
                p_bounds[2 * node] = low
                p_bounds[2 * node + 1] = high
            if has_held != 0:
                return 1
        slack *= 32
    return 0


def enclose(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_payoffs: Numbers,
    p_bounds: Numbers,
    p_steps: Numbers,
    d_guess: Doubles,
    d_change: Doubles,
    h_starts: Numbers,
    first_part: int,
    parts: int,
    limit: int,
    most_nodes: int,
    most_sweeps: int,
    most_closer: int,
    has_guess: int,
    p_reason: Numbers,
) -> int:
    """Bounds of all nodes from part `first_part` on; the number of the part it stopped before.

    Nodes are numbered by `arrange`: part k is h_starts[k] .. h_starts[k + 1] - 1. Within a
    part with loops both bounds are swept towards each other until neither moves any more:
    from close around a guess in floats where that can be proven (then in `most_closer`
    sweeps at most), else from afar. With `has_guess`, `d_guess` holds rough values already.
    `p_reason[0]` says why it stopped: FINISHED, SLOW (more than `most_nodes` in the part,
    or `most_sweeps` sweeps, or little gained by the first), or TOO_LARGE (an amount would
    pass `limit`).
    """
    for part in range(first_part, parts):
        begin = h_starts[part]
        end = h_starts[part + 1]
        first = p_offsets[begin]
        last = p_offsets[begin + 1]
        is_loop = end - begin > 1
        for edge in range(first, last):
            if h_successors[edge] == begin:
                is_loop = True
        if not is_loop:
            low = p_payoffs[begin]
            high = low
            if first < last:
                low, high = backed_up(
                    begin, p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds
                )
            if low < -limit or high > limit:
                p_reason[0] = TOO_LARGE
                return part
            p_bounds[2 * begin] = low
            p_bounds[2 * begin + 1] = high
            d_guess[begin] = (low + high) * 0.5
            continue
        if end - begin > most_nodes:
            p_reason[0] = SLOW
            return part
        if has_guess == 0:
            p_reason[0] = start_part(
                p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds, p_steps,
                begin, end, limit, most_sweeps,
            )  # fmt: skip
            if p_reason[0] != FINISHED:
                return part
            for node in range(begin, end):
                d_guess[node] = p_bounds[2 * node] * 1.0
        guess_part(
            p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, d_guess, d_change,
            begin, end, most_sweeps,
        )  # fmt: skip
        is_close = bounds_from_guess(
            p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds, d_guess,
            begin, end, limit,
        )  # fmt: skip
        if is_close == 0:
            p_reason[0] = start_part(
                p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds, p_steps,
                begin, end, limit, most_sweeps,
            )  # fmt: skip
            if p_reason[0] != FINISHED:
                return part
        done = sweep_part(
            p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds,
            begin, end, most_sweeps if is_close == 0 else most_closer,
        )  # fmt: skip
        # Bounds that were close from the start are good enough, however slowly they still move.
        if is_close == 0 and done != FINISHED:
            p_reason[0] = done
            return part
        p_reason[0] = FINISHED
        for node in range(begin, end):
            d_guess[node] = (p_bounds[2 * node] + p_bounds[2 * node + 1]) * 0.5
    p_reason[0] = FINISHED
    return parts


def sweep_part(
    p_offsets: Numbers,
    h_successors: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    b_signs: Numbers,
    p_gains: Numbers,
    has_gains: int,
    p_bounds: Numbers,
    begin: int,
    end: int,
    most_sweeps: int,
) -> int:
    """Sweep both bounds of a part until neither moves any more: FINISHED, or SLOW."""
    changed = 1
    sweeps = 0
    before = 0
    while changed != 0:
        if sweeps == TRIAL or sweeps == 2 * TRIAL:
            widest = 0
            for node in range(begin, end):
                if p_bounds[2 * node + 1] - p_bounds[2 * node] > widest:
                    widest = p_bounds[2 * node + 1] - p_bounds[2 * node]
            if sweeps > TRIAL and widest > before // 8:
                return SLOW
            before = widest
        if sweeps == most_sweeps:
            return SLOW
        changed = 0
        for node in range(begin, end):
            low, high = backed_up(
                node, p_offsets, h_successors, p_weights, is_weighted, b_signs, p_gains, has_gains, p_bounds
            )
            if low > p_bounds[2 * node]:
                p_bounds[2 * node] = low
                changed = 1
            if high < p_bounds[2 * node + 1]:
                p_bounds[2 * node + 1] = high
                changed = 1
        sweeps += 1
    return FINISHED
