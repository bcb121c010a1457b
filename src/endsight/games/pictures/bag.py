"""The bag of biased dice: each die with its faces, and the chance that it is still in the bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import endsight.board as kit

Seen = tuple[int, int, int]


def still_inside(dice: Sequence[Sequence[int]], seen: Seen) -> list[Fraction]:
    """For each die the chance that it is still in the bag, after these numbers of rock, paper and scissors.

    Every die is still in the bag, or has shown one of its faces: the ways of all dice with a die in the bag, among all
    ways. Bayes' rule, since every order in which the dice leave the bag is as likely.
    """
    every = _ways(dice)[seen]
    left_out = [_ways([*dice[:place], *dice[place + 1 :]])[seen] for place in range(len(dice))]
    return [Fraction(sum(die) * others, every) for die, others in zip(dice, left_out, strict=True)]


def _ways(dice: Sequence[Sequence[int]]) -> Counter[Seen]:
    """How likely these faces are, among as many seen: the coefficients that `RpsBag.ways` describes."""
    ways: Counter[Seen] = Counter({(0, 0, 0): 1})
    for rock, paper, scissors in dice:
        longer: Counter[Seen] = Counter()
        for (r, p, s), count in ways.items():
            longer[r, p, s] += count * (rock + paper + scissors)
            longer[r + 1, p, s] += count * rock
            longer[r, p + 1, s] += count * paper
            longer[r, p, s + 1] += count * scissors
        ways = longer
    return ways


def die_card(die: Sequence[int], inside: Fraction) -> kit.Piece:
    """A die with a bar for each face, and the chance that it is in the bag."""
    total = sum(die)
    shapes: list[kit.Rect | kit.Text | kit.Placed] = [kit.Rect(2, 2, 156, 136, "card", 14, "edge", 2.5)]
    for place, weight in enumerate(die):
        y = 12 + 32 * place
        shapes.append(kit.Placed(kit.hand(place), kit.Box(10, y, 26, 26)))
        shapes.append(kit.Rect(44, y + 5, 104, 16, "sunk", 6))
        if weight:
            shapes.append(kit.Rect(44, y + 5, max(8, 104 * weight / total), 16, "a", 6))
    percent = min(99, max(1, round(100 * inside)))  # neither 0 nor 100 unless that is certain
    label = "in the bag" if inside == 1 else "gone" if inside == 0 else f"in the bag: {percent} %"
    shapes.append(kit.Text(label, 80, 128, 16, "ink", 650, widest=146))
    faces = "-".join(map(str, die))
    return kit.Piece(f"Die with rock-paper-scissors {faces}, {label}", tuple(shapes), 160, 140)
