"""Who sits where: people, perfect play, chance and policies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from endsight.errors import QuestionError, UsageError

if TYPE_CHECKING:
    from endsight.game import Game
    from endsight.game.question import PolicyRule

__all__ = ["Seat", "named_seats"]


@dataclass(frozen=True)
class Seat:
    """Who makes a player's moves: a policy or best play, by `rule`; a person where that is None."""

    name: str
    rule: PolicyRule | None

    @property
    def is_human(self) -> bool:
        """Whether a person sits here."""
        return self.rule is None


HUMAN = Seat("human", None)


def named_seats(game: Game, texts: Iterable[str]) -> list[Seat]:
    """The seats, one a player, from `PLAYER=human|perfect|POLICY`, several parted by commas.

    By default the first player is a person and all others play perfectly. Raises `UsageError`.
    """
    from endsight.game.question import PERFECT

    seats = [HUMAN, *[Seat(PERFECT, PERFECT)] * (game.player_count - 1)]
    told = set()
    for part in (part for text in texts for part in text.split(",")):
        player, seat = _seat(game, part)
        if player in told:
            raise UsageError(f"--seat was given twice for {game.player_names[player]}", allowed="one seat per player")
        told.add(player)
        seats[player] = seat
    return seats


def _seat(game: Game, text: str) -> tuple[int, Seat]:
    from endsight.game.question import PERFECT
    from endsight.naming.specification import load_policy

    player, _, name = (part.strip() for part in text.partition("="))
    if player in game.player_names and name in ("human", PERFECT):
        return game.player_names.index(player), HUMAN if name == "human" else Seat(PERFECT, PERFECT)
    try:
        number, rule = load_policy(game, text)
    except QuestionError as error:
        people = "human, perfect, " if player in game.player_names else ""
        raise QuestionError(error.message, allowed=people + (error.allowed or ""), advice=error.advice) from None
    return number, Seat(name, rule)
