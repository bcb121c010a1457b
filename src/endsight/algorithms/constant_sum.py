"""Whether the players' payoffs add up to the same wherever a game ends."""

from __future__ import annotations

from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.game.question import Utility, utility_of


def constant_sum(game: Game, utility: Utility, budget: Budget) -> Number | None:
    """The sum of both players' payoffs, gains on the way included, or None where it depends on play.

    Examines every state once: only sums matter, and play that comes to a state with two of them has no constant sum.
    What compares two players, `win` or `lead`, adds up to the same whatever they gained.
    """
    start, constant = game.position(), None
    queue, gained = [start], {(start.state, start.mover): sum(start.so_far)}
    for place in queue:
        budget.spend(len(gained), "adding up payoffs")
        legal = budget.gathered(place.moves())
        if not legal:
            total = simplest(sum(utility_of(place.paid(), utility)))
            if constant not in (None, total):
                return None
            constant = total
        for move in legal:
            after = place.play(move)
            key, own = (after.state, after.mover), sum(after.so_far)
            if key not in gained:
                gained[key] = own
                queue.append(after)
            elif gained[key] != own and utility == "payoff":
                return None
    return constant
