"""Facts derived from rules on first use; some are kept on the game beside the parameters."""

from __future__ import annotations

import re
from importlib import import_module
from typing import cast

from endsight.game import Game
from endsight.game.exact import Number, is_exact

DERIVED = ("_player_count", "_before_proof")
"""Attributes that hold these facts; they are not part of the rules."""
MOST_ENDS = 10_000
"""Puzzles whose `ends` yields more states are not searched from there."""
_NUMBERS = {"int", "bool", "class", "Fraction", "fractions.Fraction", "Number"}
"""Words of annotations that guarantee numbers."""


def pays_numbers(game: Game) -> bool:
    """Whether payoffs and rewards are single numbers, by annotation or proof from the code, and `endless` is too."""
    rules = filter(game.gives, ("payoff", "reward"))
    are_numbers = all(_is_told(game, rule) or _is_proven(game, rule) for rule in rules)
    return are_numbers and not isinstance(game.endless, tuple)


def gives_hint(game: Game, rule: str) -> bool:
    """Whether `bound`, `before`, `ends` or `order` is a rule, and not a number or a parameter of that name."""
    return game.gives(rule) and callable(getattr(game, rule))


def discount_of(game: Game) -> Number:
    """The factor for everything after a player's move; `RulesError` where `discount` is not a valid one."""
    if not is_exact(game.discount) or not 0 < game.discount <= 1:
        raise import_module("endsight.errors.complaints").discount(game)
    return game.discount


def _is_told(game: Game, rule: str) -> bool:
    annotation = getattr(getattr(game, rule), "__annotations__", {}).get("return")
    return set(re.findall(r"[\w.]+", str(annotation))) <= _NUMBERS


def _is_proven(game: Game, rule: str) -> bool:
    reader = import_module("endsight.compiler.payoffs")  # it imports this file, and is seldom needed
    return cast(bool, reader.are_numbers(game, rule))
