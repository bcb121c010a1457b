"""Gambit's files: their words, numbers, labels and braces, each with its line, and trees of extensive games.

The format is that of the Gambit project's page "The extensive game (.efg) file format", version 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeVar

from endsight.base.faults import FileError
from endsight.game.numbers import count_text

T = TypeVar("T")
_TOKEN = re.compile(r'"((?:[^"\\]|\\"|\\(?!"))*)"|([{},])|([^\s{},"]+)')
_NUMBER = re.compile(
    r"[-+]?([0-9]{1,4000}/0*[1-9][0-9]{0,3999}|([0-9]{1,2000}\.?[0-9]{0,2000}|\.[0-9]{1,2000})(e[-+]?[0-9]{1,3})?)",
    re.I,
)


class Token(NamedTuple):
    """A piece of a file.

    kind  `label` for a quoted text, `sign` for braces and commas, `word` for the rest
    """

    kind: str
    text: str
    line: int


class Tokens:
    """Reads a file from the front; every method consumes what it returns, or raises `FileError` with the line."""

    def __init__(self, text: str, place: str) -> None:
        self.place = place
        self.tokens = _split(text, place)
        self.at = 0

    def players(self, kind: str, version: int) -> tuple[str, ...]:
        """The head of a file, which tells the players' names."""
        self.word(kind)
        self.whole("the version", version, version)
        self.word("R", "D")
        self.label("title")
        return self.labels("a player's name")

    def end(self, why: str) -> None:
        """Nothing more."""
        if self.at < len(self.tokens):
            raise self.wrong(f"nothing: {why}")

    def is_next(self, kind: str, text: str | None = None) -> bool:
        """Whether a token of that kind (and text) comes next."""
        token = self._peek()
        return token.kind == kind and text in (None, token.text)

    def label(self, what: str) -> str:
        """A text in quotation marks."""
        return self._take("label", f'"{what}"').text

    def word(self, *allowed: str) -> str:
        """One of these words."""
        token = self._take("word", " or ".join(allowed))
        if token.text not in allowed:
            raise self.wrong(" or ".join(allowed), token)
        return token.text

    def sign(self, text: str) -> None:
        """A brace."""
        token = self._take("sign", text)
        if token.text != text:
            raise self.wrong(text, token)

    def passes(self, kind: str, text: str | None = None) -> bool:
        """Take the next token if it is of that kind (and text)."""
        found = self.is_next(kind, text)
        self.at += found
        return found

    def braced(self, read: Callable[[], T], *, commas: bool = True) -> Iterator[T]:
        """All that stands between braces, as `read` finds it; there may be `commas` after each."""
        self.sign("{")
        while not self.passes("sign", "}"):
            yield read()
            self.at += commas and self.is_next("sign", ",")

    def labels(self, what: str) -> tuple[str, ...]:
        """Texts between braces."""
        return tuple(self.braced(lambda: self.label(what)))

    def whole(self, what: str, least: int, most: int | None = None) -> int:
        """A whole number within these limits."""
        allowed = f"{what}, {least} or more" if most is None else f"{what}, {least} to {most}"
        token = self._take("word", allowed)
        is_whole = re.fullmatch(r"[0-9]{1,9}", token.text, re.ASCII)
        if not is_whole or int(token.text) < least or (most is not None and int(token.text) > most):
            raise self.wrong(allowed, token)
        return int(token.text)

    def number(self, what: str) -> Fraction:
        """An exact number: 3, -1/2, 0.25 or 1e-3; 0.1 is a tenth."""
        token = self._take("word", what)
        if not _NUMBER.fullmatch(token.text):
            raise self.wrong(f"{what}, such as 3, -1/2 or 0.25", token)
        return Fraction(token.text)

    def wrong(self, allowed: str, token: Token | None = None) -> FileError:
        """The error about a token, else about the next one."""
        token = token or self._peek()
        return FileError(
            f"{self.place}, line {token.line}: this is not as Gambit writes it",
            found=repr(token.text[:60]) if token.kind != "end" else "the end of the file",
            allowed=allowed,
        )

    def _peek(self) -> Token:
        last = self.tokens[-1].line if self.tokens else 1
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("end", "", last)

    def _take(self, kind: str, allowed: str) -> Token:
        token = self._peek()
        if token.kind != kind:
            raise self.wrong(allowed, token)
        self.at += 1
        return token


def _split(text: str, place: str) -> list[Token]:
    tokens, line, end = [], 1, 0
    for found in _TOKEN.finditer(text):
        if text[end : found.start()].strip():
            raise _stray(text, end, place)
        line += text.count("\n", end, found.start())
        label, sign, word = found.groups()
        kind = "label" if label is not None else "sign" if sign else "word"
        shown = label.replace(r"\"", '"') if label is not None else sign or word
        tokens.append(Token(kind, shown, line))
        line += text.count("\n", found.start(), found.end())
        end = found.end()
    if text[end:].strip():
        raise _stray(text, end, place)
    return tokens


def _stray(text: str, end: int, place: str) -> FileError:
    line = text.count("\n", 0, end) + 1
    return FileError(f"{place}, line {line}: a quotation mark is not closed", found=text[end : end + 40].strip())


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
class GambitTree:
    """A game in Gambit's form: the players' names, and all nodes, the root first."""

    players: tuple[str, ...]
    nodes: list[TreeNode]


def read_tree(text: str, place: str) -> GambitTree:
    """The tree in the text of a file; raises `FileError` with the line."""
    return _TreeReader(Tokens(text, place)).tree()


class _TreeReader:
    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.groups: dict[tuple[int, int], Actions] = {}
        self.outcomes: dict[int, tuple[Fraction, ...]] = {}
        self.nodes: list[TreeNode] = []

    def tree(self) -> GambitTree:
        tokens = self.tokens
        self.players = tokens.players("EFG", 2)
        tokens.passes("label")
        self._nodes()
        tokens.end("the tree is complete")
        return GambitTree(self.players, self.nodes)

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
