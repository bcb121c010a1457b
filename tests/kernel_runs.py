"""Kernels run as they are, on lists, with the names of the core language bound to Python; and searches that run them.

What a kernel gives, and leaves in its arrays, is told as numbers, so that Python's run is compared with machine code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any
from unittest.mock import Mock

import llvmlite.binding as llvm
import numpy as np
import pytest

from endsight import Game, Limits, Position
from endsight.algorithms.loops import compiled_loop, plain_loop
from endsight.base.machine import all_memory
from endsight.compiler.hint_proofs import HintProof
from endsight.compiler.kernels import core
from endsight.compiler.kernels.core import FRAME, UNSET, Children, Code, Keys, Stack, Work
from endsight.compiler.lowering.operations import TEXT
from endsight.compiler.lowering.unit import ENTRY, OURS, Builder, Definition
from endsight.compiler.memory import reserved_words
from endsight.compiler.memory import words as scratch
from endsight.compiler.native import Kernel, _link, _machine, _object_code
from endsight.compiler.object_code import placed
from endsight.compiler.packing import LEAST_CODE_BITS
from endsight.compiler.rules import CompiledRules, shared_kernel, shared_program
from endsight.compiler.syntax import parsed
from endsight.engine.bounds_table import BoundsTable
from endsight.engine.deepening import BothEnds
from endsight.engine.distances import Distances
from endsight.engine.kernels.depth_first import put_in_order
from endsight.engine.kernels.forward import find_keys
from endsight.engine.proof_numbers import ProofNumbers
from endsight.engine.searching import CompiledSearcher
from endsight.engine.tables import enter_keys, put
from endsight.engine.thread_pool import ThreadPool
from endsight.game.limits import Budget
from endsight.identity import key_of
from interpreted import Refused, refusals

__all__ = [
    "LEAST_CODE_BITS",
    "PLAIN",
    "Search",
    "both",
    "loops",
    "met_in_order",
    "names_of",
    "room_to_grow",
    "signed",
    "steps_back_by_python",
    "together",
]

WORD = (1 << 64) - 1


def signed(number: int) -> int:
    """The number as a word has it."""
    number &= WORD
    return number - (1 << 64) if number >> 63 else number


def _mixed(number: int) -> int:
    product = number * 0x9E3779B97F4A7C15 & WORD
    return signed(product ^ product >> 32)


def _store(memory: Any, at: int, number: int) -> None:
    memory[at] = signed(number)


def _swap_if(memory: Any, at: int, old: int, new: int) -> int:
    found = int(memory[at])
    if found == signed(old):
        memory[at] = signed(new)
    return found


def _fault_at(condition: int, site: int) -> None:
    assert not condition, f"a fault at site {site}"


PLAIN: dict[str, Any] = {
    "es_load": lambda memory, at: memory[at],
    "es_store": _store,
    "es_load_acquire": lambda memory, at: memory[at],
    "es_store_release": _store,
    "es_swap_if": _swap_if,
    "es_mixed": _mixed,
    "es_unsigned_shift": lambda number, by: (number & WORD) >> by,
    "es_prefetch": lambda memory, at: None,
    "es_above": lambda value, limit: int(not 0 <= value <= limit),
    "es_whole": int,
    "es_fault_at": _fault_at,
    "es_fault": lambda: 0,
    "es_clear_fault": lambda: None,
    "es_use_data": lambda data: None,
    **{code.name: int(code) for code in Code},
}
"""The operations of the core language."""


def names_of(text: str, **beside: Any) -> dict[str, Any]:
    """What a text of kernels defines, with these names beside it; `from` lines say only what stands there already."""
    names = {**vars(core), **PLAIN}
    body = [node for node in ast.parse(text).body if not isinstance(node, ast.ImportFrom)]
    exec(compile(ast.Module(body, []), "kernel", "exec"), names)
    names.update(beside)
    return names


# -------------------------------------------------------------------- kernels without rules


def both(kernel: Any, words: int, *arguments: Any) -> list[Any]:
    """What a kernel for keys of so many words gives and leaves in its arrays: as it is, and compiled."""
    found = []
    plain = names_of(shared_program(kernel, words).text)[kernel.__name__]
    for run in (plain, shared_kernel(kernel, words)):
        copied = list if run.__class__ is FunctionType else partial(np.array, dtype=np.int64)
        given = [_with_arrays(copied, each) for each in arguments]
        result = run(*given)
        found.append((result, *(_with_arrays(_whole, each) for each in given if hasattr(each, "__len__"))))
    return found


def _with_arrays(change: Any, argument: Any) -> Any:
    """An argument of a kernel, a record of some perhaps, with all arrays changed."""
    if isinstance(argument, tuple):
        return type(argument)(*(_with_arrays(change, each) for each in argument))
    return change(argument) if hasattr(argument, "__len__") else argument


def _whole(numbers: Any) -> list[int]:
    return list(map(int, numbers))


# -------------------------------------------------------------------- kernels with rules


def _write_share(parts: int, memory: Any, at: int, share: Any, players: int, site: int) -> int:
    for number, item in enumerate(share if isinstance(share, tuple) else (share,)):
        memory[at + number] = int(item * parts)
    return int(isinstance(share, tuple))


def _write_move(memory: Any, at: int, move: Any) -> None:
    memory[at] = move


class _PlainRules(CompiledRules):
    """Rules whose kernels Python runs."""

    def kernel(self, loop: Any, beside: str = "", /, **constants: int) -> Any:
        program = self.program(loop, beside, **constants)
        given = ("moves", "play", "payoff", "reward", "to_move", "canonical", "before")
        known = {f"rule_{rule}": getattr(self.game, rule) for rule in given if hasattr(self.game, rule)}
        known |= {"State": self.game.State, "es_write_share": partial(_write_share, self.denominator)}
        known |= {"es_write_move": _write_move, "es_width": lambda move: 0, "es_bit_length": int.bit_length}
        text = "\n\n".join([program.glue, program.constants, program.kernel])
        return names_of(text, **known)[loop.__name__]


def _rules_of(game: Game, is_plain: bool, **how: Any) -> CompiledRules:
    with refusals():
        rules = CompiledRules.of(game, **how)
    return _PlainRules(**{each.name: getattr(rules, each.name) for each in fields(rules)}) if is_plain else rules


def met_in_order(game: Game, *, is_plain: bool) -> tuple[Any, ...]:
    """The keys that a game's positions have in the order in which they are met, and in that of a depth-first walk.

    With the counters of both kernels.
    """
    rules, place = _rules_of(game, is_plain, symmetry=False), game.position()
    room, slots = 1 << 13, 1 << 14
    order, table, counters = scratch(room), scratch(slots), scratch(8)
    order[0] = rules.root_key(place.state, 0)[0]
    counters[core.TAIL] = 1
    enter_keys(rules.packing, Keys(table, slots - 1, order, 1), UNSET)
    keys, children = Keys(table, slots - 1, order, room), Children(scratch(1 << 10), 1 << 10)
    run = rules.kernel(find_keys, SHARED=0, COUNTS=0, MEASURES=0)
    assert run(keys, children, Work(rules.data, counters, 1 << 62), scratch(1)) == Code.DONE
    assert counters[core.HEAD] == counters[core.TAIL]
    states = counters[core.TAIL]
    met, numbers = order[:states].tolist(), counters.tolist()
    stack, other = scratch(FRAME << 8), scratch(8)
    put(children.p_buffer, 0, order[:1])
    put(stack, 1, (0, 1))
    walk, work = rules.kernel(put_in_order), Work(rules.data, other, 1 << 62)
    ordered = walk(keys._replace(most_nodes=states), children, Stack(stack, 1 << 8), work)
    return met, order[:states].tolist(), numbers, ordered, other.tolist()


# -------------------------------------------------------------------- searches


class Search:
    """A search of a game with at most so many buckets: by cut-offs, by proof numbers, or by `both` in turns.

    is_plain  Python runs the kernels
    plies     its values say how soon who wins
    """

    def __init__(
        self,
        game: Game,
        buckets: int | None = 1,
        *,
        by: str = "cut-offs",
        is_plain: bool = False,
        plies: bool = False,
        threads: int | None = None,
        states: int | None = None,
    ) -> None:
        self._budget = Budget(Limits(threads=threads, states=states))
        is_told = game.gives("to_move") or game.player_count != 2

        def proofs(most: int | None) -> ProofNumbers:
            with refusals():
                rules = _rules_of(game, is_plain, symmetry=True, tracks_mover=not is_told)
                return ProofNumbers(rules, self._budget, most)

        if by == "proof numbers":
            self._run: Any = proofs(buckets)
            return
        rules = _rules_of(game, is_plain, symmetry=True)
        self._run = self._searcher(rules, buckets)
        if by == "both":
            self._run.prover = lambda most: proofs(min(most, buckets or most))
        if plies:
            self._distances = Distances(self._run)
            self._run = self._distances.searcher = self._searcher(rules, buckets, counts_plies=True)

    def _searcher(self, rules: CompiledRules, buckets: int | None, **more: bool) -> CompiledSearcher:
        found = CompiledSearcher(rules, self._budget, **more)
        found.table = BoundsTable(found.layout, self._budget, buckets)
        return found

    def values(self, position: Position) -> tuple[Any, ...] | None:
        """The values for the mover and the other, or by player where rules say who moves; None where it gives up."""
        found: tuple[Any, ...] | None = self._run.found(position)
        return found

    def value(self, position: Position) -> Any:
        """The first of them; raises `Refused`, and `LimitReached`."""
        with refusals():
            return self._run.search(position)

    def distance(self, position: Position) -> int | None:
        """Plies to the end; None for a draw."""
        assert self._distances.are_told
        return self._distances.of(position)

    def proven(self, position: Position) -> Any:
        """Bounds per player that are proven so far; None where nothing is."""
        return self._run.proven(position)

    def reaches(self, position: Position, player: int, amount: Any) -> Any:
        """Whether a player is proven to get so much."""
        return self._run.reaches(position, player, amount)

    def tried_first(self, position: Position) -> Position | None:
        """The position after the move that is tried first, as far as anything was learned."""
        found: Position | None = self._run.tried_first(position)
        return found

    def keep(self, position: Position, path: Path) -> None:
        """Search from what a file holds, and keep there what is proven."""
        self._run.search_on(position, path)

    @property
    def states(self) -> int:
        """Positions entered."""
        return int(self._run.states)

    @property
    def states_of_proofs(self) -> int | None:
        """Those that proof numbers entered beside a search; None where they did not run."""
        return None if self._run.proofs is None else self._run.proofs.states

    @property
    def left(self) -> tuple[Any, ...]:
        """What it has counted and left in its tables."""
        if isinstance(self._run, ProofNumbers):
            return (self._run.run.counters[:8].tolist(),)
        return self._run.states, self._run.edges, self._run.table.words.tolist()

    @property
    def is_full(self) -> bool:
        """Whether the table has as many buckets as it may have."""
        return bool(self._run.table.log_buckets == self._run.table.most_log)

    @property
    def threads(self) -> int:
        """How many threads have searched."""
        return len(self._run.threads)

    @property
    def method(self) -> str:
        """Whose answers were needed."""
        return str(self._run.method)

    def bounds_of_start(self, position: Position) -> tuple[int, int]:
        """The bounds that the table has of the first position, as its mover sees them."""
        rules = self._run.rules
        low, high = self._run.table.find(rules.root_key(position.state, position.mover))
        return low, high


def steps_back_by_python(game: Game) -> tuple[Any, Position]:
    """A search from both ends whose kernel Python runs: the value, and the end of a line from the start.

    The steps back are taken for proven; raises `Refused`.
    """
    vars(game)["_before_proof"] = key_of(game).text, HintProof(None, -1)
    searcher = BothEnds(_rules_of(game, True, symmetry=False, hints=("before",)), Budget())
    with refusals():
        value = searcher.search(game.position())
    place = game.position()
    while (move := searcher.chosen(place)) is not None:
        place = place.play(move)
        assert searcher.proven(place) is not None
    return value, place


def steps_back_that_change(patch: pytest.MonkeyPatch, game: Game, before: Callable[[Any], Any]) -> tuple[str, str]:
    """A search from both ends of rules whose `before` is another one in Python: why it stops, and what is blamed."""
    blamed: list[str] = []
    patch.setattr("endsight.engine.comparing.distrust", lambda _, why: blamed.append(why))
    searcher = BothEnds(_rules_of(game, False, symmetry=False, hints=("before",)), Budget())
    patch.setattr(game, "before", before)
    with pytest.raises(Refused) as stop, refusals():
        searcher.search(game.position())
    return str(stop.value), "".join(blamed)


# -------------------------------------------------------------------- texts


def machine_code(text: str, file: str = "") -> Callable[..., int]:
    """The function `entry` of a text in the core language; its constants are SEVEN and HALF, State has two fields.

    Raises `Refused` with a line of that file.
    """
    definitions, own = {}, file or OURS
    for source, place in ((TEXT, OURS), (text, own)):
        for node in parsed(source).body:
            assert isinstance(node, ast.FunctionDef)
            definitions[node.name] = Definition(node, place)
    machine = _machine(llvm)
    with refusals():
        unit = Builder(definitions, {"SEVEN": 7, "HALF": 0.5, "State": ("here", "there")}, machine)
        code = _object_code(llvm, unit.entry(), machine, unit, has_rules=True)
    names = [argument.arg for argument in definitions["entry"].syntax.args.args]
    return Kernel("", *_link(ENTRY, code, names))


def is_placed(code: bytes) -> bool:
    """Whether object code goes into memory without LLVM."""
    return placed(code, ENTRY) is not None


def loaded_anew(patch: pytest.MonkeyPatch, *, by_llvm: bool) -> None:
    """Forget the machine code of this process, and let LLVM link what is loaded from now on, or not."""
    patch.setattr("endsight.compiler.native._loaded", {})
    patch.setattr("endsight.compiler.native.placed", (lambda *_: None) if by_llvm else placed)


def no_code_allowed(patch: pytest.MonkeyPatch) -> None:
    """A system where no memory can be made executable."""
    refused = OSError(13, "the system allows no new machine code")
    patch.setattr("endsight.compiler.object_code._make_executable", Mock(side_effect=refused))


# -------------------------------------------------------------------- threads


def loops(kernel: Any) -> tuple[Any, Any]:
    """A loop over plain arrays as Python runs it, and compiled."""
    return plain_loop(kernel), compiled_loop(kernel)


def room_to_grow(part: int, *, halves: bool) -> Any:
    """Room for a table that may take one in so many words of all memory; with `halves` at most half of what is left."""
    return reserved_words(all_memory() // part, halves=halves)


def together(size: int, work: Callable[[int, tuple[int, int]], Any], count: int) -> list[tuple[int, int]]:
    """What so many threads leave of pieces of work 0 to `count`, each given a thread's number and a piece."""
    with ThreadPool(size) as pool:
        return pool.run(work, [(number, number + 1) for number in range(count)])
