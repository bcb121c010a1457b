"""Histories of a game one by one, each with what every player has seen so far.

A view is everything that a player has seen, each thing once for as long as it stays the same, with the player's own
moves between. Views are numbered player by player; those that information sets have numbered keep their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple, Protocol

from endsight.algorithms.treeplex import NumberedViews, View
from endsight.errors import QuestionError
from endsight.errors.complaints import no_move
from endsight.errors.legal_moves import all_of
from endsight.game import CHANCE, Game
from endsight.game.contract import Contract
from endsight.game.joint_moves import part_texts
from endsight.game.limits import Budget
from endsight.game.numbers import chances_of
from endsight.game.position import Position


class SeenSoFar(NamedTuple):
    """What a player has seen: the number of the view, and the last result of `sees`."""

    view: int
    seen: Any


class History(NamedTuple):
    """A true play: its position, and what each player has seen of it."""

    position: Position
    eyes: tuple[SeenSoFar, ...]

    @property
    def key(self) -> tuple[Any, int, tuple[SeenSoFar, ...]]:
        """All that the future depends on, except for earlier gains."""
        return self.position.state, self.position.mover, self.eyes


class Behaviour(Protocol):
    """How a player plays, by what the player has seen alone. Messages name it."""

    @property
    def name(self) -> str:
        """Its name."""

    def weights(self, eyes: SeenSoFar, moves: Sequence[Any]) -> Mapping[Any, int]:
        """Whole weights of the moves that may be made there, each 1 or more; the others are left out."""


class Histories:
    """The histories of a game from its start; `views` has those that are numbered already, player by player."""

    def __init__(self, game: Game, views: Sequence[Sequence[View]] | None = None) -> None:
        self.game = game
        self._contract = Contract(game)
        known = views or [[(-1, None)]] * game.player_count
        self._views = [NumberedViews(list(side)) for side in known]

    def start(self) -> History:
        """The history without a move."""
        return self._looked(self.game.position(), (SeenSoFar(0, None),) * self.game.player_count)

    def at(self, position: Position) -> History:
        """The history that led to a position by moves from the start."""
        history = self.start()
        for text in position.history:
            move = self.game.parse_move(history.position.state, text)
            history = self.after(history, move)
        return history

    def after(self, history: History, move: Any) -> History:
        """The history extended by one move or outcome."""
        eyes = list(history.eyes)
        for player, own in self.parts(history.position, move).items():
            eyes[player] = SeenSoFar(self._views[player].extended(eyes[player].view, ("did", own)), eyes[player].seen)
        return self._looked(history.position.play(move), tuple(eyes))

    @staticmethod
    def parts(position: Position, move: Any) -> Mapping[int, Any]:
        """Each mover's own part of a move; empty for an outcome of chance."""
        movers = position.movers
        return dict(zip(movers, move, strict=True)) if len(movers) > 1 else dict.fromkeys(movers, move)

    def legal(self, position: Position) -> list[Any]:
        """All moves and outcomes at a position."""
        return all_of(self.game, self.game.moves(position.state), position.state)

    def seen(self, player: int, view: int) -> list[tuple[str, Any]]:
        """Everything in a view, in the order in which it was seen or done."""
        return self._views[player].seen(view)

    def before(self, player: int, view: int) -> int:
        """The view before the last thing was seen or done; -1 before the first."""
        return self._views[player].views[view][0]

    def outcomes(self, history: History, behaviours: Sequence[Behaviour], budget: Budget) -> dict[Any, int]:
        """Whole weights of the moves and outcomes that follow a history with any chance, in the order of the rules."""
        position = history.position
        legal = budget.gathered(self.legal(position))
        if position.mover == CHANCE:
            return {move: self._contract.weight(position.state, move) for move in legal}
        shares = {player: self.shares(history, player, behaviours[player]) for player in position.movers if legal}
        joint = {
            move: prod(shares[player].get(own, 0) for player, own in self.parts(position, move).items())
            for move in legal
        }
        return {move: weight for move, weight in joint.items() if weight}

    def own_moves(self, position: Position, player: int) -> tuple[Any, ...]:
        """The moves of one of the movers at a position."""
        return tuple(dict.fromkeys(self.parts(position, move)[player] for move in self.legal(position)))

    def shares(self, history: History, player: int, behaviour: Behaviour) -> Mapping[Any, int]:
        """The weights of one mover's own moves; `RulesError` where the behaviour makes an illegal move."""
        position = history.position
        own = self.own_moves(position, player)
        weights = behaviour.weights(history.eyes[player], own)
        for move in weights:
            if move not in own:
                texts = [self._own_text(position, player, each) for each in own]
                raise no_move(self.game, behaviour.name, move, position.state, list(own), texts)
        return weights

    def _own_text(self, position: Position, player: int, own: Any) -> str:
        """The text of a mover's own part of the first move that has it."""
        move = next(each for each in self.legal(position) if self.parts(position, each)[player] == own)
        text = self.game.show_move(position.state, move)
        return text if len(position.movers) == 1 else part_texts(text, move)[position.movers.index(player)]

    def against(
        self, history: History, player: int, behaviours: Sequence[Behaviour], budget: Budget
    ) -> Iterator[tuple[Any, Fraction]]:
        """What may follow a history if that player does anything, with the chance that all others give it."""
        position = history.position
        if player not in position.movers:
            weights = self.outcomes(history, behaviours, budget)
            yield from zip(weights, chances_of(weights.values()), strict=True)
            return
        legal = budget.gathered(self.legal(position))
        others = [other for other in position.movers if other != player and legal]
        shares = {other: self.shares(history, other, behaviours[other]) for other in others}
        total = prod(sum(weights.values()) for weights in shares.values())
        for move in legal:
            parts = self.parts(position, move)
            yield move, Fraction(prod(shares[other].get(parts[other], 0) for other in others), total)

    def _looked(self, position: Position, eyes: tuple[SeenSoFar, ...]) -> History:
        """The history after every player has looked at the state."""
        self._contract.check_state(position.state)
        return History(position, tuple(self._look(position.state, player, own) for player, own in enumerate(eyes)))

    def _look(self, state: Any, player: int, eyes: SeenSoFar) -> SeenSoFar:
        now = self.game.sees(state, player)
        return eyes if now == eyes.seen else SeenSoFar(self._views[player].extended(eyes.view, ("saw", now)), now)


