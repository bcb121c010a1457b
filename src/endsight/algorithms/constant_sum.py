"""Whether the players' payoffs add up to the same wherever a game ends."""

from __future__ import annotations

from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.game.question import Utility, utility_of


def constant_sum(game: Game, utility: Utility, budget: Budget) -> Number | None:
    """The sum of all payoffs, gains on the way included, or None where it depends on play; examines every state."""
    start = game.position()
    key = start.state, start.mover, start.so_far
    queue, met, found = [start], {key}, None
    for place in queue:
        budget.spend(len(met), "adding up payoffs")
        legal = budget.gathered(place.moves())
        if not legal:
            total = simplest(sum(utility_of(place.paid(), utility)))
            if found not in (None, total):
                return None
            found = total
        for move in legal:
            after = place.play(move)
            key = after.state, after.mover, after.so_far
            if key not in met:
                met.add(key)
                queue.append(after)
    return found
