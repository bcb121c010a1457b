"""Roll dice until the same sum comes twice in a row, or stop before it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import endsight
import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError, QuestionError
from endsight.game import CHANCE, Game
from endsight.games.pictures.throws import MOST_COLUMNS, MOST_DICE, MOST_SHOWN, choices, columns, dice_of

DECIDING, ROLLING, STOPPED, BUST = 0, 1, 2, 3
PHASES = ("deciding", "rolling", "stopped", "bust")
STOP, ROLL = 0, 1

# Largest reward that a position set up by hand may have, where play itself cannot go so far.
LARGEST_REWARD = 999_999
# Most additions for counting the ways to throw each sum.
MOST_ADDITIONS = 5_000_000


class RepeatBust(Game):
    """Roll until the same sum comes twice in a row.

    One player throws `dice` dice with faces 1 to `sides`. The sum of every throw is
    added to the reward; but a sum equal to the one just before ends the game with
    nothing. After any other throw the player may `stop` and keep the reward, or `roll`
    again. The first throw only sets the last sum (`first=ignored`) or scores as well
    (`first=scored`).

    Rewards have no bound in these rules. From the mean sum times sides^dice less dice
    on, stopping is best whatever the last sum, so only `stop` is offered there.
    """

    players = 1
    sides: int = 6
    dice: int = 2
    first: Literal["ignored", "scored"] = "ignored"

    class State(NamedTuple):
        """Reward so far, sum of the last throw (0: none yet, or over), and one of `PHASES`."""

        reward: int
        last: int
        phase: int

    def setup(self) -> None:
        """Count the ways to throw each sum."""
        for key in ("sides", "dice"):
            if getattr(self, key) < 1:
                raise ParameterError(
                    f"repeatbust: {key} must be at least 1", found=str(getattr(self, key)), allowed="1, 2, 3, ..."
                )
        if self.dice * self.dice * self.sides > MOST_ADDITIONS:
            raise endsight.errors.LimitReached(
                f"repeatbust: too many sums to count the ways of {self.dice} dice with {self.sides} sides",
                advice="fewer dice, or fewer sides",
            )
        self.low, self.high = self.dice, self.dice * self.sides
        self.throws = self.sides**self.dice
        self.ways = _ways(self.sides, self.dice)
        # Mean sum times `throws`. One more throw is worth, on the same scale,
        # reward * throws + total - ways * (reward + last): against reward * throws.
        self.total = self.low * (self.sides + 1) * self.throws // 2
        self.bound = self.total - self.dice
        self.scores_first = self.first == "scored"

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State(max(self.bound + self.high, LARGEST_REWARD), self.high, BUST)

    def start(self) -> State:
        """Nothing thrown yet; the first throw is in the air."""
        return self.State(0, 0, ROLLING)

    def to_move(self, state: State) -> int:
        """The dice while they roll, else the player."""
        return CHANCE if state.phase == ROLLING else 0

    def moves(self, state: State) -> Iterator[int]:
        """`stop`, then `roll` below the bound; every sum while the dice roll."""
        if state.phase == DECIDING:
            yield STOP
            if state.reward < self.bound:
                yield ROLL
        elif state.phase == ROLLING:
            yield from range(self.low, self.high + 1)

    def weight(self, state: State, move: int) -> int:
        """Ways to throw the sum `move`."""
        return self.ways[move - self.low]

    def play(self, state: State, move: int) -> State:
        """Stop, take the dice up, or add the sum thrown."""
        if state.phase == DECIDING:
            if move == STOP:
                return self.State(state.reward, 0, STOPPED)
            return self.State(state.reward, state.last, ROLLING)
        if move == state.last:
            return self.State(0, 0, BUST)
        if state.last == 0 and not self.scores_first:
            return self.State(0, move, DECIDING)
        return self.State(state.reward + move, move, DECIDING)

    def payoff(self, state: State) -> int:
        """The reward; it is 0 after a bust."""
        return state.reward

    # ---------------------------------------------------------------- policies by name

    def policy_myopic(self, state: State) -> int:
        """Roll only where one more throw raises the expectation."""
        return ROLL if self._gain(state) > 0 else STOP  # nowhere from the bound on

    def policy_myopic_roll(self, state: State) -> int:
        """Roll where one more throw does not lower the expectation; `QuestionError` where that is at the bound."""
        return self.roll_on(state) if self._gain(state) >= 0 else STOP

    def policy_never(self, state: State) -> int:
        """Never stop; `QuestionError` from the bound on, where only `stop` is offered."""
        return self.roll_on(state)

    def roll_on(self, state: State) -> int:
        """`roll`; `QuestionError` where whoever goes on rolling leaves what these rules offer."""
        if state.reward < self.bound:
            return ROLL
        raise QuestionError(
            "repeatbust: the policy plays on past the end that the rules file sets",
            found=f"roll, at {self.show(state)}",
            allowed="stop; without --method, value, dist and table answer for play without that end",
            advice="leave --method out, or take another policy",
        )

    def _gain(self, state: State) -> int:
        """What one more throw adds to the expectation, times `throws`."""
        gain: int = self.total - self.ways[state.last - self.low] * (state.reward + state.last)
        return gain

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`reward=35 last=7`, with the phase where the player is not deciding."""
        text = f"reward={state.reward} last={state.last}"
        return text if state.phase == DECIDING else f"{text} phase={PHASES[state.phase]}"

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        form = text
        for number, word in enumerate(PHASES):
            form = form.replace(f"phase={word}", f"phase={number}")
        try:
            state = self.State(*super().parse(form if "phase=" in form else f"{form} phase={DECIDING}"))
        except PositionError as error:
            raise PositionError(
                f"cannot read the position {text!r}",
                found=error.found,
                allowed=f"reward=35 last=7, and phase={'|'.join(PHASES[1:])} where nothing is to be decided",
            ) from error
        self._check(text, state)
        return state

    def _check(self, text: str, state: State) -> None:
        """Raise `PositionError` unless the fields fit together."""
        if state.phase == ROLLING:
            fits = state == self.start() or (self.low <= state.last <= self.high and 0 <= state.reward <= self.bound)
            allowed = f"{self.show(self.start())}, or last from {self.low} to {self.high}, reward up to {self.bound}"
        elif state.phase == DECIDING:
            fits, allowed = self.low <= state.last <= self.high, f"last from {self.low} to {self.high}"
        elif state.phase == STOPPED:
            fits, allowed = state.last == 0, "last=0"
        elif state.phase == BUST:
            fits, allowed = state.reward == state.last == 0, "reward=0 last=0"
        else:
            fits, allowed = False, "phase " + ", ".join(PHASES)
        if not fits:
            raise PositionError(f"no such position: {text}", allowed=allowed)

    def show_move(self, state: State, move: int) -> str:
        """`stop`, `roll`, or the sum thrown."""
        return str(move) if state.phase == ROLLING else ("stop", "roll")[move]

    def draw(self, state: State) -> str:
        """The reward and what happens next."""
        if state.phase == BUST:
            return "bust: the same sum twice in a row, reward 0"
        if state.phase == STOPPED:
            return f"stopped with reward {state.reward}"
        dice = f"{self.dice} {'die' if self.dice == 1 else 'dice'} of {self.sides}"
        if state == self.start():
            return f"reward 0, first throw of {dice} in the air"
        chance = f"a {state.last} ({self.ways[state.last - self.low]} in {self.throws}) busts"
        after = "deciding" if state.phase == DECIDING else "dice in the air"
        return f"reward {state.reward}, last sum {state.last}, {after}: with {dice}, {chance}"

    def draw_after(self, state: State, history: Sequence[str]) -> kit.Board:
        """The total, the sums so far, and the ways to throw each sum."""
        texts = [self.show_move(state, move) for move in self.moves(state)]
        label = {STOPPED: "kept", BUST: "bust: the same sum twice"}.get(state.phase, "total")
        if state.last:
            label += f", last sum {state.last}"
        sums, is_in_air = [text for text in history if text.isdecimal()], state.phase == ROLLING
        tiles = [kit.Slot(kit.tile(text), 44) for text in sums[:-1]]
        tiles += [kit.Slot(kit.tile(text), 44, text, made=True) for text in sums[-1:]]
        table = (*self.lying(state), kit.Slot(kit.figure(state.reward, label), 62), *tiles[-MOST_SHOWN:])
        parts: list[kit.Part] = [kit.Row(table, ground="well")]
        if not is_in_air and texts:
            parts.append(choices(texts))
        if len(self.ways) <= MOST_COLUMNS and texts:
            parts.append(columns(self.ways, self.dice, state.last, is_in_air=is_in_air))
        elif is_in_air:
            parts.append(kit.Row(tuple(kit.Slot(kit.tile(text), 44, text) for text in texts), "The sum is"))
        return kit.Board("Roll until a sum repeats", tuple(parts))

    def lying(self, state: State) -> list[kit.Slot]:
        """The dice of the last throw, or those in the air."""
        if state.phase == ROLLING:
            return [kit.Slot(kit.beside("Dice in the air", [kit.die(None)] * min(self.dice, MOST_DICE), 6), 64)]
        return [kit.Slot(dice_of(state.last, self.dice, self.sides), 64)] if state.last else []


def _ways(sides: int, dice: int) -> tuple[int, ...]:
    """Ways to throw each sum from `dice` to `dice * sides`."""
    ways = [1]
    for _ in range(dice):
        longer = []
        running = 0
        for k in range(len(ways) + sides - 1):
            running += ways[k] if k < len(ways) else 0
            running -= ways[k - sides] if k >= sides else 0
            longer.append(running)
        ways = longer
    return tuple(ways)
