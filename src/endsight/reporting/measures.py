"""What a report measures along one way to play: lengths, decisions, mistakes, changes of the lead, luck, and moves.

All numbers are exact, and moves go by their texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from endsight.algorithms.length_of_play import length_of_play
from endsight.algorithms.outcome_distribution import remembering, visits
from endsight.answers.solution import Solution
from endsight.game import CHANCE
from endsight.game.numbers import Number, simplest
from endsight.game.position import as_text
from endsight.graph.reachable import keeps_totals, reachable
from endsight.reporting.played import Played

MOST_COMPARED = 6_000
"""Positions at most in which all moves are compared."""


class Lengths(NamedTuple):
    """How many moves players make.

    mean, variance       of that number
    shortest, longest    possible numbers; the longest is None where there is no limit
    usually              two numbers; at least four of five games lie between them, both included
    """

    mean: Number
    variance: Number
    shortest: int
    longest: int | None
    usually: tuple[int, int]


def lengths(played: Played) -> Lengths | None:
    """The lengths of play; None where play need not end."""
    counts = played.visits
    if counts is None:
        return None
    view, graph = played.view, played.graph
    is_limited = not _comes_back(played)
    # All but a millionth of infinite lists: quantiles need no more, and mean and variance are solved for exactly.
    rest = Fraction(0) if is_limited else Fraction(1, 1_000_000)
    chances, _, _ = length_of_play(graph, lambda node: view.is_ply(graph, node), rest, 100_000, played.budget)
    mean, square = _moments(played, counts)
    longest = max(chances) if is_limited else None
    tenth = Fraction(1, 10)
    usually = _quantile(chances, tenth), _quantile(chances, 1 - tenth)
    return Lengths(simplest(mean), simplest(square - mean * mean), min(chances), longest, usually)


def _comes_back(played: Played) -> bool:
    """Whether a player can be to move twice in the same position."""
    graph, plies = played.graph, {*played.plies()}
    return graph.is_cyclic and any(graph.is_loop(part) and not plies.isdisjoint(part) for part in graph.components)


def _moments(played: Played, counts: Mapping[int, Fraction]) -> tuple[Fraction, Fraction]:
    """Mean and mean square of the number of plies.

    A game of n plies has n (n + 1) / 2 pairs of a ply and another from it on. How many plies there are from a ply on,
    itself included, summed over all visits, counts each pair once.
    """
    graph, plies = played.graph, {*played.plies()}
    gains = [(1,) if node in plies else None for node in range(len(graph)) for _ in graph.edges(node)]
    ended: list[tuple[Number, ...] | None] = [None if payoff is None else (0,) for payoff in graph.payoffs]
    counted = replace(graph, players=1, rewards=gains, payoffs=ended, endless=(0,), unending=None)
    left = replace(played, graph=counted).values
    mean = Fraction(left[0][0])
    pairs = sum((count * left[node][0] for node, count in counts.items() if node in plies), Fraction(0))
    return mean, 2 * pairs - mean


def _quantile(chances: Mapping[int, Fraction], share: Fraction) -> int:
    """The smallest number that at least that share does not exceed."""
    below = Fraction(0)
    for number, chance in sorted(chances.items()):
        below += chance
        if below >= share:
            return number
    return max(chances)


class ChoiceShares(NamedTuple):
    """The choices at players' turns, as shares of all turns, and the cost of a wrong move.

    forced     one move alone
    costless   several, all of them equally good
    real       several, some of them better than others
    mistake    what a wrong move gives away where there is a real choice, on average over such turns and their wrong
               moves, in units of the solution; infinite where a total has no limit after one, None where there is no
               real choice
    """

    forced: Fraction
    costless: Fraction
    real: Fraction
    mistake: Number | None


def choices(played: Played) -> ChoiceShares | None:
    """The turns of players; None where play need not end, where nobody moves, or where moves are mixed."""
    counts = played.visits
    if counts is None or not played.offered:
        return None
    forced = costless = real = lost = Fraction(0)
    for node in played.plies():
        count, options = counts.get(node, Fraction(0)), played.options(node)
        wrong = [option.regret for option in options if option.regret]
        forced += count * (len(options) == 1)
        costless += count * (len(options) > 1 and not wrong)
        real += count * bool(wrong)
        if wrong:
            lost += count / len(wrong) * sum(wrong, Fraction(0))
    total = forced + costless + real
    if not total:
        return None
    return ChoiceShares(forced / total, costless / total, real / total, simplest(lost / real) if real else None)


def open_until(played: Played) -> Fraction | None:
    """The average number of moves after which nothing is open any more; None where play need not end.

    A position is open where moves differ in what they bring to somebody, where luck changes what somebody may expect,
    and wherever play from there can reach such a position. Only best play, with all its moves, is examined.
    """
    counts, graph = played.visits, played.graph
    if counts is None:
        return None
    is_open = [any(any(changes) for _, changes in played.increments(node)) for node in range(len(graph))]
    for node in played.plies():
        is_open[node] = is_open[node] or len({option.value for option in played.options(node)}) > 1
    for part in graph.components:
        leads = any(is_open[graph.successors[edge]] for node in part for edge in graph.edges(node))
        if leads or any(is_open[node] for node in part):
            for node in part:
                is_open[node] = True
    return sum((counts.get(node, Fraction(0)) for node in played.plies() if is_open[node]), Fraction(0))


def lead_changes(played: Played) -> Fraction | None:
    """How often on average the better chances pass from one player to another; None where play need not end."""
    graph = played.graph
    leaders = [_leader(row) for row in played.values]

    def after(edge: int, leader: int | None) -> int | None:
        ahead = leaders[graph.successors[edge]]
        return leader if ahead is None else ahead

    with_leader, places = remembering(graph, leaders[0], after, played.budget)
    counts = visits(with_leader, played.budget)
    if counts is None:
        return None
    changes = (
        counts.get(node, Fraction(0)) * chance
        for node, (_, leader) in enumerate(places)
        for edge, chance in with_leader.chances(node)
        if leader is not None and places[with_leader.successors[edge]][1] != leader
    )
    return sum(changes, Fraction(0))


def _leader(row: tuple[Number, ...]) -> int | None:
    """The player with the best chances; None where several players share them."""
    best = max(row)
    return row.index(best) if row.count(best) == 1 else None


def luck(played: Played) -> Fraction | None:
    """The share of chance in the variance of the result; None where all games end alike, or need not end.

    A player's expectation changes step by step, and the changes are uncorrelated (they are differences of a
    martingale), so the variance is the sum of the parts at chance and at moves. The variances of all players are added.
    """
    counts = played.visits
    if counts is None:
        return None
    drawn = made = Fraction(0)
    for node, count in counts.items():
        squares = (chance * sum(change * change for change in changes) for chance, changes in played.increments(node))
        spread = count * sum(squares, Fraction(0))
        drawn, made = (drawn + spread, made) if played.is_drawn(node) else (drawn, made + spread)
    return drawn / (drawn + made) if drawn + made else None


def draws(played: Played) -> Fraction:
    """The share of games that nobody wins alone."""
    alone = (played.results(seat).get(1, Fraction(0)) for seat in range(played.graph.players))
    return 1 - sum(alone, Fraction(0))


class Usage(NamedTuple):
    """How the moves are used, identified by their texts.

    moves      all moves that are legal somewhere
    dominated  moves that are legal beside others, and worse than the best wherever they are
    unused     moves that best players never make
    """

    moves: tuple[str, ...]
    dominated: tuple[str, ...]
    unused: tuple[str, ...]


def usage(solution: Solution, best: Played) -> Usage | None:
    """The moves of all positions that play can reach; None where there are too many, or moves are mixed."""
    if not best.offered:
        return None
    legal, chosen_from, good = dict[str, None](), set[str](), set[str]()
    places = reachable(solution.position, best.budget, totals=keeps_totals(solution.question, solution.game))
    for count, place in enumerate(places):
        if count >= MOST_COMPARED:
            return None
        if place.mover == CHANCE or place.is_over:
            continue
        for option in (options := solution.options(place)):
            legal[option.text] = None
            if len(options) > 1:
                chosen_from.add(option.text)
            if option.best:
                good.add(option.text)
    view, graph = best.view, best.graph
    made = {
        as_text(view.game, "show_move", view.split(graph.keys[node])[0], graph.moves[edge])
        for node in best.plies()
        for edge in graph.edges(node)
    }
    dominated = tuple(text for text in legal if text in chosen_from and text not in good)
    return Usage(tuple(legal), dominated, tuple(text for text in legal if text not in made))
