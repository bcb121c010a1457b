"""Rectangular boards as text: names of squares, positions in one line, drawings.

For the rules of board games. A board is two bit sets, the first player's men
(`x`) and the second's (`o`); bit `row * width + column` is the square in that
row from the bottom and that column from the left, both from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from endsight.base.faults import ParameterError, PositionError

WORD = 63
"""Bits of a whole number from 0 up that fit into a signed machine word: the compiled engine's limit for a field."""


def check_side(title: str, key: str, value: int, *, least: int = 1, most: int = len(ascii_lowercase)) -> None:
    """Raise `ParameterError` unless the side `key` of the board is from `least` to `most`."""
    if not least <= value <= most:
        allowed = f"{key} from {least} to {most}"
        raise ParameterError(f"{title}: {key}={value} is out of range", found=str(value), allowed=allowed)


def check_squares(title: str, squares: int, *, what: str = "squares") -> None:
    """Raise `ParameterError` for a board of more than `WORD` squares."""
    if squares > WORD:
        raise _too_large(title, f"{squares} {what}")


def _too_large(title: str, found: str) -> ParameterError:
    return ParameterError(
        f"{title}: the board is too large",
        found=found,
        allowed=f"up to {WORD}, one bit of a machine word each",
        advice="a smaller width or height",
    )


def square_name(square: int, width: int) -> str:
    """`a1` for square 0 (bottom left), `b1` to its right, `a2` above it.

    >>> square_name(5, 3)
    'c2'
    """
    return f"{ascii_lowercase[square % width]}{square // width + 1}"


def winning_lines(width: int, height: int, line: int) -> tuple[int, ...]:
    """Bit sets of all lines of so many squares next to each other, in rows, columns and diagonals."""
    lines = []
    for square in range(width * height):
        row, column = divmod(square, width)
        for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            if 0 <= column + right * (line - 1) < width and row + up * (line - 1) < height:
                step = up * width + right
                lines.append(sum(1 << square + i * step for i in range(line)))
    return tuple(dict.fromkeys(lines))


def board_text(first: int, second: int, width: int, height: int) -> str:
    """The board in one line, the top row first: `x`, `o` and `.`, rows parted by `/`.

    >>> board_text(0b000_010_001, 0b100_000_000, 3, 3)
    '..o/.x./x..'
    """
    return "/".join(
        "".join(_mark(first, second, row * width + column) for column in range(width))
        for row in reversed(range(height))
    )


def _mark(first: int, second: int, square: int) -> str:
    if first >> square & 1:
        return "x"
    return "o" if second >> square & 1 else "."


def read_board(title: str, text: str, width: int, height: int) -> tuple[int, int]:
    """The two bit sets that `text` (in the form of `board_text`) stands for.

    Capitals are read as well, and blanks around rows. Raises `PositionError`.
    """
    form = f"{height} rows of {width} signs x, o or '.', the top row first, parted by /"
    rows = [row.strip() for row in text.lower().split("/")]
    if len(rows) != height:
        raise PositionError(f"{title}: cannot read the position {text!r}", found=f"{len(rows)} rows", allowed=form)
    for number, row in enumerate(rows, start=1):
        if len(row) != width or set(row) - set("xo."):
            found = f"{row!r} as row {number} from the top"
            raise PositionError(f"{title}: cannot read the position {text!r}", found=found, allowed=form)
    signs = "".join(reversed(rows))
    return _squares_with("x", signs), _squares_with("o", signs)


def _squares_with(sign: str, signs: str) -> int:
    return sum(1 << square for square, found in enumerate(signs) if found == sign)


def split_seat(title: str, text: str) -> tuple[int, str]:
    """The player named in front of a board (`second: ...`; the first if none), and the board.

    Raises `PositionError` for any other word before the colon.
    """
    head, colon, board = text.rpartition(":")
    seats = {"": 0, "first": 0, "second": 1}
    if head.strip() not in seats or (colon and not head.strip()):
        allowed = "first: or second: in front of the board (nothing means first)"
        raise PositionError(f"{title}: cannot read whose turn it is", found=repr(head.strip()), allowed=allowed)
    return seats[head.strip()], board.strip()


def draw_board_text(text: str) -> str:
    """A drawing of a board in the form of `board_text`, with letters for the columns."""
    rows = text.upper().split("/")
    return draw_rows(rows, ascii_lowercase[: len(rows[0])])


def draw_rows(rows: Sequence[str], columns: Sequence[str]) -> str:
    """A drawing with the rows (top first) numbered on the left and the columns named below.

    >>> print(draw_rows([".X", "O."], "ab"))
    2  . X
    1  O .
       a b
    """
    margin = len(str(len(rows)))
    wide = max(map(len, columns))
    lines = [
        f"{number:>{margin}}  " + " ".join(sign.rjust(wide) for sign in row)
        for number, row in zip(range(len(rows), 0, -1), rows, strict=True)
    ]
    return "\n".join([*lines, " " * (margin + 2) + " ".join(name.rjust(wide) for name in columns)])
