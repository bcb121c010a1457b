"""A cluster that goes away in the middle of a solve: one message, nothing lost, and the same command goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

import thresholds
from command_line import run
from layer_runs import note_tasks
from stored_folders import contents

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the package distributed")

GAME = "connectfour:width=3,height=3,line=3"
CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=":0"
    )
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()  # until the test is over, however it ends
"""


@contextmanager
def cluster() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A scheduler and a worker in a process of their own; its address."""
    command = [sys.executable, "-c", CLUSTER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.kill()


def test_a_lost_scheduler_is_told_in_one_message_and_the_solve_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    thresholds.small_tasks_of_a_cluster(monkeypatch, 0)
    noted: list[str] = []
    with cluster() as (address, process), monkeypatch.context() as patch:

        def noting(name: str) -> None:
            noted.append(name)
            if name == "backward/0006/score-000000/0000":
                process.kill()
                process.wait()

        note_tasks(patch, noting)
        stopped = run("solve", GAME, "-o", str(tmp_path / "it"), "--scheduler", address)
    assert stopped.code == 5
    assert stopped.out == ""
    assert stopped.err.count("error:") == 1
    assert "stopped: the cluster went away" in stopped.err
    assert "the same command continues" in stopped.err
    assert "Traceback" not in stopped.err
    assert capfd.readouterr().err == ""

    done = len(noted)
    noted.clear()
    with cluster() as (address, _):
        note_tasks(monkeypatch, noted.append)
        resumed = run("solve", GAME, "-o", str(tmp_path / "it"), "--scheduler", address)
    assert resumed.code == 0, resumed.err
    assert "what was stored before was kept" in resumed.out
    assert not any(name.startswith("forward") for name in noted)
    assert done > len([name for name in noted if "backward" in name]) > 3
    assert run("solve", GAME, "-o", str(tmp_path / "whole"), "--mode", "disk", "--workers", "1").code == 0
    assert contents(tmp_path / "it") == contents(tmp_path / "whole")


def test_a_local_cluster_says_nothing_of_its_own(tmp_path: Path) -> None:
    """Dask has loggers and warnings; all that a user reads is ours."""
    asked = ["solve", GAME, "-o", str(tmp_path / "it"), "--mode", "cluster", "--workers", "2"]
    told = subprocess.run([sys.executable, "-m", "endsight", *asked], capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert "solved and stored" in told.stdout
