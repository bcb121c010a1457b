"""What evidence proves: bounds along plays, backward induction, theorems, distributions.

Each rule is proven in `docs/reference/certificate-format.md`. Every function raises `Wrong`
where the evidence does not prove what is claimed, and gives lines that say what was checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import add, mul
from typing import Any

from endsight.exact import Number
from endsight.faults import Wrong
from endsight.game import Position
from endsight.verifier.claims import FIRST_BEST, SECURED, Bounds, Claim, Ends, Play, Witness
from endsight.verifier.theorems import WITH_CHANCE, Refuted, settle
from endsight.verifier.walk import EVERYBODY, LESS, MORE, NOBODY, Amounts, View, Walk
from endsight.verifier.words import ends_text

__all__ = ["Secured", "enclosed", "induced", "secured", "unshown"]


def walked(view: View, position: Position, side: int, play: Play, deadline: float | None) -> Walk:
    """The walk along the choices of a play, all of which must be used."""
    choices = iter(play.choices)
    walk = Walk(view, position, side, lambda *_: next(choices, -1), deadline)
    if next(choices, None) is not None:
        raise Wrong("there are more choices than decisions")
    return walk


def compare(claim: Claim, proven: Mapping[str, Ends], notion: str | None = None) -> None:
    """`Wrong` unless what is claimed of every player follows from what is proven, and is named as what it is."""
    if list(claim.value) != list(proven):
        raise Wrong("the claim does not name every player in order", found=", ".join(claim.value)[:60])
    if claim.notion != notion:
        raise Wrong("the claim does not say what its values mean", found=f"{claim.notion}"[:60], allowed=f"{notion}")
    for name, (low, high) in claim.value.items():
        own = proven[name]
        is_low = low is None or (own[0] is not None and low <= own[0])
        if not is_low or not (high is None or (own[1] is not None and own[1] <= high)):
            texts = [ends_text(ends) for ends in (own, (low, high))]
            raise Wrong(f"the value of {name[:40]} is not as claimed", found=f"proven {texts[0]}, claimed {texts[1]}")


# ---------------------------------------------------------------------- bounds


@dataclass
class Secured:
    """What a play secures of what is still to come, times its side; `total` as in `Walk.common_sum`."""

    amount: Fraction
    walk: Walk
    total: Number | None


def secured(walk: Walk, play: Play) -> Secured:
    """What a walk along `play` secures; `Wrong` where the bounds claimed do not hold."""
    if not walk.dice and not walk.gains:  # the worst end that can be met, or endless play
        rounds = walk.rounds() if walk.order() is None else set()
        ends = [walk.side * amounts[0] for amounts in walk.amounts.values()]
        return Secured(Fraction(min(ends + walk.endless(rounds))), walk, walk.common_sum(rounds))
    order = walk.order(play.nodes)
    if order is None:
        raise Wrong("play can come back to a state without a claimed bound")
    scale = play.denominator
    lows = _lows(walk, play, order, scale)
    rounds = set()
    if play.nodes and not walk.rests(order, walk.amounts.__contains__):
        if walk.may_gain_for_ever():
            raise Wrong("play can gain again and again without end")
        rounds = walk.rounds()
        floor = _scaled(min(walk.endless(rounds)), scale)
        if not walk.rests(order, lambda node: node in walk.amounts or lows[node] <= floor):
            raise Wrong("play need not end, and the bounds say too much for that")
    return Secured(Fraction(lows[0], scale), walk, walk.common_sum(rounds))


def _scaled(amount: Number, scale: int) -> int:
    """`amount` in units of 1 / scale, rounded down."""
    return amount.numerator * scale // amount.denominator


def _lows(walk: Walk, play: Play, order: list[int], scale: int) -> list[int]:
    """The bound of every node, over the scale."""
    claimed = {node: walk.side * value for node, value in zip(play.nodes, play.values, strict=True)}
    lows = [claimed.get(node, 0) for node in range(len(walk))]
    gains = {edge: _scaled(walk.side * gain[0], scale) for edge, gain in walk.gains.items()}
    for node in reversed(order):
        first, last = walk.offsets[node], walk.offsets[node + 1]
        ahead = [lows[child] for child in walk.successors[first:last]]
        if gains:
            ahead = [low + gains.get(edge, 0) for edge, low in enumerate(ahead, first)]
        if first == last:
            low = _scaled(walk.side * walk.amounts[node][0], scale)
        elif node in walk.dice:
            low = sum(map(mul, walk.weights[first:last], ahead)) // walk.dice[node]
        else:
            low = min(ahead)
        if low < claimed.get(node, low):
            raise Wrong(f"the bound claimed for state {node} is not kept by the moves from there")
        lows[node] = claimed.get(node, low)
    return lows


def enclosed(
    view: View, position: Position, least: Secured | None, most: Secured | None
) -> tuple[dict[str, Ends], str | None]:
    """Proven bounds of the value of the whole game for every player, and their notion."""
    carried = view.carried(position.so_far)
    found = [proof for proof in (least, most) if proof is not None]
    low = None if least is None else Fraction(carried[0] + least.amount)
    high = None if most is None else Fraction(carried[0] - most.amount)
    ends: dict[str, Ends] = dict.fromkeys(view.names, (None, None)) | {view.names[0]: (low, high)}
    totals = {proof.total for proof in found}
    total = totals.pop() if view.players == 2 and len(totals) == 1 else None
    # Where a walk leaves no move out, it has met all ends of the game.
    is_whole = any(proof.walk.choices == 0 for proof in found)
    are_rivals = view.wishes in ([(0, 1), (1, 1)], [(0, -1), (1, -1)]) and not view.policies and not view.random
    if total is not None and (is_whole or are_rivals):
        rest = Fraction(total + sum(carried))
        ends[view.names[1]] = (None if high is None else rest - high, None if low is None else rest - low)
        return ends, None if is_whole else SECURED
    if view.opposed:
        raise Wrong("the ends need not bring the two players the same sum, so bounds do not make a value")
    return ends, None


def by_bounds(
    view: View, position: Position, claim: Claim, evidence: Bounds, deadline: float | None
) -> tuple[list[str], list[Walk]]:
    """Check a claim by a play for each side; the walks show best moves where the two sides meet."""
    found: list[Secured | None] = []
    lines = []
    for name, side, play in (("at least", MORE, evidence.at_least), ("at most", LESS, evidence.at_most)):
        proof = None if play is None else secured(walked(view, position, side, play, deadline), play)
        lines += [] if proof is None else [f"{name}: {proof.walk.line()}, an inequality each"]
        found.append(proof)
    proven, notion = enclosed(view, position, *found)
    compare(claim, proven, notion)
    low, high = proven[view.names[0]]
    return lines, [proof.walk for proof in found if proof is not None and low == high]


# ---------------------------------------------------------------------- theorems, induction, distributions


def by_theorem(view: View, position: Position, claim: Claim, evidence: Witness) -> list[str]:
    """Check a claim by the checker of a theorem."""
    view.chance_seen = evidence.theorem in WITH_CHANCE
    try:
        values = settle(evidence.theorem, position, claim, evidence.witness)
    except Refuted as error:
        raise Wrong("the theorem does not prove the claim", found=str(error)) from None
    compare(claim, {name: (value, value) for name, value in zip(position.game.player_names, values, strict=True)})
    return [f"theorem {evidence.theorem}: its checker finds the value, with {len(evidence.witness)} items of evidence"]


def by_induction(view: View, position: Position, claim: Claim, deadline: float | None) -> tuple[list[str], list[Walk]]:
    """Check a claim by backward induction over all states; the walk shows all best moves."""
    walk = walked(view, position, NOBODY, Play(()), deadline)
    compare(claim, *induced(walk, position))
    return [f"backward induction: {walk.line()}"], [walk]


def induced(walk: Walk, position: Position) -> tuple[dict[str, Ends], str | None]:
    """Values of all players over all states, and the tie rule that they rest on (None for none)."""
    order = walk.order()
    if order is None:
        raise Wrong("play can come back to a state, so there is no backward induction")
    view = walk.view
    values: list[Amounts] = [()] * len(walk)
    is_settled, is_even = True, True
    for node in reversed(order):
        edges = walk.edges(node)
        gains = [walk.gains.get(edge, (0,) * view.players) for edge in edges]
        ahead = [tuple(map(add, values[child], gain)) for child, gain in zip(walk.after(node), gains, strict=True)]
        if node in walk.amounts:
            values[node] = walk.amounts[node]
        elif total := walk.dice.get(node):
            weights = walk.weights[edges.start : edges.stop]
            values[node] = tuple(Fraction(sum(map(mul, weights, column)), total) for column in zip(*ahead, strict=True))
        else:
            target, sign = view.wishes[walk.nodes[node][1]]
            values[node] = max(ahead, key=lambda value: sign * value[target])
            walk.best[node] = {number for number, value in enumerate(ahead) if value == values[node]}
            is_settled = is_settled and len(ahead) == 1
            is_even = is_even and len({sum(value) for value in ahead}) == 1
    whole = [Fraction(value + more) for value, more in zip(values[0], view.carried(position.so_far), strict=True)]
    needs_none = view.players == 1 or is_settled or (is_even and view.players == 2)
    return {name: (own, own) for name, own in zip(view.names, whole, strict=True)}, None if needs_none else FIRST_BEST


def unshown(walk: Walk, shown: Sequence[Walk]) -> int | None:
    """The first state of a play at which the walks of the evidence do not show its move to be best."""
    for node, chosen in walk.best.items():
        places = [(one, one.numbers.get(one.view.node(*walk.nodes[node]), -1)) for one in shown]
        if not any(chosen <= one.best.get(place, set()) for one, place in places):
            return node
    return None


def by_play(
    view: View, position: Position, claim: Claim, play: Play | None, shown: Sequence[Walk], deadline: float | None
) -> list[str]:
    """Check a distribution: that every move is `shown` to be best, and the chances of all amounts, carried forwards."""
    if claim.outcomes is None or claim.player not in view.names or play is None:
        raise Wrong("a distribution needs a player, outcomes and a play, and a play is for nothing else")
    walk = walked(view, position, EVERYBODY, play, deadline)
    if (node := unshown(walk, shown)) is not None:
        raise Wrong(f"the move that the play names in its state {node} is not shown to be best")
    order = walk.order(play.nodes)
    if order is None or not walk.rests(order, walk.amounts.__contains__):
        raise Wrong("the play need not end, or comes back to a state whose visits are not claimed")
    player = view.names.index(claim.player)
    arriving: list[Any] = [Fraction(node == 0) for node in range(len(walk))]
    claimed = {node: Fraction(value, play.denominator) for node, value in zip(play.nodes, play.values, strict=True)}
    found: dict[Number, Fraction] = {}
    for node in order:
        mass = claimed.get(node, arriving[node]) / walk.dice.get(node, 1)
        for edge in walk.edges(node):
            arriving[walk.successors[edge]] += mass * walk.weights[edge]
        if node in walk.amounts:
            amount = walk.amounts[node][player]
            found[amount] = found.get(amount, Fraction(0)) + mass
    if any(arriving[node] != visits for node, visits in claimed.items()):
        raise Wrong("the visits claimed do not agree with what leads there")
    if tuple(sorted(found.items())) != claim.outcomes:
        raise Wrong("the outcomes are not as claimed")
    return [f"play: {walk.line()}, each shown to be best; {len(found):,} amounts"]
