"""Estimates from random games where nothing is proven in time: guesses, and never an answer.

Monte-Carlo tree search with upper confidence bounds (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006):
every game goes down the tree by moves that are promising or rarely tried, adds one node, and ends at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import Any

from endsight.answers.seated import drawn
from endsight.game import CHANCE, next_mover, shares
from endsight.game.exact import Number
from endsight.game.limits import CLOCK
from endsight.game.position import Position
from endsight.game.question import Question, utility_of

GAMES = 6_000
_LONGEST = 2_000
"""Moves after which a random game is stopped and counted as it stands."""


class _Node:
    """The number of games through a node, their payoffs to every player, and the nodes after each move tried."""

    __slots__ = ("children", "sums", "visits")

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.sums = [0.0] * players
        self.children: dict[int, _Node] = {}


@dataclass(frozen=True)
class Guess:
    """The evidence of random games about a move.

    move      as the rules give it
    games     how many games took it: the more, the better it looked
    brought   their mean payoff to its player; None where there were none
    is_share  whether every game paid -1, 0 or 1, so that (`brought` + 1) / 2 is a share of wins, draws counted half
    """

    move: Any
    games: int
    brought: float | None
    is_share: bool


def guesses(
    position: Position, question: Question, seconds: float = 1.0, random: Random | None = None, games: int = GAMES
) -> list[Guess]:
    """Every move, in the order of the rules, with the results of up to `games` games or those played in `seconds`.

    Where chance or several players move, and for players with a fixed policy, moves are drawn as if by chance.
    """
    moves = list(position.moves())
    search = _Search(position, question, random or Random())
    until = CLOCK.now() + seconds
    for played in range(games if len(moves) > 1 else 0):
        if played >= 2 * len(moves) and CLOCK.now() >= until:
            break
        search.play_one()
    nodes = [search.root.children.get(number) for number in range(len(moves))]
    mover, is_share = position.mover, search.only_results and position.game.player_count == 2
    return [
        Guess(move, 0, None, is_share)
        if node is None
        else Guess(move, node.visits, node.sums[mover] / node.visits if mover >= 0 else None, is_share)
        for move, node in zip(moves, nodes, strict=True)
    ]


def best_guess(
    position: Position, question: Question, seconds: float = 1.0, random: Random | None = None, games: int = GAMES
) -> Any:
    """The move that most games took, the first of equals. There must be a legal move."""
    candidates = guesses(position, question, seconds, random, games)
    return max(candidates, key=lambda guess: guess.games).move


class _Search:
    """The tree, and the lowest and highest payoff of any game to any player: the scale for what is promising."""

    def __init__(self, position: Position, question: Question, random: Random) -> None:
        self.position, self.game, self.question, self.random = position, position.game, question, random
        self.root = _Node(self.game.player_count)
        self.low, self.high = 0.0, 0.0
        self.only_results = True

    def play_one(self) -> None:
        """Play one game: select, expand, play out, and update every node on the way."""
        state, mover = self.position.state, self.position.mover
        totals, path, node = list(self.position.so_far), [self.root], self.root
        factor: Number = 1
        is_inside = True
        for _ in range(_LONGEST):
            moves = list(self.game.moves(state))
            if not moves:
                self.add(totals, factor, "payoff", mover, state)
                break
            number = self.choice(node, moves, state, mover) if is_inside else self.any_move(moves, state, mover)
            if self.game.gives("reward"):
                self.add(totals, factor, "reward", mover, state, moves[number])
            if is_inside:
                is_inside = number in node.children
                node = node.children.setdefault(number, _Node(len(totals)))
                path.append(node)
            factor *= self.game.discount if mover != CHANCE else 1
            state = self.game.play(state, moves[number])
            mover = next_mover(self.game, state, mover)
        self.count(path, totals)

    def add(self, totals: list[Number], factor: Number, rule: str, *paid: Any) -> None:
        """Add what the rule `payoff` or `reward` pays, times a factor, to every player's total so far."""
        gains = shares(self.game, rule, *paid)
        totals[:] = [total + factor * gain for total, gain in zip(totals, gains, strict=True)]

    def choice(self, node: _Node, moves: Sequence[Any], state: Any, mover: int) -> int:
        """The number of the move to follow: an untried one, else the one with the highest upper bound."""
        if mover < 0 or mover in self.question.fixed:
            return self.any_move(moves, state, mover)
        fresh = [number for number in range(len(moves)) if number not in node.children]
        if fresh:
            return self.random.choice(fresh)
        width = (self.high - self.low) or 1.0
        spread = width * sqrt(2 * log(node.visits))

        def bound(number: int) -> float:
            child = node.children[number]
            return child.sums[mover] / child.visits + spread / sqrt(child.visits)

        return max(node.children, key=bound)

    def any_move(self, moves: Sequence[Any], state: Any, mover: int) -> int:
        """The number of a random move, drawn by weight where it is an outcome of chance."""
        if mover == CHANCE:
            return drawn([self.game.weight(state, move) for move in moves], self.random)
        return self.random.randrange(len(moves))

    def count(self, path: Sequence[_Node], totals: Sequence[Number]) -> None:
        """Count a game for every node on its path."""
        worth = tuple(totals) if len(totals) == 1 else utility_of(tuple(totals), self.question.utility)
        if self.question.objective == "cooperative":
            worth = (sum(worth),) * len(worth)
        amounts = list(map(float, worth))
        self.low, self.high = min(self.low, *amounts), max(self.high, *amounts)
        self.only_results = self.only_results and {-1, 0, 1}.issuperset(worth)
        for node in path:
            node.visits += 1
            node.sums = [total + own for total, own in zip(node.sums, amounts, strict=True)]
