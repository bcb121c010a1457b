"""Solves killed at random moments go on: `python tests/storage_kills.py --kills 300 --seed 1`.

`endsight solve` runs as a process of its own and is killed (SIGKILL) at a random moment,
again and again into the same folder, until it completes. Whatever is in the folder by then
must be whole, and the finished files must be the same, byte for byte, as those of an undisturbed
solve. Then the folder is removed, and it begins anew, until so many were killed. With
`--pairs` two solves run side by side on one folder, and one of them is killed.

With `--mode disk` or `--mode cluster` the solve works in layers on files; of a cluster the
process that is killed is a worker as often as the solve itself, and no process may be left.
With `--mode scheduler` scheduler and workers are started beforehand, as by hand, and each of
the three is killed as often as the others; a cluster without its scheduler is started afresh.

Parts are small here, so that the moments of writing are as likely as those of solving.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random

import psutil

import thresholds
from command_line import run
from stored_folders import contents, unsealed

game = ["connectfour:width=4,height=3,line=3"]
"""What is solved."""
PART_ROWS = 32

# The command as it is, but with small parts: 113 of them for this game.
CHILD = f"""
{thresholds.small_stored_tasks(PART_ROWS)}
import sys
from endsight.faces.cli import main
if __name__ == "__main__":
    sys.argv = ["endsight", "solve", sys.argv[1], "-o", *sys.argv[2:]]
    main()
