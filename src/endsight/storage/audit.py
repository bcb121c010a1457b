"""Checks of a stored solution's rows against the rules in Python.

They are the checks that `endsight.answers.auditing` makes of a table in memory.
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
from endsight.compiler.rules import CompiledRules
from endsight.engine.comparing import Difference
from endsight.errors import Wrong
from endsight.game import Game
from endsight.game.numbers import ends_of
from endsight.game.position import Position
from endsight.storage.source import StoredSource
from endsight.storage.tablebase import open_tablebase


class StoredTable(StateTable[Row]):
    """Some parts of a stored solution as a table for random positions; a node is its row.

    `rules` are the compiled rules of the solve, if moves and successors are compared too.
    """

    def __init__(self, source: StoredSource, parts: Sequence[int], rules: CompiledRules | None = None) -> None:
        layout = source.layout
        self.source, self.parts, self.rules = source, parts, rules
        self.view, self.method = source.view, source.method
        self.states = max(source.manifest.states, source.manifest.rows)
        self.is_win_loss, self.by_mover = source.is_win_loss, layout.viewpoint == "mover"
        self.is_enclosed = layout.values == "ends"
        self.has_chance = source.view.game.gives("weight")

    def drawn(self, random: Random, count: int) -> Iterator[Any]:
        """Random positions of the parts, uniformly drawn; a block is read when one of its positions is needed."""
        totals = list(accumulate(self.source.manifest.parts[part].rows for part in self.parts))
        size = totals[-1] if totals else 0
        for number in random.sample(range(size), min(count, size)):
            place = bisect_right(totals, number)
            node = self.source.node_at(self.parts[place], number - (totals[place - 1] if place else 0))
            if node is not None:
                yield node

    def place(self, key: Any) -> Row | None:
        """The row of a node; for a node inside a round, the row computed from its moves."""
        row = self.source.place_of(key)
        if row is not None:
            return self.source.entries(row)
        return self.source.passed_over(self.source.keys.position(key))

    def row(self, node: Row) -> Row:
        """Values and distance."""
        return node

    def ends(self, node: Row) -> Bounds:
        """Bounds of every player's value."""
        return ends_of(node[0])


def audit_part(
    source: StoredSource, position: Position, part: int, most: int, seconds: float, rules: CompiledRules
) -> Audit:
    """Check up to `most` rows of one part, for `seconds` of computing; along with the first, also its best play."""
    return audit(StoredTable(source, [part], rules), position, seconds, most, share=part)


def audit_folder(folder: Path, game: Game | None = None, most: int = MOST) -> int:
    """Check up to `most` rows of a complete solution, without a time limit; returns how many it checked.

    `game` gives rules that are not built in. Raises `Wrong` where a row contradicts the rules in Python, and the errors
    of `open_tablebase`.
    """
    with open_tablebase(folder, game) as table:
        parts = range(len(table.manifest.parts))
        result = audit(StoredTable(table.source, parts), table.position, math.inf, most)
    if (wrong := result.difference) is not None:
        raise wrong_solution(f"{folder} holds a wrong solution", wrong, "endsight solve into another folder")
    return result.looked


def wrong_solution(what: str, difference: Difference, advice: str) -> Wrong:
    """The error that rows contradict the rules in Python: at which state which rule or value differs."""
    return Wrong(what, found=str(difference), allowed="what the rules say when Python runs them", advice=advice)
