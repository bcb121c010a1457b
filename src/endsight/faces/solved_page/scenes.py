"""What a file shows at each node: the boards, what is said there, and where each choice leads.

A node is a position and the own moves of those who have chosen there already, where several players move at once: they
choose one after the other, unseen by each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, TypeAlias

from endsight.algorithms.histories import Histories
from endsight.answers.options import Option
from endsight.answers.seen import SeenPosition, own_texts
from endsight.answers.solution import Solution
from endsight.board import Mark, board_at, board_seen
from endsight.faces.advice.moves import MoveRow, drawn_moves, marks_of, moves_of, order, to_do
from endsight.faces.advice.readings import Balance, Reading, balance_of, heading, names_of, percent_words
from endsight.faces.advice.verdicts import Said, said_of
from endsight.faces.seen_moves import seen_moves, with_news
from endsight.faces.wording import capital, case_text, seen_note
from endsight.game import CHANCE, TOGETHER
from endsight.game.contract import Contract
from endsight.game.numbers import chances_of, count_text
from endsight.game.position import Position, as_text

Node: TypeAlias = "tuple[Position, tuple[Any, ...]]"
OVER = -2
_FINEST = 2**50
"""The largest sum of weights, which the program in the file adds up as floating-point numbers."""
_MOST_DRAWN, _MOST_HIDDEN = 4, 4
"""The most moves of a mixture, and the most possibilities, that a sentence lists."""


@dataclass(frozen=True)
class SceneChoice:
    """A move or outcome: its row, the node that follows, and its weight where the program moves."""

    row: MoveRow
    to: Node
    weight: int


@dataclass(frozen=True)
class NodeScene:
    """One node as it is shown.

    boards   drawn as each player sees it; a single board where all see the same
    seen     what each player has done and seen so far, line by line; empty where all see all moves
    mover    the number of a player, `CHANCE`, or `OVER`
    who      the movers by name, where several choose a move together; else ""
    todo     what the main button says; "" where it has no word for it
    """

    boards: tuple[str, ...]
    seen: tuple[str, ...]
    mover: int
    said: Said
    choices: tuple[SceneChoice, ...]
    heading: str = ""
    todo: str = ""
    balance: Balance | None = None
    who: str = ""


def nodes_at(solution: Solution, position: Position) -> Iterator[Node]:
    """Yield the nodes of a position: itself, then those at which some of the movers have chosen already.

    Players who all play for the first one choose a move of all together.
    """
    parts = [list(own_texts(position, player)) for player in position.movers] if solution.is_mixed(position) else []
    for count in range(max(1, len(parts))):
        for made in product(*parts[:count]):
            yield position, made


class Scenes:
    """The scenes of one solved game; the numbers of an information set are found once."""

    def __init__(self, solution: Solution) -> None:
        self.solution, self.game = solution, solution.game
        self.hides = self.game.gives("sees")
        self._histories, self._contract = Histories(self.game), Contract(self.game)
        self._found: dict[Any, SeenPosition] = {}

    def scene(self, node: Node) -> NodeScene:
        """Return what is shown at a node."""
        position, made = node
        if self.solution.is_mixed(position) and not position.is_over:
            return self._drawn(position, position.movers[len(made)], made)
        if not self.hides or position.is_over:
            return self._open(position)
        return self._hidden_chance(position) if position.mover == CHANCE else self._drawn(position, position.mover, ())

    def _open(self, position: Position) -> NodeScene:
        """Return the scene of a position that everybody sees."""
        solution = self.solution
        reading, rows = moves_of(solution, position)
        said = said_of(solution, position, reading, rows)
        options = solution.options(position) if rows else []
        weights = self._played(position, options)
        played = [row for row, weight in zip(rows, weights, strict=True) if weight and position.mover != CHANCE]
        are_many = position.mover == TOGETHER and not position.is_over
        return NodeScene(
            (self._board(position, marks_of(rows, lambda _: "#")),),
            self._seen(position) if self.hides else (),
            OVER if position.is_over else position.movers[0] if are_many else position.mover,
            said,
            tuple(
                SceneChoice(row, (position.play(option.move), ()), weight)
                for row, option, weight in zip(rows, options, weights, strict=True)
            ),
            heading(reading),
            "Draw a move" if len(played) > 1 else "".join(map(order, played)),
            balance_of(solution, position, reading),
            (position.to_move or "") if are_many else "",
        )

    def _played(self, position: Position, options: Sequence[Option]) -> list[int]:
        """Return the weights with which moves are made: of chance or a mixture, else 1 for what best play makes.

        Of several best moves that is one that leads to the end; a player bound to a policy follows it.
        """
        chances = [option.probability for option in options]
        if all(chance is not None for chance in chances):
            return _weights(chances)
        chosen = self.solution.chosen(position)
        return [int(chosen is None or option.move == chosen) for option in options]

    def _hidden_chance(self, position: Position) -> NodeScene:
        """Return the scene of an outcome of chance that not everybody sees."""
        moves = list(position.moves())
        weights = _weights(chances_of([self._contract.weight(position.state, move) for move in moves]))
        choices = [
            SceneChoice(
                MoveRow(as_text(self.game, "show_move", position.state, move), "plain", (), "", ""),
                (position.play(move), ()),
                weight,
            )
            for move, weight in zip(moves, weights, strict=True)
        ]
        boards = self._boards(position, {}, None)
        return NodeScene(boards, self._seen(position), CHANCE, Said("plain", "Chance moves next."), tuple(choices))

    def _drawn(self, position: Position, player: int, made: tuple[Any, ...]) -> NodeScene:
        """Return the scene of a player whose plan draws the move, as that player sees it."""
        sight = self._seen_by(position, player)
        reading = Reading("score", names_of(self.solution), player, is_random=True)
        rows = drawn_moves(reading, sight.options)
        weights = _weights([option.probability for option in sight.options])
        choices = [
            SceneChoice(row, self._after(position, (*made, option.move)), weight)
            for row, option, weight in zip(rows, sight.options, weights, strict=True)
        ]
        boards = self._boards(position, marks_of(rows, lambda _: "#"), player)
        said = Said("plain", _instruction(sight.options), " ".join(_reasons(sight, reading)))
        seen = self._seen(position)
        return NodeScene(boards, seen, player, said, tuple(choices), heading(reading), "Draw a move")

    def _after(self, position: Position, made: tuple[Any, ...]) -> Node:
        if len(made) < len(position.movers):
            return position, made
        return position.play(made if position.mover == TOGETHER else made[0]), ()

    def _seen_by(self, position: Position, player: int) -> SeenPosition:
        view = self._histories.at(position).eyes[player].view if self.hides else position.history
        if (player, view) not in self._found:
            self._found[player, view] = self.solution.seen_by(player, position.history)
        return self._found[player, view]

    # ---------------------------------------------------------------- what each player sees

    def _board(self, position: Position, marks: dict[str, Mark]) -> str:
        return board_at(position).html(marks, position.history[-1] if position.history else None)

    def _boards(self, position: Position, marks: dict[str, Mark], mover: int | None) -> tuple[str, ...]:
        """Return the board as each player sees it, with marks on that of the mover; one board where all see all."""
        if not self.hides:
            return (self._board(position, marks),)
        return tuple(
            board_seen(self.game, position.state, player).html(marks if player == mover else {})
            for player in range(len(self.game.player_names))
        )

    def _seen(self, position: Position) -> tuple[str, ...]:
        players = range(len(self.game.player_names))
        return tuple(_lines(seen_moves(position, player)) for player in players)


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    """Write what a player has done and seen, one line each: `sees card 2`, `first: bet, sees said b`."""
    lines = []
    for row in with_news(rows):
        parts = [
            f"{row['player']}: {row['move']}" if row["player"] else "",
            f"sees {row['news']}" if row["news"] else "",
        ]
        lines.append(", ".join(filter(None, parts)))
    return "\n".join(filter(None, lines))


def _weights(chances: Sequence[Fraction | None]) -> list[int]:
    """Return the chances of moves as whole weights, rounded down where their sum would be too fine for the file."""
    unit = min(lcm(*(chance.denominator for chance in chances if chance)), _FINEST)
    return [int((chance or 0) * unit) for chance in chances]


def _instruction(options: Sequence[Option]) -> str:
    """Say how to draw the move: `Play b in 1 of 3 cases, else p`, or with percentages."""
    drawn = [(option.text, option.probability) for option in options if option.probability]
    if len(drawn) == 1:
        return f"{to_do(drawn[0][0])}."
    if len(drawn) > _MOST_DRAWN:
        return f"Draw one of {count_text(len(drawn), 'move')}, with the chances in the table."
    parts = [f"{text} with {percent_words(chance)}" for text, chance in drawn]
    return f"Play {', '.join(parts[:-1])} or {parts[-1]}."


def _reasons(seen: SeenPosition, reading: Reading) -> Iterator[str]:
    if seen.value is not None:
        yield f"{reading.names[reading.viewer]} gets {reading.words(seen.value, reading.viewer)} on average."
    if 1 < len(seen.posterior) <= _MOST_HIDDEN:
        cases = [f"{each.sees.replace('=', ' ')} {case_text(each.probability)}" for each in seen.posterior]
        yield f"{capital(seen.posterior[0].player)} sees {'; '.join(cases)}."
    if seen.told != "plan":
        yield seen_note(seen)
