r"""Texts from rules, files and arguments, made safe for a terminal.

Unprintable characters appear as an escape such as `\x1b` or `\u202e`: control characters, line breaks, format
characters (direction marks, zero-width characters), lone surrogates, unassigned code points. Printable texts stay as
they are, backslashes too.
"""

from __future__ import annotations

_BLANKS = frozenset(map(chr, (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))
"""`str.isprintable` rejects all blanks except the ordinary one; these are harmless."""
_FILLERS = (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164, 0xFFA0)
_UNSEEN = frozenset(map(chr, (*_FILLERS, *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
"""Zero-width characters that it accepts; the two that choose between text and emoji stay."""


def printable(text: str) -> str:
    """The text in one line, with an escape for every unprintable character."""
    return text if text.isascii() and text.isprintable() else "".join(map(_shown, text))


def printable_lines(text: str) -> str:
    """The same for a text of several lines, such as a drawing: line breaks stay, tabs become blanks."""
    return "\n".join(printable(line.expandtabs()) for line in text.replace("\r\n", "\n").split("\n"))


def _shown(sign: str) -> str:
    if (sign.isprintable() or sign in _BLANKS) and sign not in _UNSEEN:
        return sign
    return sign.encode("unicode_escape").decode("ascii")
