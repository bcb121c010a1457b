"""Gambit's games as rules: a file of an extensive game (`.efg`) or of a strategic game (`.nfg`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import lcm
from typing import ClassVar, NamedTuple

from endsight.base.faults import FileError
from endsight.game import CHANCE, Game
from endsight.game.exact import Number
from endsight.game.numbers import simplest
from endsight.interop.gambit_sets import hides_something, views_of
from endsight.interop.gambit_table import read_table
from endsight.interop.gambit_tree import read_tree
from endsight.interop.labels import told_apart
from endsight.naming.input_files import read_text

__all__ = ["ExtensiveFile", "StrategicFile"]


class ExtensiveFile(Game):
    """An extensive game from a file of Gambit's (`FILE.efg`), a tree with information sets.

    Moves are the labels of the actions, with `_` for blanks. If every information set holds one node, players see
    everything; otherwise each player knows the own information sets and actions so far. Games in which a player
    forgets any of these are refused. Numbers are exact: 0.1 is a tenth.

    A position in one line is the number of its node in the order of the file, from 0: `node=7`.
    """

    name: ClassVar[str] = "efg"
    is_named_whole: ClassVar[bool] = True

    file: str
    sha256: str = ""

    class State(NamedTuple):
        """The number of the node."""

        node: int

    def setup(self) -> None:
        """Read the file; `FileError` where it is not as it should be, or not as `sha256` says."""
        text, self.sha256 = _contents(self.file, self.sha256)
        tree = read_tree(text, self.file)
        self.tree = tree
        self.players = len(tree.players)
        self.labels = [told_apart(node.labels) for node in tree.nodes]
        self.weights = [_weights(node.chances) for node in tree.nodes]
        self.views = views_of(tree, self.file)
        if hides_something(tree):
            self.sees = self._seen  # type: ignore[method-assign]

    def limits(self) -> State:
        return self.State(len(self.tree.nodes) - 1)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return max(self.tree.nodes[state.node].mover, CHANCE)

    def moves(self, state: State) -> Iterator[int]:
        for move in range(len(self.labels[state.node])):
            if self.weights[state.node][move : move + 1] != [0]:
                yield move

    def play(self, state: State, move: int) -> State:
        return self.State(self.tree.nodes[state.node].children[move])

    def weight(self, state: State, move: int) -> int:
        return self.weights[state.node][move]

    def payoff(self, state: State) -> tuple[Number, ...]:
        return tuple(map(simplest, self.tree.nodes[state.node].paid))

    def _seen(self, state: State, player: int) -> int:
        """The number of the player's last information set; 0 before the first."""
        return self.views[state.node][player]

    def show_move(self, state: State, move: int) -> str:
        return self.labels[state.node][move]

    def show_seen(self, seen: int, player: int) -> str:
        return f"set={seen}"

    def draw(self, state: State) -> str:
        node = self.tree.nodes[state.node]
        told = [f"node {state.node}", *([node.name] if node.name else [])]
        if node.mover >= 0:
            told.append(f"{self.tree.players[node.mover]} is to move in set {node.group}")
        return " · ".join(told)


class StrategicFile(Game):
    """A strategic game from a file of Gambit's (`FILE.nfg`): every player picks a strategy, all at once.

    Moves are the labels of the strategies, with `_` for blanks, joined by `-`. Numbers are exact: 0.1 is a tenth.

    A position in one line is the number of the combination in the order of the file, from 1, and 0 before the moves:
    `combination=0`.
    """

    name: ClassVar[str] = "nfg"
    is_named_whole: ClassVar[bool] = True

    file: str
    sha256: str = ""

    class State(NamedTuple):
        """The number of the combination that was picked, from 1; 0 before."""

        combination: int

    def setup(self) -> None:
        """Read the file; `FileError` where it is not as it should be, or not as `sha256` says."""
        text, self.sha256 = _contents(self.file, self.sha256)
        self.table = read_table(text, self.file)
        self.players = len(self.table.players)
        self.labels = [told_apart(each) for each in self.table.strategies]

    def limits(self) -> State:
        return self.State(len(self.table.payoffs))

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int | tuple[int, ...]:
        return tuple(range(self.players)) if self.players > 1 else 0

    def moves(self, state: State) -> Iterator[int | tuple[int, ...]]:
        if state.combination == 0:
            parts = [range(len(own)) for own in self.labels]
            yield from product(*parts) if self.players > 1 else parts[0]

    def play(self, state: State, move: int | tuple[int, ...]) -> State:
        number, scale = 0, 1
        for own, labels in zip(move if isinstance(move, tuple) else (move,), self.labels, strict=True):
            number, scale = number + scale * own, scale * len(labels)
        return self.State(number + 1)

    def payoff(self, state: State) -> tuple[Number, ...]:
        return tuple(map(simplest, self.table.payoffs[state.combination - 1]))

    def show_move(self, state: State, move: int | tuple[int, ...]) -> str:
        parts = move if isinstance(move, tuple) else (move,)
        return "-".join(labels[own] for labels, own in zip(self.labels, parts, strict=True))

    def draw(self, state: State) -> str:
        if state.combination == 0:
            return "all are to move at once"
        paid = self.table.payoffs[state.combination - 1]
        return ", ".join(f"{name} {own}" for name, own in zip(self.table.players, paid, strict=True))


def _contents(file: str, digest: str) -> tuple[str, str]:
    """The text of a file with its SHA-256; `FileError` where another digest is given."""
    text = read_text(file)
    found = sha256(text.encode()).hexdigest()
    if digest not in ("", found):
        raise FileError(f"{file} has changed", found=f"SHA-256 {found}", allowed=f"SHA-256 {digest}")
    return text, found


def _weights(chances: Sequence[Fraction]) -> list[int]:
    """Probabilities as whole numbers in the same proportions."""
    scale = lcm(*(chance.denominator for chance in chances))
    return [int(chance * scale) for chance in chances]
