"""The kit of pieces: small pure functions, one for each object on a table.

Players are numbers from 0, as in rules, and differ by shape and by colour: the first is blue with a cross, the second
orange with a ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from endsight.board.parts import Box, Circle, Path, Piece, Placed, Rect, Shape, Text, Use, text_width

SEATS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
_GESTURES = ("rock", "paper", "scissors")
_MOST_PIPS = 9
# The positions of pips in a square of 100.
_SPOTS = {sign: (28 + 22 * (place % 3), 27 + 23 * (place // 3)) for place, sign in enumerate("abcdefghi")}
_PIPS = ("", "e", "ai", "aei", "acgi", "acegi", "acdfgi", "acdefgi", "abcdfghi", "abcdefghi")


def _seat(player: int) -> str:
    return SEATS[player] if player < len(SEATS) else f"Player {player + 1}"


def _of_seat(drawing: str, player: int, what: str) -> Piece:
    """A drawing in two versions; further players have a numbered stone."""
    if player < 2:
        return Piece(f"{_seat(player)}{what}", (Use(f"{drawing}-{'ab'[player]}"),))
    return Piece(f"{_seat(player)}{what}", (Use("stone"), Text(str(player + 1), 50, 66, 40, "pip", 800)))


def disc(player: int) -> Piece:
    """A disc: blue with a cross, or orange with a ring."""
    return _of_seat("disc", player, "")


def man(player: int) -> Piece:
    """X or O as on paper."""
    return Piece(_seat(player), (Use("ring" if player else "cross"),)) if player < 2 else disc(player)


def pawn(player: int) -> Piece:
    """A pawn: with a bar, or with a dot."""
    return _of_seat("pawn", player, "'s pawn")


def car(player: int) -> Piece:
    """A car: plain, or with a stripe."""
    return _of_seat("car", player, "'s car")


def ur_piece(player: int) -> Piece:
    """A piece of the Royal Game of Ur: five dots, or rings."""
    return _of_seat("ur", player, "'s piece")


def stone(title: str = "Stone") -> Piece:
    """A stone of a heap."""
    return Piece(title, (Use("stone"),))


def pips(value: int, x: float = 0, y: float = 0, size: float = 100) -> tuple[Shape, ...]:
    """The pips of a number in a square, as on dice and dominoes; a numeral above nine."""
    unit = size / 100
    if not 0 <= value <= _MOST_PIPS:
        return (Text(str(value), x + size / 2, y + 66 * unit, 46 * unit, "pip", 800, widest=80 * unit),)
    radius = (10 if value < 7 else 8.5) * unit
    return tuple(Circle(x + _SPOTS[spot][0] * unit, y + _SPOTS[spot][1] * unit, radius) for spot in _PIPS[value])


def die(value: int | None, title: str | None = None) -> Piece:
    """A die that shows a number; None for a die in the air."""
    if value is None:
        return Piece(title or "Die in the air", (Use("die"), Text("?", 50, 66, 50, "edge", 800)))
    return Piece(title or f"Die showing {value}", (Use("die"), *pips(value, 2, 0, 96)))


def dice(values: Sequence[int], title: str | None = None) -> Piece:
    """Several dice beside each other."""
    name = title or f"Dice showing {', '.join(map(str, values))}"
    return beside(name, [die(value) for value in values], 6)


def beside(title: str, pieces: Sequence[Piece], gap: float = 10) -> Piece:
    """Pieces side by side as one, all 100 high."""
    placed, x = [], 0.0
    for piece in pieces:
        width = piece.width * 100 / piece.height
        placed.append(Placed(piece, Box(x, 0, width, 100)))
        x += width + gap
    return Piece(title, tuple(placed), max(10.0, x - gap), 100)


def domino(a: int, b: int, *, upright: bool = False) -> Piece:
    """A domino, lying or upright, with `a` on the left or above."""
    if upright:
        shapes: tuple[Shape, ...] = (Use("tile", 0, 0, 200, 100, turned=True), *pips(a, 6, 4, 90), *pips(b, 6, 106, 90))
        return Piece(f"Domino {a}-{b}", shapes, 100, 200)
    return Piece(f"Domino {a}-{b}", (Use("tile", 0, 0, 200, 100), *pips(a, 4, 3, 90), *pips(b, 106, 3, 90)), 200, 100)


def card(rank: object) -> Piece:
    """A playing card, face up."""
    text = str(rank)
    large = Text(text, 36, 66, 44, "pip", 800, widest=54)
    small = Text(text, 10, 25, 17, "pip", 700, "start", widest=40)
    return Piece(f"Card {text}", (Use("card", 0, 0, 72, 100), large, small), 72, 100)


def card_back(title: str = "Card, face down") -> Piece:
    """A playing card, face down."""
    return Piece(title, (Use("card-back", 0, 0, 72, 100),), 72, 100)


def pot(gold: object = None) -> Piece:
    """A pot of gold, open with its amount; closed without one."""
    if gold is None:
        return Piece("Closed pot, amount unknown", (Use("pot-closed"),))
    return Piece(f"Pot with {gold} gold", (Use("pot"), Text(str(gold), 50, 74, 29, "pip", 800, widest=40)))


def coin(text: object = "", title: str | None = None) -> Piece:
    """A coin, with or without a text."""
    return Piece(title or f"Coin {text}".strip(), (Use("coin"), Text(str(text), 50, 60, 36, "pip", 800, widest=52)))


def chocolate(*, is_poisoned: bool = False) -> Piece:
    """A square of chocolate."""
    return Piece("Poisoned square", (Use("poison"),)) if is_poisoned else Piece("Chocolate", (Use("chocolate"),))


def hand(gesture: int, title: str | None = None) -> Piece:
    """Rock (0), paper (1) or scissors (2)."""
    name = _GESTURES[gesture]
    return Piece(title or name.capitalize(), (Use(name),))


def bag(title: str = "Bag of dice") -> Piece:
    """A bag that hides its content."""
    return Piece(title, (Use("bag"),))


def ship(title: str = "Ship") -> Piece:
    """A ship."""
    return Piece(title, (Use("ship"),))


def tetrahedron(value: int) -> Piece:
    """A die of Ur: a marked tip up, or a plain one."""
    return Piece(f"Ur die showing {value}", (Use("tetra-1" if value else "tetra-0"),))


def spinner(names: Sequence[object], pointed: int | None = None) -> Piece:
    """A disc of up to eight sectors with a hand that points to one of them, or to none."""
    shapes: list[Shape] = [Circle(50, 50, 45, "stone", "stone-2", 3)]
    count = max(1, len(names))
    for number, name in enumerate(names):
        edge, middle = 2 * pi * number / count - pi / 2, 2 * pi * (number + 0.5) / count - pi / 2
        if count > 1:
            shapes.append(Path(f"M50 50L{50 + 45 * cos(edge):.1f} {50 + 45 * sin(edge):.1f}", None, "stone-2", 2.5))
        shapes.append(Text(str(name), 50 + 30 * cos(middle), 55 + 30 * sin(middle), 15, "pip", 700, widest=26))
    if pointed is not None:
        way = 2 * pi * (pointed + 0.5) / count - pi / 2
        shapes.append(Path(f"M50 50L{50 + 19 * cos(way):.1f} {50 + 19 * sin(way):.1f}", None, "bad", 6))
    shapes.append(Circle(50, 50, 6, "pip"))
    title = "Spinner" if pointed is None else f"Spinner at {names[pointed]}"
    return Piece(title, tuple(shapes))


def tile(text: object, title: str | None = None, *, is_last: bool = False) -> Piece:
    """A square tile with a text, as wide as the text needs."""
    words = str(text)
    width = max(64.0, text_width(words, 30) + 30)
    line = ("ink", 5.0) if is_last else ("line", 2.5)
    plate = Rect(3, 3, width - 6, 64, "card", 12, *line)
    return Piece(title or words, (plate, Text(words, width / 2, 46, 30)), width, 70)


def chip(count: object, title: str | None = None) -> Piece:
    """A chip with a number on it."""
    words = str(count)
    ring = (Circle(50, 50, 44, "lapis", "a-deep", 3), Circle(50, 50, 31, "bone"))
    return Piece(title or f"{words} chips", (*ring, Text(words, 50, 62, 34, "pip", 800, widest=52)))


def figure(number: object, caption: str = "") -> Piece:
    """A large number with a small line below it."""
    words = str(number)
    width = max(30.0, text_width(words, 44), text_width(caption, 15)) + 8
    shapes = (Text(words, 4, 42, 44, "ink", 750, "start"), Text(caption, 4, 64, 15, "soft", 400, "start"))
    return Piece(f"{words} {caption}".strip(), shapes, width, 72)


def word(text: str, size: float = 17, colour: str = "ink", weight: int = 650, before: float = 2) -> Piece:
    """Words in one line, with that much space before them."""
    width = text_width(text, size) + before + 2
    return Piece(text, (Text(text, before, size * 1.15, size, colour, weight, "start"),), width, size * 1.6)


def button(text: str, piece: Piece | None = None) -> Piece:
    """A possible action in words, beside a piece."""
    if piece is None:
        width = text_width(text, 19) + 8
        return Piece(text, (Text(text, width / 2, 22, 19, "ink", 650),), width, 30)
    said = text_width(text, 38)
    shapes = (*piece.shapes, Text(text, piece.width + 14, 63, 38, "ink", 650, "start"))
    return Piece(text, shapes, piece.width + 18 + said, 100)


def captioned(piece: Piece, text: str, letter: float = 24) -> Piece:
    """A piece with a line below it, in letters of that size for a piece 100 high."""
    size = 100 / piece.height
    width = max(piece.width * size, text_width(text, letter) + 8)
    inner = Placed(piece, Box((width - piece.width * size) / 2, 0, piece.width * size, 100))
    label = Text(text, width / 2, 106 + letter, letter, "soft", 500)
    return Piece(f"{text}: {piece.title}", (inner, label), width, 116 + letter)
