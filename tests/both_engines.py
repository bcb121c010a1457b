"""What both engines make of the same rules, without the comparison that guards an answer: graphs, refusals, proofs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from endsight import Game, Graph, Position, Question
from endsight.compiler import core, hint_proofs, native, unknown
from endsight.compiler.columns import fields_of
from endsight.compiler.interpreter import Faulty
from endsight.compiler.kernels.graph import explore_graph
from endsight.compiler.packing import Packing
from endsight.compiler.payoffs import constant_sum, is_only_won_drawn_or_lost, payoff_bounds
from endsight.compiler.program import Function, Program, require_like_fractions
from endsight.compiler.rules import CompiledRules
from endsight.compiler.scopes import _hold_against_symtable
from endsight.compiler.syntax import parsed
from endsight.compiler.translator import RULES, translate, translated
from endsight.compiler.values import nodes_in
from endsight.engine.entry import solve_compiled
from endsight.engine.exploring import explore_arrays, graph_of
from endsight.engine.round_exploring import explore_rounds
from endsight.game.codec import Codec
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from endsight.graph.objective import View
from interpreted import Refused, interpreted, refusals

__all__ = [
    "Proven",
    "Refused",
    "by_core",
    "by_machine",
    "by_python",
    "in_rounds",
    "lines_for_llvm",
    "nodes_of_core",
    "parts_of",
    "positions",
    "proven_payoffs",
    "refusal",
    "words_of_key",
]

PARTS = ("keys", "offsets", "successors", "moves", "movers", "weights", "rewards", "payoffs")


def nodes_of_core(game: Game) -> int:
    """The nodes of all functions of the rules."""
    functions = translated(game, in_play=True).program.functions
    return sum(len(nodes_in(made.body)) for made in functions.values())


def lines_for_llvm(game: Game) -> int:
    """The lines of what LLVM gets to explore the game."""
    import llvmlite.binding as llvm

    rules = CompiledRules.of(game)
    program = rules.program(explore_graph, MOVE_WORDS=rules.move_words)
    return native._unit(program, native._machine(llvm)).entry().count("\n")


def by_python(game: Game, position: Position | None = None, **how: Any) -> Graph:
    """The graph of all positions by the plain engine.

    `symmetry` merges states (by default), `tracks_mover` keeps players apart, `at_most` stops after so many nodes.
    """
    return explore(game, position or game.position(), Question(), **how)[1]


def by_machine(
    game: Game,
    position: Position | None = None,
    *,
    symmetry: bool = True,
    tracks_mover: bool | None = None,
    at_most: int | None = None,
) -> Graph:
    """The same by compiled rules; raises `Refused`."""
    if tracks_mover is None and not game.gives("to_move") and at_most is None:
        # As Python finds it to be needed, where alternating players return to a position.
        tracks_mover = explore(game, position or game.position(), Question(), symmetry=symmetry)[0].tracks
    view = View(game, Question(), symmetry=symmetry, tracks_mover=tracks_mover)
    with refusals():
        rules = CompiledRules.of(game, symmetry=view.canonical is not None, tracks_mover=view.tracks)
        rules.kernel(explore_graph, MOVE_WORDS=rules.move_words)
    with refusals(at_a_state=True):
        arrays = explore_arrays(rules, position or game.position(), Budget(), at_most=at_most)
        return graph_of(arrays, view)


def in_rounds(game: Game, mover: int) -> None:
    """Explore the layer that a game starts in, with that mover; raises `Refused`."""
    with refusals():
        rules = CompiledRules.of(game)
        key = np.array(rules.root_key(game.start(), mover), np.int64)
        explore_rounds(rules, 0, key, Budget(), edges=True)


def by_core(game: Game, position: Position | None = None, **how: Any) -> Graph:
    """The same by the interpreter of what rules are translated into; raises `Refused`, and `FaultError`."""
    own = interpreted(game)
    return by_python(own, own.position() if position is None else position, **how)


def parts_of(graph: Graph) -> dict[str, Any]:
    """The parts of a graph as lists of Python's own numbers; None for what it has not."""
    return {part: _listed(getattr(graph, part)) for part in PARTS}


def _listed(values: Any) -> list[Any] | None:
    return None if values is None else [each.item() if hasattr(each, "dtype") else each for each in values]


def positions(game: Game, question: Question | None = None, *, symmetry: bool = True) -> Iterator[Position]:
    """Every position of the graph, from both seats where states do not say who moves."""
    view, graph = explore(game, game.position(), question or Question(), symmetry=symmetry)
    for node, key in enumerate(graph.keys):
        state, mover, _ = view.split(key)
        for seat in (0, 1) if view.relative else (mover if view.tracks else max(graph.movers[node], 0),):
            yield Position(game, state, seat, (0,) * game.player_count, ())


def refusal(game: Game) -> Refused | None:
    """Why the rules are not compiled, with what players see where they tell it; None if they are."""
    try:
        with refusals():
            translate(game, (*RULES, "sees") if game.gives("sees") else RULES)
    except Refused as found:
        return found
    return None


