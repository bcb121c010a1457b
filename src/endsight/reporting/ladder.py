"""The skill ladder: what the best player gets against players who look less far ahead."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from endsight.answers.exploiting import exploit
from endsight.answers.solver import solve
from endsight.game import Game
from endsight.game.numbers import Amount, simplest, sum_of, times
from endsight.game.question import PolicyRule
from endsight.graph.explorer import goes_by_views
from endsight.reporting.played import result_of

__all__ = ["LADDER", "Rung", "ladder"]

LADDER = ("lookahead", "greedy", "random")
"""The policies, the strongest first."""


class Rung(NamedTuple):
    """One step of the ladder.

    policy  how the others play; for a single player, how that player does
    share   of the wins that the best player gets who knows it, in each seat equally often; for a single player, what
            the policy brings
    """

    policy: str
    share: Amount


def ladder(game: Game, **options: Any) -> list[Rung]:
    """The steps, the strongest opponents first; `options` are those of `solve`. Raises what `solve` raises.

    Where players go by what they see, only `random` is a policy.
    """
    if goes_by_views(game.position()):
        found = exploit(game, "random", utility="win", **options)
        return [Rung("random", simplest(sum_of(_rest(each.brings, len(found.players)) for each in found.players)))]
    if game.player_count == 1:
        return [Rung(policy, solve(game, fixed={0: policy}, **options).values()[0]) for policy in LADDER]
    return [Rung(policy, _against(game, policy, options)) for policy in LADDER]


def _rest(brings: Amount, players: int) -> Amount:
    """What is left of a win for the one who replies, as a part of the mean over seats."""
    return times(Fraction(1, players), sum_of((1, times(-1, brings))))


def _against(game: Game, policy: PolicyRule, options: dict[str, Any]) -> Amount:
    """The share of wins of a best player whose opponents all play by a policy, on average over the seats."""
    seats, shares = range(game.player_count), []
    for seat in seats:
        others: dict[str | int, PolicyRule] = {other: policy for other in seats if other != seat}
        solution = solve(game, fixed=others, utility=result_of(game), **options)
        shares.append(times(Fraction(1, game.player_count), solution.values()[seat]))
    return simplest(sum_of(shares))
