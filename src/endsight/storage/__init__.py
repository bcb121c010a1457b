"""Solutions on disk: written to last, and verified when read."""

from __future__ import annotations

from endsight.storage.saving import save, solve_into
from endsight.storage.tablebase import Entry, Tablebase, open_tablebase

__all__ = ["Entry", "Tablebase", "open_tablebase", "save", "solve_into"]
