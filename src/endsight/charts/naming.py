"""Titles of charts: the game with its parameters, and where it stands."""

from __future__ import annotations

from typing import Any

from endsight.game import Game, Position

__all__ = ["game_name", "where"]

_LONGEST = 48


def game_name(game: Game) -> str:
    """The game with those of its parameters that are not the usual ones, as commands name it."""
    kinds = game.parameters()
    told = {key: value for key, value in game.values().items() if getattr(type(game), key, None) != value}
    first = next(iter(kinds), None)
    texts = [
        _text(value) if key == first and isinstance(value, tuple) else f"{key}={_text(value)}"
        for key, value in told.items()
    ]
    name = f"{game.title()}:{','.join(texts)}" if texts else game.title()
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        parting = "/" if any(isinstance(item, tuple) for item in value) else "-"
        return parting.join(map(_text, value[:_LONGEST]))
    return "x" if value is None else str(value)


def where(position: Position) -> str:
    """The game, and after which moves or at which state."""
    name = game_name(position.game)
    if position.set_up is not None:
        name += f" at {position.set_up}"
    text = position.text
    if len(text) > _LONGEST:
        text = "… " + text[-_LONGEST:].partition(" ")[2]
    return f"{name} after {text}" if text else name
