"""The 2x2x2 cube with one corner held still: three faces turn.

Source: D. Singmaster, "Notes on Rubik's Magic Cube" (1981): 7! * 3 ** 6 = 3,674,160 positions, of which the farthest
is 11 half or quarter turns from order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from endsight.game import Game

# For each face its four places in the order in which a quarter turn moves corners on, and the twist each gets.
FACES = (((0, 1, 2, 3), (0, 0, 0, 0)), ((0, 3, 4, 5), (1, 2, 1, 2)), ((2, 6, 4, 3), (2, 1, 2, 1)))


class PocketCube(Game):
    """One player; order is worth 1 and ends the game. The start is one half turn of each face away."""

    players = 1

    class State(NamedTuple):
        """The seven places, five bits each: the corner that is there, times 3, plus its twist."""

        corners: int

    def setup(self) -> None:
        self.places = tuple(place for places, _ in FACES for place in places)
        self.twists = tuple(twist for _, twists in FACES for twist in twists)
        self.order = sum(3 * corner << 5 * corner for corner in range(7))

    def limits(self) -> State:
        return self.State((1 << 35) - 1)

    def start(self) -> State:
        state = self.State(self.order)
        for move in (1, 4, 7):
            state = self.play(state, move)
        return state

    def moves(self, state: State) -> Iterator[int]:
        """Three times the face, plus the number of quarter turns less one."""
        if state.corners != self.order:
            yield from range(9)

    def quarter(self, corners: int, face: int) -> int:
        """The corners after a quarter turn of a face."""
        turned = corners
        for step in range(4):
            source, target = self.places[4 * face + step], self.places[4 * face + (step + 1) % 4]
            corner = (corners >> 5 * source) & 31
            twisted = corner - corner % 3 + (corner + self.twists[4 * face + step]) % 3
            turned ^= (((turned >> 5 * target) & 31) ^ twisted) << 5 * target
        return turned

    def play(self, state: State, move: int) -> State:
        corners = state.corners
        for _ in range(move % 3 + 1):
            corners = self.quarter(corners, move // 3)
        return self.State(corners)

    def payoff(self, state: State) -> int:
        return 1
