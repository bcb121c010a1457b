"""How games made from other rules treat positions, such as games of beliefs.

Games written by hand take every position as it is. Modules that make games from rules register other behaviour.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from endsight.game import Game
from endsight.game.position import Position


@singledispatch
def position_of(_game: Game, _place: Position) -> Position | None:
    """The position of this game that corresponds to a position of another one; None for none."""
    return None


@singledispatch
def policy_of(_game: Game, rule: Any) -> Any:
    """The policy of this game that corresponds to a policy of the rules it was made from."""
    return rule


@singledispatch
def positions_along(_game: Game, start: Position, texts: Iterable[str]) -> list[Position]:
    """The positions after each of the moves that follow `start`; raises `IllegalMoveError`."""
    return start.along(texts)[1:]


@singledispatch
def facts_at(_game: Game, _place: Position) -> dict[str, Any]:
    """Named facts about a position."""
    return {}


@singledispatch
def counts_unseen(_game: Game, _place: Position) -> bool:
    """Whether gains so far include means of what nobody has seen."""
    return False


@singledispatch
def position_in_truth(_game: Game, place: Position) -> Position:
    """The corresponding position in a game with all hidden facts; its `state_known` leads back to this one."""
    return place


@singledispatch
def state_known(_game: Game, state: Any) -> Any:
    """The players' knowledge in a state of the game that `position_in_truth` leads to."""
    return state
