"""The content of charts, before any drawing: exact numbers, labels and tones.

Our own SVG (`svg`) or matplotlib (`axes`) can draw every chart.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from endsight.base.deferred import deferred
from endsight.base.printable import printable
from endsight.errors import FileError, UsageError
from endsight.game.numbers import Amount, Number

with deferred(__name__):
    from endsight.charts.drawing import draw
    from endsight.charts.plotting import plot_on, plotted

Tone = Literal["best", "worse", "plain"]


@dataclass(frozen=True, repr=False)
class Chart:
    """A chart: its title, and its content in words for people who cannot see it.

    It shows itself in a notebook. Deterministic: equal charts give equal bytes.
    """

    title: str
    description: str

    def svg(self, width: int = 720, *, paper: bool = True) -> str:
        """The picture as SVG text, `width` units wide (320 and more).

        With `paper` it has a white background; without, its ink is `currentColor`, for a light or dark page.
        """
        return draw(self, max(320, width), paper=paper)

    def axes(self, ax: Any = None) -> Any:
        """The chart drawn by matplotlib on `ax` (default: axes of a new figure); returns the axes.

        Raises `UsageError` if matplotlib is missing.
        """
        return plot_on(self, ax)

    def save(self, path: str | Path, *, width: int = 720) -> None:
        """Write it as `.svg`, `width` units wide, or through matplotlib as `.png` or `.pdf`.

        Raises `UsageError` for other endings or a missing matplotlib; `FileError`.
        """
        path = Path(path)
        content = self.content(path, width=width)
        try:
            path.write_bytes(content)
        except OSError as error:
            raise FileError(f"the chart cannot be written to {str(path)!r}", found=error.strerror) from error

    def content(self, path: Path, *, width: int = 720) -> bytes:
        """The content that `save` writes into a file of that name; raises `UsageError`."""
        ending = path.suffix.lower()
        if ending not in (".svg", ".png", ".pdf"):
            raise UsageError(
                f"a chart cannot be written as {path.name!r}",
                found=f"the ending {ending!r}" if ending else "no ending",
                allowed=".svg, .png or .pdf",
            )
        if ending == ".svg":
            return self.svg(width).encode()
        return plotted(self, ending[1:])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {printable(self.title)}>"

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True)
class Bar:
    """One bar: a label, its value (or proven bounds), the value as text, and how it compares."""

    label: str
    value: Amount
    text: str
    tone: Tone


@dataclass(frozen=True, repr=False)
class Bars(Chart):
    """Bars side by side along one axis that starts at 0. `note` says what is omitted."""

    axis: str
    bars: tuple[Bar, ...]
    note: str = ""


@dataclass(frozen=True)
class Series:
    """Points of one kind. `joined` ones have a line; `dashed` and `shape` distinguish series without colour."""

    name: str
    points: tuple[tuple[Number, Number], ...]
    tone: Tone
    shape: Literal["circle", "square", "diamond", "up", "down"]
    joined: bool = True
    dashed: bool = False
    labelled: bool = False


@dataclass(frozen=True, repr=False)
class Curves(Chart):
    """Series over a common axis."""

    across: str
    upwards: str
    series: tuple[Series, ...]


@dataclass(frozen=True, repr=False)
class Outcomes(Chart):
    """Chances of payoffs in order, with the chances of at least and of at most as much.

    Unless `width` is 0, each entry covers all payoffs from its own up to (not including) its own plus the width.
    """

    across: str
    payoffs: tuple[Number, ...]
    chances: tuple[Number, ...]
    at_least: tuple[Number, ...]
    at_most: tuple[Number, ...]
    mean: Number
    width: Number = 0


@dataclass(frozen=True)
class Cell:
    """A field of a heat map: whole-number place, text, and a level from 0 to 1 or a tone."""

    column: int
    row: int
    text: str
    level: Number | None = None
    tone: Tone = "plain"


@dataclass(frozen=True)
class HeatPanel:
    """One heat map of several."""

    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, repr=False)
class HeatMaps(Chart):
    """Heat maps over the same two whole-number axes; `key` explains tones and texts."""

    across: str
    upwards: str
    panels: tuple[HeatPanel, ...]
    key: str


@dataclass(frozen=True)
class TimelinePoint:
    """A point of a timeline: the move, the value after it, and whether it was luck, a mistake or neither."""

    label: str
    value: Number
    text: str
    kind: Literal["start", "luck", "mistake", "play"]


@dataclass(frozen=True, repr=False)
class Timeline(Chart):
    """The value to one player during the game. `level` is the value at which nobody leads, if any."""

    upwards: str
    turns: tuple[TimelinePoint, ...]
    level: Number | None = None


@dataclass(frozen=True)
class GraphPlace:
    """A node of a game graph: lines of text, its layer, and its mover."""

    lines: tuple[str, ...]
    layer: int
    kind: Literal["decision", "chance", "end"]


@dataclass(frozen=True)
class Link:
    """An edge from one place to another, by their numbers; `best` marks best moves."""

    source: int
    target: int
    label: str
    kind: Literal["best", "other", "chance"]


@dataclass(frozen=True, repr=False)
class Network(Chart):
    """A small game graph."""

    places: tuple[GraphPlace, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, repr=False)
class Rows(Chart):
    """A table, for policies that are neither a curve nor a map."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
