"""How a method is chosen: from the question and the facts of the game to a way to the answer.

`PLAN` is read from the top, and the first row whose conditions all hold is followed. Where
the rules cannot be compiled for its path, or the path has a bound and more turns up, reading continues
below it. The last row takes everything. `NODES`, `ON_GRAPHS` and `PLACES` are read in the same way, and the
documentation prints all. Facts are attributes of their subject (`engine.choice.Task`, `objective.View`,
`graph.Graph`, `layers.modes.Solve`), measured when a row first asks for them, and then kept; rows ask for cheap
ones first. `docs/reference/methods.md` says what each fact means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

MOST_IN_ONE_GRAPH = 1_000_000
"""Positions beyond which a game with chance and layers is solved in rounds."""
PROOFS_AFTER = 4_000_000
"""Positions of a search after which proof numbers run beside it."""
FEW_BOUNDS = f"bounds of up to {MOST_IN_ONE_GRAPH:,} positions"


class Case(NamedTuple):
    """One row of a table.

    path    what to do
    when    values that facts must have, by the fact's name
    reason  why, in a sentence
    """

    path: str
    when: Mapping[str, tuple[Any, ...]]
    reason: str

    def fits(self, facts: object) -> bool:
        """Whether all conditions hold."""
        return all(getattr(facts, name) in allowed for name, allowed in self.when.items())


def fitting(rows: Sequence[Case], facts: object) -> Iterator[Case]:
    """Rows that fit, in order: the first is the plan, the next one the fallback where that refuses."""
    return (row for row in rows if row.fits(facts))


_YES, _NO = (True,), (False,)
_COMPILING = ("auto", "compiled")
_BESIDE = f"After {PROOFS_AFTER:,} positions proof numbers run beside it."
_IN_ROUNDS = {"kind": ("auto", "interval"), "rounds": _YES}

PLAN = (
    Case(
        "beliefs",
        {"hides": _YES, "common_view": _YES},
        "All players see the same, so what they know is a game in which nothing is hidden; the plan is read for that.",
    ),
    Case(
        "followed",
        {"method": ("auto",), "bound": ("all",), "by_views": _YES},
        "All players play by policies that go by what they see, so play is followed as it is.",
    ),
    Case(
        "best reply",
        {"method": ("auto",), "bound": ("all but one",), "by_views": _YES, "competes": _YES, "discounted": _NO},
        "All players but one play by policies that go by what they see, and a best reply to these is found.",
    ),
    Case(
        "sequence form",
        {"hides": _YES, "duel": _YES, "method": ("auto",)},
        "Two players see different things, so each needs a plan; a linear program finds two, whole numbers prove them.",
    ),
    Case(
        "unopposed",
        {"hides": _YES, "method": ("auto",)},
        "Equilibria of players who are not two and opposed differ in value, so none of them is the value.",
    ),
    Case("hidden", {"hides": _YES}, "Other methods take what players do not see for something that they know."),
    Case(
        "no discount",
        {"method": ("minimax", "alphabeta", "proofnumber", "search", "layers"), "discounted": _YES},
        "Searches and layers count everything fully.",
    ),
    Case("minimax", {"method": ("minimax",)}, "Every line of play is followed, as asked."),
    Case("alphabeta", {"method": ("alphabeta",)}, "Alpha-beta search with a table is run, as asked."),
    Case(
        "proof numbers",
        {"method": ("proofnumber",), "engine": _COMPILING, "opposed": _YES},
        "Proof-number search is run, as asked.",
    ),
    Case("proofnumber", {"method": ("proofnumber",)}, "Proof-number search is run in Python."),
    Case(
        "theorem",
        {"method": ("auto", "theorem"), "theorem": _YES},
        "A method for this game alone is faster than any search.",
    ),
    Case(
        "search",
        {"method": ("auto",), "engine": _COMPILING, "theorem": _YES},
        f"The theorem's own search for who wins has grown too large, and the compiled one is faster. {_BESIDE}",
    ),
    Case(
        "patient theorem",
        {"method": ("auto",), "theorem": _YES},
        "Nothing else can answer, so the theorem searches on.",
    ),
    Case("unsettled", {"method": ("theorem",)}, "Only a theorem will do, and none settles this position."),
    Case(
        "matrix search",
        {
            "method": ("auto",),
            "engine": ("auto", "plain"),
            "kind": ("auto", "interval"),
            "at_once": _YES,
            "large": _YES,
            "discounted": _NO,
        },
        "Where players move at once, fractions grow long; beyond 100,000 positions only bounds are given, no moves.",
    ),
    Case(
        FEW_BOUNDS,
        {"method": ("auto",), "engine": _COMPILING, **_IN_ROUNDS, "large": _YES, "whole_first": _YES},
        "One graph is faster than rounds, as long as it is not too large for the memory.",
    ),
    Case("rounds", {"method": ("layers",), "engine": ("compiled",), **_IN_ROUNDS}, "Layers with chance, as asked."),
    Case(
        "rounds",
        {"method": ("auto", "layers"), "engine": _COMPILING, **_IN_ROUNDS, "large": _YES},
        "The moves of one layer at a time take the least memory, and a layer may have loops and chance.",
    ),
    Case(
        "iterative deepening",
        {"method": ("auto",), "engine": ("auto",), "large": _YES, "bounded": _YES},
        "The bound shows which positions need no search, and memory is no limit.",
    ),
    Case(
        "bidirectional search",
        {"method": ("auto",), "engine": ("auto",), "large": _YES, "retraced": _YES},
        "Play from the position and steps back from the ends meet halfway, and most positions lie beyond.",
    ),
    Case(
        "search",
        {
            "method": ("auto",),
            "engine": ("auto",),
            "opposed": _YES,
            "large": _YES,
            "chance": _NO,
            "vast": _YES,
        },
        f"All positions may take much of the memory and of the time, and a search needs no list of them. {_BESIDE}",
    ),
    Case(
        "too large",
        {"method": ("auto", "graph", "layers"), "engine": ("auto",), "large": _YES, "fits": _NO},
        "An earlier run has counted more positions than the limits hold.",
    ),
    Case("layers", {"method": ("layers",), "engine": _COMPILING}, "Layers are solved without keeping moves, as asked."),
    Case(
        "iterative deepening",
        {"method": ("search",), "engine": _COMPILING, "bounded": _YES},
        "The bound shows which positions need no search, and positions may repeat.",
    ),
    Case(
        "bidirectional search",
        {"method": ("search",), "engine": _COMPILING, "retraced": _YES},
        "Play from the position and steps back from the ends meet halfway, and positions may repeat.",
    ),
    Case(
        "search",
        {"method": ("search",), "engine": _COMPILING, "opposed": _YES},
        f"Cut-offs are sound where the payoffs they skip are known to be opposed. {_BESIDE}",
    ),
    Case(
        "layers",
        {"method": ("search",), "engine": _COMPILING},
        "Without that proof every position has to be solved, and layers keep no moves.",
    ),
    Case("tree", {"method": ("search",)}, "In Python, alpha-beta searches until it meets what it is not made for."),
    Case(
        "layers",
        {"method": ("auto",), "engine": ("compiled",), "told": _YES},
        "Layers keep no moves, so they take the least memory.",
    ),
    Case(
        "layers",
        {"method": ("auto",), "engine": ("auto",), "told": _YES, "large": _YES, "chance": _NO},
        "Layers keep no moves, so they take the least memory.",
    ),
    Case(
        "bounds",
        {"method": ("auto",), "engine": _COMPILING, "large": _YES, "chance": _YES, "discounted": _NO},
        "Proven bounds on arrays are faster than exact fractions in large games with chance.",
    ),
    Case("compiled graph", {"engine": ("compiled",)}, "The graph is explored by compiled rules, as asked."),
    Case("compiled graph", {"engine": ("auto",), "large": _YES}, "Compiled rules explore large graphs faster."),
    Case("graph", {}, "Python explores every game, small ones before they would be compiled."),
)
"""How a position is solved: `solver` reads it for a `Task`."""

REFUSALS = ("unopposed", "hidden", "no discount", "unsettled", "too large", "no layers")
"""Paths that lead to no answer: the question is refused for the reason of the row."""

NOTIONS: Mapping[str, str] = {"beliefs": "what players know: the mean over all that may be hidden from them"}
"""What values mean, by path, where they are not those of a position that everybody sees."""

TIE_RULE = "subgame-perfect equilibrium, each player taking the first of their best moves"
"""What values rest on where players' interests are not simply opposed."""

