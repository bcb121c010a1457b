"""The same charts on matplotlib's axes (extra `[plot]`), which also writes PNG and PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from endsight.base.extras import package_of
from endsight.base.printable import printable_lines
from endsight.charts.axis_drawing import KINDS, MARKS
from endsight.charts.canvas import BLUE, GREY, ORANGE
from endsight.charts.layout import COLORS
from endsight.charts.network_drawing import network_layout
from endsight.errors import QuestionError
from endsight.game.numbers import as_interval, is_enclosed, short_decimal

if TYPE_CHECKING:
    from endsight.charts.figures import Bars, Chart, Curves, HeatMaps, Network, Outcomes, Rows, Timeline

_SHAPES = {"circle": "o", "square": "s", "diamond": "D", "up": "^", "down": "v"}


def plot_on(chart: Chart, ax: Any = None) -> Any:
    """Draw the chart on `ax`, or on axes of a new figure; returns the axes."""
    if ax is None:
        ax = _figure(chart).subplots()
    shown = _literal(chart)
    try:
        _PLOTS[type(chart).__name__](shown, ax)
    except OverflowError:
        raise QuestionError(
            "matplotlib cannot draw numbers as large as these", allowed="up to about 10^300", advice="a chart as .svg"
        ) from None
    ax.set_title(shown.title, fontsize=10, wrap=True)
    return ax


def _literal(part: Any) -> Any:
    """The chart with literal texts: matplotlib finds no control character or formula in them."""
    if isinstance(part, str):
        return printable_lines(part).replace("$", r"\$")
    if isinstance(part, tuple | list):
        return type(part)(map(_literal, part))
    if is_dataclass(part) and not (isinstance(part, type) or is_enclosed(part)):
        return replace(part, **{field.name: _literal(getattr(part, field.name)) for field in fields(part)})
    return part


def plotted(chart: Chart, form: str) -> bytes:
    """The chart as `png` or `pdf`, without a timestamp."""
    figure = _figure(chart)
    plot_on(chart, figure.subplots())
    content = BytesIO()
    figure.savefig(content, format=form, dpi=150, metadata={"CreationDate": None} if form == "pdf" else {})
    return content.getvalue()


def _figure(chart: Any) -> Any:
    figure = package_of("matplotlib.figure", "plot", "a chart that is not SVG")
    kind = type(chart).__name__
    height = 0.35 * len(chart.bars) + 1.6 if kind == "Bars" else 6.0 if kind == "Network" else 4.5
    return figure.Figure(figsize=(8, height), layout="constrained")


def _plot_bars(chart: Bars, ax: Any) -> None:
    """The bars; an amount without limit ends a little beyond all others."""
    places = range(len(chart.bars))
    ends = [as_interval(bar.value) for bar in chart.bars]
    known = [float(end) for both in ends for end in (both.lower, both.upper) if end.denominator]
    least, most = min(0.0, *known), max(0.0, *known)
    beyond = (most - least) / 10 or 1.0
    edges = {-1: least - beyond, 1: most + beyond}

    def drawn(end: Fraction) -> float:
        return float(end) if end.denominator else edges[end.numerator]

    middles = [(drawn(end.lower) + drawn(end.upper)) / 2 for end in ends]
    errors = [(drawn(end.upper) - drawn(end.lower)) / 2 for end in ends]
    colors = [COLORS[bar.tone] for bar in chart.bars]
    ax.barh(places, middles, xerr=errors if any(errors) else None, color=colors)
    ax.set_yticks(places, [f"{bar.label}  {bar.text}" for bar in chart.bars])
    ax.invert_yaxis()
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(chart.axis)


def _plot_curves(chart: Curves, ax: Any) -> None:
    for one in chart.series:
        x, y = ([float(point[part]) for point in one.points] for part in (0, 1))
        style = "" if not one.joined else "--" if one.dashed else "-"
        ax.plot(x, y, linestyle=style or "none", marker=_SHAPES[one.shape], color=COLORS[one.tone], label=one.name)
    ax.set_xlabel(chart.across)
    ax.set_ylabel(chart.upwards)
    ax.legend()


def _plot_outcomes(chart: Outcomes, ax: Any) -> None:
    payoffs = [float(payoff + Fraction(chart.width) / 2) for payoff in chart.payoffs]
    steps = [b - a for a, b in pairwise(payoffs)]
    chances = [100 * float(chance) for chance in chart.chances]
    # Pale, so that the line of the same colour is visible across the bars.
    ax.bar(payoffs, chances, width=0.8 * min(steps, default=1), color=BLUE, alpha=0.4)
    ax.axvline(float(chart.mean), color=ORANGE, linestyle=":", label=f"mean {short_decimal(chart.mean, digits=4)}")
    ax.set_xlabel(chart.across)
    ax.set_ylabel("chance in percent")
    sums = ax.twinx()
    for name, reached, color, style, where in (
        ("at least this much", chart.at_least, BLUE, "-", "pre"),
        ("at most this much", chart.at_most, ORANGE, "--", "post"),
    ):
        places = [100 * float(chance) for chance in reached]
        sums.step(payoffs, places, where=where, color=color, linestyle=style, label=name)
    sums.set_ylim(-3, 103)
    sums.set_ylabel("at least and at most, in percent")
    # The curves' axes are above the bars', so they hold the legend of both.
    sums.legend(handles=[*ax.get_lines(), *sums.get_lines()], loc="center right")


def _plot_maps(chart: HeatMaps, ax: Any) -> None:
    """The panels side by side on the same axes."""
    from matplotlib.patches import Rectangle

    left = 0
    ticks = []
    for panel in chart.panels:
        wide = 1 + max(cell.column for cell in panel.cells)
        for cell in panel.cells:
            strength = 0.4 if cell.level is None else 0.08 + 0.8 * float(cell.level)
            place = (left + cell.column - 0.5, cell.row - 0.5)
            ax.add_patch(Rectangle(place, 1, 1, facecolor=COLORS["best" if cell.level else cell.tone], alpha=strength))
            if len(panel.cells) <= 1000:
                ax.text(left + cell.column, cell.row, cell.text, ha="center", va="center", fontsize=7)
        ticks += [(left + column, str(column)) for column in range(wide) if wide <= 20 or column % 10 == 0]
        left += wide + 1
    ax.set_xlim(-0.5, left - 1.5)
    ax.set_ylim(-0.5, 0.5 + max(cell.row for panel in chart.panels for cell in panel.cells))
    ax.set_xticks([place for place, _ in ticks], [text for _, text in ticks])
    ax.set_aspect("equal")
    ax.set_xlabel(f"{chart.across}\n{chart.key}")
    ax.set_ylabel(chart.upwards)


def _plot_timeline(chart: Timeline, ax: Any) -> None:
    values = [float(turn.value) for turn in chart.turns]
    ax.plot(range(len(values)), values, color=BLUE)
    for kind, name in KINDS.items():
        places = [number for number, turn in enumerate(chart.turns) if turn.kind == kind]
        if places:
            marked, (shape, color) = [values[number] for number in places], MARKS[kind]
            ax.plot(places, marked, linestyle="none", marker=_SHAPES[shape], color=color, label=name)
    if chart.level is not None:
        ax.axhline(float(chart.level), color="black", linestyle=":")
    ax.set_xticks(range(len(values)), [turn.label for turn in chart.turns], rotation=45, ha="right")
    ax.set_ylabel(chart.upwards)
    if len(chart.turns) > 1:
        ax.legend()


def _plot_network(chart: Network, ax: Any) -> None:
    boxes, size = network_layout(chart, 720)
    for link in chart.links:
        source, target = boxes[link.source], boxes[link.target]
        color, style = {"best": (BLUE, "-"), "other": (GREY, "--"), "chance": (GREY, ":")}[link.kind]
        arrow = {"arrowstyle": "->", "color": color, "linestyle": style, "shrinkA": 12, "shrinkB": 12}
        ax.annotate("", (target.x, -target.y), (source.x, -source.y), arrowprops=arrow)
        middle = (source.x * 0.6 + target.x * 0.4, -(source.y * 0.6 + target.y * 0.4))
        ax.text(*middle, link.label, fontsize=6, ha="center")
    for place, box in zip(chart.places, boxes, strict=True):
        form = "round" if place.kind == "chance" else "square"
        look = {"boxstyle": form, "facecolor": "white", "edgecolor": "black"}
        ax.text(box.x, -box.y, "\n".join(place.lines), fontsize=7, ha="center", va="center", bbox=look)
    ax.set_xlim(0, size[0])
    ax.set_ylim(-size[1], 0)
    ax.set_axis_off()


def _plot_rows(chart: Rows, ax: Any) -> None:
    ax.set_axis_off()
    ax.table([list(row) for row in chart.rows], colLabels=list(chart.columns), loc="center")


_PLOTS: dict[str, Callable[[Any, Any], None]] = {
    "Bars": _plot_bars,
    "Curves": _plot_curves,
    "HeatMaps": _plot_maps,
    "Network": _plot_network,
    "Outcomes": _plot_outcomes,
    "Rows": _plot_rows,
    "Timeline": _plot_timeline,
}
