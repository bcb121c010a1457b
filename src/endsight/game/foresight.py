"""Policies for every game that look a few moves ahead: `greedy`, and `lookahead` with two plies.

`greedy` takes the move that pays the player most before the next decision. `lookahead` takes the move with the best
lead over the other players after the next decision, which maximizes the lead of its own player. Both count payoffs and
rewards, on average over outcomes of chance, and take the first of several moves. Later amounts count nothing, nor do
amounts after simultaneous moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from operator import add, getitem
from typing import Any, NamedTuple, TypeAlias

from endsight.game import CHANCE, Game
from endsight.game.derived import next_mover, shares
from endsight.game.exact import Number
from endsight.game.results import moves_of

Amounts: TypeAlias = "tuple[Number, ...]"
Foresight: TypeAlias = Callable[[Game, Any, int], Any]
"""A policy as `function(game, state, mover) -> move`."""


def _lead(amounts: Amounts, mover: int) -> Number:
    """The mover's lead over the best other player; a single player's own amount."""
    others = amounts[:mover] + amounts[mover + 1 :]
    return amounts[mover] - max(others, default=0)


class _Ahead(NamedTuple):
    """Values moves by the amounts within a number of decisions, for a mover who maximizes `goal`.

    known    what chance brings from states to which it cannot return, as its outcomes often meet again
    circles  chance states that were met again on the way from themselves
    """

    game: Game
    goal: Callable[[Amounts, int], Number]
    known: dict[tuple[Any, int], Amounts]
    circles: list[Any]

    def best(self, state: Any, mover: int, plies: int) -> tuple[Any, Amounts]:
        """The best move over `plies` decisions, this one included, and what play pays every player until then."""
        discount = self.game.discount
        found = [
            (move, tuple(map(add, gain, (discount * amount for amount in self.expected(child, after, plies - 1)))))
            for move, gain, child, after in self.steps(state, mover)
        ]
        return max(found, key=lambda pair: self.goal(pair[1], mover))

    def expected(self, state: Any, mover: int, plies: int, before: tuple[Any, ...] = ()) -> Amounts:
        """The mean payoff to every player within `plies` decisions; `before` are chance states on the way."""
        if next(moves_of(self.game, state), None) is None:
            return shares(self.game, "payoff", mover, state)
        if mover == CHANCE:
            return self.by_chance(state, plies, before)
        if plies == 0 or mover < 0:
            return (0,) * self.game.player_count
        return self.best(state, mover, plies)[1]

    def by_chance(self, state: Any, plies: int, before: tuple[Any, ...]) -> Amounts:
        """The same where chance moves; coming back to a state counts nothing."""
        if state in before:
            self.circles.append(state)
            return (0,) * self.game.player_count
        found, circles = self.known.get((state, plies)), len(self.circles)
        if found is None:
            found = self.drawn(state, plies, (*before, state))
            if len(self.circles) == circles:
                self.known[state, plies] = found
        return found

    def drawn(self, state: Any, plies: int, before: tuple[Any, ...]) -> Amounts:
        """The mean over the chance outcomes in a state."""
        total, sums = 0, [Fraction(0)] * self.game.player_count
        for outcome, gain, child, after in self.steps(state, CHANCE):
            weight = self.game.weight(state, outcome)
            total += weight
            amounts = map(add, gain, self.expected(child, after, plies, before))
            sums = [mean + weight * amount for mean, amount in zip(sums, amounts, strict=True)]
        return tuple(mean / total for mean in sums)

    def steps(self, state: Any, mover: int) -> Any:
        """Every move or outcome with its reward to every player, the state after it, and its mover."""
        game = self.game
        for move in moves_of(game, state):
            child = game.play(state, move)
            yield move, shares(game, "reward", mover, state, move), child, next_mover(game, child, mover)


def _move(goal: Callable[[Amounts, int], Number], plies: int, game: Game, state: Any, mover: int) -> Any:
    return _Ahead(game, goal, {}, []).best(state, mover, plies)[0]


FORESIGHT: Mapping[str, Foresight] = {"greedy": partial(_move, getitem, 1), "lookahead": partial(_move, _lead, 2)}
"""The policies by name."""
