"""The command that solves something again, for messages that refuse a stored solution."""

from __future__ import annotations

import inspect
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from endsight.base.machine import working_folder
from endsight.game import Game
from endsight.games import BUILT_IN, is_built_in
from endsight.naming.input_files import as_moves


def command_anew(identity: Mapping[str, Any], folder: Path, spec: str | None = None) -> str:
    """`endsight solve ...` for the game and question of an identity, into another folder beside `folder`.

    `spec` names the rules if known; without it, rules from outside appear as `FILE.py:TITLE`.
    """
    title = identity["game"]
    named = spec or (title if title in BUILT_IN else f"FILE.py:{title}")
    parameters = ",".join(f"{name}={_text(value)}" for name, value in identity["params"].items())
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


def _text(value: Any) -> str:
    """A parameter as it is typed; lists too long for that are read from a file."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "@FILE"
    if isinstance(value, list):
        return ("/" if any(isinstance(item, list) for item in value) else "-").join(map(_text, value))
    return "x" if value is None else str(value)
