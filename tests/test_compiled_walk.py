"""The compiled walk through histories gives what the plain walk gives, or says why it cannot; and both are audited."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import endsight as es
from amounts import seed_rows
from endsight import CHANCE, Game, Limits
from endsight.algorithms import compiled_walk
from endsight.algorithms.compiled_walk import compiled_information_sets, rules_of
from endsight.algorithms.information_sets import InformationSets, information_sets
from endsight.algorithms.treeplex import Payoffs
from endsight.algorithms.walk_audit import audited_walk
from endsight.algorithms.walked_sets import walked_sets
from endsight.answers.auditing import WrongAnswer
from endsight.compiler.refusal import CannotCompile
from endsight.engine.kernels.histories import walk_histories
from endsight.errors import LimitReached, NoValue, QuestionError, RulesError
from endsight.game.limits import Budget
from hidden_games import Poker
from kernel_runs import PLAIN, names_of


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


def rows(sets: InformationSets) -> dict[str, Any]:
    """All that a record says, as lists."""
    found: dict[str, Any] = {name: getattr(sets, name) for name in ("scale", "constant", "nodes", "ends")}
    found["payoffs"] = list(sets.payoffs)
    for player, side in enumerate(sets.sides):
        for name in ("parent", "first", "count", "moves", "view", "views"):
            found[f"{name} {player}"] = list(getattr(side, name))
        found[f"sequences {player}"] = side.sequences
    return found


def types(sets: InformationSets) -> set[type]:
    """The types of numbers that a record gives."""
    rows = [*sets.payoffs, *(row for side in sets.sides for row in (side.parent, side.first, side.count, side.view))]
    return {type(number) for row in rows for number in row}


BUILT_IN = [es.load(name) for name in ("leduc:ranks=2", "liarsdice:sides=3", "phantomtictactoe:width=2,line=2")]
"""Fields and views of texts and of tuples of any length among them."""


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.title())
def test_both_walks_find_the_same_in_built_in_games(game: Game) -> None:
    found = walked_sets(game, "compiled")
    assert (found.engine, found.refused) == ("compiled", None)
    assert rows(found.sets) == rows(information_sets(game))


@pytest.mark.parametrize("game", [Poker(), Calls()], ids=lambda game: game.title())
@pytest.mark.parametrize("utility", ["payoff", "win", "lead"])
def test_both_walks_find_the_same(game: Game, utility: Any) -> None:
    compiled = compiled_information_sets(game, Budget(), utility)
    assert rows(compiled) == rows(information_sets(game, utility=utility))
    assert types(compiled) == {int}


@pytest.mark.parametrize("seeds", seed_rows(1_000, 15))
def test_both_walks_find_the_same_in_random_games(seeds: range) -> None:
    for seed in seeds:
        assert rows(compiled_information_sets(Drawn(seed), Budget())) == rows(information_sets(Drawn(seed)))


def test_random_games_are_of_many_kinds() -> None:
    games = [Drawn(seed) for seed in range(100)]
    found = [information_sets(game) for game in games]
    assert sum(len(side) for sets in found for side in sets.sides) > 1000
    assert max(sets.nodes for sets in found) > 200
    assert len({sets.scale for sets in found}) > 30
    assert any(game.noise[game.start().depth] % 3 == 0 for game in games)


@pytest.fixture
def small_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, room in (("VIEWS", 8), ("SETS", 2), ("SEQUENCES", 4), ("SLOTS", 4), ("CHILDREN", 2), ("DEPTH", 2)):
        monkeypatch.setattr(compiled_walk, f"_{name}", room)


@pytest.mark.usefixtures("small_arrays")
@pytest.mark.parametrize("game", [Poker(), Drawn(8), Drawn(12)], ids=lambda game: game.title())
def test_arrays_grow(game: Game) -> None:
    assert rows(compiled_information_sets(game, Budget())) == rows(information_sets(game))


def write_move(memory: Any, at: int, move: Any) -> None:
    for word in move if isinstance(move, tuple) else (move,):
        memory[at] = word
        at += 1


def write_share(memory: Any, at: int, share: Any, players: int, site: int) -> int:
    write_move(memory, at, share)
    return int(isinstance(share, tuple))


@pytest.mark.usefixtures("small_arrays")
@pytest.mark.parametrize("seed", range(6))
def test_the_kernel_runs_as_it_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game: Game = Drawn(seed) if seed else Poker()
    rules = rules_of(game)
    program = compiled_walk.walk_program(rules, "payoff")
    asked = {f"rule_{rule}": getattr(game, rule) for rule in ("moves", "play", "payoff", "reward", "weight", "to_move")}
    sees = {f"rule_sees_{player}": lambda s, player=player: flat(game.sees(s, player)) for player in (0, 1)}
    operations = {
        "es_add": lambda a, b, site: a + b, "es_multiply": lambda a, b, site: a * b, "es_bit_length": int.bit_length,
        "es_write_move": write_move, "es_write_share": write_share,
    }  # fmt: skip
    text = "\n\n".join([program.glue, program.constants, program.kernel])
    plain = names_of(text, State=game.State, **PLAIN, **operations, **asked, **sees)[walk_histories.__name__]

    def run(*records: Any) -> int:
        """The kernel on lists of Python's numbers, which are written back."""
        given = [[each.tolist() if hasattr(each, "tolist") else each for each in fields(record)] for record in records]
        pairs = list(zip(records, given, strict=True))
        code: int = plain(*(type(record)(*own) if isinstance(record, tuple) else own[0] for record, own in pairs))
        for array, numbers in [pair for record, own in pairs for pair in zip(fields(record), own, strict=True)]:
            if isinstance(array, np.ndarray):
                array[:] = numbers
        return code

    walk = compiled_walk.Walk(rules, Budget(), "payoff")
    walk.kernel = run  # type: ignore[assignment]
    walk.run()
    assert rows(walk.result()) == rows(information_sets(game))


