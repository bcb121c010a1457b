"""How true the rest of the time is that progress tells: solves and exports of named games, in memory and on the disk.

    python benchmarks/progress.py [--seconds 1] [--clock] [--exports | --fields] [GAME ...]

Of all moments between a tenth of the way and the last tenth of a second, the share in which the rest that was told
last, and that stands on the line, was within a factor of two of the truth. Runs of less than `--seconds` show no line
of progress and are left out. Times are seconds of computing, so that other work beside does not count; with `--clock`
they are those of the clock. `--exports` exports what was solved, too, in the game's own text; `--fields` does so as
fields.
"""

from __future__ import annotations

import argparse
import tempfile
from bisect import bisect_right
from pathlib import Path
from time import monotonic, process_time

import endsight as es
from endsight.cost.expecting import Expecting
from endsight.cost.remaining import Remaining
from endsight.game.activity import Activity
from endsight.game.limits import Budget, Limits
from endsight.game.question import Question
from endsight.layers.modes import solve_anywhere
from endsight.storage.export import write_export

MOMENTS = 400
"""At which a run is looked at."""
GAMES = (
    "connectfour:width=5,height=4",
    "connectfour:width=6,height=4",
    "connectfour:width=4,height=5",
    "tictactoe:width=4,height=4,line=4",
    "tictactoe:width=5,height=3,line=3",
    "dominoes:n=6",
    "dodgem:size=4",
    "hexapawn:width=5,height=5",
    "chomp:width=12,height=12",
    "nim:heaps=60-60-60-9",
    "pig:target=100",
    "ur:pieces=3",
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

    def share(self) -> tuple[float, float]:
        """Seconds in all, and the share of moments at which the rest was within a factor of two of the truth."""
        whole = self.time() - self.began
        moments = [whole * part / MOMENTS for part in range(MOMENTS // 10, MOMENTS)]
        good = [self._is_true(moment, whole) for moment in moments if moment < whole - 0.1]
        return whole, sum(good) / len(good) if good else float("nan")

    def _is_true(self, moment: float, whole: float) -> bool:
        _, rest = self.told[bisect_right(self.told, (moment, float("inf"))) - 1]
        return (whole - moment) / 2 <= rest <= 2 * (whole - moment)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--clock", action="store_true")
    parser.add_argument("--exports", action="store_true")
    parser.add_argument("--fields", action="store_true")
    parser.add_argument("games", nargs="*", default=GAMES)
    asked = parser.parse_args()
    for spec in asked.games:
        for mode in ("memory", "disk"):
            with tempfile.TemporaryDirectory() as folder:
                _tell(spec, mode, Path(folder), asked)


def _tell(spec: str, mode: str, folder: Path, asked: argparse.Namespace) -> None:
    position = es.load(spec).position()
    heard = Recorder(by_clock=asked.clock)
    budget = Budget(Limits(), Expecting(heard, position, Question(), symmetry=True))
    try:
        solve_anywhere(folder / "it", position, Question(), mode=mode, budget=budget)
    except es.EndsightError as error:
        print(f"{spec:36} {mode:7} refused: {error}")
        return
    _line(spec, mode, heard, asked.seconds)
    if not (asked.exports or asked.fields):
        return
    heard = Recorder(by_clock=asked.clock)
    write_export(es.open_tablebase(folder / "it"), "csv", folder / "it.csv", progress=heard, fields=asked.fields)
    _line(spec, f"{mode}, export", heard, asked.seconds)


def _line(spec: str, what: str, heard: Recorder, least: float) -> None:
    seconds, share = heard.share()
    told = f"{100 * share:5.0f} % within a factor of two" if seconds >= least else "too short to be told"
    print(f"{spec:36} {what:15} {seconds:7.1f} s  {told}", flush=True)


if __name__ == "__main__":
    main()
