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

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from endsight.interop.openspiel_node import Node

READ = "2.0."
"""The prefix of the versions of OpenSpiel whose sources were read."""

Part = Callable[[Any], str]
Sight = Callable[[Node], dict[int, str]]
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


def _own_information(node: Node) -> dict[int, str]:
    return {player: node.state.information_state_string(player) for player in node.movers}


def _observation(node: Node) -> dict[int, str]:
    players = range(node.state.num_players()) if node.movers else ()
    return {player: node.state.observation_string(player) for player in players}
