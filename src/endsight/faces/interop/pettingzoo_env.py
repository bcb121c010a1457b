"""A game as a PettingZoo environment, in which every player is an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from endsight.base.extras import package_of
from endsight.faces.interop.agent_policies import Agent, policy_of
from endsight.faces.interop.numbering import numbering_of
from endsight.faces.interop.played_game import Table, advice, solved_for
from endsight.game import Game
from endsight.naming.arguments import as_game


def pettingzoo_env(
    game: Game | str, *, values: bool = False, actions: Sequence[str] | None = None, **options: Any
) -> Any:
    """Return a `pettingzoo.AECEnv` whose agents are the players, by name.

    An observation is a dictionary: `observation` has the numbers of the state, or of what `sees` shows the agent, and
    `action_mask` has 1 for each legal action. The action `n` is the move `env.actions[n]`. Those who move at once take
    turns, and none sees the choices of the others. Rewards are floats. With `values`, `infos` has the value of the game
    for the agent and what each legal action gives away, exactly, as in `endsight.gym_env`; `options` are those of
    `endsight.solve`. Raises `UsageError` if PettingZoo is not installed.
    """
    pettingzoo = package_of("pettingzoo", "pettingzoo", "pettingzoo_env")
    spaces = package_of("gymnasium.spaces", "pettingzoo", "pettingzoo_env")
    import numpy as np

    found = as_game(game, "pettingzoo_env")
    numbering = numbering_of(found, actions)
    solution = solved_for(numbering, [], values=values, options=options)
    players = list(found.player_names)

    class Environment(pettingzoo.AECEnv):  # type: ignore[misc,name-defined]
        """The game with all its players."""

        metadata = {"render_modes": ["ansi"], "name": found.title(), "is_parallelizable": False}  # noqa: RUF012
        render_mode = "ansi"

        def __init__(self) -> None:
            super().__init__()
            self.actions = numbering.actions
            self.possible_agents = list(players)
            high = np.array(numbering.limits, np.int64)
            seen = spaces.Box(np.full_like(high, -1), high, dtype=np.int64)
            mask = spaces.Box(0, 1, (len(numbering.actions),), np.int8)
            self.observation_spaces = {
                name: spaces.Dict({"observation": seen, "action_mask": mask}) for name in players
            }
            self.action_spaces = {name: spaces.Discrete(len(numbering.actions)) for name in players}
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
            self.agents = list(players)
            self.table = Table(numbering, self.random)
            self._cumulative_rewards = dict.fromkeys(players, 0.0)
            self.truncations = dict.fromkeys(players, False)
            self.told = dict.fromkeys(players, 0.0)
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
            number = players.index(agent)
            seen = numbering.observation(self.table.position, number)
            return {"observation": seen, "action_mask": numbering.mask(self.table.numbered(number))}

        def render(self) -> str:
            """Return the position as the rules draw it."""
            return str(self.table.position)

        def policy(self, agent: Agent) -> Callable[..., Any]:
            """Return the policy of `agent(observation, action_mask)`, for `endsight.exploit`."""
            return policy_of(numbering, agent)

        def close(self) -> None:
            """Do nothing: no resource is held open."""

        def _note(self) -> None:
            totals = dict(zip(players, map(float, self.table.totals()), strict=True))
            self.rewards = {name: totals[name] - self.told[name] for name in players}
            self.told = totals
            self._accumulate_rewards()
            player = self.table.player
            self.terminations = dict.fromkeys(players, player is None)
            self.infos = {name: advice(self.table, number, solution) for number, name in enumerate(players)}
            self.agent_selection = players[0 if player is None else player]

    return Environment()
