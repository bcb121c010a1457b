"""Search and symmetry at work: positions, memory and computing time.

    python benchmarks/search.py [boards] [dominoes] [lines] [tables] [others] [four] [walks] [gains] [proofs] [long]
        [beside] [--lines 100] [--tiles 10] [--laid 2 50] [--method search] [--seed 5] [--reference PATH]
        [--positions 20] [--large] [--start] [--threads 1] [--walks 10000]

boards    Connect Four from the empty board, by `search`, held against Tromp's table; `--large` adds those of minutes
dominoes  who wins from the empty line, theorems off, by `search`
lines     random lines of dominoes with n=10 (`--tiles`), each by `search` (`--method`) with a minute's limit, after
          so many tiles (`--laid`, the fewest and the most)
tables    all positions of dominoes up to relabelling, by `layers`
others    Kalah(4,3), Othello 6x6 with 14 to 22 empty squares, five positions each after random moves, and a minute
          for each; tic-tac-toe 5x5 with four in a row
four      Connect Four 7x6: 45461667, 35333571, with `--large` 13333111, and so many random positions of nine plies;
          `--start` asks for the empty board alone, with so many `--threads`; `--reference` names a built Fhourstones
          3.2 (its `SearchGame`), which is run in turn on the same positions
walks     the empty board of 7x6, solved as the command line does, and so many `--walks` through the proof: the first
          player makes moves that are proven to win, the second any; rules in Python say what follows, and who wins
gains     what each part of a search is worth: four games without it, as ratios of positions and of time
proofs    proof numbers beside the search: starts of games, and positions after random moves (`--seed`), at most 25 s of
          wall time for each and 4 million buckets, one thread
long      the same for positions that take the search long, and each search is stopped where it would lose by far
beside    long searches alone, and with proof numbers beside them, with so many `--threads`

Everything runs compiled. Times are computing time of this process; run it twice, to leave compiling out.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import endsight as es
from endsight.answers import auditing
from endsight.compiler import rules as rules_module
from endsight.compiler.kernels import text_of
from endsight.compiler.rules import CompiledRules
from endsight.engine import search_run, searching
from endsight.engine.comparing import difference_at
from endsight.engine.proof_numbers import ProofNumbers
from endsight.engine.searching import CompiledSearcher
from endsight.game import Game
from endsight.game.limits import Budget, Limits
from endsight.game.position import Position

MINUTE = Limits(seconds=60)


def solved(game: Game, position: Position | None = None, method: str = "search", limits: Limits | None = None) -> str:
    """Solve, and say in a few words what came out and what it took."""
    started = time.process_time()
    try:
        solution = es.solve(game, position, method=method, engine="compiled", limits=limits)  # type: ignore[arg-type]
        words = f"{solution.category():<5} {solution.states:>13,} states"
    except es.LimitReached as stop:
        words = f"stop  {stop.states:>13,} states"
    seconds = time.process_time() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return f"{words} {seconds:8.2f} s, peak so far {memory:.2f} GB"


RESULTS = {4: "==-=-", 5: "====+", 6: "==-+"}
"""By height, for boards of 4, 5, 6, ... columns: what the first player gets from the empty board (+ is a win), as John
Tromp's solver has found (https://tromp.github.io/c4/c4.html)."""
QUICK_BOARDS = ((4, 4), (5, 4), (6, 4), (7, 4), (4, 5), (5, 5), (6, 5), (7, 5), (4, 6), (5, 6))
LARGE_BOARDS = ((8, 4), (6, 6), (8, 5))


def boards(*, is_large: bool) -> None:
    """Connect Four; a result that is not Tromp's ends the run."""
    for width, height in QUICK_BOARDS + (LARGE_BOARDS if is_large else ()):
        words = solved(es.games.ConnectFour(width=width, height=height))
        expected = {"=": "draw", "+": "win", "-": "loss"}[RESULTS[height][width - 4]]
        assert words.startswith(expected), f"{width}x{height}: {words}, and Tromp's table says {expected}"
        print(f"connectfour {width}x{height}: {words}", flush=True)


def dominoes() -> None:
    """The empty line."""
    for n in range(6, 11):
        print(f"dominoes n={n}: {solved(es.games.Dominoes(n=n))}", flush=True)


