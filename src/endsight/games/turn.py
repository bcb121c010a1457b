"""Single turns of dice: add up what is thrown, or stop before it is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.pictures.throws import MOST_SHOWN, THROW, choices, throw_piece, thrown

DECIDING, ROLLING, OVER = 0, 1, 2
PHASES = ("deciding", "rolling", "over")
ROLL, STOP = 0, 1


class Turn(Game):
    """One player throws a die with faces 1 to `sides` as often as wanted, for the largest expected total.

    The rules themselves say in `is_bad` which faces lose it, and in `enough` the total beyond
    which no throw can raise the expectation.
    """

    players = 1
    sides: int = 6
    enough = 0

    stop: ClassVar[str] = "stop"
    """The move that ends the turn with the total."""

    class State(NamedTuple):
        """Total (0 once it is lost) and one of `PHASES`."""

        total: int
        phase: int

    def setup(self) -> None:
        """Check the number of faces."""
        if self.sides < 1:
            raise ParameterError(
                f"{self.name}: sides must be at least 1", found=str(self.sides), allowed="1, 2, 3, ..."
            )

    def is_bad(self, face: int) -> bool:
        """Whether a face loses the total."""
        raise NotImplementedError

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State(self.enough + self.sides, OVER)

    def start(self) -> State:
        """A total of 0, before the first throw."""
        return self.State(0, DECIDING)

    def to_move(self, state: State) -> int:
        """The die while it rolls, else the player."""
        return CHANCE if state.phase == ROLLING else 0

    def moves(self, state: State) -> Iterator[int]:
        """Throw while it may pay, stop once there is a total; every face while the die rolls."""
        if state.phase == DECIDING:
            if state.total <= self.enough:
                yield ROLL
            if state.total > 0:
                yield STOP
        elif state.phase == ROLLING:
            yield from range(1, self.sides + 1)

    def play(self, state: State, move: int) -> State:
        """Throw, stop, or add the face thrown."""
        if state.phase == DECIDING:
            return self.State(state.total, ROLLING if move == ROLL else OVER)
        if self.is_bad(move):
            return self.State(0, OVER)
        return self.State(state.total + move, DECIDING)

    def payoff(self, state: State) -> int:
        """The total."""
        return state.total

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`total=12`, with the phase where the player is not deciding."""
        text = f"total={state.total}"
        return text if state.phase == DECIDING else f"{text} phase={PHASES[state.phase]}"

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        form = text
        for number, word in enumerate(PHASES):
            form = form.replace(f"phase={word}", f"phase={number}")
        state = self.State(*super().parse(form if "phase=" in form else f"{form} phase={DECIDING}"))
        if not DECIDING <= state.phase <= OVER:
            raise PositionError(f"no such position: {text}", found=f"phase {state.phase}", allowed=", ".join(PHASES))
        if state.phase == ROLLING and state.total > self.enough:
            raise PositionError(f"no such position: {text}", allowed=f"total up to {self.enough} while the die rolls")
        return state

    def show_move(self, state: State, move: int) -> str:
        """The move, or the face thrown."""
        return str(move) if state.phase == ROLLING else ("roll", self.stop)[move]

    # ---------------------------------------------------------------- pictures

    def draw_after(self, state: State, history: Sequence[str]) -> kit.Board:
        """The total, the throws so far, and what can be done."""
        texts = [self.show_move(state, move) for move in self.moves(state)]
        bad = [str(face) for face in range(1, self.sides + 1) if self.is_bad(face)]
        lost = " and ".join(filter(None, [", ".join(bad[:-1]), bad[-1]])) if bad else "nothing"
        label = f"{lost} {'loses' if len(bad) == 1 else 'lose'} it" if state.phase != OVER else "The turn is over"
        is_in_air = state.phase == ROLLING
        table = thrown(history, kit.die(None) if is_in_air else None)
        table += [kit.Slot(kit.figure(state.total, "total"), 62), kit.Slot(kit.word(label, 16), 26)]
        before = [text for text in history if THROW.fullmatch(text)][:-1]
        earlier = [kit.Slot(throw_piece(text), 30, faded=True) for text in before[-MOST_SHOWN:]]
        parts: list[kit.Part] = [kit.Row(tuple(table), ground="well")]
        parts += [kit.Row(tuple(earlier), "Thrown before")] if earlier else []
        parts += [choices(texts, "The die shows" if is_in_air else "")] if texts else []
        return kit.Board(self.title(), tuple(parts))
