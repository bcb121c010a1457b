"""Solves killed at random moments go on: `python tests/storage_kills.py --kills 300 --seed 1`.

`endsight solve` runs as a process of its own and is killed (SIGKILL) at a random moment,
again and again into the same folder, until it completes. Whatever is in the folder by then
must be whole, and the finished files must be the same, byte for byte, as those of an undisturbed
solve. Then the folder is removed, and it begins anew, until so many were killed. With
`--pairs` two solves run side by side on one folder, and one of them is killed.

Parts are small here, so that the moments of writing are as likely as those of solving.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from random import Random

GAME = "connectfour:width=4,height=3,line=3"
PART_ROWS = 32

# The command as it is, but with small parts: 113 of them for this game.
CHILD = f"""
import sys
from endsight.storage import saving
saving.PART_ROWS = {PART_ROWS}
from endsight.cli import main
sys.argv = ["endsight", "solve", {GAME!r}, "-o", sys.argv[1]]
main()
"""


def start(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def digest(folder: Path) -> dict[str, str]:
    """Every file of a folder with its checksum."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def undisturbed(folder: Path) -> tuple[dict[str, str], float]:
    """The files of a solve that nobody disturbs, and the seconds it took."""
    began = time.monotonic()
    process = start(folder)
    _, message = process.communicate()
    assert process.returncode == 0, message
    return digest(folder), time.monotonic() - began


def assert_whole(folder: Path) -> str:
    """A folder after a kill is a solution, the beginning of one, or nothing yet; never torn. Says which."""
    from endsight.errors import FileError
    from endsight.storage.checkpoint import File, read_partial
    from endsight.storage.manifest import read_manifest
    from endsight.storage.status import check_files

    manifest = read_manifest(folder) if folder.exists() else None
    if manifest is not None:
        check_files(folder, manifest)
        return "complete"
    partial = read_partial(folder) if folder.exists() else None
    if partial is None:
        return "nothing yet"
    for entry in partial["done"].values():
        for file in [File(**file) for file in entry["files"]]:
            if sha256((folder / file.path).read_bytes()).hexdigest() != file.sha256:
                raise FileError(f"{file.path} is torn")
    return f"parts {'kept' if partial['done'] else 'not yet'}"


def kill_until_done(folder: Path, truth: dict[str, str], seconds: float, most: int, random: Random) -> Counter[str]:
    """Solve into the folder, killing at random moments, up to `most` times; then let it finish."""
    found: Counter[str] = Counter()
    while sum(found.values()) < most:
        process = start(folder)
        try:
            process.wait(random.uniform(0, 1.1 * seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        _, message = process.communicate()
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, message
        found[f"killed, {assert_whole(folder)}"] += 1
    process = start(folder)
    _, message = process.communicate()
    assert process.returncode == 0, message
    assert digest(folder) == truth, "the files differ from those of an undisturbed solve"
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=0, help="runs of two solves side by side")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
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
        shutil.rmtree(root)
    print(f"seed {arguments.seed}: {sum(found.values())} kills in {rounds} solves: {dict(sorted(found.items()))}")
    print(f"{arguments.pairs} pairs: {dict(sorted(pairs.items()))}")
    print("every solve was completed, with the same bytes as an undisturbed one")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
