"""Changed solution files are refused, or mean the same: `python tests/storage_edits.py --edits 50000 --seed 1`.

Three small solutions are stored; each change is made to a copy of one of their folders, and
the copy is read whole. `--bytes` makes every single-byte change (all 255 other values of
every byte of every file) instead of random ones, `--bytes 1` one other value of every byte.
Prints what was done and what came of it; exit code 1 if any change went unnoticed.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import endsight as es
from endsight.errors import EndsightError

GAMES: dict[str, es.Game] = {
    "nim": es.games.Nim(heaps=(2, 3)),  # dense: rows by rank
    "dominoes": es.games.Dominoes(n=3),  # packed keys, scores
    "repeatbust": es.games.RepeatBust(sides=2, dice=2),  # numbers over a common unit
}


def make(folder: Path) -> dict[str, Path]:
    """The three solutions, each in a folder of its own."""
    paths = {}
    for name, game in GAMES.items():
        paths[name] = es.save(es.solve(game, method="graph"), folder / name, best=True)
    return paths


def meaning(folder: Path, game: es.Game) -> Any:
    """All that a solution says, read from its files."""
    with es.open_tablebase(folder, game) as table:
        rows = [
            (block.key(row), table.source.entries((block, row, False)))
            for block in table.source.blocks()
            for row in range(block.rows)
            if block.key(row) is not None
        ]
        manifest = table.manifest
        return rows, table.value(), asdict(manifest.identity), asdict(manifest.layout), manifest.method


def outcome(folder: Path, game: es.Game, truth: Any) -> str:
    """What comes of reading a changed folder."""
    try:
        found = meaning(folder, game)
    except EndsightError as error:
        return f"refused, {type(error).__name__}"
    return "the same" if found == truth else "WRONG"


# ---------------------------------------------------------------------- changes


def _span(random: Random, data: bytes) -> tuple[int, int]:
    first = random.randrange(len(data) + 1)
    return first, min(len(data), first + random.choice((1, 1, 2, 4, 8, 64, 1000)))


def _overwritten(random: Random, data: bytes) -> bytes:
    first, stop = _span(random, data)
    return data[:first] + random.randbytes(stop - first) + data[stop:]


def _flipped(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _cut_out(random: Random, data: bytes) -> bytes:
    first, stop = _span(random, data)
    return data[:first] + data[stop:]


def _put_in(random: Random, data: bytes) -> bytes:
    first, stop = _span(random, data)
    return data[:first] + random.choice((random.randbytes(stop - first), data[first:stop])) + data[first:]


def _cut_off(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data))]


def _zeroed(random: Random, data: bytes) -> bytes:
    first, stop = _span(random, data)
    return data[:first] + bytes(stop - first) + data[stop:]


def _digits(random: Random, data: bytes) -> bytes:
    """Another digit for one of the text, as somebody with an editor would do it."""
    places = [place for place, byte in enumerate(data) if 48 <= byte < 58]
    if not places:
        return _flipped(random, data)
    place = random.choice(places)
    return data[:place] + str(random.randrange(10)).encode() + data[place + 1 :]


EDITS: tuple[Callable[[Random, bytes], bytes], ...] = (
    _overwritten,
    _flipped,
    _cut_out,
    _put_in,
    _cut_off,
    _zeroed,
    _digits,
)


def files_of(folder: Path) -> list[Path]:
    """All files that answers come from: the record of the audit is none of them."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    return sorted(path for path in files if path.name != "AUDIT.json")


def random_edits(folder: Path, game: es.Game, count: int, random: Random) -> Counter[str]:
    """Make that many random edits, one at a time; what came of them."""
    truth, found = meaning(folder, game), Counter[str]()
    files = files_of(folder)
    contents = {path: path.read_bytes() for path in files}
    for _ in range(count):
        if random.randrange(50) == 0:
            found[_moved(folder, game, truth, files, random)] += 1
            continue
        path = random.choice(files)
        path.write_bytes(random.choice(EDITS)(random, contents[path]))
        found[outcome(folder, game, truth)] += 1
        path.write_bytes(contents[path])
    return found


def _moved(folder: Path, game: es.Game, truth: Any, files: list[Path], random: Random) -> str:
    """A file that is missing, or that stands in the place of another."""
    path, other = random.choice(files), random.choice(files)
    content, replaced = path.read_bytes(), other.read_bytes()
    path.unlink()
    if other != path:
        other.write_bytes(content)
    result = outcome(folder, game, truth)
    path.write_bytes(content)
    if other != path:
        other.write_bytes(replaced)
    return result


def byte_changes(folder: Path, game: es.Game, values: int, random: Random, step: int = 1) -> Counter[str]:
    """Change every `step`-th byte to `values` other values, one change at a time."""
    truth, found = meaning(folder, game), Counter[str]()
    for path, place, value in _single_bytes(folder, values, random, step):
        with path.open("r+b") as file:
            file.seek(place)
            before = file.read(1)
            file.seek(place)
            file.write(bytes([before[0] ^ value]))
        found[outcome(folder, game, truth)] += 1
        with path.open("r+b") as file:
            file.seek(place)
            file.write(before)
    return found


def _single_bytes(folder: Path, values: int, random: Random, step: int) -> Iterator[tuple[Path, int, int]]:
    for path in files_of(folder):
        for place in range(random.randrange(step), path.stat().st_size, step):
            for value in random.sample(range(1, 256), values):
                yield path, place, value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=1000, help="random edits, divided among the three solutions")
    parser.add_argument("--bytes", type=int, nargs="?", const=255, help="other values of every single byte")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random = Random(arguments.seed)
    folder = Path(tempfile.mkdtemp())
    total: Counter[str] = Counter()
    try:
        for number, (name, path) in enumerate(make(folder).items()):
            if arguments.bytes:
                found = byte_changes(path, GAMES[name], arguments.bytes, random)
            else:
                share = arguments.edits // len(GAMES) + (number < arguments.edits % len(GAMES))
                found = random_edits(path, GAMES[name], share, random)
            print(f"{name}: {sum(found.values()):,} changes: {dict(sorted(found.items()))}", flush=True)
            total += found
    finally:
        shutil.rmtree(folder)
    print(f"seed {arguments.seed}, {sum(total.values()):,} changes, {total['WRONG']:,} unnoticed with another meaning")
    return 1 if total["WRONG"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
