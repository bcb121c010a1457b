"""What endsight knows rules by, and what it keeps of them: the key, the size of the game, compiled code."""

from __future__ import annotations

from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import endsight as es
from endsight.compiler import cache
from endsight.compiler.native import is_trusted
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.choice import Task
from endsight.engine.entry import trusted_rules
from endsight.game.limits import Budget
from endsight.graph.objective import View
from endsight.identity import code as identity_code
from endsight.identity import key_of

__all__ = [
    "BINDING",
    "OF_GLOBALS",
    "Known",
    "is_there",
    "keep",
    "keeps_size",
    "kept",
    "key_of_rules",
    "known",
    "names_in",
    "remember",
]

BINDING, OF_GLOBALS = identity_code._BINDING, identity_code._OF_GLOBALS
"""Instructions that give a name a value, and those that read names of the module or of Python."""


class Key(NamedTuple):
    """The text under which rules are known, or the reason why they cannot be."""

    text: str | None
    reason: str | None


def key_of_rules(thing: Any) -> Key:
    """The key of a game or of a policy."""
    found = key_of(thing)
    return Key(found.text, found.reason)


def names_in(code: CodeType) -> tuple[set[str], set[str]]:
    """Names of the module or of Python that code uses, and names of attributes."""
    return identity_code._kinds_of_names(code)


class Known(NamedTuple):
    """How many states a game has, if that is kept; whether its compiled rules are trusted, None if there are none."""

    states: int | None
    is_trusted: bool | None


def _size_note(game: es.Game) -> str | None:
    return Task(game, game.position(), es.Question(), "auto", "auto", "auto", True, Budget()).size_note


def keeps_size(game: es.Game) -> bool:
    """Whether the size of a game can be kept."""
    return _size_note(game) is not None


def remember(game: es.Game, states: int) -> None:
    """Compile and compare the rules, and keep that the game has so many states."""
    trusted_rules(View(game, es.Question()), game.position(), tracks_mover=False)
    note = _size_note(game)
    assert note is not None
    cache.keep("note", note, b"%d choice\n" % states)


def known(game: es.Game) -> Known:
    """What is kept of a game."""
    note = _size_note(game)
    found = None if note is None else cache.kept("note", note)
    try:
        trusted = is_trusted(CompiledRules.of(game).explorer)
    except CannotCompile:
        trusted = None
    return Known(None if found is None else int(found.split()[0]), trusted)


def kept(file: Path) -> bytes | None:
    """What a file of the cache holds, None if it is not as it was written."""
    return cache.kept(file.suffix[1:], file.stem)


def is_there(file: Path) -> bool:
    """Whether it holds anything."""
    return cache.is_kept(file.suffix[1:], file.stem)


def keep(file: Path, content: bytes) -> None:
    """Keep it there."""
    cache.keep(file.suffix[1:], file.stem, content)
