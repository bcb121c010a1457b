"""Games in which something is hidden, as endsight goes through them: walks through histories, and classes of states.

A walk is told as a record, all that it found as lists by name; classes of states are told as lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from endsight import Game, Graph, Limits, Question, Solution
from endsight.algorithms import walked_sets
from endsight.algorithms.compiled_walk import WalkArrays, compiled_information_sets, rules_of, walk_program
from endsight.algorithms.information_sets import information_sets
from endsight.algorithms.treeplex import InformationSets, Payoffs
from endsight.algorithms.walked_sets import audited_walk
from endsight.engine import alike
from endsight.engine.kernels.histories import walk_histories
from endsight.game.limits import Budget
from endsight.game.question import Utility
from endsight.graph.graph import Picked
from endsight.graph.hidden_states import Sights
from endsight.graph.objective import View
from hidden_rules import NaivePots
from interpreted import refusals
from kernel_runs import PLAIN, names_of

__all__ = [
    "MISTAKES",
    "Classes",
    "by_compiled_rules",
    "by_python",
    "by_the_kernel_as_it_is",
    "classes",
    "compiled_rules_see_sevens",
    "compiled_walks_go_wrong",
    "has_compiled_states",
    "record_of",
    "steps_shown",
    "told_by_audit",
]

# -------------------------------------------------------------------- walks through histories


def by_python(game: Game, utility: Utility = "payoff") -> dict[str, Any]:
    """The record of the plain walk."""
    return _record(information_sets(game, utility=utility))


def by_compiled_rules(game: Game, utility: Utility = "payoff", limits: Limits | None = None) -> dict[str, Any]:
    """The record of the compiled walk; raises `Refused`, and `RulesError` and `LimitReached` as the plain walk does."""
    with refusals():
        return _record(compiled_information_sets(game, Budget(limits), utility))


def record_of(solution: Solution) -> dict[str, Any]:
    """The record of the walk that an equilibrium rests on."""
    return _record(solution.source.sets)  # type: ignore[attr-defined]


def _record(sets: InformationSets) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(sets, name) for name in ("scale", "constant", "nodes", "ends")}
    found["payoffs"] = list(sets.payoffs)
    for player, side in enumerate(sets.sides):
        for name in ("parent", "first", "count", "moves", "view", "views"):
            found[f"{name} {player}"] = list(getattr(side, name))
        found[f"sequences {player}"] = side.sequences
    return found


def by_the_kernel_as_it_is(game: Game) -> dict[str, Any]:
    """The record of the compiled walk whose kernel Python runs, with the rules as they are."""
    rules = rules_of(game)
    program = walk_program(rules, "payoff")
    asked = {f"rule_{rule}": getattr(game, rule) for rule in ("moves", "play", "payoff", "reward", "weight", "to_move")}
    sees = {f"rule_sees_{player}": lambda s, player=player: _flat(game.sees(s, player)) for player in (0, 1)}
    operations = {
        "es_add": lambda a, b, site: a + b, "es_multiply": lambda a, b, site: a * b, "es_bit_length": int.bit_length,
        "es_write_move": _write_move, "es_write_share": _write_share,
    }  # fmt: skip
    text = "\n\n".join([program.glue, program.constants, program.kernel])
    plain = names_of(text, State=game.State, **PLAIN, **operations, **asked, **sees)[walk_histories.__name__]

    def run(*records: Any) -> int:
        """The kernel on lists of Python's numbers, which are written back."""
        given = [[each.tolist() if hasattr(each, "tolist") else each for each in _fields(record)] for record in records]
        pairs = list(zip(records, given, strict=True))
        code: int = plain(*(type(record)(*own) if isinstance(record, tuple) else own[0] for record, own in pairs))
        for array, numbers in [pair for record, own in pairs for pair in zip(_fields(record), own, strict=True)]:
            if isinstance(array, np.ndarray):
                array[:] = numbers
        return code

    walk = WalkArrays(rules, Budget(), "payoff")
    walk.kernel = run  # type: ignore[assignment]
    walk.run()
    return _record(walk.result())


def _write_move(memory: Any, at: int, move: Any) -> None:
    for word in move if isinstance(move, tuple) else (move,):
        memory[at] = word
        at += 1


def _write_share(memory: Any, at: int, share: Any, players: int, site: int) -> int:
    _write_move(memory, at, share)
    return int(isinstance(share, tuple))


