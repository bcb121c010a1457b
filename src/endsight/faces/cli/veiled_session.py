"""A game in the terminal in which players see different things, or move at once.

A person sees only what that seat sees; simultaneous choices are revealed once all of them are made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from endsight.algorithms.histories import Histories
from endsight.answers.seated import mixed_move
from endsight.answers.seen import own_part
from endsight.faces.cli.render import draw_seen
from endsight.faces.cli.session import Session
from endsight.faces.cli.streams import say_error
from endsight.game import CHANCE, TOGETHER


@dataclass
class VeiledSession(Session):
    """A session that hides whatever the person has not seen, until the end.

    It has several people only where players see everything except each other's simultaneous choices.
    """

    chosen: dict[int, Any] = field(default_factory=dict)
    """By number, the simultaneous choices already made, while other people are still to be asked."""

    @property
    def person(self) -> int | None:
        """The number of the seat whose person is asked next or sees this; None where everything may be shown."""
        people = [player for player, seat in enumerate(self.seats) if seat.is_human]
        asked = [player for player in people if player in self.position.movers and player not in self.chosen]
        return next(iter(asked or people), None)

    def _comes_back(self) -> bool:
        return False  # such games end

    def _move_alone(self) -> None:
        position = self.position
        self._play(position.play(mixed_move(position, self._ways(), self.solution, self.chance)))
        if self.person is None or not self.position.game.gives("sees"):
            self.output.say(f"{position.to_move}: {self.position.history[-1]}")

    def _ways(self) -> dict[int, Any]:
        """Return how each mover plays who is not a person, by number."""
        return {player: self.seats[player].rule for player in self.position.movers if not self.seats[player].is_human}

    # ---------------------------------------------------------------- what the person types

    def _asked_name(self) -> str | None:
        if self.person is None or self.position.mover == CHANCE:
            return super()._asked_name()
        return self.position.game.player_names[self.person]

    def _own_moves(self) -> dict[str, Any]:
        """Return one full move for each text of the person's own part; at chance, the outcomes."""
        place, person = self.position, self.person
        moves: dict[str, Any] = {}
        for move in place.moves():
            # Anybody can type outcomes of chance, so they are the same for every player.
            moves.setdefault(own_part(place, person or 0, move), move)
        return moves

    def _move_meant(self, text: str) -> str | None:
        own = self._own_moves()
        return next((form for form in (text, text.lower(), text.upper()) if form in own), None)

    def _try(self, text: str) -> None:
        place, person = self.position, self.person
        if place.mover == CHANCE or person is None:
            super()._try(text)
            return
        self.chosen[person] = Histories.parts(place, self._own_moves()[text])[person]
        if any(self.seats[player].is_human and player not in self.chosen for player in place.movers):
            self.output.say(self._moves_text())
            return
        self._play(place.play(mixed_move(place, self._ways(), self.solution, self.chance, self.chosen)))
        self.chosen = {}
        if place.mover == TOGETHER and not place.game.gives("sees"):
            self.output.say(f"{place.to_move}: {self.position.history[-1]}")

    def _undo(self) -> None:
        if not self.chosen:
            super()._undo()
            return
        self.chosen = {}
        self.output.say("taken back", self._moves_text())

    def _hint(self) -> None:
        if self.person not in self.position.movers:
            super()._hint()
            return
        self.helped = True
        names = self.position.game.player_names
        draw_seen(self.output, self.solution.seen_by(self.person, self.position.history), names)

    def _line(self) -> None:
        say_error("a line of play would show what is hidden: ? shows what your moves are worth")

    def _texts(self, most: int | None = None) -> list[str]:
        return list(self._own_moves())[:most]

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
        screen.apart(f"{name} sees {game.show_seen(game.sees(position.state, self.person), self.person)}")
        screen.line(self._moves_text())
        if self.shows:
            self._hint()
