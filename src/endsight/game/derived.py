"""What is worked out from rules when it is first asked, and kept on the game beside the parameters."""

from __future__ import annotations

import re
from importlib import import_module
from typing import cast

from endsight.game import Game

__all__ = ["DERIVED", "pays_numbers"]

DERIVED = ("_player_count", "_pays_numbers")
"""Attributes that hold it; they are no part of the rules."""
_NUMBERS = {"int", "bool", "class", "Fraction", "fractions.Fraction", "Number"}
"""Words of annotations that promise numbers."""


def pays_numbers(game: Game) -> bool:
    """Whether payoffs and rewards are single numbers, as annotations or the text prove, and `endless` is one too."""
    if "_pays_numbers" not in vars(game):
        rules = filter(game.gives, ("payoff", "reward"))
        vars(game)["_pays_numbers"] = all(_is_told(game, rule) or _is_proven(game, rule) for rule in rules)
    return bool(vars(game)["_pays_numbers"]) and not isinstance(game.endless, tuple)


def _is_told(game: Game, rule: str) -> bool:
    annotation = getattr(getattr(game, rule), "__annotations__", {}).get("return")
    return set(re.findall(r"[\w.]+", str(annotation))) <= _NUMBERS


def _is_proven(game: Game, rule: str) -> bool:
    reader = import_module("endsight.compiler.payoffs")  # which rests on this file; it is seldom asked
    return cast(bool, reader.are_numbers(game, rule))
