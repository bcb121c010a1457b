"""The rounds of one layer: chance, and what players make of each outcome."""

from __future__ import annotations

from typing import NamedTuple

from endsight.compiler.kernels.batches import *
from endsight.compiler.kernels.shares import *

LEAVES, GROUPS, CHILDREN, ENDS, PAYOFF_KIND, HEAVIEST = range(OWN, OWN + 6)
"""Counters: leaves (states of later layers), groups, children, ends, whether payoffs are tuples, and the largest sum of
weights."""


class Layer(NamedTuple):
    """The number of a layer, states of later layers with theirs, and the numbers of both by slots of the table."""

    number: int
    p_leaves: Numbers
    h_layers: Numbers
    most_leaves: int
    h_numbers: Numbers


class Groups(NamedTuple):
    """Rounds as `endsight.engine.round_exploring.Rounds` has them; written where `keeps` is not 0."""

    p_offsets: Numbers
    h_groups: Numbers
    h_weights: Numbers
    b_movers: Numbers
    most_groups: int
    h_children: Numbers
    most_children: int
    keeps: int


class Ends(NamedTuple):
    """Nodes where the game is over, and what it pays there."""

    h_ends: Numbers
    p_payoffs: Numbers
    most_ends: int


class ChanceOutcomes(NamedTuple):
    """What chance brings at one node: keys, weights, where their children begin, who chooses, and the children."""

    p_outcomes: Numbers
    p_weights: Numbers
    p_firsts: Numbers
    b_movers: Numbers
    p_buffer: Numbers
    b_turned: Numbers
    most_buffer: int


def find_rounds(keys: Keys, layer: Layer, rounds: Groups, over: Ends, chance: ChanceOutcomes, work: Work) -> int:
    """The rounds of one layer: what chance brings at every node, and what players make of each outcome.

    A node's groups are its outcomes; a group has the children
    among which its player chooses (one where nobody does): node n as 2 n, or leaf k as
    -1 - 2 k, the number 2 n or 2 k being one larger where the child stands there with the
    players exchanged.
    """
    p_counters = work.p_counters
    result = es_begin(work)
    while result == DONE and p_counters[HEAD] < p_counters[TAIL]:
        result = STOPPED
        if p_counters[HEAD] < work.stop:
            result = es_find_round(keys, layer, rounds, over, chance, p_counters)
    return result


def es_find_round(
    keys: Keys, layer: Layer, rounds: Groups, over: Ends, chance: ChanceOutcomes, p_counters: Numbers
) -> int:
    """The round of the next node, which is done if the result is DONE."""
    key = es_load_key(keys.p_order, p_counters[HEAD])
    state = es_state(key)
    mover = es_mover(key, state)
    outcomes, total = es_find_outcomes(chance, state, mover)
    groups = outcomes
    count = outcomes
    if mover >= 0:
        total = 1
        groups = min(outcomes, 1)
        chance.p_firsts[0] = 0
        chance.p_weights[0] = 1
        chance.b_movers[0] = mover
    if outcomes <= chance.most_buffer:
        count = es_find_choices(keys, chance, outcomes, mover)
    p_counters[NEEDED] = count
    result = es_shortage(keys, layer, rounds, over, chance, p_counters, groups)
    if result == DONE and total >= (1 << 30):
        result = TOO_LONG
    if result == DONE and outcomes == 0:
        at = p_counters[ENDS]
        kind = es_write_share(over.p_payoffs, at * PLAYERS, rule_payoff(state), PLAYERS, SHARE_SITE)
        p_counters[PAYOFF_KIND] = kind
        over.h_ends[at] = p_counters[HEAD]
        p_counters[ENDS] = at + 1
    if result == DONE:
        result = es_enter_round(keys, layer, rounds, chance, p_counters, count)
    if result == DONE:
        es_keep_groups(rounds, chance, p_counters, groups, count)
        p_counters[HEAVIEST] = max(p_counters[HEAVIEST], total)
        p_counters[HEAD] += 1
    return result


def es_find_outcomes(chance: ChanceOutcomes, state: State, mover: int) -> tuple[int, int]:
    """Write down where all moves lead, and their weights; gives how many they are, and the sum of the weights."""
    outcomes = 0
    total = 0
    for move in rule_moves(state):
        if outcomes < chance.most_buffer:
            weight = es_weight(state, mover, move)
            es_store_key(chance.p_outcomes, outcomes, es_after(state, mover, move))
            chance.p_weights[outcomes] = weight
            total += weight
        outcomes += 1
    return (outcomes, total)


