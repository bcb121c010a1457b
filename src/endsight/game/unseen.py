"""Moves as reported by somebody who did not see everything: which true plays fit, and what each player saw in them.

A text is a move as in the rules, `?` for any move or outcome, or `[...]`, which says what is seen next (`[]`: nothing
new before somebody moves). Chance continues until then. All plays that fit are followed at once; plays that reached the
same state and looked the same to everybody count as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from endsight.errors import QuestionError
from endsight.game import CHANCE, Game
from endsight.game.position import Position, as_text, not_legal

ANY = "?"
"""Text for a move or outcome that was not seen."""


def is_unseen(text: str) -> bool:
    """Whether a text describes what was seen, perhaps nothing, instead of a move."""
    return text == ANY or text.startswith("[")


def require_told(game: Game, moves: Iterable[str]) -> None:
    """Raise `QuestionError` where moves are left open and no player is named who did not see them."""
    unseen = next(filter(is_unseen, moves), None)
    if unseen is not None:
        raise QuestionError(
            f"players of {game.title()} see different things, so {unseen!r} says too little without a player",
            allowed="all moves and outcomes; or --as PLAYER, in Python solution.seen_by(PLAYER, MOVES)",
        )


def fits(game: Game, state: Any, move: Any, text: str) -> bool:
    """Whether the text may mean this move."""
    return text == ANY or as_text(game, "show_move", state, move) == text


@dataclass(frozen=True)
class Sighting:
    """A true play, and the observations in it.

    position  the position reached
    views     each player's observations and moves: equal for two plays that the player cannot tell apart
    events    the same as the first player sees it with all players' moves, in order: `("saw", thing)`, `("did", move)`
    is_fresh  whether the last move or outcome showed something new to the first player
    """

    position: Position
    views: tuple[Any, ...]
    events: tuple[tuple[str, Any], ...]
    is_fresh: bool = field(default=False, compare=False)

    def after(self, move: Any) -> Sighting:
        """The play extended by one move or outcome."""
        game, before = self.position.game, self.position
        then, views, events = before.play(move), [], self.events
        if before.mover != CHANCE:
            events = (*events, ("did", move))
        for player, view in enumerate(self.views):
            own = before.movers.index(player) if player in before.movers else None
            if own is not None:
                view = (view, "did", move[own] if len(before.movers) > 1 else move)
            thing = game.sees(then.state, player)
            views.append(view if thing == _last_seen(view) else (view, "saw", thing))
        thing = game.sees(then.state, 0)
        is_fresh = thing != self.seen
        events = (*events, ("saw", thing)) if is_fresh else events
        return Sighting(then, tuple(views), events, is_fresh)

    @property
    def seen(self) -> Any:
        """The last thing that the first player saw."""
        return next(thing for kind, thing in reversed(self.events) if kind == "saw")

    @property
    def is_chance(self) -> bool:
        """Whether chance is to move."""
        return self.position.mover == CHANCE and not self.position.is_over


def _last_seen(view: Any) -> Any:
    while view[1] != "saw":
        view = view[0]
    return view[2]


def fitting(game: Game, texts: Iterable[str]) -> list[Sighting]:
    """All plays from the start that fit the texts, one for each state, gain, and sequence of observations.

    Raises `IllegalMoveError` for a text that fits none.
    """
    start = game.position()
    things = [game.sees(start.state, player) for player in range(game.player_count)]
    plays = [Sighting(start, tuple((None, "saw", thing) for thing in things), (("saw", things[0]),))]
    for text in texts:
        plays = _after(plays, text)
    return plays


def _after(plays: Sequence[Sighting], text: str) -> list[Sighting]:
    """The plays after one more text."""
    found = _seen(plays, text[1:-1]) if text.startswith("[") else _told_apart(_moved(plays, text))
    if not found:
        raise not_legal(plays[0].position, text)
    return found


def _moved(plays: Sequence[Sighting], text: str) -> Iterator[Sighting]:
    """The plays extended by each move that fits."""
    for play in plays:
        game, state = play.position.game, play.position.state
        yield from (play.after(move) for move in play.position.moves() if fits(game, state, move, text))


def _seen(plays: Sequence[Sighting], text: str) -> list[Sighting]:
    """The plays in which that is seen next; chance continues until something is."""
    if len({(play.is_fresh, play.seen) for play in plays}) == 1 and not _shows(plays[0], text):
        plays = [replace(play, is_fresh=False) for play in plays]  # it was sure to be seen, and no text mentions it
    shown = (play for here in _running(plays) for play in here if _shows(play, text))
    return _told_apart(replace(play, is_fresh=False) for play in shown)


def _shows(play: Sighting, text: str) -> bool:
    game = play.position.game
    if not text:
        return not play.is_fresh and not play.is_chance
    return play.is_fresh and game.show_seen(play.seen, 0).replace(" ", "_") == text


def _running(plays: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    """The plays, then their extensions by chance, round by round, until it shows something."""
    here, met = list(plays), set[Any]()
    while here:
        met |= set(map(_key, here))
        yield here
        waiting = (play for play in here if play.is_chance and not play.is_fresh)
        then = _told_apart(play.after(move) for play in waiting for move in play.position.moves())
        here = [play for play in then if _key(play) not in met]


def _told_apart(plays: Iterable[Sighting]) -> list[Sighting]:
    """One play for each state and sequence of observations."""
    found: dict[Any, Sighting] = {}
    for play in plays:
        found.setdefault(_key(play), play)
    return list(found.values())


def _key(play: Sighting) -> Any:
    return play.position.state, play.position.mover, play.position.so_far, play.views, play.is_fresh
