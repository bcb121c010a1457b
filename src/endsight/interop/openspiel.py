"""Games of OpenSpiel as rules: `openspiel:NAME(key=value,...)`."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, ClassVar, NamedTuple

from endsight.base.faults import ParameterError, PositionError
from endsight.game import Game, Share
from endsight.interop.extras import package_of
from endsight.interop.openspiel_node import amounts
from endsight.interop.openspiel_positions import Positions
from endsight.interop.openspiel_states import deciding, sight_of

__all__ = ["OpenSpiel"]

MERGING = "Which histories are one position was read off OpenSpiel's sources: compared where they met, and not proven."


class OpenSpiel(Game):
    """A game of OpenSpiel, by the name and parameters that it has there.

    `openspiel:NAME`, or `openspiel:NAME(key=value,...)` as in `pyspiel.load_game`. Moves have the texts that OpenSpiel
    gives them, without blanks. Players see everything where OpenSpiel calls the game one of perfect information.
    Elsewhere each player knows the information states of the own moves so far, and these moves. A position in one line
    is the moves that lead to it, joined by `;`.

    Payoffs and probabilities, which OpenSpiel tells as floats, are taken for the simplest fractions near them.
    """

    name: ClassVar[str] = "openspiel"
    is_named_whole: ClassVar[bool] = True
    told_by: ClassVar[str] = "OpenSpiel"

    game: str

    class State(NamedTuple):
        """What tells the position apart from all others."""

        key: str

    def setup(self) -> None:
        source = _loaded(self.game)
        kind = source.get_type()
        sight = sight_of(kind)
        self.players = int(source.num_players())
        self.positions = Positions(source, () if sight else deciding(kind.short_name), sight)
        self.rests_on = MERGING if self.positions.parts else ""
        self.pays_on_the_way = kind.reward_model == kind.RewardModel.REWARDS
        if sight:
            self.sees = self._seen  # type: ignore[method-assign]
        if self.pays_on_the_way:
            self.reward = self._gain  # type: ignore[method-assign]

    def start(self) -> State:
        return self.State(self.positions.start)

    def to_move(self, state: State) -> int | tuple[int, ...]:
        return self.positions.node(state.key).mover

    def moves(self, state: State) -> Iterator[Any]:
        yield from self.positions.node(state.key).moves

    def play(self, state: State, move: Any) -> State:
        return self.State(self.positions.after(state.key, move))

    def weight(self, state: State, move: Any) -> int:
        return self.positions.node(state.key).weights[move]

    def payoff(self, state: State) -> Share:
        if self.pays_on_the_way:
            return (0,) * self.players
        return amounts(self.positions.node(state.key).state.returns())

    def _gain(self, state: State, move: Any) -> Share:
        """What a move brings, in games that pay on the way."""
        return amounts(self.positions.node(state.key).after(move).rewards())

    def _seen(self, state: State, player: int) -> str:
        """The information state of the last own move."""
        return self.positions.node(state.key).seen[player]

    # ---------------------------------------------------------------- texts

    def show_move(self, state: State, move: Any) -> str:
        return self.positions.node(state.key).texts()[move]

    def show(self, state: State) -> str:
        return ";".join(self.positions.node(key).texts()[move] for key, move in self.positions.line(state.key))

    def parse(self, text: str) -> State:
        state = self.start()
        for part in filter(None, text.strip().split(";")):
            move = self.parse_move(state, part)
            if move is None:
                allowed = " ".join(self.positions.node(state.key).texts().values())
                raise PositionError(f"no move {part!r} leads on in {text!r}", allowed=allowed or "the end")
            state = self.play(state, move)
        return state

    def show_seen(self, seen: str, player: int) -> str:
        return seen

    def draw(self, state: State) -> str:
        return str(self.positions.node(state.key).state)


def _loaded(text: str) -> Any:
    """The game of pyspiel; `ParameterError` for one that it does not load, or that cannot be told exactly."""
    pyspiel = package_of("pyspiel", "openspiel", "a game of OpenSpiel")
    try:
        source = pyspiel.load_game(text)
        source.new_initial_state()
    except pyspiel.SpielError as error:
        names = pyspiel.registered_names()
        name = text.partition("(")[0]
        raise ParameterError(
            f"openspiel: cannot load {text!r}",
            found=str(error).strip().splitlines()[0],
            advice=f"openspiel:{close[0]}" if name not in names and (close := get_close_matches(name, names)) else None,
        ) from None
    refused = _refusal(source.get_type())
    if refused is not None:
        raise ParameterError(f"openspiel: {text} is not solved", found=refused, allowed=_ALLOWED)
    return source


def _refusal(kind: Any) -> str | None:
    """Why games of that kind cannot be told as rules; None where they can."""
    if kind.dynamics == kind.Dynamics.MEAN_FIELD:
        return "a mean field game"
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        return "chance is sampled, and its probabilities are not told"
    if sight_of(kind) and not (kind.provides_information_state_string or kind.provides_observation_string):
        return "something is hidden, and OpenSpiel does not tell as text what players see"
    return None


_ALLOWED = "finite games whose outcomes of chance are listed"
