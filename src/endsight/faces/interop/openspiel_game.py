"""The classes that present our games to OpenSpiel: the game, its states, and observers that write tensors.

An observation is what a player sees now. An information state is all that the player has seen and done, in order. In
tensors, each thing seen or done is a row with a 1 at its number, and an observation is one row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyspiel

from endsight.algorithms.histories import Histories, History
from endsight.answers.seen import own_texts
from endsight.game import CHANCE, Game
from endsight.game.position import Position, as_text

if TYPE_CHECKING:
    from endsight.faces.interop.openspiel_writing import Sizes

_PLANS: dict[str, NumberedGame] = {}
"""Name in OpenSpiel -> the data that all states of a game share."""


class NumberedGame:
    """A game with numbered moves, outcomes and histories; copies of states share it."""

    def __init__(self, kind: Any, info: Any, rules: Game, sizes: Sizes) -> None:
        self.kind, self.info, self.rules, self.sizes = kind, info, rules, sizes
        self.histories = Histories(rules)
        self.moves, self.outcomes = list(sizes.moves), list(sizes.outcomes)


class SharedHistory:
    """A history that copies of a state share, since it never changes."""

    def __init__(self, plan: NumberedGame, history: History) -> None:
        self.plan, self.history = plan, history

    def __deepcopy__(self, memo: Any) -> SharedHistory:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _placed, (self.plan.kind.short_name, self.history.position.history)


def _placed(name: str, moves: tuple[str, ...]) -> SharedHistory:
    """Return the place after these moves from the start."""
    plan = _PLANS[name]
    return SharedHistory(plan, plan.histories.at(plan.rules.position(moves)))


def register(kind: Any, info: Any, rules: Game, sizes: Sizes) -> None:
    """Register a game with OpenSpiel under the short name of its type."""
    name = kind.short_name
    _PLANS[name] = NumberedGame(kind, info, rules, sizes)
    # Register a class: OpenSpiel drops it only after Python has ended, when other objects can no longer be freed.
    pyspiel.register_game(kind, type(name, (OwnGame,), {"named": name}))


class OwnGame(pyspiel.Game):  # type: ignore[misc]
    """Rules of endsight as an OpenSpiel game."""

    named: ClassVar[str]

    def __init__(self, params: Any = None) -> None:
        plan = _PLANS[self.named]
        super().__init__(plan.kind, plan.info, params or {})

    def new_initial_state(self) -> OwnState:
        """Return the start."""
        return OwnState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of information states, or of observations unless `perfect_recall` is requested."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(_PLANS[self.named], kind.perfect_recall)


class OwnState(pyspiel.State):  # type: ignore[misc]
    """A history of the rules as an OpenSpiel state."""

    def __init__(self, game: OwnGame) -> None:
        super().__init__(game)
        plan = _PLANS[game.get_type().short_name]
        self.place = SharedHistory(plan, plan.histories.start())

    @property
    def plan(self) -> NumberedGame:
        """The shared data of the game."""
        return self.place.plan

    @property
    def position(self) -> Position:
        """The current position."""
        return self.place.history.position

    def current_player(self) -> int:
        """Return the player to move, or OpenSpiel's number for chance, for several at once, or for the end."""
        position = self.position
        if position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        if position.mover == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return position.mover if len(position.movers) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over

    def _legal_actions(self, player: int) -> list[int]:
        """Return the numbers of a player's moves, in order."""
        position = self.position
        if position.is_over or player not in position.movers:
            return []
        return sorted(self.plan.sizes.moves[move] for move in self.plan.histories.own_moves(position, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the numbers of the outcomes with their chances."""
        state, rules = self.position.state, self.plan.rules
        weights = {self.plan.sizes.outcomes[move]: rules.weight(state, move) for move in self.position.moves()}
        total = sum(weights.values())
        return [(number, weight / total) for number, weight in sorted(weights.items())]

    def _apply_action(self, action: int) -> None:
        self._follow((self.plan.outcomes if self.position.mover == CHANCE else self.plan.moves)[action])

    def _apply_actions(self, actions: list[int]) -> None:
        own = tuple(self.plan.moves[actions[player]] for player in self.position.movers)
        self._follow(own if len(own) > 1 else own[0])

    def _follow(self, move: Any) -> None:
        self.place = SharedHistory(self.plan, self.plan.histories.after(self.place.history, move))

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the text of a move, of an outcome, or of a player's own part of moves at once."""
        position = self.position
        if position.mover == CHANCE:
            return as_text(self.plan.rules, "show_move", position.state, self.plan.outcomes[action])
        return own_texts(position, player)[self.plan.moves[action]]

    def returns(self) -> list[float]:
        """Return each player's total payoff once play has ended; 0 before that."""
        if self.position.is_over:
            return [float(own) for own in self.position.paid()]
        return [0.0] * self.plan.rules.player_count

    def __str__(self) -> str:
        return self.position.text


class Observer:
    """A player's knowledge of a state: `tensor`, with its parts in `dict`, and text."""

    def __init__(self, plan: NumberedGame, recalls: bool) -> None:
        self.plan, self.recalls = plan, recalls
        players, things = plan.rules.player_count, len(plan.sizes.seen) + len(plan.sizes.moves)
        rows = 2 * plan.sizes.longest + 2 if recalls else 1
        self.tensor = np.zeros(players + rows * things, np.float32)
        self.dict = {"player": self.tensor[:players], "known": self.tensor[players:].reshape(rows, things)}

    def set_from(self, state: OwnState, player: int) -> None:
        """Write the player's knowledge of a state into `tensor`."""
        sizes = self.plan.sizes
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        for row, (kind, thing) in enumerate(self._known(state, player)):
            number = sizes.seen[thing] if kind == "saw" else len(sizes.seen) + sizes.moves[thing]
            self.dict["known"][row, number] = 1

    def string_from(self, state: OwnState, player: int) -> str:
        """Return the player's knowledge of a state as text."""
        items = (f"{kind} {thing!r}" for kind, thing in self._known(state, player))
        return f"player {player}: {', '.join(items)}"

    def _known(self, state: OwnState, player: int) -> list[tuple[str, Any]]:
        """Return the things seen and done, in order, or only what is seen now."""
        eyes = state.place.history.eyes[player]
        return self.plan.histories.seen(player, eyes.view) if self.recalls else [("saw", eyes.seen)]
