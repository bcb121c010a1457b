"""The distribution of what a player gets when every move is given by a policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from endsight.numbers import Number

__all__ = ["Distribution"]


@dataclass(frozen=True)
class Distribution(Mapping[Number, Fraction]):
    """Payoffs of one player over the whole game, with their exact chances.

    `outcomes` maps each payoff, in increasing order, to its chance (they sum to 1).
    `expected_plies` is the mean number of moves that players still make (chance
    outcomes are not counted); None where play need not end.
    `facts` are the game's own named numbers (`bust_probability`, ...).
    """

    player: str
    outcomes: Mapping[Number, Fraction]
    expected_plies: Number | None
    facts: Mapping[str, Number] = field(default_factory=dict)

    def __getitem__(self, payoff: Number) -> Fraction:
        return self.outcomes[payoff]

    def __iter__(self) -> Iterator[Number]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def mean(self) -> Fraction:
        """The expected payoff."""
        return sum((Fraction(payoff) * chance for payoff, chance in self.outcomes.items()), Fraction(0))

    def at_least(self) -> dict[Number, Fraction]:
        """Chance of each payoff or more."""
        return _running(list(reversed(list(self.outcomes.items()))), reverse=True)

    def at_most(self) -> dict[Number, Fraction]:
        """Chance of each payoff or less."""
        return _running(list(self.outcomes.items()), reverse=False)


def _running(items: list[tuple[Number, Fraction]], *, reverse: bool) -> dict[Number, Fraction]:
    total = Fraction(0)
    sums = []
    for payoff, chance in items:
        total += chance
        sums.append((payoff, total))
    return dict(reversed(sums) if reverse else sums)
