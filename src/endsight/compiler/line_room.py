"""Room for the line of play that a search follows: `LineRoom`."""

from __future__ import annotations

from endsight.compiler.driver import Rooms
from endsight.compiler.kernels.core import Code
from endsight.compiler.kernels.lines import CHILD, PATH_BITS, ROOM, Line
from endsight.compiler.tables import grown, scratch


class LineRoom:
    """A stack of frames and their children, which grow when a kernel reports that they are full."""

    def __init__(self) -> None:
        self.frames, self.children = scratch(ROOM << 7), scratch(CHILD << 12)
        self.path = scratch(1 << PATH_BITS)

    @property
    def line(self) -> Line:
        """The stack in the form that kernels take."""
        return Line(self.frames, len(self.frames) // ROOM, self.children, len(self.children) // CHILD, self.path)

    @property
    def rooms(self) -> Rooms:
        """Functions that make more room, for `drive`."""
        return {Code.STACK_FULL: self._more_depth, Code.BUFFER_FULL: self._more_children}

    def _more_depth(self, _: int) -> None:
        self.frames = grown(self.frames, 2 * len(self.frames))

    def _more_children(self, needed: int) -> None:
        self.children = grown(self.children, 2 * needed * CHILD)
