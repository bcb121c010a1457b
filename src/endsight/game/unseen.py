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
from typing import Any

from endsight.errors import IllegalMoveError, QuestionError
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.position import Position, as_text, not_legal

ANY = "?"
"""Text for a move or outcome that was not seen."""
_LOOKING = "looking for what may be hidden"
_MOST_NAMED = 24


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


@dataclass(frozen=True)
class Sighting:
    """A true play that fits what `player` reports of it, or, where that is None, what all players see alike.

    position  the position reached
    views     each player's observations and moves: equal for two plays that the player cannot tell apart
    events    the same as the first player sees it with all players' moves, in order: `("saw", thing)`, `("did", move)`
    is_fresh  whether the last move or outcome showed something new to the player
    is_own    whether the player, or where all see alike any player, made the last move
    budget    for the limits of looking
    """

    position: Position
    views: tuple[Any, ...]
    events: tuple[tuple[str, Any], ...]
    player: int | None = None
    is_fresh: bool = field(default=False, compare=False)
    is_own: bool = field(default=False, compare=False)
    budget: Budget = field(default_factory=Budget, compare=False, repr=False)

    @property
    def key(self) -> Any:
        """All that anybody will ever know of it, and gains so far only where all see them alike."""
        place = self.position
        gains = place.so_far if self.player is None else ()
        return place.state, place.mover, gains, self.views, self.is_fresh, self.is_own

    def after(self, move: Any) -> Sighting:
        """The play extended by one move or outcome."""
        self.budget.glance(self.budget.states, _LOOKING)
        game, before, movers = self.position.game, self.position, self.position.movers
        then, events = before.play(move), self.events
        if movers:
            events = (*events, ("did", move))
        views, is_fresh = [], []
        for player, view in enumerate(self.views):
            if player in movers:
                view = (view, "did", move[movers.index(player)] if len(movers) > 1 else move)
            thing = game.sees(then.state, player)
            is_fresh.append(thing != _last_seen(view))
            views.append((view, "saw", thing) if is_fresh[-1] else view)
        if is_fresh[0]:
            events = (*events, ("saw", views[0][2]))
        is_own = bool(movers) if self.player is None else self.player in movers
        return Sighting(then, tuple(views), events, self.player, is_fresh[self.player or 0], is_own, self.budget)

    @property
    def seen(self) -> Any:
        """The last thing that the player saw."""
        return _last_seen(self.views[self.player or 0])

    @property
    def sight(self) -> str:
        """The same as text."""
        return sight_text(self.position.game, self.seen, self.player or 0)

    def known(self) -> Sighting:
        """The same with nothing new in it."""
        return replace(self, is_fresh=False)


def _last_seen(view: Any) -> Any:
    while view[1] != "saw":
        view = view[0]
    return view[2]


def fitting(
    game: Game,
    texts: Sequence[str],
    *,
    player: int | None = None,
    budget: Budget | None = None,
    is_strict: bool = False,
) -> list[Sighting]:
    """All plays from the start that fit the texts, one for each state, gain, and sequence of observations.

    For a `player`, they are one for each state and sequence of observations; chance moves on its own up to what that
    player has seen, and wherever it shows the player nothing. Raises `IllegalMoveError` for a text that fits none.
    Where `is_strict`, `?` is `unnoticed`, and none may be left.
    """
    start, budget = game.position(), budget or Budget()
    things = [game.sees(start.state, each) for each in range(game.player_count)]
    views = tuple((None, "saw", thing) for thing in things)
    plays = [Sighting(start, views, (("saw", things[0]),), player, budget=budget)]
    for number, (text, following) in enumerate(pairwise((*texts, ""))):
        before, plays = plays, _read_on(plays, text)
        if player is not None and text.startswith("["):
            plays = _run_on(plays)
        plays = _unnoticed(plays, text, following) if is_strict else plays
        if not plays and is_strict:
            break
        if not plays:
            raise not_legal(before[0].position, text) if player is None else _nothing_fits(before, texts, number)
        budget.spend(len(plays), _LOOKING)
    return plays


