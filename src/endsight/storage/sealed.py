"""JSON documents that carry their own checksum, so that any change is noticed.

`checksum` is the SHA-256 of the document without it, as JSON with sorted keys and no blanks: it ignores white space and
the order of keys, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from endsight.base.atomic import blaming_disk, write_atomically
from endsight.base.plain_files import read_plain
from endsight.errors import FileError

Document = dict[str, Any]

MOST_BYTES = 256 << 20
"""Larger documents are not ours."""


def write_sealed(path: Path, document: Document) -> None:
    """Replace the file at `path` with `document` and its checksum, atomically."""
    text = json.dumps(document | {"checksum": _checksum(document)}, indent=1, sort_keys=True)
    write_atomically(path, text.encode() + b"\n")


def read_sealed(path: Path) -> Document | None:
    """The document at `path`, None where there is none; `FileError` where it has changed."""
    with blaming_disk(path, "read"):
        try:
            if path.stat().st_size > MOST_BYTES:
                raise damaged(path, "it is too large")
            data = read_plain(path)
        except FileNotFoundError:
            return None
    try:
        hooks: dict[str, Any] = {"object_pairs_hook": _without_repetition}
        document = json.loads(data.decode("utf-8"), parse_float=_refused, parse_constant=_refused, **hooks)
    except (ValueError, RecursionError):
        raise damaged(path, "it is not JSON of the kind we write") from None
    if not isinstance(document, dict) or document.pop("checksum", None) != _checksum(document):
        raise damaged(path, "its checksum does not fit what is in it")
    return document


def damaged(path: Path, found: str) -> FileError:
    """The error that a file has changed."""
    return FileError(
        f"{path} is damaged", found=found, advice="restore a copy of the folder, or solve again into another folder"
    )


def _checksum(document: Document) -> str:
    return sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _without_repetition(pairs: list[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a key comes twice")
    return document


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is not a whole number")


# -------------------------------------------------------------------- kinds of entries


_hints = cache(get_type_hints)


def require_entries(document: Any, kind: type, called: str, names: Collection[str] | None = None) -> None:
    """Raise `ValueError` for an entry without exactly the fields of a dataclass (in `names`), or of another type."""
    names = kind.__annotations__ if names is None else names
    if not isinstance(document, dict) or set(document) != set(names):
        raise ValueError(f"{called} has exactly the entries " + ", ".join(names))
    require_shape(document, kind)


def require_shape(document: Mapping[str, Any], kind: type) -> None:
    """Raise `ValueError` for an entry that has another type than its field of the dataclass."""
    hints = _hints(kind)
    for name, value in document.items():
        if not _fits(value, hints[name]):
            raise ValueError(f"{name} is of another kind than it was written")


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Literal:
        return type(value) is str and value in inner
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in inner)
    if is_dataclass(hint):
        return isinstance(value, dict)  # its own `from_document` checks the content
    if origin in (dict, Mapping):
        return isinstance(value, dict) and all(type(key) is str and _fits(value[key], inner[1]) for key in value)
    if origin in (tuple, list, Sequence):
        return isinstance(value, list) and all(_fits(each, inner[0]) for each in value)
    return type(value) is (NoneType if hint is None else hint)
