"""Random rules classes, run by Python and by what compiles them: the same whole game, or a refusal.

    python tests/fuzz_rules.py --count 2000 --seed 1 --machine-every 1

Each program of `program_texts.py` is explored whole by the plain engine and by compiled rules, as
machine code or by the interpreter of the core: positions and their order, moves and theirs, movers,
weights, rewards and payoffs must be equal, and where the rules fail, the same error with the same
line must be told. Rules may be refused instead, also at a state where a number leaves its word.
Nothing that would hide a difference takes part: no comparison before the run, no trust from an
earlier one. The smallest text that shows a difference is found by cutting the program down, and
printed with the seed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gc
import hashlib
import itertools
import linecache
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from types import ModuleType
from typing import Any

import both_engines
import endsight
from both_engines import Refused, parts_of
from endsight import Game, Graph
from endsight.errors import RulesError
from interpreted import FaultError
from program_texts import Shape, program

__all__ = ["Tally", "Verdict", "run", "seed_of_the_sources", "verdict"]

MOST_NODES = 2_000
LEAST_TAKEN = 0.6
ENOUGH = 500
"""Programs of which fewer must not be taken."""
RECLAIM = 100
"""Programs after which memory is reclaimed."""
Change = Callable[[ast.Module], None]
Found = tuple["dict[str, Any] | None", str]
"""Parts of the whole graph, or the error that the rules make."""

_numbers = itertools.count()


@dataclass(frozen=True)
class Verdict:
    """What came of one program.

    kind   taken, failing (taken, and both tell the same error), refused, stopped (refused at a
           state), broken (does not load), or different
    told   the refusal, or what differs
    """

    kind: str
    told: str = ""


@dataclass
class Tally:
    """What was tried, and what came of it."""

    kinds: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    refused_tags: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    different: list[tuple[int, str]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many programs loaded."""
        return self.kinds.total() - self.kinds["broken"]

    @property
    def taken(self) -> float:
        """The share of programs that were not refused."""
        return 1 - (self.kinds["refused"] + self.kinds["stopped"]) / max(1, self.count)


# -------------------------------------------------------------------- one program


class Stopped(Exception):
    """Rules that were taken, and refused at a state."""


@contextmanager
def loaded(text: str, folder: Path, change: Change | None = None) -> Iterator[Game | None]:
    """The game of that text, None where Python does not make one; `change` may alter its syntax tree first."""
    file = folder / f"rules_{next(_numbers)}.py"
    file.write_text(text, encoding="utf-8")
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    sys.modules[file.stem] = module
    tree: ast.Module | str = text
    if change is not None:
        tree = ast.parse(text)
        change(tree)
        ast.fix_missing_locations(tree)
    try:
        try:
            exec(compile(tree, str(file), "exec", dont_inherit=True), vars(module))
            game = module.Rules()
            game.position()
        except Exception:
            game = None
        yield game
    finally:
        del sys.modules[file.stem]
        file.unlink()
        linecache.cache.pop(str(file), None)


def error_text(error: RulesError) -> str:
    """What went wrong, in which line and at which state."""
    text = f"{str(error).splitlines()[0]}: {str(error.found).replace(chr(10), ' ')}"
    return re.sub(r"rules_[0-9]+", "rules", text)


def _parts(graph: Graph) -> dict[str, Any]:
    """The parts of a graph as lists; members of an IntEnum are the numbers that they are."""
    return {part: None if value is None else list(map(_number, value)) for part, value in parts_of(graph).items()}


def _number(value: Any) -> Any:
    """A member of an IntEnum as its number."""
    if isinstance(value, IntEnum):
        return int(value)
    return tuple(map(_number, value)) if type(value) is tuple else value


def by_python(game: Game) -> Found:
    """Parts of the graph, or the error."""
    try:
        return _parts(both_engines.by_python(game, at_most=MOST_NODES)), ""
    except RulesError as error:
        return None, error_text(error)


