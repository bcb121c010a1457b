"""The distribution of a payoff as a chart."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from math import ceil

from endsight.answers.distribution import Shares
from endsight.answers.solution import Solution
from endsight.charts.figures import Outcomes
from endsight.charts.naming import where
from endsight.charts.scales import Scale
from endsight.faces.wording import listed, percent
from endsight.game.numbers import as_interval, count_text, short_decimal
from endsight.game.position import Position

MOST_BARS = 80
"""More payoffs are drawn in groups of neighbours; the sums stay exact."""


def distribution(solution: Solution, position: Position | None = None, *, player: str | None = None) -> Outcomes:
    """Bars of the chance of each payoff of `player` (default: the first), and both cumulative curves.

    Raises `QuestionError` for an unknown player.
    """
    position = solution.asked(position)
    found = solution.distribution(player, position)
    shares = found.middles
    mean = as_interval(found.mean()).middle
    likeliest = sorted(shares.items(), key=lambda entry: (-entry[1], entry[0]))
    listing = listed((f"{short_decimal(payoff)} with {percent(chance)}" for payoff, chance in likeliest), 6)
    title = f"{where(position)}: what {found.player} gets, and how often"
    description = f"Mean {short_decimal(mean)}. {count_text(len(found), 'payoff')}, the likeliest first: {listing}."
    if not found.is_exact:
        description += " Chances are drawn at the middle of their proven bounds."
    across, width = f"what {found.player} gets", Fraction(0)
    if len(found) > MOST_BARS:
        shares, width = _grouped(shares)
        description += f" Drawn in groups {short_decimal(width)} wide."
        across += f" (groups of {short_decimal(width)})"
    return Outcomes(
        title=title,
        description=description,
        across=across,
        payoffs=tuple(shares),
        chances=tuple(shares.values()),
        at_least=tuple(shares.running(downwards=True).values()),
        at_most=tuple(shares.running(downwards=False).values()),
        mean=mean,
        width=width,
    )


def _grouped(shares: Shares) -> tuple[Shares, Fraction]:
    """The same in groups of equal width at round numbers, each under its least payoff, and the width."""
    payoffs = list(shares.parts)
    ticks = Scale(Fraction(payoffs[0]), Fraction(payoffs[-1]), 0, 1).ticks(MOST_BARS // 2)
    width = ticks[1] - ticks[0]
    first = Fraction(payoffs[0] // width * width)
    count = ceil((payoffs[-1] - first) / width) or 1
    count += first + count * width <= payoffs[-1]
    sums = [0] * count
    starts = [first + width * number for number in range(count)]
    for payoff, part in shares.parts.items():
        sums[bisect_right(starts, payoff) - 1] += part
    return Shares(dict(zip(starts, sums, strict=True)), shares.total), width
