"""The text that rules and policies are written in, as checksums: which ones a file is about."""

from __future__ import annotations

import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any
from weakref import WeakKeyDictionary

from endsight.errors import QuestionError
from endsight.game import Game

__all__ = ["policy_entry", "rules_hash"]


def rules_hash(kind: type[Game]) -> str | None:
    """SHA-256 of the files that a class of rules is written in, its base classes' included.

    Of a class that is in no file, such as one typed into a notebook, the cell counts.
    Line ends and blanks at their ends make no difference. None where there is no text.
    """
    if kind not in _known:
        _known[kind] = _hash_of(kind)
    return _known[kind]


_known: WeakKeyDictionary[type[Game], str | None] = WeakKeyDictionary()


def _hash_of(kind: type[Game]) -> str | None:
    texts: dict[str, None] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, Game) and base is not Game:
            text = _text(base)
            if text is None:
                return None
            texts["\n".join(line.rstrip() for line in text.splitlines())] = None
    return sha256("\0".join(texts).encode()).hexdigest()


def _text(kind: type) -> str | None:
    """The file that a class is written in, or the cell: its module alone does not tell which."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    names = {code.co_filename for code in _codes(kind)}
    if file is not None and (not names or any(_is_same(name, file) for name in names)):
        try:
            return Path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
    return "".join(line for name in sorted(names) for line in linecache.getlines(name)) or None


def _codes(kind: type) -> Iterator[CodeType]:
    """The code of the methods that a class itself writes."""
    for each in vars(kind).values():
        function = getattr(each, "__func__", getattr(each, "fget", each))
        code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
        if isinstance(code, CodeType):
            yield code


def _is_same(name: str, file: str) -> bool:
    """Whether code of that file name is of this file; where it was moved, the last part tells."""
    return os.path.exists(name) or os.path.basename(name) == os.path.basename(file)


def policy_entry(function: Callable[..., Any]) -> dict[str, str]:
    """A policy from a file as a claim names it: its name and a SHA-256 of the file.

    Raises `QuestionError` where there is no file.
    """
    file = Path(getattr(getattr(function, "__code__", None), "co_filename", ""))
    if not file.is_file():
        raise QuestionError("a policy that is in no file has no place in a certificate", advice="write it into a file")
    text = file.read_bytes().replace(b"\r\n", b"\n")
    return {"function": function.__name__, "sha256": sha256(text).hexdigest()}
