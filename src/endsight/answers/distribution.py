"""The distribution of a player's payoff when policies give every move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Any

from endsight.answers.records import Column, Records, Tabular
from endsight.base.printable import printable
from endsight.game import numbers
from endsight.game.numbers import Amount, Number


class Shares(Mapping[Number, Fraction]):
    """Chances kept as whole `parts` of one `total`; each is reduced only when it is read.

    Reducing thousands of chances with thousands of digits costs far more than finding them.
    """

    def __init__(self, parts: Mapping[Any, int], total: int) -> None:
        self.parts = parts
        self.total = total

    @classmethod
    def of(cls, chances: Mapping[Number, Fraction]) -> Shares:
        """The chances over their least common denominator."""
        total = lcm(*(chance.denominator for chance in chances.values()))
        parts = {payoff: chance.numerator * (total // chance.denominator) for payoff, chance in chances.items()}
        return cls(parts, total)

    def __getitem__(self, payoff: Number) -> Fraction:
        return numbers.reduced(self.parts[payoff], self.total)

    def __iter__(self) -> Iterator[Number]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        return f"<chances of {numbers.count_text(len(self), 'payoff')}>"

    def mean(self) -> Fraction:
        """The expected payoff."""
        return Fraction(numbers.average(self.parts.values(), self.parts, self.total))

    def running(self, *, downwards: bool) -> Shares:
        """The cumulative sums from the first entry to each, or from the last with `downwards`."""
        payoffs = list(self.parts)
        if downwards:
            payoffs.reverse()
        sums = zip(payoffs, accumulate(self.parts[payoff] for payoff in payoffs), strict=True)
        return Shares(dict(reversed(list(sums)) if downwards else sums), self.total)


@dataclass(frozen=True)
class Distribution(Tabular, Mapping[Number, Amount]):
    """Payoffs of one player over the whole game, with their chances: exact, or proven bounds.

    `outcomes` maps each payoff, in increasing order, to its chance (they sum to 1). Chances are exact, except that
    large games with loops have enclosed chances unless exact values are asked for. `expected_plies` is the mean
    number of moves that players still make (chance outcomes are not counted); None where play need not end.
    `facts` are the game's own named numbers (`bust_probability`, ...). `shares` are the outcomes where they were found
    over one denominator.
    Where loops pay, the list is infinite and is cut off where only the `rest` of play is left. Each listed chance is
    at least what has arrived by then, and at most that plus the rest; payoffs that are not listed have at most the rest
    together. The mean is that of all play.
    """

    player: str
    outcomes: Mapping[Number, Amount]
    expected_plies: Amount | None
    facts: Mapping[str, Number] = field(default_factory=dict)
    rest: Fraction = Fraction(0)
    whole_mean: Amount | None = None
    shares: Shares | None = None

    @classmethod
    def cut(
        cls, player: str, arrived: Mapping[Number, Fraction], rest: Fraction, mean: Amount, plies: Amount | None
    ) -> Distribution:
        """The distribution cut off with `rest` of play left, from what has arrived at each payoff and a known mean."""
        outcomes = {payoff: numbers.between(chance, chance + rest) for payoff, chance in arrived.items()}
        return cls(player, outcomes, plies, {"rest": rest} if rest else {}, rest, mean if rest else None)

    def __getitem__(self, payoff: Number) -> Amount:
        return self.outcomes[payoff]

    def __iter__(self) -> Iterator[Number]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        gets = f"what {printable(self.player)} gets"
        mean = numbers.brief_amount(self.mean())
        return f"<Distribution of {gets}: {numbers.count_text(len(self), 'payoff')}, mean {mean}>"

    def records(self) -> Records:
        """One row per payoff: its chance, and the chances of at least and at most that payoff."""
        least, most = self.at_least(), self.at_most()
        columns: list[Column] = [(name, "number") for name in ("payoff", "probability", "at_least", "at_most")]
        rows = ((payoff, chance, least[payoff], most[payoff]) for payoff, chance in self.outcomes.items())
        return Records(f"what {self.player} gets", columns, rows)

    @property
    def is_exact(self) -> bool:
        """Whether all chances are exact numbers."""
        return self.shares is not None or numbers.are_exact(self.outcomes.values())

    def mean(self) -> Amount:
        """The expected payoff; enclosed where the chances are."""
        if self.whole_mean is not None:
            return self.whole_mean
        if not self.is_exact:
            return numbers.sum_of(numbers.times(payoff, chance) for payoff, chance in self.outcomes.items())
        return self.middles.mean()

    @property
    def middles(self) -> Shares:
        """Exact chances as they are; for enclosed ones the middle of the proven bounds, for pictures."""
        if self.shares is not None:
            return self.shares
        return Shares.of({payoff: numbers.as_interval(chance).middle for payoff, chance in self.outcomes.items()})

    def at_least(self) -> Mapping[Number, Amount]:
        """The chance of each payoff or more."""
        return self.middles.running(downwards=True) if self.is_exact else self._running(list(self)[::-1])

    def at_most(self) -> Mapping[Number, Amount]:
        """The chance of each payoff or less."""
        return self.middles.running(downwards=False) if self.is_exact else self._running(list(self))

    def _running(self, payoffs: list[Number]) -> dict[Number, Amount]:
        """Enclosed cumulative chances in that order."""
        if self.rest:
            sums = accumulate(numbers.as_interval(self.outcomes[payoff]).lower for payoff in payoffs)
            return {payoff: numbers.between(low, low + self.rest) for payoff, low in zip(payoffs, sums, strict=True)}
        return {
            payoff: numbers.sum_of(self.outcomes[each] for each in payoffs[: place + 1])
            for place, payoff in enumerate(payoffs)
        }


@dataclass(frozen=True)
class LengthDistribution(Mapping[int, Fraction]):
    """The exact chances of how many moves players still make; maps that number to its chance.

    Where play can return to a position, the list is infinite and is cut off where little is left; the remainder is
    known exactly.

    chances  by plies, in increasing order; impossible lengths are left out
    longer   the chance that play ends, but after more plies than are listed
    endless  the chance that play never ends
    mean     expected number of plies; None where play need not end
    """

    chances: Mapping[int, Fraction]
    longer: Fraction
    endless: Fraction
    mean: Number | None

    def __getitem__(self, plies: int) -> Fraction:
        return self.chances[plies]

    def __iter__(self) -> Iterator[int]:
        return iter(self.chances)

    def __len__(self) -> int:
        return len(self.chances)

    def at_least(self) -> Mapping[int, Fraction]:
        """The chance of each length or more, including endless play and play longer than listed."""
        below = self.at_most()
        return {plies: 1 - below[plies] + chance for plies, chance in self.chances.items()}

    def at_most(self) -> Mapping[int, Fraction]:
        """The chance of each length or less."""
        return dict(zip(self.chances, accumulate(self.chances.values()), strict=True))
