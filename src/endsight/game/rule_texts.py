"""Texts that rules return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from endsight.game.exact import late

if TYPE_CHECKING:
    from endsight.game import Game


def as_text(game: Game, rule: str, *about: Any) -> str:
    """The result of `show`, `show_move` or `draw` for a state (and a move); `RulesError` where that is no text."""
    text = getattr(game, rule)(*about)
    if isinstance(text, str):
        return text
    raise late("errors.complaints").odd(game, rule if game.gives(rule) else "show", text, about[0])
