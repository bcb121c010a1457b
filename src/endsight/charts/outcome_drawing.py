"""A distribution: the chance of each payoff, and of at least and at most as much."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from endsight.charts.canvas import BLUE, ORANGE, Canvas, text_width
from endsight.charts.figures import Outcomes
from endsight.charts.layout import EDGE, SMALL, axes, begin, legend
from endsight.charts.scales import Scale, spread, tick_text
from endsight.faces.wording import percent
from endsight.game.numbers import Number, short_decimal

__all__ = ["draw_outcomes"]

_BARS = 190
_SUMS = 150
_GAP = 92


def draw_outcomes(chart: Outcomes, width: int, paper: bool) -> str:
    """Two pictures over the same payoffs: bars above, cumulative curves below."""
    canvas, top = begin(chart, width, 30 + _BARS + _GAP + _SUMS + 46, paper=paper)
    top += 30
    chances = Scale(*_percents(max(chart.chances)), top + _BARS, top)
    left = EDGE + 14 + max(text_width(tick_text(tick), SMALL) for tick in [*chances.ticks(5), Fraction(100)])
    across = _payoffs(chart, left, width - EDGE)
    mean = short_decimal(chart.mean, digits=4)
    axes(canvas, across, chances, (chart.across, f"chance in percent; dotted: the mean, {mean}"))
    _bars(canvas, across, chances, chart)
    below = top + _BARS + _GAP
    sums = Scale(Fraction(0), Fraction(100), below + _SUMS, below)
    axes(canvas, across, sums, (chart.across, ""))
    _curves(canvas, across, sums, chart)
    entries = [
        ("at least, %", "none", BLUE, True, False),
        ("at most, %", "none", ORANGE, True, True),
    ]
    legend(canvas, EDGE, below - 22, entries, width - 2 * EDGE)
    return canvas.svg()


def _percents(top: Number) -> tuple[Fraction, Fraction]:
    return spread([Fraction(0), Fraction(top) * 100])


def _step(chart: Outcomes) -> Fraction:
    """The room of one bar: the smallest distance of two payoffs."""
    if chart.width:
        return Fraction(chart.width)
    pairs = pairwise(chart.payoffs)
    return min((Fraction(b - a) for a, b in pairs), default=Fraction(1))


def _payoffs(chart: Outcomes, left: float, right: float) -> Scale:
    step = _step(chart)
    first = chart.payoffs[0] - (0 if chart.width else step)
    return Scale(Fraction(first), chart.payoffs[-1] + step, left, right)


def _bars(canvas: Canvas, across: Scale, chances: Scale, chart: Outcomes) -> None:
    room = across(across.low + _step(chart)) - across.start
    wide = max(1.5, min(46.0, room * 0.8))
    labels = [percent(chance) for chance in chart.chances]
    fits = max(text_width(label, SMALL) for label in labels) <= room
    for payoff, chance, label in zip(chart.payoffs, chart.chances, labels, strict=True):
        middle = across(payoff + (_step(chart) / 2 if chart.width else 0))
        top = chances(chance * 100)
        canvas.rect(middle - wide / 2, top, wide, chances.start - top, fill=BLUE)
        if fits:
            canvas.text(middle, top - 4, label, SMALL, "middle")
    mean = across(chart.mean)
    canvas.line(mean, chances.end, mean, chances.start, stroke=ORANGE, stroke_width=2, stroke_dasharray="2 3")


def _curves(canvas: Canvas, across: Scale, sums: Scale, chart: Outcomes) -> None:
    least, most = (_joined if chart.width else _stepped)(chart, across)
    for curve, color, dash in ((least, BLUE, {}), (most, ORANGE, {"stroke_dasharray": "6 4"})):
        canvas.polyline([(x, sums(share * 100)) for x, share in curve], stroke=color, stroke_width=2, **dash)


Curve = list[tuple[float, Number]]


def _stepped(chart: Outcomes, across: Scale) -> tuple[Curve, Curve]:
    """`at least` falls just after a payoff, `at most` rises at it."""
    least: Curve = [(across.start, 1)]
    most: Curve = [(across.start, 0)]
    for payoff, above, below in zip(chart.payoffs, chart.at_least, chart.at_most, strict=True):
        least += [(least[-1][0], above), (across(payoff), above)]
        most += [(across(payoff), most[-1][1]), (across(payoff), below)]
    return [*least, (least[-1][0], 0), (across.end, 0)], [*most, (across.end, 1)]


def _joined(chart: Outcomes, across: Scale) -> tuple[Curve, Curve]:
    """What is known at the ends of each group of payoffs."""
    least: Curve = [(across(payoff), above) for payoff, above in zip(chart.payoffs, chart.at_least, strict=True)]
    ends = [across(payoff + chart.width) for payoff in chart.payoffs]
    return [*least, (ends[-1], 0)], [(across.start, 0), *zip(ends, chart.at_most, strict=True)]
