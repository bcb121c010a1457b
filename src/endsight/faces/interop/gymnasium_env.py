"""One seat of a game as an environment of Gymnasium; the rules, a policy or best play make all other moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from endsight.base.extras import package_of
from endsight.errors import UsageError
from endsight.faces.interop.agent_policies import Agent, policy_of
from endsight.faces.interop.numbering import numbering_of
from endsight.faces.interop.played_game import Table, advice, solved_for
from endsight.game import Game
from endsight.game.question import PERFECT, PolicyRule, player_number
from endsight.naming.arguments import as_game


def gym_env(
    game: Game | str,
    opponent: PolicyRule = PERFECT,
    *,
    seat: str | int = 0,
    values: bool = True,
    actions: Sequence[str] | None = None,
    **options: Any,
) -> Any:
    """A `gymnasium.Env` in which `seat` learns (its name or number), and `opponent` makes the moves of all others.

    `opponent` is `perfect`, `random` or any other policy of `endsight.solve`. An observation is an array of the numbers
    of the state, as `limits` bounds them, or of what `sees` shows the seat, with -1 where there is none. The action
    `n` is the move `env.unwrapped.actions[n]`; `info["action_mask"]` has 1 for each that is legal now. Any other one
    changes nothing, and `info["illegal"]` is then True. The reward of a step is what it brought the seat until it is
    asked again, as a float; the first one holds what came before it, too.

    With `values`, `info["value"]` is what the whole game is worth to the seat with best play of everybody from here,
    and `info["regret"]` what each legal action gives away, exactly; `info["total"]` is what the seat has got so far.
    `options` are those of `endsight.solve`, for that. With `values=False` and another opponent than `perfect` nothing
    is solved, so the game may be of any size. `actions` lists the texts of all moves, where endsight cannot meet them.
    Raises `UsageError` where Gymnasium is not installed, and what `endsight.solve` raises.
    """
    gymnasium = package_of("gymnasium", "gymnasium", "gym_env")
    import numpy as np

    found = as_game(game, "gym_env")
    numbering = numbering_of(found, actions)
    own = player_number(found, seat)
    solution = solved_for(numbering, [opponent], values=values, options=options)

    class Environment(gymnasium.Env):  # type: ignore[misc,name-defined]
        """One seat of the game."""

        metadata = {"render_modes": ["ansi"]}  # noqa: RUF012
        render_mode = "ansi"

        def __init__(self) -> None:
            self.actions = numbering.actions
            self.action_space = gymnasium.spaces.Discrete(len(numbering.actions))
            high = np.array(numbering.limits, np.int64)
            self.observation_space = gymnasium.spaces.Box(np.full_like(high, -1), high, dtype=np.int64)
            self.table: Table | None = None
            self.told = 0.0

        def reset(
            self, *, seed: int | None = None, options: dict[str, Any] | None = None
        ) -> tuple[Any, dict[str, Any]]:
            """A new game; with `seed` the same one again."""
            super().reset(seed=seed)
            self.table = Table(numbering, Random(int(self.np_random.integers(2**62))))
            self._go_on(self.table)
            self.told = 0.0
            return self._observation(self.table), self._info(self.table)

        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            """The seat's move, and all until it is asked again."""
            table = self._playing()
            illegal = int(action) not in table.numbered(own)
            if not illegal:
                table.act(int(action))
                self._go_on(table)
            total = float(table.totals()[own])
            reward, self.told = total - self.told, total
            return (
                self._observation(table),
                reward,
                table.player is None,
                False,
                self._info(table) | {"illegal": illegal},
            )

        def render(self) -> str:
            """The position as the rules draw it."""
            return str(self._playing().position)

        def policy(self, agent: Agent) -> Callable[..., Any]:
            """The policy of `agent(observation, action_mask)`, as `endsight.exploit` takes it."""
            return policy_of(numbering, agent)

        def _playing(self) -> Table:
            if self.table is None:
                raise UsageError("no game has begun", advice="env.reset()")
            return self.table

        def _go_on(self, table: Table) -> None:
            while table.player not in (own, None):
                table.play_by(table.player, opponent, solution)

        def _observation(self, table: Table) -> Any:
            return np.array(numbering.observation(table.position, own), np.int64)

        def _info(self, table: Table) -> dict[str, Any]:
            mask = np.zeros(len(numbering.actions), np.int8)
            mask[list(table.numbered(own))] = 1
            shown = advice(table, own, solution if values else None)
            return {"action_mask": mask, "illegal": False, "total": table.totals()[own], **shown}

    return Environment()
