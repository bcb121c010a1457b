"""endsight: what a finite game is worth, what to play, and why to believe it.

>>> import endsight as es
>>> game = es.games.Pots([4, 9, 2, 7])
>>> es.solve(game).value()
{'first': Fraction(16, 1), 'second': Fraction(6, 1)}
"""

from __future__ import annotations

# `typing` is not imported: the command hears Ctrl-C only after this file.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

__version__ = "0.2.0.dev0"

_NAMES = {
    "distribution": "Distribution LengthDistribution",
    "errors": "EndsightError FileError FolderBusy IllegalMoveError InputError Interrupted LimitReached NotStored "
    "ParameterError PositionError QuestionError RulesError Underway UnknownGameError UsageError Wrong",
    "game": "CHANCE Game Position",
    "graph": "Graph",
    "limits": "Limits",
    "numbers": "Interval",
    "policy_pricing": "PolicyLoss WorstPosition policy_loss",
    "prover": "prove write_certificate",
    "question": "Question",
    "records": "Records",
    "reviewing": "Review ReviewStep review",
    "rules_check": "check_rules",
    "shortening": "ShortRule short_rules",
    "simulation": "Simulation simulate",
    "solution": "Option Policy Solution Step",
    "solver": "solve",
    "specification": "load_game",
    "storage": "Entry Tablebase open_tablebase save",
    "table": "Table",
    "verifier": "Certificate Verdict verify",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
_MODULES = ("charts", "errors", "games")

__all__ = sorted([*_HOMES, *_MODULES, "__version__"])


def __getattr__(name: str) -> Any:
    # Nothing is loaded before it is asked for (PEP 562): `--help` and the rules'
    # own imports of `Game` stay quick.
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"endsight.{name}")
    if name in _HOMES:
        value = getattr(import_module(f"endsight.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'endsight' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
