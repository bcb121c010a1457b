"""One object: the functions that a kernel's entry calls, each for the kinds of its arguments."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from llvmlite import ir

from endsight.compiler.lowering.emitter import KNOWN_DATA, Emitter
from endsight.compiler.lowering.frames import Frame
from endsight.compiler.lowering.kinds import MEMORY, REAL, WHOLE, WORD, Kind, Operand, Packed, RowKind, Unsuited, fixed
from endsight.compiler.lowering.names import Assigned, stored_names
from endsight.compiler.lowering.operations.boards import Passing
from endsight.compiler.lowering.operations.spans import Span, span_of
from endsight.compiler.refusal import CannotCompile

ENTRY = "endsight_entry"
OURS = "<endsight>"
"""The file of functions that do not belong to the rules."""
MOST_RESUMED = 100
"""In so many places a generator may yield out of its own loops to one shared body. All loops are one for LLVM then: 100
such places take it half a second, 170 two, and 200 minutes."""
_CALLED_ONCE = ("es_expand_batches", "es_expand_batch", "es_expand", "es_enter_children")
"""Functions that hold most of a kernel, one inside the other: LLVM would improve all of it anew for each of them."""


@dataclass(frozen=True)
class Definition:
    """A function as syntax, and the file that its line numbers count in."""

    syntax: ast.FunctionDef
    file: str

    @cached_property
    def yields(self) -> int:
        """The number of places to yield."""
        return sum(isinstance(node, ast.Yield) for node in self._nodes)

    def require_few_resumed(self) -> None:
        """Raise `CannotCompile` if it yields in too many places in loops for LLVM to end soon."""
        loops = [node for node in self._nodes if isinstance(node, ast.For | ast.While)]
        resumed = {id(node): node for loop in loops for node in ast.walk(loop) if isinstance(node, ast.Yield)}
        if len(resumed) > MOST_RESUMED:
            instead = "append what is yielded to a list, and give that back"
            last = next(reversed(resumed.values()))
            raise CannotCompile(
                f"loops yield in more than {MOST_RESUMED} places: {instead}", self.file, getattr(last, "lineno", None)
            )

    @cached_property
    def stored(self) -> dict[str, Assigned]:
        """The names that it assigns."""
        return stored_names(self.syntax, self._nodes)

    @property
    def is_generator(self) -> bool:
        """Whether there are any."""
        return self.yields > 0

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.syntax))


class Written(NamedTuple):
    """A function, the shape of its result, and between which numbers the words of that are, if that is known."""

    function: ir.Function
    gives: Passing
    spans: tuple[Span, ...]


class Builder:
    """An LLVM module in the making.

    definitions  functions by name
    constants    numbers that names stand for; names of fields, if a name stands for a record
    machine      the target machine
    data         the rules' data, if they are known
    boards       how numbers lie in one word: by the number of a field that is a board, and by their count;
                 and the site of numbers that do not fit
    """

    def __init__(
        self,
        definitions: Mapping[str, Definition],
        constants: Mapping[str, Any],
        machine: Any,
        data: tuple[int, ...] = (),
        boards: tuple[Mapping[int, tuple[int, int]], Mapping[int, tuple[int, int]], int] = ({}, {}, 0),
    ) -> None:
        self.definitions = definitions
        self.constants = constants
        own, lengths, self.site_of_limits = boards
        self.boards = {number: Packed(*layout) for number, layout in own.items()}
        self.lengths = {count: Packed(*layout) for count, layout in lengths.items()}
        self.module = ir.Module("endsight")
        self.module.triple = machine.triple
        self.module.data_layout = str(machine.target_data)
        if data:
            kept = ir.GlobalVariable(self.module, ir.ArrayType(WORD, len(data)), KNOWN_DATA)
            kept.linkage, kept.global_constant = "internal", True
            kept.initializer = ir.Constant(kept.value_type, data)
        self.finds_in_loop = False
        """Whether rules have loops like that; see `Emitter`."""
        self.loop_mark = ""
        """What marks the loops that LLVM is told to write out, if there are any."""
        self.watchful: set[ir.Function] = set()
        """Functions that end early where something failed before: who calls them tells of that first."""
        self.made: dict[tuple[str, tuple[Passing, ...], tuple[tuple[Span, ...], ...]], Written] = {}

    def is_ours(self, file: str) -> bool:
        """Whether a file does not belong to the rules."""
        return file == OURS

    def is_codec(self, file: str) -> bool:
        """Whether a file is that of the functions between keys and states, which are within limits where keys are."""
        return not file

    def constant(self, name: str) -> Operand:
        """The value of a name outside all functions."""
        number = self.constants.get(name)
        if isinstance(number, float):
            return Operand(REAL, ir.Constant(REAL.type, number))
        if not isinstance(number, int):
            raise Unsuited(f"the name {name} stands for no number")
        return fixed(int(number))

    # ---------------------------------------------------------------- functions

    def entry(self, name: str = "entry") -> str:
        """Write the entry and all that it calls; returns the module as text. Raises `CannotCompile`."""
        definition = self.definitions[name]
        names = [argument.arg for argument in definition.syntax.args.args]
        kinds: list[Kind] = [MEMORY.get(each[:2], WHOLE) for each in names]
        types = [part for kind in kinds for part in kind.types()]
        function = ir.Function(self.module, ir.FunctionType(WORD, types), ENTRY)
        function.attributes.add("nounwind")
        given = {each: Operand(kind, part) for each, kind, part in zip(names, kinds, function.args, strict=True)}
        try:
            if Frame(self, function, definition).whole_function(definition, given).kind is not WHOLE:
                raise Unsuited("a kernel gives no word")
        except Unsuited as reason:
            raise CannotCompile(str(reason)) from reason
        return str(self.module)

    def called(self, to: Emitter, name: str, given: list[Operand]) -> Operand:
        """A call of a function, which is written for these kinds if it is not yet."""
        definition = self.definitions[name]
        if definition.is_generator:
            raise Unsuited(f"{name} yields, and is called outside of a loop")
        arguments = {key: to.settled(value) for key, value in self.bound(definition, given).items()}
        shapes = {key: Passing.of(value) for key, value in arguments.items()}
        # What keys hold is small: what is made of a state for one kind of caller relies on it. A function that calls
        # itself would be written anew for each larger number.
        is_codec, calls_itself = self.is_codec(definition.file), bool(definition.syntax.decorator_list)
        told = {key: shapes[key].words(each) for key, each in arguments.items() if is_codec or _holds_state(each.kind)}
        spans = {key: tuple(span_of(to, each) for each in words) for key, words in told.items() if not calls_itself}
        what = name, tuple(shapes.values()), tuple(spans.values())
        if what not in self.made:
            self.made[what] = self._written(definition, shapes, spans, what)
        function, gives, ends = self.made[what]
        if function in self.watchful:
            to.tell_fault()
            to.is_watchful = True
        words = [part for key, shape in shapes.items() for part in shape.words(arguments[key])]
        result = to.builder.call(function, words)
        to.escape_if_faulty()
        parts = getattr(function.ftype.return_type, "elements", None)
        own = [result] if parts is None else [to.builder.extract_value(result, at) for at in range(len(parts))]
        to.spans |= dict(zip(own, ends, strict=False))
        return gives.value(to, iter(own))

    def bound(self, definition: Definition, given: list[Operand]) -> dict[str, Operand]:
        """Arguments by name."""
        names = [argument.arg for argument in definition.syntax.args.args]
        if len(given) < len(names):
            raise Unsuited(f"{definition.syntax.name} needs {names[len(given)]}")
        if len(given) > len(names):
            raise Unsuited(f"{definition.syntax.name} takes no such arguments")
        return dict(zip(names, given, strict=True))

    def _written(
        self, definition: Definition, arguments: dict[str, Passing], spans: dict[str, tuple[Span, ...]], what: Any
    ) -> Written:
        types = [part for shape in arguments.values() for part in shape.types()]
        name = f"{definition.syntax.name}_{len(self.made)}"
        function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), types), self.module.get_unique_name(name))
        function.linkage = "internal"
        function.attributes.add("nounwind")
        if definition.syntax.name in _CALLED_ONCE:
            function.attributes.add("alwaysinline")
        frame, gives = Frame(self, function, definition), definition.syntax.decorator_list
        parts = iter(function.args)
        own = {}
        for key, shape in arguments.items():
            words = list(itertools.islice(parts, len(shape.types())))
            frame.spans |= dict(zip(words, spans.get(key, ()), strict=False))
            own[key] = shape.value(frame, iter(words))
        frame.own_fault = None if gives or self.is_ours(definition.file) else frame.room(WORD)
        if gives:  # it calls itself before it has been written, and goes on as long as nobody tells of a fault
            self.watchful.add(function)
            declared = Passing.of(frame.settled(frame.expression(gives[0])))
            _give_result(function, declared.types())
            self.made[what] = Written(function, declared, ())
            frame.whole_function(definition, own, declared)
            return self.made[what]
        shape = frame.whole_function(definition, own)
        if frame.is_watchful:
            self.watchful.add(function)
        _give_result(function, shape.types())
        return Written(function, shape, frame.spans_of_results(shape))


def _give_result(function: ir.Function, parts: list[Any]) -> None:
    """Declare what a function returns, which is known only when it has been written."""
    if parts:
        result = parts[0] if len(parts) == 1 else ir.LiteralStructType(parts)
        function.ftype = ir.FunctionType(result, function.ftype.args)
        function.type = function.ftype.as_pointer()
        function.return_value = ir.values.ReturnValue(function, result)


def _holds_state(kind: Kind) -> bool:
    return isinstance(kind, RowKind) and (kind.label == "State" or any(map(_holds_state, kind.items)))
