"""What rules promise about states, movers and weights, checked as they are met."""

from __future__ import annotations

from typing import Any

from endsight.errors import RulesError
from endsight.game import CHANCE, Game
from endsight.rules_guard import brief

__all__ = ["Contract"]


class Contract:
    """The promises of one game's rules; each method raises `RulesError` where one is broken."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.limits = self._limits()

    def _limits(self) -> tuple[int, ...] | None:
        if not self.game.gives("limits"):
            return None
        limits = self.game.limits()
        if not isinstance(limits, tuple):
            raise RulesError(
                f"{self.game.title()}: limits does not give a State",
                found=brief(limits),
                advice="write class State(NamedTuple), and return self.State(...) with the largest values",
            )
        return limits

    def weight(self, state: Any, move: Any) -> int:
        """The weight of an outcome of chance."""
        weight = self.game.weight(state, move)
        if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
            raise RulesError(
                f"{self.game.title()}: weight must be a whole number from 1 up",
                found=f"{weight!r} for {self.game.show_move(state, move)} in {self.game.show(state)}",
                advice="leave impossible outcomes out of moves; scale fractions to whole numbers",
            )
        return weight

    def check_mover(self, state: Any, mover: int) -> None:
        """The mover is one of the players, or chance."""
        if not CHANCE <= mover < self.game.player_count:
            raise RulesError(
                f"{self.game.title()}: to_move names a player who is not there",
                found=f"{mover!r} in {self.game.show(state)}",
                allowed=f"0 to {self.game.player_count - 1}, or CHANCE",
            )

    def check_state(self, state: Any) -> None:
        """The state is a `State` inside `limits()`, where the rules give them."""
        if self.limits is None:
            return
        if not isinstance(state, self.game.State):
            raise RulesError(
                f"{self.game.title()}: a state is not a State",
                found=repr(state),
                advice="return self.State(...) from play",
            )
        for value, most in zip(state, self.limits, strict=True):
            if not 0 <= value <= most:
                raise RulesError(
                    f"{self.game.title()}: a state lies outside limits()",
                    found=brief(state),
                    allowed=f"each field from 0 to {brief(self.game.limits())}",
                    advice="raise the limit, or shift the field so that it starts at 0",
                )
