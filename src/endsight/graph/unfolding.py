"""Game -> GameTree: the rules called node by node, with nothing kept."""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter

from endsight.compiler.payoffs import constant_sum, payoff_bounds
from endsight.errors.complaints import together
from endsight.game import CHANCE, TOGETHER
from endsight.game.contract import Contract
from endsight.game.limits import Budget, Ends
from endsight.game.position import Position
from endsight.game.question import require_all_seen
from endsight.graph.explorer import require_finite
from endsight.graph.game_tree import GameNode, GameTree
from endsight.graph.objective import View

LOOKED_AT = 20_000
"""Number of states among which loops that pay are looked for before a search begins."""


def unfold(view: View, position: Position, *, takes_matrices: bool = False) -> GameTree:
    """The tree below `position` as a view sees it; with `takes_matrices` players may move at once.

    Raises `QuestionError` where players do not see everything, and `NoValue` where the tree holds the gains so far and
    a loop among the first states pays.
    """
    game = view.game
    require_all_seen(game, "a search")
    if view.tracks_totals:
        require_finite(view, position, Budget(), LOOKED_AT)
    root = view.key(position)
    contract = Contract(game)
    contract.check_comparable(position.state)

    def look(key: Hashable) -> GameNode:
        return _place(view, contract, key, takes_matrices)

    return GameTree(
        root,
        look,
        view.interests,
        view.players,
        view.draw,
        view.relative,
        is_opposed=view.players == 1 or (_is_contest(view) and constant_sum(game, view.question) is not None),
        may_be_opposed=_is_contest(view),
        bounds=_bounds(view),
        spot=attrgetter("state", "mover") if view.tracks_totals else _itself,
    )


def _bounds(view: View) -> Ends:
    """Proven bounds of the tree's number, whichever player's it is."""
    rows = payoff_bounds(view.game, view.question)
    if rows is None:
        return None, None
    if view.relative:
        return min(row[0] for row in rows), max(row[1] for row in rows)
    return rows[0]


def _itself(key: Hashable) -> Hashable:
    return key


def _place(view: View, contract: Contract, key: Hashable, takes_matrices: bool) -> GameNode:
    game = view.game
    state, mover, totals = view.split(key)
    contract.check_state(state)
    contract.check_mover(state, mover)
    if mover == TOGETHER and not takes_matrices:
        raise together(game, state)
    acting = view.acting(mover)
    legal = view.legal(state, mover, totals)
    if not legal:
        return GameNode(acting, view.final(state, mover, totals), [], None)
    children: list[tuple[Hashable, tuple[int, ...] | None]] = []
    for move in legal:
        gain = view.gain(state, move, mover) if view.has_rewards else None
        child = game.play(state, move)
        contract.check_comparable(child)
        children.append((view.key_after(child, mover, totals, gain), view.edge_gain(gain)))  # type: ignore[arg-type]
    weights = None
    if acting == CHANCE:
        weights = [contract.weight(state, move) if mover == CHANCE else 1 for move in legal]
    columns = sum(move[0] == legal[0][0] for move in legal) if acting == TOGETHER else 0
    return GameNode(acting, None, children, weights, columns)  # type: ignore[arg-type]


def _is_contest(view: View) -> bool:
    """Whether there are two players who each want their own utility."""
    return view.players == 2 and view.question.objective == "competitive"
