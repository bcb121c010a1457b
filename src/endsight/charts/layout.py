"""The common parts of all drawings: scales from exact numbers to coordinates, the heading, axes, and the legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from endsight.charts.canvas import BLUE, FAINT, GREY, ORANGE, Canvas, text_width
from endsight.game.numbers import Number, short_decimal

if TYPE_CHECKING:
    from endsight.charts.figures import Chart


@dataclass(frozen=True)
class AxisScale:
    """Maps numbers from `low` to `high` to coordinates from `start` to `end`; exact until the very last step."""

    low: Fraction
    high: Fraction
    start: float
    end: float

    def __call__(self, value: Number) -> float:
        """The coordinate of the number."""
        share = float((value - self.low) / (self.high - self.low))
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[Fraction]:
        """Round numbers between the ends: steps of 1, 2 or 5 times a power of ten."""
        step = _step(self.high - self.low, most)
        return [step * count for count in range(ceil(self.low / step), floor(self.high / step) + 1)]


def spread(values: Sequence[Number], *, from_zero: bool = False) -> tuple[Fraction, Fraction]:
    """Distinct ends of a scale that holds all the values, at round numbers."""
    low, high = Fraction(min(values)), Fraction(max(values))
    if from_zero:
        low, high = min(low, Fraction(0)), max(high, Fraction(0))
    if low == high:
        low, high = low - 1, high + 1
    step = _step(high - low, 6)
    return floor(low / step) * step, ceil(high / step) * step


def _step(width: Fraction, most: int) -> Fraction:
    """The smallest round step that divides `width` into at most `most` parts."""
    exponent = len(str(int(width))) - 1 if width >= 1 else -len(str(int(1 / width)))
    step: Fraction = Fraction(10 ** max(0, exponent), 100 * 10 ** max(0, -exponent))
    while True:
        for factor in (1, 2, 5):
            if width / (step * factor) <= most:
                return step * factor
        step *= 10


def tick_text(value: Number) -> str:
    """A number on an axis."""
    size = abs(Fraction(value))
    if size >= 10**9:
        digits = len(str(int(size))) - 1
        return f"{short_decimal(Fraction(value, 10**digits), digits=2).removeprefix('≈ ')}e{digits}"
    return short_decimal(value).removeprefix("≈ ").replace("-", "−")


EDGE = 16
"""Free space at the edges."""
SMALL = 11.5
COLORS = {"best": BLUE, "worse": ORANGE, "plain": GREY}
DASHES = {True: "6 4", False: None}
"""The pattern of a line, by whether it is dashed."""
_TITLE = 15.0


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text in lines of that width, broken at blanks."""
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines


def begin(chart: Chart, width: float, height: float, *, paper: bool) -> tuple[Canvas, float]:
    """A canvas with the title on it and `height` below, and the coordinate where that begins."""
    lines = wrapped(chart.title, width - 2 * EDGE, _TITLE)
    top = EDGE + 20 * len(lines) + 8
    canvas = Canvas(width, top + height, chart.title, chart.description, paper=paper)
    for number, line in enumerate(lines):
        canvas.text(EDGE, EDGE + 14 + 20 * number, line, _TITLE, font_weight="600")
    return canvas, top


def axes(canvas: Canvas, across: AxisScale, upwards: AxisScale, names: tuple[str, str], *, whole: bool = False) -> None:
    """Ticks with faint lines, and the names of the axes: the vertical one's above it, at the left."""
    for tick in upwards.ticks(5):
        y = upwards(tick)
        canvas.line(across.start, y, across.end, y, opacity=FAINT, stroke_width=0.7)
        canvas.text(across.start - 6, y + 4, tick_text(tick), SMALL, "end")
    room = across.end - across.start
    for tick in across.ticks(max(2, int(room / 55))):
        if not whole or tick.denominator == 1:
            x = across(tick)
            canvas.line(x, upwards.start, x, upwards.start + 4)
            canvas.text(x, upwards.start + 17, tick_text(tick), SMALL, "middle")
    canvas.line(across.start, upwards.start, across.end, upwards.start)
    canvas.text((across.start + across.end) / 2, upwards.start + 34, names[0], SMALL, "middle")
    canvas.text(EDGE, upwards.end - 20, names[1], SMALL)


def legend(canvas: Canvas, y: float, entries: Sequence[tuple[str, str, str, bool, bool]]) -> float:
    """Entries (name, shape, colour, joined, dashed) in rows between the edges; returns the height."""
    left, row = float(EDGE), 0
    for name, shape, color, joined, dashed in entries:
        room = 34 + text_width(name, SMALL)
        if left > EDGE and left + room > canvas.width - EDGE:
            left, row = float(EDGE), row + 1
        top = y + 18 * row
        if joined:
            canvas.line(left, top, left + 22, top, stroke=color, stroke_width=2, stroke_dasharray=DASHES[dashed])
        canvas.mark(shape, left + 11, top, color)
        canvas.text(left + 28, top + 4, name, SMALL)
        left += room + 10
    return 18.0 * (row + 1)
