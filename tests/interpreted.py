"""Rules as the interpreter of the core understands them: a game that the plain engine can explore."""

from __future__ import annotations
import __future__

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any

from endsight import Game
from endsight.compiler import core
from endsight.compiler.interpreter import Faulty, Interpreter
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.results import decoder, types_of
from endsight.compiler.translator import RULES, translated
from endsight.game.codec import Codec
from endsight.game.numbers import simplest
from endsight.graph.objective import pays_numbers

__all__ = ["FaultError", "Refused", "compiler_with", "interpreted", "numbers_of", "refusals"]

COMPILER = Path(core.__file__).parent
RAISERS = {"refuse", "refusal", "CannotCompile"}
"""What refuses rules in a line of the compiler."""
_STATES = ("play", "canonical", "exchanged")


class FaultError(BaseException):
    """A fault of the core, which leaves the rest to the plain engine; says what and where."""


class Refused(CannotCompile):
    """Rules that are not compiled, or left `at_a_state`: the `reason`, `file` and `line` where a line is to blame."""

    at_a_state = False

    @property
    def told_at(self) -> tuple[str, int]:
        """The file and line of the compiler that said it first."""
        found: BaseException = self
        while found.__suppress_context__ and isinstance(found.__context__, CannotCompile):
            found = found.__context__
        frames = [each for each in extract_tb(found.__traceback__) if Path(each.filename).parent == COMPILER]
        last = [each for each in frames if each.name not in RAISERS][-1]
        return Path(last.filename).name, last.lineno or 0


@contextmanager
def refusals(*, at_a_state: bool = False) -> Iterator[None]:
    """What endsight refuses to compile is `Refused`."""
    try:
        yield
    except CannotCompile as found:
        told = Refused(found.reason, found.file, found.line)
        told.at_a_state = at_a_state
        raise told from found


def numbers_of(game: Game, state: Any) -> tuple[tuple[int, ...], tuple[int, ...], Any]:
    """A state as whole numbers, the largest that each may be, and the state made of them again."""
    codec = Codec(game)
    assert codec.problem(state) is None
    numbers = codec.numbers(state)
    assert len(codec.names) == len(numbers)
    return numbers, codec.limits, codec.state(numbers)


def interpreted(game: Game) -> Game:
    """The same game with the rules that its core has; raises `Refused`, and `FaultError` when it is played."""
    with refusals():
        unit = translated(game, in_play=True)
    interpreter = Interpreter(unit.program)
    codec = Codec(game)
    is_packed = "rule_numbers" in unit.program.functions
    move = decoder(unit.move, unit)
    are_numbers = pays_numbers(game)  # what is proven from the text of the rules, which the interpreter's have not

    def rule(name: str) -> Callable[..., Any]:
        def run(self: Game, *arguments: Any) -> Any:
            try:
                first, *others = arguments
                numbers = codec.numbers(first)
                own = interpreter.call("rule_state", *numbers) if is_packed else numbers
                given = [own, *(_number(unit, unit.move, each) for each in others)]
                found = interpreter.call(f"rule_{name}", *given)
                if name == "moves":
                    return [move(iter(_words(each))) for each in found]
                if name in _STATES:
                    numbers = interpreter.call("rule_numbers", found) if is_packed else found
                    if any(not 0 <= each <= most for each, most in zip(numbers, codec.limits, strict=True)):
                        raise FaultError("a state lies outside limits()")
                    return codec.state(_whole(tuple(numbers)))
            except Faulty as fault:
                site = unit.sites[fault.site - 1]
                raise FaultError(f"{site.what} ({site.file}, line {site.line})") from fault
            if name in ("payoff", "reward"):
                return _share(found, unit.denominator)
            return _whole(found)

        if are_numbers:
            run.__annotations__["return"] = "int"
        return run

    kind = type(game)
    given = {name for name in RULES if name in ("moves", "play", "payoff") or game.gives(name)}
    assert given == {name for name in RULES if f"rule_{name}" in unit.program.functions}
    own = type(kind.__name__, (kind,), {name: rule(name) for name in RULES if f"rule_{name}" in unit.program.functions})
    again: Game = object.__new__(own)
    again.__dict__.update(vars(game))
    for name in RULES:
        again.__dict__.pop(name, None)
    return again


