"""A game played in the terminal: whose turn it is, what people type, and what they see."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from getpass import getpass
from itertools import islice
from random import Random
from typing import Any

import endsight as es
from endsight.algorithms.histories import Histories
from endsight.answers.seated import made_move, mixed_move
from endsight.answers.seen import own_part
from endsight.base.printable import printable
from endsight.base.standard_streams import stdin
from endsight.errors import LimitReached, NoValue
from endsight.faces.cli.columns import DIM
from endsight.faces.cli.output import Output
from endsight.faces.cli.render import draw_moves, draw_seen
from endsight.faces.cli.request import Asked
from endsight.faces.cli.review import draw_review
from endsight.faces.cli.streams import flush_answer, is_terminal, prompt, say_error
from endsight.faces.cli.surroundings import waiting_for_people
from endsight.faces.wording import basis, listed_shares, meaning
from endsight.game import CHANCE, TOGETHER
from endsight.game.numbers import Number, is_enclosed
from endsight.game.position import Position, as_text, require_names
from endsight.game.question import PolicyRule


@dataclass(frozen=True)
class Seat:
    """Who makes a player's moves: `rule` is a policy or best play; None for a person."""

    name: str
    rule: PolicyRule | None

    @property
    def is_human(self) -> bool:
        """Whether a person sits here."""
        return self.rule is None


HUMAN = Seat("human", None)


_GUESS = re.compile(r"[-+]?[0-9]{1,60}(\.[0-9]{1,60}|/0*[1-9][0-9]{0,60})?")


@dataclass
class Score:
    """Guesses in a quiz: how many were made and how many were right."""

    asked: int = 0
    right: int = 0

    def __str__(self) -> str:
        return f"{self.right} of {self.asked}"


def read_guess(text: str, solution: es.Solution, position: Position) -> object:
    """Return the number that a guess stands for; None if it stands for none."""
    half = Fraction(1, 2)
    shared = solution.question.utility == "win"
    words = {"win": 1, "draw": half if shared else 0, "loss": 0 if shared else -1}
    if text in words and solution.category(position) != "value":
        return words[text]
    # No exponents: `1e999999999` would need all of memory.
    return Fraction(text) if _GUESS.fullmatch(text) else None


MOST_MOVES = 60
MOST_UNASKED = 100_000
"""Moves and chance outcomes in a row with which nobody is asked; longer play probably never ends."""
HELP = """\
a move          plays it (see `moves`); at chance by hand, the outcome
?  hint         what every move here is worth
show, hide      values on every turn, or not
line            one line of best play from here
moves           all moves that are allowed here
u  undo         go back to your previous turn
q  quit         end here, with a review
h  help         this list
A word that is also a move is the move; `:undo` is always the command."""
SHORT = {"?": "hint", "u": "undo", "q": "quit", "h": "help", "exit": "quit"}


