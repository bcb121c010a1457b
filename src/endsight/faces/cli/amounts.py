"""Counts, bytes and seconds in words, for people."""

from __future__ import annotations

_SIZES = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
_SPANS = ((31_557_600.0, "years"), (86_400.0, "days"), (3_600.0, "h"), (60.0, "min"))


def rough_count(count: int, *, exact: bool = False) -> str:
    """Return `5,478` where exact; else two digits: `3,300,000`, and beyond 10^12 `4.2e13`."""
    if exact:
        return f"{count:,}"
    rounded = int(float(f"{count:.1e}"))
    return f"{rounded:,}" if rounded < 10**12 else f"{count:.1e}".replace("e+", "e")


def bytes_text(size: float) -> str:
    """`820 bytes`, `78 MB`, `1.3 GB`."""
    for unit, name in _SIZES:
        if size >= unit:
            return f"{_two_digits(size / unit)} {name}"
    return f"{size:.0f} bytes"


def seconds_text(seconds: float) -> str:
    """`0.0031 s`, `12 s`, `3.4 min`, `5.1 h`, `12 days`, `40,000 years`."""
    for span, name in _SPANS:
        if seconds >= 2 * span:
            return f"{_two_digits(seconds / span)} {name}"
    return f"{_two_digits(seconds)} s"


def _two_digits(amount: float) -> str:
    return f"{float(f'{amount:.1e}'):,.0f}" if amount >= 9.95 else f"{amount:.2g}"
