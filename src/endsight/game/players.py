"""The number of players, for rules that do not give it: the length of their payoffs."""

from __future__ import annotations

from collections.abc import Hashable
from importlib import import_module

from endsight.errors.legal_moves import all_of
from endsight.game import Game
from endsight.game.contract import Contract, as_state

_PEEK = 2_000
"""How many states are searched for a payoff."""


def seen_in(game: Game) -> int:
    """The length of the first payoff or reward found; else one more than the largest player seen."""
    queue, most, contract = [as_state(game, "start", game.start())], 0, Contract(game)
    contract.check_comparable(queue[0])
    seen: set[Hashable] = set(queue)
    for state in queue:
        mover = game.to_move(state)
        movers = mover if isinstance(mover, tuple) else (mover,)
        if not all(isinstance(player, int) for player in movers):
            raise import_module("endsight.errors.complaints").odd(game, "to_move", mover, state)
        most = max((most, *movers))
        moves = all_of(game, game.moves(state), state)[:_PEEK]
        for share in [game.reward(state, move) for move in moves] or [game.payoff(state)]:
            if isinstance(share, tuple):
                return len(share)
        if not moves:
            return most + 1
        children = [as_state(game, "play", game.play(state, move), state) for move in moves]
        for child in children:
            contract.check_comparable(child)
        fresh = [child for child in dict.fromkeys(children) if child not in seen][: _PEEK - len(seen)]
        seen.update(fresh)
        queue += fresh
    return most + 1
