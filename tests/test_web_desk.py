"""What a worker keeps: solutions that go on answering, each question with all of its time."""

from __future__ import annotations

import time

from endsight.faces.web.asking import Ask
from endsight.faces.web.desk import MOST_SOLUTIONS, Desk
from endsight.game.limits import Limits


def test_a_kept_solution_has_all_the_time_again_for_the_next_question() -> None:
    desk = Desk(Limits(seconds=0.6))
    assert "document" in desk.answer(Ask("position", "nim:heaps=2-3", method="graph"))
    time.sleep(0.7)
    later = desk.answer(Ask("position", "nim:heaps=2-3", "1:1", method="graph"))
    assert "document" in later, later
    assert sum(map(len, desk.solutions.values())) == 1


def test_the_course_of_a_game_is_found_from_a_position_in_its_middle(monkeypatch) -> None:
    monkeypatch.setattr("endsight.faces.web.desk._MOMENT", Limits(seconds=60))  # which takes its time on a busy machine
    view = Desk().answer(Ask("page", "tictactoe", "a1 b2 c3", extra={"show": True, "link": "/?at="}))["document"]
    assert [point["move"] for point in view["values"]["course"]["points"]] == ["", "a1", "b2", "c3"]


def test_a_start_that_is_too_big_is_tried_once(monkeypatch) -> None:
    monkeypatch.setattr("endsight.faces.web.desk._MOMENT", Limits(seconds=60, states=20_000))
    desk = Desk()
    ask = Ask("page", "connectfour:width=4,height=4", "1 1 1 1 2 2 2 2 3 3", extra={"show": True, "link": "/?at="})
    view = desk.answer(ask)["document"]
    assert view["values"]["course"] is None
    assert desk.too_long == {ask.solution_key}
    # The values themselves are there.
    assert view["values"]["moves"]


def test_only_the_latest_solutions_are_kept() -> None:
    desk = Desk()
    for heap in range(1, MOST_SOLUTIONS + 5):
        assert "document" in desk.answer(Ask("line", f"nim:heaps={heap}"))
    assert len(desk.solutions) == MOST_SOLUTIONS


def test_random_seats_play_legal_moves_to_the_end() -> None:
    seats = {"player": "random", "chance": "roll"}
    reply = Desk().answer(Ask("page", "repeatbust:sides=3", extra={"seats": seats, "link": "/?at="}))
    moves = reply["document"]["moves"]
    end = Desk().answer(Ask("page", "repeatbust:sides=3", " ".join(moves), extra={"seats": seats, "link": "/?at="}))
    assert end["document"]["over"]
