"""Bars side by side, each with its exact value."""

from __future__ import annotations

from endsight.charts.canvas import FAINT, Canvas, cut, text_width
from endsight.charts.figures import Bar, Bars
from endsight.charts.layout import COLORS, EDGE, SMALL, begin
from endsight.charts.scales import Scale, spread, tick_text
from endsight.game.numbers import as_interval

__all__ = ["draw_bars"]

_ROW = 26
_FOOT = 52
_SHORTEST = 80
"""Room that is left for the bars in a narrow picture."""


def draw_bars(chart: Bars, width: int, paper: bool) -> str:
    """Labels at the left, values as text at the right, bars from 0 between them."""
    canvas, top = begin(chart, width, len(chart.bars) * _ROW + _FOOT + (18 if chart.note else 0), paper=paper)
    labels = min(width * 0.35, max(text_width(bar.label, 13) for bar in chart.bars))
    texts = min(width - 2 * EDGE - labels - 24 - _SHORTEST, max(text_width(bar.text, SMALL) for bar in chart.bars))
    ends = [end for bar in chart.bars for end in (as_interval(bar.value).lower, as_interval(bar.value).upper)]
    scale = Scale(*spread(ends, from_zero=True), EDGE + labels + 12, width - EDGE - texts - 12)
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
    """The bar up to the value; where that is only enclosed, up to the near end and an outline to the far one."""
    ends = as_interval(bar.value)
    color, zero = COLORS[bar.tone], scale(0)
    near, far = (scale(end) for end in sorted((ends.lower, ends.upper), key=abs))
    left, right = sorted((zero, near))
    canvas.rect(left, y + 4, max(right - left, 1.5), _ROW - 9, fill=color)
    if ends.width:
        canvas.rect(min(near, far), y + 4, abs(far - near), _ROW - 9, fill="none", stroke=color, stroke_dasharray="3 2")
    canvas.line(zero, y + 1, zero, y + _ROW - 2)
