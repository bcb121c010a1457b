"""The manifest of a solution: its identity, the meaning of its columns, and its files.

A folder is a solution when it has a `MANIFEST.json`; this is written last. A reader uses only files that a manifest
names, each with its size and checksums. An unfinished solve has a `PARTIAL.json` instead (see `checkpoint`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from endsight import __version__
from endsight.errors import FileError
from endsight.graph.table import Swings
from endsight.storage.identity import Identity, command_anew
from endsight.storage.layout import Layout, number_of
from endsight.storage.sealed import read_sealed, require_entries, require_shape, write_sealed

MANIFEST = "MANIFEST.json"
PARTIAL = "PARTIAL.json"
AUDIT = "AUDIT.json"
"""The number of audited positions: see `storage.audit`."""
SCHEMA = "endsight.tablebase/2"
TIERS = ("one", "layer", "any")
OLD = ("endsight.tablebase/1",)
"""Schemas of earlier versions, whose identity is weaker: it did not cover everything that rules reach."""


@dataclass(frozen=True)
class Part:
    """One file of rows.

    path          inside the folder, with `/`
    tier          number of the layer it belongs to, 0 where all are together
    rows, groups  numbers of rows and of row groups
    size, sha256  of the whole file in bytes, and its checksum
    footer        size of the Parquet footer (with its length and `PAR1`) at the end
    footer_crc32  of that footer, which in turn holds those of all row groups
    first, last   smallest and largest key; None in an empty part
    """

    path: str
    tier: int
    rows: int
    groups: int
    size: int
    sha256: str
    footer: int
    footer_crc32: int
    first: int | str | None
    last: int | str | None

    @staticmethod
    def from_document(document: Any) -> Part:
        """The inverse of `dataclasses.asdict`; raises `ValueError` for anything else."""
        require_entries(document, Part, "a part")
        part = Part(**document)
        numbers = (part.tier, part.rows, part.groups, part.size, part.footer, part.footer_crc32)
        if not all(type(number) is int and number >= 0 for number in numbers) or part.footer > part.size:
            raise ValueError("a part with a size that cannot be")
        pure = PurePosixPath(part.path)
        if pure.is_absolute() or ".." in pure.parts or "\\" in part.path or ":" in part.path:
            raise ValueError("a part outside the folder")
        return part


@dataclass(frozen=True)
class Manifest:
    """Everything about a solution but its rows.

    identity   game, rules, question and position
    layout     meaning of its columns
    method     name of the method that solved it; `notion` as in answers
    rows, states   rows of all parts, and distinct states among them (fewer where keys
               hold the mover, or where a dense table has rows for no state)
    is_win_loss    whether the game is only won, drawn or lost
    moves_at_once  whether two players move at once somewhere, so that best play draws moves
    swings     why some positions have two ends and no value; None where all have one
    value      of the position asked about, per player: `p/q`, or two ends
    distance   plies to the end from there, None where there are none
    tiers      how a tier is found: `one` (all rows together), `layer` (the rules' `layer`
               of the state), or `any` (each tier has to be asked)
    parts      the files
    versions   of the libraries that wrote them
    license    of the data
    """

    identity: Identity
    layout: Layout
    method: str
    rows: int
    states: int
    is_win_loss: bool
    parts: tuple[Part, ...]
    notion: str | None = None
    value: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    distance: int | None = None
    tiers: str = "one"
    versions: Mapping[str, str] = field(default_factory=lambda: library_versions())
    license: str = "CC0-1.0"
    swings: Swings | None = None
    moves_at_once: bool = False

    @property
    def size(self) -> int:
        """Bytes of all parts."""
        return sum(part.size for part in self.parts)

    def document(self) -> dict[str, Any]:
        """As plain data."""
        document = asdict(self) | {"schema": SCHEMA}
        document |= {"identity": self.identity.document(), "layout": self.layout.document()}
        document["parts"] = list(map(asdict, self.parts))
        return document

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> Manifest:
        """The inverse of `document`; raises `ValueError` for anything else."""
        entries = {key: value for key, value in document.items() if key != "schema"}
        if document.get("schema") != SCHEMA or set(entries) != set(Manifest.__annotations__):
            raise ValueError(f"not a document of the kind {SCHEMA}")
        require_shape(entries, Manifest)
        entries["identity"] = Identity.from_document(entries["identity"])
        entries["layout"] = Layout.from_document(entries["layout"])
        if entries["swings"] is not None:
            require_entries(entries["swings"], Swings, "a note of swings")
            entries["swings"] = Swings(**entries["swings"])
        entries["parts"] = tuple(map(Part.from_document, entries["parts"]))
        manifest = Manifest(**entries)
        key = str if manifest.layout.keys == "text" else int
        for part in manifest.parts:
            if {type(part.first), type(part.last)} != ({key} if part.rows else {type(None)}):
                raise ValueError("a part with keys of another kind")
        for value in manifest.value.values():
            bounds = list(map(number_of, [value] if isinstance(value, str) else value))
            if not 1 <= len(bounds) <= 2 or bounds[0] > bounds[-1]:
                raise ValueError("a value that is neither a number nor two ends")
        if min(manifest.rows, manifest.states, manifest.distance or 0) < 0 or manifest.tiers not in TIERS:
            raise ValueError("a number below 0, or tiers of another kind")
        return manifest


def library_versions() -> dict[str, str]:
    """Versions of the libraries that determine the bytes of a part."""
    import pyarrow as pa

    return {"endsight": __version__, "pyarrow": pa.__version__}


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of a complete solution, None where there is none.

    Raises `FileError` where it is damaged or of another schema.
    """
    document = read_sealed(folder / MANIFEST)
    if document is None:
        return None
    if document.get("schema") in OLD:
        raise outdated(folder, document, SCHEMA)
    if document.get("schema") != SCHEMA:
        raise FileError(
            f"{folder / MANIFEST} is of another kind",
            found=str(document.get("schema"))[:80],
            allowed=SCHEMA,
            advice="the version of endsight that wrote it",
        )
    try:
        return Manifest.from_document(document)
    except (TypeError, ValueError) as error:
        raise FileError(f"{folder / MANIFEST} is not a manifest that can be read", found=str(error)) from error


