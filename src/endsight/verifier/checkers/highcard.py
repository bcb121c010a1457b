"""`smallest_sufficient` wins the known turns with the smallest cards, counts arrangements for the others."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from math import factorial

from endsight.game import Position
from endsight.verifier.checkers import demand
from endsight.verifier.claims import Claim


def smallest_sufficient(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Expected score, or the chance of more than half (exactly half counts 1/2)."""
    demand(not claim.fixed and claim.utility in ("payoff", "win"), "the player must be free to choose")
    game, state = position.game, position.state
    rival = game.values()["rival"][state.turn :]
    known = sorted(card for card in rival if card is not None)
    hand = sorted(game.in_hand(state))  # type: ignore[attr-defined]
    spare, wins = [], 0
    for card in hand:
        if wins < len(known) and known[wins] < card:
            wins += 1
        else:
            spare.append(card)
    kept = spare[len(known) - wins :] + list(game.queue(state))  # type: ignore[attr-defined]
    hidden = sorted(game.hidden(state))  # type: ignore[attr-defined]
    demand(len(kept) == len(hidden), "every card kept must meet one of the unknown cards")
    below = sorted(bisect_left(hidden, card) for card in kept)
    sure = position.so_far[0] + wins
    if claim.utility == "payoff":
        return (sure + Fraction(sum(below), len(hidden) or 1),)
    half = Fraction(len(game.values()["hand"]), 2)
    hits = _hits(below)
    good = sum(count * (2 * (sure + more > half) + (sure + more == half)) for more, count in enumerate(hits))
    return (Fraction(good, 2 * sum(hits)),)


def _hits(below: list[int]) -> list[int]:
    """Arrangements by number of wins, from the ways to place rooks (Kaplansky and Riordan 1946)."""
    rooks = [1]
    for cells in below:
        placed = [0, *(count * (cells - number) for number, count in enumerate(rooks))]
        rooks = [a + b for a, b in zip([*rooks, 0], placed, strict=True)]
    hits = [0] * len(rooks)
    for number, count in reversed(list(enumerate(rooks))):
        # Horner's rule in x - 1.
        hits = [a - b for a, b in zip([0, *hits[:-1]], hits, strict=True)]
        hits[0] += count * factorial(len(below) - number)
    return hits
