"""Detects rules that change the game's own attributes."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from endsight.errors.rules_guard import pass_on_limit
from endsight.game import Game
from endsight.game.derived import DERIVED
from endsight.game.equality import equal

# Lists and dictionaries up to this size are compared after every call of a rule.
_SMALL = 300


class Memory:
    """The earlier values of the attributes of a game and its classes."""

    def __init__(self, game: Game) -> None:
        bases = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
        self.owners: list[Any] = [game, *bases]
        # Computed on first use and kept, so not a change.
        derived = {name for kind in bases for name, value in vars(kind).items() if isinstance(value, cached_property)}
        self.ignored = derived | set(DERIVED)
        self.take()

    def take(self) -> None:
        """Remember the current values."""
        self.attributes = [(vars(owner), dict(vars(owner))) for owner in self.owners]
        self.copies = [
            (value, copy.deepcopy(value), name)
            for now, _ in self.attributes
            for name, value in now.items()
            if isinstance(value, list | dict | set | bytearray) and _is_small(value)
        ]

    def changed(self) -> str | None:
        """The name of an attribute that has changed since it was last remembered."""
        # Both comparisons take the same object for equal without a closer check.
        try:
            for now, old in self.attributes:
                if now != old:
                    return self._named_change()
            for value, copied, _ in self.copies:
                if value != copied:
                    return self._named_change()
        except Exception as error:  # arrays and the like do not compare to a single truth value
            pass_on_limit(error)
            return self._named_change()
        return None

    def _named_change(self) -> str | None:
        names = (self._difference(now, old) for now, old in self.attributes)
        written = next((name for now, old, name in self.copies if not equal(now, old)), None)
        changed = next((name for name in names if name is not None), written)
        self.take()
        return changed

    def _difference(self, now: Mapping[str, Any], old: Mapping[str, Any]) -> str | None:
        for name in [*now, *(name for name in old if name not in now)]:
            is_ours = name in self.ignored or (name.startswith("__") and name.endswith("__"))
            if not is_ours and not (name in now and name in old and equal(now[name], old[name])):
                return name
        return None


def _is_small(value: Any) -> bool:
    """Whether a nested container has few items."""
    total = 0
    pending = [value]
    while pending and total <= _SMALL:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(islice(item.values(), _SMALL + 1))
        elif isinstance(item, list | tuple | set):
            pending.extend(islice(item, _SMALL + 1))
        total += 1
    return total <= _SMALL
