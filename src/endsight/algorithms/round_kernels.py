"""The loops of interval iteration over rounds: chance and the player's answer to it in one step.

A round leads from a node to groups, one for each outcome of chance, and from a group to
the children among which its player chooses. Child 2 n is node n, and child 2 n + 1 is node n
with the players exchanged: what it is worth has the other sign. Nodes without groups have
bounds that are set beforehand: ends, and states of layers that are solved already. As in
`interval_kernels`, a node's lower and upper bound stand side by side, and no whole number
passes 2^62.
"""

from __future__ import annotations

from endsight.graph.kernel_numbers import Doubles, Numbers, RoundArrays

STEP = 64
"""Rounds are counted in so many parts."""
LONGEST = 1 << 24
"""Rounds, in those parts, that best play may stay in a layer on average."""
UNRANKED = 1 << 30
"""The rank of a node from which play is not known to leave the layer."""


def guess_rounds(
    rounds: RoundArrays, h_chosen: Numbers, follows: int, d_guess: Doubles, d_change: Doubles, sweeps: int
) -> int:
    """Sweep floats, the last nodes first: no bounds, only where to look for them.

    `d_change[0]` becomes the largest change of the last sweep. Where everybody `follows` what is chosen it is less than
    half the work.
    """
    count, p_offsets, _, h_weights, _, _ = rounds
    for _ in range(sweeps):
        largest = 0.0
        for back in range(count):
            node = count - 1 - back
            value = 0.0
            total = 0
            for group in range(p_offsets[node], p_offsets[node + 1]):
                value += worth_of(group, rounds, h_chosen, follows, d_guess) * h_weights[group]
                total += h_weights[group]
            if total > 0:
                value /= total
                largest = max(largest, abs(value - d_guess[node]))
                d_guess[node] = value
        d_change[0] = largest
    return 0


def worth_of(group: int, rounds: RoundArrays, h_chosen: Numbers, follows: int, d_guess: Doubles) -> float:
    """What a group is worth to the first player: its best child, or the chosen one where play `follows` these."""
    child = h_chosen[group] if follows != 0 else best_child(group, rounds, d_guess)
    return signed_guess(child, 1, d_guess)


def best_child(group: int, rounds: RoundArrays, d_guess: Doubles) -> int:
    """The first of the children that are worth most to the player of a group."""
    _, _, h_groups, _, b_signs, h_children = rounds
    chosen = h_children[h_groups[group]]
    best = signed_guess(chosen, b_signs[group], d_guess)
    for edge in range(h_groups[group] + 1, h_groups[group + 1]):
        worth = signed_guess(h_children[edge], b_signs[group], d_guess)
        if worth > best:
            best = worth
            chosen = h_children[edge]
    return chosen


def signed_guess(child: int, sign: int, d_guess: Doubles) -> float:
    """What a child is worth to a player who wants more of the first one's amount (sign 1), or less (-1)."""
    worth = d_guess[child >> 1]
    return worth if (child & 1 == 0) == (sign > 0) else -worth


def choose_rounds(rounds: RoundArrays, h_chosen: Numbers, d_guess: Doubles) -> int:
    """Write down the best child of every group."""
    count, p_offsets, _, _, _, _ = rounds
    for group in range(p_offsets[count]):
        h_chosen[group] = best_child(group, rounds, d_guess)
    return 0


def count_rounds(
    rounds: RoundArrays, h_chosen: Numbers, follows: int, h_steps: Numbers, d_guess: Doubles, d_tolerance: Doubles,
    sweeps: int,
) -> int:  # fmt: skip
    """Let the rounds that play can stay in the layer grow from below; the largest growth of the last sweep.

    Play `follows` what is chosen, or may be any that loses no more than `d_tolerance[0]` with a move. -1 where the
    rounds pass `LONGEST`.
    """
    count, _, _, _, _, _ = rounds
    growth = 0
    for _ in range(sweeps):
        growth = 0
        for back in range(count):
            node = count - 1 - back
            if follows != 0:
                value = chosen_round(node, rounds, h_chosen, h_steps)
            else:
                value = longest_round(node, rounds, h_steps, d_guess, d_tolerance[0])
            if value > LONGEST:
                return -1
            if value > h_steps[node]:
                growth = max(growth, value - h_steps[node])
                h_steps[node] = value
    return growth


