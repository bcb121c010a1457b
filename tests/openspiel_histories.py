"""Whether positions of OpenSpiel's games that have one key have one future: all histories, not only some.

    python tests/openspiel_histories.py [--most 600000] [NAME ...]

Where two histories have the same key, they must have the same moves, chances and rewards, and each move must lead to
the same key. Of a game of which all histories were compared this proves the key complete. Where there are more than
`--most` of them, the shortest are compared (5,000 of games with many moves). Stops at the first that differ.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import pyspiel

from endsight.interop.openspiel_states import DECIDING

WHOLE = (
    "breakthrough(rows=4,columns=2)",
    "catch(rows=4,columns=3)",
    "cliff_walking(height=3,width=4,horizon=6)",
    "clobber(rows=3,columns=3)",
    "connect_four(rows=3,columns=3,x_in_row=3)",
    "dots_and_boxes(num_rows=1,num_cols=2)",
    "gomoku(size=3,connect=3)",
    "havannah(board_size=2,swap=true)",
    "hex(board_size=2,swap=true)",
    "mnk(m=3,n=3,k=3)",
    "nim(pile_sizes=1;2;3)",
    "oshi_zumo(coins=3,size=1,horizon=4)",
    "pig(winscore=4,horizon=6,diceoutcomes=3)",
    "tic_tac_toe",
    "y(board_size=3)",
)
"""Games that are small enough for all of their histories, one of each kind that has one."""
FEW = tuple(name for name in WHOLE if name.partition("(")[0] in ("catch", "nim", "oshi_zumo", "pig", "y"))
"""Those of them that take a moment."""
LARGE = (
    "amazons(board_size=6)",
    "mancala",
    "othello",
    "pentago",
    "quoridor(board_size=3,wall_count=1)",
    "ultimate_tic_tac_toe",
)
"""The other kinds."""
Part = Callable[[Any], str]
MOST = 600_000
MANY = 5_000
"""Of games that are too large, with many moves after each."""


class Compared(NamedTuple):
    """How many histories and positions were looked at, and whether these are all."""

    histories: int
    positions: int
    whole: bool


def compared(name: str, most: int = MOST) -> Compared:
    """Compare the histories of a game, shortest first; `AssertionError` for two that differ."""
    source = pyspiel.load_game(name)
    parts = DECIDING[source.get_type().short_name]
    known: dict[Any, tuple[Any, str]] = {}
    waiting, histories, whole = deque([source.new_initial_state()]), 0, True
    while waiting:
        state = waiting.popleft()
        histories += 1
        after = [(move, child(state, move)) for move in moves(state)]
        key, future = key_of(state, parts), [(move, led_to(then, parts)) for move, then in after]
        told, other = known.setdefault(key, ((future, chances(state)), state.history_str()))
        assert told == (future, chances(state)), (name, key, other, state.history_str())
        room = most - histories - len(waiting)
        waiting.extend(then for _, then in after[:room])
        whole = whole and len(after) <= room
    return Compared(histories, len(known), whole)


def moves(state: Any) -> list[Any]:
    """Legal actions, or tuples of them where players move at once."""
    if state.is_terminal():
        return []
    if state.is_simultaneous_node():
        return list(product(*(state.legal_actions(player) for player in range(state.num_players()))))
    return list(state.legal_actions())


def chances(state: Any) -> list[Any]:
    """The outcomes of chance with their probabilities."""
    return list(state.chance_outcomes()) if state.is_chance_node() else []


def child(state: Any, move: Any) -> Any:
    """The state after a move."""
    then = state.clone()
    if isinstance(move, tuple):
        then.apply_actions(list(move))
    else:
        then.apply_action(move)
    return then


def key_of(state: Any, parts: tuple[Part, ...]) -> tuple[Any, ...]:
    """All by which endsight tells a state apart: who moves, the parts that decide its future, and how it ends."""
    return (
        state.current_player(),
        tuple(state.returns() if state.is_terminal() else ()),
        *(part(state) for part in parts),
    )


def led_to(state: Any, parts: tuple[Part, ...]) -> tuple[Any, list[float]]:
    """The key of the state after a move, and what the move brought."""
    return key_of(state, parts), state.rewards()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    print("| game | histories | positions | |\n|---|---|---|---|")
    for each in options.names or (*WHOLE, *LARGE):
        found = compared(each, min(options.most, MANY) if each in LARGE else options.most)
        extent = "all" if found.whole else "the shortest"
        print(f"| `{each}` | {found.histories:,} | {found.positions:,} | {extent} |", flush=True)
