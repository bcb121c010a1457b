"""The numbers of a report in plain sentences, a section each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from endsight.faces.wording import capital, listed
from endsight.game.numbers import Amount, Number, are_exact, as_interval, is_enclosed, simplest
from endsight.reporting.compensation import EVEN, Compensation
from endsight.reporting.findings import Findings

__all__ = ["Section", "amount", "evened", "left_out", "pays_wins", "percent", "sections"]

MOST_LISTED = 6
NEARLY_EVEN = Fraction(1, 50)
"""Shares of wins that are so near to half are called even."""


@dataclass(frozen=True)
class Section:
    """One part of a report.

    key       its name in the JSON document
    title     for people
    sentence  what was found, in plain words
    figures   the exact numbers behind it by name, with shares between 0 and 1
    """

    key: str
    title: str
    sentence: str
    figures: Mapping[str, Amount]


def percent(share: Amount) -> str:
    """A share as people say it: `54%`, `less than 1%`; of proven ends both, where they differ."""
    ends = as_interval(share)
    low, high = _whole(ends.lower), _whole(ends.upper)
    return f"{low}%" if low == high else f"{low} to {high}%"


def _whole(share: Fraction) -> str:
    rounded = int(100 * share + EVEN)
    if 0 < share < Fraction(1, 200):
        return "less than 1"
    return "more than 99" if Fraction(199, 200) <= share < 1 else str(rounded)


def amount(number: Amount) -> str:
    """A number with up to two decimals."""
    if is_enclosed(number):
        ends = as_interval(number)
        low, high = amount(ends.lower), amount(ends.upper)
        return low if low == high else f"{low} to {high}"
    rounded = int(abs(100 * Fraction(number)) + EVEN)
    if not rounded and number:
        return "less than 0.01"
    text = f"{rounded // 100}.{rounded % 100:02}".rstrip("0").rstrip(".")
    return f"-{text}" if number < 0 and rounded else text


def sections(found: Findings) -> list[Section]:
    """All that applies, in order."""
    made = (make(found) for make in _MAKERS)
    return [section for section in made if section is not None]


def left_out(found: Findings) -> dict[str, str]:
    """Titles of what was left out, with the reason."""
    return {_TITLES[key]: reason for key, reason in found.reasons.items() if key in _TITLES}


# ---------------------------------------------------------------------- who wins


def _seats(found: Findings) -> Section | None:
    shares, names = found.shares, found.game.player_names
    if shares is None:
        return None
    told = listed(f"{capital(name)} wins {percent(share)}" for name, share in zip(names, shares, strict=True))
    text = f"Between perfect players {told}{', where a draw counts half' if found.draws else ''}."
    if found.draws == 1:
        text = "Every game between perfect players is a draw."
    return Section("seats", "Seats", text, {f"share_{n}": share for n, share in zip(names, shares, strict=True)})


def _values(found: Findings) -> Section | None:
    if found.players > 1 and pays_wins(found):
        return None  # the seats tell it
    names, values = found.game.player_names, found.solution.values()
    figures = {f"value_{name}": value for name, value in zip(names, values, strict=True)}
    if len(names) == 1:
        return Section("value", "Points", f"Perfect play brings {amount(values[0])} points on average.", figures)
    told = listed(f"{capital(name)} {amount(value)}" for name, value in zip(names, values, strict=True))
    return Section("value", "Points", f"Perfect players get, on average: {told}.", figures)


def pays_wins(found: Findings) -> bool:
    """Whether the game pays 1 for a win, -1 for a loss, and 0 for a draw."""
    if found.players != 2 or found.best is None:
        return found.solution.source.is_win_loss
    return {paid for name in found.game.player_names for paid in found.solution.distribution(name)} <= {-1, 0, 1}


def _evening(found: Findings) -> Section | None:
    changes = found.evening
    if not changes:
        return None
    best = changes[0]
    text = f"{capital(evened(best))} This comes from solving the changed game."
    others = [f"First {percent(each.share)} if {each.what}" for each in changes[1:3] if each.share is not None]
    more = f" Other changes: {listed(others)}." if others else ""
    numbers = {"share_first_afterwards": best.share, "lead_first_afterwards": best.lead}
    figures = {name: number for name, number in numbers.items() if number is not None}
    return Section("evening", "Evening it out", text + more, figures)


def evened(change: Compensation) -> str:
    """What a change does, as a sentence."""
    if change.share is None:
        return f"if {change.what} in every game, both get the same on average."
    if change.share == EVEN:
        return f"if {change.what}, both win equally often."
    still = "" if change.distance <= NEARLY_EVEN else "that helps most, and "
    return f"if {change.what}, {still}First wins {amount(100 * change.share)}%."


# ---------------------------------------------------------------------- how it is played


def _length(found: Findings) -> Section | None:
    told = found.lengths
    if told is None:
        return None
    low, high = told.usually
    figures: dict[str, Amount] = {"mean": told.mean, "variance": told.variance, "shortest": told.shortest}
    figures |= {} if told.longest is None else {"longest": told.longest}
    figures |= {"usually_from": low, "usually_to": high}
    if told.shortest == told.longest:
        return Section("length", "Length", f"Perfect players always make {_moves(told.mean)}.", figures)
    usual = f"usually {low}" if low == high else f"usually {low} to {high}"
    most = "there is no longest game" if told.longest is None else f"at most {told.longest}"
    text = f"Perfect players make {_moves(told.mean)} on average: {usual}, and {most}."
    return Section("length", "Length", text, figures)


def _moves(number: Number) -> str:
    return f"{amount(number)} {'move' if number == 1 else 'moves'}"


def _choices(found: Findings) -> Section | None:
    told = found.choices
    if told is None:
        return None
    parts = [
        (told.real, "offer a real choice"),
        (told.forced, "have only one legal move"),
        (told.costless, "have several moves that are all equally good"),
    ]
    shares = listed(f"{percent(share)} {what}" for share, what in parts if share)
    figures: dict[str, Amount] = {"real": told.real, "forced": told.forced, "costless": told.costless}
    return Section("choices", "Choices", f"Of all turns, {shares}.", figures)


def _mistakes(found: Findings) -> Section | None:
    told = found.choices
    if told is None or told.mistake is None:
        return None
    cost = f"{amount(told.mistake)} {'point' if told.mistake == 1 else 'points'}"
    if pays_wins(found):
        cost = "the whole game" if told.mistake == 2 else f"{percent(told.mistake / Fraction(2))} of a win"
    text = f"Where there is a real choice, a wrong move costs {cost} on average."
    return Section("mistakes", "Mistakes", text, {"mistake": told.mistake})


def _ladder(found: Findings) -> Section | None:
    rungs = found.ladder
    if rungs is None:
        return None
    figures = {rung.policy: rung.share for rung in rungs}
    if found.players == 1:
        told = listed(f"{_PLAYERS[rung.policy]} gets {amount(rung.share)}" for rung in rungs)
        return Section("ladder", "Skill ladder", f"{capital(told)} points on average.", figures)
    told = listed(f"{percent(rung.share)} against {_PLAYERS[rung.policy]}" for rung in rungs)
    draws = " (a draw counts half)" if found.draws or found.draws_of_beginners else ""
    text = f"A perfect player who knows the other's habits, in every seat equally often, wins {told}{draws}."
    return Section("ladder", "Skill ladder", text, figures)


_PLAYERS = {
    "lookahead": "somebody who looks two moves ahead",
    "greedy": "somebody who takes the most at once",
    "random": "somebody who moves at random",
}


def _tension(found: Findings) -> Section | None:
    until, told = found.open_until, found.lengths
    if until is None or told is None or not told.mean:
        return None
    share = simplest(Fraction(until) / Fraction(told.mean))
    after = f"After {amount(until)} of {_moves(told.mean)}{'' if told.shortest == told.longest else ' on average'}"
    text = f"{after}, neither luck nor a mistake can change the result any more."
    if not until:
        text = "The result is settled before the first move."
    elif share > Fraction(99, 100):
        text = f"The result is open {'' if share == 1 else 'nearly '}to the very last move."
    return Section("tension", "Tension", text, {"open_until": until, "share_of_game": share})


def _lead(found: Findings) -> Section | None:
    changes = found.lead_changes
    if changes is None:
        return None
    often = "never change hands" if not changes else f"change hands {amount(changes)} times"
    text = f"When everybody moves at random, the better chances {often}{' in a game' if changes else ''}."
    return Section("lead", "Lead changes", text, {"beginners": changes})


def _luck(found: Findings) -> Section | None:
    share = found.luck
    if share is None:
        return None
    text = f"When everybody moves at random, luck makes {percent(share)} of the differences between results."
    if share == 0:
        text = "There is no luck: only moves make a difference."
    elif share == 1:
        text = "All is luck: no move makes a difference."
    return Section("luck", "Luck and skill", text, {"luck": share})


def _draws(found: Findings) -> Section | None:
    share, beginners = found.draws, found.draws_of_beginners
    if share is None:
        return None
    figures: dict[str, Amount] = {"best": share}
    figures |= {} if beginners is None else {"beginners": beginners}
    if not share and not beginners:
        return Section("draws", "Draws", "There are no draws.", figures)
    often = "always draw" if share == 1 else "never draw" if not share else f"draw {percent(share)} of their games"
    more = "" if beginners is None else f"; players who move at random draw {percent(beginners)}"
    return Section("draws", "Draws", f"Perfect players {often}{more}.", figures)


def _openings(found: Findings) -> Section | None:
    options = found.openings
    if not options or not are_exact(option.value[0] for option in options):
        return None
    best = [option.text for option in options if option.best]
    figures = {option.text: option.value[0] for option in options}
    if len(options) == 1:
        text = f"There is only one first move: {best[0]}."
    elif len(best) == len(options):
        text = f"Which of the {len(options)} first moves is made does not matter."
    else:
        verb = "is" if len(best) == 1 else "are"
        text = f"Of {len(options)} first moves, {len(best)} {verb} best: {listed(best, MOST_LISTED)}."
    return Section("openings", "First moves", text, figures)


def _usage(found: Findings) -> Section | None:
    told = found.usage
    if told is None:
        return None
    parts = [
        f"{what}: {listed(moves, MOST_LISTED)}."
        for what, moves in (
            ("Never better than another move", told.dominated),
            ("Never made by perfect players", told.unused),
        )
        if moves
    ]
    text = " ".join(parts) or "Perfect players make use of every move."
    figures: dict[str, Amount] = {
        "moves": len(told.moves),
        "dominated": len(told.dominated),
        "unused": len(told.unused),
    }
    return Section("usage", "Useless moves", text, figures)


_MAKERS: tuple[Callable[[Findings], Section | None], ...] = (
    _seats,
    _values,
    _evening,
    _length,
    _choices,
    _mistakes,
    _ladder,
    _tension,
    _lead,
    _luck,
    _draws,
    _openings,
    _usage,
)
_TITLES = {
    "seats": "Seats",
    "evening": "Evening it out",
    "length": "Length",
    "choices": "Choices",
    "ladder": "Skill ladder",
    "tension": "Tension",
    "lead": "Lead changes",
    "luck": "Luck and skill",
    "draws": "Draws",
    "openings": "First moves",
    "usage": "Useless moves",
}
