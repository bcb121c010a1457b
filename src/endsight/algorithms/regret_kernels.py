"""The loops of regret matching over the treeplexes of two players: run as they stand, or compiled.

Plans are floats here and prove nothing, but for `round_masses` and `reply`, which count in whole numbers that
pass no word (`best_reply` sees to that). See `endsight.graph.kernel_numbers` for what the letters before names say.
"""

from __future__ import annotations

from typing import NamedTuple

from endsight.graph.kernel_numbers import Doubles, Numbers


class Tree(NamedTuple):
    """A treeplex of n sets, see `treeplex.Treeplex`; parents come before children.

    h_parents  n      the sequence before each set
    h_first    n + 1  the first sequence of each; after the last one, how many sequences there are
    """

    sets: int
    h_parents: Numbers
    h_first: Numbers


class Paid(NamedTuple):
    """What the other player is paid where sequence k is played: entries p_starts[k] .. p_starts[k + 1] - 1.

    h_others   m  a sequence of the other player
    d_amounts  m  what it is paid
    """

    p_starts: Numbers
    h_others: Numbers
    d_amounts: Doubles


class Reach(NamedTuple):
    """How a player plays, by sequence.

    d_regrets  regrets, never below 0
    d_chances  with which chance its set plays the last move of each sequence now
    d_masses   the masses that these chances give
    d_total    the sum of the masses of all turns, each times its weight
    """

    d_regrets: Doubles
    d_chances: Doubles
    d_masses: Doubles
    d_total: Doubles


def match_regrets(
    first: Tree, second: Tree, paid_by_first: Paid, paid_by_second: Paid, mine: Reach, yours: Reach, d_gains: Doubles,
    begin: int, stop: int,
) -> int:  # fmt: skip
    """Let both players in turn regret and play anew, in the turns `begin` .. `stop` - 1; returns 0."""
    for turn in range(begin, stop):
        gain(second, first, paid_by_second, yours[2], d_gains)
        regret(first, mine, d_gains)
        play(first, mine, turn)
        gain(first, second, paid_by_first, mine[2], d_gains)
        regret(second, yours, d_gains)
        play(second, yours, turn)
    return 0


def gain(own: Tree, other: Tree, paid: Paid, d_masses: Doubles, d_gains: Doubles) -> int:
    """What every sequence of the other player gains against these masses, later sets left out; returns 0."""
    p_starts, h_others, d_amounts = paid
    for sequence in range(other[2][other[0]]):
        d_gains[sequence] = 0.0
    for sequence in range(own[2][own[0]]):
        mass = d_masses[sequence]
        if mass > 0.0:
            for entry in range(p_starts[sequence], p_starts[sequence + 1]):
                d_gains[h_others[entry]] += mass * d_amounts[entry]
    return 0


def regret(tree: Tree, played: Reach, d_values: Doubles) -> int:
    """Regret what was played against these gains, and mix moves by the regrets and the last ones again; returns 0."""
    sets, h_parents, h_first = tree
    d_regrets, d_chances, _, _ = played
    for back in range(sets):
        number = sets - 1 - back
        first = h_first[number]
        last = h_first[number + 1]
        value = 0.0
        for sequence in range(first, last):
            value += d_chances[sequence] * d_values[sequence]
        d_values[h_parents[number]] += value
        wanted = 0.0
        for sequence in range(first, last):
            more = d_values[sequence] - value
            d_regrets[sequence] = max(d_regrets[sequence] + more, 0.0)
            d_chances[sequence] = max(d_regrets[sequence] + more, 0.0)
            wanted += d_chances[sequence]
        for sequence in range(first, last):
            if wanted > 0.0:
                d_chances[sequence] /= wanted
            else:
                d_chances[sequence] = 1.0 / (last - first)
    return 0


def play(tree: Tree, played: Reach, turn: int) -> int:
    """The masses that the chances of all sets give, counted into the total by the square of the turn; returns 0."""
    sets, h_parents, h_first = tree
    _, d_chances, d_masses, d_total = played
    weight = 1.0 * turn * turn
    d_total[0] += weight * d_masses[0]
    for number in range(sets):
        before = d_masses[h_parents[number]]
        for sequence in range(h_first[number], h_first[number + 1]):
            mass = before * d_chances[sequence]
            d_masses[sequence] = mass
            d_total[sequence] += weight * mass
    return 0


def respond(tree: Tree, d_values: Doubles, b_wanted: Numbers, close: int) -> int:
    """Make gains what a best reply brings from every sequence on, and want its moves where wanted ones bring less.

    How many moves were added to those wanted. Less must be less by more than one part in `close` of what is compared.
    """
    sets, h_parents, h_first = tree
    added = 0
    for back in range(sets):
        number = sets - 1 - back
        best = h_first[number]
        wanted = -1
        for sequence in range(h_first[number], h_first[number + 1]):
            if d_values[sequence] > d_values[best]:
                best = sequence
            if b_wanted[sequence] != 0 and (wanted < 0 or d_values[sequence] > d_values[wanted]):
                wanted = sequence
        d_values[h_parents[number]] += d_values[best]
        if wanted >= 0:
            more = d_values[best] - d_values[wanted]
            if more * close > abs(d_values[best]) + abs(d_values[wanted]):
                b_wanted[best] = 1
                added += 1
    return added


def keep(tree: Tree, b_wanted: Numbers, b_kept: Numbers) -> int:
    """Keep the moves that are wanted after kept ones, from sequence 0 on; returns 0."""
    sets, h_parents, h_first = tree
    for number in range(sets):
        if b_kept[h_parents[number]] != 0:
            for sequence in range(h_first[number], h_first[number + 1]):
                b_kept[sequence] = b_wanted[sequence]
    return 0


def lead_to(tree: Tree, b_marks: Numbers) -> int:
    """Mark all sequences that lead to marked ones; returns 0."""
    sets, h_parents, h_first = tree
    for back in range(sets):
        number = sets - 1 - back
        for sequence in range(h_first[number], h_first[number + 1]):
            if b_marks[sequence] != 0:
                b_marks[h_parents[number]] = 1
    return 0


def round_masses(tree: Tree, d_weights: Doubles, p_masses: Numbers) -> int:
    """Split the mass of sequence 0 over all others, those of each set in proportion to their weights; returns 0.

    What rounding leaves goes to the largest weight; sets without weights split evenly.
    """
    sets, h_parents, h_first = tree
    for number in range(sets):
        left = p_masses[h_parents[number]]
        first = h_first[number]
        last = h_first[number + 1]
        weights = 0.0
        largest = first
        for sequence in range(first, last):
            weights += d_weights[sequence]
            if d_weights[sequence] > d_weights[largest]:
                largest = sequence
        mass = 1.0 * left
        for sequence in range(first, last):
            share = 1.0 / (last - first)
            if weights > 0.0:
                share = d_weights[sequence] / weights
            part = min(int(mass * share), left)
            p_masses[sequence] = part
            left -= part
        p_masses[largest] += left
    return 0


def reply(tree: Tree, p_values: Numbers) -> int:
    """Make what is gained at every sequence what a best reply gains from there on; returns 0."""
    sets, h_parents, h_first = tree
    for back in range(sets):
        number = sets - 1 - back
        best = p_values[h_first[number]]
        for sequence in range(h_first[number] + 1, h_first[number + 1]):
            best = max(best, p_values[sequence])
        p_values[h_parents[number]] += best
    return 0
