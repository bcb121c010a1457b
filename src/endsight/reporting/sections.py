"""The numbers of a report in plain sentences: a verdict on the seats, and one section each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from endsight.answers.options import Option
from endsight.answers.solution import Solution
from endsight.compiler.payoffs import is_only_won_drawn_or_lost
from endsight.faces.wording import capital, listed
from endsight.game.numbers import Amount, Number, simplest
from endsight.reporting.amounts import EVEN, amount, fine_percent, percent, points
from endsight.reporting.compensation import Compensation
from endsight.reporting.findings import Findings, Rung
from endsight.reporting.measures import ChoiceShares, Lengths, Usage

MOST_LISTED = 6

Passage: TypeAlias = "tuple[str, Mapping[str, Amount]]"
"""A sentence, and the numbers behind it by name."""


@dataclass(frozen=True)
class Section:
    """One part of a report.

    key       its name in the JSON document
    title     for people
    sentence  the finding in plain words
    figures   the exact numbers behind it by name, with shares between 0 and 1
    """

    key: str
    title: str
    sentence: str
    figures: Mapping[str, Amount]


def sections(findings: Findings) -> list[Section]:
    """All sections that apply, in order."""
    made = [
        (key, title, findings.attempt(key, partial(_passage, findings, figure, tell)))
        for key, (title, figure, tell) in _SECTIONS.items()
    ]
    return [Section(key, title, *pair) for key, title, pair in made if pair is not None]


def _passage(findings: Findings, figure: str, tell: Callable[[Findings, Any], Passage | None]) -> Passage | None:
    found = getattr(findings, figure)
    return None if found is None else tell(findings, found)


def left_out(findings: Findings) -> dict[str, str]:
    """The titles of sections left out, with the reason."""
    return {_SECTIONS[key][0]: reason for key, reason in findings.reasons.items() if key in _SECTIONS}


# ---------------------------------------------------------------------- who wins


def _seats(findings: Findings, shares: tuple[Number, ...]) -> Passage:
    names = findings.game.player_names
    wins = listed(f"{capital(name)} wins {percent(share)}" for name, share in zip(names, shares, strict=True))
    text = f"Between perfect players {wins}{counted_draws(findings, between_best=True)}."
    if findings.draws == 1 and findings.players == 2:
        text = "Every game between perfect players is a draw."
    return text, {f"share_{n}": share for n, share in zip(names, shares, strict=True)}


def _values(findings: Findings, solution: Solution) -> Passage | None:
    if findings.players > 1 and is_only_won_drawn_or_lost(findings.game):
        return None  # the section on seats covers it
    names, values = findings.game.player_names, solution.values()
    figures = {f"value_{name}": value for name, value in zip(names, values, strict=True)}
    if len(names) == 1:
        return f"Perfect play brings {amount(values[0])} points on average.", figures
    texts = listed(f"{capital(name)} {amount(value)}" for name, value in zip(names, values, strict=True))
    return f"Perfect players get, on average: {texts}.", figures


def _evening(findings: Findings, changes: list[Compensation]) -> Passage:
    best = changes[0]
    basis = "A fixed number of points changes nobody's plans." if best.share is None else _SOLVED
    text = f"{evened(findings, best)} {basis}"
    if best.distance:
        text += " Two games with swapped seats are exactly even."
    others = [f"if {each.what}, {fine_percent(each.share)}" for each in changes[1:3] if each.share is not None]
    more = f" First's share of the wins after other changes: {'; '.join(others)}." if others else ""
    numbers = {"share_first_afterwards": best.share, "lead_first_afterwards": best.lead, "points": best.points}
    numbers |= {"share_first_beside": None if best.beside is None else best.beside.share}
    figures = {name: number for name, number in numbers.items() if number is not None}
    return text + more, figures


_SOLVED = "This comes from solving the changed game."


# ---------------------------------------------------------------------- how even it is

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


# ---------------------------------------------------------------------- how it is played


def _length(_findings: Findings, lengths: Lengths) -> Passage:
    low, high = lengths.usually
    figures: dict[str, Amount] = {"mean": lengths.mean, "variance": lengths.variance, "shortest": lengths.shortest}
    figures |= {} if lengths.longest is None else {"longest": lengths.longest}
    figures |= {"usually_from": low, "usually_to": high}
    if lengths.shortest == lengths.longest:
        return f"Perfect play always takes {_moves(lengths.mean)}.", figures
    usual = f"usually {low}" if low == high else f"usually {low} to {high}"
    most = "without an upper limit" if lengths.longest is None else f"at most {lengths.longest}"
    text = f"Perfect play takes {_moves(lengths.mean)} on average: {usual}, {most}."
    return text, figures


def _moves(number: Number) -> str:
    return f"{amount(number)} {'move' if number == 1 else 'moves'}"


def _choices(_findings: Findings, turns: ChoiceShares) -> Passage:
    parts = [
        (turns.real, "offer", "offers", "a real choice"),
        (turns.forced, "have", "has", "only one legal move"),
        (turns.costless, "have", "has", "several moves that are all equally good"),
    ]
    shares = listed(f"{percent(share)} {many} {what}" for share, many, _, what in parts if share)
    figures: dict[str, Amount] = {"real": turns.real, "forced": turns.forced, "costless": turns.costless}
    every = next((f"{one} {what}" for share, _, one, what in parts if share == 1), None)
    text = f"Of all turns in perfect play, {shares}." if every is None else f"Every turn in perfect play {every}."
    return text, figures


def _mistakes(findings: Findings, mistake: Number) -> Passage:
    cost = f"costs {amount(mistake)} {'point' if mistake == 1 else 'points'} on average"
    if is_only_won_drawn_or_lost(findings.game):
        cost = f"costs {points(mistake / Fraction(2))} of the chance to win on average{counted_draws(findings)}"
        cost = "always turns a win into a loss" if mistake == 2 else cost
    if not mistake.denominator:
        cost = "can cost any number of points, as a total has no limit after it"
    text = f"Where there is a real choice, a wrong move {cost}."
    return text, {"mistake": mistake}


def _ladder(findings: Findings, rungs: list[Rung]) -> Passage:
    figures = {rung.policy: rung.share for rung in rungs}
    if findings.players == 1:
        wins = listed(f"{_PLAYERS[rung.policy]} gets {amount(rung.share)}" for rung in rungs)
        return f"{capital(wins)} points on average.", figures
    no_more = Fraction(1, findings.players)
    wins = listed(f"{percent(rung.share)} against {_PLAYERS[rung.policy]}" for rung in rungs if rung.share != no_more)
    who = "knows how the other one plays" if findings.players == 2 else "knows how the others play"
    text = f"Taking every seat equally often, a perfect player who {who} wins {wins}{counted_draws(findings)}."
    level = listed(_PLAYERS[rung.policy] for rung in rungs if rung.share == no_more)
    no_better = f"Against {level}, a perfect player wins only an equal share of the games."
    sentence = " ".join([*([text] if wins else []), *([no_better] if level else [])])
    return sentence, figures


_PLAYERS = {
    "lookahead": "somebody who looks two moves ahead",
    "greedy": "somebody who looks one move ahead",
    "random": "somebody who moves at random",
}


def _tension(findings: Findings, until: Fraction) -> Passage | None:
    lengths = findings.lengths
    if lengths is None or not lengths.mean:
        return None
    share = simplest(Fraction(until) / Fraction(lengths.mean))
    whom = " for everybody" if findings.is_one_of_several else ""
    alike = f"all moves are equally good{whom}{_nor_luck(findings)}"
    length = f"{_moves(lengths.mean)}{'' if lengths.shortest == lengths.longest else ' on average'}"
    rest = simplest(lengths.mean - until)
    last = "last one changes" if rest == 1 else f"last {amount(rest)} change"
    text = f"Of {length}, the {last} nothing any more: there {alike}."
    if not until:
        text = f"From the first move on, nothing is open between perfect players: {alike}."
    elif share == 1:
        choice = "a choice that matters to somebody" if findings.is_one_of_several else "a real choice"
        remains = f"{choice} or luck remains" if _nor_luck(findings) else f"{choice} remains"
        text = f"Perfect play is open to the very last move: {remains}."
    return text, {"open_until": until, "share_of_game": share}


def _nor_luck(findings: Findings) -> str:
    if findings.best is None or not findings.best.has_luck:
        return ""
    return f", and luck no longer changes {'who wins' if findings.players > 1 else 'what is paid'}"


def _lead(_findings: Findings, changes: Fraction) -> Passage:
    times = "once" if changes == 1 else f"{amount(changes)} times"
    often = f"change hands {times} in a game on average" if changes else "never change hands"
    text = f"When everybody moves at random, the better chances {often}."
    return text, {"beginners": changes}


def _luck(findings: Findings, share: Fraction) -> Passage:
    text = f"When everybody moves at random, luck makes {percent(share)} of the differences between results."
    if not findings.has_luck:
        text = "There is no luck: nothing is rolled or drawn."
    elif share == 0:
        text = "When everybody moves at random, luck makes no difference: it changes nobody's chances."
    elif share == 1:
        text = "When everybody moves at random, luck makes all the difference: moves change nobody's chances."
    return text, {"luck": share}


def _draws(findings: Findings, share: Fraction) -> Passage:
    beginners = findings.draws_of_beginners
    figures: dict[str, Amount] = {"best": share}
    figures |= {} if beginners is None else {"beginners": beginners}
    of_two = findings.players == 2
    if share == beginners == 0:
        return f"There are no {'draws' if of_two else 'shared wins'}.", figures
    verb, some = ("draw", "draw") if of_two else ("share the win", "share the win in")
    often = f"always {verb}" if share == 1 else f"{some} {percent(share)} of their games" if share else f"never {verb}"
    more = "" if beginners is None else f"; players who move at random {some} {percent(beginners)}"
    return f"Perfect players {often}{more}.", figures


def _openings(findings: Findings, options: list[Option]) -> Passage | None:
    if any(option.best is None for option in options):
        findings.reasons["openings"] = "proven bounds do not show which first moves are best"
        return None
    best = [option.text for option in options if option.best]
    figures = {option.text: option.value[0] for option in options}
    if len(options) == 1:
        text = f"There is only one first move: {best[0]}."
    elif len(best) == len(options):
        text = f"All {len(options)} first moves are equally good."
    else:
        verb = "is" if len(best) == 1 else "are"
        text = f"Of {len(options)} first moves, {len(best)} {verb} best: {listed(best, MOST_LISTED)}."
    return text, figures


def _usage(_findings: Findings, moves_used: Usage) -> Passage:
    parts = [
        f"{what}: {listed(moves, MOST_LISTED)}."
        for what, moves in (
            ("Never the best choice", moves_used.dominated),
            ("Never made by perfect players", [move for move in moves_used.unused if move not in moves_used.dominated]),
        )
        if moves
    ]
    text = " ".join(parts) or "Perfect players make use of every move."
    figures: dict[str, Amount] = {
        "moves": len(moves_used.moves),
        "dominated": len(moves_used.dominated),
        "unused": len(moves_used.unused),
    }
    return text, figures


_SECTIONS: Mapping[str, tuple[str, str, Callable[[Findings, Any], Passage | None]]] = {
    "seats": ("Seats", "shares", _seats),
    "value": ("Points", "solution", _values),
    "evening": ("Evening it out", "evening", _evening),
    "length": ("Length", "lengths", _length),
    "choices": ("Choices", "choices", _choices),
    "mistakes": ("Mistakes", "mistake", _mistakes),
    "ladder": ("Skill ladder", "ladder", _ladder),
    "tension": ("Tension", "open_until", _tension),
    "lead": ("Lead changes", "lead_changes", _lead),
    "luck": ("Luck and skill", "luck", _luck),
    "draws": ("Draws", "draws", _draws),
    "openings": ("First moves", "openings", _openings),
    "usage": ("Useless moves", "usage", _usage),
}
"""By key: the title, the figure, and what is said about it."""
