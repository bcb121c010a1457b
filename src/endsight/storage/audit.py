"""Rows of a stored solution looked at by the rules in Python.

What is asked of a row is what `endsight.answers.auditing` asks of a table in memory.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from endsight.answers.auditing import MOST, Audit, audit
from endsight.answers.source import Bounds, Row, StateTable
from endsight.compiler.looking import Difference
from endsight.compiler.rules import CompiledRules
from endsight.errors import Wrong
from endsight.game import Game
from endsight.game.numbers import ends_of
from endsight.game.position import Position
from endsight.storage.source import Stored
from endsight.storage.tablebase import open_tablebase


class StoredTable(StateTable[Row]):
    """Some parts of a stored solution as a table whose positions can be drawn; a node is its row.

    `rules` are the compiled ones that the solution was found by, where moves and successors are to be compared too.
    """

    def __init__(self, source: Stored, parts: Sequence[int], rules: CompiledRules | None = None) -> None:
        layout = source.layout
        self.source, self.parts, self.rules = source, parts, rules
        self.view, self.method = source.view, source.method
        self.states = max(source.manifest.states, source.manifest.rows)
        self.is_win_loss, self.by_mover = source.is_win_loss, layout.viewpoint == "mover"
        self.is_enclosed = layout.values == "ends"
        self.has_chance = source.view.game.gives("weight")

    def drawn(self, random: Random, count: int) -> Iterator[Any]:
        """Positions of the parts, drawn evenly; blocks are read when a position of theirs is wanted."""
        ends = list(accumulate(self.source.manifest.parts[part].rows for part in self.parts))
        size = ends[-1] if ends else 0
        for number in random.sample(range(size), min(count, size)):
            place = bisect_right(ends, number)
            node = self.source.node_at(self.parts[place], number - (ends[place - 1] if place else 0))
            if node is not None:
                yield node

    def place(self, key: Any) -> Row | None:
        """The row of a node; of one that rounds pass over, what its moves make of theirs."""
        found = self.source.place_of(key)
        if found is not None:
            return self.source.entries(found)
        return self.source.passed_over(self.source.keys.position(key))

    def row(self, node: Row) -> Row:
        """Values and distance."""
        return node

    def ends(self, node: Row) -> Bounds:
        """Bounds of everybody's value."""
        return ends_of(node[0])


def audit_part(source: Stored, position: Position, part: int, most: int, seconds: float, rules: CompiledRules) -> Audit:
    """Look at up to `most` rows of one part, for so many seconds of computing; with the first, at best play too."""
    return audit(StoredTable(source, [part], rules), position, seconds, most, share=part)


def audit_folder(folder: Path, game: Game | None = None, most: int = MOST) -> int:
    """Look at up to `most` rows of a complete solution, however long it takes; gives how many.

    `game` gives rules that are not built in. Raises `Wrong` where a row is not what the rules in Python say, and what
    `open_tablebase` raises.
    """
    with open_tablebase(folder, game) as table:
        parts = range(len(table.manifest.parts))
        found = audit(StoredTable(table.source, parts), table.position, math.inf, most)
    if found.difference is not None:
        raise wrong_solution(f"{folder} holds a wrong solution", found.difference, "endsight solve into another folder")
    return found.looked


def wrong_solution(what: str, difference: Difference, advice: str) -> Wrong:
    """That rows are not what the rules in Python say: which rule at which state, or which value."""
    return Wrong(what, found=str(difference), allowed="what the rules say when Python runs them", advice=advice)
