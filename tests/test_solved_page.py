"""Files that hold a solved game: what is packed into them is what the solver says, and they play without a network."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from command_line import run
from endsight import CHANCE, Game, Position
from player_views import play_of
from shown import rows_shown
from solved_files import Reader, solved_file
from thresholds import solved_files_hold

HERE = Path(__file__)


def games(reader: Reader, solution: es.Solution, count: int, seed: int, perfect: int | None) -> Iterator[None]:
    """Random games in the file and by the rules; the player `perfect` makes the file's best moves."""
    random = Random(seed)
    for _ in range(count):
        number, place = 0, solution.position
        while not place.is_over:
            held = reader.positions[number]
            check(held, solution, place)
            names = list(held["moves"])
            name = (
                next((n for n in names if held["moves"][n][2]), "") if place.mover == perfect else random.choice(names)
            )
            number, place = held["moves"][name][1], place.after(name)
            if number < 0:
                assert not reader.about["whole"]
                break
            yield None
        else:
            assert reader.positions[number]["mover"] == -2


def check(held: dict[str, Any], solution: es.Solution, place: Position) -> None:
    assert held["mover"] == (-1 if place.mover == CHANCE else place.mover)
    assert {name: (told[1], told[3], bool(best)) for name, (told, _, best, _) in held["moves"].items()} == {
        name: (row["result"], row["gives_away"], row["rank"] == 1) for name, row in rows_shown(solution, place).items()
    }
    best = {name for name, (_, _, flag, _) in held["moves"].items() if flag}
    assert best <= set(solution.best_moves(place)) or place.mover == CHANCE


@pytest.mark.parametrize(
    "spec", ["tictactoe:width=3,height=2,line=2", "dominoes:n=3", "pots:4-9-2-7", "pigturn", "pig:target=4"]
)
def test_every_position_of_a_small_game_is_as_the_solver_says(spec: str) -> None:
    solution = es.solve(spec)
    reader = Reader(solved_file(spec))
    assert reader.about["whole"]
    assert sum(1 for _ in games(reader, solution, 40, 1, None)) > 40


def test_of_larger_games_what_perfect_play_can_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    solved_files_hold(monkeypatch, whole=100)
    spec = "connectfour:width=4,height=3,line=3"
    solution = es.solve(spec)
    reader = Reader(solved_file(spec))
    assert not reader.about["whole"]
    for seat in (0, 1):
        for _ in games(reader, solution, 25, seat, seat):
            pass


def test_a_perfect_player_of_the_file_never_leaves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    solved_files_hold(monkeypatch, whole=100)
    spec = "connectfour:width=4,height=3,line=3"
    solution = es.solve(spec)
    reader, random = Reader(solved_file(spec)), Random(5)
    for game in range(40):
        number, value = 0, solution.value()["first" if game % 2 == 0 else "second"]
        place = solution.position
        while not place.is_over:
            moves = reader.positions[number]["moves"]
            name = next(n for n in moves if moves[n][2]) if place.mover == game % 2 else random.choice(list(moves))
            number, place = moves[name][1], place.after(name)
            assert number >= 0
        final = place.game.payoff(place.state)
        won = {0: 0, -1: -1}[final] * (1 if place.mover == game % 2 else -1)
        assert won >= value


def test_too_large_files_are_refused_before_they_are_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    solved_files_hold(monkeypatch, whole=20, most=30)
    ending = run("page", "tictactoe", "-o", str(tmp_path / "page.html"))
    assert (ending.code, "the file would be too large" in ending.err) == (5, True)
    assert [*tmp_path.iterdir()] == []


class Ladder(Game):
    """Each step costs 1, and slippery ones may lead back down: totals have no limit."""

    players = 1
    is_slippery: bool = False

    class State(NamedTuple):
        rung: int
        slips: bool

    def limits(self) -> State:
        return self.State(4, True)

    def start(self) -> State:
        return self.State(0, False)

    def to_move(self, state: State) -> int:
        return CHANCE if state.slips else 0

    def moves(self, state: State) -> Iterator[str]:
        if state.rung < 4:
            yield from ("holds", "slips") if state.slips else ("up", "down")

    def play(self, state: State, move: str) -> State:
        if state.slips:
            return self.State(state.rung if move == "holds" else 0, False)
        return self.State(state.rung + 1 if move == "up" else max(0, state.rung - 1), self.is_slippery)

    def reward(self, state: State, move: str) -> int:
        return 0 if state.slips else -1

    def payoff(self, state: State) -> int:
        return 0


class Waiting(Game):
    """Whoever dares has won five at once; waiting loses nothing."""

    label: str = ""

    class State(NamedTuple):
        at: int

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return state.at % 2

    def moves(self, state: State) -> tuple[str, ...]:
        return (("wait", "dare"), ("back",), ())[state.at]

    def play(self, state: State, move: str) -> State:
        return self.State({"wait": 1, "back": 0, "dare": 2}[move])

    def payoff(self, state: State) -> tuple[int, int]:
        return (5, -5)


