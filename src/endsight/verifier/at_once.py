"""Moves at once: the own moves of each player, and our side's mixture, to which the other side replies.

The proof is in `docs/reference/certificate-format.md`.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from endsight.base.faults import RulesError, Wrong
from endsight.game import TOGETHER

if TYPE_CHECKING:
    from endsight.verifier.walk import Pick, Terms, Walk


def is_group(view: Terms, movers: Any) -> bool:
    """Whether these are several players, each once and in order, as a tuple."""
    players = {*range(view.players)}
    return isinstance(movers, tuple) and len(movers) > 1 and [*movers] == sorted({*movers} & players)


def are_at_odds(view: Terms) -> bool:
    """Whether players who move at once have different interests; with the same one they choose together, as one."""
    at_odds = len(set(view.interests)) > 1
    if view.policies or view.random or (at_odds and view.players > 2):
        raise Wrong("where players move at once, nothing is proven about policies, or about three or more rivals")
    return at_odds


def own_moves(node: Any, moves: list[Any]) -> dict[int, list[Any]]:
    """The own moves of each mover; where several move at once, moves are all combinations of these."""
    movers, tuples = ((0, 1), moves) if node[1] == TOGETHER else (node[1:2], [(move,) for move in moves])
    own = {player: list(dict.fromkeys(each)) for player, *each in zip(movers, *tuples, strict=True)}
    if not len(tuples) == len(set(tuples)) == prod(map(len, own.values())):
        raise RulesError("a move occurs twice, or the joint moves are not all combinations", found=f"{moves!r:.60}")
    return own


def mixed(walk: Walk, node: Any, moves: list[Any], pick: Pick) -> list[Any]:
    """The moves at once that our side's mixture allows, by the other's move; its weights, like those of dice."""
    own, number = own_moves(node, moves), len(walk.edges) - 1
    ours = [player for player in own if walk.view.side(player) == walk.side]
    if len(ours) != 1:
        raise Wrong("where players move at once, only mixtures of two rivals prove a value")
    rows = [[move for move in moves if move[ours[0]] == part] for part in own[ours[0]]]
    weights = [pick(walk, node, row) for row in rows]
    if min(weights) < 0 or not any(weights):
        raise Wrong("a mixture has weights that are not whole numbers from 0 up, or are all 0")
    walk.picked += weights
    walk.best[number], walk.dice[number] = set(), [weight for weight in weights if weight]
    return [row[k] for k in range(len(rows[0])) for row, weight in zip(rows, weights, strict=True) if weight]
