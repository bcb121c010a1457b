"""The identity of a stored solution: game, parameters, rules, question, position.

Two identities are compared part by part, so that a refusal can name the difference. Stored solutions are found by the
key of the rules: a `setup` that uses chance, or rules that fill their own tables during play, have another key each
time, and are refused.
"""

from __future__ import annotations

import inspect
import os
import shlex
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import endsight.games
from endsight.base.machine import working_folder
from endsight.errors import FileError, ParameterError, QuestionError
from endsight.faces.documents import parameters_document
from endsight.game import CHANCE, Game
from endsight.game.derived import DERIVED
from endsight.game.equality import equal
from endsight.game.position import Position
from endsight.game.question import PolicyRule, Question
from endsight.game.titles import shown_value
from endsight.games import BUILT_IN, is_built_in
from endsight.graph.reachable import random_game
from endsight.graph.table import Kind
from endsight.identity import key_of, required_key, surroundings
from endsight.naming.input_files import as_moves
from endsight.storage.layout import as_tuples
from endsight.storage.sealed import require_entries

NAMES = {
    "game": "game",
    "params": "parameters",
    "rules": "rules",
    "surroundings": "solved with",
    "objective": "objective",
    "utility": "utility",
    "fixed": "fixed policies",
    "position": "position",
    "symmetry": "symmetry",
    "numbers": "kind of numbers",
}

_CHANGED = {
    NAMES["rules"]: "holds the solution of rules that mean something else today",
    NAMES["surroundings"]: "was solved with other versions, under which the rules might mean something else",
}
"""Differences that are not part of a question."""

_PLACE = {"moves", "set_up", "to_move"}


@dataclass(frozen=True)
class Identity:
    """What makes two solutions the same.

    game, params         as in answers
    rules                the key of the game: see `endsight.identity`
    surroundings         versions that the key depends on: of endsight, and of Python with its flags
    objective, utility, fixed   the question; `fixed` by player name
    position             the moves from the start, the text it was set up from, if so, and who moves
    symmetry             whether equivalent states are merged
    numbers              `auto`, `exact` or `interval`, as requested
    spec                 the rules' name in commands, if known; not stored
    """

    game: str
    params: dict[str, Any]
    rules: str
    surroundings: dict[str, str]
    objective: str
    utility: str
    fixed: dict[str, str]
    position: dict[str, str | None]
    symmetry: bool
    numbers: str
    spec: str | None = field(default=None, compare=False)

    @staticmethod
    def of(position: Position, question: Question, *, symmetry: bool = True, kind: Kind = "auto") -> Identity:
        """The identity of the solution of a position under a question.

        Raises `QuestionError` for rules without a key, as changed rules would go unnoticed, and for rules that hide
        something, as states would reveal it.
        """
        game = position.game
        require_all_seen(game)
        names = game.player_names
        return Identity(
            **_of_game(game),
            objective=question.objective,
            utility=question.utility,
            fixed={names[player]: _policy_name(rule) for player, rule in sorted(question.fixed.items())},
            position=_place(position),
            symmetry=symmetry,
            numbers=kind,
        )

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {name: entry for name, entry in asdict(self).items() if name in NAMES}

    @staticmethod
    def from_document(document: Any) -> Identity:
        """The inverse of `document`; raises `ValueError` for anything else."""
        require_entries(document, Identity, "an identity", NAMES)
        if set(document["surroundings"]) != set(surroundings()) or set(document["position"]) != _PLACE:
            raise ValueError("an identity names its position and what it was solved with")
        return Identity(**document)

    def differences(self, other: Identity, *, only: tuple[str, ...] = tuple(NAMES)) -> list[tuple[str, str, str]]:
        """The differences: the part's name, and both sides as text."""
        mine, theirs = self.document(), other.document()
        different = [key for key in only if mine[key] != theirs[key]]
        if {"game", "params", "surroundings"}.intersection(different):
            different = [key for key in different if key != "rules"]  # the key depends on all three
        return [(NAMES[key], _text(key, mine[key]), _text(key, theirs[key])) for key in different]

    def require(self, asked: Identity, path: Path, *, only: tuple[str, ...] = tuple(NAMES)) -> None:
        """Raise `FileError` unless `asked` equals the identity stored at `path` (in the parts `only`)."""
        different = self.differences(asked, only=only)
        if different:
            changed = _CHANGED.get(different[0][0]) if len(different) == 1 else None
            raise FileError(
                f"{path} {changed or 'holds the solution of a different question'}",
                found="\n".join(f"{name}: {stored}" for name, stored, _ in different),
                allowed="\n".join(f"{name}: {now}" for name, _, now in different),
                advice=asked.command(path) if changed else "the options that it was solved with, or another folder",
            )

    def of_rules(self, game: Game) -> Identity:
        """The same identity with the parameters and the current rules of `game`."""
        return replace(self, **_of_game(game))

    def command(self, path: Path) -> str:
        """The command that solves this again, into another folder than the one at `path`."""
        return command_anew(self.document(), path, self.spec)


