"""Solutions on the disk: written so that they last, read so that nothing is believed unread."""

from __future__ import annotations

from endsight.storage.saving import save, solve_into
from endsight.storage.tablebase import Entry, Tablebase, open_tablebase

__all__ = ["Entry", "Tablebase", "open_tablebase", "save", "solve_into"]
