"""Kernels run as they are: on lists, with the names of the core language bound to Python, as machine code gives it."""

from __future__ import annotations

import ast
import random
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import endsight as es
from endsight.compiler.kernels import core
from endsight.compiler.kernels.core import FRAME, HEAD, TAIL, UNSET, Children, Code, Keys, Stack, Work
from endsight.compiler.kernels.depth_first import put_in_order
from endsight.compiler.kernels.forward import find_keys
from endsight.compiler.kernels.slots import enlarge, enter, place
from endsight.compiler.kernels.sorting import drop_repeats, match, sort_digit
from endsight.compiler.memory import words as scratch
from endsight.compiler.packing import LEAST_CODE_BITS
from endsight.compiler.rules import CompiledRules, shared_kernel, shared_program
from endsight.compiler.tables import enter_keys, put

WORD = (1 << 64) - 1


def signed(number: int) -> int:
    number &= WORD
    return number - (1 << 64) if number >> 63 else number


def mixed(number: int) -> int:
    product = number * 0x9E3779B97F4A7C15 & WORD
    return signed(product ^ product >> 32)


def store(memory: Any, at: int, number: int) -> None:
    memory[at] = signed(number)


def swap_if(memory: Any, at: int, old: int, new: int) -> int:
    found = int(memory[at])
    if found == signed(old):
        memory[at] = signed(new)
    return found


def fault_at(condition: int, site: int) -> None:
    assert not condition, f"a fault at site {site}"


PLAIN: dict[str, Any] = {
    "es_load": lambda memory, at: memory[at],
    "es_store": store,
    "es_load_acquire": lambda memory, at: memory[at],
    "es_store_release": store,
    "es_swap_if": swap_if,
    "es_mixed": mixed,
    "es_unsigned_shift": lambda number, by: (number & WORD) >> by,
    "es_prefetch": lambda memory, at: None,
    "es_above": lambda value, limit: int(not 0 <= value <= limit),
    "es_whole": int,
    "es_fault_at": fault_at,
    "es_fault": lambda: 0,
    "es_clear_fault": lambda: None,
    "es_use_data": lambda data: None,
    **{code.name: int(code) for code in Code},
}


def names_of(text: str, **beside: Any) -> dict[str, Any]:
    """What a text of kernels defines, with these names beside it; `from` lines say only what stands there already."""
    names = {**vars(core), **PLAIN}
    body = [node for node in ast.parse(text).body if not isinstance(node, ast.ImportFrom)]
    exec(compile(ast.Module(body, []), "kernel", "exec"), names)
    names.update(beside)
    return names


def of_game(rules: CompiledRules, kernel: Any, **constants: int) -> Any:
    """The kernel with the rules of a game, as Python plays it."""
    program, game = rules.program(kernel, **constants), rules.game
    beside = {f"rule_{rule}": getattr(game, rule) for rule in ("moves", "play", "payoff")}
    text = "\n\n".join([program.glue, program.constants, program.kernel])
    return names_of(text, State=game.State, **beside)[kernel.__name__]


def of_keys(kernel: Any, words: int) -> Any:
    """A kernel without rules."""
    return names_of(shared_program(kernel, words).text)[kernel.__name__]


def both(kernel: Any, words: int, *arguments: Any) -> list[Any]:
    """What a kernel without rules gives and leaves in its arrays: as it is, and compiled."""
    found = []
    for run in (of_keys(kernel, words), shared_kernel(kernel, words)):
        given = [list(each) if isinstance(each, list) else each for each in arguments]
        if run.__class__ is not FunctionType:
            given = [np.array(each, np.int64) if isinstance(each, list) else each for each in given]
        result = run(*given)
        found.append((result, *(list(map(int, each)) for each in given if hasattr(each, "__len__"))))
    return found


