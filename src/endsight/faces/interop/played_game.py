"""One game that is being played: chance is drawn, players are asked one by one, and those who move at once unseen."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from endsight.answers.options import Option
from endsight.answers.seated import made_move, mixed_move
from endsight.answers.seen import own_texts
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.errors import QuestionError
from endsight.faces.interop.numbering import Numbering
from endsight.game import CHANCE, TOGETHER
from endsight.game.exact import is_exact
from endsight.game.position import Position
from endsight.game.question import PERFECT, PolicyRule


class Table:
    """A game from its start on.

    position  where it stands
    chosen    what those have chosen who move at once and wait for the others
    player    the number of the player who chooses next; None where the game is over
    """

    def __init__(self, numbering: Numbering, random: Random) -> None:
        self.numbering, self.random = numbering, random
        self.position: Position = numbering.game.position()
        self.chosen: dict[int, Any] = {}
        self.player: int | None = None
        self._numbered: dict[int, Any] | None = None
        self._draw()

    def numbered(self, player: int) -> dict[int, Any]:
        """What the player may do, by its number; nothing where it is another one's turn."""
        if player != self.player:
            return {}
        if self._numbered is None:
            texts = own_texts(self.position, player)
            self._numbered = {self.numbering.number(text): move for move, text in texts.items()}
        return self._numbered

    def act(self, number: int) -> None:
        """The player whose turn it is does the action of that number; `IllegalMoveError` where it is not legal."""
        player = self.player
        moves = {} if player is None else self.numbered(player)
        move = self.numbering.move(moves, number)
        if player is not None:
            self.choose(player, move)

    def choose(self, player: int, move: Any) -> None:
        """The same with the move itself, or the own part of moves at once; chance is drawn afterwards."""
        if self.position.mover == TOGETHER:
            self.chosen[player] = move
            if len(self.chosen) < len(self.position.movers):
                self._turn()
                return
            move, self.chosen = tuple(self.chosen[each] for each in self.position.movers), {}
        self.position = self.position.play(move)
        self._draw()

    def play_by(self, player: int, way: PolicyRule, solution: Solution | None) -> None:
        """The player's move by a policy, or best play as `solution` knows it."""
        if way == "random":
            self.choose(player, self.random.choice(list(own_texts(self.position, player))))
        elif solution is not None and way == PERFECT:
            ways = dict.fromkeys(self.position.movers, way)
            move = mixed_move(self.position, ways, solution, self.random, self.chosen)
            is_joint = self.position.mover == TOGETHER
            self.choose(player, move[self.position.movers.index(player)] if is_joint else move)
        else:
            self.choose(player, made_move(self.position, way, _unsolved, self.random))

    def totals(self) -> list[Fraction]:
        """What every player has got so far, with the payoff where the game is over."""
        place = self.position
        return list(map(Fraction, place.paid() if place.is_over else place.so_far))

    def _draw(self) -> None:
        while self.position.mover == CHANCE and not self.position.is_over:
            self.position = self.position.play(made_move(self.position, PERFECT, _unsolved, self.random))
        self._turn()

    def _turn(self) -> None:
        """Note whose turn it is; the moves there are numbered when they are asked for."""
        place, self._numbered = self.position, None
        self.player = None if place.is_over else next(each for each in place.movers if each not in self.chosen)


def solved_for(
    numbering: Numbering, ways: list[PolicyRule], *, values: bool, options: dict[str, Any]
) -> Solution | None:
    """The solution that perfect play and values need; None where neither is asked for."""
    return solve(numbering.game, **options) if values or PERFECT in ways else None


def advice(table: Table, player: int, solution: Solution | None) -> dict[str, Any]:
    """What a position is worth to the player whose turn it is, and what each action gives away: by its number."""
    if solution is None or player != table.player:
        return {}
    value, options = _worth(table, player, solution)
    value = Fraction(value) if is_exact(value) else value
    return {"value": value, "regret": {table.numbering.number(option.text): option.regret for option in options}}


def _worth(table: Table, player: int, solution: Solution) -> tuple[Any, list[Option]]:
    place = table.position
    if place.mover == TOGETHER:
        return solution.ends(place)[player], solution.parts(player, place)
    if solution.source.by_history:
        seen = solution.seen_by(player, place.history)
        return None if seen.value is None else seen.value[player], list(seen.options)
    if place.game.gives("sees"):
        raise QuestionError("values here go by what nobody sees", allowed="values=False")
    return solution.ends(place)[player], solution.options(place)


def _unsolved(position: Position) -> Solution:
    raise QuestionError(
        f"best play at {position.text!r} needs a solution", allowed="values=True, or the opponent 'perfect'"
    )
