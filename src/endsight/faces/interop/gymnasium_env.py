"""One seat of a game as a Gymnasium environment; the rules, a policy or best play make all other moves."""

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
    """Return a `gymnasium.Env` in which `seat` (a name or number) learns, and `opponent` makes the moves of all others.

    `opponent` is `perfect`, `random` or any other policy of `endsight.solve`. An observation is an array of the numbers
    of the state, as `limits` bounds them, or of what `sees` shows the seat, padded with -1. The action `n` is the move
    `env.unwrapped.actions[n]`; `info["action_mask"]` has 1 for each action that is legal now. Any other action changes
    nothing and sets `info["illegal"]` to True. The reward of a step is the seat's gain until its next turn, as a float;
    the first reward includes any gain before it.

    With `values`, `info["value"]` is the value of the whole game for the seat with best play by everybody from here,
    `info["regret"]` is what each legal action gives away, exactly, and `info["total"]` is the seat's gain so far.
    `options` are those of `endsight.solve`, for these values. With `values=False` and an opponent other than `perfect`
    nothing is solved, so the game may have any size. `actions` lists the texts of all moves, for games in which not all
    can be found. Raises `UsageError` if Gymnasium is not installed, and whatever `endsight.solve` raises.
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
            """Start a new game; the same `seed` gives the same game."""
            super().reset(seed=seed)
            self.table = Table(numbering, Random(int(self.np_random.integers(2**62))))
            self._go_on(self.table)
            self.told = 0.0
            return numbering.observation(self.table.position, own), self._info(self.table)

        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            """Make the seat's move, and all others until its next turn."""
            table = self._playing()
            illegal = int(action) not in table.numbered(own)
            if not illegal:
                table.act(int(action))
                self._go_on(table)
            total = float(table.totals()[own])
            reward, self.told = total - self.told, total
            seen = numbering.observation(table.position, own)
            return seen, reward, table.player is None, False, self._info(table) | {"illegal": illegal}

        def render(self) -> str:
            """Return the position as the rules draw it."""
            return str(self._playing().position)

        def policy(self, agent: Agent) -> Callable[..., Any]:
            """Return the policy of `agent(observation, action_mask)`, for `endsight.exploit`."""
            return policy_of(numbering, agent)

        def _playing(self) -> Table:
            if self.table is None:
                raise UsageError("no game has begun", advice="env.reset()")
            return self.table

        def _go_on(self, table: Table) -> None:
            while table.player not in (own, None):
                table.play_by(table.player, opponent, solution)

        def _info(self, table: Table) -> dict[str, Any]:
            mask = numbering.mask(table.numbered(own))
            shown = advice(table, own, solution if values else None)
            return {"action_mask": mask, "illegal": False, "total": table.totals()[own], **shown}

    return Environment()
