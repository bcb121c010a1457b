"""How true the rest of the time is that progress tells: solves and exports of named games, in memory and on the disk.

    python benchmarks/progress.py [--known] [--clock] [--exports | --fields] [GAME ...]

Two shares are printed for each run. The first is of all moments between a tenth of the way and the last tenth of a
second: those at which the rest that was told last was within a factor of two of the truth. The second is what people
see: of all moments from a tenth of the way on at which the line stands, which is from the first second on, those at
which its whole seconds were within a factor of two of the true ones, also in whole seconds and 1 at least.

Each solve runs in a process of its own that finds nothing compiled and no size known; with `--known` it finds what
earlier runs have left. Times are seconds of computing, so that other work beside does not count; with `--clock` they
are those of the clock. `--exports` exports what was solved, too, in the game's own text; `--fields` does so as fields.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from bisect import bisect_right
from pathlib import Path
from time import monotonic, process_time

import endsight as es
from endsight.cost.census import Expecting
from endsight.cost.remaining import Remaining
from endsight.faces.cli.progress import PATIENCE
from endsight.game.limits import Activity, Budget, Limits
from endsight.game.question import Question
from endsight.layers.modes import Mode, Solve
from endsight.storage.export import write_export

MOMENTS = 400
"""At which a run is looked at."""
GAMES = (
    "connectfour:width=4,height=6",
    "tictactoe:width=4,height=4,line=4",
    "tictactoe:width=5,height=3,line=3",
    "dominoes:n=6",
    "dodgem:size=4",
    "hexapawn:width=6,height=4",
    "chomp:width=11,height=11",
    "nim:heaps=80-80-80-9",
    "pig:target=100",
    "ur:pieces=4",
    "goofspiel:cards=6",
    "tictactoe:width=6,height=3,line=3",
)


class Recorder:
    """Hears progress, and keeps when what rest was told; `by_clock` goes by the clock, not by what was computed."""

    def __init__(self, *, by_clock: bool) -> None:
        self.time = monotonic if by_clock else process_time
        self.began, self.worked = self.time(), process_time()
        self.remaining = Remaining()
        self.told: list[tuple[float, float]] = [(0.0, float("inf"))]

    def __call__(self, doing: Activity, states: int) -> None:
        now = self.time() - self.began
        self.told.append((now, self.remaining.seconds(doing, states, now, process_time() - self.worked)))

    def tell(self, what: str) -> None:
        """Print how long it all took, and the two shares."""
        whole = self.time() - self.began
        rests = [
            (moment, whole - moment, self._last(moment))
            for moment in (whole * part / MOMENTS for part in range(MOMENTS // 10, MOMENTS))
        ]
        told = [_are_near(true, rest) for moment, true, rest in rests if true > 0.1]
        shown = [_are_near(_whole(true), _whole(rest)) for moment, true, rest in rests if moment > PATIENCE]
        print(f"{what:52} {whole:7.1f} s  told {_share(told)}  shown {_share(shown)}", flush=True)

    def _last(self, moment: float) -> float:
        return self.told[bisect_right(self.told, (moment, float("inf"))) - 1][1]


def _are_near(true: float, told: float) -> bool:
    return true / 2 <= told <= 2 * true


def _whole(seconds: float) -> float:
    """As `endsight.faces.cli.progress` shows them."""
    return max(1.0, seconds if seconds == float("inf") else round(seconds))


def _share(good: list[bool]) -> str:
    return f"{100 * sum(good) / len(good):3.0f} %" if good else "  - "


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--exports", action="store_true")
    parser.add_argument("--fields", action="store_true")
    parser.add_argument("--alone", choices=("memory", "disk"), help="this way only, in this process")
    parser.add_argument("games", nargs="*", default=GAMES)
    asked = parser.parse_args()
    for spec in asked.games:
        for mode in (asked.alone,) if asked.alone else ("memory", "disk"):
            with tempfile.TemporaryDirectory() as folder:
                if asked.alone:
                    _tell(spec, mode, Path(folder), asked)
                else:
                    given = [word for word in sys.argv[1:] if word.startswith("--")]
                    command = [sys.executable, __file__, *given, "--alone", mode, spec]
                    own = {} if asked.known else {"ENDSIGHT_CACHE_DIR": folder}
                    subprocess.run(command, env=os.environ | own, check=False)


def _tell(spec: str, mode: Mode, folder: Path, asked: argparse.Namespace) -> None:
    position = es.load(spec).position()
    heard = Recorder(by_clock=asked.clock)
    budget = Budget(Limits(), Expecting(heard, position, Question(), symmetry=True))
    try:
        Solve(folder / "it", position, Question(), mode=mode, budget=budget).stored()
    except es.EndsightError as error:
        print(f"{spec:36} {mode:7} refused: {error}")
        return
    heard.tell(f"{spec:36} {mode}")
    if asked.exports or asked.fields:
        heard = Recorder(by_clock=asked.clock)
        write_export(
            es.open_tablebase(folder / "it", position.game),
            "csv",
            folder / "it.csv",
            progress=heard,
            fields=asked.fields,
        )
        heard.tell(f"{spec:36} {mode}, export")


if __name__ == "__main__":
    main()
