"""The value of a position to each player, as notebooks and prompts show it."""

from __future__ import annotations

from fractions import Fraction

from endsight.game.numbers import Interval, Number, exact_text, is_enclosed, short_decimal, simplest

_LONGEST = 60
"""Fractions with more characters than this are shown as a decimal with their size in bits."""


class AmountsByPlayer(dict[str, Fraction | Interval]):
    """The value of a position by player name: a dictionary whose display stays short, however long its fractions.

    `str` of one of its fractions shows all digits.
    """

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {_shown(value)}" for name, value in self.items()) + "}"

    def _repr_latex_(self) -> str:
        r"""LaTeX for notebooks and papers, as in `$\text{first}\colon \tfrac{1}{2}$`."""
        texts = (rf"\text{{{_escaped(name)}}}\colon {_typeset(value)}" for name, value in self.items())
        return "$" + r",\quad ".join(texts) + "$"


def _shown(value: Fraction | Interval) -> str:
    if is_enclosed(value) or _is_short(value):
        return repr(value)
    return f"{short_decimal(value)} (a fraction of {_bits(value):,} bits)"


def _is_short(value: Number) -> bool:
    text = exact_text(value)
    return text is not None and len(text) <= _LONGEST


def _bits(value: Number) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _typeset(value: Fraction | Interval) -> str:
    if is_enclosed(value):
        return f"[{_typeset_number(value.lower)}, {_typeset_number(value.upper)}]"
    return _typeset_number(value)


def _typeset_number(value: Number) -> str:
    value = simplest(value)
    if not _is_short(value):
        return short_decimal(value).replace("≈", r"\approx")
    if value.denominator == 1:
        return str(value)
    sign = "-" if value < 0 else ""
    return rf"{sign}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _escaped(name: str) -> str:
    """Escape a player's name: the rules may call players anything, and TeX reads these characters as commands."""
    return "".join(rf"\{sign}" if sign in "#$%&_{}" else "" if sign in r"\^~" else sign for sign in name)
