"""Stored solutions: what goes in comes out, and only that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

import endsight as es
import strategies
from amounts import examples, times
from command_line import ask, run
from endsight import Game
from endsight.errors import QuestionError
from places import reachable

SMALL = [
    "chomp",
    "connectfour:width=4,height=3,line=3",
    "dodgem",
    "dominoes:n=4",
    "hexapawn",
    "hiddenpots:count=4,max=4",
    "highcard:hand=1-3-5-7,rival=8-x-4-x",
    "nim:heaps=3-4-5",
    "pig:target=6",
    "pigturn",
    "pots:4-9-2-7",
    "repeatbust:sides=3,dice=2",
    "rpsbag:100-0-200/0-300-0",
    "tictactoe",
]


def assert_the_same(solution: es.Solution, folder: Path, game: es.Game | None = None, most: int = 400) -> None:
    """Every reachable position has the same value and distance in the file; the first `most` the same moves."""
    schema = resources.files("endsight").joinpath("schemas", "tablebase.json").read_text(encoding="utf-8")
    manifest = (folder / "MANIFEST.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(schema)).validate(json.loads(manifest))
    with es.open_tablebase(folder, game) as table:
        assert table.value() == solution.value()
        totals = solution.question.utility == "win"  # who wins depends on what was gained before
        for number, position in enumerate(reachable(solution.position, totals=totals)):
            entry = table.probe(position)
            assert entry.values == solution.values(position)
            assert entry.distance == solution.distance(position)
            assert entry.category == solution.category(position)
            if number < most:
                assert table.options(position) == solution.options(position)


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("most", times(400, 30))
def test_built_in_games_come_back_as_they_were(spec: str, most: int, tmp_path: Path) -> None:
    solution = es.solve(es.load(spec), method="graph")
    es.save(solution, tmp_path / "solved")
    assert_the_same(solution, tmp_path / "solved", most=most)


def stored_again(game: es.Game, tmp_path: Path, **question: object) -> None:
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    solution = es.solve(game, **question)
    es.save(solution, folder, best=True)
    assert_the_same(solution, folder, game)


@examples(15, 5, game=strategies.alternating_acyclic())
def test_random_games_without_loops(game: es.Game, tmp_path: Path) -> None:
    stored_again(game, tmp_path)


@examples(15, 5, game=strategies.alternating_loops())
def test_random_games_with_loops(game: es.Game, tmp_path: Path) -> None:
    stored_again(game, tmp_path)


@examples(15, 5, game=strategies.chance_acyclic())
def test_random_games_with_chance_and_several_players(game: es.Game, tmp_path: Path) -> None:
    stored_again(game, tmp_path)


@examples(15, 5, game=strategies.chance_acyclic(seats=2))
def test_utilities_that_need_totals(game: es.Game, tmp_path: Path) -> None:
    stored_again(game, tmp_path, utility="win")


@examples(15, 5, game=strategies.stopping_loops(rewards=True))
def test_random_games_with_chance_and_loops(game: es.Game, tmp_path: Path) -> None:
    stored_again(game, tmp_path)


def test_the_compiled_engine_stores_the_same_parts(tmp_path: Path) -> None:
    game = es.games.ConnectFour(width=4, height=4)
    for method, engine in (("layers", "compiled"), ("graph", "plain")):
        es.save(es.solve(game, method=method, engine=engine), tmp_path / method, best=True)
    parts = [sorted((tmp_path / method).rglob("*.parquet")) for method in ("layers", "graph")]
    assert len(parts[0]) == len(parts[1]) == 1
    assert parts[0][0].read_bytes() == parts[1][0].read_bytes()


def test_proven_ends_come_back(tmp_path: Path) -> None:
    solution = es.solve(es.games.Pig(target=12), interval=True, engine="compiled")
    es.save(solution, tmp_path / "pig")
    assert_the_same(solution, tmp_path / "pig", most=50)


# ---------------------------------------------------------------------- the command line


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "nim"
    assert run("solve", "nim:heaps=2-3", "-o", str(path)).code == 0
    return path


def test_every_question_is_answered_from_a_file(folder: Path) -> None:
    for question in ("value", "analyze", "line", "table", "dist", "fair"):
        stored = ask(question, "nim:heaps=2-3", "--from", str(folder))
        solved = ask(question, "nim:heaps=2-3", "--method", "graph")
        stored["method"].pop("seconds"), solved["method"].pop("seconds")
        assert stored["method"].pop("reason") is None
        assert "explores" in solved["method"].pop("reason")
        assert (stored["method"].pop("engine"), solved["method"].pop("engine")) == ("none", "plain")
        assert stored == solved


def test_moves_at_once_are_answered_from_a_file_as_they_were_solved(tmp_path: Path) -> None:
    name, folder = "goofspiel:cards=3,prizes=falling", tmp_path / "cards"
    assert run("solve", name, "-o", str(folder)).code == 0
    for question in ("value", "analyze", "line", "dist", "fair"):
        stored, solved = (ask(question, name, *more) for more in (("--from", str(folder)), ("--engine", "plain")))
        assert stored.pop("method") != solved.pop("method")
        assert stored == solved
    game = es.load(name)
    with es.open_tablebase(folder) as table:
        stored, solved = table.solution(), es.solve(game)
        record = game.position("3 1-2 2 2-1 1 3-3")
        assert es.review(stored, record).to_dicts() == es.review(solved, record).to_dicts()
        for solution in (stored, solved):
            with pytest.raises(QuestionError, match="outcomes of mixed moves have no certificate"):
                es.prove(solution, distribution="first")


def test_another_question_is_refused_with_both_sides(folder: Path) -> None:
    for other in (["nim:heaps=2-4"], ["tictactoe"], ["nim:heaps=2-3", "--objective", "cooperative"]):
        done = run("value", *other, "--from", str(folder))
        assert done.code == 3
        assert "found:" in done.err
        assert "allowed:" in done.err


def test_a_complete_folder_is_left_alone(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = run("solve", "nim:heaps=2-3", "-o", str(folder))
    assert done.code == 0
    assert "nothing to do" in done.out
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_exports_say_what_the_solution_says(tmp_path: Path) -> None:
    game, folder = es.games.Hexapawn(), tmp_path / "hexapawn"
    solution = es.solve(game, method="graph")
    es.save(solution, folder)
    rows = [json.loads(line) for line in run("export", str(folder), "--to", "jsonl").out.splitlines()]
    assert len(rows) == ask("status", str(folder))["states"] == solution.states
    for row in rows:
        position = game.position_from(row["position"])
        assert row["value_first"] == str(solution.values(position)[0])
        assert row["distance"] == solution.distance(position)


def test_a_folder_with_other_files_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert run("solve", "nim:heaps=1-2", "-o", str(tmp_path)).code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_ranks_make_dense_tables(tmp_path: Path) -> None:
    for heaps, states in (((3, 4, 5), 48), ((6, 6, 6), 84)):
        game = es.games.Nim(heaps=heaps)
        solution = es.solve(game, method="graph")
        folder = es.save(solution, tmp_path / str(states))
        with es.open_tablebase(folder) as table:
            assert table.manifest.layout.keys == "dense"
            assert table.manifest.states == len(list(table)) == states
        assert_the_same(solution, folder)
        unmerged = es.save(es.solve(game, method="graph", symmetry=False), tmp_path / f"{states} apart")
        with es.open_tablebase(unmerged) as table:
            assert table.manifest.layout.keys == "packed"


def test_a_rank_with_gaps_or_without_sense_is_not_used(tmp_path: Path) -> None:
    class Sparse(es.games.Nim):
        def rank(self, state: object) -> int:
            return 1000 * super().rank(state)

    class Twice(es.games.Nim):
        def rank(self, state: object) -> int:
            return super().rank(state) // 2

    sparse = es.save(es.solve(Sparse(heaps=(3, 4, 5)), method="graph"), tmp_path / "sparse")
    with es.open_tablebase(sparse, Sparse(heaps=(3, 4, 5))) as table:
        assert table.manifest.layout.keys == "packed"
    with pytest.raises(es.RulesError, match="the same number"):
        es.save(es.solve(Twice(heaps=(3, 4, 5)), method="graph"), tmp_path / "twice")


class Evens(Game):
    """Take two or four from a heap that is even from the start: its half is its rank."""

    class State(NamedTuple):
        left: int

    def limits(self) -> State:
        return self.State(20)

    def start(self) -> State:
        return self.State(20)

    def moves(self, state: State) -> Iterator[int]:
        yield from (count for count in (2, 4) if count <= state.left)

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move)

    def payoff(self, state: State) -> int:
        return -3 if state.left else -1

    def rank(self, state: State) -> int:
        return state.left // 2

    def unrank(self, number: int) -> State:
        return self.State(2 * number)


def test_a_state_that_play_never_reaches_may_have_the_rank_of_another_one(tmp_path: Path) -> None:
    solution = es.solve(Evens())
    with es.open_tablebase(es.save(solution, tmp_path / "evens"), Evens()) as table:
        assert table.manifest.layout.keys == "dense"
        held = [number for number in range(21) if Evens().position_from(f"left={number}") in table]
    assert held == [*range(0, 21, 2)]


def test_an_unrank_that_gives_another_state_is_refused(tmp_path: Path) -> None:
    class Odd(Evens):
        def unrank(self, number: int) -> Any:
            return self.State(2 * number if number != 5 else 12)

    with pytest.raises(es.RulesError, match="unrank gives another state"):
        es.save(es.solve(Odd()), tmp_path / "odd")


def test_status_notices_a_file_that_is_shorter_than_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    assert run("solve", "tictactoe", "-o", str(folder)).code == 0
    part = next(folder.rglob("*.parquet"))
    part.write_bytes(part.read_bytes()[:20])
    ending = run("status", str(folder))
    assert ending.code == 3
    assert "is damaged" in ending.err
    assert "it has 20 bytes instead of the" in ending.err
    part.unlink()
    ending = run("status", str(folder))
    assert ending.code == 3
    assert "cannot be read" in ending.err


@pytest.mark.parametrize("question", [{"objective": "cooperative"}, {"utility": "win"}])
@pytest.mark.parametrize("start", ["", "3:4", "2:2 1:1"])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_ranks_number_states_whose_mover_counts(tmp_path: Path, question: Any, start: str, engine: Any) -> None:
    for method in ("graph", "layers"):
        solution = es.solve("nim:heaps=3-4-5", start, method=method, engine=engine, **question)
        assert_the_same(solution, es.save(solution, tmp_path / method), most=60)


@pytest.mark.parametrize(
    "question",
    [
        ("exploit", "tictactoe", "random", "--at", "a1 b1"),
        ("exploit", "pots:4-9-2-7", "first=bigger"),
        ("exploit", "goofspiel:cards=3", "random"),
        ("report", "tictactoe"),
        ("report", "pigturn:sides=4,bust=2"),
        ("report", "pots:1-2-10-3", "--against", "pots:1-2-3-10"),
    ],
)
def test_prices_of_policies_and_reports_read_best_play(tmp_path: Path, question: tuple[str, ...]) -> None:
    folder = str(tmp_path / "kept")
    assert run("solve", question[1], "-o", folder).code == 0
    told = [ask(*question, *stored) for stored in ((), ("--from", folder))]
    assert told[0].keys() == told[1].keys()
    for key in told[0].keys() - {"method"}:
        assert told[0][key] == told[1][key], key


def test_best_play_that_is_stored_counts_for_no_limit(tmp_path: Path) -> None:
    stored = ("--from", str(tmp_path / "kept"))
    assert run("solve", "tictactoe", "-o", stored[1]).code == 0
    # Replies to a policy meet fewer positions than best play.
    question = ("exploit", "tictactoe", "first=greedy", "--states", "400")
    assert (run(*question).code, run(*question, *stored).code) == (5, 0)
    question = ("report", "tictactoe", "--states", "100")
    told = [run(*question, *more).out for more in ((), stored)]
    assert ["All 9 first moves are equally good." in each for each in told] == [False, True]


@pytest.mark.parametrize(
    ("name", "record"),
    [("tictactoe", "a1 b1 b2 c3"), ("pigturn:sides=4,bust=2", "roll 3 roll 4 hold"), ("nim:heaps=1-2-3", "1:1 2:2")],
)
def test_reviews_samples_charts_and_games_need_no_solving_again(tmp_path: Path, name: str, record: str) -> None:
    folder, chart = str(tmp_path / "kept"), str(tmp_path / "chart.svg")
    assert run("solve", name, "-o", folder).code == 0
    for command in (("review", name, record), ("simulate", name, "--games", "20", "--seed", "3")):
        told = [ask(*command, *stored) for stored in ((), ("--from", folder))]
        assert told[0].keys() == told[1].keys()
        # Bounds of what a game pays are proven in different ways.
        for key in told[0].keys() - {"method", "interval", "between", "basis"}:
            assert told[0][key] == told[1][key], key
    assert run("plot", name, "values", "-o", chart, "--from", folder).code == 0
    played = run("play", name, "--from", folder, "--seed", "2", stdin=f"{record.split()[0]}\n")
    assert (played.code, played.out.count("Unfinished game")) == (0, 1)
