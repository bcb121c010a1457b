"""Does what rules say depend on the order of a set of texts, which is another one in every process?

Python draws a seed for the hashes of texts when it starts. The rules are asked about the same first positions in
processes with other seeds: `python -m endsight.cli.hash_seeds GAME COUNT` prints what they say.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from endsight.compiler.syntax import parsed
from endsight.field_texts import show_fields, value_text
from endsight.game import Game
from endsight.rules_check.faults import Fault
from endsight.rules_guard import brief, is_ours, pass_on_limit, place_of

__all__ = ["depends_on_hashes"]

_SEEDS = ("1", "2")
_COUNT = 200
_MOST_SECONDS = 10.0
_CURE = (
    "go through sorted(...) of a set, or keep the items in a tuple: a set of texts has another order in every process"
)


def depends_on_hashes(spec: str, game: Game, seconds: float | None) -> Fault | None:
    """The first rule that says something else in a process with other hashes; None where none was found.

    `spec` names the game as on the command line; a process takes up to 10 seconds, or a quarter of `seconds`.
    """
    if is_ours(type(game)) or not _uses_sets(type(game)):
        return None
    own = list(_seen(game, _COUNT))
    for seed in _SEEDS:
        other = _under(spec, seed, _MOST_SECONDS if seconds is None else min(seconds / 4, _MOST_SECONDS))
        for here, there in zip(own, other, strict=False):
            for rule, said in here.items():
                if said != there.get(rule, said):
                    message = f"gives {brief(said)}, and in another process {brief(there[rule])}"
                    own_rule = "start" if rule == "state" else rule
                    return Fault(own_rule, here["state"], message, _CURE, place=place_of(type(game), own_rule))
    return None


def _under(spec: str, seed: str, seconds: float) -> list[dict[str, Any]]:
    """What the rules say in a process with that seed; nothing where it does not end in time, or badly."""
    command = [sys.executable, "-m", "endsight.cli.hash_seeds", spec, str(_COUNT)]
    try:
        done = subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, timeout=seconds, check=True
        )
        found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return []
    return found


def _uses_sets(kind: type[Game]) -> bool:
    """Whether the files of the rules mention sets, or import what may have some."""
    files = {inspect.getsourcefile(each) for each in kind.__mro__ if each is not object and not is_ours(each)}
    return any(_mentions_sets(file) for file in files if file is not None)


def _mentions_sets(file: str) -> bool:
    with open(file, encoding="utf-8") as text:
        tree = parsed(text.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Set | ast.SetComp) or getattr(node, "id", "") in ("set", "frozenset", "hash"):
            return True
        names = [part.name for part in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if {name.partition(".")[0] for name in names} - {*sys.stdlib_module_names, "endsight"}:
            return True
    return False


def _seen(game: Game, count: int) -> Iterator[dict[str, Any]]:
    """What the rules say of the first positions that play can reach."""
    waiting, met = [game.start()], {game.start()}
    for state in islice(waiting, count):  # grows while it is gone through
        moves = list(islice(game.moves(state), 1_000))
        children = [game.play(state, move) for move in moves]
        said: dict[str, Any] = {"state": show_fields(game, state), "moves": list(map(value_text, moves))}
        said["play"] = [show_fields(game, child) for child in children]
        said |= {rule: repr(getattr(game, rule)(state)) for rule in ("to_move", "layer") if game.gives(rule)}
        if game.gives("canonical"):
            said["canonical"] = show_fields(game, game.canonical(state))
        if not moves:
            said["payoff"] = repr(game.payoff(state))
        elif game.gives("reward"):
            said["reward"] = [repr(game.reward(state, move)) for move in moves]
        yield said
        for child in children:
            if child not in met and len(waiting) < count:
                met.add(child)
                waiting.append(child)


def main() -> None:
    """Print what the rules of a game say, as JSON in the last line."""
    from endsight.specification import load_rules

    found: list[dict[str, Any]] = []
    try:
        for said in _seen(load_rules(sys.argv[1]), int(sys.argv[2])):
            found.append(said)
    except Exception as error:  # rules that fail here are told about by the check itself
        pass_on_limit(error)
    print()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