def no_solution(folder: Path) -> FileError:
    """The error that there is no such folder, or no solution in it."""
    what = "holds no solution" if folder.is_dir() else "is not a folder"
    return FileError(f"{folder} {what}", allowed="a folder made by endsight solve GAME -o PATH")


def outdated(folder: Path, document: Mapping[str, Any], allowed: str) -> FileError:
    """The error that an earlier version wrote a folder in a form that this one does not read; and how to continue."""
    return FileError(
        f"{folder} was stored by endsight {document['versions']['endsight']} in a form that this version does not read",
        found=str(document["schema"]),
        allowed=allowed,
        advice=command_anew(document["identity"], folder),
    )


# -------------------------------------------------------------------- the record of an audit

# It is separate from the manifest because the number of positions that fit into the time is the only part of a folder
# that depends on the machine.


_AUDIT_SCHEMA = "endsight.audit/1"


def note_audited(folder: Path, positions: int) -> None:
    """Record how many positions of a new solution were checked against the rules in Python."""
    write_sealed(folder / AUDIT, {"schema": _AUDIT_SCHEMA, "audited": positions})


def audited_rows(folder: Path) -> int | None:
    """The recorded number; None where there is no record."""
    document = read_sealed(folder / AUDIT)
    if document is None:
        return None
    audited = document.get("audited")
    if (
        set(document) != {"schema", "audited"}
        or document["schema"] != _AUDIT_SCHEMA
        or type(audited) is not int
        or audited < 0
    ):
        raise FileError(f"{folder / AUDIT} is of another kind", found=str(document)[:80], allowed=_AUDIT_SCHEMA)
    return audited
