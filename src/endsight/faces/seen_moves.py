"""The moves so far as one player has seen them, where players see different things or move at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from endsight.algorithms.histories import Histories
from endsight.answers.seen import own_part
from endsight.game.position import Position

UNSEEN = "?"
"""Stands for moves and outcomes of which a player has seen only their effects."""


def seen_moves(position: Position, player: int) -> list[dict[str, Any]]:
    """Return the moves so far as the player has seen them, `?` for others' unseen moves."""
    if position.game.gives("sees"):
        return list(seen_events(position, player))
    return [{"player": place.to_move, "move": text, "sees": None} for place, text in _played(position)]


def _played(position: Position) -> Iterator[tuple[Position, str]]:
    """Yield the position before each move of the history, with the move."""
    return zip(position.game.position().along(position.history), position.history, strict=False)


def seen_events(position: Position, player: int) -> Iterator[dict[str, Any]]:
    """Yield the player's view in order: own moves with what was seen after them, and whatever else was seen."""
    game, histories = position.game, Histories(position.game)
    eyes = histories.at(position).eyes[player]
    own, name = _own_moves(position, player), game.player_names[player]
    row: dict[str, Any] = {"player": None, "move": None, "sees": None}  # the start
    for kind, thing in histories.seen(player, eyes.view):
        if kind == "did":
            yield from _row(row)
            row = {"player": name, "move": next(own), "sees": None}
        else:
            if row["sees"] is not None:
                yield row
                row = {"player": None, "move": UNSEEN, "sees": None}
            row["sees"] = game.show_seen(thing, player)
    yield from _row(row)


def _row(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if (row["move"], row["sees"]) != (None, None):
        yield row


def _own_moves(position: Position, player: int) -> Iterator[str]:
    """Yield the texts of the player's own moves, in order."""
    for place, text in _played(position):
        if player in place.movers:
            yield own_part(place, player, place.game.parse_move(place.state, text))


def with_news(rows: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Add to each row of a player's view its `news`: the new words, or the whole view if no word is new.

    `card=2 said=p` after `card=2` becomes `said p`.
    """
    known: set[str] = set()
    for row in rows:
        words = (row["sees"] or "").split()
        new = [word for word in words if word not in known] or words
        yield {**row, "news": ", ".join(word.replace("=", " ", 1) for word in new)}
        known = set(words) or known
