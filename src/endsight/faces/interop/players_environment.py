"""A game as a class of PettingZoo's; this module is only imported where PettingZoo is installed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pettingzoo
from gymnasium import spaces

from endsight.answers.solution import Solution
from endsight.faces.interop.numbering import Agent, Numbering, policy_of
from endsight.faces.interop.played_game import PlayedGame, advice


class PlayersEnvironment(pettingzoo.AECEnv):  # type: ignore[misc]
    """A game with all its players; see `endsight.pettingzoo_env`. `solution` is None where nothing has to be solved."""

    render_mode = "ansi"

    def __init__(self, numbering: Numbering, solution: Solution | None) -> None:
        super().__init__()
        game = numbering.game
        self.numbering, self.solution, self.players = numbering, solution, list(game.player_names)
        self.metadata = {"render_modes": ["ansi"], "name": game.title(), "is_parallelizable": False}
        self.actions = numbering.actions
        self.possible_agents = list(self.players)
        high = np.array(numbering.limits, np.int64)
        seen = spaces.Box(np.array(numbering.empty, np.int64), high, dtype=np.int64)
        mask = spaces.Box(0, 1, (len(numbering.actions),), np.int8)
        self.observation_spaces = {
            name: spaces.Dict({"observation": seen, "action_mask": mask}) for name in self.players
        }
        self.action_spaces = {name: spaces.Discrete(len(numbering.actions)) for name in self.players}
        self.random = Random()

    def observation_space(self, agent: str) -> Any:
        """Return the space of the agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of all actions of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; the same `seed` gives the same game."""
        if seed is not None:
            self.random = Random(seed)
        self.agents = list(self.players)
        self.table = PlayedGame(self.numbering, self.random)
        self._cumulative_rewards = dict.fromkeys(self.players, 0.0)
        self.truncations = dict.fromkeys(self.players, False)
        self.paid = dict.fromkeys(self.players, 0.0)
        self._note()

    def step(self, action: Any) -> None:
        """Make the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.table.act(int(action))
        self._note()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what the agent sees, and what it may do."""
        number = self.players.index(agent)
        seen = self.numbering.observation(self.table.position, number)
        return {"observation": seen, "action_mask": self.numbering.mask(self.table.numbered(number))}

    def render(self) -> str:
        """Return the position as the rules draw it."""
        return str(self.table.position)

    def policy(self, agent: Agent) -> Callable[..., Any]:
        """Return the policy of `agent(observation, action_mask)`, for `endsight.exploit`."""
        return policy_of(self.numbering, agent)

    def close(self) -> None:
        """Do nothing: no resource is held open."""

    def _note(self) -> None:
        totals = dict(zip(self.players, map(float, self.table.totals()), strict=True))
        self.rewards = {name: totals[name] - self.paid[name] for name in self.players}
        self.paid = totals
        self._accumulate_rewards()
        player = self.table.player
        self.terminations = dict.fromkeys(self.players, player is None)
        self.infos = {name: advice(self.table, number, self.solution) for number, name in enumerate(self.players)}
        self.agent_selection = self.players[0 if player is None else player]
