"""One position of an OpenSpiel game, with the facts that rules need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from endsight.base.faults import RulesError
from endsight.game import CHANCE
from endsight.game.exact import Number
from endsight.game.numbers import simplest
from endsight.interop.labels import distinct_parts, distinct_words

LARGEST_DENOMINATOR = 1_000_000
ROUNDINGS = 4
"""The largest distance between a double and its fraction, in units in the last place, of 1 for smaller numbers."""


def fraction_of(number: float) -> Fraction | None:
    """The fraction that a double represents; None where no fraction with a small denominator is near."""
    if not math.isfinite(number):
        return None
    exact = Fraction(number)
    if exact.denominator == 1:
        return exact
    near = exact.limit_denominator(LARGEST_DENOMINATOR)
    return near if abs(near - exact) <= ROUNDINGS * Fraction(math.ulp(max(1.0, abs(number)))) else None


def weights_of(chances: Sequence[float]) -> list[int] | None:
    """Coprime whole numbers in the proportions of probabilities; None where that is not exact.

    Equal doubles whose sum is 1 except for rounding are equal chances, however many there are.
    """
    if len(set(chances)) == 1 and _is_one(chances[0] * len(chances)):
        return [1] * len(chances)
    parts = [fraction_of(chance) for chance in chances]
    fractions = [part for part in parts if part is not None and part > 0]
    if len(fractions) < len(chances) or sum(fractions) != 1:
        return None
    scale = math.lcm(*(part.denominator for part in fractions))
    return [int(part * scale) for part in fractions]


def _is_one(total: float) -> bool:
    return abs(total - 1) <= ROUNDINGS * math.ulp(1.0)


class Node:
    """A state of OpenSpiel with cached facts: the movers, the moves, weights of outcomes.

    state  the state itself, which never changes
    seen   by player, the information state of the last own move; empty texts where nothing is hidden

    Moves are the numbers of actions; where several players move at once, tuples of them.
    """

    def __init__(self, state: Any, seen: tuple[str, ...]) -> None:
        self.state, self.seen = state, seen
        self.weights: dict[Any, int] = {}
        self.mover, self.moves = self._choices()

    def _choices(self) -> tuple[int | tuple[int, ...], list[Any]]:
        state = self.state
        if state.is_terminal():
            return 0, []
        if state.is_chance_node():
            self.weights = self._outcomes()
            return CHANCE, list(self.weights)
        if not state.is_simultaneous_node():
            return state.current_player(), state.legal_actions()
        legal = {player: state.legal_actions(player) for player in range(state.num_players())}
        movers = tuple(player for player, actions in legal.items() if actions)
        if len(movers) == 1:
            return movers[0], legal[movers[0]]
        return movers, list(product(*(legal[player] for player in movers)))

    def _outcomes(self) -> dict[Any, int]:
        """Outcomes of chance with whole weights; `RulesError` where the probabilities are not exact fractions."""
        outcomes = [(action, chance) for action, chance in self.state.chance_outcomes() if chance > 0]
        weights = weights_of([chance for _, chance in outcomes])
        if weights is None:
            raise RulesError(
                "OpenSpiel gives probabilities that are not fractions with a sum of exactly 1",
                found=", ".join(f"{chance!r}" for _, chance in outcomes[:6]),
                allowed="doubles near fractions with small denominators",
            )
        return {action: weight for (action, _), weight in zip(outcomes, weights, strict=True)}

    @property
    def movers(self) -> tuple[int, ...]:
        """The players who move; nobody at the end, and where chance moves."""
        if isinstance(self.mover, tuple):
            return self.mover
        return (self.mover,) if self.mover != CHANCE and self.moves else ()

    def after(self, move: Any) -> Any:
        """OpenSpiel's state after a move."""
        state = self.state.clone()
        if state.is_simultaneous_node():
            own = dict(zip(self.movers, move if isinstance(self.mover, tuple) else (move,), strict=True))
            state.apply_actions([own.get(player, 0) for player in range(state.num_players())])
        else:
            state.apply_action(move)
        return state

    def texts(self) -> dict[Any, str]:
        """The moves as text, no two alike."""
        if isinstance(self.mover, tuple):
            legal = [{move[place]: "" for move in self.moves} for place in range(len(self.mover))]
            parts = [self._named(player, list(own)) for player, own in zip(self.mover, legal, strict=True)]
            return {move: "-".join(part[own] for part, own in zip(parts, move, strict=True)) for move in self.moves}
        return self._named(self.state.current_player(), self.moves)

    def _named(self, player: int, actions: list[int]) -> dict[int, str]:
        """OpenSpiel's names of actions, as distinct words."""
        if self.state.is_simultaneous_node() and not isinstance(self.mover, tuple):
            player = self.mover
        distinct = distinct_parts if isinstance(self.mover, tuple) else distinct_words
        texts = distinct([self.state.action_to_string(player, each) for each in actions])
        return dict(zip(actions, texts, strict=True))


def amounts(given: list[float]) -> tuple[Number, ...]:
    """Payoffs as fractions; `RulesError` where one of them is not a fraction."""
    fractions = [fraction_of(each) for each in given]
    if None in fractions:
        raise RulesError(
            "OpenSpiel gives a payoff that is not a fraction with a small denominator",
            found=", ".join(map(repr, given)),
            allowed="doubles near fractions with denominators up to a million",
        )
    return tuple(simplest(each) for each in fractions if each is not None)