@dataclass
class Session:
    """One game for people to play. Boards and answers go to standard output, prompts to standard error."""

    asked: Asked
    seats: list[Seat]
    chance: Random
    by_hand: bool = False
    shows: bool = False
    quiz: bool = False
    moves: Score = field(default_factory=Score)
    values: Score = field(default_factory=Score)
    positions: list[Position] = field(default_factory=list)
    is_ended: bool = False
    helped: bool = False
    drawn: Position | None = None
    unasked: set[tuple[Any, int, tuple[Number, ...]]] = field(default_factory=set)
    """Positions since a person was last asked, without any draw in between."""
    moves_unasked: int = 0
    """Moves and chance outcomes since a person was last asked."""

    @property
    def solution(self) -> es.Solution:
        """The solution of the game."""
        return self.asked.solution

    @property
    def output(self) -> Output:
        """Where and how to write."""
        return self.asked.output

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    # ---------------------------------------------------------------- turns

    def run(self) -> None:
        """Play until the game is over or somebody leaves."""
        self.positions = [self.solution.position]
        while not (self.is_ended or self.position.is_over):
            self.solution.budget.reopen()
            if self._is_asked():
                self._draw()
                self._ask()
            elif self._comes_back():
                self.output.say("This position has occurred before: play repeats for ever.")
                self.is_ended = True
            else:
                self._move_alone()
        self._draw()

    def _is_asked(self, position: Position | None = None) -> bool:
        """Return whether a person has to type what happens here."""
        position = position or self.position
        return self.by_hand if position.mover == CHANCE else any(self.seats[p].is_human for p in position.movers)

    def _comes_back(self) -> bool:
        """Return whether play was here before, with no choice by people and no draw since; it then repeats for ever."""
        position = self.position
        if position.mover == CHANCE or any(self.seats[player].rule == "random" for player in position.movers):
            self.unasked.clear()
        is_known = position.place in self.unasked
        self.unasked.add(position.place)
        return is_known

    def _move_alone(self) -> None:
        """Make a move for chance or for a seat without a person, and print it; raises `LimitReached`."""
        position = self.position
        self.moves_unasked += 1
        if self.moves_unasked > MOST_UNASKED:
            raise LimitReached(
                f"stopped: the game was still going on after {MOST_UNASKED:,} moves with nobody to ask",
                states=0,
                advice="--seat, for a person or another policy, or rules under which play ends",
            )
        rules = {player: self.seats[player].rule or "" for player in position.movers}
        if position.mover == TOGETHER:
            move = mixed_move(position, rules, self.solution, self.chance)
        else:
            move = made_move(position, rules.get(position.mover, ""), lambda _: self.solution, self.chance)
        self._play(position.play(move))
        names = " and ".join(self.seats[player].name for player in position.movers)
        self.output.say(f"{position.to_move}{f' ({names})' if names else ''}: {self.position.history[-1]}")

    def _play(self, position: Position) -> None:
        self.positions.append(position)
        self.helped = False

    # ---------------------------------------------------------------- what people type

    def _ask(self) -> None:
        """Read one line from the person whose turn it is: a move, a command, or a guess of the value."""
        self.unasked.clear()
        self.moves_unasked = 0
        text = self._read(f"{self._asked_name()}> ")
        if text is None:
            self.is_ended = True
        elif text.startswith("=") and self.quiz:
            self._guess_value(text[1:].strip())
        elif not text.startswith(":") and (move := self._move_meant(text)) is not None:
            self._try(move)
        else:
            self._obey(text)

    def _asked_name(self) -> str | None:
        """Return who types the next line."""
        return self.position.to_move

    @property
    def _types_unseen(self) -> bool:
        """Whether what is typed must be hidden from another person at the terminal."""
        here = self.position
        return here.mover == TOGETHER and sum(self.seats[player].is_human for player in here.movers) > 1

    def _read(self, asked: str) -> str | None:
        """Read a line and strip it; return None at the end of the input."""
        flush_answer()
        stream = stdin()
        with waiting_for_people():
            if self._types_unseen and is_terminal(stream):
                return _typed_unseen(asked)
            prompt(asked)
            line = "" if stream is None else stream.readline()
        if not line or not is_terminal(stream):
            # No Enter key has ended the line of the prompt.
            say_error("" if self._types_unseen else line.rstrip("\n"))
        return line.strip() if line else None

    def _move_meant(self, text: str) -> str | None:
        """Return the move typed, even in the wrong case; None if it is not a move."""
        game, state = self.position.game, self.position.state
        return next(
            (form for form in (text, text.lower(), text.upper()) if game.parse_move(state, form) is not None), None
        )

    def _obey(self, text: str) -> None:
        word = text.removeprefix(":").strip().lower()
        word = SHORT.get(word, word)
        commands: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "show": lambda: self._set_shows(True),
            "hide": lambda: self._set_shows(False),
            "line": self._line,
            "moves": lambda: self.output.say(" ".join(self._texts())),
            "undo": self._undo,
            "quit": self._quit,
            "help": lambda: self.output.say(*HELP.split("\n")),
        }
        if word in commands:
            commands[word]()
        elif text:
            allowed = self._listed_moves()
            say_error(f"not a move here: {text[:40]!r}", f"  allowed: {allowed}", "  try:     h for help")

    # ---------------------------------------------------------------- commands

    def _hint(self) -> None:
        self.helped = True
        draw_moves(self.asked._replace(position=self.position))

    def _set_shows(self, shows: bool) -> None:
        self.shows = shows
        self.drawn = None
        self.output.say("values are shown" if shows else "values are hidden")

    def _line(self) -> None:
        self.helped = True
        self.output.say(" ".join(self.solution.line(self.position)) or "the game is over")

    def _undo(self) -> None:
        """Return to the last turn at which a person was asked."""
        earlier = [number for number, place in enumerate(self.positions[:-1]) if self._is_asked(place)]
        if not earlier:
            say_error("there is nothing to take back")
            return
        del self.positions[earlier[-1] + 1 :]
        self.output.say("taken back")

    def _quit(self) -> None:
        self.is_ended = True

    # ---------------------------------------------------------------- moves and guesses

    def _try(self, text: str) -> None:
        if self.quiz and self.position.mover != CHANCE and not self.helped:
            options = self.solution.options(self.position)
            if len(options) > 1:
                self._judge(text, options)
            if self.helped:
                return
        self._play(self.position.after(text))

    def _judge(self, text: str, options: list[es.Option]) -> None:
        """Count a guess; after a wrong one, show the table and let the person choose."""
        move = self.position.after(text).history[-1]
        chosen = next(option for option in options if option.text == move)
        if chosen.best is None:
            return
        self.moves.asked += 1
        self.moves.right += chosen.best
        if chosen.best:
            self.output.say(f"right ({self.moves})")
            return
        cost = "" if chosen.regret is None else f": {move} gives away {self.output.number(chosen.regret)}"
        self.output.say(f"not the best ({self.moves}){cost}")
        self._hint()
        self.output.say("Now choose.")

    def _guess_value(self, text: str) -> None:
        """Judge a guess of the position's value for the mover: a number, or win, draw, loss."""
        if self.helped:
            say_error("the values are already shown: make a move, and guess on your next turn")
            return
        value = self.solution.ends(self.position)[max(0, self.position.mover)]
        guess = read_guess(text, self.solution, self.position)
        if guess is None or is_enclosed(value):
            say_error(f"{text[:40]!r} is not a guess of a value", "  allowed: = 3/2, = 1.5, = win, = draw, = loss")
            return
        self.values.asked += 1
        self.values.right += guess == value
        word = "right" if guess == value else "no"
        self.output.say(f"{word} ({self.values}): worth {self.output.number(value)} to {self.position.to_move}")

    # ---------------------------------------------------------------- what people see

    def _draw(self) -> None:
        """Draw the board, unless it was the last one drawn."""
        if self.position is self.drawn:
            return
        self.drawn = self.position
        self._draw_seen()
        if self.position.is_over or self.is_ended:
            return
        self.output.screen.line(self._moves_text())
        if self.shows and not self.quiz:
            self._hint()

    def _draw_seen(self) -> None:
        """Draw what the people in front of the screen may see."""
        position, screen = self.position, self.output.screen
        screen.line()
        screen.block(as_text(position.game, "draw", position.state))
        if any(position.so_far):
            screen.line(f"So far: {listed_shares(position.game.player_names, position.so_far, self.output.number)}")

    def _moves_text(self) -> str:
        what = "outcomes" if self.position.mover == CHANCE else f"{self._asked_name()} to move"
        return f"{what}: {self._listed_moves()}"

    def _listed_moves(self) -> str:
        """Return the moves that the person may type; of a long list, the first ones."""
        texts = self._texts(MOST_MOVES + 1)
        texts[MOST_MOVES:] = ["… (`moves` lists all)"] * (len(texts) > MOST_MOVES)
        return " ".join(texts)

    def _texts(self, most: int | None = None) -> list[str]:
        """Return the texts of the moves that the person may type, up to `most` of them."""
        position = self.position
        moves = islice(position.moves(), most)
        named = {move: as_text(position.game, "show_move", position.state, move) for move in moves}
        require_names(position.game, position.state, named)
        return list(named.values())

    # ---------------------------------------------------------------- the end

    def close(self) -> None:
        """Print the result, the record, the score and the review."""
        played = self.position.history[len(self.solution.position.history) :]
        screen = self.output.screen
        if self.quiz:
            values = f", {self.values} values" if self.values.asked else ""
            screen.apart(f"Quiz: {self.moves} best moves{values} guessed.")
        if not played:
            return
        self.solution.budget.reopen()
        screen.line()
        if self.position.is_over:
            screen.line(self._result())
        screen.line("Moves: " + " ".join(played))
        try:
            draw_review(self.output, es.review(self.solution, played))
            for note in basis(self.solution.game, self.solution.notion):
                screen.apart(note, DIM)
        except (LimitReached, NoValue) as error:
            say_error(*f"no review: {error}".split("\n"))

    def _result(self) -> str:
        values = zip(self.position.game.player_names, self.solution.ends(self.position), strict=True)
        return meaning(self.solution, self.position, {name: self.output.number(value) for name, value in values})


def _typed_unseen(asked: str) -> str | None:
    with suppress(EOFError):
        return getpass(printable(asked)).strip()
    return None


@dataclass
class VeiledSession(Session):
    """A session of a game in which players see different things, or move at once: what a person has not seen is hidden.

    Everything is shown at the end; simultaneous choices are revealed once all of them are made. It has several people
    only where players see everything except each other's simultaneous choices.
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
        person = None if self.position.mover == CHANCE else self.person
        return super()._asked_name() if person is None else self.position.game.player_names[person]

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

    def _draw_seen(self) -> None:
        position, game = self.position, self.position.game
        if self.person is None or position.is_over or self.is_ended or not game.gives("sees"):
            super()._draw_seen()
            return
        name = game.player_names[self.person]
        self.output.screen.apart(f"{name} sees {game.show_seen(game.sees(position.state, self.person), self.person)}")
