"""The information sets of a game by the engine that suits: in Python for small games, else by compiled rules."""

from __future__ import annotations

import warnings
from hashlib import sha256
from time import process_time
from typing import Literal, NamedTuple

from endsight.algorithms.compiled_walk import compiled_information_sets, rules_of, walk_program
from endsight.algorithms.information_sets import few_information_sets, information_sets
from endsight.algorithms.treeplex import InformationSets
from endsight.algorithms.walk_audit import audited_walk
from endsight.answers.auditing import LEAST_SECONDS, SHARE, WrongAnswer
from endsight.compiler.native import distrust, is_compiled, is_trusted
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.choice import Engine
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.question import Utility

_FIRST = 2_000
"""Histories that Python walks through before it checks whether machine code is available."""


class WalkedSets(NamedTuple):
    """The result, and its source: the engine, why compiled rules refused, and how many histories were audited."""

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

        try:
            sets, audited = audited_sets(game, engine, budget, utility)
        except CannotCompile as reason:
            refused = str(reason)
        else:
            return WalkedSets(sets, "plain") if audited is None else WalkedSets(sets, "compiled", None, audited)
    return WalkedSets(information_sets(game, budget, utility), "plain", refused)


# The information sets of a game by compiled rules, checked by the rules in Python.


_FEW = 25_000
"""Histories that Python walks through before any machine code is made."""


def audited_sets(game: Game, engine: Engine, budget: Budget, utility: Utility) -> tuple[InformationSets, int | None]:
    """The information sets, and how many histories were audited: None where Python walked through a small game.

    Raises `CannotCompile`, and what `information_sets` raises.
    """
    rules = rules_of(game)
    is_ready = is_trusted(rules.explorer) and is_compiled(walk_program(rules, utility))
    if engine == "auto" and not is_ready:
        few = few_information_sets(game, budget, utility, _FEW)
        if few is not None:
            return few, None
    began = process_time()
    sets = compiled_information_sets(game, budget, utility)
    seconds = max(LEAST_SECONDS, SHARE * (process_time() - began))
    looked, difference = audited_walk(game, sets, utility, _seed(rules, utility), seconds)
    if difference is not None:
        _tell(rules, difference)
    return sets, looked


def _seed(rules: CompiledRules, utility: Utility) -> bytes:
    """Bytes that depend on the rules and the question."""
    return sha256(f"{rules.identity} {utility}".encode()).digest()


def _tell(rules: CompiledRules, difference: str) -> None:
    """Warn of a compiled walk that was wrong, and stop compiling these rules; raises `CannotCompile`."""
    told = f"a compiled walk is thrown away, and Python walks in its place: {difference}"
    warnings.warn(told, WrongAnswer, stacklevel=2)
    distrust(rules.explorer, difference)
    raise CannotCompile(f"the compiled walk was wrong: {difference}")