def lines(count: int, tiles: int, laid: tuple[int, int] | None, method: str, seed: int) -> None:
    """Lines of two tiles or more, or of as many as are asked for, laid at random; play can go on."""
    game = es.games.Dominoes(n=tiles)
    chance = random.Random(seed)
    times = []
    stops = 0
    for _ in range(count):
        position = random_line(game, chance, *laid or (2, game.tiles - 5))
        started = time.process_time()
        words = solved(game, position, method, limits=MINUTE)
        times.append(time.process_time() - started)
        stops += words.startswith("stop")
        if times[-1] > 1:
            print(f"after {len(position.history)} tiles: {words}", flush=True)
    times.sort()
    print(f"{count} lines of n={tiles}: median {times[count // 2]:.3f} s, worst {times[-1]:.1f} s, {stops} stopped")


def random_line(game: es.games.Dominoes, chance: random.Random, fewest: int, most: int) -> Position:
    """A line that is not over."""
    while True:
        position = game.position()
        for _ in range(chance.randint(fewest, most)):
            moves = list(position.moves())
            if not moves:
                break
            position = position.play(chance.choice(moves))
        if not position.is_over:
            return position


def tables() -> None:
    """Every position once, up to relabelling."""
    for n in range(5, 9):
        print(f"dominoes n={n}: {solved(es.games.Dominoes(n=n), method='layers')}", flush=True)


RULES = Path(__file__).parent / "rules"
EMPTY = (14, 18, 20, 22)


def others(seed: int) -> None:
    """Games that others have solved, and positions of one that is out of reach from the start."""
    print(f"kalah(4,3): {solved(es.load(f'{RULES}/kalah.py:Kalah:houses=4,seeds=3'))}", flush=True)
    game, chance = es.load(f"{RULES}/othello.py:Othello"), random.Random(seed)
    for empty in EMPTY:
        found = [solved(game, random_opening(game, 32 - empty, chance), limits=MINUTE) for _ in range(5)]
        print(*(f"othello 6x6, {empty} empty: {words}" for words in found), sep="\n", flush=True)
    board = es.games.TicTacToe(width=5, height=5, line=4)
    print(f"tictactoe 5x5, four in a row: {solved(board, limits=Limits(seconds=300))}", flush=True)


def random_opening(game: Game, stones: int, chance: random.Random) -> Position:
    """A position that is not over, after so many stones laid at random; a pass lays none."""
    while True:
        position, left = game.position(), stones
        while left and not position.is_over:
            move = chance.choice(list(position.moves()))
            position, left = position.play(move), left - (move >= 0)
        if not position.is_over:
            return position


# -------------------------------------------------------------------- proof numbers

OPENED = {
    "dominoes:n=8": (0,),
    "dominoes:n=9": (0, 4, 8),
    "dominoes:n=10": (0, 6, 10),
    "connectfour:width=5,height=5": (0,),
    "connectfour": (9, 13, 15),
    "connectfour:width=6,height=5": (4, 8),
    "tictactoe:width=4,height=4,line=4": (0, 3),
    "tictactoe:width=5,height=5,line=4": (6,),
    "hexapawn:width=5,height=5": (0, 4),
    f"{RULES}/hex.py:Hex:size=4": (0,),
    f"{RULES}/hex.py:Hex:size=5": (3, 6),
    f"{RULES}/domineering.py:Domineering:rows=6,columns=6": (0, 2),
    f"{RULES}/domineering.py:Domineering:rows=5,columns=6,cram=1": (2, 4),
    f"{RULES}/clobber.py:Clobber:rows=4,columns=5": (0, 2),
    f"{RULES}/othello.py:Othello:size=4": (0,),
    f"{RULES}/othello.py:Othello:lead=0": (14, 18),
    f"{RULES}/othello.py:Othello": (16, 20),
    f"{RULES}/kalah.py:Kalah:houses=4,seeds=3": (0, 4),
    f"{RULES}/kalah.py:Kalah:houses=5,seeds=3": (4,),
    "chomp:width=8,height=7": (0,),
}
"""Plies at random before the search, of each three positions but for the start."""
SHORT = Limits(seconds=25, threads=1)


def proofs(seed: int) -> None:
    """Both searches prove the same value; how much each of them takes."""
    chance = random.Random(seed)
    for name, plies in OPENED.items():
        game = es.load(name)
        for count in plies:
            for position in [after(game, count, chance) for _ in range(3 if count else 1)]:
                told = [proven(kind, game, position, SHORT) for kind in (CompiledSearcher, ProofNumbers)]
                values = {value for value, *_ in told if value is not None}
                assert len(values) < 2, f"{name}: the searches do not agree at {position.state}"
                label = name.rpartition("/")[2]
                print(f"{label} after {count}: search {told[0][1]}, proof numbers {told[1][1]}", flush=True)