def by_machine(game: Game) -> Found:
    """The same by compiled rules; `Refused` where they are not compiled."""
    try:
        return _parts(both_engines.by_machine(game, at_most=MOST_NODES)), ""
    except RulesError as error:
        return None, error_text(error)
    except Refused as reason:
        if reason.at_a_state:
            raise Stopped(str(reason)) from reason
        raise


def by_interpreter(game: Game) -> Found:
    """The same by the interpreter of the core that the rules are translated into."""
    try:
        found, error = _parts(both_engines.by_core(game, at_most=MOST_NODES)), ""
    except RulesError as broken:
        found, error = None, error_text(broken)
    except FaultError as fault:
        raise Stopped(str(fault)) from fault
    # Rules that break a promise are blamed at their first line, which is the interpreter's here.
    return found, re.sub(r" \([^()]*\.py, line [0-9]+\)", "", error)


Engine = Callable[[Game], Found]


def verdict(text: str, folder: Path, engine: Engine = by_machine, mistake: Change | None = None) -> Verdict:
    """What comes of a program by that engine, or by Python's reading of a text with a mistake in its place."""
    changed = nullcontext() if mistake is None else loaded(text, folder, mistake)
    with loaded(text, folder) as game, changed as other:
        if game is None or (mistake is not None and other is None):
            return Verdict("broken")
        try:
            expected, error = by_python(game)
        except Exception:  # no rules that Python can play
            return Verdict("broken")
        try:
            found, told = engine(game) if other is None else by_python(other)
        except Refused as reason:
            return Verdict("refused", str(reason))
        except Stopped as reason:
            return Verdict("stopped", str(reason))
        except Exception as bug:
            return Verdict("different", f"{type(bug).__name__} in the compiled engine: {bug}")
    if expected is None or found is None:
        error = re.sub(r" \([^()]*\.py, line [0-9]+\)", "", error) if engine is by_interpreter else error
        same = expected is None and found is None and error == told
        return (
            Verdict("failing")
            if same
            else Verdict("different", f"Python: {error or 'no error'} | compiled: {told or 'no error'}")
        )
    for part, value in expected.items():
        # A field keeps `True` where Python's rules gave it in place of 1, and the other way round. Members of an Enum
        # of two texts are not equal.
        is_equal = other is not None or value == found[part]
        if not is_equal or ((part != "keys" or other is not None) and repr(value) != repr(found[part])):
            return Verdict("different", f"{part}: Python {_first(value, found[part])}")
    return Verdict("taken")


def _first(expected: Any, found: Any) -> str:
    """The first place where two lists differ."""
    if not isinstance(expected, list) or not isinstance(found, list):
        return f"{_brief(expected)} | compiled {_brief(found)}"
    for place, (one, other) in enumerate(zip(expected, found, strict=False)):
        if repr(one) != repr(other):
            return f"{_brief(one)} | compiled {_brief(other)} at {place}"
    return f"{len(expected)} of them | compiled {len(found)}"


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:119] + "…"


# -------------------------------------------------------------------- the smallest text


def smallest(text: str, is_different: Callable[[str], bool], tries: int = 400) -> str:
    """A shorter text that is different too, found by cutting one thing after the other."""
    best = ast.unparse(ast.parse(text))
    if not is_different(best):
        return text
    found = True
    while found and tries > 0:
        found = False
        for shorter in _shorter(best):
            tries -= 1
            if tries <= 0:
                break
            if is_different(shorter):
                best, found = shorter, True
                break
    return best


