"""A game in the terminal in which players see different things: a person is shown what that seat sees, and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from endsight.answers.seated import mixed_move
from endsight.answers.seen import own_part
from endsight.faces.cli.mixtures import draw_seen
from endsight.faces.cli.session import Session
from endsight.faces.cli.streams import say_error
from endsight.game import CHANCE
from endsight.game.position import Position

__all__ = ["VeiledSession"]


@dataclass
class VeiledSession(Session):
    """A session with one person, or none; whatever that person has not seen stays hidden until the end."""

    @property
    def person(self) -> int | None:
        """The number of the seat with a person; None where there is none, and all may be shown."""
        return next((player for player, seat in enumerate(self.seats) if seat.is_human), None)

    def _is_asked(self, position: Position | None = None) -> bool:
        return self.person in (position or self.position).movers

    def _comes_back(self) -> bool:
        return False  # such games end

    def _move_alone(self) -> None:
        position = self.position
        self._play(position.play(mixed_move(position, self._ways(), self.solution, self.chance)))
        if self.person is None:
            self.output.say(f"{position.to_move}: {self.position.history[-1]}")

    def _ways(self) -> dict[int, Any]:
        """How each mover plays who is no person, by number."""
        return {player: self.seats[player].rule for player in self.position.movers if player != self.person}

    # ---------------------------------------------------------------- what the person types

    def _asked_name(self) -> str | None:
        return None if self.person is None else self.position.game.player_names[self.person]

    def _own_moves(self) -> dict[str, Any]:
        """A move of everybody for each text of the person's own part of it."""
        place, person = self.position, self.person
        assert person is not None
        found: dict[str, Any] = {}
        for move in place.moves():
            found.setdefault(own_part(place, person, move), move)
        return found

    def _move_meant(self, text: str) -> str | None:
        own = self._own_moves()
        return next((form for form in (text, text.lower(), text.upper()) if form in own), None)

    def _try(self, text: str) -> None:
        place, person = self.position, self.person
        assert person is not None
        part = dict(zip(place.movers, self._parts(text), strict=True))[person]
        move = mixed_move(place, self._ways(), self.solution, self.chance, {person: part})
        self._play(place.play(move))

    def _parts(self, text: str) -> tuple[Any, ...]:
        move = self._own_moves()[text]
        return move if len(self.position.movers) > 1 else (move,)

    def _refuse(self, text: str) -> None:
        allowed = " ".join(self._own_moves())
        say_error(f"not a move here: {text[:40]!r}", f"  allowed: {allowed}", "  try:     h for help")

    def _hint(self) -> None:
        assert self.person is not None
        self.helped = True
        names = self.position.game.player_names
        draw_seen(self.output, self.solution.seen_by(self.person, self.position.history), names)

    def _line(self) -> None:
        say_error("a line of play would show what is hidden: ? tells what your moves are worth")

    def _list_moves(self) -> None:
        self.output.say(" ".join(self._own_moves()))

    # ---------------------------------------------------------------- what the person sees

    def _draw(self) -> None:
        if self.person is None or self.position.is_over or self.is_ended or not self.position.game.gives("sees"):
            super()._draw()
            return
        position, screen = self.position, self.output.screen
        if position is self.drawn:
            return
        self.drawn = position
        game, name = position.game, position.game.player_names[self.person]
        screen.line()
        screen.line(f"{name} sees {game.show_seen(game.sees(position.state, self.person), self.person)}")
        screen.line(self._moves_text())
        if self.shows:
            self._hint()

    def _moves_text(self) -> str:
        if self.person is None or self.position.mover == CHANCE:
            return super()._moves_text()
        return f"{self.position.game.player_names[self.person]} to move: {' '.join(self._own_moves())}"