LONG = {
    "connectfour": 20 * (9,),
    f"{RULES}/hex.py:Hex:size=5": (2, 2, 3),
    f"{RULES}/kalah.py:Kalah:houses=5,seeds=3": (0, 2, 2, 2, 4, 4, 4),
    "dominoes:n=10": (0, 3, 3, 3, 5, 5, 5),
    "tictactoe:width=5,height=5,line=4": (4, 4, 4, 4),
}
"""Plies at random before the search. Connect Four: so that no side wins at once."""
MOST = 1 << 25
"""Positions of one search."""


def long(seed: int) -> None:
    """Whether proof numbers would end first beside a long search, position by position."""
    for name, openings in LONG.items():
        game, chance = es.load(name), random.Random(seed)
        for plies in openings:
            if name == "connectfour":
                position = game.position(" ".join(random_position(game, chance)))
            else:
                position = after(game, plies, chance)
            value, words, most = proven(CompiledSearcher, game, position, Limits(states=MOST, threads=1))
            other, others, _ = proven(ProofNumbers, game, position, Limits(states=2 * most, threads=1))
            assert None in (value, other) or value == other, f"{name}: the searches do not agree at {position.state}"
            print(f"{name.rpartition('/')[2]} after {plies}: search {words}, proof numbers {others}", flush=True)


BESIDE: tuple[tuple[str, str], ...] = (
    (f"{RULES}/hex.py:Hex:size=5", "22 9"),
    (f"{RULES}/hex.py:Hex:size=5", "27 13"),
    (f"{RULES}/hex.py:Hex:size=5", "26 28 24"),
    ("connectfour", "3 5 3 3 3 5 7 1"),
    ("connectfour", "5 5 4 1 2 6 5 3 7"),
    (f"{RULES}/hex.py:Hex:size=5", ""),
)
"""Games, and moves before the search."""
LONGEST = 1 << 27
"""Positions of one of these searches."""


def beside(threads: int) -> None:
    """Each search alone, then with proof numbers: positions, seconds of computing, and who answered."""
    for name, line in BESIDE:
        game = es.load(name)
        rules = CompiledRules.of(game, symmetry=True, hints=("order",))
        values, words = set[int](), list[str]()
        for is_alone in (True, False):
            searcher = CompiledSearcher(rules, Budget(Limits(states=LONGEST, threads=threads)), 1 << 24)
            make = with_proofs(searcher)
            make(1)  # compiles all that is needed
            searcher.prover = None if is_alone else make
            began, ended = time.process_time(), "stopped"
            with contextlib.suppress(es.LimitReached):
                values.add(searcher.search(game.position(line)))
                ended = searcher.method
            words.append(f"{searcher.states:,} positions {time.process_time() - began:.2f} s {ended}")
        assert len(values) < 2, f"{name}: the searches do not agree after {line}"
        print(f"{name.rpartition('/')[2]} after {line or 'no moves'}: alone {words[0]}, beside {words[1]}", flush=True)


def with_proofs(searcher: CompiledSearcher) -> Callable[[int], ProofNumbers]:
    """Let proof numbers run beside a search, as the command does; returns what makes them."""
    game = searcher.rules.game
    rules = CompiledRules.of(game, symmetry=True, tracks_mover=not game.gives("to_move"))

    def make(most_buckets: int) -> ProofNumbers:
        return ProofNumbers(rules, searcher.budget, most_buckets)

    searcher.prover = make
    return make


def after(game: Game, plies: int, chance: random.Random) -> Position:
    """A position that is not over after so many moves at random."""
    while True:
        position = game.position()
        for _ in range(plies):
            moves = list(position.moves())
            position = position.play(chance.choice(moves)) if moves else position
        if not position.is_over:
            return position


def proven(kind: Any, game: Game, position: Position, limits: Limits) -> tuple[Any, str, int]:
    """What a search proves of a position, for the first player; positions and seconds in words; the positions."""
    is_told = kind is CompiledSearcher or game.gives("to_move")
    rules = CompiledRules.of(game, symmetry=True, tracks_mover=not is_told, hints=("order",))
    searcher = kind(rules, Budget(limits), 1 << 22)
    began = time.process_time()
    value = None
    with contextlib.suppress(es.LimitReached):
        found = searcher.found(position)
        value = found[position.mover if searcher.by_mover else 0]
    seconds = time.process_time() - began
    words = f"{'' if value is not None else 'stopped '}{searcher.states:,} positions {seconds:.3f} s"
    return value, words, searcher.states


