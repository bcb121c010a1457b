"""How long play can last in a game that other programs play to the end, history by history."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import Any

from endsight.errors import QuestionError
from endsight.game import Game
from endsight.game.limits import Budget


def longest_play(game: Game, whose: str, budget: Budget) -> int:
    """Return the number of moves of the longest play, counting moves at once as one.

    Raises `QuestionError` where play can return to a position, whatever was gained in between, and `LimitReached`.
    """
    waiting = [game.position()]
    after: dict[Any, set[Any]] = {waiting[0].place[:2]: set()}
    while waiting:
        position = waiting.pop()
        moves = budget.gathered(position.moves(), len(after))
        following = {then.place[:2]: then for then in map(position.play, moves)}
        after[position.place[:2]] = set(following)
        new = [then for place, then in following.items() if place not in after]
        after |= {then.place[:2]: set() for then in new}
        waiting += new
        budget.spend(len(after), "measuring the game")
    ahead: dict[Any, int] = {}
    try:
        for place in TopologicalSorter(after).static_order():  # successors come first
            ahead[place] = max((ahead[then] + 1 for then in after[place]), default=0)
    except CycleError:
        raise QuestionError(
            f"{game.title()}: games for {whose} must end, but play can return to a position here",
            allowed="games in which play never comes back to a position",
        ) from None
    return max(ahead.values())
