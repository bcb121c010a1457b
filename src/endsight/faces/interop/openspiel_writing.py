"""Games as OpenSpiel games: a `pyspiel.Game` whose states ask the rules.

Every game is registered with OpenSpiel under its own name, which serialized states refer to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from endsight.algorithms.histories import Histories
from endsight.base.deferred import deferred
from endsight.base.extras import package_of
from endsight.faces.interop.longest_play import longest_play
from endsight.game import CHANCE, Game
from endsight.game.exact import Number
from endsight.game.limits import Budget, Limits
from endsight.game.position import Position
from endsight.game.question import require_no_discount
from endsight.naming.arguments import as_whole_game

with deferred(__name__):
    from endsight.faces.interop.openspiel_game import register

_NAMES: dict[Game, str] = {}
"""Game -> the name under which it is registered."""


def to_openspiel(game: Game | str, *, limits: Limits | None = None) -> Any:
    """Return a game as a `pyspiel.Game` for OpenSpiel's algorithms; payoffs and chances are the nearest doubles.

    Players remember all that they have seen and done, as here; information states and observations come as text and
    tensors. Payoffs come at the end. Raises `UsageError` without the extra `[openspiel]`, `QuestionError` where play
    can return to a position or the rules discount, and `LimitReached` where the game is too large to be measured.
    """
    pyspiel = package_of("pyspiel", "openspiel", "a game for OpenSpiel")
    rules = as_whole_game(game, "to_openspiel")
    require_no_discount(rules, "a game for OpenSpiel")
    if rules not in _NAMES:
        sizes = sizes_of(rules, limits)
        name = re.sub(r"\W", "_", f"endsight_{rules.title()}_{len(_NAMES) + 1}")
        kind, info = _type_and_info(pyspiel, name, rules, sizes)
        # Its classes derive from those of pyspiel, so it is loaded only once pyspiel is known to be installed.
        register(kind, info, rules, sizes)
        _NAMES[rules] = name
    return pyspiel.load_game(_NAMES[rules])


def _type_and_info(pyspiel: Any, name: str, game: Game, sizes: Sizes) -> tuple[Any, Any]:
    kind = pyspiel.GameType
    payoffs = list(sizes.payoffs)
    flat = [own for each in payoffs for own in each]
    sums = {sum(each) for each in payoffs}
    has_sum = len(sums) == 1 and game.player_count > 1
    made = kind(
        short_name=name,
        long_name=repr(game),
        dynamics=kind.Dynamics.SIMULTANEOUS if sizes.at_once else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if sizes.outcomes else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if game.gives("sees")
        else kind.Information.PERFECT_INFORMATION,
        utility=_utility(kind.Utility, sums if has_sum else set()),
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.player_count,
        min_num_players=game.player_count,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=max(len(sizes.moves), 1),
        max_chance_outcomes=len(sizes.outcomes),
        num_players=game.player_count,
        min_utility=float(min(flat)),
        max_utility=float(max(flat) + (len(set(flat)) == 1)),  # there it must be above the least
        utility_sum=float(next(iter(sums))) if has_sum else None,
        max_game_length=max(sizes.longest, 1),
    )
    return made, info


def _utility(kinds: Any, sums: set[Number]) -> Any:
    if not sums:
        return kinds.GENERAL_SUM
    return kinds.ZERO_SUM if sums == {0} else kinds.CONSTANT_SUM


# ---------------------------------------------------------------------- sizes that OpenSpiel needs before play


@dataclass
class Sizes:
    """Everything that can happen in a game, numbered from 0 in order of appearance.

    moves     own moves of players
    outcomes  moves of chance
    seen      what `sees` shows to any player
    payoffs   the payoffs of the ends, by player
    longest   number of moves of the longest play, counting moves at once as one
    at_once   whether players ever move at once
    """

    moves: dict[Any, int] = field(default_factory=dict)
    outcomes: dict[Any, int] = field(default_factory=dict)
    seen: dict[Any, int] = field(default_factory=dict)
    payoffs: dict[tuple[Number, ...], int] = field(default_factory=dict)
    longest: int = 0
    at_once: bool = False

    def add(self, game: Game, position: Position, legal: list[Any]) -> None:
        """Number everything that is new at a position."""
        for player in range(game.player_count):
            _number(self.seen, game.sees(position.state, player))
        if not legal:
            _number(self.payoffs, position.paid())
        elif position.mover == CHANCE:
            for move in legal:
                _number(self.outcomes, move)
        else:
            self.at_once |= len(position.movers) > 1
            for move in legal:
                for part in Histories.parts(position, move).values():
                    _number(self.moves, part)


def sizes_of(game: Game, limits: Limits | None = None) -> Sizes:
    """Return the sizes of a game whose play always ends.

    Raises `QuestionError` where play can return to a position, and `LimitReached`.
    """
    budget = Budget(limits)
    sizes = Sizes(longest=longest_play(game, "OpenSpiel", budget))
    waiting = [game.position()]
    known = {waiting[0].place}
    while waiting:
        position = waiting.pop()
        legal = budget.gathered(position.moves(), len(known))
        sizes.add(game, position, legal)
        new = {then.place: then for then in map(position.play, legal) if then.place not in known}
        known |= new.keys()
        waiting += new.values()
        budget.spend(len(known), "measuring the game")
    return sizes


def _number(numbers: dict[Any, int], thing: Any) -> None:
    numbers.setdefault(thing, len(numbers))
