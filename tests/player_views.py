"""What players have seen of a play, from the rules alone.

A view has everything that a player has seen, each thing once for as long as it stays the same, with the player's own
moves between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import endsight as es

View = tuple[tuple[str, Any], ...]


class Play(NamedTuple):
    """A true position, and what each player has seen on the way to it."""

    position: es.Position
    views: tuple[View, ...]


def begun(game: es.Game) -> Play:
    """The start, at which everybody has looked."""
    position = game.position()
    return Play(position, tuple((("saw", game.sees(position.state, player)),) for player in range(game.player_count)))


def went_on(play: Play, move: Any) -> Play:
    """The play after a move, of which its players know their own part."""
    position, movers = play.position.play(move), play.position.movers
    views = []
    for player, view in enumerate(play.views):
        own = ("did", move[movers.index(player)] if len(movers) > 1 else move)
        told, now = (*view, own) if player in movers else view, ("saw", position.game.sees(position.state, player))
        last = next(each for each in reversed(told) if each[0] == "saw")
        views.append(told if now == last else (*told, now))
    return Play(position, tuple(views))


def all_plays(game: es.Game) -> Iterator[Play]:
    """All true plays of a game, from its start on."""
    waiting = [begun(game)]
    while waiting:
        play = waiting.pop()
        yield play
        waiting += [went_on(play, move) for move in play.position.moves()]


def play_of(position: es.Position) -> Play:
    """The play that led to a position."""
    play = begun(position.game)
    for text in position.history:
        play = went_on(play, position.game.parse_move(play.position.state, text))
    return play
