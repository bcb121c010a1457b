"""Gambit's games as rules: a file of an extensive game (`.efg`) or of a strategic game (`.nfg`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import lcm
from typing import ClassVar, NamedTuple

from endsight.base.faults import FileError
from endsight.game import Game
from endsight.game.exact import Number
from endsight.game.numbers import count_text, simplest
from endsight.interop.gambit_text import END, GambitTree, Tokens, read_tree
from endsight.interop.labels import distinct_parts, distinct_words
from endsight.naming.input_files import read_text


class LastAction(NamedTuple):
    """A player's last information set, numbered from 1, and the action taken there; 0 and 0 before any."""

    group: int
    action: int


def hides_something(tree: GambitTree) -> bool:
    """Whether a player cannot tell some nodes apart."""
    return any(
        times > 1 for times in Counter((node.mover, node.group) for node in tree.nodes if node.mover >= 0).values()
    )


def views_of(tree: GambitTree, place: str) -> list[tuple[int, ...]]:
    """By node and player, the number of the player's last information set on the way to the node, or at it.

    Raises `FileError` where a player forgets earlier sets or actions: the nodes of one set must share them.
    """
    numbers: dict[tuple[int, int], int] = {}
    before: list[tuple[LastAction, ...]] = [(LastAction(0, 0),) * len(tree.players) for _ in tree.nodes]
    known_in: dict[int, LastAction] = {}
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
                LastAction(groups[player], action) if player == node.mover else known
                for player, known in enumerate(own)
            )
    return views


def _forgetting(tree: GambitTree, index: int, place: str) -> FileError:
    node = tree.nodes[index]
    return FileError(
        f"{place}: {tree.players[node.mover]} forgets what that player knew or did",
        found=f"information set {node.group} has nodes with different own sets or actions before them",
        allowed="players who remember their own information sets and actions (perfect recall)",
    )


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
        """Read the file; `FileError` if it is malformed or does not match `sha256`."""
        text, self.sha256 = _contents(self.file, self.sha256)
        tree = read_tree(text, self.file)
        self.tree = tree
        self.players = len(tree.players)
        self.labels = [distinct_words(node.labels) for node in tree.nodes]
        self.weights = [_weights(node.chances) for node in tree.nodes]
        self.views = views_of(tree, self.file)
        if hides_something(tree):
            self.sees = self._seen  # type: ignore[method-assign]

    def limits(self) -> State:
        return self.State(len(self.tree.nodes) - 1)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        mover = self.tree.nodes[state.node].mover
        return 0 if mover == END else mover

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
        texts = [f"node {state.node}", *([node.name] if node.name else [])]
        if node.mover >= 0:
            texts.append(f"{self.tree.players[node.mover]} is to move in set {node.group}")
        return " · ".join(texts)


class StrategicFile(Game):
    """A strategic game from a file of Gambit's (`FILE.nfg`): every player picks a strategy, all at once.

    Moves are the labels of the strategies joined by `-`, with `_` for blanks and `-` inside of them. Numbers are exact:
    0.1 is a tenth.

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
        """Read the file; `FileError` if it is malformed or does not match `sha256`."""
        text, self.sha256 = _contents(self.file, self.sha256)
        self.table = read_table(text, self.file)
        self.players = len(self.table.players)
        self.labels = [(distinct_parts if self.players > 1 else distinct_words)(each) for each in self.table.strategies]

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
        for own, own_labels in zip(move if isinstance(move, tuple) else (move,), self.labels, strict=True):
            number, scale = number + scale * own, scale * len(own_labels)
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
    """The text of a file with its SHA-256; `FileError` if another digest is given."""
    text = read_text(file)
    found = sha256(text.encode()).hexdigest()
    if digest not in ("", found):
        raise FileError(f"{file} has changed", found=f"SHA-256 {found}", allowed=f"SHA-256 {digest}")
    return text, found


def _weights(chances: Sequence[Fraction]) -> list[int]:
    """Probabilities as whole numbers in the same proportions."""
    scale = lcm(*(chance.denominator for chance in chances))
    return [int(chance * scale) for chance in chances]


@dataclass(frozen=True)
class PayoffTable:
    """A game in Gambit's form: names of the players, strategies of each, payoffs of all combinations.

    payoffs  by combination, the first player's strategy changing fastest, each player's payoff
    """

    players: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    payoffs: list[tuple[Fraction, ...]]


def read_table(text: str, place: str) -> PayoffTable:
    """The table in the text of a file; raises `FileError` with the line."""
    tokens = Tokens(text, place)
    players = tokens.players("NFG", 1)
    strategies = _strategies(tokens, len(players))
    tokens.passes("label")
    count = math.prod(map(len, strategies))
    if tokens.is_next("sign", "{"):
        payoffs = _by_outcome(tokens, count, len(players))
    else:
        payoffs = [tuple(_payoff(tokens) for _ in players) for _ in range(count)]
    tokens.end(f"all {count} combinations are told")
    return PayoffTable(players, strategies, payoffs)


def _strategies(tokens: Tokens, players: int) -> tuple[tuple[str, ...], ...]:
    """The strategies of each player, given as lists of labels or as their number."""

    def own() -> tuple[str, ...]:
        if tokens.is_next("sign", "{"):
            return tokens.labels("a strategy's label")
        return tuple(str(number + 1) for number in range(tokens.whole("a number of strategies", 1)))

    found = tuple(tokens.braced(own, commas=False))
    if len(found) != players or not all(found):
        raise tokens.wrong(f"strategies of {count_text(players, 'player')}, one or more of each")
    return found


def _payoff(tokens: Tokens) -> Fraction:
    tokens.passes("sign", ",")
    return tokens.number("a payoff")


def _by_outcome(tokens: Tokens, count: int, players: int) -> list[tuple[Fraction, ...]]:
    outcomes = [(Fraction(0),) * players, *tokens.braced(lambda: _outcome(tokens, players), commas=False)]
    return [outcomes[tokens.whole("the number of an outcome", 0, len(outcomes) - 1)] for _ in range(count)]


def _outcome(tokens: Tokens, players: int) -> tuple[Fraction, ...]:
    tokens.sign("{")
    tokens.label("the outcome's name")
    found = [_payoff(tokens) for _ in range(players)]
    tokens.passes("sign", ",")
    tokens.sign("}")
    return tuple(found)
