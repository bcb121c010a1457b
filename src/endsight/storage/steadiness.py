"""Whether rules are the same in every instance, and unchanged after play.

Stored solutions are found by the key of the rules. A `setup` that uses chance, or rules that fill their own tables
during play, have another key each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice
from random import Random

from endsight.errors import QuestionError
from endsight.game import Game
from endsight.game.derived import DERIVED
from endsight.game.equality import equal
from endsight.game.position import Position
from endsight.games import is_built_in
from endsight.identity import key_of

_GAMES, _PLIES = 20, 200


def require_steady(game: Game, *, is_played: bool = True) -> None:
    """Raise `QuestionError` where a new instance of the same game would have another key.

    Changes by play matter only where `game` `is_played` already: the key of a new game equals that of the next one.
    Attributes that a user has set since then are no reason to refuse, as they can be set again.
    """
    if is_built_in(game):
        return
    fresh, again = _made_again(game), _made_again(game)
    key = key_of(fresh)
    what, advice = "`setup` leaves different results each time", "use parameters for whatever is meant to differ"
    if key == key_of(again):
        if is_played:
            _play(again)
        if key == key_of(again):
            return
        what, advice = "its rules change during play", "fill tables in setup, or functools.cache on a function"
    names = [
        f"self.{name}"
        for name, value in vars(again).items()
        if name not in DERIVED and not equal(vars(fresh).get(name), value)
    ]
    raise QuestionError(
        f"no solution of {game.title()} can be stored and found again: {what}",
        found=", ".join(names) or "a table beside the game that rules write to",
        allowed="attributes and tables that `setup` fills the same way each time, and that never change later",
        advice=advice,
    )


def random_game(position: Position, random: Random, most_moves: int | None = None) -> Iterator[Position]:
    """The positions of a random game to its end, this one first; each move is one of the first `most_moves`."""
    yield position
    while moves := list(islice(position.moves(), most_moves)):
        position = position.play(random.choice(moves))
        yield position


def _made_again(game: Game) -> Game:
    return type(game)(**game.values())


def _play(game: Game) -> None:
    """Play some random games, so that rules fill their tables."""
    draw = Random(0)
    for _ in range(_GAMES):
        deque(islice(random_game(game.position(), draw), _PLIES + 1), maxlen=0)
