"""A row of pieces that wraps: hands, throws, lines of dominoes, things to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from endsight.board.marks import begun, ended, sign_svg
from endsight.board.parts import Box, Mark, Marks, Piece, number, placed, safe, text_width

_GAP, _PAD, _LINE = 10.0, 12.0, 22.0
_INSET = 16.0
_MANY = 4
"""The fewest moves that stand in columns."""
_NARROW_COLUMN, _WIDE_COLUMN = 100.0, 150.0
"""The least widths of columns in the style sheet, in pixels."""
_SHORT = 6
"""The characters of a second line that fit on a phone."""


@dataclass(frozen=True)
class Slot:
    """A piece in a row, `height` pixels tall.

    With the text of a move it means that move; `made` says that the move has been made.
    """

    piece: Piece
    height: float = 56
    move: str | None = None
    made: bool = False
    faded: bool = False

    @property
    def width(self) -> float:
        """The width in pixels."""
        return self.piece.width * self.height / self.piece.height

    def mark(self, marks: Marks) -> Mark | None:
        """The mark of its move, if the move is legal and has one."""
        return None if self.move is None or self.made else marks.get(self.move)

    def is_last(self, last: str | None) -> bool:
        """Whether its move was the last one."""
        return self.made and self.move is not None and self.move == last

    def picture(self, where: str) -> str:
        """The piece as `<svg>`."""
        view = f'viewBox="0 0 {number(self.piece.width)} {number(self.piece.height)}"'
        size = f'width="{number(self.width)}" height="{number(self.height)}"'
        faded = ' class="es-faded"' if self.faded else ""
        return f'<svg {where} {view} {size}{faded} role="img">{self.piece.svg()}</svg>'


@dataclass(frozen=True)
class Row:
    """Pieces side by side, in as many lines as the width requires.

    `heading` is shown above them; `ground` puts them into a well; `tight` leaves no gaps, as between laid dominoes.
    """

    slots: tuple[Slot, ...]
    heading: str = ""
    ground: Literal["plain", "well"] = "plain"
    tight: bool = False
    middle: bool = False

    def html(self, marks: Marks, last: str | None) -> str:
        """The row for a page."""
        names = {"es-row-well": self.ground == "well", "es-row-tight": self.tight, "es-row-middle": self.middle}
        columns = _columns([(slot, mark) for slot in self.slots if (mark := slot.mark(marks))], len(self.slots))
        kinds = " ".join(["es-row", *(name for name, given in names.items() if given), *columns])
        head = f'<p class="es-heading">{safe(self.heading)}</p>' if self.heading else ""
        slots = "".join(f"<li>{_slot_html(slot, slot.mark(marks), slot.is_last(last))}</li>" for slot in self.slots)
        named = f' aria-label="{safe(self.heading)}"' if self.heading else ""
        return f'{head}<ul class="{kinds}"{named}>{slots}</ul>' if self.slots else head

    def laid_out(self, marks: Marks, last: str | None, y: float, width: float) -> tuple[str, float]:
        """The row in a picture of that width from `y` on, and its height."""
        head = _heading(self.heading, y)
        top = y + (_LINE if self.heading else 0)
        inset = _INSET if self.ground == "well" else 0
        lines = list(_lines([_sized(slot, marks) for slot in self.slots], width - 2 * inset, self._gap))
        parts, below = [], top + inset
        for line in lines:
            high = max(box.height for _, box in line)
            long = sum(box.width for _, box in line) + self._gap * (len(line) - 1)
            left = (width - long) / 2 if self.middle else inset
            for slot, box in line:
                where = Box(left, below + (high - box.height) / 2, box.width, box.height)
                parts.append(_slot_svg(slot, where, slot.mark(marks), slot.is_last(last)))
                left += box.width + self._gap
            below += high + self._gap
        bottom = below - self._gap + inset if lines else top
        well = f'<rect class="es-well" {placed(Box(0, top, width, bottom - top))} rx="12"/>' if inset and lines else ""
        return head + well + "".join(parts), bottom - y

    @property
    def _gap(self) -> float:
        return 2 if self.tight else _GAP


# ---------------------------------------------------------------------- for pages


def _columns(places: Sequence[tuple[Slot, Mark]], slots: int) -> list[str]:
    """Return the classes of a row of many moves, which stand in columns that are wide enough for each of them."""
    if slots < _MANY or len(places) < slots:
        return []
    widest = max(max(slot.width, _first_width(mark)) for slot, mark in places) + 2 * _PAD
    if widest > _WIDE_COLUMN:
        return []
    return ["es-columns", *(["es-columns-narrow"] if widest <= _NARROW_COLUMN else [])]


def _first_width(mark: Mark) -> float:
    return text_width("".join(mark.words[:1]), 15) + (26 if mark.sign != "plain" else 0)


def _slot_html(slot: Slot, mark: Mark | None, is_last: bool) -> str:
    made = " es-made es-moved" if is_last else ""
    picture = slot.picture('xmlns="http://www.w3.org/2000/svg"')
    if mark is None or slot.move is None:
        return f'<span class="es-slot{made}">{picture}</span>'
    opened = begun(slot.move, mark, " es-slot")
    if mark.href is None:  # `<g>` is an element of pictures
        return f"<span{opened.removeprefix('<g')}{picture}{_words_html(mark)}</span>"
    return f"{opened}{picture}{_words_html(mark)}{ended(mark)}"


def _words_html(mark: Mark) -> str:
    sign = sign_svg(mark, 20, 20, 40)
    drawn = f'<svg class="es-sign" viewBox="0 0 40 40" aria-hidden="true">{sign}</svg>' if sign else ""
    words = [
        f"<b>{safe(word)}</b>" if place == 0 else f"<small{_kind(word)}>{safe(word)}</small>"
        for place, word in enumerate(mark.words[:2])
    ]
    return f'<span class="es-words">{drawn}{"".join(words)}</span>' if drawn or words else ""


def _kind(word: str) -> str:
    """A long second line does not fit on a phone; the table of moves shows the same."""
    return ' class="es-wide"' if len(word) > _SHORT else ""


# ---------------------------------------------------------------------- for pictures


def _heading(text: str, y: float) -> str:
    about = f'x="0" y="{number(y + 14)}" font-size="14" font-weight="650" fill="var(--soft)"'
    return f'<text class="es-start" {about}>{safe(text)}</text>' if text else ""


def _sized(slot: Slot, marks: Marks) -> tuple[Slot, Box]:
    """A slot with its space: a marked one has a box around it, and a line below for words."""
    mark = slot.mark(marks)
    if mark is None:
        return slot, Box(0, 0, slot.width, slot.height)
    line = _LINE + 6 if mark.words or mark.sign != "plain" else 0
    return slot, Box(0, 0, max(slot.width, _told_width(mark), 40) + 2 * _PAD, slot.height + 2 * _PAD + line)


def _told_width(mark: Mark) -> float:
    return text_width(" ".join(mark.words[:2]), 15) + (26 if mark.sign != "plain" else 0)


def _lines(slots: list[tuple[Slot, Box]], width: float, gap: float) -> Iterator[list[tuple[Slot, Box]]]:
    """The slots that fit side by side, line by line."""
    line: list[tuple[Slot, Box]] = []
    used = 0.0
    for slot, box in slots:
        if line and used + box.width > width:
            yield line
            line, used = [], 0.0
        line.append((slot, box))
        used += box.width + gap
    if line:
        yield line


def _slot_svg(slot: Slot, box: Box, mark: Mark | None, is_last: bool) -> str:
    if mark is None or slot.move is None:
        ring = f'<rect class="es-last" {placed(box.inside(-3))} rx="10"/>' if is_last else ""
        return ring + slot.picture(f'x="{number(box.x)}" y="{number(box.y)}"')
    middle = box.middle[0]
    frame = f'<rect class="es-box" {placed(box.inside(1))} rx="10"/>'
    picture = slot.picture(f'x="{number(middle - slot.width / 2)}" y="{number(box.y + _PAD)}"')
    left, low = middle - _told_width(mark) / 2, box.y + box.height - _PAD - 8
    words = _words_svg(mark, left + (26 if mark.sign != "plain" else 0), low + 5)
    return begun(slot.move, mark) + frame + picture + sign_svg(mark, left + 10, low, 20) + words + ended(mark)


def _words_svg(mark: Mark, x: float, y: float) -> str:
    about = f'x="{number(x)}" y="{number(y)}" font-size="15" font-weight="650"'
    return f'<text class="es-start es-told" {about}>{safe(" ".join(mark.words[:2]))}</text>'
