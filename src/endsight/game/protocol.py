"""The rules that a game may define, by name, and the arguments of each."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from inspect import signature
from typing import Any

ASKED_WITH: Mapping[str, tuple[str, ...]] = {
    "setup": (),
    "limits": (),
    "start": (),
    "moves": ("state",),
    "play": ("state", "move"),
    "payoff": ("state",),
    "to_move": ("state",),
    "seat": ("state",),
    "sees": ("state", "player"),
    "weight": ("state", "move"),
    "reward": ("state", "move"),
    "canonical": ("state",),
    "exchanged": ("state",),
    "layer": ("state",),
    "bound": ("state",),
    "before": ("state",),
    "ends": (),
    "order": ("state", "move"),
    "rank": ("state",),
    "unrank": ("number",),
    "par": (),
    "show": ("state",),
    "parse": ("text",),
    "show_move": ("state", "move"),
    "parse_move": ("state", "text"),
    "name_move": ("state", "move"),
    "show_seen": ("seen", "player"),
    "draw": ("state",),
    "svg": ("state",),
    "draw_board": ("state",),
    "draw_after": ("state", "history"),
    "draw_seen": ("seen", "player"),
}
REQUIRED = ("limits", "start", "moves", "play", "payoff")
_NAMES = (*ASKED_WITH, "players", "from_file", "is_over", "name")
_ALIKE = 0.59
"""The similarity of `wait` and `weight`."""


def likeliest_rule(name: str) -> str | None:
    """The rule most similar to a name (`to_move` for `tomove`); None for none, and for a rule itself."""
    if name in _NAMES:
        return None
    bare = name.lower().replace("_", "")
    alike = {rule: SequenceMatcher(None, bare, rule.replace("_", "")).ratio() for rule in _NAMES}
    best = max(alike, key=lambda rule: alike[rule])
    return best if alike[best] > _ALIKE else None


def declaration(rule: str) -> str:
    """The declaration of a rule: `def play(self, state, move)`."""
    return f"def {rule}({', '.join(('self', *ASKED_WITH[rule]))})"


def misfit(rules: type) -> str | None:
    """The first rule of a class that cannot take its arguments; None where all can."""
    given = (rule for rule in ASKED_WITH if callable(getattr(rules, rule, None)))
    return next((rule for rule in given if not _takes(rules, rule)), None)


def _takes(rules: type, rule: str) -> bool:
    member = next(vars(base)[rule] for base in rules.__mro__ if rule in vars(base))
    is_bare = isinstance(member, staticmethod | classmethod)
    arguments: tuple[Any, ...] = ASKED_WITH[rule] if is_bare else (None, *ASKED_WITH[rule])
    try:
        signature(getattr(rules, rule)).bind(*arguments)
    except TypeError:
        return False
    except ValueError:  # it has no signature to inspect
        return True
    return True
