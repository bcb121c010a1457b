"""True plays that fit the moves so far as somebody tells them who has not seen all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from endsight.algorithms.histories import Histories, History
from endsight.errors import IllegalMoveError
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.position import Position, as_text

__all__ = ["UNSEEN", "told_plays"]

UNSEEN = "?"
"""Text for a move or outcome that a player has not seen."""
_MOST_NAMED = 24

Plays = Mapping[Any, tuple[History, bool]]
"""Histories by what their future depends on, each with whether its last move showed the player something new."""


def told_plays(histories: Histories, player: int, texts: Sequence[str], budget: Budget) -> list[History]:
    """All histories that fit what a player tells; those that nobody will tell apart are one.

    A text is a move, `?` for a move or outcome that the player has not seen (also for a part of a move of several
    players: `3-?`), or `[...]`, which says what the player sees next, with `_` for blanks (`[]`: nothing new before
    somebody moves). Chance runs on to what is seen, and through all that shows the player nothing. Raises
    `IllegalMoveError` where no play fits.
    """
    told = _Told(histories, player, budget)
    plays: Plays = told.apart([(histories.start(), False)])
    for number, text in enumerate(texts):
        then = told.seen(plays, text[1:-1]) if text.startswith("[") else told.moved(plays, text)
        if not then:
            raise told.nothing_fits(plays, texts, number)
        plays = then
    return [history for history, _ in plays.values()]


@dataclass(frozen=True)
class _Told:
    """Whose view it is that the moves are told by."""

    histories: Histories
    player: int
    budget: Budget

    def apart(self, plays: Iterable[tuple[History, bool]]) -> Plays:
        found: dict[Any, tuple[History, bool]] = {}
        for history, is_fresh in plays:
            found.setdefault((history.key, is_fresh), (history, is_fresh))
        self.budget.spend(len(found), "looking for what may be hidden")
        return found

    def moved(self, plays: Plays, text: str) -> Plays:
        """The plays with each move that the text may stand for."""
        moves = ((before, move) for before, _ in plays.values() for move in _fitting_moves(before.position, text))
        return self.apart(self._after(before, move) for before, move in moves)

    def _after(self, before: History, move: Any) -> tuple[History, bool]:
        after = self.histories.after(before, move)
        return after, after.eyes[self.player].seen != before.eyes[self.player].seen

    def seen(self, plays: Plays, text: str) -> Plays:
        """The plays in which that is seen next; chance runs on until something is."""
        sights = {(is_fresh, self._sight(history)) for history, is_fresh in plays.values()}
        if len(sights) == 1 and (True, text) not in sights:
            # What was sure to be seen need not be told.
            plays = self.apart((history, False) for history, _ in plays.values())
        shown = (play for play in self._running(plays) if self._shows(*play, text))
        return self._run_on(self.apart((history, False) for history, _ in shown))

    def _run_on(self, plays: Plays) -> Plays:
        """The plays once chance is through that shows the player nothing."""
        done: list[tuple[History, bool]] = []
        met: dict[Any, tuple[History, bool]] = {}
        while plays:
            met |= plays
            then: list[tuple[History, bool]] = []
            for history, _ in plays.values():
                outcomes = self._outcomes(history) if _is_chance(history.position) else []
                is_silent = outcomes and not any(is_fresh for _, is_fresh in outcomes)
                then, done = (then + outcomes, done) if is_silent else (then, [*done, (history, False)])
            plays = {key: play for key, play in self.apart(then).items() if key not in met}
        return self.apart(done)

    def _outcomes(self, history: History) -> list[tuple[History, bool]]:
        return [self._after(history, move) for move in self.histories.legal(history.position)]

    def _shows(self, history: History, is_fresh: bool, text: str) -> bool:
        if not text:
            return not is_fresh and history.position.mover != CHANCE
        return is_fresh and self._sight(history) == text

    def _sight(self, history: History) -> str:
        seen = self.histories.game.show_seen(history.eyes[self.player].seen, self.player)
        return "_".join(seen.split())

    def _running(self, plays: Plays) -> Iterator[tuple[History, bool]]:
        """The plays, and those that chance makes of them until it shows the player something."""
        met = dict(plays)
        here = plays
        while here:
            yield from here.values()
            waiting = [history for history, is_fresh in here.values() if not is_fresh and _is_chance(history.position)]
            then = self.apart(play for history in waiting for play in self._outcomes(history))
            here = {key: play for key, play in then.items() if key not in met}
            met |= here

    def nothing_fits(self, plays: Plays, texts: Sequence[str], number: int) -> IllegalMoveError:
        first = next(iter(plays.values()))[0].position
        before = f" after {' '.join(texts[:number])!r}" if number else " at the start"
        named = [*dict.fromkeys(as_text(first.game, "show_move", first.state, move) for move in first.moves()), UNSEEN]
        if texts[number].startswith("["):
            named = [*dict.fromkeys(f"[{self._sight(h)}]" for h, is_fresh in self._running(plays) if is_fresh), "[]"]
        named = [*named[:_MOST_NAMED], *["..."] * (len(named) > _MOST_NAMED)]
        return IllegalMoveError(
            f"{first.game.title()}: move {number + 1}, {texts[number]!r}, fits no play{before}",
            allowed="nothing more" if first.is_over else " ".join(named),
        )


def _is_chance(place: Position) -> bool:
    return place.mover == CHANCE and not place.is_over


def _fitting_moves(place: Position, text: str) -> list[Any]:
    """The moves that a text may stand for."""
    if UNSEEN not in text:
        move = place.game.parse_move(place.state, text)
        return [] if move is None else [move]
    form = re.compile(re.escape(text).replace(re.escape(UNSEEN), ".+"))
    return [move for move in place.moves() if form.fullmatch(as_text(place.game, "show_move", place.state, move))]
