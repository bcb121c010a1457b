"""`face_counts`: the polynomial of the bag multiplied out, and the best gesture for every count of faces."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import perm, prod
from typing import Any

from endsight.game import Position
from endsight.verifier.checkers import demand
from endsight.verifier.claims import Claim

GESTURES = ("rock", "paper", "scissors")


def face_counts(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Expected points of the whole game.

    With c the coefficients of prod (w_i + r_i x + p_i y + s_i z), the faces a still to be
    seen after k have the weights a_f = (k_f + 1) c(k + f), which sum to (n - |k|) c(k); and
    counts k + d follow k with a chance in proportion to c(k + d) times prod (k + d)! / d!.
    """
    gesture = claim.fixed.get("player")
    demand(claim.utility == "payoff" and gesture in (None, *GESTURES), f"not a gesture: {gesture}")
    dice = position.game.values()["dice"]
    seen, ways, points = position.state[:3], _coefficients(dice), Fraction(position.so_far[0])
    always = None if gesture is None else GESTURES.index(gesture)
    for turn in range(len(dice) - sum(seen)):
        shown = position.state.gesture - 1 if turn == 0 and position.state.gesture else always
        gained = total = 0
        for rock, paper in [(r, p) for r in range(turn + 1) for p in range(turn + 1 - r)]:
            counts = (seen[0] + rock, seen[1] + paper, seen[2] + turn - rock - paper)
            orders = prod(map(perm, counts, seen))
            gained += orders * _best(ways, counts, shown)
            total += orders * ways[counts]
        points += Fraction(gained, (len(dice) - sum(seen) - turn) * total)
    return (points,)


def _best(ways: Counter[Any], counts: Any, shown: int | None) -> Any:
    """Points of the coming turn, times the weights of the faces: 3 for the beaten face, 1 for the same."""
    faces = [(counts[f] + 1) * ways[_with(counts, f)] for f in range(3)]
    return max(faces[sign] + 3 * faces[sign - 1] for sign in range(3) if shown in (None, sign))


def _with(counts: Any, face: int) -> Any:
    return counts[0] + (face == 0), counts[1] + (face == 1), counts[2] + (face == 2)


def _coefficients(dice: tuple[tuple[int, ...], ...]) -> Counter[Any]:
    ways = Counter[Any]({(0, 0, 0): 1})
    for die in dice:
        more = Counter[Any]()
        for counts, count in ways.items():
            more[counts] += sum(die) * count
            for face, weight in enumerate(die):
                more[_with(counts, face)] += weight * count
        ways = more
    return ways