def require_all_seen(game: Game) -> None:
    """Raise `QuestionError` for rules that hide something: stored values are looked up by states, which reveal it."""
    if game.gives("sees") or game.means_of is not None:
        raise QuestionError(
            f"{game.title()} hides something, but a stored solution is looked up by states, which would reveal it",
            advice="value, analyze and the other questions solve it at once",
        )


def no_stored_policies(game: Game) -> QuestionError:
    """The error for policies where players move at once: they go by what players see, and draw moves."""
    return QuestionError(
        f"players of {game.title()} move at once, and play by given policies there is followed, not stored",
        allowed="best play of all, which is stored",
        advice="value, dist and the other questions answer with --fix at once",
    )


def _of_game(game: Game) -> dict[str, Any]:
    """The parts of an identity that come from a game."""
    return {
        "game": game.title(),
        "params": {key: _without_floats(value) for key, value in parameters_document(game).items()},
        "rules": _rules_key(game),
        "surroundings": surroundings(),
        "spec": spec_of(game),
    }


def _rules_key(game: Game) -> str:
    if game.told_by:
        raise QuestionError(
            f"no solution of {game!r} can be stored",
            found=f"{game.told_by}'s program tells its rules, and may change unnoticed",
            allowed="rules in Python, and files of Gambit's",
            advice="endsight prove GAME -o FILE, which says for good what it is worth",
        )
    return required_key(game, game.title())


def _without_floats(parameter: Any) -> Any:
    """A parameter of an answer's document with exact numbers as plain texts."""
    if isinstance(parameter, list):
        return list(map(_without_floats, parameter))
    if isinstance(parameter, dict) and "exact" in parameter:
        return parameter["exact"] or parameter["exact_hex"]
    return parameter


def _place(position: Position) -> dict[str, str | None]:
    mover = "chance" if position.mover == CHANCE else position.game.player_names[position.mover]
    return {"moves": position.text, "set_up": position.set_up, "to_move": mover}


def _text(key: str, value: Any) -> str:
    if key == "position":
        moves, start = value["moves"] or "no moves", value["set_up"]
        return f"{moves} from {start}" if start is not None else moves
    if key == "params":
        return ", ".join(f"{name}={shown_value(item)}" for name, item in sorted(value.items())) or "none"
    if key == "fixed":
        return ", ".join(f"{player}={policy}" for player, policy in value.items()) or "none"
    if key == "rules":
        return f"key {value[:16]}…"
    if key == "surroundings":
        return f"endsight {value['endsight']}, {value['python']}"
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _policy_name(rule: PolicyRule) -> str:
    """A policy by name; a function by its name and key."""
    if isinstance(rule, str):
        return rule
    name = str(getattr(rule, "__name__", "function"))
    return f"{name} (key {required_key(rule, f'the policy {name}')})"


def names_built_in(identity: Identity) -> bool:
    """Whether an identity alone determines the game: a built-in one, with all its parameters."""
    return identity.game in BUILT_IN and not any(isinstance(value, dict) for value in identity.params.values())


