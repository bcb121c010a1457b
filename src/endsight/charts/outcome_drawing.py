"""A distribution: the chance of each payoff, and of at least and at most as much."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from endsight.charts.canvas import BLUE, FAINT, ORANGE, Canvas, cut, text_width
from endsight.charts.figures import Bar, Bars, Outcomes
from endsight.charts.layout import COLORS, DASHES, EDGE, SMALL, axes, begin, legend
from endsight.charts.scales import Scale, spread, tick_text
from endsight.faces.wording import percent
from endsight.game.numbers import Number, as_interval, short_decimal

_BARS = 190
_SUMS = 150
_GAP = 92


def draw_outcomes(chart: Outcomes, width: int, paper: bool) -> str:
    """Two pictures over the same payoffs: bars above, cumulative curves below."""
    canvas, top = begin(chart, width, 30 + _BARS + _GAP + _SUMS + 46, paper=paper)
    top += 30
    chances = Scale(*spread([Fraction(0), Fraction(max(chart.chances)) * 100]), top + _BARS, top)
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


def _step(chart: Outcomes) -> Fraction:
    """The width of one bar: the smallest distance between two payoffs."""
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
    for curve, color, is_dashed in ((least, BLUE, False), (most, ORANGE, True)):
        places = [(x, sums(share * 100)) for x, share in curve]
        canvas.polyline(places, stroke=color, stroke_width=2, stroke_dasharray=DASHES[is_dashed])


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
    """The known points at the ends of each group of payoffs."""
    least: Curve = [(across(payoff), above) for payoff, above in zip(chart.payoffs, chart.at_least, strict=True)]
    ends = [across(payoff + chart.width) for payoff in chart.payoffs]
    return [*least, (ends[-1], 0)], [(across.start, 0), *zip(ends, chart.at_most, strict=True)]


_ROW = 26
_FOOT = 52
_SHORTEST = 80
"""Width reserved for the bars in a narrow picture."""


def draw_bars(chart: Bars, width: int, paper: bool) -> str:
    """Labels at the left, values as text at the right, bars from 0 between them."""
    canvas, top = begin(chart, width, len(chart.bars) * _ROW + _FOOT + (18 if chart.note else 0), paper=paper)
    labels = min(width * 0.35, max(text_width(bar.label, 13) for bar in chart.bars))
    texts = min(width - 2 * EDGE - labels - 24 - _SHORTEST, max(text_width(bar.text, SMALL) for bar in chart.bars))
    ends = [end for bar in chart.bars for end in (as_interval(bar.value).lower, as_interval(bar.value).upper)]
    finite = [end for end in ends if end.denominator]
    scale = Scale(*spread(finite or [0], from_zero=True), EDGE + labels + 12, width - EDGE - texts - 12)
    bottom = top + len(chart.bars) * _ROW
    _ticks(canvas, scale, top, bottom, chart.axis)
    for number, bar in enumerate(chart.bars):
        y = top + number * _ROW
        canvas.text(EDGE, y + 17, cut(bar.label, labels, 13), 13)
        _bar(canvas, scale, y, bar)
        canvas.text(width - EDGE, y + 17, cut(bar.text, texts, SMALL), SMALL, "end")
    if chart.note:
        canvas.text(EDGE, bottom + _FOOT + 2, cut(chart.note, width - 2 * EDGE, SMALL), SMALL)
    return canvas.svg()


def _ticks(canvas: Canvas, scale: Scale, top: float, bottom: float, name: str) -> None:
    for tick in scale.ticks(max(2, int((scale.end - scale.start) / 60))):
        canvas.line(scale(tick), top, scale(tick), bottom + 4, opacity=FAINT, stroke_width=0.7)
        canvas.text(scale(tick), bottom + 17, tick_text(tick), SMALL, "middle")
    middle = (scale.start + scale.end) / 2
    canvas.text(middle, bottom + 34, cut(name, canvas.width - 2 * EDGE, SMALL), SMALL, "middle")


def _bar(canvas: Canvas, scale: Scale, y: float, bar: Bar) -> None:
    """The bar up to the value; for an interval, up to the near end with an outline to the far one.

    An amount without limit has a bar to the end of the scale.
    """
    ends = as_interval(bar.value)
    color, zero = COLORS[bar.tone], scale(0)
    limits = (scale.start, scale.end)
    near, far = (
        scale(end) if end.denominator else limits[end > 0] for end in sorted((ends.lower, ends.upper), key=abs)
    )
    left, right = sorted((zero, near))
    canvas.rect(left, y + 4, max(right - left, 1.5), _ROW - 9, fill=color)
    if ends.width:
        canvas.rect(min(near, far), y + 4, abs(far - near), _ROW - 9, fill="none", stroke=color, stroke_dasharray="3 2")
    canvas.line(zero, y + 1, zero, y + _ROW - 2)