def es_find_choices(keys: Keys, chance: ChanceOutcomes, outcomes: int, mover: int) -> int:
    """Put what players make of all outcomes of chance, or what a mover may choose, among the children; their count."""
    count = 0
    for item in range(outcomes):
        between = es_load_key(chance.p_outcomes, item)
        before = count
        if mover < 0:
            state = es_state(between)
            who = es_mover(between, state)
            if who >= 0:
                for move in rule_moves(state):
                    if count < chance.most_buffer:
                        es_seat(keys, chance, count, es_after(state, who, move))
                    count += 1
            chance.p_firsts[item] = before
            chance.b_movers[item] = who if count > before else -1
        if count == before:
            if count < chance.most_buffer:
                es_seat(keys, chance, count, between)
            count += 1
    return count


def es_seat(keys: Keys, chance: ChanceOutcomes, at: int, key: Key) -> None:
    """Put a child among those that will be looked up, as it is kept, and whether its players are exchanged there."""
    seated = es_seated(key)
    chance.b_turned[at] = es_whole(seated != key)
    es_queue(keys.p_table, keys.mask, chance.p_buffer, at, seated)


def es_shortage(
    keys: Keys, layer: Layer, rounds: Groups, over: Ends, chance: ChanceOutcomes, p_counters: Numbers, groups: int
) -> int:
    """What there is too little room of for so many groups and the children that are NEEDED, or a fault."""
    count = p_counters[NEEDED]
    if count > chance.most_buffer:
        return BUFFER_FULL
    if p_counters[TAIL] + count > keys.most_nodes or p_counters[LEAVES] + count > layer.most_leaves:
        return NODES_FULL
    is_full = p_counters[GROUPS] + groups >= rounds.most_groups or p_counters[CHILDREN] + count > rounds.most_children
    if rounds.keeps != 0 and is_full:
        return EDGES_FULL
    return STACK_FULL if p_counters[ENDS] >= over.most_ends else es_result(p_counters)


def es_enter_round(
    keys: Keys, layer: Layer, rounds: Groups, chance: ChanceOutcomes, p_counters: Numbers, count: int
) -> int:
    """Enter the children that are new, as nodes or as leaves."""
    for item in range(count):
        key = es_load_key(chance.p_buffer, item)
        slot = es_find(keys.p_table, keys.mask, key)
        if es_code(keys.p_table, slot) == 0:
            number = es_layer(es_state(key))
            if number < layer.number:
                return NOT_LAYERED
            if number == layer.number:
                es_enter(keys.p_table, slot, key, UNSET)
                layer.h_numbers[slot] = p_counters[TAIL]
                es_store_key(keys.p_order, p_counters[TAIL], key)
                p_counters[TAIL] += 1
            else:
                es_enter(keys.p_table, slot, key, SET)
                layer.h_numbers[slot] = p_counters[LEAVES]
                es_store_key(layer.p_leaves, p_counters[LEAVES], key)
                layer.h_layers[p_counters[LEAVES]] = number
                p_counters[LEAVES] += 1
        if rounds.keeps != 0:
            child = 2 * layer.h_numbers[slot] + chance.b_turned[item]
            if es_code(keys.p_table, slot) == SET:
                child = -1 - child
            rounds.h_children[p_counters[CHILDREN] + item] = child
    return es_result(p_counters)


def es_keep_groups(rounds: Groups, chance: ChanceOutcomes, p_counters: Numbers, count: int, children: int) -> None:
    """Write down the groups of the next node, all of whose children are written."""
    if rounds.keeps != 0:
        first = p_counters[GROUPS]
        rounds.p_offsets[p_counters[HEAD]] = first
        for item in range(count):
            rounds.h_groups[first + item] = p_counters[CHILDREN] + chance.p_firsts[item]
            rounds.h_weights[first + item] = chance.p_weights[item]
            rounds.b_movers[first + item] = chance.b_movers[item]
        p_counters[GROUPS] = first + count
        p_counters[CHILDREN] += children
        rounds.p_offsets[p_counters[HEAD] + 1] = first + count
        rounds.h_groups[first + count] = p_counters[CHILDREN]
