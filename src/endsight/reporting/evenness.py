"""Sentences on how even a game is, and on what would make it more even."""

from __future__ import annotations

from fractions import Fraction

from endsight.faces.wording import capital, listed
from endsight.game.numbers import Number
from endsight.reporting.amounts import EVEN, amount, fine_percent, percent
from endsight.reporting.compensation import Compensation
from endsight.reporting.findings import Findings

_EDGES = ((2, "hardly any edge"), (6, "a small edge"), (15, "a clear edge"))
"""What an edge of less than that many percent is called."""


def seats_verdict(findings: Findings) -> str:
    """How even the game is between perfect players, and what would make it more even."""
    if findings.shares is None:
        return f"No verdict on the seats: {findings.reasons['seats']}."
    best = max(findings.shares)
    leaders = [name for name, share in zip(findings.game.player_names, findings.shares, strict=True) if share == best]
    sentence = _even(findings) if len(leaders) == findings.players else _led(findings, leaders, best)
    return f"{sentence} {evened(findings, findings.evening[0])}" if findings.evening else sentence


def evened(findings: Findings, best: Compensation) -> str:
    """What makes the game most nearly even, after First's share of the wins where only playing to win gives that."""
    share, only = findings.share_for_wins, "" if findings.plays_to_win else " between players who play only to win"
    begins = ""
    if only and share is not None and findings.shares is not None and share != findings.shares[0]:
        counted = counted_draws(findings) if 0 < share < 1 else ""
        begins = f"{capital(only.strip())}, First has {fine_percent(share)} of the wins{counted}. "
    return f"{begins}{_compensated(best, only)}"


def counted_draws(findings: Findings, *, between_best: bool = False) -> str:
    """How a share counts games that nobody wins alone, in brackets; empty where there are none."""
    if findings.draws == 0 and (between_best or findings.draws_of_beginners == 0):
        return ""
    return " (a draw counts half)" if findings.players == 2 else " (a shared win is split)"


def _led(findings: Findings, leaders: list[str], best: Number) -> str:
    if best == 1:
        return f"Between perfect players {capital(leaders[0])} always wins."
    have, each = ("has", "") if len(leaders) == 1 else ("have", " each")
    edge = best - Fraction(1, findings.players)
    words = next((words for most, words in _EDGES if edge * 100 < most), "a large edge")
    wins = f"{percent(best)} of the wins{each} between perfect players{counted_draws(findings, between_best=True)}"
    return f"{listed(map(capital, leaders))} {have} {words}: {wins}."


def _even(findings: Findings) -> str:
    values, names = findings.solution.values(), findings.game.player_names
    often = "perfect players win equally often in every seat"
    if findings.players > 2:
        often = "all seats have the same share of the wins between perfect players"
    elif findings.draws == 1:
        often = "perfect players always draw"
    if len({*values}) == 1:
        return f"The game is even: {often}."
    amounts = listed(f"{capital(name)} {amount(value)}" for name, value in zip(names, values, strict=True))
    return f"{capital(often)}, but do not get the same points: on average, {amounts}."


def _compensated(best: Compensation, only: str) -> str:
    """The effect of a change on the game, with the nearest one on the other side where it is not exactly even.

    `only` says between whom, where perfect players may play otherwise.
    """
    if best.share is None:
        return f"If {best.what} in every game, both get the same on average."
    if best.share == EVEN:
        return f"If {best.what}, {_made_even(best, only)}."
    near = "; ".join(_still(change) for change in (best, best.beside) if change is not None)
    return f"Nothing that was tried makes it exactly even{only}. Nearest: {near}."


def _made_even(change: Compensation, only: str) -> str:
    if change.draws is None:
        return f"neither has an edge{only}"
    if change.draws == 1:
        return f"every game{only or ' between perfect players'} is a draw"
    return f"both win equally often{only}"


def _still(change: Compensation) -> str:
    share = EVEN if change.share is None else change.share
    return f"if {change.what}, First has {fine_percent(share)} of the wins"
