"""Solving keys backwards: a number for every player of each."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from endsight.compiler.kernels.batches import *
from endsight.compiler.kernels.shares import *

CHOOSERS, SUMS_DIFFER = OWN, OWN + 1
"""Counters: a bit for every player who has a choice anywhere, and whether two players' sums depend on what they do."""


class SharesKept(NamedTuple):
    """Where a value of every player is kept beside a table, in 32 bits or in 64, and plies where they count."""

    h_narrow: Numbers
    p_wide: Numbers
    h_plies: Numbers


class SharesRoom(NamedTuple):
    """What moves bring everybody, how many children each key has and who moves there, and room for two shares."""

    p_gains: Numbers
    p_counts: Numbers
    p_share: Numbers


class Interests(NamedTuple):
    """Per player whose value counts, in which direction, and a draw's worth; see `endsight.engine.goals.Goals`."""

    p_goals: Numbers
    utility: int
    unit: int


Own: TypeAlias = "tuple[SharesKept, SharesRoom, Interests]"


def solve_shares(
    keys: Keys, values: SharesKept, children: Children, moves: SharesRoom, goals: Interests, work: Work
) -> int:
    """Values of all players of all keys, last found first; every move must lead to a key found later.

    Each mover takes the first of their best moves; with PLIES among equals the shortest way
    to what is better than a draw, the longest to what is worse (-1 for no distance).
    The counter HEAD is how many nodes are left.
    """
    es_begin(work)
    return es_expand_batches(keys, children, (values, moves, goals), work, 0)


