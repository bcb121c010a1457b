"""Commands under random combinations of options, and questions that gave wrong answers or none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import endsight as es
import fuzz_options
import hidden_games
from amounts import seed_rows
from command_line import ask, run


@pytest.mark.parametrize("seeds", seed_rows(60, 4, first=5_000_000))
def test_random_combinations_of_options(seeds: range, tmp_path: Path) -> None:
    tally = fuzz_options.Tally()
    for seed in seeds:
        fuzz_options.run_one(seed, tmp_path, tally, compiled=len(seeds))
    assert not tally.differences
    assert tally.judged > len(seeds) / 2
    assert tally.answers.total() > 15 * len(seeds)


class Waiting(es.Game):
    """A player who waits at a cost, or for nothing, as long as they like."""

    class State(NamedTuple):
        step: int

    endless = 2

    players = 1

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[str]:
        yield from ("dear", "free")

    def play(self, state: State, move: str) -> State:
        return state

    def reward(self, state: State, move: str) -> int:
        return -2 if move == "dear" else 0

    def payoff(self, state: State) -> int:
        return 0


def test_a_stored_move_that_must_be_taken_is_told_from_another_that_leads_there(tmp_path: Path) -> None:
    solution = es.solve(Waiting())
    es.save(solution, tmp_path / "waiting")
    with es.open_tablebase(tmp_path / "waiting", Waiting()) as stored:
        told = stored.solution()
        assert told.value() == solution.value() == {"player": 2}
        assert told.line() == solution.line() == ["free"]
        assert told.distribution().outcomes == solution.distribution().outcomes == {2: 1}


@pytest.mark.parametrize("command", ["exploit nim:heaps=1-2 random", "simulate nim:heaps=1-2 --games 5"])
def test_policies_and_samples_tell_what_ran_the_rules(command: str) -> None:
    method = ask(*command.split(), "--method", "graph", "--engine", "compiled")["method"]
    assert (method["engine"], method["refused"], method["audited"] > 0) == ("compiled", None, True)
    method = ask(*command.split(), "--method", "minimax", "--engine", "compiled")["method"]
    assert (method["engine"], method["refused"], method["audited"]) == ("plain", "this method works in Python", 0)
    assert "Not compiled: " in run(*command.split(), "--method", "minimax", "--engine", "compiled").out


def test_compiled_rules_that_do_not_follow_what_players_know_are_told() -> None:
    game = f"{hidden_games.__file__}:Hidden:seed=8000000628,depth=3,together=yes,gains=yes,small=2"
    method = ask("value", game, "--engine", "compiled")["method"]
    assert (method["engine"], method["refused"] is None) == ("plain", False)
    assert ask("value", game)["method"]["refused"] is None


@pytest.mark.parametrize("game", ["rps", "goofspiel:cards=2", "kuhn", "liarsdice:sides=2"])
def test_a_policy_by_what_a_player_sees_is_neither_judged_by_positions_nor_stored(game: str, tmp_path: Path) -> None:
    told = run("analyze", game, "--policy", "first=random")
    assert (told.code, told.out, "endsight exploit" in told.err) == (2, "", True)
    told = run("solve", game, "--fix", "first=random", "-o", str(tmp_path / "solved"))
    assert (told.code, [*tmp_path.iterdir()]) == (2, [])
    assert ("hides something" in told.err) == (game in ("kuhn", "liarsdice:sides=2"))


@pytest.mark.parametrize(
    ("game", "position"), [("rps", "first=0 second=0"), ("kuhn", "first=1 second=2 said="), ("rps", "first=1 second=2")]
)
def test_a_reply_to_policies_by_what_players_see_needs_the_moves_before(game: str, position: str) -> None:
    for verb in ("value", "analyze", "dist"):
        told = run(verb, game, "--fix", "first=random", f"--position={position}")
        assert (told.code, told.out, "with --at" in told.err) == (2, "", True)


@pytest.mark.parametrize("method", ["auto", "graph", "search", "minimax", "alphabeta", "proofnumber", "layers"])
def test_chances_to_win_that_are_means_over_what_is_hidden_add_up_to_1(method: str) -> None:
    told = ask("value", "highcardduel:hand=2,rival=1", "--utility", "win", "--method", method, "--engine", "plain")
    assert [number["exact"] for number in told["value"].values()] == ["1", "0"]
    assert told["category"] == "value"
