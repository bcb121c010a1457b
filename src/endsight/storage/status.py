"""The status of a folder: no solution, begun, being worked on, or complete; and whether it is intact."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from endsight.base.atomic import blaming_disk
from endsight.base.deferred import deferred
from endsight.errors import FileError
from endsight.game import Game
from endsight.game.numbers import amounts_document, count_text, number_document
from endsight.storage.checkpoint import is_locked, read_partial, sha256_of
from endsight.storage.identity import Identity, game_of, names_built_in
from endsight.storage.layout import amount_of
from endsight.storage.manifest import Manifest, audited_rows, no_solution, read_manifest
from endsight.storage.parts import blocks_of
from endsight.storage.sealed import damaged

with deferred(__name__):
    from endsight.storage.audit import audit_folder


def status_of(
    folder: Path, *, check: bool = False, audit: int | None = None, game: Game | None = None
) -> dict[str, Any]:
    """`endsight.status/1`: the content of a folder; with `check` every file is read and verified.

    Without it only their sizes are checked. With `audit` that many positions are checked by the rules in Python. `game`
    gives rules that are not built in.

    Raises `FileError` where there is neither a solution nor the beginning of one, where something is damaged, and where
    known rules have another meaning today; with `audit` also where the solution is not complete, and `Wrong` where it
    contradicts the rules.
    """
    if not folder.is_dir():
        raise no_solution(folder)
    manifest = read_manifest(folder)
    if manifest is not None:
        _require_rules(manifest.identity, folder, game)
        check_sizes(folder, manifest)
        if check:
            check_files(folder, manifest)
        looked_at = None if audit is None else audit_folder(folder, game, audit)
        return _complete(folder, manifest) | {"checked": check, "audited_now": looked_at}
    if audit is not None:
        audit_folder(folder, game, audit)  # which says what is missing
    partial = read_partial(folder)
    if partial is None:
        raise no_solution(folder)
    _require_rules(Identity.from_document(partial["identity"]), folder, game)
    return _begun(folder, partial) | {"checked": False, "audited_now": None}


def _require_rules(identity: Identity, folder: Path, game: Game | None) -> None:
    """Raise `FileError` where the rules are known and differ from those of the folder."""
    if game is not None:
        identity.require(identity.of_rules(game), folder)
    elif names_built_in(identity):
        game_of(identity, folder)


def _complete(folder: Path, manifest: Manifest) -> dict[str, Any]:
    size = manifest.size
    return {
        "schema": "endsight.status/1",
        "path": str(folder),
        "status": "complete",
        **_identity(manifest.identity.document()),
        "method": manifest.method,
        "states": manifest.states,
        "rows": manifest.rows,
        "parts": len(manifest.parts),
        "size": size,
        "bytes_per_state": number_document(Fraction(size, max(1, manifest.states))),
        **dict.fromkeys(("value", "lower", "upper")),
        **amounts_document({name: amount_of(text) for name, text in manifest.value.items()}),
        "distance": manifest.distance,
        "audited": audited_rows(folder),
        "license": manifest.license,
        "versions": dict(manifest.versions),
        "done": [],
    }


def _begun(folder: Path, partial: dict[str, Any]) -> dict[str, Any]:
    """An unfinished solve: its committed work, and whether a process is working on it."""
    files = [file for entry in partial["done"].values() for file in entry["files"]]
    unknown = dict.fromkeys(("method", "states", "rows", "bytes_per_state", "value", "lower", "upper"))
    unknown |= dict.fromkeys(("distance", "audited", "license"))
    return {
        "schema": "endsight.status/1",
        "path": str(folder),
        "status": "working" if is_locked(folder) else "interrupted",
        **_identity(partial["identity"]),
        **unknown,
        "parts": len(files),
        "size": sum(file["size"] for file in files),
        "versions": partial["versions"],
        "done": list(partial["done"]),
    }


def _identity(identity: dict[str, Any]) -> dict[str, Any]:
    return {key: identity[key] for key in ("game", "params", "objective", "utility", "fixed", "position", "rules")}


def committed(folder: Path) -> int:
    """The number of committed pieces of work of an unfinished solve; 0 where nothing can be read."""
    try:
        partial = read_partial(folder)
    except FileError:
        return 0
    return 0 if partial is None else len(partial["done"])


def check_sizes(folder: Path, manifest: Manifest) -> None:
    """Check that every file of a solution exists and has its recorded size; raises `FileError`."""
    for part in manifest.parts:
        with blaming_disk(folder / part.path, "read"):
            size = (folder / part.path).stat().st_size
        if size != part.size:
            raise damaged(
                folder / part.path, f"it has {count_text(size, 'byte')} instead of the {part.size:,} that were written"
            )


def check_files(folder: Path, manifest: Manifest) -> None:
    """Read every file of a solution: size, SHA-256, and every block; raises `FileError`."""
    for part in manifest.parts:
        if sha256_of(folder / part.path) != part.sha256:
            raise damaged(folder / part.path, "its checksum is not what the manifest says")
        for block in blocks_of(folder, part, manifest.layout):
            del block
