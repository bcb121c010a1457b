"""The oracle for games in which all players see the same: every history by itself, no beliefs.

A history is a state with all that was seen and done on the way. Histories of one view are decided together, and a view
is worth the mean of what its histories are worth, by their chances. It shares nothing with the package but the rules.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

from endsight import CHANCE, Game


class HistoryOracle:
    """Values per player by the definition: at every view the move that is best on average over its histories."""

    def __init__(self, game: Game) -> None:
        self.game, self.players = game, game.player_count
        self.choices: dict[Any, Any] = {}

    def value(self) -> tuple[Fraction, ...]:
        """What the game is worth at its start."""
        state = self.game.start()
        view = (("saw", self.game.sees(state, 0)),)
        return self._of([(state, view, Fraction(1))])

    def after(self, texts: Any) -> tuple[Fraction, ...]:
        """What the game is worth to those who have seen what is seen along those moves, of whatever history.

        Where chance is next, their histories are those that have just come to that view.
        """
        game, state = self.game, self.game.start()
        view: tuple[Any, ...] = (("saw", game.sees(state, 0)),)
        for text in texts:
            is_done, before = game.to_move(state) != CHANCE, view
            state, view = self._after(state, view, game.parse_move(state, text), done=is_done)
        moves = list(game.moves(state))
        if not moves:  # nobody looks at an end
            view = (*before, ("did", view[len(before)][1])) if is_done else before
        is_drawn = bool(moves) and game.to_move(state) == CHANCE
        totals, alike = self._alike(view, bool(moves), is_drawn)
        weight = sum(weight for *_, weight in alike)
        self._add(totals, self._of(alike))
        return tuple(total / weight for total in totals)

    def _alike(self, target: tuple, goes_on: bool, is_drawn: bool) -> tuple[list[Fraction], list[Any]]:
        """All histories of a view with their chances, by whether play goes on; and what the moves to them brought."""
        totals, alike, game = [Fraction(0)] * self.players, [], self.game
        start = game.start()
        waiting: list[Any] = [(start, (("saw", game.sees(start, 0)),), Fraction(1), (Fraction(0),) * self.players)]
        while waiting:
            state, view, weight, gained = waiting.pop()
            moves = list(game.moves(state))
            is_chance = bool(moves) and game.to_move(state) == CHANCE
            if view == target and (is_drawn or (not is_chance and bool(moves) == goes_on)):
                alike.append((state, view, weight))
                self._add(totals, [weight * each for each in gained])
                continue
            weights = [game.weight(state, move) if is_chance else 1 for move in moves]
            for move, each in zip(moves, weights, strict=True):
                chance = weight * Fraction(each, sum(weights) if is_chance else 1)
                child, then = self._after(state, view, move, done=not is_chance)
                if not list(game.moves(child)):
                    then = view if is_chance else (*view, ("did", move))
                gains = self._share(game.reward(state, move), Fraction(1))
                if then == target[: len(then)]:
                    waiting.append((child, then, chance, tuple(map(sum, zip(gained, gains, strict=True)))))
        return totals, alike

    def _share(self, share: Any, weight: Fraction) -> list[Fraction]:
        row = share if isinstance(share, tuple) else (share,)
        assert len(row) == self.players
        return [weight * each for each in row]

    def _after(self, state: Any, view: tuple, move: Any, done: bool) -> tuple[Any, tuple]:
        child = self.game.play(state, move)
        if done:
            view = (*view, ("did", move))
        seen = self.game.sees(child, 0)
        last = next(what for kind, what in reversed(view) if kind == "saw")
        return child, (view if seen == last else (*view, ("saw", seen)))

    def _rest(self, states: list, totals: list[Fraction]) -> dict[tuple, list]:
        """Run chance in every history until a player is to move or the game is over; add what it brings."""
        rested, waiting = defaultdict(list), list(states)
        while waiting:
            state, view, weight = waiting.pop()
            moves = list(self.game.moves(state))
            if not moves or self.game.to_move(state) != CHANCE:
                rested[view].append((state, view, weight))
                continue
            weights = [self.game.weight(state, move) for move in moves]
            for move, each in zip(moves, weights, strict=True):
                chance = weight * Fraction(each, sum(weights))
                self._add(totals, self._share(self.game.reward(state, move), chance))
                waiting.append((*self._after(state, view, move, done=False), chance))
        return rested

    def _add(self, totals: list[Fraction], more: Any) -> None:
        for player, each in enumerate(more):
            totals[player] += each

    def _of(self, states: list) -> tuple[Fraction, ...]:
        """What these histories are worth together, times their weights."""
        totals = [Fraction(0)] * self.players
        for alike in self._rest(states, totals).values():
            self._add(totals, self._decided(alike))
        return tuple(totals)

    def _decided(self, alike: list) -> tuple[Fraction, ...]:
        """Histories of one view: the mover takes the first of the moves that are best for all of them together."""
        state, view, _ = alike[0]
        moves = list(self.game.moves(state))
        assert all(list(self.game.moves(other)) == moves for other, _, _ in alike)
        totals = [Fraction(0)] * self.players
        if not moves:
            for other, _, weight in alike:
                self._add(totals, self._share(self.game.payoff(other), weight))
            return tuple(totals)
        found = []
        for move in moves:
            totals, after = [Fraction(0)] * self.players, []
            for other, _, weight in alike:
                self._add(totals, self._share(self.game.reward(other, move), weight))
                after.append((*self._after(other, view, move, done=True), weight))
            self._add(totals, self._of(after))
            found.append(tuple(totals))
        mover = self.game.to_move(state)
        best = max(range(len(moves)), key=lambda number: found[number][mover])
        self.choices[view] = moves[best]
        return found[best]