class Likely(NamedTuple):
    """A history, with the chance of all outcomes and moves on the way except the given player's own."""

    history: History
    chance: Fraction


def histories_of(
    histories: Histories, player: int, view: int, behaviours: Sequence[Behaviour], budget: Budget
) -> Iterator[Likely]:
    """Every history with that view in which the player moves, including those with a chance of 0."""
    on_the_way = set(_before(histories, player, view))
    stack = [Likely(histories.start(), Fraction(1))]
    walked = 0
    while stack:
        here = stack.pop()
        walked += 1
        budget.spend(walked, "looking for what may be hidden")
        seen = here.history.eyes[player].view
        if seen == view and player in here.history.position.movers and not here.history.position.is_over:
            yield here
        elif seen in on_the_way:
            stack += reversed(list(_after(histories, player, here, behaviours, budget)))


def _before(histories: Histories, player: int, view: int) -> Iterator[int]:
    """The view, and those that it extends."""
    while view >= 0:
        yield view
        view = histories.before(player, view)


def _after(
    histories: Histories, player: int, here: Likely, behaviours: Sequence[Behaviour], budget: Budget
) -> Iterator[Likely]:
    """All histories with one more move; moves of the player count as certain."""
    for move, chance in histories.against(here.history, player, behaviours, budget):
        yield Likely(histories.after(here.history, move), here.chance * chance)


@dataclass
class ReachedSet:
    """An information set: its player, the first history found in it, and the chance of all histories found in it."""

    player: int
    history: History
    chance: Fraction


def reached_sets(
    histories: Histories, start: History, behaviours: Sequence[Behaviour], budget: Budget, most: int
) -> list[ReachedSet]:
    """All information sets in order of the first history in each; `QuestionError` where there are more than `most`."""
    sets: dict[tuple[int, int], ReachedSet] = {}
    stack, walked = [(start, Fraction(1))], 0
    while stack:
        history, chance = stack.pop()
        walked += 1
        budget.spend(walked, "listing what players see")
        position = history.position
        weights = histories.outcomes(history, behaviours, budget)
        for player in position.movers if weights else ():
            key = player, history.eyes[player].view
            sets.setdefault(key, ReachedSet(player, history, Fraction(0))).chance += chance
        if len(sets) > most:
            raise QuestionError(
                f"{histories.game.title()} has no table here: players see more than {most:,} different things",
                advice="a later position (--at), or smaller parameters",
            )
        total = sum(weights.values())
        legal = histories.legal(position) if position.mover != CHANCE else list(weights)
        shares = [(move, chance * Fraction(weights.get(move, 0), total)) for move in legal]
        stack += [(histories.after(history, move), share) for move, share in reversed(shares)]
    return sorted(sets.values(), key=lambda each: each.player)
