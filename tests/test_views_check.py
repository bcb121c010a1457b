"""`endsight check` on what players see: promises that rules break, by name, and facts about views."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest

import endsight as es
from command_line import run
from endsight import CHANCE, Game, check_rules
from endsight.board import Board, Panel
from endsight.errors import NoValue, QuestionError, RulesError
from hidden_games import walk
from small_instances import HIDDEN


class Guess(Game):
    """Chance draws a card that the first player sees; then the first and the second call a number."""

    cards: int = 2

    class State(NamedTuple):
        card: int
        first: int
        second: int

    def limits(self) -> State:
        return self.State(self.cards, 2, 2)

    def start(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> Any:
        return CHANCE if not state.card else 0 if not state.first else 1

    def moves(self, state: State) -> Iterator[Any]:
        if not state.card:
            yield from range(1, self.cards + 1)
        elif not state.second:
            yield from (1, 2)

    def play(self, state: State, move: Any) -> State:
        if not state.card:
            return state._replace(card=move)
        return state._replace(first=move) if not state.first else state._replace(second=move)

    def payoff(self, state: State) -> Any:
        gain = 1 if state.second == state.card else -1
        return (-gain, gain)

    def sees(self, state: State, player: int) -> Any:
        return (0 if player else state.card, state.first)


class FloatSeen(Guess):
    def sees(self, state: Any, player: int) -> Any:
        return state.card / 2


class ListSeen(Guess):
    def sees(self, state: Any, player: int) -> Any:
        return [state.card]


class NaNSeen(Guess):
    def sees(self, state: Any, player: int) -> Any:
        return (float("nan"),)


class ObjectSeen(Guess):
    def sees(self, state: Any, player: int) -> Any:
        return (object,)


class Changing(Guess):
    asked: ClassVar[list[int]] = [0]

    def sees(self, state: Any, player: int) -> Any:
        self.asked[0] += 1
        return self.asked[0]


class Raising(Guess):
    def sees(self, state: Any, player: int) -> Any:
        return (1, 2)[state.card]


class LeavesMovesOpen(Guess):
    """The second player has other moves after each card, and has not seen it."""

    def moves(self, state: Any) -> Iterator[Any]:
        if state.card == 2 and state.first and not state.second:
            yield 1
        else:
            yield from super().moves(state)


class Relabelled(Guess):
    """`canonical` names cards and calls anew so that the card is 1, which the second player cannot do unseen."""

    def canonical(self, state: Any) -> Any:
        return self.State(1, *((3 - call) % 3 for call in state[1:])) if state.card == 2 else state


BROKEN = [
    (FloatSeen, "seen exactly"), (ListSeen, "seen exactly"), (NaNSeen, "seen exactly"), (ObjectSeen, "seen exactly"),
    (Changing, "returns 1 the first time and 2 the second"), (Raising, "IndexError"), (LeavesMovesOpen, "same moves"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), BROKEN, ids=[kind.__name__ for kind, _ in BROKEN])
def test_broken_promises_are_told_by_name(kind: type[Game], name: str) -> None:
    report = check_rules(kind())
    assert not report.is_sound
    fault = report.faults[0]
    assert fault.rule == "sees"
    assert name in fault.message, fault.message
    assert fault.cure
    assert report.facts["views"] is None


@pytest.mark.parametrize("kind", [FloatSeen, ListSeen, NaNSeen, ObjectSeen, LeavesMovesOpen])
def test_the_walk_refuses_them_too(kind: type[Game]) -> None:
    with pytest.raises(RulesError) as caught:
        es.solve(kind())
    assert "sees" in str(caught.value) or "same moves" in str(caught.value)


def test_same_moves_shows_both_histories() -> None:
    (fault,) = check_rules(LeavesMovesOpen()).faults
    assert "after '1 1': moves 1, 2" in fault.message
    assert "after '2 1': moves 1" in fault.message
    assert "second has seen: (0, 0), (0, 1)" in fault.message


def test_images_of_equal_views_are_equal() -> None:
    (fault,) = check_rules(Relabelled()).faults
    assert fault.rule == "canonical"
    assert "second cannot tell from it" in fault.message
    assert check_rules(type("Open", (Relabelled,), {"sees": lambda self, state, player: 0})()).is_sound


@pytest.mark.parametrize("name", [name for name in HIDDEN if name not in ("leduc:suits=1",)])
def test_sizes_are_those_of_the_walk(name: str) -> None:
    game = es.load(name)
    facts = check_rules(game).facts["views"]
    assert facts["complete"]
    assert facts["histories"] == histories(game, game.start())
    found: list[dict[Any, int]] = [{}, {}]
    walk(game, lambda player, view, moves: found[player].update({view: len(moves)}) or moves)
    assert list(facts["sets"].values()) == [len(views) for views in found]
    assert list(facts["sequences"].values()) == [1 + sum(views.values()) for views in found]


def histories(game: Game, state: Any) -> int:
    """How many there are from a state on."""
    return 1 + sum(histories(game, game.play(state, move)) for move in game.moves(state))


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("kuhn", (False, True, True, True)),
        ("battleship:squares=3,shots=2", (False, False, False, True)),
        ("battleship:squares=3,shots=3", (False, False, False, False)),
        ("phantomtictactoe:width=3,height=1,line=3", (False, True, False, True)),
    ],
)
def test_facts_of_views(name: str, facts: tuple[bool, ...]) -> None:
    views = check_rules(es.load(name)).facts["views"]
    assert tuple(views[key] for key in ("common", "remember", "turns_seen", "own_moves_seen")) == facts


class Bag(Guess):
    """One player calls the card twice and sees neither it nor what comes of it."""

    players = 1

    def to_move(self, state: Any) -> int:
        return CHANCE if not state.card else 0

    def payoff(self, state: Any) -> int:
        return int(state.second == state.card)

    def sees(self, state: Any, player: int) -> int:
        return int(state.card > 0)


class OpenCall(Guess):
    """All see the calls and nobody the card."""

    def sees(self, state: Any, player: int) -> Any:
        return (state.first, state.second)


class BlindCall(Guess):
    """Nobody sees anything but their own call."""

    def sees(self, state: Any, player: int) -> int:
        return 0


@pytest.mark.parametrize(("kind", "widest"), [(Bag, 3), (OpenCall, 3), (BlindCall, None), (Guess, None)])
def test_common_views_and_their_widest_belief(kind: type[Game], widest: int | None) -> None:
    views = check_rules(kind(cards=3)).facts["views"]
    assert views["common"] == (widest is not None)
    assert views["widest_belief"] == widest


class NotOpposed(Guess):
    def payoff(self, state: Any) -> Any:
        return (1, int(state.second == state.card))


class Three(Guess):
    players = 3

    def payoff(self, state: Any) -> Any:
        return (1, -1, 0)


class AtOnce(Guess):
    """Both call at once, and not all combinations are there."""

    def to_move(self, state: Any) -> Any:
        return CHANCE if not state.card else (0, 1)

    def moves(self, state: Any) -> Iterator[Any]:
        if state.card and not state.second:
            yield from [pair for pair in product((1, 2), (1, 2)) if pair != (2, 1)]
        else:
            yield from super().moves(state)

    def play(self, state: Any, move: Any) -> Any:
        return self.State(state.card, *move) if state.card else super().play(state, move)


def test_what_leaves_no_value_is_said() -> None:
    for kind, text in ((NotOpposed, "constant sum"), (Three, "two opposed players")):
        report = check_rules(kind())
        assert report.is_sound
        assert report.value is not None
        assert report.value.reason is not None
        assert text in report.value.reason.message
    (fault,) = check_rules(AtOnce()).faults
    assert "combinations" in fault.message


def test_text_and_json(tmp_path: Path) -> None:
    answer = run("check", "kuhn")
    assert answer.code == 0
    assert "  information sets  6 of first, 6 of second" in answer.out.splitlines()
    assert check_rules(es.games.Battleship(), states=2_000).to_document()["facts"]["views"]["complete"] is False
    assert "at least" in run("check", "battleship", "--states", "2000").out
    assert check_rules(es.games.TicTacToe(), states=100).to_document()["facts"]["views"] is None


def test_estimate_counts_plans_and_says_what_is_not_known() -> None:
    document = run("estimate", "kuhn", "--json").document
    assert document["plans"] == {
        "histories": 58,
        "sets": {"first": 6, "second": 6},
        "sequences": {"first": 13, "second": 13},
    }
    assert [document[key] for key in ("memory", "seconds", "bytes_per_state", "seconds_per_state", "fits")] == [
        None
    ] * 5
    answer = run("estimate", "kuhn").out
    assert "memory and time   unknown" in answer
    assert "states a second" not in answer


def test_estimate_refuses_what_value_refuses() -> None:
    with pytest.raises(QuestionError, match="constant sum"):
        es.estimate(NotOpposed())
    with pytest.raises(RulesError, match="same moves"):
        es.estimate(LeavesMovesOpen())


@pytest.mark.parametrize("method", ["minimax", "alphabeta", "table"])
def test_searches_do_not_take_hidden_things_for_seen(method: Any) -> None:
    answer = run("growth", "kuhn", "--vary", "cards=2..3", "--methods", method)
    assert answer.code == 2
    assert "hides something" in answer.err


class NoGroup(Guess):
    def to_move(self, state: Any) -> Any:
        return ()


class ThreeAtOnce(AtOnce):
    """Two of three players call at once, all combinations."""

    players = 3

    def moves(self, state: Any) -> Iterator[Any]:
        if state.card and not state.second:
            yield from product((1, 2), (1, 2))
        else:
            yield from super().moves(state)

    def payoff(self, state: Any) -> Any:
        return (*super().payoff(state), 0)


class OpenThreeAtOnce(ThreeAtOnce):
    def gives(self, method: str) -> bool:
        return method != "sees" and super().gives(method)


class OneSeesFloats(Bag):
    """A player alone sees halves."""

    def sees(self, state: Any, player: int) -> Any:
        return state.first / 2


class Mute(Guess):
    def show_seen(self, seen: Any, player: int) -> Any:
        return 7


class Mumbling(Guess):
    def show_seen(self, seen: Any, player: int) -> str:
        return "something"


def test_odd_rules_are_told_in_their_own_words() -> None:
    with pytest.raises(RulesError, match="an invalid group of players"):
        es.solve(NoGroup())
    for kind in (ThreeAtOnce, OpenThreeAtOnce, OneSeesFloats):
        for ask in (es.solve, es.estimate):
            with pytest.raises((RulesError, QuestionError, NoValue)):
                ask(kind())
    (fault,) = check_rules(Mute()).faults
    assert (fault.rule, fault.message) == ("show_seen", "returns 7, an int")
    report = check_rules(Mumbling())
    assert report.is_sound
    assert report.warnings[0].rule == "show_seen"
    assert "'something' for both" in report.warnings[0].message


def test_symmetry_is_left_alone_where_players_do_not_see_everything() -> None:
    """`canonical` may be wrong for what players know, and no states are merged then."""
    game = Relabelled()
    assert es.solve(game).states == es.solve(Guess()).states
    assert es.estimate(game).states == es.estimate(Guess()).states


def test_rules_that_do_not_keep_to_one_sight_are_refused() -> None:
    with pytest.raises(RulesError, match="sees does not always return the same"):
        es.solve(Changing())
    with pytest.raises(QuestionError, match="do not allow a discount"):
        es.solve(type("Less", (Guess,), {"discount": Fraction(1, 2)})())


class Wide(Guess):
    """The first player calls one of very many numbers."""

    def limits(self) -> Any:
        return self.State(self.cards, 3_000, 2)

    def moves(self, state: Any) -> Iterator[Any]:
        if state.card and not state.first:
            yield from range(1, 3_001)
        else:
            yield from super().moves(state)


def test_the_walk_keeps_within_its_number_of_histories() -> None:
    views = check_rules(Wide(), states=50).facts["views"]
    assert not views["complete"]
    assert views["histories"] <= 50


class Painted(Guess):
    """Draws what the second player sees of a card that was called, and nothing of anything else."""

    def draw_seen(self, seen: Any, player: int) -> Any:
        return Board("what is seen", (Panel(self.show_seen(seen, player)),)) if seen[1] != 2 or player == 0 else None


def test_what_is_seen_is_drawn_on_trial() -> None:
    fault = check_rules(Painted()).faults[0]
    assert (fault.rule, fault.message) == ("draw_seen", "returns None")
    assert fault.cure == "return a Board of endsight.board"
    assert not check_rules(es.load("kuhn")).faults