@pytest.mark.parametrize(
    ("game", "fixed", "line"),
    [
        (f"{HERE}:Waiting", "", [{"dare"}]),
        ("pots:4-9-2-7", "second=smaller", [{"R"}, {"R"}, {"R"}, {"L", "R"}]),
        ("pots:4-9", "first=random", [{"L", "R"}, {"L", "R"}]),
    ],
)
def test_the_file_makes_the_moves_of_play_as_solved(game: str, fixed: str, line: list[set[str]]) -> None:
    """Of several best moves one that leads to the end, and those of policies."""
    reader = Reader(solved_file(game, *(["--fix", fixed] if fixed else [])))
    number = 0
    for allowed in line:
        played = {name: to for name, (_, to, _, weight) in reader.positions[number]["moves"].items() if weight}
        assert len(played) == (2 if fixed == "first=random" and number == 0 else 1)
        assert played.keys() <= allowed
        number = next(iter(played.values()))
    assert not reader.positions[number]["moves"]


def test_a_parameter_that_looks_like_a_place_of_the_template_is_shown() -> None:
    page = solved_file(f"{HERE}:Waiting:label={{{{script}}}}")
    assert page.count("{{script}}") == 1
    assert page.count("class Reader") == 1


def test_where_totals_have_no_limit_the_file_holds_perfect_play() -> None:
    reader = Reader(solved_file(f"{HERE}:Ladder"))
    assert not reader.about["whole"]
    assert [list(position["moves"]) for position in reader.positions] == [["up", "down"]] * 4 + [[]]


def test_perfect_play_whose_totals_have_no_limit_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    spec, plays = f"{HERE}:Ladder:is_slippery=yes", list[object]()
    kind = type(es.load(spec))
    monkeypatch.setattr(kind, "play", lambda rules, *made, play=kind.play: plays.append(made) or play(rules, *made))
    ending = run("page", spec, "-o", "-")
    assert "the file would be too large" in ending.err
    assert "try:     rules that pay where play ends\n" in ending.err
    assert 0 < len(plays) < 3000


def test_the_command(tmp_path: Path) -> None:
    target = tmp_path / "pots.html"
    done = run("page", "pots:4-9-2-7", "-o", str(target))
    assert done.out.startswith("pots: ")
    text = target.read_text()
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    assert "<script src" not in text
    assert run("page", "pots:4-9-2-7", "-o", "pots.txt").code == 2
    assert "<title>Late duel" in solved_file(f"{HERE}:LateDuel")


class LateDuel(es.Game):
    """The first player says how high the stakes are, then both call at once."""

    class State(NamedTuple):
        stake: int
        calls: tuple[bool, ...]

    def start(self) -> State:
        return self.State(0, ())

    def to_move(self, state: State) -> int | tuple[int, int]:
        return (0, 1) if state.stake else 0

    def moves(self, state: State) -> Iterator[int | tuple[bool, bool]]:
        if not state.stake:
            yield from (1, 2)
        elif not state.calls:
            yield from ((own, other) for own in (False, True) for other in (False, True))

    def play(self, state: State, move: int | tuple[bool, bool]) -> State:
        return self.State(state.stake, move) if isinstance(move, tuple) else self.State(move, ())

    def payoff(self, state: State) -> tuple[int, int]:
        won = state.stake if state.calls[0] == state.calls[1] else -state.stake
        return won, -won


def nodes_of(reader: Reader, solution: es.Solution) -> Iterator[tuple[dict[str, Any], Position, tuple[str, ...]]]:
    """Every node of the file with its position and the parts of a move at once that are chosen already there."""
    queue: list[tuple[int, Position, tuple[str, ...]]] = [(0, solution.position, ())]
    for number, place, made in queue:
        held = reader.positions[number]
        yield held, place, made
        for name, (_, to, _, _) in held["moves"].items():
            if solution.is_mixed(place) and len(made) + 1 < len(place.movers):
                queue.append((to, place, (*made, name)))
            else:
                then = next(
                    place.play(move)
                    for move in place.moves()
                    if place.game.show_move(place.state, move) == "-".join([*made, name])
                )
                queue.append((to, then, ()))


HIDDEN = {"kuhn": True, "highcardduel:hand=1-3,rival=x-x": True, "rps": True, "goofspiel:cards=2": False}
"""Games, and whether a plan of theirs draws lots."""


