"""The compiled walk through histories gives what the plain walk gives, or says why it cannot; and both are audited."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import endsight as es
import thresholds
from amounts import seed_rows, seeds
from endsight import CHANCE, Game, Limits
from endsight.errors import LimitReached, NoValue, QuestionError, RulesError
from hidden_games import Poker
from hidden_walks import (
    MISTAKES,
    by_compiled_rules,
    by_python,
    by_the_kernel_as_it_is,
    compiled_walks_go_wrong,
    record_of,
    told_by_audit,
)
from interpreted import Refused


class Drawn(Game):
    """A random tree of up to six plies: who moves, ends, payoffs, weights, gains and what is seen are drawn.

    Players see some of the digits of the path, and the depth where `noise` says so. The numbers are data, so that all
    these games share one machine code.
    """

    seed: int = 0

    class State(NamedTuple):
        path: int
        depth: int

    def setup(self) -> None:
        drawn = random.Random(self.seed)
        self.noise = tuple(drawn.randrange(1 << 16) for _ in range(1024))

    def start(self) -> State:
        return self.State(0, 0)

    def limits(self) -> State:
        return self.State(4**6, 6)

    def at(self, s: State, salt: int) -> int:
        return self.noise[(s.path * 31 + s.depth * 7 + salt * 101) % 1024]

    def to_move(self, s: State) -> int:
        return self.noise[s.depth] % 3 - 1

    def moves(self, s: State) -> Iterator[int]:
        if s.depth < 3 + self.at(s, 1) % 4:
            yield from range(2 + (self.noise[s.depth + 10] % 2 if self.noise[20] % 2 else 0))

    def weight(self, s: State, m: int) -> int:
        return 1 + self.at(s, m + 2) % 7

    def play(self, s: State, m: int) -> State:
        return self.State(4 * s.path + m, s.depth + 1)

    def reward(self, s: State, m: int) -> tuple[int, int]:
        gain = self.at(s, m + 10) % 5 - 2 if self.noise[21] % 2 else 0
        return (gain, -gain)

    def payoff(self, s: State) -> tuple[int, int]:
        gain = self.at(s, 20) % 9 - 4
        return (gain, 3 - gain)

    def code(self, s: State, player: int) -> int:
        found = 0
        for ply in range(s.depth):
            seen = self.noise[30 + 2 * ply + player] % 2
            found = 5 * found + ((s.path >> 2 * (s.depth - 1 - ply)) % 4 + 1 if seen else 0)
        return found

    def sees(self, s: State, player: int) -> Any:
        time = s.depth if self.noise[20] % 2 else 0
        return (time, self.code(s, 0)) if player == 0 else ((self.code(s, 1), time), s.depth == 0)


class Calls(Game):
    """Players who take turns; texts as moves and as what is seen; fractions; numbers alone as payoffs."""

    class State(NamedTuple):
        told: int
        turn: int

    def start(self) -> State:
        return self.State(0, 0)

    def limits(self) -> State:
        return self.State(100, 4)

    def moves(self, s: State) -> Iterator[str]:
        if s.turn < 3:
            yield "low"
            yield "high"

    def play(self, s: State, m: str) -> State:
        return self.State(3 * s.told + (1 if m == "low" else 2), s.turn + 1)

    def reward(self, s: State, m: str) -> Fraction | int:
        return Fraction(1, 3) if m == "low" else 0

    def payoff(self, s: State) -> Fraction:
        return Fraction(s.told, 2)

    def sees(self, s: State, player: int) -> tuple[str, int]:
        return ("even" if s.told % 2 == 0 else "odd", s.turn)


BUILT_IN = [es.load(name) for name in ("leduc:ranks=2", "liarsdice:sides=3", "phantomtictactoe:width=2,line=2")]
"""Fields and views of texts and of tuples of any length among them."""


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.title())
def test_both_walks_find_the_same_in_built_in_games(game: Game) -> None:
    solution = es.solve(game, engine="compiled")
    assert (solution.source.engine, solution.source.refusal) == ("compiled", None)
    assert record_of(solution) == by_python(game)


@pytest.mark.parametrize("game", [Poker(), Calls()], ids=lambda game: game.title())
@pytest.mark.parametrize("utility", ["payoff", "win", "lead"])
def test_both_walks_find_the_same(game: Game, utility: Any) -> None:
    compiled = by_compiled_rules(game, utility)
    assert compiled == by_python(game, utility)
    rows = [compiled[f"{name} {player}"] for name in ("parent", "first", "count", "view") for player in (0, 1)]
    assert {type(number) for row in [*compiled["payoffs"], *rows] for number in row} == {int}


@pytest.mark.parametrize("seeds", seed_rows(1_000, 8))
def test_both_walks_find_the_same_in_random_games(seeds: range) -> None:
    for seed in seeds:
        assert by_compiled_rules(Drawn(seed)) == by_python(Drawn(seed))


def test_random_games_are_of_many_kinds() -> None:
    games = [Drawn(seed) for seed in range(100)]
    found = [by_python(game) for game in games]
    assert sum(len(each[f"parent {player}"]) for each in found for player in (0, 1)) > 1000
    assert max(each["nodes"] for each in found) > 200
    assert len({each["scale"] for each in found}) > 30
    assert any(game.noise[game.start().depth] % 3 == 0 for game in games)


@pytest.mark.parametrize("game", [Poker(), Drawn(8), Drawn(12)], ids=lambda game: game.title())
def test_arrays_grow(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.walk_in_small_tables(monkeypatch)
    assert by_compiled_rules(game) == by_python(game)


@pytest.mark.parametrize("seed", seeds(6, 2))
def test_the_kernel_runs_as_it_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.walk_in_small_tables(monkeypatch)
    game: Game = Drawn(seed) if seed else Poker()
    assert by_the_kernel_as_it_is(game) == by_python(game)


# -------------------------------------------------------------------- what is refused


class Other(Poker):
    """Kuhn poker in which something is wrong, or not for machine code."""

    def usual(self, s: Any) -> Iterator[int]:
        if s.second == 0:
            yield from (card for card in range(1, self.cards + 1) if card != s.first)
        elif s.told in (0, 1, 2, 5):
            yield from (1, 2)

    def moves(self, s: Any) -> Iterator[Any]:
        yield from self.usual(s)


class Looping(Other):
    def limits(self) -> Any:
        return self.State(3, 3, 80)

    def play(self, s: Any, m: int) -> Any:
        return self.start() if s.told == 1 else super().play(s, m)


class Telling(Other):
    """A high card may do something more."""

    def moves(self, s: Any) -> Iterator[int]:
        yield from self.usual(s)
        if s.told == 1 and s.first == 3:
            yield 3

    def payoff(self, s: Any) -> tuple[int, int]:
        return (0, 0) if s.told == 6 else super().payoff(s)


class Turned(Other):
    """The order of moves depends on what is hidden; the sets are the same for all that."""

    def moves(self, s: Any) -> Iterator[int]:
        if s.told == 1 and s.first == 3:
            yield from (2, 1)
        else:
            yield from self.usual(s)


class Twice(Other):
    def moves(self, s: Any) -> Iterator[int]:
        yield from self.usual(s)
        if s.told == 1:
            yield 2


class Uneven(Other):
    def payoff(self, s: Any) -> tuple[int, int]:
        return (super().payoff(s)[0], 0)


class Heavy(Other):
    """Chances beyond machine words."""

    def weight(self, s: Any, m: int) -> int:
        return 3**38 + m


class Sets(Other):
    def sees(self, s: Any, player: int) -> Any:
        return [s.told, s[player]]


class Beyond(Other):
    def limits(self) -> Any:
        return self.State(3, 3, 16)


class Together(Other):
    def to_move(self, s: Any) -> Any:
        return CHANCE if s.second == 0 else (0, 1)

    def moves(self, s: Any) -> Iterator[Any]:
        if s.second == 0:
            yield from self.usual(s)
        elif s.told == 0:
            yield from ((1, 1), (1, 2), (2, 1), (2, 2))

    def play(self, s: Any, m: Any) -> Any:
        return super().play(s, m) if s.second == 0 else s._replace(told=1 + 2 * m[0] + m[1])

    def payoff(self, s: Any) -> tuple[int, int]:
        return (s.told * s.first, -s.told * s.first)


@pytest.mark.parametrize(
    ("game", "reason", "error"),
    [
        (Looping(), "play can come back", NoValue),
        (Telling(), "an information set has different moves", RulesError),
        (Turned(), "in another order", None),
        (Twice(), "one move twice", None),
        (Uneven(), "payoffs are not opposed", QuestionError),
        (Heavy(), "does not fit a machine word", None),
        (Sets(), "sees gives a list", RulesError),
        (Beyond(), "limits", RulesError),
        (Together(), "a whole number and a tuple", None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_compiled_rules_refuse_is_told_by_the_plain_walk(
    game: Game, reason: str, error: type[Exception] | None
) -> None:
    with pytest.raises((Refused, RulesError), match=reason):
        by_compiled_rules(game)
    if error is not None:
        with pytest.raises(error):
            es.solve(game, engine="compiled")
        return
    found = es.solve(game, engine="compiled")
    assert (found.source.engine, reason in str(found.source.refusal)) == ("plain", True)
    assert record_of(found) == by_python(game)


def test_limits_stop_the_compiled_walk() -> None:
    with pytest.raises(LimitReached, match="more than 20 states"):
        by_compiled_rules(Poker(), limits=Limits(states=20))


# -------------------------------------------------------------------- which engine, and the audit


def walked(game: Game, engine: Any = "auto") -> tuple[str, str | None, int]:
    """The engine, why it is not the compiled one, and how many histories were checked."""
    source = es.solve(game, engine=engine).source
    return source.engine, source.refusal, source.audited


def test_small_games_are_walked_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    assert walked(Poker()) == ("plain", None, 0)
    assert walked(Poker(), "compiled")[:2] == ("compiled", None)
    thresholds.walk_small_games_compiled(monkeypatch)
    assert walked(Poker(), "plain") == ("plain", None, 0)
    engine, _, audited = walked(Poker())
    assert engine == "compiled"
    assert audited > 100


@pytest.mark.parametrize("mistake", [None, *MISTAKES])
def test_the_audit_notices_what_is_wrong_alone(mistake: str | None) -> None:
    assert (told_by_audit(Poker(), mistake) is None) == (mistake is None)


class Suspect(Poker):
    """Kuhn poker whose compiled walk is made wrong below."""


def test_a_wrong_walk_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled_walks_go_wrong(monkeypatch)
    with pytest.warns(UserWarning, match="a compiled walk is thrown away"):
        engine, refused, _ = walked(Suspect(), "compiled")
    assert (engine, "the compiled walk was wrong" in str(refused)) == ("plain", True)
    monkeypatch.undo()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "was wrong" in str(walked(Suspect(), "compiled")[1])
