"""The homes of the package's names; each one is loaded on first use. `__init__.pyi` gives their types."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import endsight

_HOMES = {
    "answers.exploiting": "Exploit Exploited Reply exploit",
    "answers.distribution": "Distribution LengthDistribution",
    "errors": "EndsightError FileError FolderBusy IllegalMoveError InputError Interrupted LimitReached NotStored "
    "ParameterError PositionError QuestionError RulesError Underway UnknownGameError UsageError Wrong",
    "faces.citing": "cite",
    "faces.interop.gambit_writing": "to_efg",
    "faces.interop.openspiel_writing": "to_openspiel",
    "faces.interop.gymnasium_env": "gym_env",
    "faces.interop.pettingzoo_env": "pettingzoo_env",
    "faces.verbs": "Analysis analyze estimate export fair growth plot sweep table",
    "game": "CHANCE Game",
    "graph.graph": "Graph",
    "game.limits": "Limits",
    "game.numbers": "Interval",
    "game.position": "Position",
    "answers.policy_pricing": "PolicyLoss WorstPosition policy_loss",
    "proof.prover": "prove write_certificate",
    "game.question": "Question",
    "answers.records": "Records",
    "answers.reviewing": "Review ReviewStep review",
    "reporting.report": "Report report",
    "rules_check.check": "check_rules",
    "answers.shortening": "ShortRule short_rules",
    "answers.simulation": "Simulation simulate",
    "answers.seen": "Possibility SeenPosition",
    "answers.options": "Option",
    "answers.policies": "Policy",
    "answers.solution": "Solution Step",
    "answers.solver": "solve",
    "naming.arguments": "load load_game",
    "storage.saving": "save",
    "storage.tablebase": "Entry Tablebase open_tablebase",
    "graph.table": "Table",
    "verifier": "Certificate Verdict verify",
}
_MODULES = ("board", "charts", "errors", "games")
NAMES = {name: home for home, names in _HOMES.items() for name in names.split()}
"""Name -> the module that defines it."""


def look_up(name: str) -> Any:
    """Return the class, function or module of that name; raise `AttributeError` if there is none."""
    if name == "__all__":
        value: Any = sorted([*NAMES, *_MODULES, "__version__"])
    elif name in _MODULES:
        return import_module(f"endsight.{name}")
    elif name in NAMES:
        value = getattr(import_module(f"endsight.{NAMES[name]}"), name)
    else:
        raise AttributeError(f"module 'endsight' has no attribute {name!r}")
    setattr(endsight, name, value)
    return value
