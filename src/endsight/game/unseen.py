"""Moves as reported by somebody who did not see everything: which true plays fit, and what each player saw in them.

A text is a move as in the rules, `?` for any move or outcome (or for one part of a move of several players: `3-?`;
where that leaves open what was seen, only for one that was not seen), or
`[...]`, which says what is seen next (`[]`: nothing new before somebody moves). Chance continues until then. All plays
that fit are followed at once; plays that reached the same state and looked the same to everybody count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from endsight.errors import QuestionError
from endsight.game.results import CHANCE

if TYPE_CHECKING:
    from endsight.game import Game
    from endsight.game.position import Position

ANY = "?"
"""Text for a move or outcome that was not seen."""


def is_unseen(text: str) -> bool:
    """Whether a text describes what was seen, perhaps nothing, instead of a move."""
    return text == ANY or text.startswith("[")


def require_told(game: Game, position: Position) -> None:
    """Raise `QuestionError` where moves are left open and no player is named who did not see them."""
    if position.is_told:
        unseen = next(filter(is_unseen, position.history), ANY)
        raise QuestionError(
            f"players of {game.title()} see different things, so {unseen!r} says too little without a player",
            allowed="all moves and outcomes; or --as PLAYER, in Python solution.seen_by(PLAYER, MOVES)",
        )


class TruePlay(Protocol):
    """A true play that fits what a player reports of it."""

    @property
    def position(self) -> Position:
        """The position reached."""

    @property
    def is_fresh(self) -> bool:
        """Whether the last move or outcome showed the player something new."""

    @property
    def is_own(self) -> bool:
        """Whether the player made the last move, or learns of all moves."""

    @property
    def key(self) -> Any:
        """Equal for plays that nobody will ever tell apart."""

    @property
    def sight(self) -> str:
        """What the player saw last, as a text without blanks."""

    def known(self) -> Self:
        """The same play with nothing new in it."""

    def after(self, move: Any) -> Self:
        """The play extended by one move or outcome."""


P = TypeVar("P", bound=TruePlay)


@dataclass(frozen=True)
class Sighting:
    """A true play, and the observations in it.

    position  the position reached
    views     each player's observations and moves: equal for two plays that the player cannot tell apart
    events    the same as the first player sees it with all players' moves, in order: `("saw", thing)`, `("did", move)`
    is_fresh  whether the last move or outcome showed something new to the first player
    is_own    whether a player made the last move
    """

    position: Position
    views: tuple[Any, ...]
    events: tuple[tuple[str, Any], ...]
    is_fresh: bool = field(default=False, compare=False)
    is_own: bool = field(default=False, compare=False)

    @property
    def key(self) -> Any:
        """All that anybody will ever know of it."""
        place = self.position
        return place.state, place.mover, place.so_far, self.views, self.is_fresh, self.is_own

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
        return Sighting(then, tuple(views), events, is_fresh, before.mover != CHANCE)

    @property
    def seen(self) -> Any:
        """The last thing that the first player saw."""
        return next(thing for kind, thing in reversed(self.events) if kind == "saw")

    @property
    def sight(self) -> str:
        """The same as text."""
        return sight_text(self.position.game, self.seen, 0)

    def known(self) -> Sighting:
        """The same with nothing new in it."""
        return replace(self, is_fresh=False)


def _last_seen(view: Any) -> Any:
    while view[1] != "saw":
        view = view[0]
    return view[2]


def fitting(game: Game, texts: Sequence[str], *, is_strict: bool = False) -> list[Sighting]:
    """All plays from the start that fit the texts, one for each state, gain, and sequence of observations.

    Raises `IllegalMoveError` for a text that fits none. Where `is_strict`, `?` is `unnoticed`, and none may be left.
    """
    start = game.position()
    things = [game.sees(start.state, player) for player in range(game.player_count)]
    plays = [Sighting(start, tuple((None, "saw", thing) for thing in things), (("saw", things[0]),))]
    for text, following in pairwise((*texts, "")):
        before, plays = plays[0].position, read_on(plays, text)
        plays = unnoticed(plays, text, following) if is_strict else plays
        if not plays and is_strict:
            break
        if not plays:
            raise before.illegal(text)
    return plays


def unnoticed(plays: Sequence[P], text: str, following: str) -> list[P]:
    """The plays in which `?` stands for nothing that the player did, or saw without the text after it saying so."""
    is_said = following.startswith("[")
    return [play for play in plays if text != ANY or not (play.is_own or (play.is_fresh and not is_said))]


def read_on(plays: Sequence[P], text: str) -> list[P]:
    """The plays extended by what one more text says; empty where that fits none of them."""
    if is_shown(plays, text):
        return _showing(plays, text[1:-1])
    return distinct(play.after(move) for play in plays for move in _meant(play.position, text))


def is_shown(plays: Sequence[P], text: str) -> bool:
    """Whether a text says what is seen next: `[...]`, where no move is called so."""
    return text.startswith("[") and all(
        play.position.game.parse_move(play.position.state, text) is None for play in plays
    )


def _meant(place: Position, text: str) -> list[Any]:
    """The moves that a text may mean."""
    move = None if text == ANY else place.game.parse_move(place.state, text)
    if move is not None or ANY not in text:
        return [] if move is None else [move]
    form = re.compile(re.escape(text).replace(re.escape(ANY), ".+"))
    return [move for move in place.moves() if form.fullmatch(place.move_text(move))]


def _showing(plays: Sequence[P], text: str) -> list[P]:
    """The plays in which that is seen next; chance continues until something is."""
    if len({(play.is_fresh, play.sight) for play in plays}) == 1 and not _shows(plays[0], text):
        plays = [play.known() for play in plays]  # it was sure to be seen, and no text mentions it
    return distinct(play.known() for here in running(plays) for play in here if _shows(play, text))


def _shows(play: TruePlay, text: str) -> bool:
    if not text:
        return not play.is_fresh and not is_chance(play.position)
    return play.is_fresh and play.sight == text


def is_chance(place: Position) -> bool:
    """Whether chance is to move there."""
    return place.mover == CHANCE and not place.is_over


def running(plays: Sequence[P]) -> Iterator[list[P]]:
    """The plays, then their extensions by chance, step by step, until it shows something."""
    here, visited = list(plays), set[Any]()
    while here:
        visited |= {play.key for play in here}
        yield here
        waiting = (play for play in here if is_chance(play.position) and not play.is_fresh)
        then = distinct(play.after(move) for play in waiting for move in play.position.moves())
        here = [play for play in then if play.key not in visited]


def distinct(plays: Iterable[P]) -> list[P]:
    """One play of those that nobody will ever tell apart."""
    found: dict[Any, P] = {}
    for play in plays:
        found.setdefault(play.key, play)
    return list(found.values())


def sight_text(game: Game, seen: Any, player: int) -> str:
    """What a player sees as a text without blanks, as in `[...]`."""
    return "_".join(game.show_seen(seen, player).split())
