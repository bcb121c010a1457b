"""One key for everything stored about rules: trust in machine code, sizes, solved tables, jobs.

`key_of` hashes everything that determines the meaning of rules: see `walk` for what it visits. Rules with the same key
have the same meaning; changed rules have another key. A comment, a docstring, a blank line or the file's location
changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from threading import Lock
from typing import Any, NamedTuple

import endsight
from endsight.errors import QuestionError
from endsight.identity.outside import read_from_outside
from endsight.identity.walk import IdentityWalk, Unknowable

__all__ = ["Key", "key_of", "required_key", "surroundings"]

_FORM = 4
"""Increase it when the hashed content or the method changes."""
_DEPTH = 8_000
_one_at_a_time = Lock()


class Key(NamedTuple):
    """The key of rules or of a policy; if there is none, `reason` names what cannot be hashed.

    text    64 hexadecimal digits, or None
    reason  one sentence, or None
    """

    text: str | None
    reason: str | None = None


def surroundings() -> dict[str, str]:
    """The environment of rules: the versions of endsight and of Python, and the flags that change Python's work."""
    python = f"{sys.implementation.name} {sys.version_info.major}.{sys.version_info.minor}"
    optimize = f" {'-' + 'O' * sys.flags.optimize}" if sys.flags.optimize else ""
    return {"endsight": endsight.__version__, "python": python + optimize}


def key_of(rules: Any) -> Key:
    """The key of a game with its parameters, or of a policy (a function).

    It is computed from the live objects each time, so that changes at run time count.
    """
    try:
        with deep():
            outside = read_from_outside(rules)
            if outside is not None:
                return Key(None, outside)
            walk = IdentityWalk()
            content = walk.digest(rules)
            if walk.reads_docstrings:
                content = IdentityWalk(has_docstrings=True).digest(rules)
    except Unknowable as unknown:
        return Key(None, str(unknown))
    except RecursionError:
        return Key(None, "the data of the rules is nested too deeply")
    except Exception as error:  # an author's objects may do anything when inspected
        return Key(None, f"looking into the rules ended in {type(error).__name__}: {error}")
    about = repr((_FORM, sorted(surroundings().items())))
    return Key(sha256(about.encode() + content).hexdigest())


@contextmanager
def deep() -> Iterator[None]:
    """Allow deep recursion for data that refers to data, such as squares to their neighbours."""
    with _one_at_a_time:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, _DEPTH))
        try:
            yield
        finally:
            sys.setrecursionlimit(before)


def required_key(rules: Any, called: str) -> str:
    """The text of the key; `QuestionError` if there is none, as stored data must identify its rules."""
    key = key_of(rules)
    if key.text is None:
        raise QuestionError(
            f"no solution of {called} can be stored: a change of its rules could go unnoticed",
            found=key.reason,
            advice="read files in setup, and keep plain data on the game (numbers, texts, lists)",
        )
    return key.text
