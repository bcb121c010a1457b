"""Games of OpenSpiel as rules: `openspiel:NAME(key=value,...)`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, ClassVar, NamedTuple

from endsight.base.extras import package_of
from endsight.base.faults import ParameterError, PositionError, RulesError
from endsight.game import Game
from endsight.game.results import Share
from endsight.interop.openspiel_states import Part, Sight, SpielNode, amounts, deciding, position_key, sight_of

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
        """The text that identifies the position."""

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
        """The reward of a move, in games that pay on the way."""
        return amounts(self.positions.node(state.key).after(move).rewards())

    def _seen(self, state: State, player: int) -> str:
        """The information state at the player's last move."""
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
    """The game of pyspiel; `ParameterError` if it does not load or has no exact form."""
    pyspiel = package_of("pyspiel", "openspiel", "a game of OpenSpiel")
    names, name = pyspiel.registered_names(), text.partition("(")[0]
    if name not in names:  # OpenSpiel would write all names to the standard error otherwise
        close = get_close_matches(name, names)
        advice = f"openspiel:{close[0]}" if close else "python -c 'import pyspiel; print(pyspiel.registered_names())'"
        raise ParameterError(f"openspiel: there is no game called {name!r}", advice=advice)
    try:
        source = pyspiel.load_game(text)
        source.new_initial_state()
    except pyspiel.SpielError as error:
        raise ParameterError(f"openspiel: cannot load {text!r}", found=str(error).strip().splitlines()[0]) from None
    refused = _refusal(source.get_type())
    if refused is not None:
        raise ParameterError(f"openspiel: endsight cannot solve {text}", found=refused, allowed=_ALLOWED)
    return source


def _refusal(kind: Any) -> str | None:
    """Why games of that kind cannot become rules; None if they can."""
    if kind.dynamics == kind.Dynamics.MEAN_FIELD:
        return "a mean field game"
    if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        return "chance is sampled, and its probabilities are not given"
    if sight_of(kind) and not (kind.provides_information_state_string or kind.provides_observation_string):
        return "something is hidden, and OpenSpiel does not give as text what players see"
    return None


_ALLOWED = "finite games whose outcomes of chance are listed"


MOST_KEPT = 100_000
"""The most OpenSpiel states kept at a time; others are replayed."""


class Positions:
    """The positions of a game by key: the history, or the parts of a state that decide its future.

    For every position one line of moves to it is stored: the first one found. If another line reaches it, both must
    have the same moves and chances there. Unvisited positions are searched for from the start, breadth first.
    """

    def __init__(self, source: Any, parts: tuple[Part, ...], sight: Sight | None) -> None:
        self.source, self.parts, self.sight = source, parts, sight
        self.nodes: dict[str, SpielNode] = {}
        self.before: dict[str, tuple[str, Any]] = {}
        """Key -> the position before it, and the move made there."""
        self.start = self._key(self._first().state, "", None)

    def node(self, key: str) -> SpielNode:
        """The position of that key; `PositionError` where the game has none."""
        return self.nodes.get(key) or self._replayed(key)

    def after(self, key: str, move: Any) -> str:
        """The key of the position after a move."""
        before = self.node(key)
        reached = before.after(move)
        new = self._key(reached, key, move)
        if new not in self.before and new != self.start:
            self.before[new] = key, move
        if new not in self.nodes:
            self._keep(new, self._reached(reached, before.seen))
        elif self.before.get(new) != (key, move):
            self._compare(new, reached)
        return new

    def line(self, key: str) -> list[tuple[str, Any]]:
        """The positions on the way to that of `key`, each with the move made there."""
        if key != self.start and key not in self.before:
            self._search(key)
        steps = []
        while key != self.start:
            steps.append(self.before[key])
            key = self.before[key][0]
        return steps[::-1]

    def _replayed(self, key: str) -> SpielNode:
        node = self._first()
        for _, move in self.line(key):
            node = self._reached(node.after(move), node.seen)
        self._keep(key, node)
        return node

    def _search(self, key: str) -> None:
        """Visit positions, nearest ones first, until that of `key` is among them."""
        waiting, known = deque([self.start]), {self.start}
        while waiting and key not in self.before:
            place = waiting.popleft()
            reached = [self.after(place, move) for move in self.node(place).moves]
            waiting.extend(each for each in dict.fromkeys(reached) if each not in known)
            known.update(reached)
        if key not in self.before:
            raise PositionError("openspiel: play does not lead to that position", found=key)

    def _compare(self, key: str, reached: Any) -> None:
        """Raise `RulesError` where a state has other moves than the stored ones of its position."""
        known, other = self.nodes[key], SpielNode(reached, ())
        if (known.mover, known.moves, known.weights) != (other.mover, other.moves, other.weights):
            raise RulesError(
                "OpenSpiel: two histories that were treated as one position have different moves",
                found=f"{known.state.history_str()!r:.200} and {reached.history_str()!r:.200}",
                advice="report it: endsight.interop.openspiel_states tells these positions apart by too little",
            )

    def _first(self) -> SpielNode:
        return self._reached(self.source.new_initial_state(), ("",) * self.source.num_players())

    def _key(self, state: Any, before: str, move: Any) -> str:
        """The parts that determine the future, if known; else all moves so far."""
        if self.parts:
            return position_key(state, self.parts)
        own = "-".join(map(str, move)) if isinstance(move, tuple) else str(move)
        return "" if move is None else f"{before},{own}".removeprefix(",")

    def _reached(self, state: Any, seen: tuple[str, ...]) -> SpielNode:
        """The node of a state, given what the players saw before it."""
        node = SpielNode(state, seen)
        if self.sight is not None:
            new = self.sight(node)
            node.seen = tuple(new.get(player, old) for player, old in enumerate(seen))
        return node

    def _keep(self, key: str, node: SpielNode) -> None:
        if len(self.nodes) >= MOST_KEPT:
            self.nodes.clear()
        self.nodes[key] = node
