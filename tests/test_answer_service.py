"""What a worker of the page keeps and answers: solutions that go on answering, each question with all of its time."""

from __future__ import annotations

from pathlib import Path

import pytest

import endsight as es
from command_line import ask, run
from shown import Page, figure_shown, hours_pass, solve_the_start_within

PAGE = Page()


def test_a_kept_solution_has_all_the_time_again_for_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(seconds=60)
    page.document("position", "nim:heaps=2-3", method="graph")
    hours_pass(monkeypatch)
    page.document("position", "nim:heaps=2-3", "1:1", method="graph")
    assert page.solved == [""]


def test_the_course_of_a_game_is_found_from_a_position_in_its_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    solve_the_start_within(monkeypatch, seconds=60)  # which takes its time on a busy machine
    course = Page().board("tictactoe", "a1 b2 c3")["values"]["course"]
    assert [point["move"] for point in course["points"]] == ["", "a1", "b2", "c3"]


def test_a_start_that_is_too_big_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solve_the_start_within(monkeypatch, seconds=60, states=20_000)
    page = Page()
    for at in ("1 1 1 1 2 2 2 2 3 3", "1 1 1 1 2 2 2 2 3 3 3"):
        values = page.board("connectfour:width=4,height=4", at)["values"]
        assert (values["course"], page.given_up) == (None, 1)
        # The values themselves are there.
        assert values["moves"]


LEAVING = """
from typing import NamedTuple
from endsight import Game

class Leaving(Game):
    "Whoever stays is paid; who leaves has lost."

    class State(NamedTuple):
        left: bool
    def limits(self): return self.State(True)
    def start(self): return self.State(False)
    def moves(self, state): return () if state.left else ("stay", "leave")
    def play(self, state, move): return self.State(move == "leave")
    def reward(self, state, move): return 1 if move == "stay" else 0
    def payoff(self, state): return 1
"""


def test_a_position_is_answered_though_the_start_has_no_value(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text(LEAVING, encoding="utf-8")
    name, page = f"{tmp_path}/leaving.py", Page()
    assert run("value", name).code == 3
    assert "can go on for ever" in page.failure("position", name)["message"]
    for _ in range(2):
        told, right = page.document("position", name, "stay leave"), ask("analyze", name, "--at", "stay leave")
        assert told["method"].pop("seconds") >= 0 <= right["method"].pop("seconds")
        assert told == right
        assert page.board(name, "stay leave")["values"]


def test_the_report_tells_of_the_whole_game_wherever_the_page_stands() -> None:
    view = PAGE.document("report page", "pots:4-9-2-7", "L")
    assert "Second gets 10 points" in view["verdict"]
    shares = {name: number["exact"] for name, number in view["sections"][0]["figures"].items()}
    assert shares == {"share_first": "1", "share_second": "0"}
    assert view == PAGE.document("report page", "pots:4-9-2-7")
    stopped = Page(states=100).document("report page", "connectfour")
    assert stopped["verdict"] == "No verdict on the seats: more than 100 states."


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        ({"exact": "-1/3", "approx": -1 / 3}, "-1/3 ≈ -0.333333"),
        ({"exact": "2", "approx": 2.0}, "2"),
        ({"exact": f"1{'0' * 60}", "approx": 1e60}, "10000000000000000000… (61 digits)"),
        ({"exact": "-infinity", "approx": None}, "-∞"),
        ({"lower": {"exact": "-1/3", "approx": -1 / 3}, "upper": {"exact": "2", "approx": 2}}, "[-0.333334, 2.000000]"),
        ({"lower": {"exact": "infinity", "approx": None}, "upper": {"exact": "infinity", "approx": None}}, "∞"),
    ],
)
def test_numbers_of_a_report_read_on_the_page_as_in_python(figure: dict, text: str) -> None:
    assert figure_shown(figure) == text


def test_only_the_latest_solutions_are_kept() -> None:
    page = Page()
    for heap in range(1, 40):
        page.document("line", f"nim:heaps={heap}")
    assert len(page.solved) == 32


def test_random_seats_play_legal_moves_to_the_end() -> None:
    seats = {"player": "random", "chance": "roll"}
    moves = PAGE.document("page", "repeatbust:sides=3", seats=seats)["moves"]
    assert PAGE.document("page", "repeatbust:sides=3", " ".join(moves), seats=seats)["over"]


def test_a_review_tells_how_often_each_player_was_right() -> None:
    view = PAGE.document("review page", "tictactoe", "a1 b1 b2 c3", here=2)
    shares = [(row["player"], row["text"], row["right"], row["of"]) for row in view["accuracy"]]
    assert shares == [("first", "100 %", 2, 2), ("second", "50 %", 1, 2)]
    assert [point["is_mistake"] for point in view["course"]["points"]] == [None, False, True, False, False]
    assert view["board"].count("<use ") == 2  # the two stones of the first two moves


