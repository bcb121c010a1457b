"""The fuzzer of rules finds what it is there for, and nothing in fresh programs."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from amounts import each
from compiler_mistakes import MISTAKES as OF_COMPILERS
from compiler_mistakes import found_after as in_compiler_after
from compiler_mistakes import mistaken
from fuzz_rules import (
    LEAST_TAKEN,
    by_interpreter,
    by_machine,
    own_cache,
    run,
    seed_of_the_sources,
    smallest,
    verdict,
)
from program_texts import program
from translator_mistakes import MISTAKES

WITHIN = 2_000
"""Programs within which every mistake is found."""
FRESH, MACHINE_EVERY = 20, 10  # `.ci/run` tries 660 more
OF_THE_TABLE = list(MISTAKES)[:11]
"""Mistakes that were made once; the others are slow to find, or thought up."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with own_cache() as place:
        yield place


@cache
def written(seed: int) -> tuple[str, str]:
    """A program's text, and its syntax."""
    text = program(seed).text
    return text, ast.dump(ast.parse(text))


def found_after(mistake: str, folder: Path) -> int | None:
    change = MISTAKES[mistake]
    for seed in range(1, WITHIN + 1):
        text, syntax = written(seed)
        tree = ast.parse(text)
        change(tree)
        if ast.dump(tree) != syntax and verdict(text, folder, mistake=change).kind == "different":
            return seed
    return None


@pytest.mark.parametrize("mistake", each(MISTAKES, lambda name: name in OF_THE_TABLE))
def test_every_mistake_is_found(mistake: str, folder: Path) -> None:
    assert found_after(mistake, folder) is not None


@pytest.mark.parametrize("mistake", OF_COMPILERS)
def test_every_mistake_can_be_put_back(mistake: str) -> None:
    with mistaken(mistake):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("mistake", OF_COMPILERS)
def test_every_mistake_of_the_compiler_is_found(mistake: str, folder: Path) -> None:
    assert in_compiler_after(mistake, folder, WITHIN) is not None


def test_fresh_programs_mean_the_same_compiled(folder: Path) -> None:
    first = int(os.environ.get("FUZZ_SEED") or seed_of_the_sources())
    tally = run(range(first, first + FRESH), folder, machine_every=MACHINE_EVERY, tell=lambda text: None)
    assert tally.different == [], (
        f"python tests/fuzz_rules.py --count {FRESH} --seed {first} --machine-every {MACHINE_EVERY}"
    )
    assert tally.taken > LEAST_TAKEN - 0.3, tally.refusals  # of so few programs


def test_programs_are_the_same_for_a_seed() -> None:
    assert program(5) == program(5)
    assert len({program(seed).text for seed in range(100)}) == 100


def test_the_smallest_text_is_small(folder: Path) -> None:
    mistake = MISTAKES["division rounds to zero"]

    def is_different(text: str) -> bool:
        return verdict(text, folder, mistake=mistake).kind == "different"

    seed = next(seed for seed in range(1, 100) if is_different(program(seed).text))
    text = smallest(program(seed).text, is_different, tries=300)
    assert is_different(text)
    assert len(text) < 0.7 * len(program(seed).text)
    assert " // " in text


RULES = """
from typing import NamedTuple

from endsight.game import Game


class Rules(Game):
    players = 1

    class State(NamedTuple):
        a: int
        step: int

    def limits(self):
        return self.State(9, 2)

    def start(self):
        return self.State(3, 0)

    def to_move(self, state):
        return 0

    def moves(self, state):
        if state.step < 2:
            yield from (0, 1)

    def play(self, state, move):
        return self.State((state.a * 2 + move) % 10, state.step + 1)

    def payoff(self, state):
        x = state.a
        later = lambda: x * 2
        return {expression}
"""


@pytest.mark.parametrize(
    "expression",
    [
        "x * 10 + (x := 4)",
        "max(x, (x := 2)) + x",
        "(x, (x := 7))[0] * 3 + x",
        "divmod((x := x + 17), (x := 5))[0]",
        "later() + (x := 4)",
        "(y := x + 2) * y",
        "(y := later()) + y",
    ],
)
def test_a_new_value_in_the_middle_of_an_expression_comes_in_time(expression: str, folder: Path) -> None:
    for engine in (by_interpreter, by_machine):
        came = verdict(RULES.format(expression=expression), folder, engine)
        assert came.kind == ("taken" if "y :=" in expression else "refused"), came
