"""What both engines are held against before compiled rules are trusted, and how long slow rules may take for it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight.errors import RulesError
from test_auditing import WRONG
from test_compiler_engine import PRODUCT, Ladder
from thresholds import compare_for_long, compile_games_of_slow_rules_early
from wrong_answers import compiled_as, difference_at, is_compared_with, played

GAME = es.games.Nim(heaps=(3, 4, 5))


def refused(game: es.Game, wrong: es.Game, patch: pytest.MonkeyPatch, method: Any = "graph") -> str:
    """Why a game is left to Python whose rules are compiled as those of another one."""
    compiled_as(patch, wrong, compared=True)
    compare_for_long(patch)
    solution = es.solve(game, engine="compiled", method=method)
    assert (solution.source.engine, solution.source.audited) == ("plain", 0)
    return str(solution.source.refusal)


@pytest.mark.parametrize("rule", WRONG)
def test_a_difference_in_a_rule_is_said(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = (type(game)(plies=40) if hasattr(game, "plies") else game for game in WRONG[rule])
    said = refused(right, wrong, monkeypatch)
    assert said.startswith(f"both engines were compared, and they differ: compiled, the rule '{rule}' says something")


class Long(es.Game):
    """A game of 150 plies in which nothing but the last three is of any interest."""

    wrong: str = ""

    class State(NamedTuple):
        plies: int
        side: int

    def limits(self) -> Any:
        return self.State(150, 96)

    def start(self) -> Any:
        return self.State(0, 0)

    def late(self, state: Any) -> bool:
        return state.plies >= 148

    def moves(self, state: Any) -> Any:
        if self.wrong == "few" and state.plies > 2:
            return
        if state.plies < 150:
            if self.wrong == "order" and self.late(state):
                yield 1
                yield 0
                yield 2
            else:
                yield from range(3 - int(self.wrong == "moves" and self.late(state)))

    def play(self, state: Any, move: int) -> Any:
        return self.State(
            state.plies + 1, (2 * state.side + move + int(self.wrong == "play" and self.late(state))) % 97
        )

    def payoff(self, state: Any) -> int:
        return state.side % 3 - 1 + int(self.wrong == "payoff")


@pytest.mark.parametrize("rule", ["payoff", "moves", "play", "order"])
def test_a_difference_in_the_last_plies_of_a_long_game_is_seen(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = refused(Long(), Long(wrong=rule), monkeypatch, "layers")
    said_of = "moves" if rule == "order" else rule
    assert f"they differ: compiled, the rule '{said_of}' says something else at State(plies=1" in said


def test_fewer_positions_are_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(Long(), Long(wrong="few"), monkeypatch).endswith("says something else: not as many positions")


def test_what_was_explored_is_used_where_its_nodes_are_the_same() -> None:
    assert is_compared_with(GAME, symmetry=False)
    assert not is_compared_with(GAME, symmetry=True)
    assert not is_compared_with(GAME, symmetry=False, tracks_mover=True)


def test_games_are_played_to_their_end() -> None:
    places = played(Long())
    plies = [state.plies for state in places]
    assert len(set(places)) == len(places)
    assert set(plies) == set(range(151))
    games = plies.count(150)
    assert games >= 2
    assert plies[:games] == [150] * games
    over = GAME.position("1:3 2:4 3:5")
    assert played(GAME, over) == [over.state]


class Broken(es.games.Nim):
    """Rules that fail where few objects are left."""

    def payoff(self, state: Any) -> int:
        if state.packed == 0:
            raise ValueError("nobody thought of that")
        return 0


def test_rules_that_fail_in_python_alone_are_a_difference() -> None:
    broken, start, end = Broken(heaps=(3, 4, 5)), GAME.start(), GAME.position("1:3 2:4 3:5").state
    assert difference_at(GAME, [end, start]) is None
    assert difference_at(broken, [start], compiled=GAME) is None
    assert "nobody thought of that" in str(difference_at(broken, [start, end], compiled=GAME))


def test_where_compiled_rules_stop_nothing_is_said() -> None:
    game = Ladder(PRODUCT)
    assert difference_at(game, [game.State(17, 0, PRODUCT), game.State(5001, 0, PRODUCT)]) is None


def test_rules_that_fail_later_are_left_to_the_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they would not fail, compiled."""
    game = Broken(heaps=(3, 4, 5))
    assert game.State(0) in played(game)
    compiled_as(monkeypatch, GAME, compared=True)
    for engine in ("plain", "compiled"):
        with pytest.raises(RulesError, match="nobody thought of that"):
            es.solve(game, engine=engine)


def test_slow_rules_are_compiled_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where chance decides, nothing but the number of moves counts."""
    game, dice = Long(), es.games.PigTurn()
    plain = es.solve(game)
    assert (plain.method, plain.source.engine) == ("backward induction", "plain")
    compile_games_of_slow_rules_early(monkeypatch)
    solution = es.solve(game)
    assert (solution.method, solution.source.engine) == ("layers", "compiled")
    assert (solution.values(), solution.distance()) == (plain.values(), plain.distance())
    assert es.solve(dice).source.engine == "plain"
