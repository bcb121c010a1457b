"""A game as a PettingZoo environment, in which every player is an agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endsight.answers.solver import solve
from endsight.base.deferred import deferred
from endsight.base.extras import package_of
from endsight.faces.interop.numbering import numbering_of
from endsight.game import Game
from endsight.naming.arguments import as_game

with deferred(__name__):
    from endsight.faces.interop.players_environment import PlayersEnvironment


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
    for package in ("pettingzoo", "gymnasium"):
        package_of(package, "pettingzoo", "pettingzoo_env")
    game = as_game(game, "pettingzoo_env")
    numbering = numbering_of(game, actions)
    solution = solve(game, **options) if values else None
    return PlayersEnvironment(numbering, solution)
