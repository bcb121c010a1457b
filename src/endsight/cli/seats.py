"""Who sits where: people, perfect play, chance and policies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from endsight.errors import EndsightError, QuestionError, UsageError

if TYPE_CHECKING:
    from endsight.game import Game
    from endsight.position import Position
    from endsight.question import PolicyRule
    from endsight.solution import Solution

__all__ = ["Seat", "Turn", "drawn_outcome", "named_seats"]


@dataclass(frozen=True)
class Turn:
    """What a seat knows when it moves: the answers, the position, and a source of chance."""

    solution: Solution
    position: Position
    chance: Random


Choose: TypeAlias = Callable[[Turn], Any]


@dataclass(frozen=True)
class Seat:
    """How one player's moves come about. `choose` is None where a person types them."""

    name: str
    choose: Choose | None

    @property
    def is_human(self) -> bool:
        """Whether a person sits here."""
        return self.choose is None


HUMAN = Seat("human", None)


def named_seats(game: Game, texts: Iterable[str]) -> list[Seat]:
    """The seats, one a player, from `PLAYER=human|perfect|POLICY`, several parted by commas.

    By default the first player is a person and all others play perfectly. Raises `UsageError`.
    """
    seats = [HUMAN, *(Seat("perfect", _perfect) for _ in range(game.player_count - 1))]
    told = set()
    for part in (part for text in texts for part in text.split(",")):
        player, seat = _seat(game, part)
        if player in told:
            raise UsageError(f"--seat was given twice for {game.player_names[player]}", allowed="one seat a player")
        told.add(player)
        seats[player] = seat
    return seats


def _seat(game: Game, text: str) -> tuple[int, Seat]:
    from endsight.specification import load_policy

    player, _, name = (part.strip() for part in text.partition("="))
    if player in game.player_names and name in ("human", "perfect"):
        return game.player_names.index(player), HUMAN if name == "human" else Seat("perfect", _perfect)
    try:
        number, rule = load_policy(game, text)
    except QuestionError as error:
        people = "human, perfect, " if player in game.player_names else ""
        raise QuestionError(error.message, allowed=people + (error.allowed or ""), advice=error.advice) from None
    return number, Seat(name, _by_rule(rule))


def _perfect(turn: Turn) -> Any:
    return turn.solution.chosen(turn.position)


def _by_rule(rule: PolicyRule) -> Choose:
    from endsight.question import policy_move

    if rule == "random":
        return lambda turn: turn.chance.choice(list(turn.position.moves()))
    if rule == "worst":
        return lambda turn: turn.solution.worst_move(turn.position)
    return lambda turn: policy_move(turn.position, rule)


def drawn_outcome(chance: Random, outcomes: list[object], weights: list[int]) -> object:
    """One of the outcomes by its whole weight, however large."""
    ticket = chance.randrange(sum(weights))
    for outcome, weight in zip(outcomes, weights, strict=True):
        ticket -= weight
        if ticket < 0:
            return outcome
    raise EndsightError("the weights of a chance position do not add up")
