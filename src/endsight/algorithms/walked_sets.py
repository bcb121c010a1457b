"""The information sets of a game by the engine that suits: in Python for small games, by compiled rules beyond that."""

from __future__ import annotations

from typing import Literal, NamedTuple

from endsight.algorithms.information_sets import few_information_sets, information_sets
from endsight.algorithms.treeplex import InformationSets
from endsight.compiler.choice import Engine
from endsight.compiler.refusal import CannotCompile
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.question import Utility

_FIRST = 2_000
"""Histories that Python walks through before it is asked whether machine code is at hand."""


class WalkedSets(NamedTuple):
    """What was found, and how: by which engine, why compiled rules refused, and how many histories were audited."""

    sets: InformationSets
    engine: Literal["plain", "compiled"]
    refused: str | None = None
    audited: int = 0


def walked_sets(
    game: Game, engine: Engine = "auto", budget: Budget | None = None, utility: Utility = "payoff"
) -> WalkedSets:
    """The information sets of a game. `plain` and `compiled` insist on an engine, as far as rules can be compiled.

    Raises what `information_sets` raises.
    """
    budget = budget or Budget()
    refused = None
    if engine == "auto" and (few := few_information_sets(game, budget, utility, _FIRST)) is not None:
        return WalkedSets(few, "plain")
    if engine != "plain":
        # Small games need no compiler, and loading it takes longer than walking through them.
        from endsight.algorithms.audited_sets import audited_sets

        try:
            sets, audited = audited_sets(game, engine, budget, utility)
        except CannotCompile as reason:
            refused = str(reason)
        else:
            return WalkedSets(sets, "plain") if audited is None else WalkedSets(sets, "compiled", None, audited)
    return WalkedSets(information_sets(game, budget, utility), "plain", refused)