def chosen_round(node: int, rounds: RoundArrays, h_chosen: Numbers, h_steps: Numbers) -> int:
    """One round and, on average, what follows it where everybody plays what is chosen; rounded up."""
    _, p_offsets, _, h_weights, _, _ = rounds
    value = 0
    total = 0
    for group in range(p_offsets[node], p_offsets[node + 1]):
        value += h_weights[group] * h_steps[h_chosen[group] >> 1]
        total += h_weights[group]
    if total == 0:
        return 0
    return STEP - ((-value) // total)


def longest_round(node: int, rounds: RoundArrays, h_steps: Numbers, d_guess: Doubles, tolerance: float) -> int:
    """One round and, on average, the most that can follow if no move loses more than `tolerance`; rounded up."""
    _, p_offsets, h_groups, h_weights, b_signs, h_children = rounds
    value = 0
    total = 0
    for group in range(p_offsets[node], p_offsets[node + 1]):
        first = h_children[h_groups[group]]
        best = signed_guess(first, b_signs[group], d_guess)
        most = h_steps[first >> 1]
        for edge in range(h_groups[group] + 1, h_groups[group + 1]):
            child = h_children[edge]
            gain = signed_guess(child, b_signs[group], d_guess) - best
            if gain > tolerance:
                most = h_steps[child >> 1]
            elif gain >= -tolerance:
                most = max(most, h_steps[child >> 1])
            if gain > 0:
                best = signed_guess(child, b_signs[group], d_guess)
        value += h_weights[group] * most
        total += h_weights[group]
    if total == 0:
        return 0
    return STEP - ((-value) // total)


def rank_rounds(rounds: RoundArrays, h_ranks: Numbers) -> int:
    """Give ranks to nodes from which chance may lead to smaller ones whatever the players do; how many got one now."""
    count, _, _, _, _, _ = rounds
    changed = 0
    for back in range(count):
        node = count - 1 - back
        if h_ranks[node] == UNRANKED:
            least = surest_round(node, rounds, h_ranks)
            if least < UNRANKED:
                h_ranks[node] = least + 1
                changed += 1
    return changed


def surest_round(node: int, rounds: RoundArrays, h_ranks: Numbers) -> int:
    """The least, over outcomes of chance, of the largest rank that the players can then choose; 0 for ends."""
    _, p_offsets, h_groups, _, _, h_children = rounds
    least = UNRANKED
    if p_offsets[node] == p_offsets[node + 1]:
        return 0
    for group in range(p_offsets[node], p_offsets[node + 1]):
        most = 0
        for edge in range(h_groups[group], h_groups[group + 1]):
            most = max(most, h_ranks[h_children[edge] >> 1])
        least = min(least, most)
    return least


def surround_rounds(
    rounds: RoundArrays, p_bounds: Numbers, h_steps: Numbers, d_guess: Doubles, margin: int, shift: int, limit: int
) -> int:
    """Bounds around the guess, by `shift` and by a margin for every round still to play; 0 where they pass `limit`.

    Where one round moves the guess by at most r < margin, later layers are known up to
    `shift`, and the rounds left are h >= 1 + (the most that follow), then guess + shift +
    margin h should not grow with a round, and guess - shift - margin h not fall.
    `unproven_round` checks that.
    """
    count, p_offsets, _, _, _, _ = rounds
    for node in range(count):
        if p_offsets[node] < p_offsets[node + 1]:
            if abs(d_guess[node]) >= limit * 0.5 or margin > (limit // 4) // h_steps[node]:
                return 0
            reach = (margin * h_steps[node]) // STEP + shift + 1
            p_bounds[2 * node] = int(d_guess[node]) - reach
            p_bounds[2 * node + 1] = int(d_guess[node]) + reach
    return 1


def narrow_rounds(rounds: RoundArrays, p_bounds: Numbers, sweeps: int) -> int:
    """Sweep both bounds towards each other; how many nodes the last sweep changed."""
    count, _, _, _, _, _ = rounds
    changed = 0
    for _ in range(sweeps):
        changed = 0
        for back in range(count):
            node = count - 1 - back
            low, high = round_of(node, rounds, p_bounds)
            if low > p_bounds[2 * node] or high < p_bounds[2 * node + 1]:
                p_bounds[2 * node] = max(low, p_bounds[2 * node])
                p_bounds[2 * node + 1] = min(high, p_bounds[2 * node + 1])
                changed += 1
    return changed


def round_of(node: int, rounds: RoundArrays, p_bounds: Numbers) -> tuple[int, int]:
    """Bounds of a node from those of its round's children: the lower rounded down, the upper up."""
    _, p_offsets, h_groups, h_weights, b_signs, h_children = rounds
    low = 0
    high = 0
    total = 0
    for group in range(p_offsets[node], p_offsets[node + 1]):
        worst, best = bounds_of(h_children[h_groups[group]], p_bounds)
        for edge in range(h_groups[group] + 1, h_groups[group + 1]):
            least, most = bounds_of(h_children[edge], p_bounds)
            if b_signs[group] > 0:
                worst = max(worst, least)
                best = max(best, most)
            else:
                worst = min(worst, least)
                best = min(best, most)
        low += h_weights[group] * worst
        high += h_weights[group] * best
        total += h_weights[group]
    if total == 0:
        return p_bounds[2 * node], p_bounds[2 * node + 1]
    return low // total, -((-high) // total)


def bounds_of(child: int, p_bounds: Numbers) -> tuple[int, int]:
    """Bounds of a child of a group."""
    node = child - (child & 1)
    if child & 1:
        return -p_bounds[node + 1], -p_bounds[node]
    return p_bounds[node], p_bounds[node + 1]


def unproven_round(rounds: RoundArrays, p_bounds: Numbers, h_ranks: Numbers, limit: int) -> int:
    """The first node whose bounds one round would worsen, or whose rank proves nothing; `count` for none."""
    count, p_offsets, _, _, _, _ = rounds
    for node in range(count):
        low, high = round_of(node, rounds, p_bounds)
        if p_bounds[2 * node] > low or p_bounds[2 * node + 1] < high or p_bounds[2 * node] > p_bounds[2 * node + 1]:
            return node
        if p_bounds[2 * node] < -limit or p_bounds[2 * node + 1] > limit:
            return node
        is_end = p_offsets[node] == p_offsets[node + 1]
        if not is_end and surest_round(node, rounds, h_ranks) >= h_ranks[node]:
            return node
    return count
