"""How long short commands take, start of Python included: cold and warm, beside `import numpy`.

    python benchmarks/starts.py [--runs 15] [--cold 5] [--all] [--against SOURCES] [COMMAND ...]

The commands run in turn, so that a busy machine is busy for all of them; printed are the
medians of wall time and of computing time (user and system). Warm commands find compiled
rules of an earlier run; cold ones compile a game that has never been asked about, in an
empty folder for compiled rules. With `--all` every built-in game is started, cold and then
warm, at a size for which its rules are compiled. `--against` names the folder `src` of another checkout to
run the same commands with. Each COMMAND, such as "value pigturn", is run in place of the listed ones.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

PROGRAM = ["-m", "endsight"]
WARM = (
    "value connectfour:width=4,height=4",
    "analyze connectfour:width=4,height=4",
    "value connectfour:width=4,height=4 --json",
    "value tictactoe",
    "value dominoes:n=5",
    "value pots:4-9-2-7",
    "--help",
)
COLD = ("value connectfour:width=4,height=4", "value chomp:width=10,height=10", "value dominoes:n=6 --method layers")

# Every built-in game: as people would ask where that compiles by itself, else told to. Exact values
# of the large games of chance take half a minute, whatever the start; so they are asked for ends.
COMPILED = "--engine compiled --method graph"
GAMES = (
    "value connectfour:width=4,height=4",
    "analyze connectfour:width=4,height=4",
    "value connectfour:width=4,height=4 --method search",
    "value tictactoe:width=4,height=3",
    "value tictactoe:width=4,height=3 --method search",
    "value chomp:width=10,height=10",
    "analyze chomp:width=8,height=8",
    "value chomp:width=8,height=8 --method search",
    "value hexapawn:width=5,height=4",
    "value hexapawn:width=4,height=5 --method search",
    "value dodgem:size=4",
    "value dominoes:n=6 --method layers",
    "value dominoes:n=7 --method search",
    "value nim:heaps=5-6-7 --method layers",
    f"value nim {COMPILED}",
    "value pots:4-9-2-7-3-8-1-6 --method layers",
    f"value pots:4-9-2-7-3-8-1-6 --objective cooperative {COMPILED}",
    f"value hiddenpots:count=4,max=4 {COMPILED}",
    f"value highcard:hand=1-3-5-7,rival=8-x-4-x {COMPILED}",
    f"value rpsbag:100-0-200/0-300-0/1-2-3 {COMPILED}",
    f"value repeatbust {COMPILED}",
    f"value pigturn {COMPILED}",
    f"value blackjack {COMPILED}",
    f"value hazardstop {COMPILED}",
    f"value scorecard {COMPILED}",
    "value pig --interval",
    "value bigpig --interval",
    "value piglet:target=100 --interval",
    "value twodicepig --interval",
    "value ur:pieces=2",
)


@dataclass
class Row:
    """One command in one setting, with the times of its runs in seconds."""

    name: str
    command: list[str]
    environment: dict[str, str]
    is_cold: bool = False
    wall: list[float] = field(default_factory=list)
    computing: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Run once more."""
        if self.is_cold:
            with tempfile.TemporaryDirectory() as folder:
                self._timed({**self.environment, "ENDSIGHT_CACHE_DIR": folder})
        else:
            self._timed(self.environment)

    def _timed(self, environment: dict[str, str]) -> None:
        started = time.monotonic()
        process = subprocess.Popen(self.command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{self.name} ended with {process.returncode}")
        self.wall.append(time.monotonic() - started)
        self.computing.append(usage.ru_utime + usage.ru_stime)


def rows(commands: Sequence[str], sources: dict[str, dict[str, str]], *, is_cold: bool) -> list[Row]:
    found = [] if is_cold else [Row("import numpy", [sys.executable, "-c", "import numpy"], sources["ours"])]
    for command in commands:
        for name, environment in sources.items():
            whole = [sys.executable, *PROGRAM, *shlex.split(command)]
            found.append(Row(f"{command} ({name})", whole, environment, is_cold))
    return found


def measure(title: str, lines: list[Row], runs: int) -> None:
    print(f"\n| {title}, {runs} runs | wall, s | computing, s | least wall, s |\n|---|---|---|---|")
    for _ in range(runs):
        for line in lines:
            line.run()
    for line in lines:
        middle = statistics.median(line.wall), statistics.median(line.computing)
        print(f"| {line.name} | {middle[0]:.2f} | {middle[1]:.2f} | {min(line.wall):.2f} |", flush=True)


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15, help="of warm commands")
    parser.add_argument("--cold", type=int, default=5, help="runs of cold commands")
    parser.add_argument("--all", action="store_true", help="every built-in game in place of a few commands")
    parser.add_argument("--against", help="the folder src of another checkout")
    parser.add_argument("commands", nargs="*", help="in place of the listed ones")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Installed packages have bytecode beside their files; checkouts need not.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        bytecode = os.path.join(folder, "bytecode")
        sources = {"ours": {**kept, "PYTHONPYCACHEPREFIX": bytecode, "ENDSIGHT_CACHE_DIR": folder}}
        if options.against:
            sources["other"] = {**sources["ours"], "PYTHONPATH": options.against}
        if options.runs:
            warm = rows(options.commands or (GAMES if options.all else WARM), sources, is_cold=False)
            for line in warm:
                line.run()
                line.wall.clear(), line.computing.clear()
            measure("warm", warm, options.runs)
        if options.cold:
            for source in sources.values():
                subprocess.run([sys.executable, *PROGRAM, "value", "pig:target=5", "--interval"], env=source)
            measure(
                "cold", rows(options.commands or (GAMES if options.all else COLD), sources, is_cold=True), options.cold
            )


if __name__ == "__main__":
    main()
