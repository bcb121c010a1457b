"""Searches in depth as answers: the value of one position, by `minimax`, `alphabeta`, `proofnumber` or matrix games."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Literal, TypeAlias

from endsight.algorithms.alphabeta import alphabeta
from endsight.algorithms.matrix_iteration import SCALE
from endsight.algorithms.matrix_search import MatrixSearch
from endsight.algorithms.minimax import minimax
from endsight.algorithms.proof_number import proof_number
from endsight.answers.searched import Search, Searcher
from endsight.compiler.payoffs import constant_sum, is_only_won_drawn_or_lost
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Amount, Number, between, simplest
from endsight.game.position import Position
from endsight.games import is_built_in
from endsight.graph.game_tree import ProvenNodes, SearchResult
from endsight.graph.objective import View
from endsight.graph.plan import TIE_RULE
from endsight.graph.unfolding import unfold

Way: TypeAlias = Literal["minimax", "alphabeta", "table", "proofnumber"]
SEARCHES: tuple[Way, ...] = ("minimax", "alphabeta", "table")
"""Searches for any payoffs: every line of play; alpha-beta without memory; alpha-beta with a table."""


class _Searched(Searcher):
    """The value of one position, found by a search from there."""

    def __init__(self, view: View, position: Position, result: SearchResult) -> None:
        super().__init__(view)
        self.position = position
        self.result = result
        self.method = result.method
        self.states = result.states
        self.by_mover = view.relative
        self.notion = TIE_RULE if result.rests_on_ties else None
        self.is_win_loss = self._is_win_loss()
        self.facts = {"nodes": result.nodes}

    def _is_win_loss(self) -> bool:
        """Whether the game is proven to be only won, drawn or lost, whatever the search left out."""
        if self.view.players != 2 or self.result.met_chance or self.view.is_paid:
            return False
        if self.view.question.utility == "win":
            return True
        return self.view.is_win_loss if self.result.is_complete else is_only_won_drawn_or_lost(self.view.game)

    def found(self, position: Position) -> tuple[Number, ...] | None:
        """The value of the position that was searched; None for others."""
        return self.result.value if position.place == self.position.place else None


class _Enclosed(Searcher):
    """Bounds of every position asked about, where two opposed players move at once."""

    method = "matrix games in depth"
    is_win_loss = False
    by_mover = False
    moves_at_once = True

    def __init__(self, view: View, searched: MatrixSearch) -> None:
        super().__init__(view)
        self.searched = searched

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions with known bounds; two that differ only by an exchange of the players count once."""
        return len(self.searched.known)

    def found(self, position: Position) -> tuple[Amount, ...] | None:
        """Bounds of what both players still get."""
        known = self.searched.at(self.view.key(position))
        if known is None:
            return None
        lower, upper, both = known
        low, high = Fraction(lower, SCALE), Fraction(upper, SCALE)
        return between(low, high), between(both - high, both - low)


def search_at_once(view: View, position: Position, *, symmetry: bool, budget: Budget) -> Search | None:
    """Proven bounds of `position` where two opposed players move at once and no position can repeat.

    None where positions can repeat or interests are not opposed. Raises `LimitReached` when the budget is spent.
    """
    tree = unfold(view, position, takes_matrices=True)
    exchange, both = _exchange(view) if symmetry else None, constant_sum(view.game, view.question)
    searched = MatrixSearch(tree, budget, exchange, both)
    return None if searched.at(tree.root) is None else Search(_Enclosed(view, searched))


def _exchange(view: View) -> Callable[[Hashable], Hashable] | None:
    """A node with the players exchanged; None where that is unknown, or only an author says so."""
    game = view.game
    if view.tracks or not game.gives("exchanged") or not is_built_in(game):
        return None
    canonical = view.canonical
    if canonical is None:
        return game.exchanged
    return lambda state: canonical(game.exchanged(state))


def search(view: View, position: Position, method: Way, budget: Budget) -> Search:
    """The value of `position`, by one of `SEARCHES` or by proof numbers.

    Raises `QuestionError` where the search does not suit the game (see `minimax`,
    `alphabeta` and `proof_number`), `LimitReached` when the budget is spent.
    """
    findings = ProvenNodes()
    source = _searched(view, position, method, budget, findings)
    if source is None:
        assert findings.refusal is not None, "nothing else stops a search without a value"
        raise findings.refusal
    return source


def search_if_suited(view: View, position: Position, budget: Budget) -> Search | None:
    """Alpha-beta search with a table; None where it does not suit the game."""
    return _searched(view, position, "table", budget, ProvenNodes())


def _searched(view: View, position: Position, method: Way, budget: Budget, findings: ProvenNodes) -> Search | None:
    tree = unfold(view, position)

    def witness(place: Position) -> tuple[Ends, ...] | None:
        bounds = findings.look(view.key(place))
        return None if bounds is None else _of_whole_game(view, place, bounds)

    budget.witness = witness
    result: SearchResult | None
    if method == "minimax":
        result = minimax(tree, budget, findings)
    elif method == "proofnumber":
        result = proof_number(tree, budget, findings)
    else:
        result = alphabeta(tree, budget, findings, table=method == "table")
    return None if result is None else Search(_Searched(view, position, result))


def _of_whole_game(view: View, position: Position, bounds: tuple[Ends, ...]) -> tuple[Ends, ...]:
    """Convert ends of what is to come, in the tree's own view, to ends of the players' values of the whole game."""
    if view.relative and position.mover == 1:
        bounds = (bounds[1], bounds[0])
    carried = view.carried(position.so_far)
    return tuple(
        (None if low is None else simplest(low + so_far), None if high is None else simplest(high + so_far))
        for (low, high), so_far in zip(bounds, carried, strict=True)
    )
