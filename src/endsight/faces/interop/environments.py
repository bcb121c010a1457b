"""Games as environments: of Gymnasium, in which one seat learns, and of PettingZoo, in which every player does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endsight.answers.solver import solve
from endsight.base.deferred import deferred
from endsight.base.extras import package_of
from endsight.faces.interop.numbering import numbering_of
from endsight.game import Game
from endsight.game.question import PERFECT, PolicyRule, player_number
from endsight.naming.arguments import as_whole_game

with deferred(__name__):
    from endsight.faces.interop.players_environment import PlayersEnvironment
    from endsight.faces.interop.seat_environment import SeatEnvironment


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

    `opponent` is `perfect`, `random` or any other policy of `endsight.solve`; where players do not see everything, a
    `function(game, seen, moves)` as in `endsight.exploit`. An observation is an array of the numbers
    of the state, as `limits` bounds them, or of what `sees` shows the seat, padded with -1 (with less where players
    see negative numbers). The action `n` is the move
    `env.unwrapped.actions[n]`; `info["action_mask"]` has 1 for each action that is legal now. Any other action changes
    nothing and sets `info["illegal"]` to True. The reward of a step is the seat's gain until its next turn, as a float;
    the first reward includes any gain before it.

    With `values`, `info["value"]` is the value of the whole game for the seat with best play by everybody from here,
    `info["regret"]` is what each legal action gives away, exactly, and `info["total"]` is the seat's gain so far.
    `options` are those of `endsight.solve`, for these values. With `values=False` and an opponent other than `perfect`
    nothing is solved, so the game may have any size. `actions` lists the texts of all moves, for games in which not all
    can be found. Raises `UsageError` if Gymnasium is not installed, `QuestionError` where the rules discount or nobody
    ever moves, and whatever `endsight.solve` raises.
    """
    package_of("gymnasium", "gymnasium", "gym_env")
    game = as_whole_game(game, "gym_env")
    numbering = numbering_of(game, actions)
    number = player_number(game, seat)
    solution = solve(game, **options) if values or opponent == PERFECT else None
    return SeatEnvironment(numbering, number, opponent, solution, values=values)


def pettingzoo_env(
    game: Game | str, *, values: bool = False, actions: Sequence[str] | None = None, **options: Any
) -> Any:
    """Return a `pettingzoo.AECEnv` whose agents are the players, by name.

    An observation is a dictionary: `observation` has the numbers of the state, or of what `sees` shows the agent, and
    `action_mask` has 1 for each legal action. The action `n` is the move `env.actions[n]`. Those who move at once take
    turns, and none sees the choices of the others. Rewards are floats. With `values`, `infos` has the value of the game
    for the agent and what each legal action gives away, exactly, as in `endsight.gym_env`; `options` are those of
    `endsight.solve`. Raises what `endsight.gym_env` raises, with PettingZoo in place of Gymnasium.
    """
    for package in ("pettingzoo", "gymnasium"):
        package_of(package, "pettingzoo", "pettingzoo_env")
    game = as_whole_game(game, "pettingzoo_env")
    numbering = numbering_of(game, actions)
    solution = solve(game, **options) if values else None
    return PlayersEnvironment(numbering, solution)
