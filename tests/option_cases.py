"""Small random games of all classes with a question and a position, and what the oracle of `naive.py` says of them.

Of games of `game_texts.py` (payoffs and moves of all forms) and `fuzz_judgement.py` (loops, endless play that pays,
costs, totals that go up and down, discounts, several players), of `hidden_games.py` (hidden information and moves at
once), and of built-in games.
"""

from __future__ import annotations

import inspect
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import endsight as es
import fuzz_games
import fuzz_judgement
import game_texts
import hidden_games
import naive
from command_line import exact
from endsight import Game, Position
from small_instances import GAMES, HIDDEN
from strategies import GraphGame

__all__ = ["Case", "Range", "random_case"]

INFINITE = naive.INFINITE
KINDS = ("texts", "texts", "judged", "judged", "judged", "hidden", "built in")
FIXED = ("random", "greedy", "lookahead", "best", "worst")
LARGE = ("tictactoe", "connectfour:width=4", "blackjack", "leduc")
SMALL = tuple(game for game in (*GAMES, *HIDDEN) if not game.startswith(LARGE))
HEAD = """from fractions import Fraction
from typing import Any, NamedTuple

from endsight import Game

"""


@dataclass(frozen=True)
class Range:
    """Bounds of a number, infinite where nothing limits it: as told, or as is right."""

    lower: Any
    upper: Any

    @classmethod
    def of(cls, value: Any) -> Range:
        """A number of the oracle, or the two ends that it has."""
        return cls(value.lower, value.upper) if isinstance(value, naive.Ends) else cls(value, value)

    @classmethod
    def told(cls, row: dict[str, Any], name: str) -> Range:
        """What a document says of a player: the value, or bounds."""
        if row.get("value") is not None:
            number = row["value"][name]
            if "lower" in number:
                return cls(exact(number["lower"]), exact(number["upper"]))
            return cls.of(exact(number))
        lower, upper = ((row.get(key) or {}).get(name) for key in ("lower", "upper"))
        return cls(_amount(lower, -INFINITE), _amount(upper, INFINITE))

    @property
    def is_exact(self) -> bool:
        """Whether there is one number."""
        return bool(self.lower == self.upper)

    def holds(self, other: Range) -> bool:
        """Whether the other lies within it."""
        return bool(self.lower <= other.lower and other.upper <= self.upper)


def _amount(number: dict[str, Any] | None, otherwise: Any) -> Any:
    if number is None:
        return otherwise
    text = number["exact"]
    return float(text.replace("infinity", "inf")) if text and "infinity" in text else exact(number)


