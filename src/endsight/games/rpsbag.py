"""Rock, paper, scissors against a bag of biased dice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import chain, pairwise
from math import gcd, prod
from typing import ClassVar, Literal, NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.file_rows import dice_in_columns, dice_in_rows, die_fault, weights_in_row
from endsight.games.pictures.bag import die_card, still_inside

NAMES = ("", "rock", "paper", "scissors")
"""Gestures and faces are the whole numbers 1, 2, 3; 0 stands for none."""
MOST_SHOWN = 12
"""Dice that are drawn one by one, with what is known of each."""
FORM = "each die as rock-paper-scissors weights, dice joined by /, as in rpsbag:100-0-200/0-300-0"


class RpsBag(Game):
    """One player shows rock, paper or scissors against dice drawn blindly from a bag.

    The bag holds `dice`; each shows rock, paper or scissors with chances proportional to
    its three whole weights, in this order. In every turn the player chooses a gesture;
    then a die, each with the same chance, leaves the bag and is thrown. Only its face is
    seen, not which die it was. A gesture that beats the face brings 3 points (paper beats
    rock, scissors beat paper, rock beats scissors), the same gesture 1, a beaten one 0.
    The game ends when the bag is empty.

    A move is `rock`, `paper` or `scissors`: in turn the player's gesture and the face.

    A position in one line is the number of times each face was seen, and the gesture
    while the die is in the air: `rock=1 paper=0 scissors=2`, `rock=0 paper=0 scissors=0
    gesture=paper`.
    """

    players: ClassVar[int] = 1

    dice: tuple[tuple[int, ...], ...]

    class State(NamedTuple):
        """Faces seen so far, and the gesture shown (0: none) while a die is in the air.

        Which die left the bag stays unknown, so nothing else of the past matters.
        """

        rocks: int
        papers: int
        scissors: int
        gesture: int

    def setup(self) -> None:
        if not self.dice:
            raise ParameterError(f"{self.name} needs at least one die", allowed=FORM)
        for number, die in enumerate(self.dice, start=1):
            fault = die_fault(die)
            if fault:
                raise ParameterError(f"{self.name}: die {number} is not a die", found=fault, allowed=FORM)
        self.count = len(self.dice)

    @cached_property
    def ways(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """`ways[rocks][papers][scissors]`: how likely these faces are, among as many seen.

        The coefficients of prod_i (w_i + r_i x + p_i y + s_i z), where die i has weights
        r_i, p_i, s_i with sum w_i: a die adds to one of the counts or is still in the bag.
        Entries for the same number of faces seen are relative to each other.

        As w_i = r_i + p_i + s_i, a factor is r_i (1 + x) + p_i (1 + y) + s_i (1 + z). So the
        coefficients of one degree are, but for a common factor, the sums of all three
        derivatives of those of the next one, and the highest ones are a polynomial in two
        variables. O(n^3).
        """
        layer = _all_thrown(self.dice)
        table: list[list[list[int]]] = [[[] for _ in row] for row in layer]
        for seen in range(self.count, -1, -1):
            for rocks, row in enumerate(layer):
                for papers, ways in enumerate(row):
                    table[rocks][papers].append(ways)
            layer = _one_fewer(layer, seen)
        return tuple(tuple(tuple(reversed(column)) for column in plane) for plane in table)

    def limits(self) -> State:
        return self.State(self.count, self.count, self.count, 3)

    def start(self) -> State:
        return self.State(0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.gesture else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.rocks + state.papers + state.scissors < self.count:
            for sign in range(1, 4):
                if state.gesture == 0 or self.weight(state, sign) > 0:
                    yield sign

    def weight(self, state: State, face: int) -> int:
        # Any of the dice that showed `face` may be the last one, hence the factors.
        if face == 1:
            return (state.rocks + 1) * self.ways[state.rocks + 1][state.papers][state.scissors]
        if face == 2:
            return (state.papers + 1) * self.ways[state.rocks][state.papers + 1][state.scissors]
        return (state.scissors + 1) * self.ways[state.rocks][state.papers][state.scissors + 1]

    def play(self, state: State, move: int) -> State:
        if state.gesture == 0:
            return self.State(state.rocks, state.papers, state.scissors, move)
        return self.State(
            state.rocks + int(move == 1), state.papers + int(move == 2), state.scissors + int(move == 3), 0
        )

    def reward(self, state: State, move: int) -> int:
        return 0 if state.gesture == 0 else self.points(state.gesture, move)

    def points(self, gesture: int, face: int) -> int:
        """3 where `gesture` beats `face`, 1 where they are the same, else 0."""
        if gesture == face:
            return 1
        return 3 if (gesture - face) % 3 == 1 else 0

    def payoff(self, state: State) -> int:
        return 0

    def policy_rock(self, state: State) -> int:
        """Always rock."""
        return 1

    def policy_paper(self, state: State) -> int:
        """Always paper."""
        return 2

    def policy_scissors(self, state: State) -> int:
        """Always scissors."""
        return 3

    def show_move(self, state: State, move: int) -> str:
        return NAMES[move]

    def show(self, state: State) -> str:
        text = f"rock={state.rocks} paper={state.papers} scissors={state.scissors}"
        return f"{text} gesture={NAMES[state.gesture]}" if state.gesture else text

    def parse(self, text: str) -> State:
        given: dict[str, int] = {"gesture": 0}
        for item in text.split():
            key, _, value = item.partition("=")
            if key == "gesture" and value in NAMES[1:]:
                given[key] = NAMES.index(value)
            elif key in NAMES[1:] and value.isascii() and value.isdecimal() and len(value) < 10:
                given[key] = int(value)
            else:
                raise self._unreadable(text, f"{item!r}")
        if len(given) < 4:
            raise self._unreadable(text, "nothing for " + ", ".join(name for name in NAMES[1:] if name not in given))
        state = self.State(given["rock"], given["paper"], given["scissors"], given["gesture"])
        self._check(text, state)
        return state

    def _check(self, text: str, state: State) -> None:
        """Raise `PositionError` for a state that cannot come up."""
        seen = sum(state[:3])
        if seen + (state.gesture > 0) > self.count:
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found=f"{seen} faces seen" + (" and a die in the air" if state.gesture else ""),
                allowed=f"as many as there are dice: {self.count}",
            )
        if self.ways[state.rocks][state.papers][state.scissors] == 0:
            raise PositionError(
                f"{self.name}: no such position: {text}",
                found="these dice cannot have shown these faces",
                allowed="faces whose weight is not 0 on enough of the dice",
            )

    def _unreadable(self, text: str, found: str) -> PositionError:
        return PositionError(
            f"{self.name}: cannot read the position {text!r}",
            found=found,
            allowed="rock=... paper=... scissors=..., and gesture=rock|paper|scissors while a die is in the air",
        )

    def draw(self, state: State) -> str:
        left = self.count - sum(state[:3])
        air = f", one in the air against our {NAMES[state.gesture]}" if state.gesture else ""
        rows = [
            "            " + "".join(f"{name:>10}" for name in NAMES[1:]),
            "faces seen  " + "".join(f"{seen:>10}" for seen in state[:3]),
        ]
        if left:
            weights = [self.weight(state, face) for face in (1, 2, 3)]
            # Percent, from whole numbers: the exact chances may have hundreds of digits.
            parts = [round(Fraction(10_000 * weight, sum(weights))) for weight in weights]
            chances = [f"{part // 100}.{part % 100:02} %" for part in parts]
            rows.append("next face   " + "".join(f"{chance:>10}" for chance in chances))
        return "\n".join([*rows, f"dice        {left} of {self.count} to come{air}"])

    def draw_board(self, state: State) -> kit.Board:
        """The gesture against the die, the faces seen, and the dice with what is known of each."""
        left, seen = self.count - sum(state[:3]), (state.rocks, state.papers, state.scissors)
        shown = [kit.Slot(kit.hand(state.gesture - 1), 76), kit.Slot(kit.die(None), 64)] if state.gesture else []
        label = kit.word(f"{left} of {self.count} dice to come", 16)
        faces = [
            kit.Slot(kit.captioned(kit.hand(sign), str(count), 36), 68, faded=not count)
            for sign, count in enumerate(seen)
        ]
        parts: list[kit.Part] = [kit.Row((kit.Slot(kit.bag(), 84), kit.Slot(label, 26), *shown), ground="well")]
        parts.append(kit.Row(tuple(faces), "Seen so far"))
        names = [NAMES[move] for move in self.moves(state)]
        if names:
            heading = "The die shows" if state.gesture else "Show"
            parts.append(kit.Row(tuple(kit.Slot(kit.hand(NAMES.index(name) - 1), 72, name) for name in names), heading))
        if self.count <= MOST_SHOWN:
            chances = still_inside(self.dice, seen)
            cards = [kit.Slot(die_card(one, inside), 124) for one, inside in zip(self.dice, chances, strict=True)]
            parts.append(kit.Row(tuple(cards), "The dice"))
        return kit.Board("Bag of dice", tuple(parts))

    @classmethod
    def from_file(cls, text: str, rows: Literal["faces", "dice"] = "faces") -> tuple[RpsBag, tuple[str, ...]]:
        """Three rows rock, paper, scissors with a number for every die; with `rows=dice` a die a row."""
        if rows not in ("faces", "dice"):
            allowed = "rows=faces (three rows rock, paper, scissors) or rows=dice (a die a row)"
            raise ParameterError(f"{cls.name}: no such rows", found=f"rows={rows}", allowed=allowed)
        lines = [
            (number, weights_in_row(number, line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()
        ]
        return cls(dice=dice_in_rows(lines) if rows == "dice" else dice_in_columns(lines)), ()


def _all_thrown(dice: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    """The coefficients of prod_i (r_i x + p_i y + s_i z) by rocks and papers, without common factors.

    Those for all numbers of papers are held in one number, `width` bits each: multiplying such numbers is far quicker
    than their parts.
    """
    width = prod(map(sum, dice)).bit_length()  # the coefficients sum to that product
    rows = [1]
    for rock, paper, scissors in dice:
        longer = zip([*rows, 0], [0, *rows], strict=True)
        rows = [scissors * row + (paper * row << width) + rock * below for row, below in longer]
    mask, size = (1 << width) - 1, len(rows)
    return _reduced([[row >> width * n & mask for n in range(size - rocks)] for rocks, row in enumerate(rows)])


def _one_fewer(layer: list[list[int]], seen: int) -> list[list[int]]:
    """The coefficients for one face fewer than `seen`, by rocks and papers, without common factors."""
    return _reduced(
        [
            [
                (rocks + 1) * rock + (papers + 1) * paper + (seen - rocks - papers) * scissors
                for papers, (rock, paper, scissors) in enumerate(zip(above, row[1:], row[:-1], strict=True))
            ]
            for rocks, (row, above) in enumerate(pairwise(layer))
        ]
    )


def _reduced(layer: list[list[int]]) -> list[list[int]]:
    """The numbers divided by what they all share."""
    shared = gcd(*chain.from_iterable(layer))
    return [[ways // shared for ways in row] for row in layer] if shared > 1 else layer
