"""The numbers of a report about a game, computed before any words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from endsight.answers.exploiting import Exploited, exploit
from endsight.answers.options import Option
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.engine.choice import goes_by_views
from endsight.errors import LimitReached, NoValue
from endsight.game import Game
from endsight.game.limits import Budget, Limits
from endsight.game.numbers import Amount, Number, simplest, sum_of, times
from endsight.game.question import PolicyRule, require_no_discount
from endsight.reporting import measures
from endsight.reporting.amounts import EVEN
from endsight.reporting.compensation import Compensation, compensations, pays_points, share_for_wins
from endsight.reporting.played import MOST, Played, best_play, random_play, result_of

T = TypeVar("T")
MOST_STATES = 500_000
"""Positions of a changed game, or of a game against a policy, that a report solves."""

_TOO_MANY = f"more than {MOST:,} positions would have to be examined"
_ENDLESS = "play need not end"
_ALONE = "there is one player"
_MIXED = (
    "players mix their moves, so that no single move is the best; other best plans may win, draw and last otherwise"
)
_NO_CURE = (
    "no points, head start or small change of a number that was tried makes it more even; two games with swapped "
    "seats do"
)
_EVEN_FOR_WINS = "it is even between players who play only to win"
_NO_CHOICE = "perfect players never have a real choice"
_ALIKE = "all games of players who move at random end alike"
_TIES = "which of several equally good moves is made can change what others get, and only the first is made"
_USAGE = f"there are more than {measures.MOST_COMPARED:,} positions in which to compare all moves"


def _figure(
    way: str, name: str, measure: Callable[[Played], T | None], nothing: str = "", *, unless: str = ""
) -> cached_property[T | None]:
    """A measure of one of the ways to play; `nothing` is the reason where it has none.

    `unless` names the property of `Findings` that may hold a reason to leave it out.
    """

    def find(findings: Findings) -> T | None:
        return findings.of(way, name, measure, nothing, getattr(findings, unless) if unless else None)

    return cached_property(find)


@dataclass(eq=False)
class Findings:
    """The numbers of one game, each computed when it is first asked for.

    A number that does not apply or cannot be found is None, and `reasons` gives the reason by its name. `limits` apply
    to all the work; changed games and games against policies are solved up to `MOST_STATES`. Best play is `known` where
    the game was solved before.
    """

    game: Game
    limits: Limits = field(default_factory=Limits)
    options: dict[str, Any] = field(default_factory=dict)
    known: Solution | None = None
    reasons: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_no_discount(self.game, "a report")
        self.limits = replace(self.limits, since=self.limits.since or monotonic())
        self.budget = Budget(self.limits)

    @cached_property
    def solution(self) -> Solution:
        """Best play; raises what `solve` raises."""
        return self.known or solve(self.game, limits=self.limits, **self.options)

    @property
    def players(self) -> int:
        """The number of players."""
        return self.game.player_count

    @property
    def _further(self) -> dict[str, Any]:
        """Options of the games that are solved beside this one."""
        most = min(self.limits.states or MOST_STATES, MOST_STATES)
        return self.options | {"limits": replace(self.limits, states=most)}

    def attempt(self, name: str, find: Callable[[], T | None], nothing: str = "") -> T | None:
        """The result of `find`; None with a reason: a limit, a value that cannot be found, or `nothing`."""
        try:
            result = find()
        except (LimitReached, NoValue) as stop:
            self.reasons[name] = stop.message.removeprefix("stopped: ")
            return None
        if result is None and nothing:
            self.reasons[name] = nothing
        return result

    def _lacks(self, name: str, reason: str | None) -> bool:
        """Whether there is a reason to leave something out; if so, it is noted."""
        if reason is not None:
            self.reasons[name] = reason
        return reason is not None

    # ---------------------------------------------------------------- ways to play

    @cached_property
    def best(self) -> Played | None:
        """Best play by all."""
        return self.attempt("best", lambda: best_play(self.solution, self.budget), _TOO_MANY)

    @cached_property
    def beginners(self) -> Played | None:
        """Players who move at random."""
        return self.attempt("beginners", lambda: random_play(self.game, self.budget), _TOO_MANY)

    def of(
        self, way: str, name: str, measure: Callable[[Played], T | None], nothing: str = "", unless: str | None = None
    ) -> T | None:
        """A measure of one of the two ways to play, unless there is a reason to leave it out."""
        if self._lacks(name, unless):
            return None
        played: Played | None = getattr(self, way)
        if played is None:
            self.reasons[name] = self.reasons[way]
            return None
        return self.attempt(name, lambda: measure(played), nothing)

    # ---------------------------------------------------------------- figures

    shares = _figure("best", "seats", lambda best: tuple(map(simplest, best.values[0])), unless="_alone")
    """Every player's share of the wins under best play; a win shared by several is split among them."""

    @cached_property
    def notion(self) -> str | None:
        """What best play and its values mean where they are not simply the best; None also where there are none."""
        return self.attempt("notion", lambda: self.solution.notion)

    @property
    def is_one_of_several(self) -> bool:
        """Whether values are of one of several equilibria: a move as good for its player can matter to others."""
        return self.solution.is_one_of_several

    @property
    def plays_to_win(self) -> bool:
        """Whether play for points is known to be play for the win, between two players and with points added, too."""
        is_opposed = not self.is_one_of_several
        return is_opposed and (not self.has_luck or not pays_points(self.solution, self.beginners))

    @property
    def is_even(self) -> bool:
        """Whether two players have the same chances and may expect the same."""
        values = self.solution.values()
        return self.shares is not None and self.shares[0] == EVEN and values[0] == values[1]

    @cached_property
    def evening(self) -> list[Compensation] | None:
        """Changes that make the game more even, the most even first."""
        if self._lacks("evening", None if self.players == 2 else "it is looked for in games of two players"):
            return None
        return self.attempt("evening", self._changes)

    @cached_property
    def share_for_wins(self) -> Fraction | None:
        """The first of two players' share of the wins where both play only to win; raises what `solve` raises.

        None where players go by what they see, so that points alone are compared, and where only bounds are known.
        """
        return None if goes_by_views(self.solution.position) else share_for_wins(self.game, **self._further)

    def _changes(self) -> list[Compensation] | None:
        share = self.share_for_wins
        if share == EVEN or (share is None and self.is_even):
            self.reasons["evening"] = "the game is even as it is" if self.is_even else _EVEN_FOR_WINS
            return None
        changes = compensations(self.solution, share, self.beginners, **self._further)
        if not changes:
            self.reasons["evening"] = _NO_CURE
        return changes or None

    lengths = _figure("best", "length", measures.lengths, _ENDLESS)
    """How long games last under best play."""
    choices = _figure("best", "choices", measures.choices, _ENDLESS, unless="_mixed")
    """What players can choose at their turns under best play."""
    open_until = _figure("best", "tension", measures.open_until, _ENDLESS, unless="_mixed")
    """The average number of moves after which nothing is open any more, under best play."""
    lead_changes = _figure("beginners", "lead", measures.lead_changes, _ENDLESS, unless="_alone")
    """How often the better chances change hands in a game between beginners."""
    draws = _figure("best", "draws", measures.draws, unless="_alone")
    """The share of games without a single winner, between best players."""
    draws_of_beginners = _figure("beginners", "draws of beginners", measures.draws, unless="_alone")
    """The share of games without a single winner, between players who move at random."""

    @cached_property
    def mistake(self) -> Number | None:
        """The average cost of a wrong move."""
        if self.choices is None:
            self.reasons["mistakes"] = self.reasons["choices"]
            return None
        return None if self._lacks("mistakes", None if self.choices.real else _NO_CHOICE) else self.choices.mistake

    @property
    def _alone(self) -> str | None:
        """The reason why players cannot be compared, if there is one."""
        return _ALONE if self.players == 1 else None

    @property
    def _mixed(self) -> str | None:
        """The reason why no single move is the best, if there is one."""
        if self.best is None or self.best.offered:
            return None
        return _MIXED if next(self.best.plies(), None) is not None else _NO_CHOICE

    @cached_property
    def ladder(self) -> list[Rung] | None:
        """The results of the best player against weaker ones."""
        return self.attempt("ladder", lambda: ladder(self.game, **self._further))

    @cached_property
    def luck(self) -> Fraction | None:
        """The share of chance in the variance of the result, among players who move at random."""
        is_endless = self.beginners is not None and self.beginners.visits is None
        return self.of("beginners", "luck", measures.luck, _ENDLESS if is_endless else _ALIKE)

    @property
    def has_luck(self) -> bool:
        """Whether dice or cards decide anywhere; players who move at random reach every position."""
        return self.beginners is None or self.beginners.has_luck

    @cached_property
    def openings(self) -> list[Option] | None:
        """The first moves, the best first."""
        reason = None if self.game.position().to_move in self.game.player_names else "no single player moves first"
        reason = reason or (_MIXED if self.solution.source.by_history else None)
        return None if self._lacks("openings", reason) else self.attempt("openings", self.solution.options)

    @cached_property
    def usage(self) -> measures.Usage | None:
        """Moves that are never good, and moves that best players never make."""
        best = self.best
        lacking = _TIES if self.solution.is_one_of_several else _TOO_MANY
        unless = self._mixed or (None if best is None or best.has_all else lacking)
        return self.of("best", "usage", lambda played: measures.usage(self.solution, played), _USAGE, unless)


