"""How a method is chosen: from what is asked, and what the game is, to a way to the answer.

`PLAN` is read from the top, and the first row whose conditions all hold is followed. Where
the rules cannot be compiled for its path, or the path has a bound and more turns up, reading goes on
below it. The last row takes everything. `ON_GRAPHS` is read in the same way, and the documentation
prints both. Facts are attributes of what is asked about (`compiler.choice.Task`, `graph.Graph`), measured
when a row first asks for them, and then kept; rows ask for cheap ones first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["FACTS", "FEW_BOUNDS", "MOST_IN_ONE_GRAPH", "ON_GRAPHS", "PLAN", "REFUSALS", "Row", "fitting"]

MOST_IN_ONE_GRAPH = 1_000_000
"""Positions beyond which a game with chance and layers is solved in rounds."""
FEW_BOUNDS = f"bounds of up to {MOST_IN_ONE_GRAPH:,} positions"


@dataclass(frozen=True)
class Row:
    """One row of a table.

    path    what is done
    when    values that facts must have, by the fact's name
    reason  why, in a sentence
    """

    path: str
    when: Mapping[str, tuple[Any, ...]]
    reason: str

    def fits(self, facts: object) -> bool:
        """Whether all conditions hold."""
        return all(getattr(facts, name) in allowed for name, allowed in self.when.items())


def fitting(rows: Sequence[Row], facts: object) -> Iterator[Row]:
    """Rows that fit, in order: the first is the plan, the next one what is done where that refuses."""
    return (row for row in rows if row.fits(facts))


FACTS: Mapping[str, str] = {
    "theorem": "A theorem settles the position.",
    "rounds": "The rules give `layer`, `weight` and `to_move`, and no `reward`, for one or two players; "
    "the question is the plain one: own payoff, no policies.",
    "large": "The game is larger than what Python explores in a moment (some 50,000 moves).",
    "whole_first": "No layer is kept from an earlier run, and the limits hold as many positions as one graph may have.",
    "fits": "The limits hold as many positions as an earlier run has counted, if there was one.",
    "verdicts": "The rules prove that the game is only won, drawn or lost.",
    "told": "Players choose, and nothing of the past counts but the state.",
    "chance": "Chance is met among the first positions.",
    "is_cyclic": "Play can come back to a position.",
    "has_chance": "Chance decides somewhere.",
}
"""What each fact means, in order of appearance."""

_YES, _NO = (True,), (False,)
_COMPILING = ("auto", "compiled")
_IN_ROUNDS = {"kind": ("auto", "interval"), "rounds": _YES}

PLAN = (
    Row("minimax", {"method": ("minimax",)}, "Every line of play is followed, as asked."),
    Row("alphabeta", {"method": ("alphabeta",)}, "Alpha-beta search with a table is run, as asked."),
    Row("proofnumber", {"method": ("proofnumber",)}, "Proof-number search is run, as asked."),
    Row("theorem", {"method": ("auto", "theorem"), "theorem": _YES}, "A theorem is faster than any search."),
    Row(
        "search",
        {"method": ("auto",), "engine": _COMPILING, "theorem": _YES},
        "The theorem's own search for who wins has grown too large, and the compiled one is faster.",
    ),
    Row("stopped", {"method": ("auto",), "theorem": _YES}, "The theorem's own search has grown too large."),
    Row("unsettled", {"method": ("theorem",)}, "Only a theorem will do, and none settles this position."),
    Row(
        FEW_BOUNDS,
        {"method": ("auto",), "engine": _COMPILING, **_IN_ROUNDS, "large": _YES, "whole_first": _YES},
        "One graph is faster than rounds, as long as it is not too large for the memory.",
    ),
    Row("rounds", {"method": ("layers",), "engine": ("compiled",), **_IN_ROUNDS}, "Layers with chance, as asked."),
    Row(
        "rounds",
        {"method": ("auto", "layers"), "engine": _COMPILING, **_IN_ROUNDS, "large": _YES},
        "The moves of one layer at a time take the least memory, and a layer may have loops and chance.",
    ),
    Row(
        "too large",
        {"method": ("auto", "graph", "layers"), "engine": ("auto",), "large": _YES, "fits": _NO},
        "An earlier run has counted more positions than the limits hold.",
    ),
    Row("layers", {"method": ("layers",), "engine": _COMPILING}, "Layers are solved without keeping moves, as asked."),
    Row(
        "search",
        {"method": ("search",), "engine": _COMPILING, "verdicts": _YES},
        "Cut-offs are sound in a game that is only won, drawn or lost.",
    ),
    Row(
        "postorder",
        {"method": ("search",), "engine": _COMPILING},
        "Without that proof every position is solved, each after all that it leads to.",
    ),
    Row("tree", {"method": ("search",)}, "In Python, alpha-beta searches until it meets what it is not made for."),
    Row(
        "layers",
        {"method": ("auto",), "engine": ("compiled",), "told": _YES},
        "Layers keep no moves, so they take the least memory.",
    ),
    Row(
        "layers",
        {"method": ("auto",), "engine": ("auto",), "told": _YES, "large": _YES, "chance": _NO},
        "Layers keep no moves, so they take the least memory.",
    ),
    Row(
        "bounds",
        {"method": ("auto",), "engine": _COMPILING, "large": _YES, "chance": _YES},
        "Proven bounds on arrays are faster than exact fractions in large games with chance.",
    ),
    Row("compiled graph", {"engine": ("compiled",)}, "The graph is explored by compiled rules, as asked."),
    Row("compiled graph", {"engine": ("auto",), "large": _YES}, "Compiled rules explore large graphs faster."),
    Row("graph", {}, "Every game can be explored in Python, and small ones are before anything would be compiled."),
)
"""How a position is solved: `solver` reads it for a `Task`."""

REFUSALS = ("stopped", "unsettled", "too large")
"""Paths that lead to no answer: the question is refused for the reason of the row."""

ON_GRAPHS = (
    Row("backward induction", {"is_cyclic": _NO}, "Without loops, values follow from the ends back."),
    Row(
        "retrograde analysis",
        {"has_chance": _NO},
        "Without chance, what ends force is found from them back; players who never force one go round for ever.",
    ),
    Row("policy iteration", {}, "Loops with chance are a system of equations for every choice of moves."),
)
"""How a graph is solved: `solver` reads it for a `Graph`."""
