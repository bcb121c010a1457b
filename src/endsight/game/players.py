"""The number of players, for rules that do not give it: the length of their payoffs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from endsight.game.exact import late
from endsight.game.results import moves_of

if TYPE_CHECKING:
    from endsight.game import Game

_PEEK = 2_000
"""How many states are searched for a payoff."""


def seen_in(game: Game) -> int:
    """The number of players of a game whose rules have `to_move`, which is kept on the game."""
    known = vars(game)
    if "_player_count" not in known:
        known["_player_count"] = _found_in(game)
    return int(known["_player_count"])


def _found_in(game: Game) -> int:
    """The length of the first payoff or reward found; else one more than the largest player seen."""
    queue, most = [game.start()], 0
    seen = set(queue)
    for state in queue:
        mover = game.to_move(state)
        movers = mover if isinstance(mover, tuple) else (mover,)
        if not all(isinstance(player, int) for player in movers):
            raise late("errors.complaints").odd(game, "to_move", mover, state)
        most = max((most, *movers))
        moves = list(islice(moves_of(game, state), _PEEK))
        for share in [game.reward(state, move) for move in moves] or [game.payoff(state)]:
            if isinstance(share, tuple):
                return len(share)
        if not moves:
            return most + 1
        children = [game.play(state, move) for move in moves]
        for child in children:
            if not isinstance(child, tuple):
                raise late("errors.complaints").not_a_state(game, child, state)
        # Where chance deals so many hands that nobody has moved yet, a single line goes on to an end.
        room = max(_PEEK - len(seen), int(state is queue[-1] and len(seen) < 2 * _PEEK))
        fresh = [child for child in dict.fromkeys(children) if child not in seen][:room]
        seen.update(fresh)
        queue += fresh
    return most + 1
