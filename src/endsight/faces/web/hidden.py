"""Which positions of games in which players see different things may be shown to whoever asks: none in the middle."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from endsight.errors import QuestionError
from endsight.game import Game, moves_of
from endsight.game.position import Position

__all__ = ["HiddenPositionError", "hidden_position", "hides_something", "require_open"]

_LOOKED_AT = 2_000
"""States that are looked at for something that one player sees and another does not."""


class HiddenPositionError(QuestionError):
    """A position of which no player sees everything."""


@lru_cache(maxsize=64)
def hides_something(game: Game) -> bool:
    """Whether players see different things in one of the first states from the start on."""
    if not game.gives("sees") or game.player_count == 1:
        return False
    queue = [game.start()]
    met = set(queue)
    for state in queue:
        seen = game.sees(state, 0)
        if any(game.sees(state, player) != seen for player in range(1, game.player_count)):
            return True
        fresh = dict.fromkeys(game.play(state, move) for move in islice(moves_of(game, state), _LOOKED_AT))
        queue += [child for child in fresh if child not in met][: _LOOKED_AT - len(met)]
        met.update(queue)
    return False


def require_open(opening: Position, position: Position) -> None:
    """Raise `HiddenPositionError` for a position between the start of the game and its end."""
    if position != opening and not position.is_over:
        raise hidden_position(position.game)


def hidden_position(game: Game) -> HiddenPositionError:
    """Who may see what of such a game, as an error."""
    title = game.title()
    return HiddenPositionError(
        f"players of {title} see different things, so a position is shown to nobody who has no seat",
        allowed="the start of the game, games that are over, and seats by their own addresses",
        advice=f"open a table of {title}, which gives every player an address; or endsight analyze {title} --as PLAYER",
    )