@pytest.mark.parametrize(("spec", "draws"), HIDDEN.items())
def test_each_player_is_shown_the_mixture_of_the_plan(spec: str, draws: bool) -> None:
    solution = es.solve(spec)
    reader, mixed = Reader(solved_file(spec)), 0
    assert reader.about["hides"]
    assert reader.about["whole"]
    for held, place, made in nodes_of(reader, solution):
        if place.is_over or place.mover == CHANCE:
            assert held["mover"] == (-2 if place.is_over else -1)
            continue
        player = place.movers[len(made)]
        found = solution.seen_by(player, place.history)
        weights = {name: weight for name, (_, _, _, weight) in held["moves"].items()}
        total = sum(weights.values())
        assert held["mover"] == player
        assert {name: Fraction(weight, total) for name, weight in weights.items()} == {
            option.text: option.probability for option in found.options
        }
        mixed += sum(weight > 0 for weight in weights.values()) > 1
    assert bool(mixed) == draws


@pytest.mark.parametrize("spec", [*HIDDEN, "battleship:squares=3,shots=2"])
def test_a_file_shows_nobody_what_that_player_cannot_see(spec: str) -> None:
    """Whatever a player sees alike looks alike: boards, moves so far, and on the player's turn the advice and moves."""
    solution = es.solve(spec)
    shown: dict[Any, Any] = {}
    kinds = 0
    for held, place, _ in nodes_of(Reader(solved_file(spec)), solution):
        views = () if place.is_over else play_of(place).views
        for player in range(len(views)):
            view = views[player]
            seen = [held["boards"][min(player, len(held["boards"]) - 1)], held["seen"][player : player + 1]]
            if held["mover"] == player:
                told = {name: (words, weight) for name, (words, _, _, weight) in held["moves"].items()}
                seen += [held["said"], held["label"], told]
            key = player, view, held["mover"] == player
            kinds += key not in shown
            assert shown.setdefault(key, seen) == seen
    assert kinds > 2


def test_plans_follow_positions_in_which_one_player_chose_for_all_to_see() -> None:
    spec = f"{HERE}:LateDuel"
    solution = es.solve(es.load(spec))
    reader = Reader(solved_file(spec))
    kinds = {(held["mover"], len(made)) for held, _, made in nodes_of(reader, solution)}
    assert kinds == {(0, 0), (1, 1), (-2, 0)}
    check(reader.positions[0], solution, solution.position)


@pytest.mark.parametrize("spec", ["rps", "goofspiel:cards=3", f"{HERE}:LateDuel"])
def test_players_who_play_for_the_first_choose_a_move_of_all_together(spec: str) -> None:
    solution = es.solve(es.load(spec), objective="cooperative")
    reader, together = Reader(solved_file(spec, "--objective", "cooperative")), 0
    assert not reader.about["hides"]
    for held, place, made in nodes_of(reader, solution):
        assert made == ()
        if place.is_over or len(place.movers) < 2:
            continue
        together += 1
        assert (held["mover"], held["said"][-1]) == (0, "first and second")
        check({**held, "mover": place.mover}, solution, place)
        assert "mix" not in " ".join(held["said"])
        (played,) = [name for name, (*_, weight) in held["moves"].items() if weight]
        assert played == place.game.show_move(place.state, solution.chosen(place))
    assert together


class FineDuel(es.Game):
    """Both call at once; the first player's best mixture has a chance of 1 in 3^40."""

    players = 2

    class State(NamedTuple):
        calls: tuple[int, ...]

    def start(self) -> State:
        return self.State(())

    def to_move(self, state: State) -> tuple[int, int]:
        return (0, 1)

    def moves(self, state: State) -> list[tuple[int, int]]:
        return [] if state.calls else [(0, 0), (0, 1), (1, 0), (1, 1)]

    def play(self, state: State, move: tuple[int, int]) -> State:
        return self.State(move)

    def payoff(self, state: State) -> tuple[int, int]:
        won = {(0, 0): 3**40 - 1, (1, 1): 1}.get(state.calls, 0)
        return won, -won


def test_weights_too_fine_for_the_program_are_rounded() -> None:
    first = Reader(solved_file(f"{HERE}:FineDuel")).positions[0]["moves"]
    weights = [weight for *_, weight in first.values()]
    assert sum(weights) <= 2**50
    assert abs(Fraction(weights[1], sum(weights)) - (1 - Fraction(1, 3**40))) < Fraction(1, 2**49)


def test_hidden_games_of_too_many_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    solved_files_hold(monkeypatch, most=20)
    told = " ".join(run("page", "kuhn", "-o", "-").err.split())
    assert "the file would be too large: the game has more than 20 positions" in told


@pytest.mark.slow
def test_connect_four_on_five_columns_and_four_rows() -> None:
    spec = "connectfour:width=5,height=4"
    solution, page = es.solve(spec), solved_file(spec)
    reader = Reader(page)
    assert len(page) < 5_000_000
    for seat in (0, 1):
        for _ in games(reader, solution, 100, seat + 9, seat):
            pass
