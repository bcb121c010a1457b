"""Battleship on a line, with one ship of one square each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import endsight.board as kit
from endsight.base.faults import ParameterError
from endsight.game import Game
from endsight.games.board import WORD

_WIDEST_DRAWING = 20
Sea: TypeAlias = "tuple[int, int, int]"


class Battleship(Game):
    """Battleship on a line: each player hides a ship of one square, then they shoot.

    The squares are numbered 1 to `squares`, and a ship takes up one. The first player
    places a ship, then the second does, without seeing the other's. Then they alternate
    to shoot at a square at which they have not shot before, up to `shots` shots each; both
    see the shots and whether they hit. Who hits the other's ship first wins 1 from the
    other; if nobody does, nothing is paid.

    A move is the number of a square.

    A position in one line is where the ships are, 0 before they are placed, and for each
    player a bit set of squares shot at, 2 for square 1, 4 for square 2, and so on:
    `first=1 second=3 first_shots=4 second_shots=0`.
    """

    squares: int = 5
    shots: int = 3

    class State(NamedTuple):
        """The squares of the ships, 0 before they are placed; bit sets of the squares that were shot at."""

        first: int
        second: int
        first_shots: int
        second_shots: int

    def setup(self) -> None:
        if not 1 <= self.squares < WORD or not 0 <= self.shots <= self.squares:
            found = f"squares={self.squares}, shots={self.shots}"
            allowed = f"1 to {WORD - 1} squares, and no more shots than squares"
            raise ParameterError(f"{self.name}: the line is out of range", found=found, allowed=allowed)

    def limits(self) -> State:
        shots = (2 << self.squares) - 2
        return self.State(self.squares, self.squares, shots, shots)

    def start(self) -> State:
        return self.State(0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        if state.second == 0:
            return 0 if state.first == 0 else 1
        return (state.first_shots.bit_count() + state.second_shots.bit_count()) % 2

    def moves(self, state: State) -> Iterator[int]:
        if state.second == 0:
            yield from range(1, self.squares + 1)
        elif self.hit(state) == 0 and state.second_shots.bit_count() < self.shots:
            own = state.second_shots if self.to_move(state) else state.first_shots
            for square in range(1, self.squares + 1):
                if own >> square & 1 == 0:
                    yield square

    def hit(self, state: State) -> int:
        """1 where the first player has hit, 2 where the second has; 0 where nobody has."""
        if state.first_shots >> state.second & 1:
            return 1
        return 2 if state.second_shots >> state.first & 1 else 0

    def play(self, state: State, move: int) -> State:
        if state.first == 0:
            return state._replace(first=move)
        if state.second == 0:
            return state._replace(second=move)
        if self.to_move(state) == 0:
            return state._replace(first_shots=state.first_shots | 1 << move)
        return state._replace(second_shots=state.second_shots | 1 << move)

    def payoff(self, state: State) -> tuple[int, int]:
        return ((0, 0), (1, -1), (-1, 1))[self.hit(state)]

    def sees(self, state: State, player: int) -> tuple[int, int, int, int]:
        """The own ship, the shots of both, and whether one has hit."""
        ship = state.second if player else state.first
        return (ship, state.first_shots, state.second_shots, self.hit(state))

    def show_seen(self, seen: tuple[int, int, int, int], player: int) -> str:
        ship, first_shots, second_shots, hit = seen
        own, other = (second_shots, first_shots) if player else (first_shots, second_shots)
        end = "" if hit == 0 else " sunk" if (hit == 1) == (player == 1) else " hit"
        return f"ship={ship} shots={_listed(own)} shot-at={_listed(other)}{end}"

    def draw(self, state: State) -> str:
        """Each player's squares: `o` the ship, `x` a shot into the water, `X` a hit."""
        rows = [f"{'':<6}  " + " ".join(f"{square % 100:>2}" for square in range(1, self.squares + 1))]
        for name, ship, shots in (
            ("first", state.first, state.second_shots),
            ("second", state.second, state.first_shots),
        ):
            signs = [_sign(square == ship, shots >> square & 1 == 1) for square in range(1, self.squares + 1)]
            rows.append(f"{name:<6}  " + " ".join(f"{sign:>2}" for sign in signs))
        return "\n".join(rows)

    def draw_board(self, state: State) -> kit.Board:
        """The squares of the second player above, those of the first below, with ships and shots."""
        seas = ((1, state.second, state.first_shots), (0, state.first, state.second_shots))
        # Ships are placed on the own row, shots fall on the other; the last move was the other player's.
        row = self.to_move(state) if state.second else 1 - self.to_move(state)
        last = 1 - row
        places = [kit.Place(str(move), kit.cell(row, move).inside(3), pill=True) for move in self.moves(state)]
        shots = [square for square in range(1, self.squares + 1) if seas[last][2] >> square & 1]
        places += [kit.Place(str(square), kit.cell(last, square).inside(3), made=True) for square in shots]
        return self.pictured("Squares of both players", seas, places, self.draw(state))

    def draw_seen(self, seen: tuple[int, int, int, int], player: int) -> kit.Board:
        """The squares of the other player above, of which the shots are seen, and the own below."""
        ship, *shots, _ = seen
        other = 1 - player
        row = 0 if ship else 1  # shots fall on the other's squares, the ship is placed on the own
        boxes = {square: kit.cell(row, square).inside(3) for square in range(1, self.squares + 1)}
        places = [kit.Place(str(square), box, pill=True) for square, box in boxes.items()]
        seas = ((other, 0, shots[player]), (player, ship, shots[other]))
        return self.pictured("What you know", seas, places, self.show_seen(seen, player))

    def pictured(self, title: str, seas: tuple[Sea, Sea], places: list[kit.Place], text: str) -> kit.Board:
        """Two rows of squares, or the text where there are many: whose each row is, the ship in it, the shots at it."""
        if self.squares > _WIDEST_DRAWING:
            return kit.Board("Battleship", (kit.Panel(text),))
        squares = range(1, self.squares + 1)
        cells = [[kit.disc(seat), *(_piece(n == own, at >> n & 1 == 1) for n in squares)] for seat, own, at in seas]
        names = ["", *map(str, squares)]
        return kit.Board("Battleship", (kit.grid(title, cells, places, across=names, missing={(0, 0), (1, 0)}),))


def _sign(is_ship: bool, is_shot: bool) -> str:
    if is_ship:
        return "X" if is_shot else "o"
    return "x" if is_shot else "."


def _listed(squares: int) -> str:
    """The squares of a bit set, in order."""
    return "-".join(str(square) for square in range(1, squares.bit_length()) if squares >> square & 1) or "none"


def _piece(is_ship: bool, is_shot: bool) -> kit.Piece | None:
    """What lies on a square: a ship, a hit one, a shot into the water, or nothing."""
    if not is_ship:
        return kit.Piece("Shot into the water", (kit.Use("splash"),)) if is_shot else None
    return kit.Piece("Ship, hit", (kit.Use("ship"), kit.Use("hit"))) if is_shot else kit.ship()
