"""How positions of OpenSpiel's games are distinguished.

Two positions of one game are the same for a solver where the future of both is the same. The text of a state
(`str(state)`) is not enough: that of Breakthrough does not say who moves, and in Dots and Boxes the same lines may have
been drawn with the other player to move. The history is always enough, as it determines the state.

`DECIDING` names the games in which less is known to be enough. Each entry rests on the members of the game's State
class in OpenSpiel 2.0: all that its methods read is in the text, follows from it, or is in the parts named here.
Positions of all other games are distinguished by history, and positions after the end by their payoffs too; so are all
positions in versions of OpenSpiel whose sources were not read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import product
from typing import Any

from endsight.base.faults import RulesError
from endsight.game import CHANCE
from endsight.game.exact import Number
from endsight.game.numbers import simplest
from endsight.interop.labels import distinct_parts, distinct_words

LARGEST_DENOMINATOR = 1_000_000
ROUNDINGS = 4
"""The largest distance between a double and its fraction, in units in the last place, of 1 for smaller numbers."""


def fraction_of(number: float) -> Fraction | None:
    """The fraction that a double represents; None where no fraction with a small denominator is near."""
    if not math.isfinite(number):
        return None
    exact = Fraction(number)
    if exact.denominator == 1:
        return exact
    near = exact.limit_denominator(LARGEST_DENOMINATOR)
    return near if abs(near - exact) <= ROUNDINGS * Fraction(math.ulp(max(1.0, abs(number)))) else None


def weights_of(chances: Sequence[float]) -> list[int] | None:
    """Coprime whole numbers in the proportions of probabilities; None where that is not exact.

    Equal doubles whose sum is 1 except for rounding are equal chances, however many there are.
    """
    if len(set(chances)) == 1 and _is_one(chances[0] * len(chances)):
        return [1] * len(chances)
    parts = [fraction_of(chance) for chance in chances]
    fractions = [part for part in parts if part is not None and part > 0]
    if len(fractions) < len(chances) or sum(fractions) != 1:
        return None
    scale = math.lcm(*(part.denominator for part in fractions))
    return [int(part * scale) for part in fractions]


def _is_one(total: float) -> bool:
    return abs(total - 1) <= ROUNDINGS * math.ulp(1.0)


class SpielNode:
    """A state of OpenSpiel with cached facts: the movers, the moves, weights of outcomes.

    state  the state itself, which never changes
    seen   by player, the information state of the last own move; empty texts where nothing is hidden

    Moves are the numbers of actions; where several players move at once, tuples of them.
    """

    def __init__(self, state: Any, seen: tuple[str, ...]) -> None:
        self.state, self.seen = state, seen
        self.weights: dict[Any, int] = {}
        self.mover, self.moves = self._choices()

    def _choices(self) -> tuple[int | tuple[int, ...], list[Any]]:
        state = self.state
        if state.is_terminal():
            return 0, []
        if state.is_chance_node():
            self.weights = self._outcomes()
            return CHANCE, list(self.weights)
        if not state.is_simultaneous_node():
            return state.current_player(), state.legal_actions()
        legal = {player: state.legal_actions(player) for player in range(state.num_players())}
        movers = tuple(player for player, actions in legal.items() if actions)
        if len(movers) == 1:
            return movers[0], legal[movers[0]]
        return movers, list(product(*(legal[player] for player in movers)))

    def _outcomes(self) -> dict[Any, int]:
        """Outcomes of chance with whole weights; `RulesError` where the probabilities are not exact fractions."""
        outcomes = [(action, chance) for action, chance in self.state.chance_outcomes() if chance > 0]
        weights = weights_of([chance for _, chance in outcomes])
        if weights is None:
            raise RulesError(
                "OpenSpiel gives probabilities that are not fractions with a sum of exactly 1",
                found=", ".join(f"{chance!r}" for _, chance in outcomes[:6]),
                allowed="doubles near fractions with small denominators",
            )
        return {action: weight for (action, _), weight in zip(outcomes, weights, strict=True)}

    @property
    def movers(self) -> tuple[int, ...]:
        """The players who move; nobody at the end, and where chance moves."""
        if isinstance(self.mover, tuple):
            return self.mover
        return (self.mover,) if self.mover != CHANCE and self.moves else ()

    def after(self, move: Any) -> Any:
        """OpenSpiel's state after a move."""
        state = self.state.clone()
        if state.is_simultaneous_node():
            own = dict(zip(self.movers, move if isinstance(self.mover, tuple) else (move,), strict=True))
            state.apply_actions([own.get(player, 0) for player in range(state.num_players())])
        else:
            state.apply_action(move)
        return state

    def texts(self) -> dict[Any, str]:
        """The moves as text, no two alike."""
        if isinstance(self.mover, tuple):
            legal = [{move[place]: "" for move in self.moves} for place in range(len(self.mover))]
            parts = [self._named(player, list(own)) for player, own in zip(self.mover, legal, strict=True)]
            return {move: "-".join(part[own] for part, own in zip(parts, move, strict=True)) for move in self.moves}
        return self._named(self.state.current_player(), self.moves)

    def _named(self, player: int, actions: list[int]) -> dict[int, str]:
        """OpenSpiel's names of actions, as distinct words."""
        if self.state.is_simultaneous_node() and not isinstance(self.mover, tuple):
            player = self.mover
        distinct = distinct_parts if isinstance(self.mover, tuple) else distinct_words
        texts = distinct([self.state.action_to_string(player, each) for each in actions])
        return dict(zip(actions, texts, strict=True))


