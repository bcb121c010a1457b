"""The information sets that a game may reach from a history on, each with its chance under given behaviours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from endsight.algorithms.histories import Behaviour, Histories, History
from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game.limits import Budget


@dataclass
class ReachedSet:
    """An information set: its player, the first history found in it, and the chance of all histories found in it."""

    player: int
    history: History
    chance: Fraction


def reached_sets(
    histories: Histories, start: History, behaviours: Sequence[Behaviour], budget: Budget, most: int
) -> list[ReachedSet]:
    """All information sets in order of the first history in each; `QuestionError` where there are more than `most`."""
    sets: dict[tuple[int, int], ReachedSet] = {}
    stack, walked = [(start, Fraction(1))], 0
    while stack:
        history, chance = stack.pop()
        walked += 1
        budget.spend(walked, "listing what players see")
        position = history.position
        weights = histories.outcomes(history, behaviours, budget)
        for player in position.movers if weights else ():
            key = player, history.eyes[player].view
            sets.setdefault(key, ReachedSet(player, history, Fraction(0))).chance += chance
        if len(sets) > most:
            raise QuestionError(
                f"{histories.game.title()} has no table here: players see more than {most:,} different things",
                advice="a later position (--at), or smaller parameters",
            )
        total = sum(weights.values())
        legal = histories.legal(position) if position.mover != CHANCE else list(weights)
        shares = [(move, chance * Fraction(weights.get(move, 0), total)) for move in legal]
        stack += [(histories.after(history, move), share) for move, share in reversed(shares)]
    return sorted(sets.values(), key=lambda each: each.player)