@dataclass
class Case:
    """A game on the command line, a question, a position in it, and what is right."""

    seed: int
    kind: str
    name: str
    game: Game
    question: dict[str, Any]
    position: Position
    is_set_up: bool = False
    value: tuple[Any, ...] | None = None
    """Per player; None where the oracle does not know it, and for players whose value it does not know."""
    reason: str | None = None
    """Why there is no value, if that is known."""
    moves: dict[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The players."""
        return tuple(self.game.player_names)

    @property
    def asked(self) -> list[str]:
        """The question, as options."""
        told = ["--objective", self.question["objective"], "--utility", self.question["utility"]]
        for player, rule in self.question["fixed"].items():
            told += ["--fix", f"{self.names[player]}={rule}"]
        return told

    @property
    def place(self) -> list[str]:
        """The position, as options."""
        if self.is_set_up:
            return [f"--position={self.game.show(self.position.state)}"]
        return [f"--at={self.position.text}"] if self.position.text != "-" else []

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the game is asked about."""
        return self.question == {"objective": "competitive", "utility": "payoff", "fixed": {}} and not self.has_begun

    @property
    def has_begun(self) -> bool:
        """Whether it is about a later position."""
        return self.is_set_up or bool(self.position.text)

    @property
    def hides(self) -> bool:
        """Whether players see different things."""
        return self.game.gives("sees")


def random_case(seed: int, folder: Path) -> Case:
    """The case of a seed: always the same. `folder` is for its rules."""
    draw = random.Random(f"options {seed}")
    kind = draw.choice(KINDS)
    case = {"texts": _texts, "judged": _judged, "hidden": _hidden, "built in": _built_in}[kind](seed, draw, folder)
    _walk(case, draw)
    _tell(case)
    return case


def _texts(seed: int, draw: random.Random, folder: Path) -> Case:
    made = game_texts.random_game(seed)
    game = fuzz_games.load(made.text, folder, seed)
    question = fuzz_games.random_question(seed, made)
    if "last" in question["fixed"].values() and draw.random() < 0.5:
        question["fixed"] = {}
    return Case(seed, "texts", f"{folder}/rules_{seed}.py:Rules", game, question, game.position())


def _judged(seed: int, draw: random.Random, folder: Path) -> Case:
    kind = draw.choice(list(fuzz_judgement.KINDS))
    draw_game, draw_question = fuzz_judgement.KINDS[kind]
    drawn = draw_game(draw)
    bases = [kind for kind in reversed(type(drawn).__mro__) if issubclass(kind, Game) and kind is not Game]
    lines = [f"class Rules({bases[-1].__name__}):"]
    lines += [f"    {name}: {type(value).__name__} = {value!r}" for name, value in drawn.values().items()]
    text = "\n\n".join([HEAD, *map(inspect.getsource, bases), "\n".join(lines)])
    game = fuzz_games.load(text, folder, seed)
    question = draw_question(draw, game)
    return Case(seed, kind, f"{folder}/rules_{seed}.py:Rules", game, question, game.position())


def _hidden(seed: int, draw: random.Random, folder: Path) -> Case:
    words = f"seed={seed},depth={draw.choice((2, 3, 3))},together={draw.choice(('yes', 'no'))}"
    words += f",gains={draw.choice(('yes', 'no'))},small=2"
    name = f"{Path(hidden_games.__file__)}:Hidden:{words}"
    game = es.load(name)
    question = {"objective": "competitive", "utility": "payoff", "fixed": {}}
    question["utility"] = draw.choice(("payoff", "payoff", "payoff", "win", "lead"))
    while draw.random() < 0.3:
        question["fixed"][draw.randrange(2)] = "random"
    return Case(seed, "hidden", name, game, question, game.position())


def _built_in(seed: int, draw: random.Random, folder: Path) -> Case:
    name = draw.choice(SMALL)
    game = es.load(name)
    utilities = ("payoff", "payoff", "payoff", "win", "lead") if game.player_count > 1 else ("payoff",)
    fixed: dict[int, str] = {}
    while draw.random() < 0.25:
        fixed[draw.randrange(game.player_count)] = draw.choice((*FIXED, *named_policies(game)))
    objective = "cooperative" if draw.random() < 0.15 else "competitive"
    question = {"objective": objective, "utility": draw.choice(utilities), "fixed": fixed}
    return Case(seed, name.partition(":")[0], name, game, question, game.position())


def _walk(case: Case, draw: random.Random) -> None:
    """Go to a later position, or set one up."""
    position = case.game.position()
    for _ in range(draw.choice((0, 0, 0, 1, 2, 3))):
        moves = [] if case.kind == "hidden" or case.hides else list(position.moves())
        if moves:
            position = position.play(draw.choice(moves))
    case.is_set_up = draw.random() < 0.15 and not case.hides
    case.position = case.game.position_from(case.game.show(position.state)) if case.is_set_up else position


# ---------------------------------------------------------------------------- what is right


def _tell(case: Case) -> None:
    """Ask the oracle for the value, or the reason why there is none, and what every move is worth."""
    if case.hides:
        plain = not case.question["fixed"] and case.question["utility"] == "payoff"
        if case.kind == "hidden" and plain and hidden_games.strategies(case.game) <= 400:
            value = hidden_games.pure_value(case.game)
            case.value = (value, 5 - value)
        return
    game, asked = case.game, case.question | {"fixed": _policies(case)}
    if isinstance(game.to_move(case.position.state) if game.gives("to_move") else 0, tuple):
        return
    oracle: naive.Oracle = (naive.Judge if game.discount == 1 else naive.Discounted)(game, **asked)
    try:
        if not _is_small(oracle, case.position):
            return
        oracle = _of_loops_or_none(oracle, game, asked, case.position)
        if isinstance(oracle, naive.Discounted) and not fuzz_judgement._is_opposed(game):
            return  # it knows one player's best play, and no equilibria
        right = oracle.value(case.position)
    except naive.Undefined as why:
        case.reason = str(why)
        return
    except (AssertionError, ValueError, TypeError, AttributeError, RecursionError):
        return  # larger than what the oracle tries, or with moves at once further on
    carried = fuzz_judgement._carried(oracle, case.position)
    if isinstance(oracle, naive.Discounted):
        carried = (0,) * len(right)
    case.value = naive.added(carried, right)
    if not case.position.is_over:
        for move, worth in oracle.move_values(case.position):
            case.moves[case.game.show_move(case.position.state, move)] = naive.added(carried, worth)


def named_policies(game: Game) -> list[str]:
    """The policies that the rules name."""
    return [name.removeprefix("policy_") for name in dir(type(game)) if name.startswith("policy_")]


def _policies(case: Case) -> dict[int, Any]:
    return {player: getattr(case.game, f"policy_{rule}", rule) for player, rule in case.question["fixed"].items()}


def _is_small(oracle: Any, position: Position) -> bool:
    nodes = [oracle.root(position)]
    seen = {*nodes}
    for node in nodes:
        for child in (oracle.after(node, move) for move in oracle.legal(node)):
            if child not in seen:
                seen.add(child)
                nodes.append(child)
        if len(nodes) > 400:
            return isinstance(oracle.game, GraphGame)
    return True


def _of_loops_or_none(oracle: Any, game: Game, asked: dict[str, Any], position: Position) -> naive.Oracle:
    """The oracle that knows the game; raises `AssertionError` where it has too much to try."""
    nodes = oracle.reachable(oracle.root(position))
    ways = {node: {oracle.after(node, move) for move in oracle.played(node)} for node in nodes}
    going = [node for node in nodes if node in naive.met(node, ways.__getitem__)]
    if not going and game.discount == 1:
        return naive.Recursion(game, **asked)
    profiles = 1
    for node in nodes:
        profiles *= len(oracle.played(node)) if oracle.decides(node) else 1
    assert len(going) <= 11, "too many subsets"
    assert len(nodes) <= 40, "too many nodes"
    assert profiles <= fuzz_judgement.MOST_PROFILES, "too many policies"
    result: naive.Oracle = oracle
    return result