def game_of(identity: Identity, path: Path) -> Game:
    """The built-in game of a solution; `FileError` for rules from outside.

    A file can only cause a built-in game to be loaded.
    """
    if not names_built_in(identity):
        raise FileError(
            f"{path} is the solution of {identity.game}, whose rules are not in the file",
            advice="name the game as well: --game file.py:Class, or in Python open_tablebase(path, game)",
        )
    kind: type[Game] = getattr(endsight.games, BUILT_IN[identity.game])
    try:
        game: Game = kind(**{key: as_tuples(value) for key, value in identity.params.items()})
    except ParameterError as error:
        raise FileError(f"{path} names a game that does not exist: {error.message}", found=error.found) from None
    identity.require(identity.of_rules(game), path)
    return game


# -------------------------------------------------------------------- the command that solves something again


def command_anew(identity: Mapping[str, Any], folder: Path, spec: str | None = None) -> str:
    """`endsight solve ...` for the game and question of an identity, into another folder beside `folder`.

    `spec` names the rules if known; without it, rules from outside appear as `FILE.py:TITLE`.
    """
    title = identity["game"]
    named = spec or (title if title in BUILT_IN else f"FILE.py:{title}")
    parameters = ",".join(f"{name}={_typed(value)}" for name, value in identity["params"].items())
    words = ["endsight", "solve", f"{named}:{parameters}" if parameters else named]
    place = identity["position"]
    words += ["--at", as_moves(place["moves"])] if place["moves"] else []
    words += ["--position", place["set_up"]] if place["set_up"] is not None else []
    for name, usual in {"objective": "competitive", "utility": "payoff"}.items():
        words += [f"--{name}", identity[name]] if identity[name] != usual else []
    for player, policy in identity["fixed"].items():
        function, own, _ = policy.partition(" ")
        words += ["--fix", f"{player}={'FILE.py:' if own else ''}{function}"]
    words += [] if identity["symmetry"] else ["--symmetry", "off"]
    words += [] if identity["numbers"] == "auto" else [f"--{identity['numbers']}"]
    return shlex.join([*words, "-o", f"{os.path.normpath(folder)}-new"])


def spec_of(game: Game) -> str:
    """The name of a game's rules in commands: their own name, or file and class."""
    kind = type(game)
    if is_built_in(game):
        return game.title()
    try:
        file = inspect.getsourcefile(kind)
    except (TypeError, OSError):  # a class entered interactively
        file = None
    if file is None or not os.path.isfile(file):
        return f"{kind.__module__}:{kind.__qualname__}"
    here = working_folder()
    near = os.pardir if here is None else os.path.relpath(file, here)
    return f"{file if near.startswith(os.pardir) else near}:{kind.__qualname__}"


def _typed(value: Any) -> str:
    """A parameter as it is typed; lists too long for that are read from a file."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "@FILE"
    if isinstance(value, list):
        return ("/" if any(isinstance(item, list) for item in value) else "-").join(map(_typed, value))
    return "x" if value is None else str(value)


# -------------------------------------------------------------------- whether rules keep their key


_GAMES, _PLIES = 20, 200


def require_steady(game: Game, *, is_played: bool = True) -> None:
    """Raise `QuestionError` where a new instance of the same game would have another key.

    Changes by play matter only where `game` `is_played` already: the key of a new game equals that of the next one.
    Attributes that a user has set since then are no reason to refuse, as they can be set again.
    """
    if is_built_in(game):
        return
    fresh, again = _made_again(game), _made_again(game)
    key = key_of(fresh)
    what, advice = "`setup` leaves different results each time", "use parameters for whatever is meant to differ"
    if key == key_of(again):
        if is_played:
            _play(again)
        if key == key_of(again):
            return
        what, advice = "its rules change during play", "fill tables in setup, or functools.cache on a function"
    names = [
        f"self.{name}"
        for name, value in vars(again).items()
        if name not in DERIVED and not equal(vars(fresh).get(name), value)
    ]
    raise QuestionError(
        f"no solution of {game.title()} can be stored and found again: {what}",
        found=", ".join(names) or "a table beside the game that rules write to",
        allowed="attributes and tables that `setup` fills the same way each time, and that never change later",
        advice=advice,
    )


def _made_again(game: Game) -> Game:
    return type(game)(**game.values())


def _play(game: Game) -> None:
    """Play some random games, so that rules fill their tables."""
    draw = Random(0)
    for _ in range(_GAMES):
        deque(islice(random_game(game.position(), draw), _PLIES + 1), maxlen=0)
