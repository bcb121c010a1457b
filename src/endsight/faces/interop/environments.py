"""One seat of a game as a Gymnasium environment; the rules, a policy or best play make all other moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endsight.answers.solver import solve
from endsight.base.deferred import deferred
from endsight.base.extras import package_of
from endsight.faces.interop.numbering import numbering_of
from endsight.game import Game
from endsight.game.question import PERFECT, PolicyRule, player_number
from endsight.naming.arguments import as_game

with deferred(__name__):
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
    package_of("gymnasium", "gymnasium", "gym_env")
    game = as_game(game, "gym_env")
    numbering = numbering_of(game, actions)
    number = player_number(game, seat)
    solution = solve(game, **options) if values or opponent == PERFECT else None
    return SeatEnvironment(numbering, number, opponent, solution, values=values)
