"""Heat maps over two whole-number axes, and plain tables."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from endsight.charts.canvas import BLUE, FAINT, ORANGE, Canvas, cut, text_width
from endsight.charts.layout import EDGE, SMALL, begin, wrapped

if TYPE_CHECKING:
    from endsight.charts.figures import Cell, HeatMaps, HeatPanel, Rows, Tone

_LARGEST = 40
_MANY = 30
"""Maps with more columns show the text of some cells only."""


def draw_maps(chart: HeatMaps, width: int, paper: bool) -> str:
    """All panels in rows, with cells of the same size."""
    columns = 1 + max(cell.column for panel in chart.panels for cell in panel.cells)
    rows = 1 + max(cell.row for panel in chart.panels for cell in panel.cells)
    alone = len(chart.panels) == 1
    texts = max(text_width(cell.text, SMALL) for panel in chart.panels for cell in panel.cells)
    widest = _LARGEST if alone else max(20.0, texts + 8)
    size = max(2.0, min(widest, (width - 2 * EDGE - 48) / columns, 640 / rows if rows > 16 else widest))
    block = (columns * size + 56, rows * size + 62)
    per_row = max(1, int((width - 2 * EDGE) / block[0]))
    names = "" if alone else f" Across: {chart.across}; upwards: {chart.upwards}."
    key = wrapped(chart.key + names, width - 2 * EDGE, SMALL)
    height = -(-len(chart.panels) // per_row) * block[1] + 18 * len(key) + EDGE
    canvas, top = begin(chart, width, height, paper=paper)
    for number, line in enumerate(key):
        canvas.text(EDGE, top + 12 + 18 * number, line, SMALL)
    top += 18 * len(key) + 4
    for number, panel in enumerate(chart.panels):
        place = (EDGE + (number % per_row) * block[0], top + (number // per_row) * block[1])
        _panel(canvas, place, size, panel, (chart.across, chart.upwards))
    return canvas.svg()


def _panel(canvas: Canvas, place: tuple[float, float], size: float, panel: HeatPanel, names: tuple[str, str]) -> None:
    left, top = place[0] + 34, place[1] + 22
    columns = sorted({cell.column for cell in panel.cells})
    rows = sorted({cell.row for cell in panel.cells})
    bottom = top + (1 + rows[-1]) * size
    canvas.text(place[0], top - 8, panel.title or f"{names[1]} ↑", SMALL)
    _cells(canvas, left, bottom, size, panel.cells, len(columns))
    for column in columns:
        if column % _every(size, 18) == 0:
            canvas.text(left + (column + 0.5) * size, bottom + 14, str(column), SMALL, "middle")
    for row in rows:
        if row % _every(size, 13) == 0:
            canvas.text(left - 5, bottom - (row + 0.5) * size + 4, str(row), SMALL, "end")
    if not panel.title:
        canvas.text(left, bottom + 29, f"{names[0]} →", SMALL)


def _every(size: float, room: float) -> int:
    """The interval between labels, a round number of cells."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if step * size >= room)


def _cells(canvas: Canvas, left: float, bottom: float, size: float, cells: tuple[Cell, ...], columns: int) -> None:
    if columns > _MANY:
        _areas(canvas, left, bottom, size, cells)
    else:
        for cell in cells:
            canvas.rect(left + cell.column * size, bottom - (cell.row + 1) * size, size - 1, size - 1, **_look(cell))
    every = 1 if columns <= _MANY else max(1, columns // 8)
    for cell in cells:
        if every == 1 or (cell.column % every == every // 2 and cell.row % every == every // 2):
            x, y = left + (cell.column + 0.5) * size, bottom - (cell.row + 0.5) * size
            fitted = min(SMALL, SMALL * (size - 3) / max(1.0, text_width(cell.text, SMALL))) if every == 1 else SMALL
            if fitted >= 6:
                canvas.text(x, y + fitted * 0.36, cell.text, round(fitted, 1), "middle", fill=_ink(canvas, cell))


def _areas(canvas: Canvas, left: float, bottom: float, size: float, cells: tuple[Cell, ...]) -> None:
    """Many cells: all that look alike as one shape, which takes a tenth of the bytes."""
    alike: dict[tuple[str, Tone], list[Cell]] = defaultdict(list)
    for cell in cells:
        alike[cell.text, cell.tone].append(cell)
    for group in alike.values():
        steps = []
        for run in _runs(group):
            x, y = left + run[0].column * size, bottom - (run[0].row + 1) * size
            steps.append(f"M{x:.1f} {y:.1f}h{len(run) * size:.1f}v{size:.1f}h-{len(run) * size:.1f}z")
        canvas.path("".join(steps), **{"stroke": "none", "shape_rendering": "crispEdges", **_look(group[0])})


def _runs(cells: list[Cell]) -> list[list[Cell]]:
    """Runs of neighbours in a row."""
    runs: list[list[Cell]] = []
    for cell in sorted(cells, key=lambda cell: (cell.row, cell.column)):
        last = runs[-1][-1] if runs else None
        if last is not None and (last.row, last.column + 1) == (cell.row, cell.column):
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return runs


def _look(cell: Cell) -> dict[str, object]:
    """Levels range from nearly clear to full blue; tones have their colour, and their text says the same."""
    if cell.level is not None:
        return {"fill": BLUE, "fill_opacity": 0.08 + 0.8 * float(cell.level)}
    if cell.tone == "plain":
        return {"fill": "#808080", "fill_opacity": 0.15}
    return {"fill": BLUE if cell.tone == "best" else ORANGE, "fill_opacity": 0.4}


def _ink(canvas: Canvas, cell: Cell) -> str:
    return "#ffffff" if cell.level is not None and cell.level > 0.72 else canvas.ink


# ---------------------------------------------------------------------- tables

_ROW = 22


def draw_rows(chart: Rows, width: int, paper: bool) -> str:
    """Columns as wide as their texts, cut if the picture is too narrow."""
    canvas, top = begin(chart, width, (len(chart.rows) + 1) * _ROW + EDGE, paper=paper)
    table = [chart.columns, *chart.rows]
    widths = [max(text_width(row[number], SMALL) for row in table) + 18 for number in range(len(chart.columns))]
    room = width - 2 * EDGE
    if sum(widths) > room:
        widths = [wide * room / sum(widths) for wide in widths]
    for number, row in enumerate(table):
        y, x = top + number * _ROW, float(EDGE)
        for wide, text in zip(widths, row, strict=True):
            canvas.text(x, y + 15, cut(text, wide - 6, SMALL), SMALL, font_weight="600" if number == 0 else None)
            x += wide
        canvas.line(EDGE, y + _ROW, EDGE + sum(widths), y + _ROW, opacity=1 if number == 0 else FAINT, stroke_width=0.8)
    return canvas.svg()