def _nothing_fits(plays: Sequence[Sighting], texts: Sequence[str], number: int) -> IllegalMoveError:
    first = plays[0].position
    before = f" after {' '.join(texts[:number])!r}" if number else " at the start"
    named = [*dict.fromkeys(as_text(first.game, "show_move", first.state, move) for move in first.moves()), ANY]
    if texts[number].startswith("["):
        shown = (play for here in _running(plays) for play in here if play.is_fresh)
        named = [*dict.fromkeys(f"[{play.sight}]" for play in shown), "[]"]
    named = [*named[:_MOST_NAMED], *["..."] * (len(named) > _MOST_NAMED)]
    return IllegalMoveError(
        f"{first.game.title()}: move {number + 1}, {texts[number]!r}, fits no play{before}",
        allowed="nothing more" if first.is_over else " ".join(named),
    )


def _unnoticed(plays: Sequence[Sighting], text: str, following: str) -> list[Sighting]:
    """The plays in which `?` stands for nothing that the player did, or saw without the text after it saying so."""
    is_said = following.startswith("[")
    return [play for play in plays if text != ANY or not (play.is_own or (play.is_fresh and not is_said))]


def _read_on(plays: Sequence[Sighting], text: str) -> list[Sighting]:
    """The plays extended by what one more text says; empty where that fits none of them."""
    if text.startswith("["):
        return _showing(plays, text[1:-1])
    return _distinct(play.after(move) for play in plays for move in _meant(play.position, text))


def _meant(place: Position, text: str) -> list[Any]:
    """The moves that a text may mean."""
    if ANY not in text:
        move = place.game.parse_move(place.state, text)
        return [] if move is None else [move]
    form = re.compile(re.escape(text).replace(re.escape(ANY), ".+"))
    return [move for move in place.moves() if form.fullmatch(as_text(place.game, "show_move", place.state, move))]


def _showing(plays: Sequence[Sighting], text: str) -> list[Sighting]:
    """The plays in which that is seen next; chance continues until something is."""
    if len({(play.is_fresh, play.sight) for play in plays}) == 1 and not _shows(plays[0], text):
        plays = [play.known() for play in plays]  # it was sure to be seen, and no text mentions it
    return _distinct(play.known() for here in _running(plays) for play in here if _shows(play, text))


def _shows(play: Sighting, text: str) -> bool:
    if not text:
        return not play.is_fresh and not is_chance(play.position)
    return play.is_fresh and play.sight == text


def is_chance(place: Position) -> bool:
    """Whether chance is to move there."""
    return place.mover == CHANCE and not place.is_over


def _running(plays: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    """The plays, then their extensions by chance, step by step, until it shows something."""
    here, visited = list(plays), set[Any]()
    while here:
        visited |= {play.key for play in here}
        yield here
        waiting = (play for play in here if is_chance(play.position) and not play.is_fresh)
        then = _distinct(play.after(move) for play in waiting for move in play.position.moves())
        here = [play for play in then if play.key not in visited]


def _run_on(plays: Sequence[Sighting]) -> list[Sighting]:
    """The plays after all chance moves that show the player nothing."""
    done, visited = list[Sighting](), set[Any]()
    while plays:
        visited |= {play.key for play in plays}
        then: list[Sighting] = []
        for play in plays:
            outcomes = [play.after(move) for move in play.position.moves()] if is_chance(play.position) else []
            is_silent = outcomes and not any(outcome.is_fresh for outcome in outcomes)
            then, done = (then + outcomes, done) if is_silent else (then, [*done, play.known()])
        plays = [play for play in _distinct(then) if play.key not in visited]
    return _distinct(done)


def _distinct(plays: Iterable[Sighting]) -> list[Sighting]:
    """One play of those that nobody will ever tell apart."""
    found: dict[Any, Sighting] = {}
    for play in plays:
        found.setdefault(play.key, play)
    return list(found.values())


def sight_text(game: Game, seen: Any, player: int) -> str:
    """What a player sees as a text without blanks, as in `[...]`."""
    return "_".join(game.show_seen(seen, player).split())
