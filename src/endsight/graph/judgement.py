"""Whether a game with loops has a value: one judgement, on facts measured on its graph.

Every way to an answer uses it. `check` and `estimate` apply it to the part of the game that
they have explored: a reason found there holds for the whole game too, as more play only adds
reasons. Without loops every game in which one player moves at a time has a value.
`docs/theory/endless-play.md` says why each reason holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, TypeAlias

from endsight.errors import NoValue
from endsight.errors.rules_guard import brief
from endsight.game import CHANCE
from endsight.game.numbers import Number, count_text, short_text, simplest
from endsight.game.question import Utility
from endsight.graph.components import maximal_end_components
from endsight.graph.discounting import without_discount
from endsight.graph.graph import Graph
from endsight.graph.heights import MOST_WITH_CHANCE, gaining_loop, goes_up_and_down, heights_of
from endsight.graph.objective import View
from endsight.graph.paying_loops import Payer

Totals: TypeAlias = "tuple[Number, ...]"
Loop: TypeAlias = "list[tuple[int, int]]"
"""Nodes of a loop, each with the edge that play takes there."""

MOST_SHOWN = 12
"""Number of moves of a loop that a message shows."""

_MAKE_IT_END = (
    "make play end with probability 1, whatever the players do (with a turn counter in the state, for example)"
)
_PAY_AT_THE_END = "pay at the end of the game, or make play end (with a turn counter in the state, for example)"
_AGREE = "such games have no value that all must agree on"
_DIFFER = "such games may have equilibria that are worth different amounts, so endsight reports no value"
_SAME_SUM = "payoffs that always have the same sum (such as 1 and -1), --utility lead, or --objective cooperative"


@dataclass(frozen=True)
class Reason:
    """Why there is no value: the message, the finding, and what to do about it.

    `hinges` says that it depends on best play: there is still a value where best play leaves such loops, or
    stays where totals do not change. `unopposed` says that only an equilibrium can be given, where one is found.
    `lost` has the nodes from which the side `payer` (1 who wants more of the amount that counts, -1 who wants less)
    cannot keep play from paying for ever, where that is the reason.
    """

    message: str
    found: str
    advice: str
    hinges: bool = False
    unopposed: bool = False
    lost: frozenset[int] = frozenset()
    payer: int = 0

    def error(self) -> NoValue:
        """The same reason as an error."""
        return NoValue(self.message, found=self.found, advice=self.advice)


def judge(graph: Graph, view: View) -> Reason | None:
    """Why some node of `graph` has no value; None where all have one.

    `graph` keeps players apart by number, and may be a part of the game: unexpanded nodes
    count neither as ends nor as loops.
    """
    if len(graph.offsets) <= len(graph):
        graph = graph.padded()
    if graph.moves_at_once:
        return _at_once(without_discount(graph), view)
    if not graph.is_cyclic:
        return None
    graph = without_discount(graph).one_amount
    return _paid(graph, view) or _not_opposed(graph) or _kept_by_both(graph, view) or _changing(graph, view)


def judge_totals(graph: Graph, view: View, utility: Utility) -> Reason | None:
    """Why nodes that hold the gains so far are infinitely many; None where no loop among the nodes of `graph` pays.

    `graph` and `view` describe play under `utility`, or a part of it, with rewards, in nodes that hold no
    totals. Play can repeat any number of times a loop that changes the part of the totals that
    counts; without such loops each of finitely many states has finitely many totals.
    """
    graph = graph.padded()
    if graph.rewards is None or not graph.is_cyclic:
        return None
    for part in graph.components:
        loop = _unbalanced(graph, view, part)
        if loop:
            return Reason(
                f"the utility {utility!r} depends on what the players have gained, and a loop pays here:"
                " what they have gained can take infinitely many values, which no solution can hold",
                f"{_loop_text(graph, view, loop)} and {_gains_text(graph, view, loop)}",
                _PAY_AT_THE_END,
            )
    return None


def amount_player(graph: Graph) -> int:
    """The player whose amount everybody with a choice cares about: the first, or the only one anybody cares about."""
    targets = {graph.interests[player][0] for player in graph.deciders}
    return targets.pop() if len(targets) == 1 and not graph.has_one_amount else 0


def opposed_signs(graph: Graph) -> list[int] | None:
    """For every player +1 for more of the `amount_player`'s amount, -1 for less; None where interests are not opposed.

    The interest of a player who never has a choice does not matter.
    """
    amount, deciding = amount_player(graph), graph.deciders
    signs = []
    for player, (target, direction) in enumerate(graph.interests):
        if target == amount or player not in deciding:
            signs.append(direction)
        elif graph.players == 2 and graph.is_constant_sum:
            signs.append(-direction)
        else:
            return None
    return signs


# ---------------------------------------------------------------------- totals of endless play


def _paid(graph: Graph, view: View) -> Reason | None:
    """Loops that pay for ever, or on which neither side is clearly the one that loses."""
    if not graph.pays_on_loops:
        return None
    signs = opposed_signs(graph)
    payers = [paying_side(graph, part) for part in graph.paying]
    if signs is None or not graph.has_one_amount or 0 in payers:
        return _pays(graph, view, graph.paying[payers.index(0) if 0 in payers else 0])
    payer = dict(zip((part[0] for part in graph.paying), payers, strict=True))
    paying = dict[int, set[int]]()
    for part in graph.components:
        sides = {payer[node] for node in part if node in payer}
        if len(sides) > 1:
            return _pays(graph, view, next(each for each in graph.paying if each[0] in part))
        for side in sides:
            paying.setdefault(side, set()).add(part[0])
    reasons = (_pays_for_ever(graph, view, signs, side, parts) for side, parts in paying.items())
    return next(filter(None, reasons), None)


def paying_side(graph: Graph, part: list[int]) -> int:
    """Which side loses on the loops of a component: 1 who wants more, -1 who wants less, 0 for sometimes each.

    A side that decides alone also loses where some moves pay, if all loops with gains cost more than they yield.
    """
    amount = amount_player(graph)
    sides = {row[amount] < 0 for row in graph.gained}
    if len(sides) > 1:
        sides = {gain[amount] < 0 for _, _, gain in graph.gains_in(part)}
    if len(sides) > 1:
        alone = _alone(graph)
        heights = heights_of(graph, part, alone) if alone else None
        return 0 if heights is None or goes_up_and_down(graph, heights, alone) else alone
    return 1 if sides.pop() else -1


def _alone(graph: Graph) -> int:
    """The sign of the one side that decides everywhere, where its gains can be known; else 0."""
    signs = opposed_signs(graph)
    deciding = {signs[player] for player in graph.deciders} if signs else {1, -1}
    return max(deciding, default=1) if amount_player(graph) == 0 and len(deciding) < 2 else 0


def _pays(graph: Graph, view: View, component: list[int]) -> Reason:
    inside, is_small = set(component), not graph.has_chance or len(component) <= MOST_WITH_CHANCE
    side = _alone(graph) if is_small and graph.has_one_amount else 0
    if side and heights_of(graph, component, side) is None:
        loop = gaining_loop(graph, component, side)
        assert loop is not None, "what is gained in the mean is gained on some loop"
        return _without_end(graph, view, component, loop, -side)
    loops = (_loop(graph, node, edge, inside) for node, edge, _ in islice(graph.gains_in(component), MOST_SHOWN))
    loop = max(loops, key=lambda loop: (max(_sum(graph, loop)) > 0, any(_sum(graph, loop))))
    return Reason(
        "play can go on for ever here and pays on the way, so it may have no value",
        f"{_count(component)}: {_loop_text(graph, view, loop)} and {_gains_text(graph, view, loop)}",
        _PAY_AT_THE_END,
    )


def _pays_for_ever(graph: Graph, view: View, signs: list[int], payer: int, paying: set[int]) -> Reason | None:
    """The case that the side that loses on the loops of some components cannot keep play from paying for ever."""
    amount = amount_player(graph)

    def sign(node: int) -> int:
        return 0 if graph.movers[node] == CHANCE else signs[graph.movers[node]]

    def loss(edge: int) -> Number:
        return -payer * _gain(graph, edge)[amount]

    lost = Payer(graph, sign, loss, payer).lost_nodes(graph.components, paying)
    if not lost:
        return None
    groups = maximal_end_components({node: graph.children(node) for node in lost}, graph.is_chance)
    costly = ((group, node, edge) for group in groups for node, edge, _ in graph.gains_in(group) if loss(edge) > 0)
    component, node, edge = next(costly)
    loop = _loop(graph, node, edge, set(component))
    if amount == 0 and payer * _sum(graph, loop)[0] >= 0:  # some of its moves pay
        loop = gaining_loop(graph, component, -payer) or loop
    reason = _without_end(graph, view, component, loop, payer)
    return replace(reason, hinges=0 not in lost, lost=frozenset(lost), payer=payer)


def _without_end(graph: Graph, view: View, component: list[int], loop: Loop, payer: int) -> Reason:
    """A loop on which the side `payer` loses again and again."""
    infinite = "minus infinity" if payer > 0 else "infinite"
    whose = view.game.player_names[amount_player(graph)]
    return Reason(
        f"play can be made to go on for ever here and pays on the way: {whose}'s total is {infinite}",
        f"{_count(component)}: {_loop_text(graph, view, loop)} and {_gains_text(graph, view, loop)}",
        _PAY_AT_THE_END,
    )


def _changing(graph: Graph, view: View) -> Reason | None:
    """Loops on which the total goes up and down: endless play has no last total."""
    if graph.unending is None:
        return None
    for component in graph.end_components:
        inside, worth = set(component), graph.endless_at(component[0])
        other = next((node for node in component if graph.endless_at(node) != worth), None)
        if other is not None:
            loop = [*_way(graph, component[0], other, inside), *_way(graph, other, component[0], inside)]
            return Reason(
                "play can go on for ever here while what the players have gained goes up and down,"
                " so endless play has no final total",
                f"{_count(component)}: {_loop_text(graph, view, loop)}",
                _PAY_AT_THE_END,
                hinges=True,
            )
    return None


# ---------------------------------------------------------------------- moves at once


def _at_once(graph: Graph, view: View) -> Reason | None:
    """Players who move at once and are not two opposed players, or are paid on loops that play may never leave."""
    begin = "players move at once here"
    if graph.players > 2:
        found = f"{count_text(graph.players, 'player')}, each after their own payoff"
        return Reason(f"{begin}, and {_DIFFER}", found, "--objective cooperative")
    if opposed_signs(graph) is None:
        return Reason(f"{begin}, and their interests are not opposed: {_DIFFER}", _sums_found(graph), _SAME_SUM)
    way = _way_that_pays(graph) if graph.is_cyclic else None
    if way is not None:
        part, node, edge = way
        return Reason(
            f"{begin}, can keep play going for ever and are paid on the way:"
            " no method of this version proves a value there",
            f"{_count(part)}: {_loop_text(graph, view, _loop(graph, node, edge, set(part)))}",
            f"{_PAY_AT_THE_END}; or {_MAKE_IT_END}",
        )
    return None


def _way_that_pays(graph: Graph) -> tuple[list[int], int, int] | None:
    """A component that play may never leave, and a move within it that pays: its node and edge."""
    kept = {node for part in graph.end_components for node in part}
    for part in graph.components:
        if kept.isdisjoint(part):
            continue
        if graph.unending is not None:
            return part, part[0], graph.edges_into(set(part), part[0])[0]
        paid = next(graph.gains_in(part), None) if graph.rewards is not None else None
        if paid is not None:
            return part, paid[0], paid[1]
    return None


# ---------------------------------------------------------------------- interests


def _not_opposed(graph: Graph) -> Reason | None:
    """Players on loops who do not all want more, or less, of one amount."""
    if opposed_signs(graph) is not None:
        return None
    begin = "play can go on for ever in this game" if graph.endless_sums else "play can come back to a position"
    message = f"{begin}, and its players' interests are not opposed: {_AGREE}"
    if graph.players > 2:
        advice = "remove the loops (with a turn counter in the state, for example), or use --objective cooperative"
        found = f"{count_text(graph.players, 'player')}, each after their own payoff"
        return Reason(message, found, advice, unopposed=True)
    even = _even(graph)
    return Reason(message, _sums_found(graph), even or _SAME_SUM, unopposed=even is None)


def _even(graph: Graph) -> str | None:
    """The text where two players' interests would be opposed, were it not for the payoff of endless play."""
    sums = {simplest(sum(payoff)) for payoff in graph.paid}
    if len(sums) != 1 or any(map(sum, graph.gained)):
        return None
    half = Fraction(sums.pop(), 2)
    text = f"{half}" if half.denominator == 1 else f"Fraction({half.numerator}, {half.denominator})"
    return f"endless = {text} in the rules, if that is what play that never ends counts for both; or --utility lead"


