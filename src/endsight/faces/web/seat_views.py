"""What one player sees of a game at a table. Only what follows from the player's own view is in it, until the end.

A view is all that the player has seen, each thing once for as long as it stays the same, with the own moves between
(`endsight.algorithms.histories`). Two histories that the player cannot tell apart give the same document: how many
moves others made, how long that took and what they had to choose from does not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from endsight.algorithms.histories import Histories
from endsight.answers.seen import own_part, own_texts
from endsight.faces.documents import parameters_document
from endsight.game import Game, absolute, alternates
from endsight.game.numbers import Number, number_document, simplest
from endsight.game.position import Position, as_text

__all__ = ["UNSEEN", "paid_in_all", "seat_document"]

UNSEEN = "?"
"""What stands for moves and outcomes of which a player has seen no more than what they changed."""

Document = dict[str, Any]


def seat_document(position: Position, player: int, chosen: str | None) -> Document:
    """`endsight.seat/1` of a true position, as a player sees it; `chosen` is what was chosen for a move at once.

    From the end of the game on it says everything: what every player saw, the moves, and what they brought.
    """
    game, over = position.game, position.is_over
    asked = not over and player in position.movers and chosen is None
    return {
        "schema": "endsight.seat/1",
        "game": game.title(),
        "params": parameters_document(game),
        "players": list(game.player_names),
        "player": game.player_names[player],
        "sees": _sees(position, player),
        "history": _seen_moves(position, player),
        "your_turn": asked,
        "moves": list(own_texts(position, player).values()) if asked else [],
        "chosen": chosen,
        "waits_for": None if over or asked else _awaited(position, player),
        "over": over,
        "end": _end(position) if over else None,
    }


def _sees(position: Position, player: int) -> str:
    """What the player sees now: what `sees` shows where the rules give it, else the state."""
    game = position.game
    if not game.gives("sees"):
        return as_text(game, "draw", position.state)
    return game.show_seen(game.sees(position.state, player), player)


def _awaited(position: Position, player: int) -> str | None:
    """The player who is waited for, where that is no secret; None where it may be one of several."""
    game = position.game
    others = [name for number, name in enumerate(game.player_names) if number != player]
    if game.gives("sees"):
        return others[0] if len(others) == 1 else None
    movers = [game.player_names[number] for number in position.movers if number != player]
    return movers[0] if len(movers) == 1 else None


# ---------------------------------------------------------------------- the moves so far


def _seen_moves(position: Position, player: int) -> list[Document]:
    """The moves so far as the player has seen them, `?` for what others did unseen."""
    if position.game.gives("sees"):
        return list(_events(position, player))
    return [
        {"player": place.to_move, "move": text, "sees": None}
        for place, text in zip(_places(position), position.history, strict=True)
    ]


def _places(position: Position) -> Iterator[Position]:
    """The positions before each move of the history."""
    place = position.game.position()
    for text in position.history:
        yield place
        place = place.after(text)


def _events(position: Position, player: int) -> Iterator[Document]:
    """The player's view in order: own moves with what was seen behind them, and whatever else was seen."""
    game, histories = position.game, Histories(position.game)
    eyes = histories.at(position).eyes[player]
    own, name = _own_moves(position, player), game.player_names[player]
    row: Document = {"player": None, "move": None, "sees": None}  # the start
    for kind, thing in histories.seen(player, eyes.view):
        if kind == "did":
            yield from _told(row)
            row = {"player": name, "move": next(own), "sees": None}
        else:
            if row["sees"] is not None:
                yield row
                row = {"player": None, "move": UNSEEN, "sees": None}
            row["sees"] = game.show_seen(thing, player)
    yield from _told(row)


def _told(row: Document) -> Iterator[Document]:
    if (row["move"], row["sees"]) != (None, None):
        yield row


def _own_moves(position: Position, player: int) -> Iterator[str]:
    """The texts of the player's own moves, in order."""
    for place, text in zip(_places(position), position.history, strict=True):
        if player in place.movers:
            yield own_part(place, player, place.game.parse_move(place.state, text))


# ---------------------------------------------------------------------- the end


def _end(position: Position) -> Document:
    """What is told when the game is over: all of it."""
    game, names = position.game, position.game.player_names
    hides = game.gives("sees")
    return {
        "drawing": as_text(game, "draw", position.state),
        "moves": list(position.history),
        "views": {name: list(_events(position, number)) for number, name in enumerate(names)} if hides else None,
        "payoffs": dict(zip(names, map(number_document, paid_in_all(game, position)), strict=True)),
    }


def paid_in_all(game: Game, position: Position) -> Sequence[Number]:
    """What a game that is over brought every player."""
    paid = absolute(game.payoff(position.state), position.mover, game.player_count, alternating=alternates(game))
    return [simplest(gained + end) for gained, end in zip(position.so_far, paid, strict=True)]
