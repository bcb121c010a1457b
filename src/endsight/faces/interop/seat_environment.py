"""One seat of a game as a class of Gymnasium's; this module is only imported where Gymnasium is installed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np

from endsight.answers.solution import Solution
from endsight.errors import UsageError
from endsight.faces.interop.numbering import Agent, Numbering, policy_of
from endsight.faces.interop.played_game import PlayedGame, advice
from endsight.game.question import PolicyRule


class SeatEnvironment(gymnasium.Env):
    """One seat of a game; see `endsight.gym_env`. `solution` is None where nothing has to be solved."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012
    render_mode = "ansi"

    def __init__(
        self, numbering: Numbering, seat: int, opponent: PolicyRule, solution: Solution | None, *, values: bool
    ) -> None:
        self.numbering, self.seat, self.opponent, self.solution = numbering, seat, opponent, solution
        self.values = solution if values else None
        self.actions = numbering.actions
        self.action_space = gymnasium.spaces.Discrete(len(numbering.actions))
        high = np.array(numbering.limits, np.int64)
        low = np.array(numbering.empty, np.int64)
        self.observation_space = gymnasium.spaces.Box(low, high, dtype=np.int64)
        self.table: PlayedGame | None = None
        self.paid = 0.0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game; the same `seed` gives the same game."""
        super().reset(seed=seed)
        self.table = PlayedGame(self.numbering, Random(int(self.np_random.integers(2**62))))
        self._go_on(self.table)
        self.paid = 0.0
        return self.numbering.observation(self.table.position, self.seat), self._info(self.table)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the seat's move, and all others until its next turn."""
        table = self._playing()
        illegal = int(action) not in table.numbered(self.seat)
        if not illegal:
            table.act(int(action))
            self._go_on(table)
        total = float(table.totals()[self.seat])
        reward, self.paid = total - self.paid, total
        seen = self.numbering.observation(table.position, self.seat)
        return seen, reward, table.player is None, False, self._info(table) | {"illegal": illegal}

    def render(self) -> str:
        """Return the position as the rules draw it."""
        return str(self._playing().position)

    def policy(self, agent: Agent) -> Callable[..., Any]:
        """Return the policy of `agent(observation, action_mask)`, for `endsight.exploit`."""
        return policy_of(self.numbering, agent)

    def _playing(self) -> PlayedGame:
        if self.table is None:
            raise UsageError("no game has begun", advice="env.reset()")
        return self.table

    def _go_on(self, table: PlayedGame) -> None:
        while table.player not in (self.seat, None):
            table.play_by(table.player, self.opponent, self.solution)

    def _info(self, table: PlayedGame) -> dict[str, Any]:
        mask = self.numbering.mask(table.numbered(self.seat))
        shown = advice(table, self.seat, self.values)
        return {"action_mask": mask, "illegal": False, "total": table.totals()[self.seat], **shown}
