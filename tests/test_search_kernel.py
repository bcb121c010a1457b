"""The search with a table that forgets, against the oracle: tiny tables, all payoffs, kernels as Python runs them."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

import naive
from amounts import seed_rows
from endsight import CHANCE, Game, Position, solve
from endsight.games import ConnectFour
from interpreted import Refused
from kernel_runs import Search
from ranges import as_range
from thresholds import share_searches_at_once, try_few_random_games

NODES = 48
WIDE = (1 << 60) - 1


class Plain(Game):
    """Two players alternate on a graph; what an end pays stands in a list, so nothing is proven of it."""

    successors: tuple[tuple[int, ...], ...] = ((),) * NODES
    payoffs: tuple[int, ...] = (0,) * NODES
    gains: tuple[tuple[int, ...], ...] = ((),) * NODES
    movers: tuple[int, ...] = (0,) * NODES
    tags: tuple[int, ...] = (0,) * NODES
    seats: int = 2

    class State(NamedTuple):
        number: int

    def players(self) -> int:
        return self.seats

    def limits(self) -> Any:
        return self.State(NODES - 1)

    def start(self) -> Any:
        return self.State(0)

    def moves(self, state: Any) -> Any:
        yield from range(len(self.successors[state.number]))

    def play(self, state: Any, move: int) -> Any:
        return self.State(self.successors[state.number][move])

    def payoff(self, state: Any) -> int:
        return self.payoffs[state.number]


class Decided(Plain):
    """Only won, drawn or lost, as the text proves."""

    def payoff(self, state: Any) -> int:
        pays = self.payoffs[state.number]
        return 1 if pays > 0 else -1 if pays < 0 else 0


class Rewarded(Plain):
    """Moves bring something."""

    def reward(self, state: Any, move: int) -> int:
        return self.gains[state.number][move]


class Told(Plain):
    """The rules say who moves, and pay both."""

    def to_move(self, state: Any) -> int:
        return self.movers[state.number]

    def payoff(self, state: Any) -> tuple[int, int]:
        return self.payoffs[state.number], -self.payoffs[state.number]

    def reward(self, state: Any, move: int) -> tuple[int, int]:
        return self.gains[state.number][move], -self.gains[state.number][move]


class Halves(Plain):
    """Payoffs are fractions."""

    def payoff(self, state: Any) -> Fraction:
        return self.payoffs[state.number] * Fraction(1, 2)


class Tagged(Decided):
    """Keys of two words that have many bits in common."""

    class State(NamedTuple):
        number: int
        tag: int
        other: int

    def limits(self) -> Any:
        return self.State(NODES - 1, WIDE, 1)

    def start(self) -> Any:
        return self.State(0, self.tags[0], 0)

    def play(self, state: Any, move: int) -> Any:
        number = self.successors[state.number][move]
        return self.State(number, self.tags[number], number % 2)


KINDS = (Plain, Decided, Rewarded, Told, Halves, Tagged)


@cache
def random_game(kind: type[Plain], seed: int, *, seats: int = 2, is_cyclic: bool = False) -> Plain:
    """Edges lead on to higher numbers, the last of which are ends; or anywhere."""
    chance = random.Random(seed)
    successors, ends = [], chance.randrange(4, 14)
    for node in range(NODES):
        first, stop = (0, NODES) if is_cyclic else (node + 1, min(NODES, node + 9))
        width = 0 if node >= NODES - ends else chance.randrange(0 if node else 1, 5)
        successors.append(tuple(chance.randrange(first, stop) for _ in range(width)))
    tags = tuple(chance.choice((0, 1, 1 << 59, WIDE)) for _ in range(NODES))
    payoffs = tuple(chance.choice((-7, -2, -1, 0, 0, 1, 2, 5)) for _ in range(NODES))
    gains = tuple(tuple(chance.randrange(-3, 4) for _ in edges) for edges in successors)
    movers = tuple(chance.randrange(2) for _ in range(NODES))
    return kind(tuple(successors), payoffs, gains, movers, tags, seats)


def test_a_search_that_has_not_begun_would_try_no_move_first() -> None:
    """Somebody may ask for a line while moves are still tried in games at random."""
    game = ConnectFour(width=4, height=4)
    assert Search(game).tried_first(game.position()) is None


@cache
def oracle(game: Plain) -> Any:
    """The values of the mover and the other, or of the one player."""
    right = naive.Recursion(game).value()
    return right[::-1] if game.gives("to_move") and game.movers[0] == 1 else right


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("buckets", [1, 4, None])
@pytest.mark.parametrize("seeds", seed_rows(40, 5))
def test_values_agree_with_the_oracle(kind: type[Plain], buckets: int | None, seeds: range) -> None:
    for seed in seeds:
        game = random_game(kind, seed)
        searcher = Search(game, buckets)
        assert searcher.values(game.position()) == oracle(game), (kind, seed)
        assert searcher.is_full or buckets is None


@pytest.mark.parametrize("kind", [Plain, Rewarded])
@pytest.mark.parametrize("seeds", seed_rows(40, 5))
def test_one_player(kind: type[Plain], seeds: range) -> None:
    for seed in seeds:
        game = random_game(kind, seed, seats=1)
        assert Search(game).values(game.position()) == oracle(game), (kind, seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parts", [0, 1 << 11])
def test_kernels_as_python_runs_them(kind: type[Plain], parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    try_few_random_games(monkeypatch, 40, parts)
    for seed in range(2):
        game = random_game(kind, seed)
        runs = [Search(game, 2, is_plain=is_plain) for is_plain in (False, True)]
        found = [(each.values(game.position()), each.left) for each in runs]
        assert found[0] == found[1]


@pytest.fixture
def _is_shared_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads search from the first position on, and look often at what others have settled."""
    share_searches_at_once(monkeypatch)


