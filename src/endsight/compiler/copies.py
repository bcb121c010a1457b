"""How much of the program consists of copies: loops that are written out turn by turn.

A loop in a loop in a loop, each written out, becomes their product of copies, and none of them looks long by itself. So
what the turns became is measured: a loop that takes too much is translated once more as an ordinary loop, the outermost
one first, and those inside it stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from endsight.compiler import core
from endsight.compiler.program import Function
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.values import nodes_in

Place: TypeAlias = tuple[str, int, int]
"""The file, line and column of what a loop goes through."""

MOST_COPIED = 3000
"""The work that a loop written out may amount to, in nodes of the core. In 109 games written by hand all do with 2,300;
LLVM took half a second for 5,000, and up to fifteen for 7,000."""
MOST_IN_ALL = 6000
"""A program with more nodes than that copies less. Those of the 109 games have up to 1,540."""
_LEAST_COPIED = 150
"""Loops that become no more than that stay written out in any case."""
_LOOP = 250
"""What a loop inside a turn counts, besides its nodes: LLVM rearranges loops for most of its time, and what a loop does
depends little on what is known of the turn around it. None of the loops written out in those games has loops inside."""
_MOST_CALLED = 200
"""What a call counts at most: LLVM writes out functions that are short. Those that yield are always written out."""
_ANYWAY = 4
"""Rules that cannot be compiled without copies may have so many times as much of them."""


class TooLong(Exception):
    """A loop that was written out became too long, so that translating begins anew; see `Copies.kept`."""


class Copies:
    """What is known of the loops of a program.

    most    the work that a loop written out may amount to
    kept    loops that would be more, and are ordinary loops
    anyway  whether all are written out as far as possible, as the rules cannot be compiled with ordinary loops
    largest the work of the longest loop that is written out
    """

    def __init__(self) -> None:
        self.most = MOST_COPIED
        self.kept: set[Place] = set()
        self.anyway = False
        self.largest = 0

    @property
    def found(self) -> tuple[int, int, bool]:
        """What has been found out so far."""
        return self.most, len(self.kept), self.anyway

    def count(self, work: int, place: Place) -> None:
        """Take note of the work that the first turns of a loop are; raises `TooLong` if that is too much."""
        if self.anyway and work > _ANYWAY * MOST_COPIED:
            raise CannotCompile(
                "a loop over such items is written out turn by turn, and is too long for that: loop over numbers, or "
                "move what it does into a function",
                *place[:2],
            )
        if work > self.most and not self.anyway:
            self.kept.add(place)
            raise TooLong
        self.largest = max(self.largest, work)

    def write_out_anyway(self) -> bool:
        """Do without ordinary loops in place of those that are too long; False if that would change nothing."""
        if self.anyway or not self.kept:
            return False
        self.anyway = True
        self.kept.clear()
        return True

    def write_out_less(self, program: Mapping[str, Function]) -> None:
        """Allow for shorter copies alone if the whole program is too long, and any are longer than that."""
        less = max(self.most // 4, _LEAST_COPIED)
        size = sum(len(nodes_in(made.body)) for made in program.values())
        if size > MOST_IN_ALL and self.largest > less and not self.anyway:
            self.most, self.largest = less, 0


def work_in(part: Any, program: Mapping[str, Function]) -> int:
    """The work that some statements are for LLVM, with the functions that they call."""
    return _work(part, program, {})


def _work(part: Any, program: Mapping[str, Function], known: dict[str, int]) -> int:
    nodes = nodes_in(part)
    written_in = {id(node.call) for node in nodes if isinstance(node, core.Each)}
    total = len(nodes)
    for node in nodes:
        if isinstance(node, core.While | core.Count | core.Each):
            total += _LOOP
        if isinstance(node, core.Call):
            called = _called(node.function, program, known)
            total += called if id(node) in written_in else min(called, _MOST_CALLED)
    return total


def _called(name: str, program: Mapping[str, Function], known: dict[str, int]) -> int:
    if name not in known:
        known[name] = 0  # of a function that calls itself
        known[name] = _work(program[name].body, program, known) if name in program else 0
    return known[name]
