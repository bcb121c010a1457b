"""Long work on the page: what is proven meanwhile, what cancelling keeps, and what is never left behind."""

from __future__ import annotations

import contextlib
import gc
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from amounts import each
from test_schemas import validate
from web_server import COUNTDOWN, Served, drop_workers_that_start, errors_after_an_early_end, page_limits, serving

RESTING = 2
"""So many workers may stand still in the middle of cancelled work."""

SLOW = COUNTDOWN.replace("    def play(", "    def weight(self, state, move): return 1\n    def play(").replace(
    "    def moves(self, state): yield",
    "    def moves(self, state):\n        import time; time.sleep(0.004)\n        yield",
)
"""Some 4 ms a position."""
STUCK = COUNTDOWN.replace("yield from", "\n        while state.left == 7: pass\n        yield from").replace(
    "def moves(self, state): ", "def moves(self, state):"
)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    file = tmp_path / "slow.py"
    file.write_text(SLOW, encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=30, memory=10**9, quick=1) as made:
        yield made


def begin(client: httpx.Client, **asked: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/jobs", json={"kind": "position", "game": "1:heap=400"} | asked)
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def later(client: httpx.Client, job: dict[str, Any], holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The job's document as soon as that holds."""
    until = time.monotonic() + 30
    while not holds(job):
        assert time.monotonic() < until, job
        time.sleep(0.05)
        job = client.get(f"/api/v1/jobs/{job['id']}").json()
        assert validate(job) == "job"
    return job


def is_long(job: dict[str, Any]) -> bool:
    """Whether the work goes on for so long that it is kept when it is cancelled."""
    return job["seconds"] > 0.8 and job["states"] > 50


def wait_for(found: Callable[[], Any]) -> Any:
    until = time.monotonic() + 20
    while not found():
        assert time.monotonic() < until
        time.sleep(0.05)
    return found()


def has_ended(process: int) -> bool:
    """Whether only its number is left of a process."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    return True


def test_a_running_job_tells_what_is_proven(served: Served) -> None:
    begun = begin(served.client, game="1:heap=900")
    job = later(served.client, begun, lambda job: job["proven"] and job["seconds"] > 1)
    assert job["state"] == "running"
    assert validate(job["proven"]) == "position"
    assert job["proven"]["status"] == "enclosed"
    assert job["proven"]["lower"]["first"]["exact"] == "-1"
    page = served.get("/games/1:heap=900").text
    assert "<h2>Solving</h2>" in page
    assert "either may win." in page
    done = later(served.client, job, lambda job: job["state"] == "done")
    assert (done["proven"], done["result"]["status"]) == (None, "exact")


def test_cancelled_work_stands_still_and_goes_on_when_it_is_asked_for_again(served: Served) -> None:
    client = served.client
    job = later(client, begin(client), is_long)
    cancelled = client.delete(f"/api/v1/jobs/{job['id']}").json()
    assert (cancelled["state"], validate(cancelled)) == ("cancelled", "job")
    (worker,) = wait_for(lambda: served.still)
    process = psutil.Process(worker.process)
    used = process.cpu_times().user
    time.sleep(0.5)
    assert process.cpu_times().user - used < 0.1
    # Another kind of document of the same position is served by that work as well.
    again = begin(client, kind="line")
    assert (again["state"], again["states"] >= job["states"]) == ("running", True)
    done = later(client, again, lambda job: job["state"] not in ("waiting", "running"))
    assert (done["state"], done["result"]["schema"]) == ("done", "endsight.line/1")
    assert not [other for other in served.workers if other.is_resting]
    assert worker.process in [other.process for other in served.workers]
    # What was asked first is answered by it too.
    assert client.get("/api/v1/games/1:heap=600/position", timeout=20).json()["status"] == "exact"


def test_a_look_at_the_board_in_between_does_not_lose_the_work(served: Served) -> None:
    text = served.get("/games/1:heap=900").text
    number = re.search(r'name="job" value="([^"]+)"', text)[1]  # type: ignore[index]
    job = later(served.client, served.get(f"/api/v1/jobs/{number}").json(), is_long)
    served.client.post("/cancel", data={"job": number, "back": "/games/1"})
    assert "Values are hidden" in served.get("/games/1:heap=900?hide=1").text
    until = time.monotonic() + 20
    while not (again := re.search(r": ([\d,]+) positions", served.get("/games/1:heap=900").text)):
        assert time.monotonic() < until  # a busy machine has not begun yet
    assert int(again[1].replace(",", "")) >= job["states"]
    assert sum(worker.is_apart for worker in served.workers) == 1


def test_time_at_rest_does_not_count(tmp_path: Path) -> None:
    """The rest alone is longer than the limit."""
    file = tmp_path / "slow.py"
    file.write_text(SLOW, encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=6, memory=10**9, quick=1) as served:
        job = later(served.client, begin(served.client, game="1:heap=350"), is_long)
        served.client.delete(f"/api/v1/jobs/{job['id']}")
        wait_for(lambda: served.still)
        time.sleep(6.2)
        again = begin(served.client, game="1:heap=350")
        assert later(served.client, again, lambda job: job["state"] != "running")["state"] == "done"


def test_a_limit_that_is_reached_after_a_rest_is_told_to_whoever_waits(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW, encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=2, memory=10**9, quick=1) as served:
        job = later(served.client, begin(served.client, game="1:heap=4000"), is_long)
        served.client.delete(f"/api/v1/jobs/{job['id']}")
        again = begin(served.client, game="1:heap=4000", kind="line")
        ended = later(served.client, again, lambda job: job["state"] != "running")
        assert (ended["state"], ended["problem"]["status"]) == ("failed", 504)
        assert ended["problem"]["document"]["lower"]["first"]["exact"] == "-1"
        assert ended["seconds"] < 3, "it did not begin again from nothing"


def test_work_that_does_not_stand_still_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_limits(monkeypatch, stopping=0.3)
    file = tmp_path / "stuck.py"
    file.write_text(STUCK, encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=30, memory=10**9, quick=1) as served:
        job = begin(served.client, game="1:heap=9")
        (worker,) = wait_for(lambda: [worker for worker in served.workers if worker.is_apart])
        served.client.delete(f"/api/v1/jobs/{job['id']}")
        wait_for(lambda: not psutil.pid_exists(worker.process) or has_ended(worker.process))
        wait_for(lambda: worker.process not in [other.process for other in served.workers])
        assert served.get("/api/v1/games/nim/position").status_code == 200


def test_only_a_few_rest_and_not_for_ever(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    for heap in range(600, 600 + RESTING + 1):
        job = begin(served.client, game=f"1:heap={heap}")
        later(served.client, job, is_long)
        # A job's seconds begin when it is asked for, which may be before its worker has started.
        wait_for(lambda: [each for each in served.workers if each.is_apart and not each.is_resting])
        served.client.delete(f"/api/v1/jobs/{job['id']}")
    wait_for(lambda: {worker.game.partition(":heap=")[2] for worker in served.still} == {"601", "602"})
    page_limits(monkeypatch, rest=0.0)
    wait_for(lambda: not [worker for worker in served.workers if worker.is_resting])


def test_nothing_rests_where_memory_is_short(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    job = later(served.client, begin(served.client), is_long)
    served.client.delete(f"/api/v1/jobs/{job['id']}")
    wait_for(lambda: served.still)
    page_limits(monkeypatch, free=0)
    wait_for(lambda: not [worker for worker in served.workers if worker.is_resting])
    again = begin(served.client)
    assert again["states"] < job["states"], "it begins anew"
    served.client.delete(f"/api/v1/jobs/{again['id']}")


def test_woken_work_that_nobody_waits_for_rests_again(served: Served) -> None:
    job = later(served.client, begin(served.client), is_long)
    served.client.delete(f"/api/v1/jobs/{job['id']}")
    wait_for(lambda: served.still)
    again = begin(served.client, kind="line")
    assert not served.still
    served.client.delete(f"/api/v1/jobs/{again['id']}")
    wait_for(lambda: served.still)


def test_nothing_is_left_when_the_server_ends(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    file = tmp_path / "rules" / "slow.py"
    file.write_text(SLOW, encoding="utf-8")
    with serving([f"{file}:Countdown"], quick=1) as served:
        job = later(served.client, begin(served.client), is_long)
        served.client.delete(f"/api/v1/jobs/{job['id']}")
        (worker,) = wait_for(lambda: served.still)
    with pytest.raises(ProcessLookupError):
        os.kill(worker.process, 0)
    assert [path.name for path in file.parent.iterdir() if path.name != "__pycache__"] == ["slow.py"]


def test_rules_that_never_return_meet_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_limits(monkeypatch, grace=30)  # a busy machine hears the limit late
    file = tmp_path / "stuck.py"
    file.write_text(STUCK.replace("== 7", "== 3"), encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=1, memory=10**9, quick=1) as served:
        job = later(served.client, begin(served.client), lambda job: job["state"] not in ("waiting", "running"))
        assert (job["state"], job["problem"]["status"]) == ("failed", 504)
        assert job["problem"]["document"]["upper"]["first"]["exact"] == "1"


def test_work_that_was_ended_says_what_was_proven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_limits(monkeypatch, grace=0.2)
    file = tmp_path / "stuck.py"
    file.write_text(STUCK.replace("== 7", "== 3 and sum(range(10**10))"), encoding="utf-8")
    with serving([f"{file}:Countdown"], seconds=1, memory=10**9, quick=1) as served:
        job = later(served.client, begin(served.client), lambda job: job["state"] not in ("waiting", "running"))
        assert (job["state"], job["problem"]["status"]) == ("failed", 503)
        # What it told last: nothing, or on a slow machine some of the heaps of 400 down to 4 that it had met.
        assert 0 <= job["states"] <= 397
        assert job["problem"]["document"]["upper"]["first"]["exact"] == "1"


# Tables and distributions try the start first, for a second.
@pytest.mark.parametrize(
    ("page", "heap", "seconds"),
    [
        ("dist", 320, 1.7),
        ("proof", 220, 0.6),
        pytest.param("table", 320, 1.7, marks=pytest.mark.slow),
        pytest.param("review", 220, 0.6, marks=pytest.mark.slow),
    ],
)
def test_pages_that_take_long_show_how_far_they_are(
    page: str, heap: int, seconds: float, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    page_limits(monkeypatch, page=seconds)
    path = f"/games/1:heap={heap}/{page}?at=1"
    text = served.get(path).text
    assert "This takes a while" in text
    assert "<h2>Solving</h2>" in text
    assert "either may win" in text
    assert 'http-equiv="refresh"' in text
    number = re.search(r'name="job" value="([^"]+)"', text)[1]  # type: ignore[index]
    back = served.client.post("/cancel", data={"job": number, "back": "/games/1?hide=1"})
    assert back.headers["location"] == "/games/1?hide=1"
    (worker,) = wait_for(lambda: served.still)
    # Asked for again the page comes from the same work.
    until = time.monotonic() + 30
    while "data-poll" in (text := served.get(path).text):
        assert time.monotonic() < until
    assert "This takes a while" not in text
    assert [other.is_resting for other in served.workers if other.process == worker.process] == [False]


def test_a_worker_that_ends_before_it_is_ready_leaves_no_error_behind() -> None:
    errors = errors_after_an_early_end()
    gc.collect()
    assert not errors


@pytest.mark.parametrize("steps", each(range(12), lambda steps: steps % 4 == 1))
def test_a_worker_that_is_dropped_while_it_starts_leaves_no_process_behind(steps: int) -> None:
    """However far it has come: what is left of it would be an unraisable error, which pytest reports."""
    drop_workers_that_start(steps)
    gc.collect()