def _shorter(text: str) -> Iterator[str]:
    """The text with one thing cut, large things first."""
    tree = ast.parse(text)
    cuts: list[tuple[int, Callable[[], None], Callable[[], None]]] = []
    for node in _changeable(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                cuts += [_dropped(value, place) for place in range(len(value)) if _may_go(node, name, value, place)]
                if name in ("body", "orelse"):
                    cuts += [
                        _unwrapped(value, place) for place in range(len(value)) if getattr(value[place], "body", None)
                    ]
                cuts += [
                    cut
                    for place, part in enumerate(value)
                    if isinstance(part, ast.expr)
                    for cut in _smaller(value, place, part)
                ]
            elif isinstance(value, ast.expr) and name not in ("func", "target"):
                cuts += _smaller(node, name, value)
    seen = {text}
    for _, do, undo in sorted(cuts, key=lambda cut: -cut[0]):
        do()
        try:
            shorter = ast.unparse(tree)
        except (ValueError, AttributeError, TypeError):
            shorter = text
        undo()
        if shorter not in seen and len(shorter) < len(text):
            seen.add(shorter)
            yield shorter


def _changeable(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may be cut: not those of the form that every program has."""
    if getattr(node, "name", "") not in ("State", "limits", "start"):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _changeable(child)


def _size(node: Any) -> int:
    return sum(1 for _ in ast.walk(node))


def _may_go(node: ast.AST, name: str, value: list[Any], place: int) -> bool:
    if isinstance(value[place], ast.ClassDef) or (
        isinstance(value[place], ast.FunctionDef)
        and value[place].name in ("limits", "start", "moves", "play", "payoff")
    ):
        return False
    if name in ("body",):
        return True
    return name in ("orelse", "elts", "decorator_list", "ifs", "cases", "values", "generators", "keywords") and (
        len(value) > 1 or name in ("orelse", "decorator_list", "ifs", "keywords")
    )


def _dropped(items: list[Any], place: int) -> tuple[int, Callable[[], None], Callable[[], None]]:
    kept = items[place]
    alone = len(items) == 1 and isinstance(kept, ast.stmt)

    def do() -> None:
        if alone:
            items[place] = ast.Pass()
        else:
            del items[place]

    def undo() -> None:
        if alone:
            items[place] = kept
        else:
            items.insert(place, kept)

    return _size(kept), do, undo


def _unwrapped(items: list[Any], place: int) -> tuple[int, Callable[[], None], Callable[[], None]]:
    kept = items[place]
    if isinstance(kept, ast.FunctionDef | ast.ClassDef):
        return 0, lambda: None, lambda: None
    inside = kept.body if isinstance(kept.body, list) else [kept.body]

    def do() -> None:
        items[place : place + 1] = inside

    def undo() -> None:
        items[place : place + len(inside)] = [kept]

    return _size(kept) - sum(map(_size, inside)), do, undo


def _smaller(holder: Any, place: Any, part: ast.expr) -> list[tuple[int, Callable[[], None], Callable[[], None]]]:
    """A part of an expression, or a small constant, in place of the expression."""
    if isinstance(part, ast.Constant) or not hasattr(part, "ctx" if False else "lineno"):
        return []
    if isinstance(getattr(part, "ctx", None), ast.Store):
        return []
    inside = [child for child in ast.iter_child_nodes(part) if isinstance(child, ast.expr)]
    options: list[ast.expr] = [*inside, ast.Constant(1), ast.Constant(2)]

    def put(value: ast.expr) -> Callable[[], None]:
        if isinstance(holder, list):
            return lambda: holder.__setitem__(place, value)
        return lambda: setattr(holder, place, value)

    return [(_size(part) - _size(option), put(copy.copy(option)), put(part)) for option in options]


# -------------------------------------------------------------------- many programs


def run(
    seeds: range,
    folder: Path,
    shape: Shape | None = None,
    machine_every: int = 1,
    tell: Callable[[str], None] = print,
) -> Tally:
    """Try the programs of these seeds; differences are told as they are met.

    One in `machine_every` goes through machine code, the others through the interpreter.
    """
    tally = Tally()
    for number, seed in enumerate(seeds):
        if number % RECLAIM == 0:
            gc.collect()
        found = program(seed, shape)
        came = verdict(found.text, folder, by_machine if seed % machine_every == 0 else by_interpreter)
        tally.kinds[came.kind] += 1
        tally.tags.update(found.tags)
        if came.kind in ("refused", "stopped"):
            tally.refusals[_reason(came.told)] += 1
            tally.refused_tags.update(found.tags)
        if came.kind == "different":
            tally.different.append((seed, came.told))
            tell(f"different: seed {seed}: {came.told}")
    return tally


def _reason(told: str) -> str:
    """A refusal without its file and line."""
    return told.split(" (")[0].split(" in line")[0][:90]


@contextmanager
def own_cache() -> Iterator[Path]:
    """A folder for rules, and an empty cache of machine code in it; memory is reclaimed by `run` alone."""
    gc.disable()  # a sixth of the time of many small programs
    folder = Path(tempfile.mkdtemp(prefix="fuzz-rules-"))
    before = os.environ.get("ENDSIGHT_CACHE_DIR")
    os.environ["ENDSIGHT_CACHE_DIR"] = str(folder / "cache")
    try:
        yield folder
    finally:
        gc.enable()
        shutil.rmtree(folder, ignore_errors=True)
        if before is None:
            del os.environ["ENDSIGHT_CACHE_DIR"]
        else:
            os.environ["ENDSIGHT_CACHE_DIR"] = before


def seed_of_the_sources() -> int:
    """Another number for every version of the compiler and of this fuzzer, so that each meets programs of its own.

    The same sources meet the same programs: a run that was green stays green, and a failure can be run again.
    """
    whole, here = hashlib.sha256(), Path(__file__)
    rooms = [Path(endsight.__file__).parent / name for name in ("compiler", "engine")]
    compiler = sorted(file for room in rooms for file in room.rglob("*.py"))
    for file in (*compiler, *sorted(here.parent.glob("*program*.py")), here):
        whole.update(file.read_bytes())
    return int.from_bytes(whole.digest()[:4]) % 10**9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument(
        "--seed", type=int, default=seed_of_the_sources(), help="of the first program; the next have the next numbers"
    )
    parser.add_argument("--machine-every", type=int, default=10, help="one in so many goes through machine code")
    parser.add_argument("--wide", type=float, default=Shape.wide)
    parser.add_argument("--traps", type=float, default=Shape.traps)
    parser.add_argument("--edges", type=float, default=Shape.edges)
    parser.add_argument("--natural", type=float, default=Shape.natural, help="the share with fields of natural types")
    parser.add_argument("--alone", type=float, default=Shape.alone, help="the share with one unusual construct")
    parser.add_argument("--without", default="", help="tags of constructs that are left out, with commas between them")
    parser.add_argument("--show", action="store_true", help="print the program of --seed, and what comes of it")
    parser.add_argument("--shrink", type=int, default=3, help="how many differing programs are cut down")
    options = parser.parse_args()
    without = frozenset(part.strip() for part in options.without.split(",") if part.strip())
    shape = Shape(options.wide, options.traps, options.edges, options.natural, options.alone, without)
    with own_cache() as folder:
        if options.show:
            text = program(options.seed, shape).text
            print(text, verdict(text, folder), sep="\n")
            return
        began = time.monotonic()
        seeds = range(options.seed, options.seed + options.count)
        tally = run(seeds, folder, shape, options.machine_every)
        for seed, _ in tally.different[: options.shrink]:
            engine = by_machine if seed % options.machine_every == 0 else by_interpreter
            is_different = lambda each, engine=engine: verdict(each, folder, engine).kind == "different"  # noqa: E731
            text = smallest(program(seed, shape).text, is_different)
            print(f"\n--- seed {seed}: {verdict(text, folder, engine).told}\n{text}")
    print(f"\n{options.count} programs, seed {options.seed}: {dict(tally.kinds)}, {time.monotonic() - began:.0f} s")
    print(f"taken: {tally.taken:.1%}; refused for: {tally.refusals.most_common(12)}")
    shares = {
        tag: f"{tally.refused_tags[tag]}/{tally.tags[tag]}"
        for tag, _ in tally.refused_tags.most_common(60)
        if tally.refused_tags[tag] > 0.55 * tally.tags[tag]
    }
    print(f"most often refused with: {shares}")
    is_narrow = tally.count >= ENOUGH and tally.taken < LEAST_TAKEN
    sys.exit(1 if tally.different or is_narrow else 0)


if __name__ == "__main__":
    main()
