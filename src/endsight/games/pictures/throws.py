"""Games of dice and coins: races, single turns, and sums that must not repeat."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import endsight.board as kit

_THROW = re.compile(r"[0-9]+(-[0-9]+)*|heads|tails")
_MOST_SHOWN, _MOST_COLUMNS, _MOST_DICE = 24, 22, 6


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
        if _THROW.fullmatch(text)
        else kit.Slot(kit.button(text.capitalize()), 34, text)
        for text in texts
    ]
    return kit.Row(tuple(slots), heading)


def _thrown(history: Sequence[str], in_air: kit.Piece | None) -> list[kit.Slot]:
    """What lies on the table: the throw in the air, else the last one."""
    if in_air is not None:
        return [kit.Slot(in_air, 64)]
    last = history[-1] if history else ""
    return [kit.Slot(throw_piece(last), 64, last, made=True)] if _THROW.fullmatch(last) else []


def race_board(
    title: str,
    target: int,
    scores: tuple[int, int],
    pot: int,
    label: str,
    texts: Sequence[str],
    history: Sequence[str],
    in_air: kit.Piece | None,
    turn: int,
) -> kit.Board:
    """Two scores on a track, the throw and the pot, and what can be done or thrown."""
    pots = (pot, 0) if turn == 0 else (0, pot)
    players = [(kit.disc(player), scores[player], pots[player]) for player in (0, 1)]
    line = kit.track(f"Scores: first {scores[0]}, second {scores[1]}, of {target}", target, players)
    table = [*_thrown(history, in_air), kit.Slot(kit.figure(pot, "in the pot"), 62), kit.Slot(kit.word(label, 16), 26)]
    parts: list[kit.Part] = [line, kit.Row(tuple(table), ground="well")]
    return kit.Board(title, (*parts, *([choices(texts)] if texts else [])))


def turn_board(
    title: str, total: int, label: str, texts: Sequence[str], history: Sequence[str], *, is_in_air: bool
) -> kit.Board:
    """The throw, the total, what was thrown before, and what can be done or thrown."""
    thrown = [text for text in history if _THROW.fullmatch(text)]
    earlier = [kit.Slot(throw_piece(text), 30, faded=True) for text in thrown[:-1][-_MOST_SHOWN:]]
    table = _thrown(history, kit.die(None) if is_in_air else None)
    well = kit.Row((*table, kit.Slot(kit.figure(total, "total"), 62), kit.Slot(kit.word(label, 16), 26)), ground="well")
    parts: list[kit.Part] = [well]
    parts += [kit.Row(tuple(earlier), "Thrown before")] if earlier else []
    parts += [choices(texts, "The die shows" if is_in_air else "")] if texts else []
    return kit.Board(title, tuple(parts))


# ---------------------------------------------------------------------- sums that must not repeat


def sums_board(
    title: str,
    total: int,
    last: int,
    label: str,
    sides: int,
    ways: Sequence[int],
    dice_count: int,
    texts: Sequence[str],
    history: Sequence[str],
    *,
    is_in_air: bool,
) -> kit.Board:
    """The dice, the total and the sums so far, then every sum with its ways, and what can be done."""
    sums = [text for text in history if text.isdecimal()]
    lying = [kit.Slot(_dice_of(last, dice_count, sides), 64)] if last and not is_in_air else []
    lying += [kit.Slot(kit.beside("Dice in the air", [kit.die(None)] * min(dice_count, _MOST_DICE), 6), 64)] * is_in_air
    tiles = [kit.Slot(kit.tile(text), 44) for text in sums[:-1]]
    tiles += [kit.Slot(kit.tile(text), 44, text, made=True) for text in sums[-1:]]
    well = kit.Row((*lying, kit.Slot(kit.figure(total, label), 62), *tiles[-_MOST_SHOWN:]), ground="well")
    parts: list[kit.Part] = [well]
    if not is_in_air and texts:
        parts.append(choices(texts))
    if len(ways) <= _MOST_COLUMNS and texts:
        parts.append(_columns(ways, dice_count, {last} if last else set(), is_in_air=is_in_air))
    elif is_in_air:
        parts.append(kit.Row(tuple(kit.Slot(kit.tile(text), 44, text) for text in texts), "The sum is"))
    return kit.Board(title, tuple(parts))


def _dice_of(total: int, count: int, sides: int) -> kit.Piece:
    """Dice that show a sum, as evenly as can be: only the sum is known."""
    title = f"Sum {total} of {count} dice" if count > 1 else f"Die showing {total}"
    if count > _MOST_DICE or not count <= total <= count * sides:
        return kit.tile(total, title)
    return kit.dice([total // count + (place >= count - total % count) for place in range(count)], title)


def _columns(ways: Sequence[int], low: int, bad: Collection[int], *, is_in_air: bool) -> kit.Scene:
    """A column of blocks for every sum, as high as the ways to throw it; a sum that busts is marked."""
    width, most = 62.0, max(ways)
    unit, high = (26.0, 26.0 * most) if most <= 8 else (200.0 / most, 200.0)
    ground: list[kit.Shape] = []
    places = []
    for place, count in enumerate(ways):
        left, total = 4 + width * place, low + place
        fill, line = ("bad-wash", "bad") if total in bad else ("a-wash", "a")
        ground += _blocks(left + 6, high + 8, width - 12, unit, count if most <= 8 else 0, fill, line)
        if most > 8:
            ground.append(kit.Rect(left + 6, high + 6 - unit * count, width - 12, unit * count, fill, 5, line, 2))
        ground.append(kit.Text(str(total), left + width / 2, high + 34, 22, "bad" if total in bad else "ink", 750))
        if total in bad:
            ground.append(kit.Text("bust", left + width / 2, high + 55, 18, "bad", 650))
        places.append(
            kit.Place(str(total), kit.Box(left, 4, width, high + 120), label=kit.Box(left, high + 58, width, 60))
        )
    label = "The sum is one of these" if is_in_air else "Ways to throw each sum"
    # Before the throw the places are for what to do after each sum.
    return kit.Scene(label, width * len(ways) + 8, high + 130, tuple(ground), (), tuple(places), scale=1)


def _blocks(x: float, low: float, width: float, unit: float, count: int, fill: str, line: str) -> list[kit.Shape]:
    return [kit.Rect(x, low - unit * (row + 1) + 3, width, unit - 4, fill, 5, line, 2) for row in range(count)]
