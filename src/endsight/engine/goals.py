"""The players' goals, in the form for kernels that keep everybody's value."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from endsight.compiler.refusal import CannotCompile
from endsight.game.numbers import Number, simplest
from endsight.game.question import Utility

if TYPE_CHECKING:
    from endsight.graph.graph import Interest
    from endsight.graph.objective import View

UTILITIES: tuple[Utility, ...] = ("payoff", "win", "lead")
"""In the order in which kernels number them."""


class Goals(NamedTuple):
    """Whose payoff each player wants to raise or lower, and the value of a payoff to each.

    view       names the positions, and gives the value of what was gained so far
    interests  one per player, see `endsight.graph.graph.Interest`
    utility    number of the utility among `payoff`, `win`, `lead`
    unit       values are kept multiplied by this: shares of a win are fractions
    is_plain   everybody wants their own payoff
    """

    view: View
    interests: tuple[Interest, ...]
    utility: int
    unit: int
    is_plain: bool

    @staticmethod
    def of(view: View) -> Goals:
        """The goals of a question; raises `CannotCompile` for one that kernels cannot represent."""
        question, refusal = view.question, Goals.refusal(view)
        if refusal is not None:
            raise CannotCompile(refusal)
        unit = lcm(*range(1, view.players + 1)) if question.utility == "win" else 1
        return Goals(view, view.interests, UTILITIES.index(question.utility), unit, question.is_plain)

    @staticmethod
    def refusal(view: View) -> str | None:
        """Why kernels cannot represent the goals; None if they can."""
        if view.choosers or view.random_players:
            return "a player follows a policy, and layers solve for players who choose"
        if view.discounted:
            return "the rules discount, and layers count everything fully"
        if view.tracks_totals:
            return "this utility adds what was gained so far to the positions"
        if view.question.utility == "win" and view.players == 1:
            return "half of what one player can get is not known to layers"
        return None

    def in_parts(self, denominator: int) -> Goals:
        """The same where rules pay in parts of that denominator; shares of a win stay as they are."""
        return self if self.view.question.utility == "win" else self._replace(unit=denominator)

    @property
    def words(self) -> list[int]:
        """For every player: whose value counts, in which direction, and the value of a draw in that direction."""
        found: list[int] = []
        for whose, direction in self.interests:
            found += (whose, direction, direction * int(self.view.draw[whose] * self.unit))
        return found

    def share(self, kept: int) -> Number:
        """A value, converted from what kernels keep."""
        return simplest(Fraction(kept, self.unit))
