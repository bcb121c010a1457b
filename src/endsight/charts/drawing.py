"""Charts as SVG: the drawing for each kind of chart."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from endsight.charts.axis_drawing import draw_bars, draw_curves, draw_outcomes, draw_timeline
from endsight.charts.map_drawing import draw_maps, draw_rows
from endsight.charts.network_drawing import draw_network

if TYPE_CHECKING:
    from endsight.charts.figures import Chart

_DRAWINGS: dict[str, Callable[[Any, int, bool], str]] = {
    "Bars": draw_bars,
    "Curves": draw_curves,
    "HeatMaps": draw_maps,
    "Network": draw_network,
    "Outcomes": draw_outcomes,
    "Rows": draw_rows,
    "Timeline": draw_timeline,
}


def draw(chart: Chart, width: int, *, paper: bool = True) -> str:
    """The SVG of a chart, `width` units wide."""
    return _DRAWINGS[type(chart).__name__](chart, width, paper)
