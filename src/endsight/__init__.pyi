"""The names of the package and where they live, for type checkers; `__init__.py` loads them when asked for."""

from endsight import board, charts, errors, games
from endsight.answers.distribution import Distribution, LengthDistribution
from endsight.answers.exploiting import Exploit, Exploited, Reply, exploit
from endsight.answers.options import Option
from endsight.answers.policies import Policy
from endsight.answers.policy_pricing import PolicyLoss, WorstPosition, policy_loss
from endsight.answers.records import Records
from endsight.answers.reviewing import Review, ReviewStep, review
from endsight.answers.seen import Possibility, SeenPosition
from endsight.answers.shortening import ShortRule, short_rules
from endsight.answers.simulation import Simulation, simulate
from endsight.answers.solution import Solution, Step
from endsight.answers.solver import solve
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
from endsight.faces.interop.environments import gym_env, pettingzoo_env
from endsight.faces.interop.gambit_writing import to_efg
from endsight.faces.interop.openspiel_writing import to_openspiel
from endsight.faces.verbs import Analysis, analyze, cite, estimate, export, fair, growth, plot, sweep, table
from endsight.game import CHANCE, Game
from endsight.game.limits import Limits
from endsight.game.numbers import Interval
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.graph import Graph
from endsight.graph.table import Table
from endsight.naming.arguments import load, load_game
from endsight.proof.prover import prove, write_certificate
from endsight.reporting.report import Report, report
from endsight.rules_check.check import check_rules
from endsight.storage.saving import save
from endsight.storage.tablebase import Entry, Tablebase, open_tablebase
from endsight.verifier import Certificate, Verdict, verify

__version__: str

__all__ = [
    "CHANCE",
    "Analysis",
    "Certificate",
    "Distribution",
    "EndsightError",
    "Entry",
    "Exploit",
    "Exploited",
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
    "Possibility",
    "Question",
    "QuestionError",
    "Records",
    "Reply",
    "Report",
    "Review",
    "ReviewStep",
    "RulesError",
    "SeenPosition",
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
    "analyze",
    "board",
    "charts",
    "check_rules",
    "cite",
    "errors",
    "estimate",
    "exploit",
    "export",
    "fair",
    "games",
    "growth",
    "gym_env",
    "load",
    "load_game",
    "open_tablebase",
    "pettingzoo_env",
    "plot",
    "policy_loss",
    "prove",
    "report",
    "review",
    "save",
    "short_rules",
    "simulate",
    "solve",
    "sweep",
    "table",
    "to_efg",
    "to_openspiel",
    "verify",
    "write_certificate",
]
