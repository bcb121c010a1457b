"""Small game graphs in layers, after Sugiyama, Tagawa and Toda (1981): layers, then fewer crossings.

The order inside a layer follows the mean position of the neighbours in the previous layer (their barycentre), in a few
sweeps down and up. Loops and backward edges are drawn as arcs.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from endsight.charts.canvas import BLUE, GREY, Canvas, cut, text_width
from endsight.charts.layout import EDGE, SMALL, begin

if TYPE_CHECKING:
    from endsight.charts.figures import GraphPlace, Link, Network

_LINE = 15
_BETWEEN_LAYERS = 64
_GAP = 18
_SWEEPS = 8
_WIDEST = 150
_ARC = 26
"""How far the arcs of backward links extend."""


@dataclass(frozen=True)
class NodeBox:
    """The box of a place: its middle and its size."""

    x: float
    y: float
    width: float
    height: float


def draw_network(chart: Network, width: int, paper: bool) -> str:
    """From top to bottom; as wide as its widest layer needs, scaled down by the viewer."""
    boxes, size = network_layout(chart, width)
    canvas, top = begin(chart, max(width, size[0]), size[1] + 58, paper=paper)
    _legend(canvas, top)
    boxes = [NodeBox(box.x, box.y + top + 36, box.width, box.height) for box in boxes]
    for link in chart.links:
        _link(canvas, link, boxes)
    for place, box in zip(chart.places, boxes, strict=True):
        _place(canvas, place, box)
    for number in range(len(boxes)):
        labels = [_label(link, boxes) for link in chart.links if link.source == number and link.label]
        _labels(canvas, [each for each in labels if each])
    return canvas.svg()


# ---------------------------------------------------------------------- layout


def network_layout(chart: Network, width: float) -> tuple[list[NodeBox], tuple[float, float]]:
    """A box for every place, in centred rows, and the total size: at least `width` wide."""
    rows, sizes = _ordered(chart), [_size(place) for place in chart.places]
    widths = [sum(sizes[number][0] + _GAP for number in row) - _GAP for row in rows]
    widest = max(width - 2 * EDGE, max(widths))
    boxes = [NodeBox(0, 0, 0, 0)] * len(sizes)
    y = 0.0
    for row, wide in zip(rows, widths, strict=True):
        height = max(sizes[number][1] for number in row)
        # The remaining space goes between the boxes, so that edges spread.
        extra = (widest - wide) / (len(row) + 1)
        x = EDGE + extra
        for number in row:
            boxes[number] = NodeBox(x + sizes[number][0] / 2, y + height / 2, *sizes[number])
            x += sizes[number][0] + _GAP + extra
        y += height + _BETWEEN_LAYERS
    arcs = _ARC if any(boxes[link.source].y >= boxes[link.target].y for link in chart.links) else 0
    return boxes, (widest + 2 * EDGE + arcs, y - _BETWEEN_LAYERS + EDGE)


def _ordered(chart: Network) -> list[list[int]]:
    """The places of each layer, from left to right."""
    layers: dict[int, list[int]] = defaultdict(list)
    for number, place in enumerate(chart.places):
        layers[place.layer].append(number)
    rows = [layers[layer] for layer in sorted(layers)]
    above, below = defaultdict(list), defaultdict(list)
    for link in chart.links:
        above[link.target].append(link.source)
        below[link.source].append(link.target)
    for sweep in range(_SWEEPS):
        neighbours, order = (above, rows[1:]) if sweep % 2 == 0 else (below, rows[-2::-1])
        for row in order:
            ranks = {place: rank / len(other) for other in rows for rank, place in enumerate(other, start=1)}
            row.sort(key=lambda place: _middle(place, neighbours[place], ranks))
    return rows


def _middle(place: int, neighbours: list[int], ranks: dict[int, float]) -> float:
    return sum(ranks[other] for other in neighbours) / len(neighbours) if neighbours else ranks[place]


def _size(place: GraphPlace) -> tuple[float, float]:
    wide = max(text_width(line, SMALL) for line in place.lines)
    return min(_WIDEST, wide) + 16, len(place.lines) * _LINE + 10


# ---------------------------------------------------------------------- drawing


def _legend(canvas: Canvas, top: float) -> None:
    x = float(EDGE)
    for kind, word in (("best", "best move"), ("other", "other move"), ("chance", "chance")):
        canvas.line(x, top + 6, x + 26, top + 6, **_look(kind))
        canvas.text(x + 31, top + 10, word, SMALL)
        x += 44 + text_width(word, SMALL)
    if canvas.width > 560:
        canvas.text(x, top + 10, "boxes: decisions · rounded: chance · double: the end", SMALL)


def _look(kind: str) -> dict[str, object]:
    if kind == "best":
        return {"stroke": BLUE, "stroke_width": 2.4}
    return {"stroke": GREY, "stroke_width": 1.2, "stroke_dasharray": "5 4" if kind == "other" else "1.5 3"}


def _place(canvas: Canvas, place: GraphPlace, box: NodeBox) -> None:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    fill = "#ffffff" if canvas.paper else "none"
    rounded = 12 if place.kind == "chance" else 2
    canvas.rect(left, top, box.width, box.height, fill=fill, stroke=canvas.ink, rx=rounded)
    if place.kind == "end":
        canvas.rect(left + 2.5, top + 2.5, box.width - 5, box.height - 5, fill="none", stroke=canvas.ink, rx=1)
    for number, line in enumerate(place.lines):
        y, weight = top + 5 + _LINE * (number + 0.78), "600" if number == 0 else None
        canvas.text(box.x, y, cut(line, box.width - 10, SMALL), SMALL, "middle", font_weight=weight)


def _link(canvas: Canvas, link: Link, boxes: list[NodeBox]) -> None:
    """A line from the bottom of one box to the top of the other; backwards, an arc beside them."""
    source, target = boxes[link.source], boxes[link.target]
    look = _look(link.kind)
    if source.y < target.y:
        start, end = source.y + source.height / 2, target.y - target.height / 2
        bend = (end - start) / 2
        curve = f"M{source.x:.1f} {start:.1f}C{source.x:.1f} {start + bend:.1f} {target.x:.1f} {end - bend:.1f}"
        canvas.path(f"{curve} {target.x:.1f} {end:.1f}", **look)
        tip = [(target.x, end), (target.x - 3.5, end - 7), (target.x + 3.5, end - 7)]
        canvas.polygon(tip, fill=look["stroke"])
        return
    side = max(source.x + source.width / 2, target.x + target.width / 2)
    start, end = source.x + source.width / 2, target.x + target.width / 2
    edge = side + _ARC
    curve = f"M{start:.1f} {source.y:.1f}C{edge:.1f} {source.y:.1f} {edge:.1f} {target.y:.1f}"
    canvas.path(f"{curve} {end:.1f} {target.y - 4:.1f}", **look)
    canvas.circle(end, target.y - 4, 3, fill=look["stroke"])


def _label(link: Link, boxes: list[NodeBox]) -> tuple[float, float, str] | None:
    """The place of the move near its source, and its text; None beside a link backwards."""
    source, target = boxes[link.source], boxes[link.target]
    if source.y >= target.y:
        return None
    start, end = source.y + source.height / 2, target.y - target.height / 2
    # At the same distance from the source for long and short links, or it would cover other boxes.
    share = 0.36 * min(1.0, _BETWEEN_LAYERS / (end - start))
    # The point of the curve there: both of its control points lie straight below and above the ends.
    x = source.x + (target.x - source.x) * share * share * (3 - 2 * share)
    return x, start + (end - start) * share, cut(link.label, 60, 10.5)


def _labels(canvas: Canvas, labels: list[tuple[float, float, str]]) -> None:
    """The labels of the moves from one place, side by side, each on its own background, so that no line crosses it."""
    labels.sort()
    widths = [text_width(text, 10.5) + 6 for *_, text in labels]
    places: list[float] = []
    for (x, *_), wide in zip(labels, widths, strict=True):
        places.append(max(x, places[-1] + (widths[len(places) - 1] + wide) / 2) if places else x)
    shift = sum(place - x for place, (x, *_) in zip(places, labels, strict=True)) / max(len(labels), 1)
    for place, wide, (_, y, text) in zip(places, widths, labels, strict=True):
        if canvas.paper:
            canvas.rect(place - shift - wide / 2 + 2, y - 7, wide - 4, 13, fill="#ffffff", fill_opacity=0.85)
        canvas.text(place - shift, y + 4, text, 10.5, "middle")
