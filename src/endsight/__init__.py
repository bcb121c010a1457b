"""endsight: what a finite game is worth, what to play, and why to believe it.

>>> import endsight as es
>>> game = es.games.Pots([4, 9, 2, 7])
>>> es.solve(game).value()
{'first': Fraction(16, 1), 'second': Fraction(6, 1)}
"""

from __future__ import annotations

# `typing` is not imported for this: the command hears Ctrl-C only after this file.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from endsight import charts, errors, games
    from endsight.certificate import Certificate
    from endsight.distribution import Distribution, LengthDistribution
    from endsight.errors import (
        EndsightError,
        FileError,
        FolderBusy,
        IllegalMoveError,
        InputError,
        Interrupted,
        LimitReached,
        NotStored,
        ParameterError,
        PositionError,
        QuestionError,
        RulesError,
        Underway,
        UnknownGameError,
        UsageError,
        Wrong,
    )
    from endsight.game import CHANCE, Game, Position
    from endsight.graph import Graph
    from endsight.limits import Limits
    from endsight.numbers import Interval
    from endsight.policy_pricing import PolicyLoss, WorstPosition, policy_loss
    from endsight.prover import prove, write_certificate
    from endsight.question import Question
    from endsight.records import Records
    from endsight.reviewing import Review, ReviewStep, review
    from endsight.rules_check import check_rules
    from endsight.shortening import ShortRule, short_rules
    from endsight.simulation import Simulation, simulate
    from endsight.solution import Option, Policy, Solution, Step
    from endsight.solver import solve
    from endsight.specification import load_game
    from endsight.storage import Entry, Tablebase, open_tablebase, save
    from endsight.table import Table
    from endsight.verifier import Verdict, verify

__version__ = "0.2.0.dev0"

_HOMES = {
    "CHANCE": "game",
    "Certificate": "certificate",
    "Distribution": "distribution",
    "EndsightError": "errors",
    "Entry": "storage",
    "FileError": "errors",
    "FolderBusy": "errors",
    "Game": "game",
    "Graph": "graph",
    "IllegalMoveError": "errors",
    "InputError": "errors",
    "Interrupted": "errors",
    "Interval": "numbers",
    "LengthDistribution": "distribution",
    "LimitReached": "errors",
    "Limits": "limits",
    "NotStored": "errors",
    "Option": "solution",
    "ParameterError": "errors",
    "Policy": "solution",
    "PolicyLoss": "policy_pricing",
    "Position": "game",
    "PositionError": "errors",
    "Question": "question",
    "QuestionError": "errors",
    "Records": "records",
    "Review": "reviewing",
    "ReviewStep": "reviewing",
    "RulesError": "errors",
    "ShortRule": "shortening",
    "Simulation": "simulation",
    "Solution": "solution",
    "Step": "solution",
    "Table": "table",
    "Tablebase": "storage",
    "Underway": "errors",
    "UnknownGameError": "errors",
    "UsageError": "errors",
    "Verdict": "verifier",
    "WorstPosition": "policy_pricing",
    "Wrong": "errors",
    "check_rules": "rules_check",
    "load_game": "specification",
    "open_tablebase": "storage",
    "policy_loss": "policy_pricing",
    "prove": "prover",
    "review": "reviewing",
    "save": "storage",
    "short_rules": "shortening",
    "simulate": "simulation",
    "solve": "solver",
    "verify": "verifier",
    "write_certificate": "prover",
}

__all__ = [
    "CHANCE",
    "Certificate",
    "Distribution",
    "EndsightError",
    "Entry",
    "FileError",
    "FolderBusy",
    "Game",
    "Graph",
    "IllegalMoveError",
    "InputError",
    "Interrupted",
    "Interval",
    "LengthDistribution",
    "LimitReached",
    "Limits",
    "NotStored",
    "Option",
    "ParameterError",
    "Policy",
    "PolicyLoss",
    "Position",
    "PositionError",
    "Question",
    "QuestionError",
    "Records",
    "Review",
    "ReviewStep",
    "RulesError",
    "ShortRule",
    "Simulation",
    "Solution",
    "Step",
    "Table",
    "Tablebase",
    "Underway",
    "UnknownGameError",
    "UsageError",
    "Verdict",
    "WorstPosition",
    "Wrong",
    "__version__",
    "charts",
    "check_rules",
    "errors",
    "games",
    "load_game",
    "open_tablebase",
    "policy_loss",
    "prove",
    "review",
    "save",
    "short_rules",
    "simulate",
    "solve",
    "verify",
    "write_certificate",
]


def __getattr__(name: str) -> Any:
    # Nothing is loaded before it is asked for (PEP 562): `--help` and the rules'
    # own imports of `Game` stay quick.
    from importlib import import_module

    if name in ("charts", "errors", "games"):
        return import_module(f"endsight.{name}")
    if name in _HOMES:
        value = getattr(import_module(f"endsight.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'endsight' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