"""

options: list[str] = []
"""What the solves are asked for besides."""


class Cluster:
    """A scheduler and two workers, started as by hand."""

    def __init__(self) -> None:
        self.processes: list[psutil.Popen] = []

    def ready(self) -> None:
        """Start both where one of them is gone, and let the solves know the scheduler's address."""
        if self.processes and all(process.poll() is None for process in self.processes):
            return
        self.stop()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        host, _, port = address.partition(":")
        self._start("scheduler", "--host", host, "--port", port)
        self._start("worker", address, "--nworkers", "2", "--nthreads", "1")
        options[:] = ["--scheduler", f"tcp://{address}"]

    def _start(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        self.processes.append(psutil.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def strike(self, random: Random) -> str:
        """Kill the scheduler or one of the workers; says which."""
        scheduler, nannies = self.processes
        workers = nannies.children(recursive=True)
        if random.random() < 0.5 or not workers:
            scheduler.kill()
            return "the scheduler"
        with suppress(psutil.NoSuchProcess):
            random.choice(workers).kill()
        return "a worker"

    def stop(self) -> None:
        """End whatever of it still runs."""
        for process in self.processes:
            with suppress(psutil.NoSuchProcess):
                for each in (*process.children(recursive=True), process):
                    with suppress(psutil.NoSuchProcess):
                        each.kill()
            process.wait()
        self.processes.clear()


cluster = Cluster()


def start(folder: Path) -> subprocess.Popen[str]:
    if "--scheduler" in options:
        cluster.ready()
    command = [sys.executable, "-c", CHILD, *game, str(folder), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def kill_one(process: subprocess.Popen[str], random: Random) -> str:
    """Kill the solve, or as often something that works for it; says which."""
    if cluster.processes and random.random() < 2 / 3:
        struck = cluster.strike(random)
        process.wait()
        return struck
    workers = psutil.Process(process.pid).children(recursive=True)
    if workers and not cluster.processes and random.random() < 0.5:
        with suppress(psutil.NoSuchProcess):
            random.choice(workers).kill()
        process.wait()
        return "a worker"
    process.send_signal(signal.SIGKILL)
    return "the solve"


def undisturbed(folder: Path) -> tuple[dict[str, str], float]:
    """The files of a solve that nobody disturbs, and the seconds it took."""
    began = time.monotonic()
    process = start(folder)
    _, message = process.communicate()
    assert process.returncode == 0, message
    return contents(folder), time.monotonic() - began


def assert_whole(folder: Path) -> str:
    """A folder after a kill is a solution, the beginning of one, or nothing yet; never torn. Says which."""
    if (folder / "MANIFEST.json").exists():
        told = run("status", str(folder), "--check")
        assert told.code == 0, told
        return "complete"
    if not (folder / "PARTIAL.json").exists():
        return "nothing yet"
    done = unsealed(folder / "PARTIAL.json")["done"]
    for file in (file for entry in done.values() for file in entry["files"]):
        assert sha256((folder / file["path"]).read_bytes()).hexdigest() == file["sha256"], f"{file['path']} is torn"
    return f"parts {'kept' if done else 'not yet'}"


def kill_until_done(folder: Path, truth: dict[str, str], seconds: float, most: int, random: Random) -> Counter[str]:
    """Solve into the folder, killing at random moments, up to `most` times; then let it finish."""
    found: Counter[str] = Counter()
    while sum(found.values()) < most:
        process, struck = start(folder), ""
        try:
            process.wait(random.uniform(0, 1.1 * seconds))
        except subprocess.TimeoutExpired:
            struck = kill_one(process, random)
        _, message = process.communicate()
        assert_no_orphans()
        if process.returncode == 0:
            if struck:  # a solve that was done before anything was killed does not count
                found[f"{struck} killed, solved all the same"] += 1
            break
        # A solve whose cluster was killed may as well stop with a message, or not find it any more.
        has_lost_it = process.returncode == 5 and "cluster" in message
        found_none = process.returncode == 2 and struck == "the scheduler" and "no Dask scheduler" in message
        assert process.returncode == -signal.SIGKILL or has_lost_it or found_none, message
        found[f"{struck} killed, {assert_whole(folder)}"] += 1
    process = start(folder)
    _, message = process.communicate()
    assert process.returncode == 0, message
    assert_no_orphans()
    assert contents(folder) == truth, "the files differ from those of an undisturbed solve"
    return found


def side_by_side(folder: Path, truth: dict[str, str], seconds: float, random: Random) -> Counter[str]:
    """Two solves at once, one killed at a random moment; a third finishes."""
    processes = [start(folder), start(folder)]
    time.sleep(random.uniform(0, seconds))
    victim = random.choice(processes)
    victim.kill()
    found: Counter[str] = Counter()
    for process in processes:
        _, message = process.communicate()
        assert process.returncode in (0, 5, -signal.SIGKILL), message
        assert process.returncode != 5 or "is being written by another process" in message, message
        found[{0: "solved", 5: "busy"}.get(process.returncode, "killed")] += 1
    assert_whole(folder)
    return found + kill_until_done(folder, truth, seconds, 0, random)


def assert_no_orphans() -> None:
    """No worker outlives its solve for long; a cluster started beforehand may."""
    for _ in range(100):
        known = {each.pid for process in cluster.processes for each in _tree(process)}
        left = [other for other in psutil.process_iter() if other.pid not in known and _is_worker(other)]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"{len(left)} processes are left")


def _tree(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.NoSuchProcess):
        return [process, *process.children(recursive=True)]
    return []


def _is_worker(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return process.environ().get("ENDSIGHT_KILLS") == str(os.getpid()) and process.status() != "zombie"
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=0, help="runs of two solves side by side")
    parser.add_argument("--game", default=game[0], help="such as scorecard, which has chance")
    parser.add_argument("--mode", choices=["memory", "disk", "cluster", "scheduler"], default="memory")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game[:] = [arguments.game]
    options[:] = ["--scheduler", ""] if arguments.mode == "scheduler" else ["--mode", arguments.mode]
    os.environ["ENDSIGHT_KILLS"] = str(os.getpid())
    random, root = Random(arguments.seed), Path(tempfile.mkdtemp())
    found: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    rounds = 0
    try:
        truth, seconds = undisturbed(root / "truth")
        while sum(found.values()) < arguments.kills:
            left = arguments.kills - sum(found.values())
            found += kill_until_done(root / "killed", truth, seconds, left, random)
            shutil.rmtree(root / "killed")
            rounds += 1
        for _ in range(arguments.pairs):
            pairs += side_by_side(root / "pair", truth, seconds, random)
            shutil.rmtree(root / "pair")
    finally:
        cluster.stop()
        shutil.rmtree(root)
    print(f"seed {arguments.seed}: {sum(found.values())} kills in {rounds} solves: {dict(sorted(found.items()))}")
    print(f"{arguments.pairs} pairs: {dict(sorted(pairs.items()))}")
    print("every solve was completed, with the same bytes as an undisturbed one")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
