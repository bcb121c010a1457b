"""Moves as one player tells them: what was seen stands for what chance did, and nothing else fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import endsight as es
from command_line import run
from endsight import CHANCE, Game, Position
from hidden_games import part_of, seen_by
from small_instances import HIDDEN

NAMES = [name for name in HIDDEN if not name.startswith(("leduc:", "liarsdice:dice", "highcardduel:hand=2,rival=1"))]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_player_sees_and_does_fits_the_plays_with_that_view_and_no_others(name: str) -> None:
    """At each turn, told in brackets and own moves, all is answered as after the true moves of any play that fits."""
    solution, alike = es.solve(name), dict[Any, list[tuple[list[str], str]]]()
    for player, view, told, true in turns(solution.game):
        alike.setdefault((player, view), []).append((told, true))
    for (player, _), plays in list(alike.items())[:40]:
        known = [solution.seen_by(player, moves) for play in plays[:2] for moves in play]
        for each in known[1:]:
            assert (each.options, each.reach, each.posterior) == (known[0].options, known[0].reach, known[0].posterior)


def turns(game: Game) -> Iterator[tuple[int, tuple, list[str], str]]:
    """Some turns: whose, what was seen, the moves as that player tells them (see `told`), and the true ones."""
    todo: list[tuple[Position, list[tuple], list[list[str]]]] = [(game.position(), [(), ()], [[], []])]
    for place, before, texts in todo:
        if place.is_over:
            continue
        views = [seen_by(game, place.state, player, view) for player, view in enumerate(before)]
        yield from ((player, views[player], texts[player], place.text) for player in place.movers)
        for move in list(place.moves())[: 400 - len(todo)]:
            then, own = place.play(move), part_of
            did = [
                (*view, ("did", own(move, player, place.movers))) if player in place.movers else view
                for player, view in enumerate(views)
            ]
            todo.append((then, did, [[*texts[player], *told(place, then, player)] for player in (0, 1)]))


def told(place: Position, then: Position, player: int) -> list[str]:
    """A move as the player tells it: `?` for what others do, and in brackets what was seen of it."""
    text = [then.history[-1] if place.movers == (player,) else "?"] if place.mover != CHANCE else []
    if then.is_over:
        return text
    seen, before = (place.game.sees(each.state, player) for each in (then, place))
    return text if seen == before else [*text, f"[{'_'.join(place.game.show_seen(seen, player).split())}]"]


def test_the_command_takes_what_is_seen() -> None:
    seen, told = (
        run("analyze", "kuhn", "--as", "first", "--json", "--at", at) for at in ("[card=3] pass ?", "3 ? pass ?")
    )
    assert seen.code == told.code == 0
    assert seen.out.replace("[card=3] pass ?", "3 ? pass ?").split('"method"')[0] == told.out.split('"method"')[0]


def test_what_cannot_be_seen_is_refused_with_what_can() -> None:
    result = run("analyze", "kuhn", "--as", "first", "--at", "[card=9]")
    assert result.code == 3
    assert "'[card=9]', fits no play at the start" in result.err
    assert "allowed: [card=1] [card=2] [card=3] []" in result.err


def test_a_policy_is_told_what_its_player_may_do_at_once(tmp_path: object) -> None:
    path = f"{tmp_path}/mine.py"
    with open(path, "w") as file:
        file.write("def stubborn(game, seen, moves):\n    return 'rock'\n")
    result = run("exploit", "rps", f"{path}:stubborn")
    assert result.code == 3
    assert "allowed: 1 (rock), 2 (paper), 3 (scissors)" in result.err
    assert "try:     return 1" in result.err


class PutAway(Game):
    """A coin that nobody sees, many single moves, and the coin is put away before the second player moves."""

    steps: int = 600

    class State(NamedTuple):
        coin: int
        at: int

    def start(self) -> State:
        return self.State(0, 0)

    def limits(self) -> State:
        return self.State(2, self.steps + 2)

    def to_move(self, state: State) -> int:
        return CHANCE if state.at == 0 else 0 if state.at <= self.steps else 1

    def moves(self, state: State) -> tuple[int, ...]:
        if state.at == 0:
            return (1, 2)
        if state.at <= self.steps:
            return (0,)
        return (1, 2) if state.at == self.steps + 1 else ()

    def play(self, state: State, move: int) -> State:
        if state.at in (0, self.steps + 1):
            return self.State(move, state.at + 1)
        return self.State(state.coin if state.at < self.steps else 0, state.at + 1)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.coin == 1 else (-1, 1)

    def sees(self, state: State, player: int) -> int:
        return state.at


def test_long_plays_that_come_to_one_state_are_told_apart_by_what_was_seen() -> None:
    """Views nested as deep as play is long could not be compared."""
    told = es.solve(PutAway()).seen_by("second", ["?", *["0"] * 600])
    assert [(option.text, option.best) for option in told.options] == [("2", True), ("1", False)]
    assert [each.probability for each in told.posterior] == [1]


Corner = tuple[tuple[int, ...], ...]


class Corners(Game):
    """Both choose a corner at once; the second one sees a coin before, and only what is alike counts for the first."""

    class State(NamedTuple):
        """0 before the coin, 1 before the choice, 2 at the end; the coin; whether the choices are alike."""

        step: int
        coin: int
        alike: bool

    def limits(self) -> State:
        return self.State(2, 1, True)

    def start(self) -> State:
        return self.State(0, 0, False)

    def to_move(self, state: State) -> int | tuple[int, int]:
        return (0, 1) if state.step == 1 else CHANCE

    def moves(self, state: State) -> Iterator[Any]:
        corners: tuple[Corner, ...] = (((0,), (0, 1)), ((1,), (0, 1)))
        if state.step == 0:
            yield from corners
        elif state.step == 1:
            yield from ((mine, yours) for mine in corners for yours in corners)

    def play(self, state: State, move: Any) -> State:
        return self.State(1, move[0][0], False) if state.step == 0 else self.State(2, state.coin, move[0] == move[1])

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.alike else (-1, 1)

    def sees(self, state: State, player: int) -> tuple[int, int]:
        return state.step, state.coin * player


def test_moves_whose_names_begin_like_what_was_seen_are_moves() -> None:
    """Nested tuples are written in brackets where several are made at once."""
    game = Corners()
    solution = es.solve(game)
    played = "0/0-1 [0/0-1]/[1/0-1]"
    place = game.position(played)
    assert not place.is_told
    assert [option.text for option in solution.options("0/0-1")] == [
        "[0/0-1]/[0/0-1]",
        "[0/0-1]/[1/0-1]",
        "[1/0-1]/[0/0-1]",
        "[1/0-1]/[1/0-1]",
    ]
    assert (solution.value(played), place.is_over) == ({"first": -1, "second": 1}, True)
    assert solution.value() == {"first": 0, "second": 0}
    seen = solution.seen_by("second", "[1,1]")
    assert (seen.sees, sum(option.probability or 0 for option in seen.options)) == ("1,1", 1)
    assert game.position("[1,0]").is_told
