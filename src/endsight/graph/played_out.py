"""Play of players who know only beliefs: the hidden state and the belief together, as a game of its own.

Values need only beliefs. The distribution of payoffs, and samples of play, need what really happens: one hidden
state, which the players do not know, moves beside their knowledge. A player's moves are those of the belief.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from endsight.game import CHANCE, Game
from endsight.game import position as positions
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.graph.belief_texts import require_known_gains
from endsight.graph.class_kernels import WORD
from endsight.graph.hidden_states import NOTHING, BeliefMembers

if TYPE_CHECKING:
    from endsight.graph.beliefs import BeliefGame

UNDRAWN = -1
"""The hidden state before chance has drawn it from the belief at the beginning."""


class PlayedOut(Game):
    """A game of beliefs with the truth beside it, from one belief on."""

    beliefs: ClassVar[BeliefGame]
    first: ClassVar[BeliefMembers]

    class State(NamedTuple):
        """What is known, and the true state: its number, and what it is about to show."""

        members: BeliefMembers
        seen: int
        truth: int

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """None of its own."""
        return {}

    def values(self) -> dict[str, Any]:
        """Those of the rules."""
        return self.beliefs.values()

    def start(self) -> State:
        """What is known before anything is seen."""
        return self.State(self.first, NOTHING, UNDRAWN)

    def to_move(self, state: State) -> int | tuple[int, ...]:
        """The player who moves in all states of the belief; chance where something may be seen first."""
        if state.truth == UNDRAWN or self.beliefs.hidden.is_chance(state.truth):
            return CHANCE
        return self.beliefs.to_move(self.beliefs.State(state.members))

    def moves(self, state: State) -> Iterator[Any]:
        """The moves of the rules; of chance, the numbers of what may be seen next."""
        if self.to_move(state) == CHANCE:
            is_drawn, members = state.truth != UNDRAWN, state.members
            yield from range(len(self.beliefs.hidden.places(state.truth) if is_drawn else members.places))
        else:
            yield from self.beliefs.hidden.moves(state.truth)

    def weight(self, state: State, move: int) -> int:
        """How likely this is to be seen next."""
        return state.members.weights[move] if state.truth == UNDRAWN else self._step(state, move).weight

    def play(self, state: State, move: Any) -> State:
        """What is known after that."""
        if state.truth == UNDRAWN:
            return self._noticed(state.members, *divmod(state.members.places[move], WORD))
        step = self._step(state, move)
        is_chance = self.beliefs.hidden.is_chance(state.truth)
        members = state.members if is_chance else self.beliefs.moved(state.members, move)
        return self._noticed(members, step.seen, step.after)

    def _step(self, state: State, move: Any) -> Any:
        hidden = self.beliefs.hidden
        is_chance = hidden.is_chance(state.truth)
        return hidden.steps(state.truth)[move if is_chance else hidden.moves(state.truth).index(move)]

    def _noticed(self, members: BeliefMembers, seen: int, truth: int) -> State:
        """The position where the truth shows that, or has come to rest; else the one where nobody noticed anything."""
        if seen != NOTHING:
            members = self.beliefs.groups(members)[seen].members
        if not self.beliefs.hidden.is_chance(truth):
            members = self.beliefs.groups(members)[NOTHING].members
        return self.State(members, NOTHING, truth)

    def reward(self, state: State, move: Any) -> tuple[Number, ...]:
        """The reward of that for every player, as a mean over the hidden states."""
        gain = None if state.truth == UNDRAWN else self._step(state, move).gain
        return gain or (0,) * self.player_count

    def payoff(self, state: State) -> tuple[Number, ...]:
        """The mean payoff over the states of the belief."""
        return self.beliefs.hidden.payoff(state.truth) or (0,) * self.player_count

    def agreed(self, rule: Any, state: Any, own: Any = None) -> Any:
        """The move of a policy given what is known."""
        return self.beliefs.agreed(rule, self.state_known(self.State(*state)), own)

    def state_known(self, state: State) -> Any:
        """The belief alone."""
        return self.beliefs.State(state.members)

    def show(self, state: State) -> str:
        """The likeliest hidden states with their chances."""
        return self.beliefs.show(self.state_known(state))


def played_out(beliefs: BeliefGame, place: Position) -> Position:
    """The position of a game of beliefs with the truth still to be drawn.

    Raises `QuestionError` where nobody knows the gains of the moves so far.
    """
    require_known_gains(beliefs, place)
    given = {"name": beliefs.title(), "beliefs": beliefs, "first": place.state.members, "players": beliefs.player_count}
    given |= {"endless": beliefs.endless, "discount": beliefs.discount}
    given["means_of"] = None if beliefs.means_of == "payoff" else beliefs.means_of
    given |= par_of(beliefs)
    kind: type[PlayedOut] = type(type(beliefs).__name__, (PlayedOut,), given)
    game = kind()
    return Position(game, game.start(), CHANCE, place.so_far, place.history)


def par_of(rules: Any) -> dict[str, Any]:
    """The amount that one player must reach to win, where the rules give it, for a game made from them."""
    return {"par": staticmethod(rules.par)} if rules.gives("par") else {}


positions.state_known.register(PlayedOut, PlayedOut.state_known)
