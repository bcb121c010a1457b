"""The entry point: compiled rules answer questions as far as they can.

`solve_compiled` tries one method and returns a `Source`; `explore_compiled` is the twin of `explorer`. Both
raise `CannotCompile` where the plain engine has to do the work. Modules that only some questions need are loaded
where those are answered: numpy takes longer to load than many a game takes to solve.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from endsight.answers.searched import Search
from endsight.answers.source import Solved, Source
from endsight.base.deferred import deferred, load
from endsight.compiler.native import KernelText, is_trusted, trust, why_distrusted
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.goals import Goals
from endsight.engine.layers import first_kernels, ordering_kernels, solve_layers
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import require_all_seen
from endsight.graph.graph import Graph
from endsight.graph.objective import View

if TYPE_CHECKING:
    from endsight.engine.search_run import PuzzleSearcher

with deferred(__name__):
    from endsight.compiler.two_processes import compiled_beside
    from endsight.engine.comparing import compare, first_sample, is_ordered, later_sample
    from endsight.engine.deepening import BothEnds, Deepener
    from endsight.engine.distances import Distances
    from endsight.engine.exploring import explore_arrays, graph_of
    from endsight.engine.proof_numbers import ProofNumbers
    from endsight.engine.searching import CompiledSearcher

CompiledMethod = Literal["layers", "search", "iterative deepening", "bidirectional search", "proof numbers"]
Sample: TypeAlias = tuple[View, Graph]
"""A part of the graph from the plain engine."""
FirstKernels: TypeAlias = Callable[[CompiledRules], Sequence[KernelText]]
"""The kernels that will be needed next."""


def _no_kernels(_: CompiledRules) -> Sequence[KernelText]:
    return ()


def _nothing() -> None:
    pass


def solve_compiled(
    view: View,
    position: Position,
    method: CompiledMethod,
    budget: Budget,
    begun: Sample | None = None,
    keep: Path | str | None = None,
) -> Source:
    """The source that answers the question: `layers` solves all that is reachable, `search` one position, `iterative
    deepening` one of a puzzle whose bound is proven, `bidirectional search` one of a puzzle whose steps back are,
    `proof numbers` one of a game without rewards.

    `begun` is what the plain engine has already explored from the position on; `keep` names the file in which a search
    keeps what it proves.
    Raises `CannotCompile` where the rules, the game or the question do not suit that method, `LimitReached` past a
    limit, `RulesError` for rules that break their contract.
    """
    require_all_seen(view.game, "solving by layers")
    if method == "search":
        return _by_search(view, position, budget, begun, keep)
    return _METHODS[method](view, position, budget, begun)


def _by_layers(view: View, position: Position, budget: Budget, begun: Sample | None) -> Source:
    goals = Goals.of(view)
    budget.look(0, "compiling")
    rules = trusted_rules(
        view, position, then=partial(first_kernels, goals=goals), unordered=ordering_kernels, begun=begun
    )
    return Solved(solve_layers(rules, position, budget, goals))


def _by_search(view: View, position: Position, budget: Budget, begun: Sample | None, keep: Path | str | None) -> Source:
    if not view.question.is_plain:
        raise CannotCompile("a search answers only the plain question (everybody's payoff, no policies)")
    rules = trusted_rules(view, position, hints=("order",), then=CompiledSearcher.kernels, begun=begun)
    searcher = CompiledSearcher(rules, budget)
    if not view.game.gives("reward"):
        searcher.prover = partial(_prover, view, position, budget, None, hints=("order",))
    source = Search(searcher, Distances(searcher))
    budget.witness, budget.guess = source.proven, searcher.tried_first
    if keep is None:
        searcher.search(position)
    else:
        searcher.search_on(position, Path(keep))
    source.method = searcher.method
    return source


def _of_puzzle(view: View, position: Position, budget: Budget, begun: Sample | None, hints: tuple[str, ...]) -> Source:
    """By the search that these hints are for."""
    apart = View(view.game, view.question, symmetry=False)
    kind: type[PuzzleSearcher] = BothEnds if "before" in hints else Deepener
    rules = trusted_rules(apart, position, tracks_mover=False, hints=hints, then=kind.kernels, begun=begun)
    searcher = kind(rules, budget)
    budget.witness = searcher.hopes
    searcher.search(position)
    return Search(searcher)


def _by_proof_numbers(view: View, position: Position, budget: Budget, begun: Sample | None) -> Source:
    if not view.question.is_plain:
        raise CannotCompile("proof numbers answer only the plain question (everybody's payoff, no policies)")
    searcher = _prover(view, position, budget, begun)
    source = Search(searcher)
    budget.witness = source.proven
    searcher.search(position)
    return source


def _prover(
    view: View,
    position: Position,
    budget: Budget,
    begun: Sample | None,
    most_buckets: int | None = None,
    hints: tuple[str, ...] = (),
) -> ProofNumbers:
    """Proof numbers; with the `hints` of a search beside them, both count in the same parts."""
    is_told = view.game.gives("to_move") or view.players == 1
    rules = trusted_rules(view, position, tracks_mover=not is_told, hints=hints, then=ProofNumbers.kernels, begun=begun)
    return ProofNumbers(replace(rules, is_apart=True), budget, most_buckets)


_METHODS: Mapping[CompiledMethod, Callable[..., Source]] = {
    "layers": _by_layers,
    "iterative deepening": partial(_of_puzzle, hints=("bound", "order")),
    "bidirectional search": partial(_of_puzzle, hints=("before",)),
    "proof numbers": _by_proof_numbers,
}


def explore_compiled(view: View, position: Position, budget: Budget, at_most: int | None = None) -> Graph:
    """The graph of all nodes of the view as `explorer.explore` gives it, explored by compiled rules.

    Of the first `at_most` nodes only by rules that are trusted already. Raises `CannotCompile` for others, and where
    the rules or the question do not suit.
    """
    if view.tracks_totals or view.choosers:
        raise CannotCompile("this question adds totals or a policy to the positions")
    if at_most is None:
        budget.look(0, "compiling")
        rules = trusted_rules(view, position, meanwhile=partial(load, explore_arrays))
    else:
        rules = CompiledRules.of(view.game, symmetry=view.canonical is not None, tracks_mover=view.tracks)
        if not is_trusted(rules.explorer):
            raise CannotCompile("these rules have not been compared with the plain engine")
    return graph_of(explore_arrays(rules, position, budget, at_most=at_most), view)


# -------------------------------------------------------------------- trust


def trusted_rules(
    view: View,
    position: Position,
    *,
    tracks_mover: bool | None = None,
    exchanges: bool = False,
    hints: tuple[str, ...] = (),
    then: FirstKernels = _no_kernels,
    unordered: FirstKernels = _no_kernels,
    begun: Sample | None = None,
    meanwhile: Callable[[], None] = _nothing,
) -> CompiledRules:
    """Compiled rules that agree with the plain engine on the first positions and on some later ones.

    Their keys are the nodes of that view, unless `tracks_mover` says otherwise. `then` returns the kernels that will be
    needed, and `unordered` those needed besides if some moves lead to positions that are found earlier: they are
    compiled at once, and `meanwhile` is called. `begun` is what the plain engine has explored from the position on. A
    comparison is made once and remembered with the object code. Raises `CannotCompile` where the engines differ, or
    where an answer was wrong before.
    """
    symmetry, tracks = view.canonical is not None, view.tracks if tracks_mover is None else tracks_mover
    rules = CompiledRules.of(view.game, symmetry=symmetry, tracks_mover=tracks, exchanges=exchanges, hints=hints)
    require_trusted(rules, position, then, unordered, begun, meanwhile)
    return rules


def require_trusted(
    rules: CompiledRules,
    position: Position,
    then: FirstKernels = _no_kernels,
    unordered: FirstKernels = _no_kernels,
    begun: Sample | None = None,
    meanwhile: Callable[[], None] = _nothing,
) -> None:
    """Raise `CannotCompile` for rules that do not agree with the plain engine; see `trusted_rules`."""
    program = rules.explorer
    wrong = why_distrusted(program)
    if wrong is not None:
        raise CannotCompile(f"an answer of these rules, compiled, was wrong: {wrong}")
    if not is_trusted(program):
        perhaps = unordered(rules)
        with compiled_beside(program, then(rules), perhaps) as until_first:
            first = first_sample(rules, position, begun)
            later = later_sample(position, first)
            meanwhile()
            until_first(() if is_ordered(first[1]) else perhaps)
            compare(rules, first, later)
        trust(program)
