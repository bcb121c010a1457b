"""Space on the disk: how much a solve has taken, and when to stop before there is none left."""

from __future__ import annotations

import shutil
from pathlib import Path

from endsight.errors import LimitReached
from endsight.game.numbers import count_text

_KEPT_FREE = 64 << 20
"""Bytes of the disk that are left alone, for what else goes on there."""


class DiskSpace:
    """Account of the files of one solve; `most` bytes (None: what the disk has) are allowed at the same time."""

    def __init__(self, folder: Path, most: int | None = None) -> None:
        self.folder = folder
        self.most = most

    @property
    def left(self) -> int:
        """Bytes that the files of a solve that has not begun may take."""
        free = max(0, shutil.disk_usage(self.folder).free - _KEPT_FREE)
        return free if self.most is None else min(free, self.most)

    def look(self, taken: int, states: int) -> None:
        """Raise `LimitReached` where the files, which are `taken` bytes now, leave no room to go on."""
        if self.most is not None and taken > self.most:
            raise LimitReached(
                f"stopped: the files take {count_text(taken, 'byte')}, more than the {self.most:,} of --disk",
                states=states,
                advice="finished work is kept: the same command with a larger --disk continues from there",
            )
        free = shutil.disk_usage(self.folder).free
        if free < _KEPT_FREE:
            raise LimitReached(
                f"stopped: only {free / 1e6:,.0f} MB are free on the disk",
                states=states,
                advice="finished work is kept: free some space, then the same command continues",
            )
