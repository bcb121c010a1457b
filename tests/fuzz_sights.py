"""Random games whose players see parts of what was done, held against every pure strategy of both players.

    python tests/fuzz_sights.py --count 1500 --seed 1

Moves, chance and moves at once come in a fixed order; each player sees all, half or nothing of each. So there are games
that chance alone plays, that one player decides, or whose players see the same. The oracle walks the rules by itself
and solves the matrix of all pure strategies by a simplex method in fractions. Values under every utility, bounds, the
distribution of best play, what `exploit` says of play at random, and certificates must agree with it; reviews of best
play find no mistake in it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import endsight as es
from endsight import CHANCE, Game
from endsight.errors import QuestionError
from ranges import as_range

TOGETHER = 2
MOST_STRATEGIES = 70
Utilities = tuple[Fraction, Fraction]


class Sights(Game):
    """A fixed number of steps; `told` has what was done in each, as the digits of a number after a leading 1."""

    players = 2
    who: tuple = ()
    wide: tuple = ()
    seen: tuple = ()
    pays: tuple = ()
    gains: tuple = ()
    parts: int = 1

    class State(NamedTuple):
        """How many steps are done, and what was done in them."""

        step: int
        told: int

    def ways(self, step: int) -> int:
        """How many ways there are in a step."""
        return int(self.wide[step] ** (2 if self.who[step] == TOGETHER else 1))

    def limits(self) -> Any:
        most = 1
        for step in range(len(self.who)):
            most *= self.ways(step)
        return self.State(len(self.who), 2 * most)

    def start(self) -> Any:
        return self.State(0, 1)

    def to_move(self, state: Any) -> Any:
        if state.step == len(self.who):
            return 0
        return (0, 1) if self.who[state.step] == TOGETHER else self.who[state.step]

    def moves(self, state: Any) -> Any:
        if state.step == len(self.who):
            return []
        each = range(self.wide[state.step])
        return list(product(each, each)) if self.who[state.step] == TOGETHER else list(each)

    def play(self, state: Any, move: Any) -> Any:
        way = move[0] * self.wide[state.step] + move[1] if self.who[state.step] == TOGETHER else move
        return self.State(state.step + 1, state.told * self.ways(state.step) + way)

    def weight(self, state: Any, move: Any) -> int:
        return 1 + (state.told * 3 + int(move)) % 4

    def reward(self, state: Any, move: Any) -> Any:
        way = move[0] * 7 + move[1] if self.who[state.step] == TOGETHER else move
        return self.gains[(state.told * 5 + way + state.step) % len(self.gains)]

    def payoff(self, state: Any) -> Any:
        first, second = self.pays[state.told % len(self.pays)]
        return Fraction(first, self.parts), Fraction(second, self.parts)

    def sees(self, state: Any, player: int) -> Any:
        shown, told = [], state.told
        for step in reversed(range(state.step)):
            told, way = divmod(told, self.ways(step))
            if self.seen[player][step]:
                shown.append((step, way if self.seen[player][step] == 1 else way % 2))
        return tuple(reversed(shown))


@dataclass(frozen=True)
class Leaf:
    """An end: its chance, what each player did at which information set on the way, and what it is worth to both."""

    chance: Fraction
    done: tuple[tuple, tuple]
    worth: Utilities


def random_game(seed: int) -> tuple[Sights, str]:
    """The game of that number, and what its players are after."""
    draw = random.Random(f"sights {seed}")
    steps, utility = draw.randint(2, 5), draw.choice(("payoff", "payoff", "win", "lead"))
    who = tuple(draw.choice((CHANCE, CHANCE, 0, 0, 1, 1, TOGETHER)) for _ in range(steps))
    wide = tuple(2 if mover == TOGETHER else draw.choice((2, 2, 3)) for mover in who)
    seen = tuple(tuple(draw.choice((0, 1, 1, 2)) for _ in range(steps)) for _ in range(2))

    def pair() -> tuple[int, int]:
        own = draw.randint(-3, 3)
        return own, -own if utility == "payoff" else draw.randint(-3, 3)

    pays = tuple(pair() for _ in range(draw.choice((3, 5, 7, 11, 13))))
    gains = tuple(pair() for _ in range(draw.choice((3, 5, 7)))) if draw.random() < 0.5 else ((0, 0),)
    return Sights(who, wide, seen, pays, gains, draw.choice((1, 1, 2, 3))), utility


# ---------------------------------------------------------------------- what is true


def worth(utility: str, first: Any, second: Any) -> Utilities:
    """What totals are worth to both."""
    if utility == "win":
        own = Fraction((first > second) - (first < second) + 1, 2)
        return own, 1 - own
    return (first, second) if utility == "payoff" else (first - second, second - first)


def leaves(game: Sights, utility: str) -> list[Leaf]:
    """All ends."""
    found = []
    stack: list[Any] = [(game.start(), Fraction(1), ((), ()), (0, 0))]
    while stack:
        state, chance, done, totals = stack.pop()
        if state.step == len(game.who):
            paid = game.payoff(state)
            found.append(Leaf(chance, done, worth(utility, totals[0] + paid[0], totals[1] + paid[1])))
            continue
        mover, moves = game.who[state.step], game.moves(state)
        weights = [game.weight(state, move) if mover == CHANCE else 1 for move in moves]
        for move, weight in zip(moves, weights, strict=True):
            gain = game.reward(state, move)
            after = list(done)
            for player in (0, 1):
                if mover in (player, TOGETHER):
                    own = tuple(way for _, way in done[player])
                    way = move[player] if mover == TOGETHER else move
                    after[player] = (*done[player], ((state.step, game.sees(state, player), own), way))
            likely = chance * Fraction(weight, sum(weights)) if mover == CHANCE else chance
            stack.append((game.play(state, move), likely, tuple(after), (totals[0] + gain[0], totals[1] + gain[1])))
    return found


def strategies(ends: list[Leaf], player: int) -> list[dict]:
    """All pure strategies of a player; none where they are too many."""
    moves: dict[Any, set] = {}
    for end in ends:
        for place, way in end.done[player]:
            moves.setdefault(place, set()).add(way)
    count = 1
    for each in moves.values():
        count *= len(each)
    if count > MOST_STRATEGIES:
        return []
    return [dict(zip(moves, ways, strict=True)) for ways in product(*map(sorted, moves.values()))]


def follows(end: Leaf, player: int, strategy: dict) -> bool:
    """Whether that strategy of the player leads there."""
    return all(strategy[place] == way for place, way in end.done[player])


def matrix_value(matrix: list[list[Fraction]]) -> Fraction:
    """What a matrix game is worth to the row player: simplex method in fractions, with Bland's rule."""
    rows, columns = len(matrix), len(matrix[0])
    shift = min(map(min, matrix)) - 1
    table = [
        [amount - shift for amount in row] + [Fraction(place == other) for other in range(rows)] + [Fraction(1)]
        for place, row in enumerate(matrix)
    ]
    costs = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    basis = [columns + place for place in range(rows)]
    while (entering := next((each for each, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        _, _, place = min(
            (row[-1] / row[entering], basis[each], each) for each, row in enumerate(table) if row[entering] > 0
        )
        pivot = table[place][entering]
        table[place] = [entry / pivot for entry in table[place]]
        basis[place] = entering
        for row in [*(row for each, row in enumerate(table) if each != place), costs]:
            factor = row[entering]
            row[:] = [entry - factor * other for entry, other in zip(row, table[place], strict=True)]
    return 1 / costs[-1] + shift


def best_reply(game: Sights, ends: list[Leaf], player: int, own: list[dict]) -> Fraction:
    """What the best reply to the other's play at random brings."""

    def likely(end: Leaf) -> Fraction:
        for (step, *_), _ in end.done[1 - player]:
            end = Leaf(end.chance / game.wide[step], end.done, end.worth)
        return end.chance

    chances = [likely(end) for end in ends]
    return max(
        sum(c * end.worth[player] for c, end in zip(chances, ends, strict=True) if follows(end, player, each))
        for each in own
    )


# ---------------------------------------------------------------------- what is told


def check(seed: int) -> str:
    """What came of the game of that number; raises `AssertionError` where something is wrong."""
    game, utility = random_game(seed)
    ends = leaves(game, utility)
    first, second = (strategies(ends, player) for player in (0, 1))
    if not first or not second:
        return "too large for the oracle"
    rows = [[end for end in ends if follows(end, 0, each)] for each in first]
    matrix = [
        [sum((end.chance * end.worth[0] for end in row if follows(end, 1, each)), Fraction(0)) for each in second]
        for row in rows
    ]
    value, total = matrix_value(matrix), sum(ends[0].worth)
    solution = es.solve(game, utility=utility)
    assert solution.values() == (value, total - value), (seed, solution.values(), value)
    told = as_range(es.solve(game, utility=utility, interval=True).values()[0])
    assert told.lower <= value <= told.upper, (seed, told, value)
    outcomes = solution.distribution().outcomes
    assert sum(outcomes.values()) == 1, seed
    if utility == "payoff":
        assert sum(amount * chance for amount, chance in outcomes.items()) == value, seed
    check_reviews(game, solution, seed)
    if seed % 5 == 0 and utility == "payoff" and not _is_proven(game, solution):
        return "values without a certificate"
    return _priced(game, utility, ends, (first, second), seed)


def check_reviews(game: Sights, solution: es.Solution, seed: int) -> None:
    """Play by the plans makes no mistake, and is lucky as often as not; wrong play ends with what the game paid."""
    if not solution.source.by_history:
        return  # what all know is another game, whose moves are not those of the rules
    lines = [(game.position(), Fraction(1), False)]
    luck = [Fraction(0)] * 2
    for position, chance, is_wrong in lines:
        for move in position.moves():
            share = solution.chance_of(position, move)
            if share or (seed + len(lines)) % 7 == 0:
                lines.append((position.play(move), chance * share, is_wrong or not share))
        if position.is_over:
            told = es.review(solution, position)
            assert told.final == solution.values(position), (seed, position)
            parts = zip(told.start, told.luck, told.hidden, told.mistakes, told.gifts, told.final, strict=True)
            for player, (start, lucky, unseen, lost, given, final) in enumerate(parts):
                assert start + lucky + unseen - lost + given == final, (seed, position)
                assert is_wrong or not lost, (seed, position, "best play makes no mistake")
                assert lost >= 0, (seed, position)
                luck[player] += chance * (lucky + unseen)
    assert luck == [0, 0], (seed, luck)


def _is_proven(game: Sights, solution: es.Solution) -> bool:
    """Whether there is a certificate; raises where it does not hold."""
    try:
        certificate = es.prove(solution)
    except QuestionError:
        return False  # as where what nobody saw is counted, or chance alone is left
    es.verify(certificate, game)
    return True


def _priced(game: Sights, utility: str, ends: list[Leaf], own: tuple[list[dict], list[dict]], seed: int) -> str:
    """Hold `exploit` of play at random against the best replies."""
    try:
        entries = es.exploit(game, "random", utility=utility).players
    except QuestionError:
        return "values alone"  # where all see the same, not every utility is one of beliefs
    assert {entry.against for entry in entries} == {"best reply"}, (seed, "all games have a constant sum")
    for entry in entries:
        player = game.player_names.index(entry.player)
        lost = best_reply(game, ends, 1 - player, own[1 - player])
        assert entry.brings == sum(ends[0].worth) - lost, (seed, entry)
    return "values and replies"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    first = options.seed * 1_000_000
    found = Counter(map(check, range(first, first + options.count)))
    print(f"{options.count} games, seed {options.seed}: {dict(found)}, 0 wrong")


if __name__ == "__main__":
    sys.exit(main())