# -------------------------------------------------------------------- beside Fhourstones

FAMOUS = ("45461667", "35333571")
SLOW = "13333111"
PLIES = 9
MEMORY = 3 * 10**9
"""For the process: the table takes up to 1.07 GB of it."""


def four(count: int, seed: int, reference: str | None, *, is_large: bool) -> None:
    """Connect Four 7x6: positions and seconds of both programs, and their ratios."""
    game = es.games.ConnectFour()
    chance = random.Random(seed)
    famous = [*FAMOUS, *([SLOW] if is_large else [])]
    ratios = []
    for text in [*famous, *(random_position(game, chance) for _ in range(count))]:
        value, positions, plays, seconds = ours(game, text)
        words = f"{text:<10} {value:>2} {positions:>12,} positions {plays:>13,} moves {seconds:7.2f} s"
        if reference is not None:
            theirs = fhourstones(reference, text)
            assert theirs[0] == value, f"{text}: ours {value}, theirs {theirs[0]}"
            pair = positions / theirs[1], seconds / theirs[2]
            words += f" | {theirs[1]:>12,} {theirs[2]:7.2f} s | {pair[0]:5.2f} {pair[1]:5.2f}"
            if text not in famous:
                ratios.append(pair)
        print(words, flush=True)
    if ratios:
        for what, column in zip(("positions", "time"), zip(*ratios, strict=True), strict=True):
            median, mean = statistics.median(column), statistics.geometric_mean(column)
            print(f"{what}, random ones: median ratio {median:.2f}, geometric mean {mean:.2f}, worst {max(column):.2f}")


def random_position(game: es.games.ConnectFour, chance: random.Random) -> str:
    """Columns of a game of so many plies that is not over, and that no side wins at once."""
    while True:
        position, columns = game.position(), ""
        while len(columns) < PLIES and not position.is_over:
            move = chance.choice(list(position.moves()))
            position, columns = position.play(move), columns + str(move + 1)
        if not position.is_over and not any(position.play(move).is_over for move in position.moves()):
            return columns


def ours(game: Game, line: str, threads: int = 1, most_buckets: int | None = None) -> tuple[int, int, int, float]:
    """Value for the mover, positions, moves, and seconds of computing from a new table on, of all threads together."""
    rules = CompiledRules.of(game, symmetry=True)
    position = game.position(" ".join(line))
    first = CompiledSearcher(rules, Budget())
    first.reaches(position, 0, 0)  # compiles all that is needed, as does the next line
    with_proofs(first)(1)
    began = time.process_time()
    searcher = CompiledSearcher(rules, Budget(Limits(memory=MEMORY, threads=threads)), most_buckets)
    with_proofs(searcher)
    value = searcher.search(position)
    return value, searcher.states, searcher.edges, time.process_time() - began


def start(threads: int, reference: str | None) -> None:
    """The empty board, and then by the other program."""
    began = time.monotonic()
    value, positions, plays, seconds = ours(es.games.ConnectFour(), "", threads)
    passed = time.monotonic() - began
    took = f"{seconds:.1f} s of computing, {passed:.1f} s"
    print(f"the empty board: {value} {positions:,} positions {plays:,} moves {took}", flush=True)
    if reference is not None:
        theirs, their_positions, their_seconds = fhourstones(reference, "")
        assert theirs == value, f"ours {value}, theirs {theirs}"
        print(
            f"{their_positions:,} positions and {their_seconds:.1f} s of the reference: "
            f"{positions / their_positions:.2f} {seconds / their_seconds:.2f}"
        )


def walks(count: int) -> None:
    """Walks through the proof of the empty board, each to the end of the game if the table still has what they need."""
    solution = es.solve(es.games.ConnectFour(), limits=es.Limits(memory=3_000_000_000))
    print(f"{solution.category()}, {solution.states:,} positions, {solution.source.audited:,} audited", flush=True)
    source, place, chance, looked, ended = solution.source, solution.position, random.Random(20261127), set[Any](), 0
    for _ in range(count):
        places, wrong = auditing._walked(source, place, 0, source.value(place)[0], chance, float("inf"))
        nodes = {*map(source.searcher.view.key, places)} - looked
        looked |= nodes
        ended += not list(places[-1].moves())
        wrong = difference_at(source.compiled, source.searcher.view, [*nodes]) or wrong
        assert wrong is None, wrong
    print(f"{count:,} walks, {ended:,} of them to the end, {len(looked):,} positions: no difference")