def _sums_found(graph: Graph) -> str:
    """The payments to two players whose sum is not constant."""
    gain = next((gain for gain in graph.gained if sum(gain) != 0), None)
    if gain is not None:
        return f"a move pays {_share_text(gain)}: one player's gain is not the other's loss"
    by_sum = {simplest(sum(payoff)): payoff for payoff in graph.paid}
    if len(by_sum) > 1:
        return f"ends pay {' and '.join(_share_text(payoff) for payoff in list(by_sum.values())[:2])}: the sums differ"
    loops = graph.end_components or [[0]]
    endless = next(row for row in (graph.endless_at(loop[0]) for loop in loops) if simplest(sum(row)) not in by_sum)
    (total, payoff), *_ = by_sum.items()
    return f"ends pay {_share_text(payoff)}, together {total}; play that never ends pays {_share_text(endless)}"


def _kept_by_both(graph: Graph, view: View) -> Reason | None:
    """Loops in a game with chance that both sides can continue, and on which endless play has different payoffs."""
    signs = opposed_signs(graph)
    if signs is None or not graph.has_chance:
        return None
    for component in graph.end_components:
        if len({graph.endless_at(node) for node in component}) == 1:
            continue
        deciders = {graph.movers[node] for node in component if len(graph.edges(node)) > 1} - {CHANCE}
        if len({signs[player] for player in deciders}) > 1:
            inside = set(component)
            loop = _loop(graph, component[0], graph.edges_into(inside, component[0])[0], inside)
            return Reason(
                "both players together can keep play with chance going for ever here, while what they have gained goes"
                " up and down: no method of this version proves a value there",
                f"{_count(component)}: {_loop_text(graph, view, loop)}",
                _MAKE_IT_END,
            )
    return None