def random_keys(seed: int, words: int) -> list[int]:
    """Keys, some of them more than once, word by word."""
    chance = random.Random(seed)
    keys = [[chance.randrange(1 << 40 if words == 1 else 1 << 61), chance.randrange(1 << 30)] for _ in range(40)]
    return [word for key in chance.choices(keys, k=60) for word in key[:words]]


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_lists_of_keys(words: int, seed: int) -> None:
    keys = random_keys(seed, words)
    for word in range(words):
        for shift in (0, 11, 22, 33, 44):
            plain, compiled = both(sort_digit, words, keys, [0] * len(keys), [0] * 2048, 60, word, shift)
            assert plain == compiled
            keys = plain[2] if plain[0] else plain[1]
    plain, compiled = both(drop_repeats, words, keys, 60)
    assert plain == compiled
    assert plain[0] <= 40
    kept, asked = plain[1][: plain[0] * words], plain[1][words : 5 * words]
    plain, compiled = both(match, words, kept, len(kept) // words, asked, 4, [0] * 4)
    assert plain == compiled
    assert plain[0] == 0
    assert plain[3] == [1, 2, 3, 4]


@pytest.mark.parametrize("words", [1, 2])
def test_tables_of_keys(words: int) -> None:
    keys, bits = random_keys(7, words), LEAST_CODE_BITS
    once = [word for key in sorted({tuple(keys[at : at + words]) for at in range(0, len(keys), words)}) for word in key]
    count = len(once) // words
    plain, compiled = both(enter, words, [0] * (256 * words), [0], 0, 63, once, 0, count, bits, UNSET)
    assert plain == compiled
    begin = next(slot for slot in range(64) if plain[1][slot * words] == 0)
    plain, compiled = both(enlarge, words, plain[1], 64, 128, begin, 0, 64, bits)
    assert plain == compiled
    table = plain[1]
    assert sum(1 for slot in range(128) if table[slot * words]) == count
    values = list(range(count))
    plain, compiled = both(place, words, table, 127, [0], [0] * 128, once, values, 0, count, bits, 1, 0)
    assert plain == compiled
    given = [0] * count
    plain, compiled = both(place, words, table, 127, [0], plain[3], once, given, 0, count, bits, 1, 1)
    assert plain == compiled
    assert plain[5] == values


@pytest.mark.parametrize("game", [es.games.Dominoes(n=4), es.games.TicTacToe()], ids=["dominoes", "tictactoe"])
def test_kernels_with_rules(game: es.Game) -> None:
    rules = CompiledRules.of(game, symmetry=False)
    place = game.position()
    assert rules.packing.words == 1
    found = []
    for compiled in (False, True):
        room, slots = 1 << 13, 1 << 14
        order, table, counters = scratch(room), scratch(slots), scratch(8)
        order[0] = rules.root_key(place.state, 0)[0]
        counters[1] = 1
        enter_keys(rules.packing, table, slots - 1, order, 1, UNSET)
        keys, children = Keys(table, slots - 1, order, room), Children(scratch(1 << 10), 1 << 10)
        choose = rules.kernel if compiled else partial(of_game, rules)
        run = choose(find_keys, SHARED=0, COUNTS=0, MEASURES=0)
        work = Work(rules.data, counters, 1 << 62)
        assert run(keys, children, work, scratch(1)) == Code.DONE
        assert counters[HEAD] == counters[TAIL]
        states = counters[TAIL]
        met, numbers = order[:states].tolist(), counters.tolist()
        stack, other = scratch(FRAME << 8), scratch(8)
        put(children.p_buffer, 0, order[:1])
        put(stack, 1, (0, 1))
        work = Work(rules.data, other, 1 << 62)
        ordered = choose(put_in_order)(keys._replace(most_nodes=states), children, Stack(stack, 1 << 8), work)
        found.append((met, numbers, ordered, order[:states].tolist(), other.tolist()))
    assert found[0] == found[1]
    assert sorted(found[0][3]) == sorted(found[0][0])