def _fields(record: Any) -> tuple[Any, ...]:
    return record if isinstance(record, tuple) else (record,)


def _flat(seen: Any) -> tuple[int, ...]:
    """What is seen, word by word."""
    return tuple(word for part in seen for word in _flat(part)) if isinstance(seen, tuple) else (int(seen),)


# -------------------------------------------------------------------- wrong walks

MISTAKES = ("an amount", "two amounts", "a move", "two views", "a pair that is left out")
"""What may be wrong in a walk."""


def told_by_audit(game: Game, mistake: str | None = None) -> str | None:
    """What the audit says of a compiled walk in which this is wrong; None where it finds no difference."""
    sets = compiled_information_sets(game, Budget())
    return audited_walk(game, sets if mistake is None else _changed(sets, mistake), "payoff", b"", 1).difference


def compiled_walks_go_wrong(patch: pytest.MonkeyPatch) -> None:
    """One amount is wrong in every compiled walk."""

    def wrong(*asked: Any) -> InformationSets:
        return _changed(compiled_information_sets(*asked), "an amount")

    patch.setattr(walked_sets, "compiled_information_sets", wrong)


def _changed(sets: InformationSets, mistake: str) -> InformationSets:
    payoffs, (first, second) = sets.payoffs, sets.sides
    amounts = list(payoffs.amounts)
    if mistake == "an amount":
        amounts[5] += 1
    elif mistake == "two amounts":
        amounts[0], amounts[1] = amounts[1] + 1, amounts[0]
    elif mistake == "a move":
        first = replace(first, moves=[(2, 1), *list(first.moves)[1:]])
    elif mistake == "two views":
        first = replace(first, view=[first.view[1], first.view[0], *list(first.view)[2:]])
    else:
        rows = [row for number, row in enumerate(payoffs) if number != 3]
        return replace(sets, payoffs=Payoffs(*map(list, zip(*rows, strict=True))))
    return replace(sets, sides=(first, second), payoffs=replace(payoffs, amounts=amounts))


# -------------------------------------------------------------------- classes of states


class Classes(NamedTuple):
    """The class of every node; the first node of every class, and how many it has."""

    own: list[int]
    first: list[int]
    sizes: list[int]


def classes(graph: Graph, looks: Sequence[int], *, in_arrays: bool = False) -> Classes:
    """The classes of nodes that look the same (`looks` numbers what is seen at every node) and have the same future.

    in_arrays  the graph is as compiled rules leave it, and machine code compares the nodes
    """
    sights = Sights([None, *map(str, range(max(looks) + 1))], Picked(range(1, max(looks) + 2), looks))
    view = View(NaivePots(), Question(), symmetry=False)
    given = _in_arrays(graph) if in_arrays else graph
    found = alike.hidden_states(view, given, sights, Budget(), merged=True).classes
    return Classes(list(found.own), list(found.first), list(found.sizes))


_KINDS = {"offsets": np.int64, "successors": np.int32, "moves": np.int64, "movers": np.int8, "weights": np.int64}


def _in_arrays(graph: Graph) -> Graph:
    parts = {name: np.array(getattr(graph, name), kind).data for name, kind in _KINDS.items()}
    found = replace(graph, **parts, rules="compiled")  # type: ignore[arg-type]
    for name in ("ends", "gains"):
        picked = getattr(graph, name)
        found.__dict__[name] = Picked(picked.rows, np.array(picked.numbers, np.int32).data)
    return found


def compiled_rules_see_sevens(patch: pytest.MonkeyPatch) -> None:
    """Compiled rules write 7 in place of what the first player sees, and nothing else."""
    patch.setattr(alike, "_look_text", lambda _: "def es_sights(p_sights, at, state):\n    p_sights[at] = 7")


def has_compiled_states(solution: Solution) -> bool:
    """Whether compiled rules found the states behind what is seen."""
    return _hidden(solution).graph.rules is not None


def steps_shown(solution: Solution) -> dict[Any, list[Any]]:
    """What every step from every state behind what is seen shows."""
    hidden = _hidden(solution)
    shown = ([hidden.things[step.seen] for step in hidden.steps(state)] for state in range(len(hidden)))
    return dict(zip(map(hidden.example, range(len(hidden))), shown, strict=True))


def _hidden(solution: Solution) -> Any:
    return solution.game.hidden  # type: ignore[attr-defined]
