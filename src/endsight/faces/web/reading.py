"""From a request's query or body to an `Ask`; anything unknown is an error."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from endsight.base.shortened import shortened
from endsight.errors import QuestionError
from endsight.faces.web.asking import Ask
from endsight.faces.web.offered_games import NamedGame
from endsight.game.numbers import count_text
from endsight.game.question import Goal, Utility

MOST_DEPTH = 32
MOST_DIGITS = 4300
MOST_DECIMALS = 1000

PARAMETERS: dict[str, dict[str, Any]] = {
    "at": {"type": "string", "description": "The moves so far, parted by blanks, chance outcomes included."},
    "position": {"type": "string", "description": "A state set up directly, in the game's own text form; not with at."},
    "objective": {"type": "string", "enum": get_args(Goal), "default": "competitive"},
    "utility": {"type": "string", "enum": get_args(Utility), "default": "payoff"},
    "fix": {
        "type": "array",
        "items": {"type": "string", "pattern": "^[a-z0-9]+=[a-z0-9-]+$"},
        "description": "PLAYER=POLICY, a policy of the game by its name; once for each player.",
    },
    "method": {"type": "string", "default": "auto", "description": "auto, theorem, graph, layers, search, ..."},
    "engine": {"type": "string", "enum": ["auto", "plain", "compiled"], "default": "auto"},
    "symmetry": {"type": "string", "enum": ["on", "off"], "default": "on"},
    "exact": {"type": "boolean", "default": False, "description": "Insist on exact values."},
    "interval": {"type": "boolean", "default": False, "description": "Proven ends where chance meets loops."},
    "digits": {"type": "integer", "minimum": 0, "maximum": MOST_DECIMALS, "description": "Decimals, all proven."},
    "player": {"type": "string", "description": "Whose payoff (default: the first player's)."},
    "at_least": {"type": "boolean", "default": False, "description": "Add the chance of each payoff or more."},
    "at_most": {"type": "boolean", "default": False, "description": "Add the chance of each payoff or less."},
    "facts": {"type": "boolean", "default": False, "description": "Leave the outcomes out."},
    "moves": {"type": "boolean", "default": True, "description": "Every move, as analyze gives them."},
}
"""Every parameter of a question, as OpenAPI describes it."""

_EXTRA = {"player", "at_least", "at_most", "facts", "moves"}
_TRUTH = {"1": True, "yes": True, "true": True, "on": True, "": True, "0": False, "no": False, "false": False}
_POLICY = re.compile(r"[a-z0-9]+=[a-z0-9-]+")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """Raise `QuestionError` for an unknown parameter."""
    known = list(known)
    for name in given:
        if name not in known:
            raise QuestionError(f"there is no parameter {shortened(name)!r}", allowed=", ".join(known) or "none at all")


def ask_from(kind: str, named: NamedGame, items: Sequence[tuple[str, str]], known: Iterable[str]) -> Ask:
    """Return the question in a query's `items`; raise `QuestionError` if they make none."""
    refuse_unknown((key for key, _ in items), known)
    single = _single(items)
    if single.get("at") and "position" in single:
        raise QuestionError("at and position cannot be combined", allowed="one of them")
    policies = tuple(text for key, text in items if key == "fix")
    for text in policies:
        if not _POLICY.fullmatch(text):
            raise QuestionError(
                f"{shortened(text)!r} does not say who plays how", allowed="PLAYER=POLICY, a policy by its name"
            )
    values = {key: _value(key, text) for key, text in single.items()}
    extra = {key: values.pop(key) for key in list(values) if key in _EXTRA}
    return Ask(kind, named.spec, fix=policies, extra=extra, **values)


def _single(items: Sequence[tuple[str, str]]) -> dict[str, str]:
    single: dict[str, str] = {}
    for key, text in items:
        if key in single:
            raise QuestionError(f"{key} is given twice", allowed="once")
        if key != "fix":
            single[key] = text
    return single


def _value(key: str, text: str) -> Any:
    """Convert the text to the type of its parameter."""
    about = PARAMETERS[key]
    if about["type"] == "boolean":
        if text.lower() not in _TRUTH:
            raise QuestionError(f"{key}={shortened(text)} is neither yes nor no", allowed="yes, no")
        return _TRUTH[text.lower()]
    if about["type"] == "integer":
        if not (text.isascii() and text.isdigit()) or len(text) > 6 or int(text) > about["maximum"]:
            raise QuestionError(f"{key} must be a whole number", found=shortened(text), allowed=f"0 to {MOST_DECIMALS}")
        return int(text)
    if "enum" in about and text not in about["enum"]:
        raise QuestionError(f"no {key} is called {shortened(text)!r}", allowed=", ".join(about["enum"]))
    return text == "on" if key == "symmetry" else text


def read_json(body: bytes) -> Mapping[str, Any]:
    """Return the object in a request's body; raise `QuestionError` for other, too deep or infinite values."""
    try:
        text = body.decode("utf-8")
        if _depth(text) > MOST_DEPTH:
            raise QuestionError("the body is nested too deeply", allowed=f"{MOST_DEPTH} levels")
        document = json.loads(text, parse_int=_whole, parse_constant=_no_number)
    except QuestionError:
        raise
    except (ValueError, RecursionError) as error:
        raise QuestionError("the body is not JSON", found=shortened(str(error))) from error
    if not isinstance(document, dict):
        raise QuestionError("the body is not an object", found=type(document).__name__, allowed='{"kind": ..., ...}')
    return document


def _depth(text: str) -> int:
    depth = most = 0
    for match in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match[0], 0)
        most = max(most, depth)
    return most


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise QuestionError(f"a number has {count_text(len(text), 'digit')}", allowed=f"up to {MOST_DIGITS:,}")
    return int(text)


def _no_number(text: str) -> None:
    raise QuestionError(f"{text} is no number", allowed="finite numbers")
