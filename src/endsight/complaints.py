"""Messages about rules, parameters and states that are not as they must be.

`endsight.game` loads this file where there is something to complain of, and only there:
nobody who believes an answer has to read it.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from endsight.exact import is_exact
from endsight.faults import ParameterError, RulesError

if TYPE_CHECKING:
    from endsight.game import Game

__all__ = [
    "arguments",
    "fitted",
    "lacking",
    "missing",
    "no_count",
    "odd",
    "share",
]


# ---------------------------------------------------------------------- parameters


def arguments(game: Game, values: tuple[Any, ...], parameters: Mapping[str, Any]) -> ParameterError:
    """More values than parameters, a parameter given twice, or one of an unknown name."""
    kinds, title = game.parameters(), game.title()
    names = ", ".join(kinds)
    if len(values) > len(kinds):
        return ParameterError(f"{title} takes {len(kinds)} parameters", found=f"{len(values)} values", allowed=names)
    for key in list(kinds)[: len(values)]:
        if key in parameters:
            return ParameterError(f"{title} was given {key} twice")
    key = next(key for key in parameters if key not in kinds)
    advice = _nearest(key, kinds, "{}=")
    return ParameterError(f"{title} has no parameter {key!r}", allowed=names or "no parameters", advice=advice)


def lacking(game: Game, key: str) -> ParameterError:
    """A parameter without a default was not given."""
    return ParameterError(f"{game.title()} needs {key}", advice=f"{game.title()}:{key}=...")


def fitted(game: Game, key: str, kind: Any, value: Any) -> Any:
    """`value` as the annotation `kind` wants it, or a `ParameterError`."""
    title, origin = game.title(), typing.get_origin(kind)
    if origin is Literal and value not in typing.get_args(kind):
        choices = [str(choice) for choice in typing.get_args(kind)]
        raise ParameterError(
            f"{title}: {key}={value} is not one of its choices",
            allowed=", ".join(choices),
            advice=_nearest(str(value), choices, key + "={}"),
        )
    if origin is tuple or kind is tuple:
        return _items(f"{title}: {key}", value)
    if kind is int and (isinstance(value, bool) or not isinstance(value, int)):
        raise ParameterError(f"{title}: {key} must be a whole number", found=repr(value))
    if kind is bool and not isinstance(value, bool):
        raise ParameterError(f"{title}: {key} must be yes or no", found=repr(value))
    if kind is Fraction and isinstance(value, int):
        return Fraction(value)
    return value


def _items(named: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ParameterError(f"{named} must be a list of numbers", found=repr(value))
    items = tuple(value)
    # Lists may be a million long: look at single items only where some are lists.
    kinds = set(map(type, items))
    if list in kinds:
        items = tuple(tuple(item) if isinstance(item, list) else item for item in items)
    for part in items if tuple in kinds or list in kinds else (items,):
        if isinstance(part, tuple) and float in map(type, part):
            found = repr(next(each for each in part if isinstance(each, float)))
            raise ParameterError(
                f"{named} holds a number that is not exact", found=found, allowed="int or Fraction, never a float"
            )
    return items


def _nearest(word: str, words: Iterable[str], form: str) -> str | None:
    close = get_close_matches(word, words, n=1)
    return form.format(*close) if close else None


# ---------------------------------------------------------------------- rules


def missing(game: Game, method: str) -> RulesError:
    """A method that the rules must have."""
    advice = f"write a method {method} in class {type(game).__name__}"
    return RulesError(f"the rules of {game.title()} do not say {method!r}", advice=advice)


_ODD = {
    "moves": ("gives no moves", "yield the moves, or return a list of them (empty at the end of the game)"),
    "to_move": ("names no player", "0 for the first player, 1 for the second, ..., or CHANCE"),
    "payoff": ("gives no exact number", "int or Fraction, never a float; or a tuple of them, one per player"),
}


def odd(game: Game, method: str, found: object, state: Any) -> RulesError:
    """A method that gave something else than it must."""
    wrong, allowed = _ODD[method]
    where = f"{found!r:.80} in {game.show(state)}"
    return RulesError(f"{game.title()}: {method} {wrong}", found=where, allowed=allowed)


def no_count(found: object) -> RulesError:
    """A number of players that is none."""
    return RulesError("players must be a whole number from 1 up", found=repr(found))


def share(found: object, players: int) -> RulesError:
    """A payoff or reward that cannot be used."""
    if isinstance(found, tuple):
        wrong, allowed = "has the wrong form", f"a tuple of {players} whole numbers or Fractions"
    elif not is_exact(found):
        wrong, allowed = "is not an exact number", "int or Fraction, never a float"
    else:
        wrong = "is a single number in a game of several players with to_move"
        allowed = f"a tuple of {players} numbers, one per player"
    return RulesError(f"a payoff or reward {wrong}", found=repr(found), allowed=allowed)