def fraction_taken_for_a_number() -> Refused:
    """What is said of a program, which no rules become, that gives a name a number in line 8 and a fraction in 9."""
    program = Program()
    body = (core.Assign("es_x", core.Number(1)).at(8), core.Assign("es_x", core.Parts(core.Number(1))).at(9))
    program.functions["f"] = Function("f", (), body, core.NOTHING, "rules.py", 7)
    with pytest.raises(Refused) as caught, refusals():
        require_like_fractions(program)
    return caught.value


def name_of_another_scope() -> Refused:
    """What is said where a name is not in the scope in which Python has it."""
    text = "def f(xs):\n    return [x for x in xs]\n"
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    with pytest.raises(Refused) as caught, refusals():
        _hold_against_symtable(definition, {"xs", "y"}, [("listcomp", 2, ("x",))], "rules.py", text)
    return caught.value


def words_of_key(game: Game) -> int:
    """How many machine words the key of a state has; raises `Refused` where it would have too many."""
    with refusals():
        return Packing.of(game).words


def fields_of_key(limits: tuple[int, ...], fields: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
    """The number of words of a key of fields with these limits, and its fields; None for more than 124 bits."""
    packing = Packing(tuple(f"f{k}" for k in range(len(limits))), limits)
    if packing.bits > 124:
        return None
    key = packing.key(fields)
    assert key is not None
    assert len(key) == packing.words
    rows = fields_of(packing, np.array([key], dtype=np.uint64).view(np.int64))
    return packing.words, tuple(int(column[0]) for column in rows)


def proven_on_the_way(game: Game) -> list[tuple[Position, Any]]:
    """What layers know, each time that they look at the limits, of positions along the first moves: their bounds."""
    found: list[tuple[Position, Any]] = []
    budget = Budget()

    def look(self: Budget, states: int, doing: str, part: Any = None) -> None:
        place = game.position()
        while budget.witness is not None and not place.is_over:
            place = place.play(next(iter(place.moves())))
            if (bounds := budget.witness(place)) is not None:
                found.append((place, bounds))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Budget, "glance", look)
        solve_compiled(View(game, Question()), game.position(), "layers", budget)
    return found


def read_python(text: str) -> None:
    """Read a text as rules are read."""
    parsed(text)


class Hint(NamedTuple):
    """Why a hint is not proven for all states, None if it is; the largest gain of any move; and what follows from both:
    whether every move costs something, and whether no move brings more than 0.
    """

    refusal: str | None
    largest_gain: int | None
    is_costly: bool
    never_gains: bool


def proven_hint(game: Game, hint: str) -> Hint:
    """What is proven of the `bound` of a puzzle, or of the steps back of its `before`."""
    found = {"bound": hint_proofs.prove_bound, "before": hint_proofs.prove_before}[hint](game)
    return Hint(found.refusal, found.largest_gain, found.is_costly, found.never_gains)


def read_for_all_states(game: Game, moves: int = 0) -> Iterator[tuple[tuple[int, ...], Any, list[Any] | None]]:
    """Every state, once, as proofs read the rules: its payoff, and the states after so many moves.

    The payoff lies within the bounds that are read of it; None in place of states where the rules fail.
    """
    reader = hint_proofs.AllStates(translated(game, ("moves", "play", "payoff")))
    has_state = "rule_state" in reader.program.functions
    limits, waiting = Codec(game).limits, [()]
    while waiting:
        box = unknown.Domain([range(limit + 1) for limit in limits], waiting.pop(), waiting)
        cells = tuple(map(box.number, range(len(limits))))
        payoff = after = None
        with suppress(Faulty):
            state = reader.call("rule_state", *cells) if has_state else cells
            states = [reader.call("rule_play", state, move) for move in range(moves)]
            after = [reader.call("rule_numbers", each) if has_state else each for each in states]
            payoff = reader.call("rule_payoff", state)
        for numbers in product(*box.allowed):
            told = None if payoff is None else _at(payoff, numbers)
            assert told is None or unknown.bounds_of(payoff)[0] <= told <= unknown.bounds_of(payoff)[1]
            yield numbers, told, None if after is None else [tuple(_at(n, numbers) for n in each) for each in after]


def _at(value: Any, numbers: tuple[int, ...]) -> Any:
    """What an unknown number is at one state."""
    if not hasattr(value, "parts"):
        return value
    parts = value.parts.items()
    return value.constant + sum(function[tuple(numbers[cell] for cell in cells)] for cells, function in parts)


class Proven(NamedTuple):
    """What the text of the rules proves of payoffs: their sum, that one wins or nobody does, the least and the most."""

    sum: Any
    is_decided: bool
    bounds: Any


def proven_payoffs(game: Game, question: Question | None = None) -> Proven:
    """What is proven of the payoffs of a game, without playing it."""
    asked = question or Question()
    return Proven(constant_sum(game, asked), is_only_won_drawn_or_lost(game), payoff_bounds(game, asked))
