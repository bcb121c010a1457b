"""Disk space: how much a solve has taken, and when to stop before the disk is full."""

from __future__ import annotations

import shutil
from pathlib import Path

from endsight.errors import LimitReached
from endsight.game.numbers import count_text

_KEPT_FREE = 64 << 20
"""Bytes of the disk that stay free for other programs."""


class DiskSpace:
    """Accounts for the files of one solve; they may take up to `most` bytes at a time (None: what the disk has)."""

    def __init__(self, folder: Path, most: int | None = None) -> None:
        self.folder = folder
        self.most = most

    @property
    def left(self) -> int:
        """Bytes that the files of a new solve may take."""
        free = max(0, shutil.disk_usage(self.folder).free - _KEPT_FREE)
        return free if self.most is None else min(free, self.most)

    def look(self, taken: int, states: int) -> None:
        """Raise `LimitReached` where the files, which take `taken` bytes now, leave too little room to continue."""
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
