"""One game in progress: chance is drawn, players choose one by one, and players who move at once do so unseen."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from endsight.algorithms.histories import Histories, History, SeenSoFar
from endsight.answers.options import Option
from endsight.answers.plans import by_policy
from endsight.answers.seated import drawn, made_move, mixed_move
from endsight.answers.seen import own_texts
from endsight.answers.solution import Solution
from endsight.errors import QuestionError
from endsight.faces.interop.numbering import Numbering
from endsight.game import CHANCE, TOGETHER
from endsight.game.exact import is_exact
from endsight.game.position import Position
from endsight.game.question import PERFECT, PolicyRule


class PlayedGame:
    """A game from its start.

    position  the current position
    chosen    choices of players who move at once and wait for the others
    player    the number of the player who chooses next; None once the game is over
    """

    def __init__(self, numbering: Numbering, random: Random) -> None:
        self.numbering, self.random = numbering, random
        self.position: Position = numbering.game.position()
        self.chosen: dict[int, Any] = {}
        self.player: int | None = None
        self._numbered: dict[int, Any] | None = None
        self._draw()

    def numbered(self, player: int) -> dict[int, Any]:
        """Return the player's legal actions, by number; empty on another player's turn."""
        if player != self.player:
            return {}
        if self._numbered is None:
            texts = own_texts(self.position, player)
            self._numbered = {self.numbering.number(text): move for move, text in texts.items()}
        return self._numbered

    def act(self, number: int) -> None:
        """Make the move of that number for the player whose turn it is; raise `IllegalMoveError` if it is not legal."""
        player = self.player
        moves = {} if player is None else self.numbered(player)
        move = self.numbering.move(moves, number)
        if player is not None:
            self.choose(player, move)

    def choose(self, player: int, move: Any) -> None:
        """Make the player's move, or own part of moves at once; then draw any outcomes of chance."""
        if self.position.mover == TOGETHER:
            self.chosen[player] = move
            if len(self.chosen) < len(self.position.movers):
                self._turn()
                return
            move, self.chosen = tuple(self.chosen[each] for each in self.position.movers), {}
        self.position = self.position.play(move)
        self._draw()

    def play_by(self, player: int, way: PolicyRule, solution: Solution | None) -> None:
        """Make the player's move by a policy, or best play by `solution`."""
        if way == "random":
            self.choose(player, self.random.choice(list(own_texts(self.position, player))))
        elif solution is not None and way == PERFECT:
            ways = dict.fromkeys(self.position.movers, way)
            move = mixed_move(self.position, ways, solution, self.random, self.chosen)
            is_joint = self.position.mover == TOGETHER
            self.choose(player, move[self.position.movers.index(player)] if is_joint else move)
        elif way != PERFECT and (self.position.mover == TOGETHER or self.position.game.gives("sees")):
            self.choose(player, self._seen_move(player, way))
        else:
            self.choose(player, made_move(self.position, way, _unsolved, self.random))

    def _seen_move(self, player: int, way: PolicyRule) -> Any:
        """The player's own move by a policy that knows what the player sees."""
        place, game = self.position, self.position.game
        eyes = tuple(SeenSoFar(0, game.sees(place.state, each)) for each in range(game.player_count))
        weights = Histories(game).shares(History(place, eyes), player, by_policy(game, way))
        return list(weights)[drawn(list(weights.values()), self.random)]

    def totals(self) -> list[Fraction]:
        """Return every player's gain so far, including the payoff once the game is over."""
        place = self.position
        return list(map(Fraction, place.paid() if place.is_over else place.so_far))

    def _draw(self) -> None:
        while self.position.mover == CHANCE and not self.position.is_over:
            self.position = self.position.play(made_move(self.position, PERFECT, _unsolved, self.random))
        self._turn()

    def _turn(self) -> None:
        """Set the player whose turn it is; their moves are numbered on demand."""
        place, self._numbered = self.position, None
        self.player = None if place.is_over else next(each for each in place.movers if each not in self.chosen)


def advice(table: PlayedGame, player: int, solution: Solution | None) -> dict[str, Any]:
    """Return the value for the player whose turn it is, and by number what each action gives away."""
    if solution is None or player != table.player:
        return {}
    value, options = _worth(table, player, solution)
    value = Fraction(value) if is_exact(value) else value
    return {"value": value, "regret": {table.numbering.number(option.text): option.regret for option in options}}


def _worth(table: PlayedGame, player: int, solution: Solution) -> tuple[Any, list[Option]]:
    place = table.position
    if place.mover == TOGETHER:
        return solution.ends(place)[player], solution.parts(player, place)
    if solution.source.by_history:
        seen = solution.seen_by(player, place.history)
        return None if seen.value is None else seen.value[player], list(seen.options)
    if place.game.gives("sees"):
        raise QuestionError("values here depend on what nobody sees", allowed="values=False")
    return solution.ends(place)[player], solution.options(place)


def _unsolved(position: Position) -> Solution:
    raise QuestionError(
        f"best play at {position.text!r} needs a solution", allowed="values=True, or the opponent 'perfect'"
    )
