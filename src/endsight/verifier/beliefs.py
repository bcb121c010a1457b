"""A game in which all players see the same, as the game of what they know, in which nothing is hidden.

A belief is a set of possible nodes of the rules with their chances. All players share one belief and know that, so
beliefs have values like visible states. The proof is in `docs/reference/certificate-format.md`.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from endsight.base.faults import RulesError, Wrong
from endsight.game.results import CHANCE, endless_share, moves_of, opening
from endsight.verifier.walk import MOST_PLIES, Amounts, Terms, classes

Spread = dict[Any, Fraction]
"""Chances of nodes of the rules, or of pairs of a node and everything seen on the way to it."""
Gains = list[Fraction]
Step = tuple[Any, Amounts | None]
"""A node, and the gains on the way there."""
Shown = dict[tuple[tuple[Any, ...], bool], tuple[Any, Fraction]]
"""The node of a belief and its chance, by what was seen on the way to it and whether play goes on."""


class Beliefs(Terms):
    """The game of beliefs, as a claim sees it.

    A node is (body, mover, ()). Where a player moves or play is over, the body is a set of pairs (node of the rules,
    chance), which `members` keeps in the order in which they were found. Where players will see something, the mover is
    chance, and the body has pairs (node after that, chance).
    """

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        if self.claim.set_up is not None or self.policies or self.claim.outcomes is not None:
            raise Wrong("where something is hidden, claims are for moves from the start, without policies or outcomes")
        self.members: dict[Any, Spread] = {}
        self.classes: dict[Any, Any] = {}
        self.steps: dict[Any, dict[Any, Step]] = {}
        self.shown: dict[Any, Shown] = {}
        self.brought: Amounts | None = None
        # An expected value is no win.
        self.chance_seen = True

    def root(self) -> Any:
        """The node of the position: chance, which shows something where there is something to see."""
        known = Beliefs(self.game, self.claim, {}, self.deadline, whole=True)
        told, sums, shown = known._beliefs_shown(), [Fraction(0)] * self.players, []
        for (body, *_), chance in told:
            spread = defaultdict[Any, Fraction](Fraction)
            for (state, mover, totals), part in known.members[body].items():
                spread[self.node(state, mover, totals)] += part
                for player, amount in enumerate(() if self.tracks else totals):
                    sums[player] += part * chance * amount / sum(each for _, each in told)
            shown.append((self._belief(spread), chance))
        self.brought = self.worth(tuple(sums)) if any(sums) else None
        return tuple(shown), CHANCE, ("start",)

    def carried(self) -> Amounts:
        """Nothing: the first edges carry the mean gains of the moves to the position."""
        return (0,) * self.players

    def options(self, node: Any) -> tuple[list[Any], list[Any] | None]:
        """The moves, which are the same in all states of the belief; for chance, the numbers of what may be seen."""
        if node[0] not in self.members:
            return list(range(len(node[0]))), [chance for _, chance in node[0]]
        told = [(Terms.options(self, each), each[1]) for each in self.members[node[0]]]
        if any(each != told[0] for each in told) and any(moves for (moves, _), _ in told):
            raise Wrong("players cannot distinguish states with different moves or players to move")
        return told[0][0]

    def after(self, node: Any, move: Any) -> Step:
        """The node after a move, and the mean gains of the move."""
        if node[0] not in self.members:
            return node[0][move][0], self.brought if node[2] else None
        if node not in self.steps:
            self.steps[node] = self._steps(node)
        return self.steps[node][move]

    def final(self, node: Any) -> Amounts:
        """The mean worth of the end to every player."""
        members = self.members[node[0]].items()
        amounts = [[chance * amount for amount in Terms.final(self, each)] for each, chance in members]
        return tuple(map(sum, zip(*amounts, strict=True)))

    def endless(self, node: Any) -> Amounts:
        """The worth of endless play."""
        if self.tracks:
            raise Wrong("totals depend on what is hidden, and play can return to a state")
        return self.worth(endless_share(self.game))

    def _beliefs_shown(self) -> list[tuple[Any, Fraction]]:
        """The beliefs of all who have seen what the claim's moves show, as nodes with chances."""
        (state, mover), trail = opening(self.game), tuple[Any, ...]()
        start = {(self.node(state, mover, (0,) * self.players), trail): Fraction(1)}
        shown = self._after_chance(start, [Fraction(0)] * self.players)[1]
        for text in (*self.claim.position.split(), None):
            moves = list(moves_of(self.game, state))
            if moves and trail[-1:] != (seen := self._seen((state,)),):
                trail = (*trail, seen)
            if text is None:
                break
            move = self.game.parse_move(state, text)
            if mover != CHANCE:
                node = shown[trail, True][0]
                self.after(node, move)
                shown, trail = self.shown[node, move], trail[-1:]
            state, mover, _ = self._played(state, mover, move)
        if not moves or mover != CHANCE:
            return [shown[trail, bool(moves)]]
        return [found for (told, _), found in shown.items() if told[: len(trail)] == trail]

    def _steps(self, node: Any) -> dict[Any, Step]:
        """The node after every move, and its gains. All players must see which move was made."""
        members, found, told = self.members[node[0]], {}, set[Any]()
        trail = (self._seen(next(iter(members))),)
        for move in self.options(node)[0]:
            spread, gains = defaultdict[Any, Fraction](Fraction), [Fraction(0)] * self.players
            for each, chance in members.items():
                self._pass_on(each, move, trail, chance, spread, gains)
            found[move], self.shown[node, move] = self._after_chance(spread, gains)
            trails = {trail for trail, goes_on in self.shown[node, move] if goes_on}
            if self.players > 1 and not told.isdisjoint(trails):
                raise Wrong("players do not see which move was made")
            told |= trails
        return found

    def _after_chance(self, spread: Spread, gains: Gains) -> tuple[Step, Shown]:
        """The node after all unseen chance moves, the gains of all of them, and the beliefs by what was seen."""
        rest: dict[Any, Spread] = {}
        plies = 0
        while spread:
            spread, plies = self._drawn(spread, gains, rest), plies + 1
            if plies > MOST_PLIES:
                raise Wrong(f"chance that nobody sees does not end within {MOST_PLIES:,} plies")
        found = tuple((self._belief(group), sum(group.values())) for group in rest.values())
        node = found[0][0] if len(found) == 1 else (found, CHANCE, ())
        return (node, tuple(gains) if any(gains) else None), dict(zip(rest, found, strict=True))

    def _drawn(self, spread: Spread, gains: Gains, rest: dict[Any, Spread]) -> Spread:
        """What one ply of chance leads to; chances move to `rest` where somebody is to move or play is over.

        `rest` has chances by what was seen on the way and whether play goes on.
        """
        ahead = defaultdict[Any, Fraction](Fraction)
        for (each, before), chance in spread.items():
            self.look_at_clock()
            moves, weights = Terms.options(self, each)
            trail = before if not moves or before[-1:] == (seen := self._seen(each),) else (*before, seen)
            if not moves or each[1] != CHANCE:
                group = rest.setdefault((trail, bool(moves)), defaultdict(Fraction))
                group[each] += chance
                continue
            for move, weight in zip(moves, weights or (), strict=True):
                self._pass_on(each, move, trail, chance * Fraction(weight, sum(weights or ())), ahead, gains)
        return ahead

    def _pass_on(self, each: Any, move: Any, trail: Any, chance: Fraction, ahead: Spread, gains: Gains) -> None:
        """Add the chance to that of the node after the move, and the move's gains to the mean of all gains."""
        child, gain = Terms.after(self, each, move)
        if (own := classes(child)) != self.classes.setdefault(child, own):
            raise RulesError("equal states of two classes")
        ahead[child, trail] += chance
        for player, amount in enumerate(gain or ()):
            gains[player] += chance * amount

    def _belief(self, group: Spread) -> Any:
        """The node of those chances, given that one of them occurs."""
        total = sum(group.values())
        chances = {each: chance / total for each, chance in group.items()}
        body = frozenset(chances.items())
        self.members.setdefault(body, chances)
        return body, next(iter(chances))[1], ()

    def _seen(self, node: Any) -> Any:
        """What all players see of the state of a node."""
        first, *others = [self.game.sees(node[0], player) for player in range(self.players)]
        if any(other != first for other in others):
            raise Wrong("players see different things")
        return first