def _words(move: Any) -> list[int]:
    """The numbers of a move of the core."""
    return [each for part in move for each in _words(part)] if isinstance(move, tuple) else [int(move)]


def _number(unit: Any, kind: core.Type, move: Any) -> Any:
    """A move as the core has it."""
    if isinstance(kind, core.Known):
        return unit.number_of(move)
    if isinstance(kind, core.Tuple) and kind.label == core.MIXED:
        return _of_its_type(unit, types_of(kind), move)
    if isinstance(kind, core.Tuple):
        parts = (sum(1 << each for each in move),) if kind.label == core.MEMBERS else move
        return tuple(_number(unit, *each) for each in zip(kind.items, parts, strict=True))
    return move


def _of_its_type(unit: Any, kinds: tuple[core.Type, ...], move: Any) -> tuple[Any, ...]:
    """A move of one of several types; the values of the other types, which nobody reads, are None."""
    place = next(at for at, kind in enumerate(kinds) if _is_of(unit, kind, move))
    return (place, *(_number(unit, kind, move) if at == place else None for at, kind in enumerate(kinds)))


def _is_of(unit: Any, kind: core.Type, value: Any) -> bool:
    """Whether a value is of that type of the core."""
    if isinstance(kind, core.Known):
        return any(type(unit.pool[number]) is type(value) and unit.pool[number] == value for number in kind.numbers)
    if isinstance(kind, core.Tuple) and kind.label == core.MEMBERS:
        return isinstance(value, frozenset)
    if isinstance(kind, core.Tuple):
        is_alike = isinstance(value, str if kind.label == core.TEXT else tuple) and len(value) == len(kind.items)
        return is_alike and all(_is_of(unit, *each) for each in zip(kind.items, value, strict=True))
    return isinstance(value, bool if kind == core.BOOL else int)


def _share(value: Any, denominator: int) -> Any:
    """A payoff or reward, which the core gives in parts."""
    if isinstance(value, tuple):
        return tuple(_share(each, denominator) for each in value)
    return simplest(Fraction(value, denominator))


def _whole(value: Any) -> Any:
    return tuple(map(_whole, value)) if isinstance(value, tuple) else int(value)


def _replaced(place: str, changes: list[tuple[str, str]]) -> tuple[Any, str, Any]:
    """Where a function is held, its name, and the mistaken one."""
    name, _, path = place.partition(":")
    holder: Any = import_module(f"endsight.compiler.{name}")
    module, (*holders, last) = holder, path.split(".")
    for each in holders:
        holder = getattr(holder, each)
    text = inspect.getsource(inspect.unwrap(vars(holder)[last]))
    for old, new in changes:
        assert text.count(old) == 1, f"{place} does not have {old!r} once"
        text = text.replace(old, new)
    space: dict[str, Any] = {}
    exec(
        compile(textwrap.dedent(text), f"<{place}>", "exec", flags=__future__.annotations.compiler_flag),
        vars(module),
        space,
    )
    return holder, last, space[last]


@contextmanager
def compiler_with(mistakes: Sequence[tuple[str, str, str]]) -> Iterator[None]:
    """The compiler with mistakes: places in its functions, the text that stands there, and the text of the mistake."""
    before: list[tuple[Any, str, Any]] = []
    modules = [each for name, each in sys.modules.items() if name.startswith("endsight.compiler.")]
    try:
        for place in dict.fromkeys(change[0] for change in mistakes):
            changes = [(old, new) for where, old, new in mistakes if where == place]
            holder, name, function = _replaced(place, changes)
            was = vars(holder)[name]
            if inspect.isfunction(was) and was.__closure__ is None:  # whoever holds it: modules, classes, tables
                before.append((was, "__code__", was.__code__))
                was.__code__ = function.__code__
                continue
            # Another function of a module may be held by others that import it.
            holders = [each for each in modules if vars(each).get(name) is was] if holder in modules else [holder]
            for each in holders:
                before.append((each, name, was))
                setattr(each, name, function)
        yield
    finally:
        for holder, name, was in reversed(before):
            setattr(holder, name, was)