ONE_EQUILIBRIUM = "one equilibrium, perhaps of several: nobody gains by playing otherwise, whatever they remember"
"""What values of games with loops rest on where players' interests are not opposed."""

EQUILIBRIUM = "equilibrium"
"""What the value of a game in which players see different things rests on: a plan for each side that proves it."""

FOUND_EQUILIBRIUM = "one equilibrium"
"""What values of its later positions rest on: the results there of the two plans that were found."""

FIRST_REPLY = "a best reply to the policies of the others, the first of several where moves are equally good"
"""What values rest on where one player replies to policies, and what others get may depend on which reply is made."""

NODES = (
    Case("state, mover and totals", {"tracks_totals": _YES}, "The utility counts what was gained on the way."),
    Case("state", {"takes_turns": _NO}, "The state alone shows who moves."),
    Case(
        "state",
        {"pays_numbers": _YES, "is_plain": _YES, "discounted": _NO},
        "Values are those of whoever moves, whoever that is.",
    ),
    Case("state and mover", {}, "Players take turns, and what they get depends on whose turn it is."),
)
"""What a node of the graph remembers: `objective` reads it for a `View`."""

PLACES = (
    Case(
        "rounds",
        {"mode": ("auto", "memory", "disk"), "in_rounds": _YES},
        "Every layer is stored as soon as it is solved, with loops and chance inside.",
    ),
    Case("memory", {"mode": ("memory",)}, "The whole solution is solved in memory, as asked."),
    Case(
        "memory",
        {"mode": ("auto",), "has_scheduler": _NO, "in_layers": _NO},
        "What cannot be solved in layers on the disk is solved in memory.",
    ),
    Case("no layers", {"in_layers": _NO}, "Disk and cluster solve in layers alone."),
    Case("cluster", {"mode": ("cluster",)}, "The workers of a cluster solve the parts of a layer, as asked."),
    Case("cluster", {"mode": ("auto",), "has_scheduler": _YES}, "A scheduler is named, so its workers solve."),
    Case(
        "half of the memory",
        {"mode": ("auto",), "has_begun": _NO},
        "Memory is faster than the disk, as long as half of what may be used is enough.",
    ),
    Case("disk", {}, "Layers on the disk need little memory."),
)
"""Where `endsight solve` works: `layers.modes` reads it for a `Solve`."""

ON_GRAPHS = (
    Case("backward induction", {"is_cyclic": _NO}, "Without loops, values follow from the ends back."),
    Case(
        "matrix iteration",
        {"moves_at_once": _YES},
        "Where players move at once and play can come back to a position, values need not be fractions.",
    ),
    Case(
        "retrograde analysis",
        {"has_chance": _NO, "pays_on_loops": _NO},
        "Without chance, what ends force is found from them back; players who never force one go round for ever.",
    ),
    Case(
        "shortest paths",
        {"has_chance": _NO, "is_solitary": _YES},
        "Where loops cost one player something, the cheapest ways are found one by one.",
    ),
    Case(
        "policy iteration",
        {},
        "Loops with chance, or with costs, are a system of equations for every choice of moves.",
    ),
)
"""How a graph is solved: `solver` reads it for a `Graph`."""
