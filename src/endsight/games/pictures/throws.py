"""Games of dice and coins: races, single turns, and sums that must not repeat."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from endsight.board import (
    Board,
    Box,
    Part,
    Piece,
    Place,
    Rect,
    Row,
    Scene,
    Shape,
    Slot,
    Text,
    beside,
    button,
    coin,
    dice,
    die,
    disc,
    figure,
    tile,
    track,
    word,
)

__all__ = ["choices", "race_board", "sums_board", "throw_piece", "turn_board"]

_THROW = re.compile(r"[0-9]+(-[0-9]+)*|heads|tails")
_MOST_SHOWN, _MOST_COLUMNS, _MOST_DICE = 24, 22, 6


def throw_piece(text: str) -> Piece:
    """What was thrown: a die, several (`3-5`), or a coin."""
    if text in ("heads", "tails"):
        return coin("H" if text == "heads" else "T", text.capitalize())
    values = [int(each) for each in text.split("-")]
    return die(values[0]) if len(values) == 1 else dice(values)


def choices(texts: Sequence[str], heading: str = "") -> Row:
    """Moves in words, or throws, each to be chosen."""
    slots = [
        Slot(throw_piece(text), 52, text) if _THROW.fullmatch(text) else Slot(button(text.capitalize()), 34, text)
        for text in texts
    ]
    return Row(tuple(slots), heading)


def _thrown(history: Sequence[str], in_air: Piece | None) -> list[Slot]:
    """What lies on the table: the throw in the air, else the last one."""
    if in_air is not None:
        return [Slot(in_air, 64)]
    last = history[-1] if history else ""
    return [Slot(throw_piece(last), 64, last, made=True)] if _THROW.fullmatch(last) else []


def race_board(
    title: str,
    target: int,
    scores: tuple[int, int],
    pot: int,
    told: str,
    texts: Sequence[str],
    history: Sequence[str],
    in_air: Piece | None,
    turn: int,
) -> Board:
    """Two scores on a track, the throw and the pot, and what can be done or thrown."""
    pots = (pot, 0) if turn == 0 else (0, pot)
    players = [(disc(player), scores[player], pots[player]) for player in (0, 1)]
    line = track(f"Scores: first {scores[0]}, second {scores[1]}, of {target}", target, players)
    table = [*_thrown(history, in_air), Slot(figure(pot, "in the pot"), 62), Slot(word(told, 16), 26)]
    parts: list[Part] = [line, Row(tuple(table), ground="well")]
    return Board(title, (*parts, *([choices(texts)] if texts else [])))


def turn_board(
    title: str, total: int, told: str, texts: Sequence[str], history: Sequence[str], *, is_in_air: bool
) -> Board:
    """The throw, the total, what was thrown before, and what can be done or thrown."""
    thrown = [text for text in history if _THROW.fullmatch(text)]
    earlier = [Slot(throw_piece(text), 30, faded=True) for text in thrown[:-1][-_MOST_SHOWN:]]
    table = _thrown(history, die(None) if is_in_air else None)
    well = Row((*table, Slot(figure(total, "total"), 62), Slot(word(told, 16), 26)), ground="well")
    parts: list[Part] = [well]
    parts += [Row(tuple(earlier), "Thrown before")] if earlier else []
    parts += [choices(texts, "The die shows" if is_in_air else "")] if texts else []
    return Board(title, tuple(parts))


# ---------------------------------------------------------------------- sums that must not repeat


def sums_board(
    title: str,
    total: int,
    last: int,
    told: str,
    sides: int,
    ways: Sequence[int],
    dice_count: int,
    texts: Sequence[str],
    history: Sequence[str],
    *,
    is_in_air: bool,
) -> Board:
    """The dice, the total and the sums so far, then every sum with its ways, and what can be done."""
    sums = [text for text in history if text.isdecimal()]
    lying = [Slot(_dice_of(last, dice_count, sides), 64)] if last and not is_in_air else []
    lying += [Slot(beside("Dice in the air", [die(None)] * min(dice_count, _MOST_DICE), 6), 64)] * is_in_air
    tiles = [Slot(tile(text), 44) for text in sums[:-1]] + [Slot(tile(text), 44, text, made=True) for text in sums[-1:]]
    well = Row((*lying, Slot(figure(total, told), 62), *tiles[-_MOST_SHOWN:]), ground="well")
    parts: list[Part] = [well]
    if not is_in_air and texts:
        parts.append(choices(texts))
    if len(ways) <= _MOST_COLUMNS and texts:
        parts.append(_columns(ways, dice_count, {last} if last else set(), is_in_air=is_in_air))
    elif is_in_air:
        parts.append(Row(tuple(Slot(tile(text), 44, text) for text in texts), "The sum is"))
    return Board(title, tuple(parts))


def _dice_of(total: int, count: int, sides: int) -> Piece:
    """Dice that show a sum, as evenly as can be: only the sum is known."""
    title = f"Sum {total} of {count} dice" if count > 1 else f"Die showing {total}"
    if count > _MOST_DICE or not count <= total <= count * sides:
        return tile(total, title)
    return dice([total // count + (place >= count - total % count) for place in range(count)], title)


def _columns(ways: Sequence[int], low: int, bad: Collection[int], *, is_in_air: bool) -> Scene:
    """A column of blocks for every sum, as high as the ways to throw it; a sum that busts is marked."""
    width, most = 62.0, max(ways)
    unit, high = (26.0, 26.0 * most) if most <= 8 else (200.0 / most, 200.0)
    ground: list[Shape] = []
    places = []
    for place, count in enumerate(ways):
        left, total = 4 + width * place, low + place
        fill, line = ("bad-wash", "bad") if total in bad else ("a-wash", "a")
        ground += _blocks(left + 6, high + 8, width - 12, unit, count if most <= 8 else 0, fill, line)
        if most > 8:
            ground.append(Rect(left + 6, high + 6 - unit * count, width - 12, unit * count, fill, 5, line, 2))
        ground.append(Text(str(total), left + width / 2, high + 34, 22, "bad" if total in bad else "ink", 750))
        if total in bad:
            ground.append(Text("bust", left + width / 2, high + 55, 18, "bad", 650))
        places.append(Place(str(total), Box(left, 4, width, high + 120), label=Box(left, high + 58, width, 60)))
    told = "The sum is one of these" if is_in_air else "Ways to throw each sum"
    deep = high + (130 if is_in_air else 66)
    return Scene(told, width * len(ways) + 8, deep, tuple(ground), (), tuple(places) if is_in_air else (), scale=1)


def _blocks(x: float, low: float, width: float, unit: float, count: int, fill: str, line: str) -> list[Shape]:
    return [Rect(x, low - unit * (row + 1) + 3, width, unit - 4, fill, 5, line, 2) for row in range(count)]
