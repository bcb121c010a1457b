"""One key for everything that is kept about rules: trust in machine code, sizes, solved tables, jobs.

`key_of` hashes all that decides what rules mean: see `walk` for what is looked at. Two rules
with one key mean the same; rules that were changed have another key. A comment, a
docstring, a blank line or another place of the file changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Any

import endsight
from endsight.errors import QuestionError
from endsight.identity.outside import read_from_outside
from endsight.identity.walk import Unknown, Walk

__all__ = ["Key", "key_of", "required_key", "surroundings"]

_FORM = 3
"""Raise it when what is hashed, or how, changes."""
_DEPTH = 8_000
_one_at_a_time = Lock()


@dataclass(frozen=True)
class Key:
    """The key of rules or of a policy; where there is none, `reason` names what cannot be hashed.

    text    64 hexadecimal digits, or None
    reason  one sentence, or None
    """

    text: str | None
    reason: str | None = None


def surroundings() -> dict[str, str]:
    """What rules run in: the versions of endsight and of Python, and the flags that change what Python does."""
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
    optimize = f" {'-' + 'O' * sys.flags.optimize}" if sys.flags.optimize else ""
    return {"endsight": endsight.__version__, "python": python + optimize}


def key_of(rules: Any) -> Key:
    """The key of a game with its parameters, or of a policy (a function).

    It is worked out from the live objects each time, so that a change made at run time counts.
    """
    try:
        with _deep():
            outside = read_from_outside(rules)
            if outside is not None:
                return Key(None, outside)
            walk = Walk()
            content = walk.digest(rules)
            if walk.reads_docstrings:
                content = Walk(has_docstrings=True).digest(rules)
    except Unknown as unknown:
        return Key(None, str(unknown))
    except RecursionError:
        return Key(None, "the data of the rules is nested too deeply")
    except Exception as error:  # objects of an author may do anything when they are looked at
        return Key(None, f"looking into the rules ended in {type(error).__name__}: {error}")
    about = repr((_FORM, sorted(surroundings().items())))
    return Key(sha256(about.encode() + content).hexdigest())


@contextmanager
def _deep() -> Iterator[None]:
    """Room for data that refers to data, such as squares to their neighbours."""
    with _one_at_a_time:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, _DEPTH))
        try:
            yield
        finally:
            sys.setrecursionlimit(before)


def required_key(rules: Any, called: str) -> str:
    """The text of the key; `QuestionError` where there is none, for what is stored must say which rules it is of."""
    key = key_of(rules)
    if key.text is None:
        raise QuestionError(
            f"no solution of {called} can be stored: a change of its rules could go unnoticed",
            found=key.reason,
            advice="read files in setup, and keep plain data on the game (numbers, texts, lists)",
        )
    return key.text