def test_fairness_is_said_in_a_sentence() -> None:
    view = PAGE.document("fairness page", "pots:4-9-2-7")
    assert view["headline"] == "With best play First is favoured: First wins 100 % and loses 0 %."
    assert {"name": "seat advantage", "text": "10"}.items() <= view["rows"][0].items()
    even = PAGE.document("fairness page", "tictactoe")
    assert even["headline"] == "The seats are even: First wins as often as Second."


LOTS = """
from typing import NamedTuple
from endsight import CHANCE, Game

class Lots(Game):
    "A lot says who is paid, and how much."
    paid: tuple[tuple[int, ...], ...]

    class State(NamedTuple):
        lot: int

    def setup(self): self.players = len(self.paid[0])
    def limits(self): return self.State(len(self.paid))
    def start(self): return self.State(0)
    def to_move(self, state): return CHANCE
    def moves(self, state): return () if state.lot else range(1, len(self.paid) + 1)
    def play(self, state, move): return self.State(move)
    def payoff(self, state): return self.paid[state.lot - 1]
"""


@pytest.mark.parametrize(
    ("paid", "told"),
    [
        ("3-0/0-1", "First wins as often as Second, but their values differ."),
        ("1-0/0-1", "The seats are even: First wins as often as Second."),
        (
            "1-0-0/0-1-0/0-0-1",
            "With best play First wins 33.3 % and loses 66.7 %; an even share of 3 players is 33.3 %.",
        ),
    ],
)
def test_seats_are_called_even_only_where_they_are(paid: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "lots.py").write_text(LOTS, encoding="utf-8")
    assert PAGE.document("fairness page", f"{tmp_path}/lots.py:Lots:paid={paid}")["headline"] == told


def experiment(spec: str, **fields: str) -> dict:
    reply = PAGE.reply("experiments page", spec, trial=fields)
    return reply["document"]["found"] if "document" in reply else reply["failure"]["error"]


def test_experiments_of_the_page_are_those_of_the_functions() -> None:
    sweep = experiment("repeatbust:sides=3", run="sweep", vary="sides", **{"from": "2", "to": "3"})
    worth = [es.solve(es.load(f"repeatbust:sides={sides}")).values()[0] for sides in (2, 3)]
    assert [row[1].split()[0] for row in sweep["rows"]] == list(map(str, worth))
    loss = experiment("repeatbust:sides=3", run="loss", subject="player", policy="never")
    found = es.policy_loss("repeatbust:sides=3", "player", "never")
    assert dict(loss["facts"])["gives away in total"].split()[0] == str(found.loss)
    sample = experiment(
        "tictactoe", run="simulate", games="20", seed="3", **{"policy-first": "random", "policy-second": "random"}
    )
    assert sum(int(row[1]) for row in sample["rows"]) == 20
    size = experiment("tictactoe", run="estimate")
    assert dict(size["facts"])["states"] == f"{es.estimate('tictactoe').states:,}"


def test_experiments_keep_the_policies_of_the_question() -> None:
    spec, fixed = "connectfour:width=3,height=2,line=3", {"second": "random"}

    def found(**fields: str) -> dict:
        return PAGE.document("experiments page", spec, fix=("second=random",), trial=fields)["found"]

    games = [es.load(f"connectfour:width={width},height=2,line=3") for width in (2, 3)]
    worth = [str(es.solve(game, fixed=fixed).values()[0]) for game in games]
    sweep = found(run="sweep", vary="width", **{"from": "2", "to": "3"})
    assert [row[1].split()[0] for row in sweep["rows"]] == worth
    assert dict(found(run="simulate", games="20")["facts"])["Exact value"].split()[0] == worth[-1]
    loss = es.policy_loss(games[-1], "first", "greedy", fixed=fixed).loss
    told = dict(found(run="loss", subject="first", policy="greedy")["facts"])
    assert told["gives away in total"].split()[0] == str(loss)


def test_experiments_refuse_what_makes_no_sense() -> None:
    assert "range" in experiment("repeatbust", run="sweep", vary="sides", **{"from": "2", "to": "9999"})["message"]
    assert "parameter" in experiment("repeatbust", run="sweep", vary="nothing", **{"from": "2", "to": "3"})["message"]
    assert "number" in experiment("repeatbust", run="simulate", games="many")["message"]
    assert "policy" in experiment("repeatbust", run="loss", subject="player", policy="../evil.py:f")["message"]


def test_the_explorer_has_a_column_for_every_position_on_the_way() -> None:
    view = PAGE.document("explorer page", "pots:4-9-2-7", "R L L", here=2)
    columns = [[(row["move"], row["result"], row["here"]) for row in column["rows"]] for column in view["columns"]]
    assert columns[0] == [("R", "16", True), ("L", "11", False)]
    assert columns[1] == [("L", "6", True), ("R", "6", False)]
    assert len(columns) == 3
    assert view["counts"] == {"L": {"replies": 1, "positions": 2}, "R": {"replies": 1, "positions": 2}}
    end = PAGE.document("explorer page", "pots:4-9", "L L")
    assert (end["over"], end["counts"], end["columns"][-1]["rows"]) == (True, {}, [])
