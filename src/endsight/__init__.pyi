"""The names of the package and where they live, for type checkers; `__init__.py` loads them when asked for."""

from endsight import charts, errors, games
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
from endsight.game import CHANCE, Game
from endsight.graph import Graph
from endsight.limits import Limits
from endsight.numbers import Interval
from endsight.policy_pricing import PolicyLoss, WorstPosition, policy_loss
from endsight.position import Position
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
from endsight.verifier import Certificate, Verdict, verify

__version__: str

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
