"""Drawings over axes: bars of moves, a distribution, curves, and the value along a game."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from endsight.charts.canvas import BLUE, FAINT, GREY, ORANGE, Canvas, cut, text_width
from endsight.charts.layout import COLORS, DASHES, EDGE, SMALL, AxisScale, axes, begin, legend, spread, tick_text
from endsight.faces.wording import percent
from endsight.game.numbers import Number, as_interval, short_decimal

if TYPE_CHECKING:
    from endsight.charts.figures import Bar, Bars, Curves, Outcomes, Series, Timeline, TimelinePoint

_BARS = 190
_SUMS = 150
_GAP = 92


def draw_outcomes(chart: Outcomes, width: int, paper: bool) -> str:
    """Two pictures over the same payoffs: bars above, cumulative curves below."""
    canvas, top = begin(chart, width, 30 + _BARS + _GAP + _SUMS + 46, paper=paper)
    top += 30
    chances = AxisScale(*spread([Fraction(0), Fraction(max(chart.chances)) * 100]), top + _BARS, top)
    left = EDGE + 14 + max(text_width(tick_text(tick), SMALL) for tick in [*chances.ticks(5), Fraction(100)])
    across = _payoffs(chart, left, width - EDGE)
    mean = short_decimal(chart.mean, digits=4)
    axes(canvas, across, chances, (chart.across, f"chance in percent; dotted: the mean, {mean}"))
    _bars(canvas, across, chances, chart)
    below = top + _BARS + _GAP
    sums = AxisScale(Fraction(0), Fraction(100), below + _SUMS, below)
    axes(canvas, across, sums, (chart.across, ""))
    _curves(canvas, across, sums, chart)
    legend(canvas, below - 22, [("at least, %", "none", BLUE, True, False), ("at most, %", "none", ORANGE, True, True)])
    return canvas.svg()


def _step(chart: Outcomes) -> Fraction:
    """The width of one bar: the smallest distance between two payoffs."""
    if chart.width:
        return Fraction(chart.width)
    pairs = pairwise(chart.payoffs)
    return min((Fraction(b - a) for a, b in pairs), default=Fraction(1))


def _payoffs(chart: Outcomes, left: float, right: float) -> AxisScale:
    step = _step(chart)
    first = chart.payoffs[0] - (0 if chart.width else step)
    return AxisScale(Fraction(first), chart.payoffs[-1] + step, left, right)


def _bars(canvas: Canvas, across: AxisScale, chances: AxisScale, chart: Outcomes) -> None:
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


def _curves(canvas: Canvas, across: AxisScale, sums: AxisScale, chart: Outcomes) -> None:
    least, most = (_joined if chart.width else _stepped)(chart, across)
    for curve, color, is_dashed in ((least, BLUE, False), (most, ORANGE, True)):
        places = [(x, sums(share * 100)) for x, share in curve]
        canvas.polyline(places, stroke=color, stroke_width=2, stroke_dasharray=DASHES[is_dashed])


Curve = list[tuple[float, Number]]


def _stepped(chart: Outcomes, across: AxisScale) -> tuple[Curve, Curve]:
    """`at least` falls just after a payoff, `at most` rises at it."""
    least: Curve = [(across.start, 1)]
    most: Curve = [(across.start, 0)]
    for payoff, above, below in zip(chart.payoffs, chart.at_least, chart.at_most, strict=True):
        least += [(least[-1][0], above), (across(payoff), above)]
        most += [(across(payoff), most[-1][1]), (across(payoff), below)]
    return [*least, (least[-1][0], 0), (across.end, 0)], [*most, (across.end, 1)]


def _joined(chart: Outcomes, across: AxisScale) -> tuple[Curve, Curve]:
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
    scale = AxisScale(*spread(finite or [0], from_zero=True), EDGE + labels + 12, width - EDGE - texts - 12)
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


def _ticks(canvas: Canvas, scale: AxisScale, top: float, bottom: float, name: str) -> None:
    for tick in scale.ticks(max(2, int((scale.end - scale.start) / 60))):
        canvas.line(scale(tick), top, scale(tick), bottom + 4, opacity=FAINT, stroke_width=0.7)
        canvas.text(scale(tick), bottom + 17, tick_text(tick), SMALL, "middle")
    middle = (scale.start + scale.end) / 2
    canvas.text(middle, bottom + 34, cut(name, canvas.width - 2 * EDGE, SMALL), SMALL, "middle")


def _bar(canvas: Canvas, scale: AxisScale, y: float, bar: Bar) -> None:
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


# ---------------------------------------------------------------------- curves, and the value along a game

_HEIGHT = 260


def draw_curves(chart: Curves, width: int, paper: bool) -> str:
    """Series with their own marks, over common axes."""
    canvas, top = begin(chart, width, _HEIGHT + 110, paper=paper)
    entries = [(one.name, one.shape, COLORS[one.tone], one.joined, one.dashed) for one in chart.series]
    top += legend(canvas, top + 4, entries) + 32
    canvas.height = top + _HEIGHT + 46
    points = [point for one in chart.series for point in one.points]
    upwards = AxisScale(*spread([y for _, y in points], from_zero=True), top + _HEIGHT, top)
    left = EDGE + 12 + max(text_width(tick_text(tick), SMALL) for tick in upwards.ticks(5))
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    pad = Fraction(high - low, 20) or Fraction(1)
    across = AxisScale(low - pad, high + pad, left, width - EDGE)
    axes(canvas, across, upwards, (chart.across, chart.upwards), whole=True)
    for one in chart.series:
        _series(canvas, across, upwards, one)
    return canvas.svg()


def _series(canvas: Canvas, across: AxisScale, upwards: AxisScale, one: Series) -> None:
    places = [(across(x), upwards(y)) for x, y in one.points]
    color = COLORS[one.tone]
    if one.joined:
        canvas.polyline(places, stroke=color, stroke_width=2, stroke_dasharray=DASHES[one.dashed])
    gap = min((b[0] - a[0] for a, b in pairwise(places)), default=99)
    for (x, y), (_, value) in zip(places, one.points, strict=True):
        if gap >= 4:
            canvas.mark(one.shape, x, y, color, 4.5 if gap > 12 else 3)
        if one.labelled and gap >= text_width(tick_text(value), SMALL):
            canvas.text(x, y - 9, tick_text(value), SMALL, "middle")


# ---------------------------------------------------------------------- the value along a game

MARKS = {"start": ("circle", GREY), "luck": ("diamond", GREY), "mistake": ("down", ORANGE), "play": ("circle", BLUE)}
_LINES = {"mistake": (ORANGE, None), "luck": (GREY, "5 4")}
KINDS = {"play": "best move", "mistake": "mistake", "luck": "chance"}


def draw_timeline(chart: Timeline, width: int, paper: bool) -> str:
    """The value after every move; luck and mistakes with marks and words."""
    labels = max(text_width(turn.label, SMALL) for turn in chart.turns)
    foot = min(110.0, labels * 0.75 + 24)
    canvas, top = begin(chart, width, _HEIGHT + foot + 70, paper=paper)
    kinds = [kind for kind in KINDS if any(turn.kind == kind for turn in chart.turns)]
    entries = [(KINDS[kind], *MARKS[kind], False, False) for kind in kinds]
    top += (legend(canvas, top + 4, entries) if entries else 0) + 26
    canvas.height = top + _HEIGHT + foot + 8
    level = [] if chart.level is None else [chart.level]
    upwards = AxisScale(*spread([turn.value for turn in chart.turns] + level), top + _HEIGHT, top)
    left = EDGE + 12 + max(text_width(tick_text(tick), SMALL) for tick in upwards.ticks(5))
    left = max(left, EDGE + min(labels * 0.72, 70))
    across = AxisScale(Fraction(0), Fraction(max(1, len(chart.turns) - 1)), left + 14, width - EDGE - 24)
    _frame(canvas, across, upwards, chart)
    _steps(canvas, across, upwards, chart.turns)
    return canvas.svg()


def _frame(canvas: Canvas, across: AxisScale, upwards: AxisScale, chart: Timeline) -> None:
    left, right = across.start - 14, across.end + 14
    for tick in upwards.ticks(5):
        canvas.line(left, upwards(tick), right, upwards(tick), opacity=FAINT, stroke_width=0.7)
        canvas.text(left - 6, upwards(tick) + 4, tick_text(tick), SMALL, "end")
    if chart.level is not None:
        canvas.line(left, upwards(chart.level), right, upwards(chart.level), stroke_dasharray="2 3")
    canvas.line(left, upwards.start, right, upwards.start)
    canvas.text(EDGE, upwards.end - 12, cut(chart.upwards, canvas.width - 2 * EDGE, SMALL), SMALL)


def _steps(canvas: Canvas, across: AxisScale, upwards: AxisScale, turns: tuple[TimelinePoint, ...]) -> None:
    places = [(across(number), upwards(turn.value)) for number, turn in enumerate(turns)]
    for (x, y), (next_x, next_y), turn in zip(places, places[1:], turns[1:], strict=False):
        color, dash = _LINES.get(turn.kind, (BLUE, None))
        width = 3 if turn.kind == "mistake" else 1.8
        canvas.line(x, y, next_x, next_y, stroke=color, stroke_width=width, stroke_dasharray=dash)
    gap = (across.end - across.start) / max(1, len(turns) - 1)
    # Labels are slanted, one line apart.
    every = max(1, round(15 / gap + 0.49))
    for number, ((x, y), turn) in enumerate(zip(places, turns, strict=True)):
        shape, color = MARKS[turn.kind]
        canvas.mark(shape, x, y, color, 5.5 if turn.kind == "mistake" else 4)
        if number % every == 0 or turn.kind == "mistake":
            canvas.tipped(x + 5, upwards.start + 15, cut(turn.label, 130, SMALL), SMALL)
        if turn.kind == "mistake" and gap > 30:
            _cost(canvas, x, y, turn, upwards)


def _cost(canvas: Canvas, x: float, y: float, turn: TimelinePoint, upwards: AxisScale) -> None:
    """The cost of a mistake, beside its mark and inside the frame."""
    room = text_width(turn.text, SMALL)
    anchor = "end" if x + room / 2 > canvas.width - EDGE else "middle"
    below = y + 20 < upwards.start
    canvas.text(x, y + 20 if below else y - 12, turn.text, SMALL, anchor)
