"""Solving keys backwards: a number for every player of each."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.core import *
from endsight.compiler.kernels.shares import *

MET, SUMS_DIFFER = 4, 5
"""Counters: a bit for every player who was to move anywhere, and whether two players' sums depend on what they do."""


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


class Wishes(NamedTuple):
    """Per player whose value counts, in which direction, and a draw's worth; see `endsight.compiler.goals.Goals`."""

    p_goals: Numbers
    utility: int
    unit: int


def solve_shares(
    keys: Keys, values: SharesKept, children: Children, moves: SharesRoom, goals: Wishes, work: Work
) -> int:
    """Values of all players of all keys, last found first; every move must lead to a key found later.

    Each mover takes the first of their best moves; with PLIES among equals the shortest way
    to what is better than a draw, the longest to what is worse (-1 for no distance).
    The counter HEAD is how many nodes are left.
    """
    p_table, mask, p_order, _ = keys
    h_narrow, p_wide, h_plies = values
    p_buffer, most_buffer = children
    p_gains, p_counts, p_share = moves
    p_goals, utility, unit = goals
    p_data, p_counters, stop = work
    es_use_data(p_data)
    if p_counters[IS_SHARED] == 0:
        es_clear_fault()
    left = p_counters[HEAD]
    met = p_counters[MET]
    result = DONE
    while left > 0:
        if left <= stop:
            result = STOPPED
            break
        first = left
        count = 0
        nodes = 0
        while left > stop and count < BATCH and nodes < BATCH:
            key = es_load_key(p_order, left - 1)
            state = es_state(key)
            mover = es_mover(key, state)
            before = count
            for move in rule_moves(state):
                if count < most_buffer:
                    es_queue(p_table, mask, p_buffer, count, es_after(key, state, mover, move))
                    if HAS_REWARD:
                        kind = es_write_share(p_share, 0, rule_reward(state, move), PLAYERS, SHARE_SITE)
                        es_spread(p_share, kind, mover)
                        es_value_to_all(p_share, utility, unit, p_gains, count * PLAYERS)
                count += 1
            p_counts[nodes * 2] = count - before
            p_counts[nodes * 2 + 1] = mover
            nodes += 1
            es_touch(p_table, es_slot(key, mask))
            left -= 1
        result = es_lack(p_counters, result, count, most_buffer, most_buffer, BUFFER_FULL)
        if result != DONE:
            left = first
            break
        item = 0
        for node in range(nodes):
            mover = p_counts[node * 2 + 1]
            if mover < 0:
                mover = 0  # chance, at the end of the game
            elif p_counts[node * 2] > 1:
                met = met | (1 << mover)  # a single move is no choice
            whose = p_goals[mover * 3]
            draw = p_goals[mover * 3 + 2]
            best = 0
            chosen = -1
            target = 0
            plies = -1
            total = 0
            for _ in range(p_counts[node * 2]):
                key = es_load_key(p_buffer, item)
                slot = es_place(p_table, mask, key)
                if es_code(p_table, slot) == UNSET:
                    result = NOT_LAYERED
                worth = es_arrival(h_narrow, p_wide, p_gains, slot, item, whose)
                if p_goals[mover * 3 + 1] < 0:
                    worth = es_subtract(0, worth, VALUE_SITE)
                if PLAYERS == 2:
                    both = es_sum(h_narrow, p_wide, p_gains, slot, item)
                    if chosen >= 0 and both != total:
                        p_counters[SUMS_DIFFER] = 1
                    total = both
                is_better = chosen < 0 or worth > best
                if PLIES and chosen >= 0 and worth == best and worth != draw:
                    way = h_plies[slot]
                    if way >= 0 and plies >= 0:
                        is_better = way < plies if worth > draw else way > plies
                if is_better:
                    best = worth
                    chosen = item
                    target = slot
                    if PLIES:
                        plies = h_plies[slot]
                item += 1
            key = es_load_key(p_order, first - 1 - node)
            slot = es_place(p_table, mask, key)
            if chosen < 0:
                kind = es_write_share(p_share, 0, rule_payoff(es_state(key)), PLAYERS, SHARE_SITE)
                es_spread(p_share, kind, mover)
                if PLIES:
                    if p_share[0] != -p_share[1] or es_verdict(p_share[0]) > 1:
                        result = NOT_WIN_LOSS
                    h_plies[slot] = -1 if p_share[0] == 0 else 0
                es_value_to_all(p_share, utility, unit, p_share, PLAYERS)
            else:
                for player in range(PLAYERS):
                    worth = es_arrival(h_narrow, p_wide, p_gains, target, chosen, player)
                    p_share[PLAYERS + player] = worth
                if PLIES:
                    h_plies[slot] = plies + 1 if best != draw and plies >= 0 else -1
            for player in range(PLAYERS):
                worth = p_share[PLAYERS + player]
                if NARROW:
                    if es_beyond(worth, 2147483647):
                        result = TOO_LONG
                    h_narrow[slot * PLAYERS + player] = worth
                else:
                    p_wide[slot * PLAYERS + player] = worth
            if result != DONE:
                break
            es_enter(p_table, slot, key, SET)
        result = es_faulted(p_counters, result)
        if result != DONE:
            break
    p_counters[HEAD] = left
    p_counters[MET] = met
    return result


def es_spread(p_share: Numbers, kind: int, mover: int) -> None:
    """One entry per player of a share that `es_write_share` wrote: a single number is the mover's."""
    if kind == 0 and PLAYERS > 1:
        own = p_share[0]
        for player in range(PLAYERS):
            p_share[player] = 0
        if MOVER_TOLD or PLAYERS != 2:
            es_fault_at(es_whole(own != 0), SHARE_SITE)
        else:
            p_share[mover & 1] = own
            p_share[1 - (mover & 1)] = es_subtract(0, own, VALUE_SITE)


def es_value_to_all(p_share: Numbers, utility: int, unit: int, p_values: Numbers, at: int) -> None:
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
        if utility == 0:
            p_values[at + player] = own
        elif utility == 1:
            p_values[at + player] = unit // equals if own >= others else 0
        else:
            p_values[at + player] = es_subtract(own, others, VALUE_SITE)


def es_arrival(h_narrow: Numbers, p_wide: Numbers, p_gains: Numbers, slot: int, item: int, player: int) -> int:
    """A player's value of a move: of the key in a slot, and what the move brings."""
    value = h_narrow[slot * PLAYERS + player] if NARROW else p_wide[slot * PLAYERS + player]
    if HAS_REWARD:
        value = es_add(value, p_gains[item * PLAYERS + player], VALUE_SITE)
    return value


def es_sum(h_narrow: Numbers, p_wide: Numbers, p_gains: Numbers, slot: int, item: int) -> int:
    """What two players get together by a move."""
    one = es_arrival(h_narrow, p_wide, p_gains, slot, item, 0)
    return es_add(one, es_arrival(h_narrow, p_wide, p_gains, slot, item, PLAYERS - 1), VALUE_SITE)


def es_beyond(number: int, most: int) -> int:
    """Whether a number lies outside -most .. most."""
    return number > most or number < -most
