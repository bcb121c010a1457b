"""Curves over an axis, and the value along a game."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from endsight.charts.canvas import BLUE, FAINT, GREY, ORANGE, Canvas, cut, text_width
from endsight.charts.figures import Curves, Series, Timeline, Turn
from endsight.charts.layout import COLORS, DASHES, EDGE, SMALL, axes, begin, legend
from endsight.charts.scales import Scale, spread, tick_text

_HEIGHT = 260


def draw_curves(chart: Curves, width: int, paper: bool) -> str:
    """Series with their own marks, over common axes."""
    canvas, top = begin(chart, width, _HEIGHT + 110, paper=paper)
    entries = [(one.name, one.shape, COLORS[one.tone], one.joined, one.dashed) for one in chart.series]
    top += legend(canvas, EDGE, top + 4, entries, width - 2 * EDGE) + 32
    canvas.height = top + _HEIGHT + 46
    points = [point for one in chart.series for point in one.points]
    upwards = Scale(*spread([y for _, y in points], from_zero=True), top + _HEIGHT, top)
    left = EDGE + 12 + max(text_width(tick_text(tick), SMALL) for tick in upwards.ticks(5))
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    pad = Fraction(high - low, 20) or Fraction(1)
    across = Scale(low - pad, high + pad, left, width - EDGE)
    axes(canvas, across, upwards, (chart.across, chart.upwards), whole=True)
    for one in chart.series:
        _series(canvas, across, upwards, one)
    return canvas.svg()


def _series(canvas: Canvas, across: Scale, upwards: Scale, one: Series) -> None:
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
    top += (legend(canvas, EDGE, top + 4, entries, width - 2 * EDGE) if entries else 0) + 26
    canvas.height = top + _HEIGHT + foot + 8
    level = [] if chart.level is None else [chart.level]
    upwards = Scale(*spread([turn.value for turn in chart.turns] + level), top + _HEIGHT, top)
    left = EDGE + 12 + max(text_width(tick_text(tick), SMALL) for tick in upwards.ticks(5))
    left = max(left, EDGE + min(labels * 0.72, 70))
    across = Scale(Fraction(0), Fraction(max(1, len(chart.turns) - 1)), left + 14, width - EDGE - 24)
    _frame(canvas, across, upwards, chart)
    _steps(canvas, across, upwards, chart.turns)
    return canvas.svg()


def _frame(canvas: Canvas, across: Scale, upwards: Scale, chart: Timeline) -> None:
    left, right = across.start - 14, across.end + 14
    for tick in upwards.ticks(5):
        canvas.line(left, upwards(tick), right, upwards(tick), opacity=FAINT, stroke_width=0.7)
        canvas.text(left - 6, upwards(tick) + 4, tick_text(tick), SMALL, "end")
    if chart.level is not None:
        canvas.line(left, upwards(chart.level), right, upwards(chart.level), stroke_dasharray="2 3")
    canvas.line(left, upwards.start, right, upwards.start)
    canvas.text(EDGE, upwards.end - 12, cut(chart.upwards, canvas.width - 2 * EDGE, SMALL), SMALL)


def _steps(canvas: Canvas, across: Scale, upwards: Scale, turns: tuple[Turn, ...]) -> None:
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


def _cost(canvas: Canvas, x: float, y: float, turn: Turn, upwards: Scale) -> None:
    """The cost of a mistake, beside its mark and inside the frame."""
    room = text_width(turn.text, SMALL)
    anchor = "end" if x + room / 2 > canvas.width - EDGE else "middle"
    below = y + 20 < upwards.start
    canvas.text(x, y + 20 if below else y - 12, turn.text, SMALL, anchor)
