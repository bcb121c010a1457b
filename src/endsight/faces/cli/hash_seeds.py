"""Do the rules depend on the order of a set of texts, which differs between processes?

Python draws a hash seed for texts at start-up. The rules answer for the same first positions in processes with other
seeds: `python -m endsight.faces.cli.hash_seeds GAME COUNT` prints the answers. The seeds are chosen so that
any two texts in the files of the rules occur in both orders, as far as a few seeds allow.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from endsight.compiler.syntax import nodes_of, parsed
from endsight.errors.rules_guard import brief, pass_on_limit, place_in_rules, place_of
from endsight.game import Game
from endsight.game.field_texts import show_fields, value_text
from endsight.naming.specification import load_rules
from endsight.rules_check.asking import RulesFault

_CANDIDATES = tuple(map(str, range(1, 17)))
_MOST_SEEDS = 5
_MOST_TEXTS = 40
_COUNT = 200
_KNOWN = {"endsight", *sys.stdlib_module_names}
"""Modules whose sets and texts do not matter for rules: those of this package and of Python."""
_MOST_SECONDS = 10.0
_CURE = (
    "go through sorted(...) of a set, or keep the items in a tuple: a set of texts has another order in every process"
)
_ORDERS = "import json, sys; print(json.dumps([[*{one, other}] for one, other in json.loads(sys.argv[1])]))"
"""Prints pairs of texts, each in the order of a set of the two."""


def depends_on_hashes(spec: str, game: Game, seconds: float | None) -> tuple[RulesFault | None, RulesFault | None]:
    """Return the first rule that answers differently in a process with other hashes, and why no process could tell.

    `spec` names the game as on the command line; a process takes up to 10 seconds, all of them up to half of `seconds`.
    Both results are None if nothing was found, or if the files of the rules use no sets.
    """
    trees = _trees(type(game))
    if not any(map(_mentions_sets, trees)):
        return None, None
    own, seeds = list(_seen(game, _COUNT)), _seeds(trees)
    most = _MOST_SECONDS if seconds is None else min(seconds / 2 / len(seeds), _MOST_SECONDS)
    for seed in seeds:
        seen, raised, problem = _under(spec, seed, most)
        fault = _difference(game, own, seen) or _error(own, len(seen), raised)
        if fault is not None:
            return fault, None
        if problem is not None:
            message = f"could not be tried in a process with other hashes of texts: {problem}"
            return None, RulesFault("start", None, message, f"let --time be longer, and in any case {_CURE}")
    return None, None


def _difference(game: Game, own: list[dict[str, Any]], seen: list[dict[str, Any]]) -> RulesFault | None:
    """Return the first rule that answers differently in the other process."""
    for here, there in zip(own, seen, strict=False):
        for rule, said in here.items():
            if said != there.get(rule, said):
                message = f"gives {brief(said)}, and in another process {brief(there[rule])}"
                own_rule = "start" if rule == "state" else rule
                return RulesFault(own_rule, here["state"], message, _CURE, place=place_of(type(game), own_rule))
    return None


def _error(own: list[dict[str, Any]], at: int, raised: list[Any] | None) -> RulesFault | None:
    """Return the rule that raises an error only in the other process, after that many states."""
    if raised is None:
        return None
    rule, place, error = raised
    state = own[at]["state"] if at < len(own) else None
    return RulesFault(rule or "setup", state, f"raises {error} in another process, and none here", _CURE, place=place)


def _under(spec: str, seed: str, seconds: float) -> tuple[list[dict[str, Any]], list[Any] | None, str | None]:
    """Return the rules' answers in a process with that seed, the error raised there, and why it did not end well."""
    try:
        shown = _python(seed, seconds, "-m", "endsight.faces.cli.hash_seeds", spec, str(_COUNT))
        seen, raised = json.loads(shown.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return [], None, f"it took more than {seconds:.3g} s"
    except subprocess.CalledProcessError as error:
        return [], None, f"it ended with exit code {error.returncode}"
    except (OSError, ValueError, IndexError) as error:
        return [], None, brief(error)
    return seen, raised, None


def _python(seed: str, seconds: float, *arguments: str) -> bytes:
    """Return what Python prints when it runs these arguments under a seed."""
    command, environment = [sys.executable, *arguments], {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, env=environment, capture_output=True, timeout=seconds, check=True).stdout


def _seeds(trees: list[ast.Module]) -> list[str]:
    """Choose a few seeds, each of which puts some pairs of texts into an order not seen before."""
    pairs = [*combinations(_texts(trees), 2)]
    shown, chosen = {tuple({one, other}) for one, other in pairs}, list[str]()
    for seed in _CANDIDATES:
        if len(chosen) == _MOST_SEEDS or len(shown) == 2 * len(pairs):
            break
        orders = _orders(seed, pairs)
        chosen += [] if orders <= shown else [seed]
        shown |= orders
    return chosen or [_CANDIDATES[0]]


def _orders(seed: str, pairs: list[tuple[str, str]]) -> set[tuple[str, ...]]:
    """Return the pairs in the order of their sets under a seed; none if no process can be started."""
    try:
        shown = _python(seed, _MOST_SECONDS, "-S", "-c", _ORDERS, json.dumps(pairs))
    except (OSError, subprocess.SubprocessError):
        return set()
    return set(map(tuple, json.loads(shown)))


def _texts(trees: list[ast.Module]) -> list[str]:
    """Return the short texts in the files, and names in classes, which give members of an Enum their hashes."""
    nodes = [node for tree in trees for node in nodes_of(tree)]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            texts |= {each.id for part in node.body for each in nodes_of(part) if isinstance(each, ast.Name)}
    return sorted(texts, key=lambda text: (len(text), text))[:_MOST_TEXTS]


def _trees(kind: type[Game]) -> list[ast.Module]:
    """Return the syntax trees of the files that hold the rules."""
    files = {inspect.getsourcefile(each) for each in kind.__mro__ if each.__module__.partition(".")[0] not in _KNOWN}
    return [parsed(Path(file).read_text(encoding="utf-8")) for file in sorted(filter(None, files))]


def _mentions_sets(tree: ast.Module) -> bool:
    """Return whether a file mentions sets, or imports modules that may use some."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Set | ast.SetComp) or getattr(node, "id", "") in ("set", "frozenset", "hash"):
            return True
        names = [part.name for part in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if {name.partition(".")[0] for name in names} - _KNOWN:
            return True
    return False


def _seen(game: Game, count: int) -> Iterator[dict[str, Any]]:
    """Yield the answers of the rules at the first positions that play can reach."""
    waiting, visited = [game.start()], {game.start()}
    for state in islice(waiting, count):  # grows during the loop
        moves = list(islice(game.moves(state), 1_000))
        children = [game.play(state, move) for move in moves]
        answers: dict[str, Any] = {"state": show_fields(game, state), "moves": list(map(value_text, moves))}
        answers["play"] = [show_fields(game, child) for child in children]
        answers |= {rule: repr(getattr(game, rule)(state)) for rule in ("to_move", "layer") if game.gives(rule)}
        if game.gives("canonical"):
            answers["canonical"] = show_fields(game, game.canonical(state))
        if not moves:
            answers["payoff"] = repr(game.payoff(state))
        elif game.gives("reward"):
            answers["reward"] = [repr(game.reward(state, move)) for move in moves]
        yield answers
        for child in children:
            if child not in visited and len(waiting) < count:
                visited.add(child)
                waiting.append(child)


def main() -> None:
    """Print the answers of a game's rules, as JSON in the last line."""
    seen: list[dict[str, Any]] = []
    raised = game = None
    try:
        game = load_rules(sys.argv[1])
        for answers in _seen(game, int(sys.argv[2])):
            seen.append(answers)
    except Exception as error:
        pass_on_limit(error)
        method, place = (None, None) if game is None else place_in_rules(type(game), error)
        raised = [method, place, brief(error)]
    print()
    print(json.dumps([seen, raised]))


if __name__ == "__main__":
    main()