def fields(record: Any) -> tuple[Any, ...]:
    return record if isinstance(record, tuple) else (record,)


def flat(seen: Any) -> tuple[int, ...]:
    """What is seen, word by word."""
    return tuple(word for part in seen for word in flat(part)) if isinstance(seen, tuple) else (int(seen),)


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
    with pytest.raises((CannotCompile, RulesError), match=reason):
        compiled_information_sets(game, Budget())
    if error is not None:
        with pytest.raises(error):
            walked_sets(game, "compiled")
        return
    found = walked_sets(game, "compiled")
    assert (found.engine, reason in str(found.refused)) == ("plain", True)
    assert rows(found.sets) == rows(information_sets(game))


def test_limits_stop_the_compiled_walk() -> None:
    with pytest.raises(LimitReached, match="more than 20 states"):
        compiled_information_sets(Poker(), Budget(Limits(states=20)))


# -------------------------------------------------------------------- which engine, and the audit


def test_small_games_are_walked_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    assert walked_sets(Poker())[1:] == ("plain", None, 0)
    assert walked_sets(Poker(), "compiled")[1:3] == ("compiled", None)
    monkeypatch.setattr("endsight.algorithms.walked_sets._FIRST", 10)
    assert walked_sets(Poker(), "plain").engine == "plain"
    found = walked_sets(Poker())
    assert found.engine == "compiled"
    assert found.audited > 100


def changed(sets: InformationSets, kind: int) -> InformationSets:
    """A record in which something small is wrong."""
    payoffs, (first, second) = sets.payoffs, sets.sides
    amounts = list(payoffs.amounts)
    if kind == 0:
        amounts[5] += 1
    elif kind == 1:
        amounts[0], amounts[1] = amounts[1] + 1, amounts[0]
    elif kind == 2:
        first = replace(first, moves=[(2, 1), *list(first.moves)[1:]])
    elif kind == 3:
        first = replace(first, view=[first.view[1], first.view[0], *list(first.view)[2:]])
    else:
        rows = [row for number, row in enumerate(payoffs) if number != 3]
        return replace(sets, payoffs=Payoffs(*map(list, zip(*rows, strict=True))))
    return replace(sets, sides=(first, second), payoffs=replace(payoffs, amounts=amounts))


@pytest.mark.parametrize("kind", range(5))
def test_the_audit_notices_what_is_wrong(kind: int) -> None:
    game = Poker()
    sets = compiled_information_sets(game, Budget())
    assert audited_walk(game, sets, "payoff", b"", 1).difference is None
    assert audited_walk(game, changed(sets, kind), "payoff", b"", 1).difference is not None


class Suspect(Poker):
    """Kuhn poker whose compiled walk is made wrong below."""


def test_a_wrong_walk_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*asked: Any) -> InformationSets:
        return changed(compiled_information_sets(*asked), 0)

    monkeypatch.setattr("endsight.algorithms.walked_sets.compiled_information_sets", wrong)
    with pytest.warns(WrongAnswer, match="a compiled walk is thrown away"):
        found = walked_sets(Suspect(), "compiled")
    assert (found.engine, "the compiled walk was wrong" in str(found.refused)) == ("plain", True)
    monkeypatch.undo()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "was wrong" in str(walked_sets(Suspect(), "compiled").refused)
