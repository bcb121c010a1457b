"""Layers with a value of every player: states of two words, movers told by the rules, payoffs as tuples."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from endsight import Game, Question
from sharing import check, check_naive


class TwoWords(Game):
    """Three players who do not alternate strictly, 2-word keys, canonical swaps two heaps, tuple rewards."""

    n: int = 6
    players = 3

    class State(NamedTuple):
        a: int
        b: int
        who: int

    def limits(self) -> Any:
        return self.State(1 << 50, 1 << 50, 2)

    def start(self) -> Any:
        return self.State(self.n << 44, (self.n - 1) << 44, 0)

    def to_move(self, s: Any) -> int:
        return s.who

    def canonical(self, s: Any) -> Any:
        return s if s.a >= s.b else self.State(s.b, s.a, s.who)

    def moves(self, s: Any) -> Any:
        for h in range(2):
            left = (s.a if h == 0 else s.b) >> 44
            for k in range(1, 3):
                if k <= left:
                    yield (h, k)

    def play(self, s: Any, m: Any) -> Any:
        h, k = m
        a, b = s.a, s.b
        if h == 0:
            a -= k << 44
        else:
            b -= k << 44
        return self.State(a, b, (s.who + k) % 3)

    def reward(self, s: Any, m: Any) -> Any:
        total = (s.a >> 44) + (s.b >> 44)
        return ((total + m[1]) % 4 - 1, (total * m[1]) % 3, -total % 5)

    def payoff(self, s: Any) -> Any:
        return (s.who, -s.who, 1)


class Turns(Game):
    """Four players in turn without to_move; payoffs by who is last; win shares."""

    n: int = 10
    players = 4

    class State(NamedTuple):
        left: int
        odd: int
        score: int

    def limits(self) -> Any:
        return self.State(self.n, 1, 255)

    def start(self) -> Any:
        return self.State(self.n, 0, 0)

    def moves(self, s: Any) -> Any:
        if s.left:
            yield 1
            if s.left > 1:
                yield 2
            if s.left > 2 and not s.odd:
                yield 3

    def play(self, s: Any, m: Any) -> Any:
        return self.State(s.left - m, m & 1, (s.score * 2 + m) & 255)

    def payoff(self, s: Any) -> Any:
        return (s.score & 3, s.score >> 2 & 3, s.score >> 4 & 3, s.score >> 6)


class TwoTuples(Game):
    """Two in turn without to_move, payoffs sometimes a tuple, sometimes 0."""

    n: int = 12
    players = 2

    class State(NamedTuple):
        left: int
        last: int

    def limits(self) -> Any:
        return self.State(self.n, 3)

    def start(self) -> Any:
        return self.State(self.n, 0)

    def moves(self, s: Any) -> Any:
        for m in range(1, 4):
            if m <= s.left and m != s.last:
                yield m

    def play(self, s: Any, m: Any) -> Any:
        return self.State(s.left - m, m)

    def reward(self, s: Any, m: Any) -> Any:
        return (m, s.left % 3)

    def payoff(self, s: Any) -> Any:
        return (s.left, -2) if s.last != 2 else (0, 0)


@pytest.mark.parametrize(
    "game",
    [TwoWords(), pytest.param(Turns(), marks=pytest.mark.slow), pytest.param(TwoTuples(), marks=pytest.mark.slow)],
    ids=repr,
)
def test_rules_of_other_shapes(game: Game) -> None:
    pays = game.gives("reward")
    for question in (
        Question(),
        Question("cooperative"),
        Question(fixed={game.player_count - 1: "worst"}),
        *([] if pays else [Question(utility="lead"), Question(utility="win")]),
    ):
        check_naive(game, question, check(game, question))
