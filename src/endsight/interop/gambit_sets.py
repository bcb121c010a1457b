"""Information sets of a tree: what each player knows at each node."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from endsight.base.faults import FileError
from endsight.interop.gambit_tree import GameTree

__all__ = ["hides_something", "views_of"]


class Known(NamedTuple):
    """A player's last own information set, numbered through from 1, and the action taken there; 0 and 0 before."""

    group: int
    action: int


def hides_something(tree: GameTree) -> bool:
    """Whether a player cannot tell some nodes apart."""
    return any(
        times > 1 for times in Counter((node.mover, node.group) for node in tree.nodes if node.mover >= 0).values()
    )


def views_of(tree: GameTree, place: str) -> list[tuple[int, ...]]:
    """By node and player, the number of the last own information set on the way to the node, its own included.

    Raises `FileError` where a player forgets own sets or actions: nodes of one set must have the same of them before.
    """
    numbers: dict[tuple[int, int], int] = {}
    before: list[tuple[Known, ...]] = [(Known(0, 0),) * len(tree.players) for _ in tree.nodes]
    known_in: dict[int, Known] = {}
    views = []
    for index, node in enumerate(tree.nodes):
        own = before[index]
        groups = [known.group for known in own]
        if node.mover >= 0:
            groups[node.mover] = numbers.setdefault((node.mover, node.group), len(numbers) + 1)
            if known_in.setdefault(groups[node.mover], own[node.mover]) != own[node.mover]:
                raise _forgetting(tree, index, place)
        views.append(tuple(groups))
        for action, child in enumerate(node.children):
            before[child] = tuple(
                Known(groups[player], action) if player == node.mover else known for player, known in enumerate(own)
            )
    return views


def _forgetting(tree: GameTree, index: int, place: str) -> FileError:
    node = tree.nodes[index]
    return FileError(
        f"{place}: {tree.players[node.mover]} forgets what that player knew or did",
        found=f"information set {node.group} has nodes with different own sets or actions before them",
        allowed="players who remember their own information sets and actions (perfect recall)",
    )