# ---------------------------------------------------------------------- loops


def _gain(graph: Graph, edge: int) -> Totals:
    return graph.gain(edge) or (0,) * graph.players


def _added(gains: Iterable[Totals]) -> Totals:
    return tuple(simplest(sum(column)) for column in zip(*gains, strict=True))


def _sum(graph: Graph, loop: Loop) -> Totals:
    return _added(_gain(graph, edge) for _, edge in loop)


def _loop(graph: Graph, node: int, edge: int, inside: set[int]) -> Loop:
    """A loop within `inside` that begins at `node` with `edge`."""
    return [(node, edge), *_way(graph, graph.successors[edge], node, inside)]


def _way(graph: Graph, start: int, goal: int, inside: set[int]) -> Loop:
    """A shortest way from `start` to `goal` within `inside`; no step where they are the same."""
    came: dict[int, tuple[int, int]] = {}
    queue = [start]
    for node in queue:
        for edge in graph.edges_into(inside, node):
            child = graph.successors[edge]
            if child != start and child not in came:
                came[child] = node, edge
                queue.append(child)
    way: Loop = []
    while goal != start:
        way.append(came[goal])
        goal = came[goal][0]
    return way[::-1]


def _unbalanced(graph: Graph, view: View, part: list[int]) -> Loop:
    """A loop in a component that changes the part of the totals that counts; empty where there is none.

    Where two ways to a node have different totals, one way back closes both to loops, and at
    least one of these changes the totals.
    """
    inside, start = set(part), min(part)
    totals: dict[int, Totals] = {start: (0,) * graph.players}
    queue = [start]
    for node in queue:
        for edge in graph.edges_into(inside, node):
            child = graph.successors[edge]
            total = view.counted(_added([totals[node], _gain(graph, edge)]))
            if child not in totals:
                totals[child] = total
                queue.append(child)
            elif total != totals[child]:
                back = _way(graph, child, start, inside)
                longer = [*_way(graph, start, node, inside), (node, edge), *back]
                loops = (longer, [*_way(graph, start, child, inside), *back])
                return next(loop for loop in loops if any(view.counted(_sum(graph, loop))))
    return []


