"""Solves in files: what a state costs in time, memory and on the disk, against the number of states.

    python benchmarks/layered.py            the smaller sizes, a few minutes
    python benchmarks/layered.py --large    Connect Four 5x5 and dominoes of 9 values as well
    python benchmarks/layered.py --only scorecard   the sizes of one game
    python benchmarks/layered.py --modes    one game in memory, on the disk by 1, 2, 3, 8 workers, on a cluster of two

Processor time is that of the whole process tree, user and system. Every solve is a process of
its own, after one that is not counted, so that nothing has to be compiled. "disk" is the most
that the folder held at any time, looked at every 50 ms.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import psutil

SIZES = {
    "connectfour": ["width=4,height=4", "width=5,height=4", "width=4,height=6", "width=5,height=5"],
    "dominoes": ["n=6", "n=7", "n=8", "n=9"],
    "scorecard": ["dice=3,sides=5", "dice=3,sides=6", "dice=4,sides=6,rerolls=2", "dice=5,sides=6,rerolls=2"],
    "tictactoe": ["width=3,height=3", "width=4,height=3", "width=5,height=3,line=3", "width=4,height=4,line=4"],
}
LARGE = {"width=5,height=5", "n=9"}
CHANCE = {"scorecard"}
"""Their values are ends, and every state stands in several layers."""


def folder_size(folder: Path) -> int:
    """Bytes of all files that can be seen in the moment."""
    total = 0
    for place, _, names in os.walk(folder):  # passes over what goes away meanwhile
        for name in names:
            with suppress(OSError):
                total += Path(place, name).stat().st_size
    return total


def peak(process: psutil.Process) -> int:
    """Memory of a process and all below it, shared pages counted once."""
    try:
        return sum(part.memory_full_info().pss for part in (process, *process.children(recursive=True)))
    except psutil.Error:
        return 0


def solved(game: str, folder: Path, *options: str) -> dict[str, float]:
    """Run `endsight solve` and watch it."""
    command = [sys.executable, "-m", "endsight", "solve", game, "-o", str(folder), *options]
    before, began = os.times(), time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    memory = disk = 0
    while child.poll() is None:
        memory = max(memory, peak(psutil.Process(child.pid)))
        disk = max(disk, folder_size(folder))
        time.sleep(0.05)
    assert child.returncode == 0, child.stderr.read() if child.stderr else ""
    after = os.times()
    return {
        "wall": time.monotonic() - began,
        "cpu": after.children_user + after.children_system - before.children_user - before.children_system,
        "memory": memory,
        "disk": disk,
        "table": folder_size(folder),
    }


def states_of(folder: Path) -> int:
    from endsight.storage.manifest import read_manifest

    manifest = read_manifest(folder)
    assert manifest is not None
    return manifest.states


def checksum(folder: Path) -> str:
    """Of all files of a solution."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "LOCK":
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def names(large: bool, only: str | None) -> Iterator[str]:
    for game, sizes in SIZES.items():
        for size in sizes:
            if only in (None, game) and (large or size not in LARGE):
                yield f"{game}:{size}"


def sizes(root: Path, large: bool, memory: str, only: str | None) -> None:
    print(f"{'game':<34}{'states':>12}{'us/state':>10}{'MB':>7}{'disk B':>8}{'table B':>9}")
    for number, game in enumerate(names(large, only)):
        if game.split(":")[1] not in LARGE:
            solved(game, root / f"warm{number}", "--mode", "disk")
        folder = root / str(number)
        kind = ["--interval"] if game.partition(":")[0] in CHANCE else []
        cost = solved(game, folder, "--mode", "disk", "--memory", memory, *kind)
        states = states_of(folder)
        print(
            f"{game:<34}{states:>12,}{cost['cpu'] / states * 1e6:>10.2f}{cost['memory'] / 1e6:>7.0f}"
            f"{cost['disk'] / states:>8.2f}{cost['table'] / states:>9.2f}",
            flush=True,
        )


def modes(root: Path, game: str, memory: str) -> None:
    ways = {
        "memory": ["--mode", "memory"],
        "disk, 1 worker": ["--mode", "disk", "--workers", "1", "--memory", memory],
        "disk, 2 workers": ["--mode", "disk", "--workers", "2", "--memory", memory],
        "disk, 3 workers": ["--mode", "disk", "--workers", "3", "--memory", memory],
        "disk, 8 workers": ["--mode", "disk", "--workers", "8", "--memory", memory],
        "cluster, 2 workers": ["--mode", "cluster", "--workers", "2", "--memory", memory],
    }
    print(f"{game}\n{'mode':<22}{'wall s':>8}{'cpu s':>8}{'MB':>7}  checksum")
    for number, (name, options) in enumerate(ways.items()):
        cost = solved(game, root / str(number), *options)
        seconds = f"{cost['wall']:>8.1f}{cost['cpu']:>8.1f}"
        print(f"{name:<22}{seconds}{cost['memory'] / 1e6:>7.0f}  {checksum(root / str(number))}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--modes", action="store_true")
    parser.add_argument("--only", choices=list(SIZES), help="the sizes of one game")
    parser.add_argument("--game", default="connectfour:width=5,height=5", help="for --modes")
    parser.add_argument("--memory", default="1GB")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        if arguments.modes:
            modes(Path(root), arguments.game, arguments.memory)
        else:
            sizes(Path(root), arguments.large, arguments.memory, arguments.only)


if __name__ == "__main__":
    main()
