"""Throws of dice and coins: pieces, choices between them, and the ways to throw each sum."""

from __future__ import annotations

import re
from collections.abc import Sequence

import endsight.board as kit

THROW = re.compile(r"[0-9]+(-[0-9]+)*|heads|tails")
MOST_SHOWN, MOST_COLUMNS, MOST_DICE = 24, 22, 6


def throw_piece(text: str) -> kit.Piece:
    """What was thrown: a die, several (`3-5`), or a coin."""
    if text in ("heads", "tails"):
        return kit.coin("H" if text == "heads" else "T", text.capitalize())
    values = [int(each) for each in text.split("-")]
    return kit.die(values[0]) if len(values) == 1 else kit.dice(values)


def choices(texts: Sequence[str], heading: str = "") -> kit.Row:
    """Moves in words, or throws, each to be chosen."""
    slots = [
        kit.Slot(throw_piece(text), 52, text)
        if THROW.fullmatch(text)
        else kit.Slot(kit.button(text.capitalize()), 34, text)
        for text in texts
    ]
    return kit.Row(tuple(slots), heading)


def thrown(history: Sequence[str], in_air: kit.Piece | None) -> list[kit.Slot]:
    """What lies on the table: the throw in the air, else the last one."""
    if in_air is not None:
        return [kit.Slot(in_air, 64)]
    last = history[-1] if history else ""
    return [kit.Slot(throw_piece(last), 64, last, made=True)] if THROW.fullmatch(last) else []


# ---------------------------------------------------------------------- sums that must not repeat


def dice_of(total: int, count: int, sides: int) -> kit.Piece:
    """Dice that show a sum, as evenly as can be: only the sum is known."""
    title = f"Sum {total} of {count} dice" if count > 1 else f"Die showing {total}"
    if count > MOST_DICE or not count <= total <= count * sides:
        return kit.tile(total, title)
    return kit.dice([total // count + (place >= count - total % count) for place in range(count)], title)


def columns(ways: Sequence[int], low: int, last: int, *, is_in_air: bool) -> kit.Scene:
    """A column of blocks for every sum, as high as the ways to throw it; the `last` sum, which busts, is marked."""
    width, most = 62.0, max(ways)
    unit, high = (26.0, 26.0 * most) if most <= 8 else (200.0 / most, 200.0)
    ground: list[kit.Shape] = []
    places = []
    for place, count in enumerate(ways):
        left, total = 4 + width * place, low + place
        is_bad = total == last
        fill, line = ("bad-wash", "bad") if is_bad else ("a-wash", "a")
        if most <= 8:
            tops = [high + 8 - unit * (row + 1) + 3 for row in range(count)]
            ground += [kit.Rect(left + 6, top, width - 12, unit - 4, fill, 5, line, 2) for top in tops]
        else:
            ground.append(kit.Rect(left + 6, high + 6 - unit * count, width - 12, unit * count, fill, 5, line, 2))
        ground.append(kit.Text(str(total), left + width / 2, high + 34, 22, "bad" if is_bad else "ink", 750))
        if is_bad:
            ground.append(kit.Text("bust", left + width / 2, high + 55, 18, "bad", 650))
        label = kit.Box(left, high + 58, width, 60)
        places.append(kit.Place(str(total), kit.Box(left, 4, width, high + 120), label=label))
    title = "The sum is one of these" if is_in_air else "Ways to throw each sum"
    # Before the throw the places are for what to do after each sum.
    return kit.Scene(title, width * len(ways) + 8, high + 130, tuple(ground), (), tuple(places), scale=1)
