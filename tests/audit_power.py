"""How often the audit of an answer finds what a translator got wrong, when nothing else looks.

    python tests/audit_power.py --seeds 100

Every mistake of the first translator is made again, by compiling what Python would give for the changed
text (see `translator_mistakes.py`), in games of about 50,000 positions where it matters at one position in 100.
The comparison of both engines is switched off. Every seed draws other positions; an answer is looked at for the time
that the audit takes by itself.
"""

from __future__ import annotations

import argparse
import ast
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from translator_mistakes import MISTAKES
from wrong_answers import USUAL_SECONDS, Audit, audit, compiled_as, drawn, seeded, unaudited

__all__ = ["ROWS", "Found", "Row", "power"]

WALK = """
import functools
from math import lcm
from typing import NamedTuple

from endsight import Game


def more_at_odd_ones(function):
    @functools.wraps(function)
    def wrapped(self, state):
        return function(self, state) + (1 if self.odd(state) else 0)

    return wrapped


class Walk(Game):
    players = 2
    plies: int = 130
    cap: int = 1
    variant: int = 0

    class State(NamedTuple):
        ply: int
        side: int

    def setup(self):
        {setup}

    def limits(self):
        return self.State(self.plies, 400)

    def start(self):
        return self.State(0, 0)

    def odd(self, state):
        return (7 * state.side + 3 * state.ply) % 100 == 41

    def to_move(self, state):
        return (state.ply + state.side) % 2

    def moves(self, state):
        if state.ply < self.plies:
            yield from range(3)

    def play(self, state, move):
        return self.State(state.ply + 1, (3 * state.side + 5 * move + self.extra(state)) % 401)

    def payoff(self, state):
        return (state.side % 7, -(state.side % 7))

    {decorator}
    def extra(self, state):
        {extra}

    def another(self, state):
        return 2 if self.odd(state) else 1

    @classmethod
    def highest(cls):
        return cls.cap
"""
FAN = """
from typing import NamedTuple

from endsight import Game


class Walk(Game):
    players = 2

    class State(NamedTuple):
        ply: int
        side: int

    def limits(self):
        return self.State(2, 60_000)

    def start(self):
        return self.State(0, 0)

    def odd(self, state):
        return state.side % 100 == 41

    def moves(self, state):
        if state.ply < 2:
            yield from range(230)

    def play(self, state, move):
        return self.State(state.ply + 1, state.side * 230 + move)

    def payoff(self, state):
        return self.odd(state) if self.odd(state) else state.side % 3 - 1
"""


@dataclass(frozen=True)
class Row:
    """Rules, the mistake that is made with them, and the parameters that they and the wrong ones have."""

    mistake: str | None
    extra: tuple[str, ...] = ("return 1",)
    setup: str = "pass"
    decorator: str = ""
    text: str = WALK
    parameters: tuple[tuple[str, Any], ...] = ()
    wrong_parameters: tuple[tuple[str, Any], ...] = ()

    def rules(self) -> str:
        """The text of the rules."""
        parts = {"setup": self.setup, "decorator": self.decorator, "extra": "\n        ".join(self.extra)}
        return self.text.format(**parts) if self.text == WALK else self.text


ROWS: dict[str, Row] = {
    "a comprehension in the head of a loop binds the function's own name": Row(
        "a comprehension in a loop's header binds the function's own name",
        (
            "steps, total = 1, 0",
            "for each in (2 * steps for steps in range(3 if self.odd(state) else 0)):",
            "    total += each",
            "return steps + total",
        ),
    ),
    "the first iterable is read inside": Row(
        "the first iterable of a comprehension is read inside",
        ("n = 3 if self.odd(state) else 0", "return 1 + sum(n for n in range(n))"),
    ),
    "a decorator is dropped": Row("a decorator is dropped", decorator="@more_at_odd_ones"),
    "a method chosen in setup is that of the class": Row(
        "a method chosen in setup is that of the class", setup="self.extra = self.another"
    ),
    "a class method reads the instance": Row(
        "a class method reads the instance",
        ("return self.highest() if self.odd(state) else 1",),
        parameters=(("cap", 2),),
        wrong_parameters=(("cap", 2),),
    ),
    "an unbound name reads 0": Row(
        "an unbound name reads 0", ("if not self.odd(state):", "    step = 1", "return step")
    ),
    "assert is dropped": Row("assert is dropped", ("assert not self.odd(state)", "return 1")),
    "zip(strict=True) is not checked": Row(
        "zip(strict=True) is not checked",
        (
            "total = 0",
            "for one, other in zip((1,), (0, 7)[: 2 if self.odd(state) else 1], strict=True):",
            "    total += one + other",
            "return total",
        ),
    ),
    "a payoff of True is accepted": Row("a truth value is paid", text=FAN),
    "a global is taken by its name": Row(
        "a global is taken by its name", ("return lcm(2, 4 if self.odd(state) else 2) - 1",)
    ),
    "what was compiled for another parameter is used": Row(
        None,
        ("return 1 + self.variant if self.odd(state) else 1",),
        parameters=(("variant", 1),),
        wrong_parameters=(("variant", 0),),
    ),
}
"""The rows of the list of mistakes."""


@dataclass(frozen=True)
class Found:
    """In how many of so many audits a mistake was found, how many positions they looked at at most, out of how many.

    `share` is how many of the positions the mistake touches.
    """

    found: int
    seeds: int
    looked: int
    states: int
    share: float
    told: str


def power(row: Row, seeds: int, folder: Path, seconds: float = USUAL_SECONDS) -> Found:
    """Audit one wrong answer so many times, each time with another seed."""
    right = _game(row, None, folder / "right.py")
    change = None if row.mistake is None else MISTAKES[row.mistake]
    wrong = _game(row, change, folder / "wrong.py")
    with pytest.MonkeyPatch.context() as patch:
        compiled_as(patch, wrong)
        solution = unaudited(right, "layers")
        states = drawn(solution, 5_000, 1)
        share = sum(map(right.odd, states)) / len(states)  # type: ignore[attr-defined]
        audits = []
        for seed in range(seeds):
            seeded(patch, seed)
            audits.append(audit(solution, seconds=seconds) or Audit(0))
    told = next((each.told for each in audits if each.wrong is not None), "")
    found = sum(each.wrong is not None for each in audits)
    return Found(found, seeds, max(each.looked for each in audits), solution.states, share, told)


def _game(row: Row, change: Callable[[ast.Module], None] | None, path: Path) -> es.Game:
    """The game of a row: as its text says, or after a change of its tree."""
    text = row.rules()
    if change is not None:
        tree = ast.parse(text)
        change(tree)
        text = ast.unparse(ast.fix_missing_locations(tree))
    path.write_text(text)
    parameters = row.parameters if path.stem == "right" else row.wrong_parameters
    return type(es.load(f"{path}:Walk"))(**dict(parameters))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    seeds = parser.parse_args().seeds
    print("| mistake | positions | touched | looked at most | found |\n|---|---|---|---|---|")
    least = seeds
    for name, row in ROWS.items():
        with tempfile.TemporaryDirectory() as folder:
            found = power(row, seeds, Path(folder))
        least = min(least, found.found)
        counts = f"{found.states:,} | {found.share:.2%} | {found.looked} | {found.found} of {seeds}"
        print(f"| {name} | {counts} |", flush=True)
    raise SystemExit(least < 0.99 * seeds)


if __name__ == "__main__":
    main()