def compare_threads(kind: type[Plain], buckets: int, seeds: range) -> None:
    """All threads write to the same few buckets; one thread, several, and the oracle say the same."""
    for seed in seeds:
        game = random_game(kind, seed)
        runs = [Search(game, buckets, threads=threads) for threads in (1, 2, 3)]
        assert [each.values(game.position()) for each in runs] == [oracle(game)] * 3, (kind, seed)
        assert [each.threads for each in runs] == [1, 2, 3]


@pytest.mark.usefixtures("_is_shared_at_once")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("buckets", [1, 8])
@pytest.mark.parametrize("seeds", seed_rows(300, 3, 1000))
def test_threads_that_share_a_tiny_table_agree_with_the_oracle(kind: type[Plain], buckets: int, seeds: range) -> None:
    compare_threads(kind, buckets, seeds)


@pytest.mark.usefixtures("_is_shared_at_once")
@pytest.mark.parametrize("buckets", [1 << 6, 1 << 12])
def test_threads_pass_by_what_others_search(buckets: int) -> None:
    """Searches that are long enough for that, against the solved table."""
    game = ConnectFour(width=4, height=4)
    solution = solve(game, method="layers")
    for line in ("", "1", "2 3", "4 4 1", "2 2 2"):
        position = game.position(line)
        right = solution.value(position)
        mine = right["first" if position.mover == 0 else "second"]
        searchers = [Search(game, buckets, threads=threads) for threads in (1, 2, 3)]
        assert [each.value(position) for each in searchers] == [mine] * 3


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proven_on_the_way_is_so(kind: type[Plain]) -> None:
    """Bounds of all positions that the table knows, and whether amounts are reached there."""
    for seed in range(10):
        game = random_game(kind, seed)
        searcher = Search(game, 4)
        searcher.values(game.position())
        right = naive.Recursion(game)
        for node in range(NODES):
            state = game.State(node) if len(game.State._fields) == 1 else game.State(node, game.tags[node], node % 2)
            mover = game.to_move(state) if game.gives("to_move") else 0
            position = Position(game, state, mover, (0, 0), ())
            value = right.value_of((state, mover, (0, 0)))[mover]
            proven = searcher.proven(position)
            ends = None if proven is None else as_range(proven[0])
            assert ends is None or ends.lower <= value <= ends.upper
            assert [searcher.reaches(position, mover, value + add) for add in (0, 1)] == [True, False]
            assert [searcher.reaches(position, 1 - mover, -value + add) for add in (0, 1)] == [True, False]


def test_a_stop_may_ask_for_a_guess_at_any_time() -> None:
    """Before anything was learned, after a search, and at the end of a game; nothing of it is counted."""
    game = ConnectFour(width=4, height=4)
    searcher = Search(game, 1 << 6)
    assert searcher.tried_first(game.position()) is None
    value = searcher.value(game.position())
    before = searcher.states
    guesses = []
    for line in ("", "1", "2 3", "1 2 1 2 1", "1 2 1 2 1 2 1"):
        position = game.position(line)
        guesses.append(searcher.tried_first(position))
        assert guesses[-1] is None or guesses[-1] in [position.play(move) for move in position.moves()]
    assert any(guesses)
    assert (guesses[-1], searcher.states) == (None, before)
    assert searcher.value(game.position()) == value


def test_games_at_random_speak_of_the_player_who_moves() -> None:
    """The first of three moves wins whatever comes: it is tried first, and nothing else."""
    successors, payoffs = [(1, 2, 3), (4, 5), (6, 7), (8, 9)], [0] * NODES
    for first, stop in ((4, 10), (10, 22)):
        successors += [(stop + 2 * (node - first), stop + 2 * (node - first) + 1) for node in range(first, stop)]
    successors += [()] * (NODES - len(successors))
    payoffs[22:46] = [1] * 8 + [-1] * 16
    game = Decided(tuple(successors), tuple(payoffs))
    searcher = Search(game, None)
    assert searcher.values(game.position()) == oracle(game) == (1, -1)
    assert searcher.states == 6, "the start, the good move, two replies, and what leads on from each"


def test_games_that_are_not_searched() -> None:
    """Loops are noticed, or the value is right all the same; chance is refused."""
    refused = 0
    for seed in range(60):
        game = random_game(Decided, seed, is_cyclic=True)
        found = Search(game, 2).values(game.position())
        refused += found is None
        assert found is None or found == naive.Sweeps(game).value(), seed
    assert refused > 10
    dice = random_game.__wrapped__(Told, 1)
    object.__setattr__(dice, "movers", (CHANCE, *dice.movers[1:]))
    with pytest.raises(Refused, match="dice or cards"):
        Search(dice).value(dice.position())