# -------------------------------------------------------------------- what each part is worth

GAINS: dict[str, Callable[[], contextlib.AbstractContextManager[Any]]] = {
    "no games at random": lambda: patch.object(search_run, "_GAMES", 0),
    "moves told apart by their numbers": lambda: patch.object(search_run, "_MOST_PARTS", 0),
    "no look at children in the table": lambda: without(
        "es_known(memo, p_children[child + HASH], p_children[child + SECOND_WORD])", "LEAST, MOST"
    ),
}
"""What is left out, and how."""
FOUR: tuple[tuple[str, Game, str], ...] = (
    ("Connect Four 7x6, 35333571", es.games.ConnectFour(), "35333571"),
    ("Connect Four 6x5", es.games.ConnectFour(width=6, height=5), ""),
    ("tic-tac-toe 5x4, 4 in a row", es.games.TicTacToe(width=5, height=4, line=4), ""),
    ("dominoes n=9", es.games.Dominoes(n=9), ""),
)
BUCKETS = 1 << 17
"""Of a table that is too small for any of them."""


@contextlib.contextmanager
def without(text: str, instead: str) -> Iterator[None]:
    """Kernels of another text."""
    seen = list[str]()

    def edited(*asked: Any) -> str:
        whole = text_of(*asked)
        seen.extend([text] * whole.count(text))
        return whole.replace(text, instead)

    with patch.object(rules_module, "text_of", edited):
        yield
    assert seen, f"no kernel says {text}"


def gains() -> None:
    """Each game with all parts, without each of them, with two threads, and in a small table."""
    for name, game, line in FOUR:
        whole = ours(game, line)
        print(f"{name}: {whole[1]:,} positions, {whole[3]:.2f} s", flush=True)
        for part, left_out in GAINS.items():
            with left_out():
                report(part, ours(game, line), whole)
        with patch.object(searching, "_ALONE", 0):
            report("two threads, all work together", ours(game, line, 2), whole)
        small = ours(game, line, most_buckets=BUCKETS)
        report("a table of 2^17 buckets", small, whole)
        with without("work < es_load_acquire(p_memo, at) & ((1 << WORK_BITS) - 1)", "False"):
            report("the same, the last always replaces", ours(game, line, most_buckets=BUCKETS), small)


def report(part: str, found: tuple[int, int, int, float], whole: tuple[int, int, int, float]) -> None:
    """Ratios to the whole, whose value is the same."""
    assert found[0] == whole[0], f"{part}: {found[0]} instead of {whole[0]}"
    print(f"    {part:<34} {found[1] / whole[1]:6.2f} {found[3] / whole[3]:6.2f}", flush=True)


def fhourstones(program: str, columns: str) -> tuple[int, int, float]:
    """The same of the reference; its score is 1, 3 or 5."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = subprocess.run([program], input=f"{columns}\n", capture_output=True, text=True, check=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    score, positions = re.search(r"score = (\d)", text), re.search(r"(\d+) pos /", text)
    assert score is not None
    assert positions is not None
    return {"1": -1, "3": 0, "5": 1}[score[1]], int(positions[1]), max(seconds, 0.001)


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts: dict[str, Callable[[], None]] = {"dominoes": dominoes, "tables": tables, "gains": gains}
    default = ["boards", "dominoes", "tables", "lines"]
    parser.add_argument(
        "parts",
        nargs="*",
        default=default,
        help=", ".join([*default, "others", "four", "walks", "gains", "proofs", "long", "beside"]),
    )
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--tiles", type=int, default=10)
    parser.add_argument("--laid", type=int, nargs=2)
    parser.add_argument("--method", default="search", help="of lines")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--reference")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--start", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--walks", type=int, default=10_000)
    options = parser.parse_args()
    for part in options.parts:
        if part == "boards":
            boards(is_large=options.large)
        elif part == "others":
            others(options.seed)
        elif part == "lines":
            lines(options.lines, options.tiles, options.laid, options.method, options.seed)
        elif part == "proofs":
            proofs(options.seed)
        elif part == "walks":
            walks(options.walks)
        elif part == "long":
            long(options.seed)
        elif part == "beside":
            beside(options.threads)
        elif part == "four" and options.start:
            start(options.threads, options.reference)
        elif part == "four":
            four(options.positions, options.seed, options.reference, is_large=options.large)
        else:
            parts[part]()


if __name__ == "__main__":
    main()
