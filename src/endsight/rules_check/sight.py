"""The players' views by the rules' `sees`; without it everybody sees everything, even what was meant to be hidden.

A card game without `sees` is solved as if all hands were open. Its mark: for every deal the same moves are legal along
the same moves, nothing else differs on the way, and only the payoffs at the end differ.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from endsight.game import CHANCE, TOGETHER
from endsight.game.position import Position
from endsight.graph.explorer import first_movers

if TYPE_CHECKING:
    from endsight.rules_check.inspection import InspectedState

EVERYBODY_SEES = "Every player sees everything, outcomes of chance included."
SEEN_AFTERWARDS = "Every player sees everything, but moves at once not before all of them are made."
WHAT_IS_TOLD = "Each player sees only what the rules show (sees), and remembers all of it and their own moves."

_MOST_DEALS = 2_000
_MOST_PAIRS = 50_000
"""Pairs of states to compare; games with more are sampled."""
_SAMPLES, _LONGEST = 500, 500

Look = Callable[[Any], "InspectedState | None"]


def sight_of(position: Position) -> str | None:
    """A text on the players' views from there on: None where all see everything, and chance does not occur soon."""
    if position.game.gives("sees") or position.game.means_of is not None:
        return WHAT_IS_TOLD
    movers = first_movers(position)
    return sight_text(has_chance=CHANCE in movers, at_once=TOGETHER in movers)


def sight_text(*, has_chance: bool, at_once: bool) -> str | None:
    """The players' views in games that hide nothing, where chance or several players at once move; else None."""
    if at_once:
        return SEEN_AFTERWARDS
    return EVERYBODY_SEES if has_chance else None


def deals_that_only_pay(start: Any, look: Look) -> str | None:
    """`exact` or `sampled` if the deal before the first decision changes only payoffs, else None."""
    deals = _deals(start, look)
    if len(deals) < 2:
        return None
    comparison = _Comparison(look)
    for other in deals[1:]:
        if comparison.is_spent or len(deals) > _MOST_DEALS:
            return "sampled" if _sampled(deals, look) else None
        if not comparison.alike(deals[0], other):
            return None
    return "exact" if comparison.pays_differ else None


def _deals(start: Any, look: Look) -> list[Any]:
    """The states of the first decision, or end, after all outcomes of chance before it."""
    found: list[Any] = []
    queue = [start]
    seen = {start}
    for state in queue:
        node = look(state)
        if node is None or not node.moves or node.mover != CHANCE:
            found.append(state)
        else:
            new = [child for child in dict.fromkeys(node.children) if child not in seen]
            seen.update(new)
            queue += new
        if len(found) > _MOST_DEALS:
            break
    return found


class _Comparison:
    """Pairs of states that equal moves reach from two deals."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.seen: set[tuple[Any, Any]] = set()
        self.pays_differ = False

    @property
    def is_spent(self) -> bool:
        """Whether there are too many pairs to compare."""
        return len(self.seen) > _MOST_PAIRS

    def alike(self, one: Any, other: Any) -> bool:
        """Whether the same moves are legal along the same moves, with the same rewards on the way."""
        waiting = [(one, other)]
        while waiting and not self.is_spent:
            pair = waiting.pop()
            if pair in self.seen:
                continue
            self.seen.add(pair)
            here, there = map(self.look, pair)
            following = _following(here, there)
            if following is None:
                return False
            self.pays_differ |= _pay_differently(here, there)
            waiting += [pair for pair in following if pair[0] != pair[1]]
        return True


def _pay_differently(here: InspectedState | None, there: InspectedState | None) -> bool:
    return here is not None and there is not None and here.payoff != there.payoff


def _following(here: InspectedState | None, there: InspectedState | None) -> list[tuple[Any, Any]] | None:
    """The pairs that equal moves lead to; None if the two states differ.

    Chance may have other outcomes (the remaining cards); only common ones are followed.
    """
    if here is None or there is None or bool(here.moves) != bool(there.moves):
        return None
    if not here.moves:
        return []
    is_chance = here.mover == CHANCE
    if here.mover != there.mover or not (is_chance or here.moves == there.moves):
        return None
    place = {move: number for number, move in enumerate(there.moves)}
    common = [(number, place[move]) for number, move in enumerate(here.moves) if move in place]
    if any(here.gains[a] != there.gains[b] for a, b in common):
        return None
    return [(here.children[a], there.children[b]) for a, b in common]


def _sampled(deals: list[Any], look: Look) -> bool:
    """Whether random play from random pairs of deals shows no difference on the way, but some in payoffs."""
    random = Random(1)
    differ = False
    for _ in range(_SAMPLES):
        pair = tuple(random.sample(deals, 2))
        for _ in range(_LONGEST):
            here, there = map(look, pair)
            following = _following(here, there)
            if following is None:
                return False
            differ |= _pay_differently(here, there)
            if not following:
                break
            pair = random.choice(following)
    return differ
