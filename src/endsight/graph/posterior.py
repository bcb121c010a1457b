"""The hidden states that players think possible at a position, each with its exact chance: Bayes' rule, state by state.

Beliefs merge states that make no difference to the future. Users want the states themselves, so the rules alone
replay the moves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from endsight.game import CHANCE, Game, mover_in, moves_of
from endsight.game.numbers import chances_of
from endsight.game.position import Position, as_text
from endsight.graph.belief_texts import PlayedPosition

if TYPE_CHECKING:
    from endsight.graph.beliefs import BeliefGame

MOST_LISTED = 100
"""Number of hidden states up to which all are listed."""
Chances: TypeAlias = "Mapping[Any, Fraction]"


def posterior(game: BeliefGame, place: Position) -> dict[str, Any]:
    """`hidden_states`: how many there are at a position of the game; `posterior`: the chances of their texts.

    Nothing where only one state is possible, and for positions without the moves that led there.
    """
    played = PlayedPosition(game, game.rules.position(place.history))
    if played.position().state != place.state:
        return {}
    chances = _Filter(game.rules, played).chances()
    total = sum(chances.values())
    if len(chances) == 1:
        return {}
    texts = defaultdict[str, Fraction](Fraction)
    for state, chance in chances.items():
        texts[as_text(game.rules, "show", state)] += chance / total
    return {"hidden_states": len(chances)} | ({"posterior": dict(texts)} if len(chances) <= MOST_LISTED else {})


@dataclass(frozen=True)
class _Filter:
    """What was seen and done, and the rules, which say how likely it was."""

    rules: Game
    played: PlayedPosition

    def chances(self) -> Chances:
        """The chance of every state, together with everything that was seen before."""
        chances: Chances = {self.rules.start(): Fraction(1)}
        shown = self.played.events[0][1]
        for kind, thing in self.played.events[1:]:
            if kind == "saw":
                chances, shown = self._showing(chances, shown, thing), thing
            else:
                chances = self._moved(self._showing(chances, shown, shown), thing)
        return self._showing(chances, shown, shown) if self.played.is_asked else chances

    def _moved(self, chances: Chances, move: Any) -> Chances:
        sums = defaultdict[Any, Fraction](Fraction)
        for state, chance in chances.items():
            sums[self.rules.play(state, move)] += chance
        return sums

    def _showing(self, chances: Chances, shown: Any, seen: Any) -> Chances:
        """The states in which `seen` is seen next after `shown`; if both are equal, those where chance has stopped."""
        masses, running = defaultdict[Any, Fraction](Fraction), chances
        while running:
            after = defaultdict[Any, Fraction](Fraction)
            for state, chance in running.items():
                sight = self.rules.sees(state, 0)
                steps = self._steps(state) if sight == shown else []
                for move, share in steps:
                    after[self.rules.play(state, move)] += chance * share
                if sight == seen and not steps:
                    masses[state] += chance
            running = after
        return masses

    def _steps(self, state: Any) -> list[tuple[Any, Fraction]]:
        """The outcomes of chance with their chances, where chance is to move."""
        moves = list(moves_of(self.rules, state)) if mover_in(self.rules, state) == CHANCE else []
        chances = chances_of([self.rules.weight(state, move) for move in moves])
        return list(zip(moves, chances, strict=True))
