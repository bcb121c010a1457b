"""Gambit's files of extensive games (`.efg`), read into the nodes of a tree.

The format is that of the Gambit project's page "The extensive game (.efg) file format", version 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from endsight.base.faults import FileError
from endsight.game.numbers import count_text
from endsight.interop.gambit_text import Tokens

CHANCE = -1
END = -2
Actions = tuple[tuple[str, ...], tuple[Fraction, ...]]
"""Labels of actions and their probabilities; players have none of these."""


@dataclass(frozen=True)
class TreeNode:
    """A node of a tree.

    mover     a player's number from 0, `CHANCE`, or `END`
    group     the number of the information set within its player
    labels    names of the actions
    chances   probabilities of the actions of chance; empty for players
    paid      by player, the total of all outcomes from the root to this node
    children  the nodes that the actions lead to
    """

    name: str
    mover: int
    group: int
    labels: tuple[str, ...]
    chances: tuple[Fraction, ...]
    paid: tuple[Fraction, ...]
    children: list[int]


@dataclass(frozen=True)
class GameTree:
    """A game in Gambit's form: the players' names, and all nodes, the root first."""

    players: tuple[str, ...]
    nodes: list[TreeNode]


def read_tree(text: str, place: str) -> GameTree:
    """The tree in the text of a file; raises `FileError` with the line."""
    return _Reader(Tokens(text, place)).tree()


class _Reader:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.groups: dict[tuple[int, int], Actions] = {}
        self.outcomes: dict[int, tuple[Fraction, ...]] = {}
        self.nodes: list[TreeNode] = []

    def tree(self) -> GameTree:
        tokens = self.tokens
        self.players = tokens.players("EFG", 2)
        tokens.passes("label")
        self._nodes()
        tokens.end("the tree is complete")
        return GameTree(self.players, self.nodes)

    def _nodes(self) -> None:
        """Read all nodes, parents before children; `open_nodes` are those that lack children."""
        open_nodes = [self._node((Fraction(0),) * len(self.players))]
        while open_nodes:
            parent = self.nodes[open_nodes[-1]]
            if len(parent.children) == len(parent.labels):
                open_nodes.pop()
            else:
                parent.children.append(self._node(parent.paid))
                open_nodes.append(parent.children[-1])

    def _node(self, paid: tuple[Fraction, ...]) -> int:
        kind = self.tokens.word("c", "p", "t")
        name = self.tokens.label("the node's name")
        mover, group = END, 0
        actions: Actions = ((), ())
        if kind != "t":
            mover = self.tokens.whole("a player's number", 1, len(self.players)) - 1 if kind == "p" else CHANCE
            group = self.tokens.whole("the number of an information set", 1)
            actions = self._group(mover, group)
        paid = tuple(so_far + own for so_far, own in zip(paid, self._outcome(), strict=True))
        self.nodes.append(TreeNode(name, mover, group, *actions, paid, []))
        return len(self.nodes) - 1

    def _group(self, mover: int, group: int) -> Actions:
        """Labels and probabilities of an information set's actions, given here or earlier."""
        tokens, known = self.tokens, self.groups.get((mover, group))
        if not tokens.is_next("label") and not tokens.is_next("sign", "{"):
            if known is None:
                raise tokens.wrong("the actions of an information set that is met for the first time")
            return known
        tokens.passes("label")
        actions: Actions = self._chances() if mover == CHANCE else (tokens.labels("an action's label"), ())
        if not actions[0] or known not in (None, actions):
            raise tokens.wrong("the same actions as before" if known else "an action or more")
        self.groups[mover, group] = actions
        return actions

    def _chances(self) -> Actions:
        tokens = self.tokens
        rows = list(tokens.braced(lambda: (tokens.label("an action's label"), tokens.number("a probability"))))
        names, chances = zip(*rows, strict=True) if rows else ((), ())
        if sum(chances) != 1 or min(chances, default=0) < 0:
            raise FileError(
                f"{tokens.place}: the probabilities of chance at node {len(self.nodes) + 1} do not add up to 1",
                found=f"{', '.join(map(str, chances))}: {sum(chances)}",
                allowed="probabilities, 0 or more, whose sum is exactly 1",
            )
        return names, chances

    def _outcome(self) -> tuple[Fraction, ...]:
        """The payoffs of the outcome of a node."""
        tokens = self.tokens
        number = tokens.whole("the number of an outcome", 0)
        nothing = (Fraction(0),) * len(self.players)
        if number == 0:
            return nothing
        tokens.passes("label")
        known = self.outcomes.get(number)
        if tokens.is_next("sign", "{"):
            paid = tuple(tokens.braced(lambda: tokens.number("a payoff")))
            if len(paid) != len(self.players):
                raise tokens.wrong(f"{count_text(len(self.players), 'payoff')}, one for each player")
            if known not in (None, paid):
                raise tokens.wrong(f"the payoffs that outcome {number} had before")
            self.outcomes[number] = known = paid
        return known if known is not None else self.outcomes.setdefault(number, nothing)
