"""The files in this folder, as version 0.1.0 makes them: `python tests/known/0.1/make.py FOLDER`.

Run it with version 0.1.0 only (`git worktree add OLD 0e945a4`): what later versions make is not what is kept here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shlex import split
from shutil import copy, rmtree

HERE = Path(__file__).resolve().parent
RULES = "countdown.py:Countdown"

SOLUTIONS = {
    "graph": "dominoes:n=3 --method graph",
    "dense": "nim:heaps=2-3 --method graph",
    "best": "tictactoe:width=2,height=2,line=2 --best",
    "text-keys": f"{RULES} --engine plain",
    "lead": "pots:4-9-2-7 --utility lead --engine plain",
    "fixed": "pots:4-9-2-7 --fix second=bigger",
    "policy": "pots:4-9-2-7 --fix second=countdown.py:last",
    "set-up": "nim:heaps=3-4-5 --position 1-0-2",
    "fractions": "repeatbust:sides=3 --engine plain",
    "ends": "pig:target=6 --interval --engine plain",
    "layers": "connectfour:width=3,height=3,line=3 --method layers --engine compiled",
    "disk": "connectfour:width=3,height=3,line=3 --mode disk --workers 1",
    "disk-own-layers": "dodgem:size=3 --mode disk --workers 1",
    "cluster": "connectfour:width=3,height=2,line=3 --mode cluster --workers 1",
    "rounds": "countdown.py:Ladder --interval --method layers --engine compiled --mode memory",
    "rounds-disk": "countdown.py:Ladder --interval --method layers --engine compiled --mode disk",
}
"""Arguments of `endsight solve`."""

JOBS = {
    "memory": ("connectfour:width=3,height=3,line=3 --mode memory", 2),
    "disk": ("connectfour:width=3,height=2,line=3 --mode disk --workers 1", 4),
    "disk-own-layers": ("dodgem:size=3 --mode disk --workers 1", 7),
    "cluster": ("connectfour:width=3,height=2,line=3 --mode cluster --workers 1", 4),
    "rounds-memory": ("countdown.py:Ladder --interval --method layers --engine compiled --mode memory", 5),
    "rounds-disk": ("countdown.py:Ladder --interval --method layers --engine compiled --mode disk", 5),
}
"""The same, and after how many commits the process ends as if killed."""

CERTIFICATES = {
    "bounds": "tictactoe",
    "bounds-position": 'connectfour:width=4,height=4 --at "2 3"',
    "chance": "repeatbust:sides=3 --method graph",
    "loops": "dodgem:size=3",
    "loops-chance": "pig:target=6 --interval",
    "wide": "countdown.py:Unequal",
    "one-side": "countdown.py:Hasty",
    "induction": "countdown.py:Three",
    "distribution": "pigturn --dist player",
    "myopic": "repeatbust:sides=3 --fix player=myopic",
    "policy": "pots:4-9-2-7 --fix second=countdown.py:last",
    "cooperative": "pots:4-9-2-7 --objective cooperative",
    "theorem-nim": "nim",
    "theorem-pots": "pots:4-9-2-7-3-8-1-6",
    "theorem-rpsbag": "rpsbag:100-0-200/0-300-0",
    "theorem-highcard": "highcard:hand=1-3-5-7,rival=8-x-4-x",
    "theorem-dominoes": "dominoes:n=8",
    "induction-cooperative": "hiddenpots:count=6,max=3 --objective cooperative",
    "theorem-repeatbust": "repeatbust",
}
"""Arguments of `endsight prove`."""

KILLED = """
import os, sys
from endsight.storage import checkpoint, saving
saving.PART_ROWS = 64
from endsight.layered import modes, own_phases, table, work
table.PART_ROWS, work.SMALL, modes._LEAST_TASK, modes._MOST_TASK = 64, 50, 60_000, 60_000
own_phases._FEWEST = 1
left = int(os.environ["COMMITS"])
write = checkpoint.Checkpoint._write
def counted(self):
    global left
    write(self)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), 9)
checkpoint.Checkpoint._write = counted
from endsight.cli import main
if __name__ == "__main__":
    sys.argv = ["endsight", "solve", *sys.argv[1:]]
    main()
"""


def endsight(*arguments: str, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-m", "endsight", *arguments], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        print(" ".join(arguments), done.returncode, done.stderr, file=sys.stderr)
    return done.stdout


def make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if folder.resolve() != HERE:
        copy(HERE / "countdown.py", folder)
    manifest: dict[str, dict[str, dict[str, object]]] = {"solutions": {}, "jobs": {}, "certificates": {}}
    for name, text in SOLUTIONS.items():
        rmtree(folder / "solutions" / name, ignore_errors=True)
        (folder / "solutions").mkdir(exist_ok=True)
        arguments = text.split()
        endsight("solve", *arguments, "-o", f"solutions/{name}", cwd=folder)
        found = json.loads(endsight("status", f"solutions/{name}", "--json", cwd=folder))
        manifest["solutions"][name] = {
            "command": f"endsight solve {text}",
            **{key: found[key] for key in ("states", "rows", "value", "lower", "upper", "distance")},
        }
    for name, (text, commits) in JOBS.items():
        rmtree(folder / "jobs" / name, ignore_errors=True)
        (folder / "jobs").mkdir(exist_ok=True)
        script = folder / "killed.py"
        script.write_text(KILLED)
        subprocess.run(
            [sys.executable, str(script), *text.split(), "-o", f"jobs/{name}"],
            cwd=folder,
            capture_output=True,
            env={**os.environ, "COMMITS": str(commits)},
        )
        script.unlink()
        (folder / "jobs" / name / "LOCK").unlink(missing_ok=True)
        found = json.loads(endsight("status", f"jobs/{name}", "--json", cwd=folder))
        answer = json.loads(endsight("value", *_question(text), "--json", cwd=folder))
        manifest["jobs"][name] = {
            "command": f"endsight solve {text}",
            "done": len(found["done"]),
            **{key: answer[key] for key in ("value", "lower", "upper")},
        }
    for name, text in CERTIFICATES.items():
        (folder / "certificates").mkdir(exist_ok=True)
        endsight("prove", *split(text), "-o", f"certificates/{name}.cert", cwd=folder)
        rules = [f"countdown.py:{text.split(':')[1]}"] if text.startswith("countdown") else []
        policy = ["--fix", text.split("--fix ")[1]] if "=countdown.py" in text else []
        out = endsight("verify", f"certificates/{name}.cert", *rules, *policy, "--json", cwd=folder)
        found = json.loads(out) if out else {}
        evidence = json.loads((folder / "certificates" / f"{name}.cert").read_text())["evidence"]
        manifest["certificates"][name] = {
            "command": f"endsight prove {text}",
            "kind": evidence["kind"] + (f": {evidence['theorem']}" if "theorem" in evidence else ""),
            "verify": [*rules, *policy],
            **{key: found.get(key) for key in ("claim", "verdict")},
        }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")


def _question(text: str) -> list[str]:
    """The question of a solve, without where it works."""
    words = text.split()
    return words[: words.index("--mode")] if "--mode" in words else words


if __name__ == "__main__":
    os.environ["ENDSIGHT_CACHE_DIR"] = str(Path(sys.argv[1]).resolve() / ".cache")
    make(Path(sys.argv[1]).resolve())
    rmtree(Path(sys.argv[1]) / ".cache", ignore_errors=True)