def es_expand(keys: Keys, children: Children, own: Own, p_counters: Numbers, node: Node, count: int) -> int:
    """Find the children of a key, and what the moves bring everybody."""
    _, moves, goals = own
    place, key, state, mover = node
    before = count
    for move in rule_moves(state):
        if count < children.most_buffer:
            es_queue(keys.p_table, keys.mask, children.p_buffer, count, es_after(state, mover, move))
            if HAS_REWARD:
                kind = es_write_share(moves.p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
                es_spread(moves.p_share, kind, mover)
                es_value_to_all(moves.p_share, goals, moves.p_gains, count * PLAYERS)
        count += 1
    at = 2 * (p_counters[HEAD] - 1 - place)
    moves.p_counts[at] = count - before
    moves.p_counts[at + 1] = mover
    es_touch(keys.p_table, es_slot(key, keys.mask))
    return count


def es_enter_children(keys: Keys, children: Children, own: Own, p_counters: Numbers, batch: Batch) -> int:
    """Enter the values of every key: those of the mover's best move, or what an end pays."""
    head, nodes, _ = batch
    values, moves, _ = own
    item = 0
    for node in range(nodes):
        mover = max(moves.p_counts[node * 2 + 1], 0)  # chance, at the end of the game, is player 0
        if moves.p_counts[node * 2] > 1:  # a single move is no choice
            p_counters[CHOOSERS] |= 1 << mover
        chosen, target, plies = es_best_move(keys, children, own, p_counters, mover, item, moves.p_counts[node * 2])
        item += moves.p_counts[node * 2]
        key = es_load_key(keys.p_order, head - 1 - node)
        slot = es_place(keys.p_table, keys.mask, key)
        if chosen < 0:
            es_value_end(own, p_counters, slot, es_state(key), mover)
        else:
            es_value_move(own, slot, target, chosen, plies)
        for player in range(PLAYERS):
            value = moves.p_share[PLAYERS + player]
            if NARROW:
                if abs(value) > 2147483647:
                    p_counters[FOUND] = TOO_LONG
                values.h_narrow[slot * PLAYERS + player] = value
            else:
                values.p_wide[slot * PLAYERS + player] = value
        if p_counters[FOUND] != DONE:
            return DONE
        es_enter(keys.p_table, slot, key, SET)
    return DONE


def es_best_move(
    keys: Keys, children: Children, own: Own, p_counters: Numbers, mover: int, first: int, count: int
) -> tuple[int, int, int]:
    """The mover's best of some moves, -1 if there are none; the slot of the key after it, and the plies from there."""
    values, _, goals = own
    whose = goals.p_goals[mover * 3]
    draw = goals.p_goals[mover * 3 + 2]
    best = 0
    chosen = -1
    target = 0
    total = 0
    for item in range(first, first + count):
        slot = es_place(keys.p_table, keys.mask, es_load_key(children.p_buffer, item))
        if es_code(keys.p_table, slot) == UNSET:
            p_counters[FOUND] = NOT_LAYERED
        worth = es_arrival(own, slot, item, whose)
        if goals.p_goals[mover * 3 + 1] < 0:
            worth = es_subtract(0, worth, VALUE_SITE)
        if PLAYERS == 2:
            both = es_add(es_arrival(own, slot, item, 0), es_arrival(own, slot, item, PLAYERS - 1), VALUE_SITE)
            if chosen >= 0 and both != total:
                p_counters[SUMS_DIFFER] = 1
            total = both
        is_better = chosen < 0 or worth > best
        if PLIES and chosen >= 0 and worth == best and worth != draw:
            way = values.h_plies[slot]
            plies = values.h_plies[target]
            if way >= 0 and plies >= 0:
                is_better = way < plies if worth > draw else way > plies
        if is_better:
            best = worth
            chosen = item
            target = slot
    plies = -1
    if PLIES and best != draw:
        plies = values.h_plies[target]
    return (chosen, target, plies)


def es_value_end(own: Own, p_counters: Numbers, slot: int, state: State, mover: int) -> None:
    """Write what an end is worth to every player."""
    values, moves, goals = own
    kind = es_write_share(moves.p_share, 0, rule_payoff(state), PLAYERS, SHARE_SITE)
    es_spread(moves.p_share, kind, mover)
    if PLIES:
        if moves.p_share[0] != -moves.p_share[1] or es_verdict(moves.p_share[0]) > 1:
            p_counters[FOUND] = NOT_WIN_LOSS
        values.h_plies[slot] = -1 if moves.p_share[0] == 0 else 0
    es_value_to_all(moves.p_share, goals, moves.p_share, PLAYERS)


def es_value_move(own: Own, slot: int, target: int, item: int, plies: int) -> None:
    """Write what a move to a key, with so many plies from there, is worth to every player."""
    values, moves, _ = own
    for player in range(PLAYERS):
        moves.p_share[PLAYERS + player] = es_arrival(own, target, item, player)
    if PLIES:
        values.h_plies[slot] = plies + 1 if plies >= 0 else -1


def es_spread(p_share: Numbers, kind: int, mover: int) -> None:
    """One entry per player of a share that `es_write_share` wrote: a single number is the mover's."""
    if kind == 0 and PLAYERS > 1:
        own = p_share[0]
        for player in range(PLAYERS):
            p_share[player] = 0
        if HAS_MOVER or PLAYERS != 2:
            es_fault_at(es_whole(own != 0), SHARE_SITE)
        else:
            p_share[mover & 1] = own
            p_share[1 - (mover & 1)] = es_subtract(0, own, VALUE_SITE)


def es_value_to_all(p_share: Numbers, goals: Interests, p_values: Numbers, at: int) -> None:
    """What a payoff or reward is worth to every player, in units: itself, a share of the win, or the lead."""
    for player in range(PLAYERS):
        own = p_share[player]
        others = own
        rivals = 0
        equals = 1
        for rival in range(PLAYERS):
            if rival != player:
                other = p_share[rival]
                if rivals == 0 or other > others:
                    others = other
                if other == own:
                    equals += 1
                rivals += 1
        if goals.utility == 0:
            p_values[at + player] = own
        elif goals.utility == 1:
            p_values[at + player] = goals.unit // equals if own >= others else 0
        else:
            p_values[at + player] = es_subtract(own, others, VALUE_SITE)


def es_arrival(own: Own, slot: int, item: int, player: int) -> int:
    """A player's value of a move: of the key in a slot, and what the move brings."""
    values, moves, _ = own
    value = values.h_narrow[slot * PLAYERS + player] if NARROW else values.p_wide[slot * PLAYERS + player]
    if HAS_REWARD:
        value = es_add(value, moves.p_gains[item * PLAYERS + player], VALUE_SITE)
    return value