LADDER = ("lookahead", "greedy", "random")
"""The policies, the strongest first."""


class Rung(NamedTuple):
    """One step of the ladder.

    policy  how the others play; for a single player, how that player plays
    share   share of the wins of the best player who knows that policy, in each seat equally often; for a single
            player, what the policy yields
    """

    policy: str
    share: Amount


def ladder(game: Game, **options: Any) -> list[Rung]:
    """The steps, the strongest opponents first; `options` are those of `solve`. Raises what `solve` raises.

    Where several players do not see everything, the only policy is `random`.
    """
    if goes_by_views(game.position()):
        exploited = exploit(game, "random", utility="win", **options)
        shares = sum_of(map(_won_by_reply, exploited.players))
        return [Rung("random", simplest(times(Fraction(1, len(exploited.players)), shares)))]
    if game.player_count == 1:
        return [Rung(policy, solve(game, fixed={0: policy}, **options).values()[0]) for policy in LADDER]
    rungs = LADDER[-1:] if game.gives("sees") else LADDER
    return [Rung(policy, _against(game, policy, options)) for policy in rungs]


def _won_by_reply(each: Exploited) -> Amount:
    """The share of the wins of a best reply: the player's own to the policies of all others, or the only opponent's."""
    return each.value if each.against == "profile" else 1 - each.brings


def _against(game: Game, policy: PolicyRule, options: dict[str, Any]) -> Amount:
    """The best player's share of wins when all opponents play by a policy, on average over the seats."""
    seats, shares = range(game.player_count), []
    for seat in seats:
        others: dict[str | int, PolicyRule] = {other: policy for other in seats if other != seat}
        solution = solve(game, fixed=others, utility=result_of(game), **options)
        shares.append(times(Fraction(1, game.player_count), solution.values()[seat]))
    return simplest(sum_of(shares))
