"""The Royal Game of Ur: a race of two players with four two-sided dice, who can throw each other back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.pictures.moving import made_moves, moves_between
from endsight.games.pictures.ur import box_of, dice_of, square_at

# Squares of a player's path are 1 to LAST; those from SHARED_FROM to SHARED_TO are everybody's.
LAST, SHARED_FROM, SHARED_TO = 14, 5, 12
SHARED = sum(1 << (square - 1) for square in range(SHARED_FROM, SHARED_TO + 1))
ROSETTES = (4, 8, 14)
SAFE = 8
HIGHEST_THROW, MOST_PIECES = 4, 7
# Ways to throw 0 to 4 with four dice that show 0 or 1.
WAYS = (1, 4, 6, 4, 1)
EMPTY, ROSETTE, PIECES = ".", "*", ("o", "x")


class Ur(Game):
    """The Royal Game of Ur in Irving Finkel's rules.

    Two players bring `pieces` pieces each along a path of 14 squares and off the board.
    Squares 1 to 4, 13 and 14 are the player's own; 5 to 12 are shared. Four dice that
    show 0 or 1 are thrown, and one piece moves as many squares as they show together: onto
    the board, along the path, or off it by the exact number. No square holds two pieces of
    one player. A piece on a shared square is thrown back to enter again when the other
    player lands there, but on square 8 it is safe: nobody else lands there. Squares 4, 8
    and 14 are rosettes: who lands on one throws again. A throw of 0, and one with which
    nothing can move, ends the turn. The first to have all pieces home wins 1; the other
    loses 1.

    Rules as in I. Finkel, "On the Rules for the Royal Game of Ur" (Ancient Board Games in
    Perspective, British Museum Press, 2007), in the simple form that is commonly played.
    """

    players = 2
    pieces: int = 7

    class State(NamedTuple):
        """Squares of both players as bits (square 1 lowest), pieces home, whose turn (0, 1), the throw (0: to come)."""

        first: int
        second: int
        first_home: int
        second_home: int
        turn: int
        throw: int

    def setup(self) -> None:
        """Check the number of pieces."""
        if not 1 <= self.pieces <= MOST_PIECES:
            raise ParameterError("ur: pieces must be from 1 to 7", found=str(self.pieces), allowed="1, 2, ..., 7")

    def limits(self) -> State:
        """The largest value of every field."""
        board = (1 << LAST) - 1
        return self.State(board, board, self.pieces, self.pieces, 1, HIGHEST_THROW)

    def start(self) -> State:
        """All pieces wait beside the board; the first player is to throw."""
        return self.State(0, 0, 0, 0, 0, 0)

    def layer(self, state: State) -> int:
        """Pieces that each player has home: they stay there."""
        fewer = min(state.first_home, state.second_home)
        return fewer * (MOST_PIECES + 1) + max(state.first_home, state.second_home)

    def exchanged(self, state: State) -> State:
        """Each player has the pieces and the turn of the other."""
        homes = state.second_home, state.first_home
        return self.State(state.second, state.first, homes[0], homes[1], 1 - state.turn, state.throw)

    def to_move(self, state: State) -> int:
        """The dice where a throw is to come, else the player on turn."""
        return CHANCE if state.throw == 0 and not self.is_over(state) else state.turn

    def is_over(self, state: State) -> bool:
        """Whether somebody has all pieces home."""
        return state.first_home == self.pieces or state.second_home == self.pieces

    def waiting(self, squares: int, home: int) -> int:
        """How many pieces of a player are still to enter."""
        on_board = 0
        for square in range(LAST):
            on_board += (squares >> square) & 1
        return self.pieces - home - on_board

    def is_legal(self, state: State, throw: int, origin: int) -> bool:
        """Whether the player on turn may move a piece from that square, 0 for one that enters."""
        own = state.first if state.turn == 0 else state.second
        other = state.second if state.turn == 0 else state.first
        home = state.first_home if state.turn == 0 else state.second_home
        if origin == 0:
            if self.waiting(own, home) == 0:
                return False
        elif (own >> (origin - 1)) & 1 == 0:
            return False
        target = origin + throw
        if target > LAST:
            return target == LAST + 1
        if (own >> (target - 1)) & 1 == 1:
            return False
        return target != SAFE or (other >> (SAFE - 1)) & 1 == 0

    def is_stuck(self, state: State, throw: int) -> bool:
        """Whether nothing can move with that throw."""
        return throw == 0 or not any(self.is_legal(state, throw, origin) for origin in range(LAST + 1))

    def moves(self, state: State) -> Iterator[int]:
        """The squares from which a piece may move (0: it enters); every throw where one is to come."""
        if state.throw > 0:
            for origin in range(LAST + 1):
                if self.is_legal(state, state.throw, origin):
                    yield origin
        elif not self.is_over(state):
            yield from range(HIGHEST_THROW + 1)

    def weight(self, state: State, move: int) -> int:
        """Of the 16 ways in which four dice fall, how many show that number."""
        return WAYS[move]

    def play(self, state: State, move: int) -> State:
        """Throw, and pass where nothing can move with that; or move a piece."""
        if state.throw > 0:
            return self.moved(state, move)
        if self.is_stuck(state, move):
            return self.State(state.first, state.second, state.first_home, state.second_home, 1 - state.turn, 0)
        return self.State(state.first, state.second, state.first_home, state.second_home, state.turn, move)

    def moved(self, state: State, origin: int) -> State:
        """The state after the piece on that square has moved as far as was thrown."""
        own = state.first if state.turn == 0 else state.second
        other = state.second if state.turn == 0 else state.first
        target = origin + state.throw
        if origin > 0:
            own -= 1 << (origin - 1)
        bears_off = 0
        if target > LAST:
            bears_off = 1
        else:
            landing = 1 << (target - 1)
            own |= landing
            if other & landing & SHARED:
                other -= landing
        turn = state.turn if target in ROSETTES else 1 - state.turn
        if state.turn == 0:
            return self.State(own, other, state.first_home + bears_off, state.second_home, turn, 0)
        return self.State(other, own, state.first_home, state.second_home + bears_off, turn, 0)

    def payoff(self, state: State) -> tuple[int, int]:
        """1 for the player who has all pieces home, -1 for the other."""
        return (1, -1) if state.first_home == self.pieces else (-1, 1)

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`first=1-5-8 second=none home=2-0 turn=first`, and `throw=3` where the dice have fallen."""
        squares = [
            "-".join(str(square) for square in range(1, LAST + 1) if (own >> (square - 1)) & 1) or "none"
            for own in (state.first, state.second)
        ]
        home = f"{state.first_home}-{state.second_home}"
        text = f"first={squares[0]} second={squares[1]} home={home} turn={self.player_names[state.turn]}"
        return f"{text} throw={state.throw}" if state.throw else text

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        given = dict(item.partition("=")[::2] for item in text.split())
        form = "first=1-5-8 second=none home=2-0 turn=first throw=3"
        if not {"first", "second", "home", "turn"} <= set(given) <= {"first", "second", "home", "turn", "throw"}:
            raise PositionError(f"cannot read the position {text!r}", allowed=form)
        try:
            first, second = (self._bits(given[player]) for player in ("first", "second"))
            first_home, second_home = map(_number, given["home"].split("-"))
            turn, throw = self.player_names.index(given["turn"]), _number(given.get("throw", "0"))
            state = self.State(first, second, first_home, second_home, turn, throw)
        except (ValueError, TypeError):
            raise PositionError(f"cannot read the position {text!r}", allowed=form) from None
        fault = self._fault(state)
        if fault:
            raise PositionError(f"no such position: {text}", found=fault, allowed=form)
        return state

    def _bits(self, squares: str) -> int:
        numbers = [] if squares == "none" else [_number(square) for square in squares.split("-")]
        if not all(1 <= number <= LAST for number in numbers) or len(set(numbers)) < len(numbers):
            raise ValueError("squares are 1 to 14, each once")
        return sum(1 << (number - 1) for number in numbers)

    def _fault(self, state: State) -> str:
        """What is wrong with a state, empty if nothing."""
        homes = (state.first_home, state.second_home)
        for player, own, home in zip(self.player_names, (state.first, state.second), homes, strict=True):
            if home < 0 or self.waiting(own, home) < 0:
                return f"{player} has {own.bit_count()} pieces on the board and {home} home, of {self.pieces}"
        if state.first & state.second & SHARED:
            return "two pieces on one shared square"
        if homes[state.turn] == self.pieces:
            return "the game is over, and the winner has moved: it is the other's turn"
        if not 0 <= state.throw <= HIGHEST_THROW or (
            state.throw and (self.is_over(state) or self.is_stuck(state, state.throw))
        ):
            return f"nothing can move with a throw of {state.throw}"
        return ""

    def show_move(self, state: State, move: int) -> str:
        """The throw; or `enter-2`, `5-8`, `13-home`: from where and to where."""
        if state.throw == 0:
            return str(move)
        target = move + state.throw
        return f"{move or 'enter'}-{target if target <= LAST else 'home'}"

    def name_move(self, state: State, move: int) -> str:
        """`enter on 2`, `go from 5 to 8`, `bring 13 home`; nothing for a throw."""
        target = move + state.throw
        if state.throw == 0:
            return ""
        if move == 0:
            return f"enter on {target}"
        return f"go from {move} to {target}" if target <= LAST else f"bring {move} home"

    def draw(self, state: State) -> str:
        """The board with the first player's own squares above, and of the second below."""
        rows = []
        for player in (0, None, 1):
            squares = range(SHARED_FROM, SHARED_TO + 1) if player is None else (4, 3, 2, 1, 0, 0, 14, 13)
            marks = " ".join(self._mark(state, square, player) for square in squares)
            rows.append(f"{marks}   {'' if player is None else self._side(state, player)}".rstrip())
        return "\n".join(rows)

    def _mark(self, state: State, square: int, player: int | None) -> str:
        if square == 0:
            return " "
        for number, own in enumerate((state.first, state.second)):
            if (own >> (square - 1)) & 1 and player in (None, number):
                return PIECES[number]
        return ROSETTE if square in ROSETTES else EMPTY

    def _side(self, state: State, player: int) -> str:
        """What a player has beside the board."""
        own, home = ((state.first, state.first_home), (state.second, state.second_home))[player]
        text = f"{PIECES[player]} {self.player_names[player]:<6} {self.waiting(own, home)} to enter, {home} home"
        if self.is_over(state):
            return f"{text}, won" if home == self.pieces else text
        if player != state.turn:
            return text
        return f"{text}, threw {state.throw}" if state.throw else f"{text}, to throw"

    def draw_board(self, state: State) -> kit.Board:
        """The board, the dice, and what lies beside it."""
        owns = (state.first, state.second)
        homes = (state.first_home, state.second_home)
        squares = [[square for square in range(1, LAST + 1) if own >> (square - 1) & 1] for own in owns]
        waiting = [self.waiting(own, home) for own, home in zip(owns, homes, strict=True)]
        is_over, player = self.is_over(state), state.turn
        moves = [(self.show_move(state, move), move) for move in self.moves(state)]
        between = [
            (text, box_of(move, player), box_of(move + state.throw, player)) for text, move in moves if state.throw
        ]
        arrived = [
            (f"{square - throw or 'enter'}-{square}", box_of(square, seat))
            for seat in (0, 1)
            for square in squares[seat]
            for throw in range(1, HIGHEST_THROW + 1)
            if square >= throw
        ]
        pieces = [(*square_at(square, seat), kit.ur_piece(seat)) for seat in (0, 1) for square in squares[seat]]
        places = [*moves_between(between), *made_moves(arrived)]
        parts: list[kit.Part] = [kit.ur_board("Board of the Royal Game of Ur", pieces, places)]
        name = self.player_names[player].capitalize()
        if state.throw:
            told = kit.word(f"{name} threw {state.throw}", 19, before=10)
            parts.append(kit.Row((kit.Slot(dice_of(state.throw), 46), kit.Slot(told, 30)), ground="well"))
        else:
            told = kit.word("The game is over" if is_over else f"{name} is to throw", 17)
            parts.append(kit.Row((kit.Slot(told, 27),), ground="well"))
        if moves and not state.throw:
            parts.append(kit.Row(tuple(kit.Slot(dice_of(move), 36, text) for text, move in moves), "The dice show"))
        beside = [f"{count} to enter, {own} home" for count, own in zip(waiting, homes, strict=True)]
        slots = [kit.Slot(kit.button(text, kit.ur_piece(seat)), 36) for seat, text in enumerate(beside)]
        return kit.Board("Royal Game of Ur", (*parts, kit.Row(tuple(slots))))


def _number(word: str) -> int:
    """The number that a word of digits stands for; `ValueError` for any other word."""
    if not (word.isascii() and word.isdecimal()):
        raise ValueError(f"{word!r} is no number")
    return int(word)
