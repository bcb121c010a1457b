"""Loops of backward induction in whole numbers that fit machine words, a level at a time: see `whole_numbers`."""

from __future__ import annotations

from endsight.graph.kernel_numbers import Levels, Links, Numbers


def place_levels(links: Links, b_dice: Numbers, h_order: Numbers, h_levels: Numbers, h_heights: Numbers) -> int:
    """How many throws of dice lie at most between a node and an end, and how many moves to the next throw or end.

    `h_order` has every node after all those it leads to.
    """
    count, p_offsets, h_successors = links
    for place in range(count):
        node = h_order[place]
        level = 0
        height = 0
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            if h_levels[child] > level:
                level = h_levels[child]
                height = 0
            if h_levels[child] == level and h_heights[child] >= height:
                height = h_heights[child] + 1
        if b_dice[node] != 0:
            level += 1
            height = 0
        h_levels[node] = level
        h_heights[node] = height
    return 0


def average(
    links: Links,
    levels: Levels,
    count: int,
    p_nodes: Numbers,
    p_weights: Numbers,
    is_weighted: int,
    p_shares: Numbers,
    factor: int,
) -> int:
    """Amounts at nodes that throw dice: sums over the outcomes, each times its weight times the node's share.

    They are divided by the greatest number that divides all of them and `factor`; the result is that number.
    """
    _, p_offsets, h_successors = links
    players, p_tops, h_levels, p_scales, p_gains, has_gains = levels
    common = factor
    for place in range(count):
        node = p_nodes[place]
        for player in range(players):
            p_tops[node * players + player] = 0
        for edge in range(p_offsets[node], p_offsets[node + 1]):
            child = h_successors[edge]
            weight = p_shares[place] * (p_weights[edge] if is_weighted != 0 else 1)
            scale = weight * p_scales[h_levels[child]]
            for player in range(players):
                p_tops[node * players + player] += scale * p_tops[child * players + player]
            if has_gains != 0:
                for player in range(players):
                    p_tops[node * players + player] += weight * p_scales[0] * p_gains[edge * players + player]
        for player in range(players):
            other = abs(p_tops[node * players + player])
            while other != 0:
                rest = common % other
                common = other
                other = rest
    if common > 1:
        for place in range(count):
            for player in range(players):
                at = p_nodes[place] * players + player
                # Exact, so it does not matter which way a division of numbers below 0 rounds.
                p_tops[at] = p_tops[at] // common
    return common


def decide(
    links: Links,
    levels: Levels,
    count: int,
    p_nodes: Numbers,
    b_targets: Numbers,
    b_signs: Numbers,
    p_choices: Numbers,
) -> int:
    """Amounts at nodes where players decide: those after the first of the best edges, which are noted.

    A node whose sign is 0 has one edge, and decides nothing.
    """
    _, p_offsets, h_successors = links
    players, p_tops, h_levels, p_scales, p_gains, has_gains = levels
    for place in range(count):
        node = p_nodes[place]
        chosen = p_offsets[node]
        target = b_targets[node]
        best = 0
        if b_signs[node] != 0:
            for edge in range(chosen, p_offsets[node + 1]):
                child = h_successors[edge]
                worth = p_tops[child * players + target] * p_scales[h_levels[child]]
                if has_gains != 0:
                    worth += p_gains[edge * players + target] * p_scales[0]
                worth = worth * b_signs[node]
                if edge == p_offsets[node] or worth > best:
                    best = worth
                    chosen = edge
            p_choices[node] = chosen
        child = h_successors[chosen]
        for player in range(players):
            amount = p_tops[child * players + player] * p_scales[h_levels[child]]
            if has_gains != 0:
                amount += p_gains[chosen * players + player] * p_scales[0]
            p_tops[node * players + player] = amount
    return 0
