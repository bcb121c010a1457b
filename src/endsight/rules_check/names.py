"""Rules that nobody will ever ask: misspelt ones, and weights where nothing is left to chance."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import unwrap
from types import CodeType
from typing import Any

from endsight.game import Game
from endsight.game.protocol import likeliest_rule

__all__ = ["misspelt"]


def misspelt(game: Game) -> Iterator[tuple[str, str]]:
    """Names of the class that are like an optional rule which it does not give, with that rule.

    What the class uses itself, or what has an annotation, has a purpose of its own.
    """
    kinds = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
    used = {name for kind in kinds for code in _codes(kind) for name in code.co_names}
    known = {"State", *game.parameters(), *used}
    for name in dict.fromkeys(name for kind in kinds for name in vars(kind)):
        rule = None if name.startswith(("_", "policy_")) or name in known else likeliest_rule(name)
        if rule is not None and not _is_there(game, rule):
            yield name, rule


def _is_there(game: Game, rule: str) -> bool:
    return game.gives(rule) if hasattr(Game, rule) else hasattr(game, rule)


def _codes(kind: type) -> Iterator[CodeType]:
    """The code of everything that a class defines, what stands inside of functions too."""
    waiting = [code for value in vars(kind).values() if (code := _code(value)) is not None]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]


def _code(value: Any) -> CodeType | None:
    function = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
    code = getattr(unwrap(function), "__code__", None)
    return code if isinstance(code, CodeType) else None
