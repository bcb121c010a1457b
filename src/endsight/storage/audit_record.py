"""The record of how many positions of a stored solution were audited when it was solved.

`AUDIT.json` is separate from the manifest because the number of positions that fit into the time is the only part of a
folder that depends on the machine.
"""

from __future__ import annotations

from pathlib import Path

from endsight.errors import FileError
from endsight.storage.manifest import AUDIT
from endsight.storage.sealed import read_sealed, write_sealed

SCHEMA = "endsight.audit/1"


def note_audited(folder: Path, positions: int) -> None:
    """Record how many positions of a new solution were checked against the rules in Python."""
    write_sealed(folder / AUDIT, {"schema": SCHEMA, "audited": positions})


def audited_rows(folder: Path) -> int | None:
    """The recorded number; None where there is no record."""
    document = read_sealed(folder / AUDIT)
    if document is None:
        return None
    audited = document.get("audited")
    if (
        set(document) != {"schema", "audited"}
        or document["schema"] != SCHEMA
        or type(audited) is not int
        or audited < 0
    ):
        raise FileError(f"{folder / AUDIT} is of another kind", found=str(document)[:80], allowed=SCHEMA)
    return audited