def amounts(given: list[float]) -> tuple[Number, ...]:
    """Payoffs as fractions; `RulesError` where one of them is not a fraction."""
    fractions = [fraction_of(each) for each in given]
    if None in fractions:
        raise RulesError(
            "OpenSpiel gives a payoff that is not a fraction with a small denominator",
            found=", ".join(map(repr, given)),
            allowed="doubles near fractions with denominators up to a million",
        )
    return tuple(simplest(each) for each in fractions if each is not None)


# ---------------------------------------------------------------------- positions that are one

READ = "2.0."
"""The prefix of the versions of OpenSpiel whose sources were read."""

Part = Callable[[Any], str]
Sight = Callable[[SpielNode], dict[int, str]]
"""The new information of players at a position, by player; the others see nothing new."""


def _board(state: Any) -> str:
    return str(state)


def _unmarked(state: Any) -> str:
    """The board without the brackets around the last move."""
    return str(state).replace("[", " ").replace("]", " ")


def _count(state: Any) -> str:
    """The number of moves made, where the rules count them."""
    return str(state.move_number())


def _choices(state: Any) -> str:
    """The number of players' moves made, where the rules count only these."""
    return str(sum(step.player >= 0 for step in state.full_history()))


def _begun(state: Any) -> str:
    """Whether none, one or more moves were made, where the second player may swap."""
    return str(min(state.move_number(), 2))


def _in_turn(state: Any) -> str:
    """The parts already made of a move of three parts."""
    actions = state.history()
    return " ".join(map(str, actions[len(actions) - len(actions) % 3 :]))


DECIDING: Mapping[str, tuple[Part, ...]] = {
    "amazons": (_board, _in_turn),  # the board; the cells chosen of a turn: queen, destination, shot
    "breakthrough": (_board,),  # the board, which determines the number of pieces
    "catch": (_board,),  # ball and paddle
    "cliff_walking": (_board, _count),  # the walker; the horizon counts moves
    "clobber": (_board,),  # the board
    "connect_four": (_board,),  # the board
    "dots_and_boxes": (_board,),  # lines and owners of boxes, which determine the points
    "gomoku": (_board,),  # the board
    "havannah": (_unmarked, _begun),  # the board, which determines groups of stones; the second move may swap
    "hex": (_board, _begun),  # the board; the second move may swap
    "mancala": (_board,),  # seeds; the text also counts the moves
    "mnk": (_board,),  # the board
    "nim": (_board,),  # the heaps
    "oshi_zumo": (_board, _count),  # wrestler and coins; the horizon counts moves
    "othello": (_board,),  # the board
    "pentago": (_board,),  # the board, which determines the number of moves
    "pig": (_board, _choices),  # scores, the total of the turn and whose it is; the horizon counts moves of players
    "quoridor": (_board, _count),  # pawns, walls, and walls left; the longest game counts moves
    "tic_tac_toe": (_board,),  # the board
    "ultimate_tic_tac_toe": (_board,),  # boards, and which of them is to be played on
    "y": (_unmarked,),  # the board, which determines groups of stones
}
"""By short name, the parts of a state that determine its future together with the mover."""


def deciding(short_name: str) -> tuple[Part, ...]:
    """The parts that determine the future in a game; nothing where only its history is known to."""
    is_read = str(import_module("pyspiel").__version__).startswith(READ)
    return DECIDING.get(short_name, ()) if is_read else ()


def position_key(state: Any, parts: tuple[Part, ...]) -> str:
    """A text that is the same only for positions with the same future."""
    end = f" {state.returns()}" if state.is_terminal() else ""
    return "\n".join([f"{state.current_player()}{end}", *(part(state) for part in parts)])


def sight_of(kind: Any) -> Sight | None:
    """The players' view of a game of that type; None where they see everything.

    OpenSpiel's information sets are those of players about to move: the state's text for them, where there is one.
    Otherwise every player sees the observation of each state, but for states of chance, and remembers them all.
    """
    if kind.information != kind.Information.IMPERFECT_INFORMATION:
        return None
    return _own_information if kind.provides_information_state_string else _observation


def _own_information(node: SpielNode) -> dict[int, str]:
    return {player: node.state.information_state_string(player) for player in node.movers}


def _observation(node: SpielNode) -> dict[int, str]:
    players = range(node.state.num_players()) if node.movers else ()
    return {player: node.state.observation_string(player) for player in players}
