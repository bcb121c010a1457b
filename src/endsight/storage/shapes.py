"""Whether plain data has the types that a dataclass declares."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

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
