"""Games as extensive games in the form of Gambit (`.efg`, version 2).

Every history is a node. Two nodes of a player share an information set if the player has seen and done the same.
Moves at once become successive moves, and nobody sees the earlier parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from endsight.algorithms.histories import Histories, History
from endsight.answers.seen import own_texts
from endsight.faces.interop.longest_play import longest_play
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget, Limits
from endsight.game.numbers import chances_of
from endsight.game.position import Position, as_text
from endsight.game.question import require_no_discount
from endsight.naming.arguments import as_whole_game


def to_efg(game: Game | str, *, limits: Limits | None = None) -> str:
    """Return the game as an extensive game in Gambit's form (`.efg`): all histories, with exact payoffs and chances.

    Raises `QuestionError` where the rules discount or play can return to a position, and `LimitReached` if there are
    more histories than the limits allow.
    """
    return "".join(efg_lines(as_whole_game(game, "to_efg"), limits))


def efg_lines(game: Game, limits: Limits | None = None) -> Iterator[str]:
    """Yield the lines of the file. Raises what `to_efg` raises."""
    require_no_discount(game, "a file for Gambit")
    budget = Budget(limits)
    longest_play(game, "Gambit", budget)
    names = " ".join(map(_quoted, game.player_names))
    yield f"EFG 2 R {_quoted(repr(game))} {{ {names} }}\n"
    yield '""\n\n'
    yield from _Writer(game, Histories(game), budget).lines()


@dataclass
class _Writer:
    """The nodes of a tree in prefix order; information sets and outcomes are numbered in order of appearance."""

    game: Game
    histories: Histories
    budget: Budget
    sets: dict[int, dict[int, int]] = field(default_factory=dict)
    outcomes: dict[tuple[Any, ...], int] = field(default_factory=dict)
    nodes: int = 0

    def lines(self) -> Iterator[str]:
        """Yield a line for each node; `waiting` holds histories with the parts of a joint move already made."""
        waiting: list[tuple[History, tuple[Any, ...]]] = [(self.histories.start(), ())]
        while waiting:
            history, made = waiting.pop()
            self.nodes += 1
            self.budget.spend(self.nodes, "writing the tree")
            line, following = self._node(history, made)
            waiting += reversed(following)
            yield line

    def _node(self, history: History, made: tuple[Any, ...]) -> tuple[str, list[tuple[History, tuple[Any, ...]]]]:
        """Return the line of a node, and the nodes after its moves."""
        position = history.position
        legal = self.histories.legal(position)
        if not legal:
            return self._end(position), []
        if position.mover == CHANCE:
            return self._chance(position, legal), [(self.histories.after(history, move), ()) for move in legal]
        mover = position.movers[len(made)]
        own = own_texts(position, mover)
        following = [self._followed(history, (*made, move)) for move in own]
        return self._choice(history, mover, list(own.values())), following

    def _followed(self, history: History, made: tuple[Any, ...]) -> tuple[History, tuple[Any, ...]]:
        """Return the node after part of a move; the history advances once all parts are made."""
        if len(made) < len(history.position.movers):
            return history, made
        return self.histories.after(history, made if len(made) > 1 else made[0]), ()

    def _chance(self, position: Position, legal: list[Any]) -> str:
        chances = chances_of([self.game.weight(position.state, move) for move in legal])
        texts = [as_text(self.game, "show_move", position.state, move) for move in legal]
        actions = " ".join(f"{_quoted(text)} {chance}" for text, chance in zip(texts, chances, strict=True))
        return f'c "" {self._number(CHANCE, self.nodes)} "" {{ {actions} }} 0\n'

    def _choice(self, history: History, mover: int, texts: list[str]) -> str:
        number = self._number(mover, history.eyes[mover].view)
        return f'p "" {mover + 1} {number} "" {{ {" ".join(map(_quoted, texts))} }} 0\n'

    def _end(self, position: Position) -> str:
        paid = position.paid()
        number = self.outcomes.setdefault(paid, len(self.outcomes) + 1)
        return f't "" {number} "" {{ {", ".join(map(str, paid))} }}\n'

    def _number(self, mover: int, view: int) -> int:
        """Return the number of an information set, from 1 for each player."""
        own = self.sets.setdefault(mover, {})
        return own.setdefault(view, len(own) + 1)


def _quoted(text: str) -> str:
    """Write a label of printable ASCII characters, as Gambit wants it; all others are escapes of Python.

    Gambit has no escape but that of the quotation mark, so a backslash at the end would hide the mark that follows.
    """
    escaped = text.encode("unicode_escape").decode("ascii").replace(r"\\", r"\x5c").replace('"', r"\"")
    return f'"{escaped}"'