# ---------------------------------------------------------------------- texts


def _count(component: Sequence[int]) -> str:
    return f"{len(component):,} position{'s' if len(component) > 1 else ''} on such a loop"


def _loop_text(graph: Graph, view: View, loop: Loop) -> str:
    """`from STATE, MOVES lead back to it`."""
    game = view.game
    steps = [(view.split(graph.keys[node])[0], graph.moves[edge]) for node, edge in loop[:MOST_SHOWN]]
    moves = [_shown(game.show_move, state, move) for state, move in steps]
    more = [f"and {len(loop) - MOST_SHOWN:,} more"] if len(loop) > MOST_SHOWN else []
    verb = "leads" if len(loop) == 1 else "lead"
    return f"from {_shown(game.show, steps[0][0])!r}, {' '.join([*moves, *more])} {verb} back to it"


def _shown(show: Any, *what: Any) -> str:
    """A state or a move as the rules show it, shortened."""
    try:
        text = show(*what)
    except Exception:  # the rules may be broken there too, but this message is about something else
        return brief(what[-1])
    return text if isinstance(text, str) and len(text) <= 80 else brief(text)


def _gains_text(graph: Graph, view: View, loop: Loop) -> str:
    """What one round of the loop pays: `pays first 1, second -1`."""
    names = view.game.player_names
    named = zip(names if graph.players == len(names) else ["each player"], _sum(graph, loop), strict=True)
    gained = [f"{name} {short_text(amount)}" for name, amount in named if amount]
    verb = "pays" if len(loop) == 1 else "pay"
    return f"{verb} {', '.join(gained)}" if gained else f"{verb} something on the way but nothing in total"


def _share_text(share: Totals) -> str:
    return f"({', '.join(map(short_text, share))})"
