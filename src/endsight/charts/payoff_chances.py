"""The distribution of a payoff as a chart."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from math import ceil

from endsight.answers.distribution import Distribution
from endsight.answers.solution import Solution
from endsight.charts.figures import Outcomes
from endsight.charts.naming import where
from endsight.charts.scales import Scale
from endsight.faces.wording import listed, percent
from endsight.game.numbers import Number, as_interval, count_text, short_decimal
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
    told = listed((f"{short_decimal(payoff)} with {percent(chance)}" for payoff, chance in likeliest), 6)
    title = f"{where(position)}: what {found.player} gets, and how often"
    description = f"Mean {short_decimal(mean)}. {count_text(len(found), 'payoff')}, the likeliest first: {told}."
    if not found.is_exact:
        description += " Chances are drawn at the middle of their proven bounds."
    if len(found) > MOST_BARS:
        return _grouped(found, title, description, mean)
    chances = tuple(shares.values())
    least, most = shares.running(downwards=True), shares.running(downwards=False)
    payoffs = tuple(found.outcomes)
    return Outcomes(
        title=title,
        description=description,
        across=f"what {found.player} gets",
        payoffs=payoffs,
        chances=chances,
        at_least=tuple(least[payoff] for payoff in payoffs),
        at_most=tuple(most[payoff] for payoff in payoffs),
        mean=mean,
    )


def _grouped(found: Distribution, title: str, description: str, mean: Number) -> Outcomes:
    """The same in groups of equal width at round numbers."""
    shares = found.middles
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
    total = shares.total
    below = [sum(sums[: number + 1]) for number in range(count)]
    return Outcomes(
        title=title,
        description=f"{description} Drawn in groups {short_decimal(width)} wide.",
        across=f"what {found.player} gets (groups of {short_decimal(width)})",
        payoffs=tuple(starts),
        chances=tuple(Fraction(part, total) for part in sums),
        at_least=tuple(1 - Fraction(sum_ - part, total) for sum_, part in zip(below, sums, strict=True)),
        at_most=tuple(Fraction(sum_, total) for sum_ in below),
        mean=mean,
        width=width,
    )
