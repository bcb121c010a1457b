"""All histories in which a player has seen the same, with their probability by chance and the other players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from endsight.algorithms.histories import Behaviour, Histories, History
from endsight.game.limits import Budget


class Likely(NamedTuple):
    """A history, with the chance of all outcomes and moves on the way except the given player's own."""

    history: History
    chance: Fraction


def histories_of(
    histories: Histories, player: int, view: int, behaviours: Sequence[Behaviour], budget: Budget
) -> Iterator[Likely]:
    """Every history with that view in which the player moves, including those with a chance of 0."""
    on_the_way = set(_before(histories, player, view))
    stack = [Likely(histories.start(), Fraction(1))]
    walked = 0
    while stack:
        here = stack.pop()
        walked += 1
        budget.spend(walked, "looking for what may be hidden")
        seen = here.history.eyes[player].view
        if seen == view and player in here.history.position.movers and not here.history.position.is_over:
            yield here
        elif seen in on_the_way:
            stack += reversed(list(_after(histories, player, here, behaviours, budget)))


def _before(histories: Histories, player: int, view: int) -> Iterator[int]:
    """The view, and those that it extends."""
    while view >= 0:
        yield view
        view = histories.before(player, view)


def _after(
    histories: Histories, player: int, here: Likely, behaviours: Sequence[Behaviour], budget: Budget
) -> Iterator[Likely]:
    """All histories with one more move; moves of the player count as certain."""
    for move, chance in histories.against(here.history, player, behaviours, budget):
        yield Likely(histories.after(here.history, move), here.chance * chance)
