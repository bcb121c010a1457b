"""What a stored solution is the solution of: game, parameters, rules' text, question, position.

Two identities are compared part by part, so that a refusal can say what differs.
"""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import endsight.games
from endsight.documents import parameters_document
from endsight.errors import FileError, QuestionError
from endsight.game import CHANCE, Game, Position
from endsight.games import BUILT_IN
from endsight.question import PolicyRule, Question
from endsight.rules_text import rules_hash
from endsight.table import Kind

__all__ = ["Identity", "game_of"]

NAMES = {
    "game": "game",
    "params": "parameters",
    "rules": "rules text",
    "objective": "objective",
    "utility": "utility",
    "fixed": "fixed policies",
    "position": "position",
    "symmetry": "symmetry",
    "numbers": "kind of numbers",
}


@dataclass(frozen=True)
class Identity:
    """What makes two solutions the same.

    game, params         as in answers
    rules                SHA-256 of the text of the rules
    objective, utility, fixed   the question; `fixed` by player name
    position             the moves from the start, the text it was set up from, if so, and who moves
    symmetry             whether equivalent states are merged
    numbers              `auto`, `exact` or `interval`: what was asked for
    """

    game: str
    params: dict[str, Any]
    rules: str | None
    objective: str
    utility: str
    fixed: dict[str, str]
    position: dict[str, str | None]
    symmetry: bool
    numbers: str

    @staticmethod
    def of(position: Position, question: Question, *, symmetry: bool = True, kind: Kind = "auto") -> Identity:
        """The identity of the solution of a position under a question.

        Raises `QuestionError` where the rules have no text: changed rules would go unnoticed.
        """
        game = position.game
        names = game.player_names
        return Identity(
            game=game.title(),
            params={key: _without_floats(value) for key, value in parameters_document(game).items()},
            rules=_rules(game),
            objective=question.objective,
            utility=question.utility,
            fixed={names[player]: _policy_name(rule) for player, rule in sorted(question.fixed.items())},
            position=_place(position),
            symmetry=symmetry,
            numbers=kind,
        )

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @staticmethod
    def from_document(document: Any) -> Identity:
        """The inverse of `document`; raises `ValueError` for anything else."""
        if not isinstance(document, dict) or set(document) != set(NAMES):
            raise ValueError("an identity has exactly the entries " + ", ".join(NAMES))
        return Identity(**document)

    def differences(self, other: Identity, *, only: tuple[str, ...] = tuple(NAMES)) -> list[tuple[str, str, str]]:
        """What differs: the part's name, and both sides as text."""
        mine, theirs = self.document(), other.document()
        return [
            (NAMES[key], _text(key, mine[key]), _text(key, theirs[key])) for key in only if mine[key] != theirs[key]
        ]

    def require(self, asked: Identity, path: Path, *, only: tuple[str, ...] = tuple(NAMES)) -> None:
        """Raise `FileError` unless `asked` (in the parts `only`) is what is stored at `path`."""
        different = self.differences(asked, only=only)
        if different:
            raise FileError(
                f"{path} holds the solution of something else",
                found="\n".join(f"{name}: {stored}" for name, stored, _ in different),
                allowed="\n".join(f"{name}: {wanted}" for name, _, wanted in different),
                advice=_advice([name for name, _, _ in different]),
            )


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


def _advice(different: list[str]) -> str:
    if different == [NAMES["rules"]]:
        return "the rules have been edited since: solve again into another folder"
    return "the options that it was solved with, or another folder"


def _text(key: str, value: Any) -> str:
    if key == "position":
        moves, start = value["moves"] or "no moves", value["set_up"]
        return f"{moves} from {start}" if start is not None else moves
    if key == "params":
        return ", ".join(f"{name}={_short(item)}" for name, item in sorted(value.items())) or "none"
    if key == "fixed":
        return ", ".join(f"{player}={policy}" for player, policy in value.items()) or "none"
    if key == "rules":
        return "none" if value is None else f"sha256 {value[:16]}…"
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _short(value: Any) -> str:
    text = "-".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else text[:79] + "…"


def _rules(game: Game) -> str:
    found = rules_hash(type(game))
    if found is None:
        raise QuestionError(
            f"the rules of {game.title()} have no text, so a stored solution cannot say which rules it is of",
            advice="write the class into a file",
        )
    return found


def _policy_name(rule: PolicyRule) -> str:
    """A policy by name; a function by its name and a checksum of its text."""
    if isinstance(rule, str):
        return rule
    name = str(getattr(rule, "__name__", "function"))
    try:
        text = inspect.getsource(rule)
    except (OSError, TypeError):
        return name
    return f"{name} (sha256 {sha256(text.encode()).hexdigest()})"


def game_of(identity: Identity, path: Path) -> Game:
    """The built-in game that a solution is of; `FileError` for rules from outside.

    Nothing but a built-in game is ever loaded because a file says so.
    """
    name = BUILT_IN.get(identity.game)
    if name is None or any(isinstance(value, dict) for value in identity.params.values()):
        raise FileError(
            f"{path} is the solution of {identity.game}, whose rules are not in the file",
            advice="name the game as well: --game file.py:Class, or in Python open_tablebase(path, game)",
        )
    kind: type[Game] = getattr(endsight.games, name)
    game: Game = kind(**{key: _parameter(value) for key, value in identity.params.items()})
    if rules_hash(kind) != identity.rules:
        raise FileError(
            f"{path} was solved by other rules of {identity.game} than those of this version",
            found=_text("rules", identity.rules),
            allowed=_text("rules", rules_hash(kind)),
            advice="solve again, or the version of endsight that it was solved with",
        )
    return game


def _parameter(value: Any) -> Any:
    return tuple(map(_parameter, value)) if isinstance(value, list) else value
