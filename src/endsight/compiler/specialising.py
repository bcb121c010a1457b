"""Functions of the rules, each translated for the types of its arguments when it is first called."""

from __future__ import annotations

import ast
from collections.abc import Callable
from math import prod
from types import FunctionType
from typing import Any, NamedTuple

from endsight.compiler import core, library
from endsight.compiler.calls import Calls, LocalFunction
from endsight.compiler.copies import Copies
from endsight.compiler.functions import KEPT, Translator
from endsight.compiler.known_objects import KnownObjects, depth_of, frozen, has_truth, kinds_of, lengths_of
from endsight.compiler.program import Function, Program
from endsight.compiler.refusal import CannotCompile, Unsettled
from endsight.compiler.resolve import UNKNOWN, Outside, is_whole
from endsight.compiler.scopes import renamed
from endsight.compiler.simpler import with_values
from endsight.compiler.sources import as_generator, definition_of, text_of
from endsight.compiler.syntax import copied, nodes_of
from endsight.compiler.values import (
    ITSELF,
    Names,
    Value,
    holds_list,
    holds_sequence,
    may_fail,
    nodes_in,
    width_of,
)
from endsight.game import Game

_MOST_TRIES = 5
_MOST_PARTS = 32
"""Parts of a calculation that is written out instead of called."""
_MOST_OPEN = 30
"""How deep functions may call each other: Python has some 1,000 nested calls to translate them in."""
_MOST_TYPES = 17
"""Types of arguments, and known numbers, for which a function may call itself."""
_DEEPEST = 100
"""How deep functions may call themselves."""


class Site(NamedTuple):
    """A place in the rules where a whole number may exceed its word, or an index its list."""

    file: str
    line: int
    what: str


class Demand(NamedTuple):
    """A function request in the program.

    key         distinguishes it from other functions, whatever its arguments are
    name        its name in the program
    file        where it stands
    outside     the meaning of names in it that are not its own
    rule        which of the rules it is
    home        the translation of the rules' function around it, if there is one
    is_for_one_type  whether it is about moves of one type among several: what cannot be compiled for these is a fault
    """

    key: Any
    name: str
    file: str
    outside: Outside
    definition: ast.FunctionDef
    rule: str = ""
    home: Any = None
    is_library: bool = False
    is_for_one_type: bool = False

    @property
    def place(self) -> tuple[str, int]:
        """File and line."""
        return self.file, self.definition.lineno


class Functions(KnownObjects):
    """The part of the translation of a game's rules that keeps its functions, and translates what is called."""

    program: Program
    state: core.Type

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.digits: tuple[str, int] | None = None
        """The file and the line where a text has the digits of a number, which no member of an IntEnum may change."""
        self.parsed: dict[Any, tuple[ast.FunctionDef, Any]] = {}
        self.deepest = _DEEPEST
        self.copies = Copies()
        self.has_fractions = False
        self.common = self.denominator = 1
        self.divisors: dict[tuple[str, int, int], int] = {}
        """What fractions are divided by, by file, line and column."""

    def forget(self) -> None:
        """Start again, without functions and objects."""
        super().forget()
        self.made: dict[Any, Function] = {}
        self.open: list[Any] = []
        self.deep: set[Any] = set()
        """Functions that call themselves, even if by way of others."""
        self.assumed: dict[Any, Function] = {}
        self.sites: list[Site] = []
        self.lists: list[Any] = []
        self.tables: dict[int, core.Table] = {}
        self.refusals: list[CannotCompile] = []
        """What cannot be compiled for moves of one type among several, and is a fault for these."""

    # ---------------------------------------------------------------- asked while functions are translated

    @property
    def needed_denominator(self) -> int:
        """A denominator for all fractions seen."""
        return self.common * prod(self.divisors.values())

    def site(self, file: str, line: int, what: str) -> int:
        """A new site number for an operation."""
        self.sites.append(Site(file, line, what))
        return len(self.sites)

    def table(self, value: Any, refuse: Callable[[str], CannotCompile]) -> core.Table:
        """A list of the rules' data as a constant."""
        known = self.tables.get(id(value))
        if known is None:
            depth = depth_of(value, refuse)
            item = core.EITHER if has_truth(value) else core.INT
            kind = core.TableType(depth, item, kinds_of(value, depth), lengths_of(value, depth))
            self.lists.append(value)
            self.program.tables.append(frozen(value))
            known = self.tables[id(value)] = core.Table(len(self.lists), kind)
        return known

    # ---------------------------------------------------------------- calls

    def call(self, to: Calls, node: ast.AST, function: FunctionType, given: list[Value], words: Names) -> Value:
        """A call of a function of the rules."""
        made = self.translated(function, given, words, caller=(to, node))
        is_list = made.result.is_long and made.result.sort != "tuple"
        if function in self.cached and (is_list or holds_list(made.result)):
            to.refuse(node, "a cache that hands out one list again and again cannot be compiled")
        return self._result(to, node, made, self._passed)

    def call_local(self, to: Calls, node: ast.AST, function: LocalFunction, given: list[Value], words: Names) -> Value:
        """A call of a function or lambda that the calling function made."""
        assert to.names is not None
        maker = function.maker
        place = to.file, to.line_of(node)
        bound = bound_arguments(function.node.args, given, words, function.defaults, place, to.file)
        kept = {name for name in function.free if name.startswith(KEPT)}
        is_here, free = to.home is maker.home and kept <= set(to.names), {}
        if is_here:  # and what functions read that it is handed
            further = {name for each in bound.values() for name in getattr(each.known, "free", ())}
            read = to.reached({*function.free, *(name for name in further if name.startswith(KEPT))})
            free = {name: to.as_read(name, node) for name in read if name in to.names}
        elif kept or maker.outside.own & set(function.free):
            to.refuse(node, "a function that reads names of the function around it is called in another one")
        key, own = (id(function.node), "local"), function.node
        request = maker.request._replace(home=maker.home, rule="", key=key, name=own.name, definition=own)
        made = self._specialised(request, bound | free, to)
        return self._result(to, node, made, self._passed)

    # ---------------------------------------------------------------- functions

    def _result(self, to: Calls, node: ast.AST, made: Function, passed: list[Value]) -> Value:
        if made.yields:
            called = ast.unparse(getattr(node, "func", node))
            instead = "go through it in one, as a method of the class"
            to.refuse(node, f"{called} yields, and is called outside of a loop: {instead}")
        for (name, kind), value in zip(made.parameters, passed, strict=True):
            if name in made.changes and isinstance(value.expr, core.Local | core.Field) and kind.is_sequence:
                names = to.lists_of(value) | {getattr(value.expr, "name", "")}
                for each in names:
                    to.mutated.setdefault(each, node)
                if node is not to.alone:
                    called = ast.unparse(getattr(node, "func", node))
                    how = f"as in `more = {called}(...)`"
                    to.refuse(node, f"a call that changes a list must stand alone in a statement, {how}")
                if isinstance(value.expr, core.Field) and names & to.parameters:
                    to.refuse(node, "a list in a tuple that was handed over cannot be changed here: return a new one")
                if isinstance(value.expr, core.Local) and value.expr.name in to.parameters:
                    to.changes.add(value.expr.name)
        if (own := self._in_place(to, node, made, passed)) is not None:
            return own
        result = Value.made(core.Call(made.name, tuple(value.expr for value in passed), made.result))
        if made.result == core.NOTHING:
            to.add(core.Do(result.expr))
            return Value.of(None)
        if made.keys is not None:
            return to.whole.with_keys(result, made.keys, node)
        return to.in_rows(node, result, made.rows) if made.rows else result

    def _in_place(self, to: Calls, node: ast.AST, made: Function, passed: list[Value]) -> Value | None:
        """What a short calculation gives, instead of its call; None for other functions."""
        first = next(iter(made.body), None)  # nothing is left of a function that does nothing
        value: Any = getattr(first, "value", None) if isinstance(first, core.Return) else None
        parts, is_deep = nodes_in(value), "es_depth" in dict(made.parameters)
        if value is None or is_deep or not core.is_number(value.type) or len(parts) > _MOST_PARTS:
            return None
        given = {}
        for (name, _), each in zip(made.parameters, passed, strict=True):
            each = Value.of(each.known) if is_whole(each.known) else each
            is_once = sum(isinstance(part, core.Local) and part.name == name for part in parts) < 2
            given[name] = each.expr if is_once and not may_fail(each.expr) else to.kept(each, node).expr
        return Value(made.result, with_values(value, given))

    def generator(
        self, to: Calls, node: ast.AST, function: FunctionType, given: list[Value], words: Names
    ) -> core.Call:
        """A call of a function that yields."""
        made = self.translated(function, given, words, caller=(to, node))
        to.named_in |= {name for name, _ in made.parameters}  # a generator may give lists in a list names
        passed = [to.kept(each, node) if each.type.is_sequence else each for each in self._passed]
        if any(each.type.is_tuple and holds_sequence(each.type) for each in passed):
            to.refuse(node, "a generator that is handed a tuple with a list in it cannot be compiled: hand over both")
        return core.Call(made.name, tuple(value.expr for value in passed), made.result)

    def translated(
        self,
        function: FunctionType,
        given: list[Value],
        words: Names,
        *,
        caller: tuple[Calls, ast.AST] | None = None,
        rule: str = "",
        is_for_one_type: bool = False,
    ) -> Function:
        """A function for a call by `caller`, or for itself as a rule."""
        name = f"rule_{rule}" if rule else f"{'own' if ITSELF in given[:1] else 'use'}_{function.__name__}"
        file = function.__code__.co_filename
        to, node = caller if caller is not None else (None, None)
        is_library = function.__globals__ is vars(library)
        what: tuple[Any, Any] = (function, None)
        if is_library and to is not None:  # errors there belong to the line of the rules that calls it
            file, what = to.file, (function, (to.file, getattr(node, "lineno", to.line)))
        if what not in self.parsed:
            definition = copied(definition_of(function))
            if not rule:
                as_generator(definition)
            self.parsed[what] = definition, renamed(definition, file, text_of(function))
            if what[1] is not None:
                _move(definition, what[1][1])
        definition, locals_ = self.parsed[what]
        node = definition if node is None else node
        place = (to.file if to is not None else file), getattr(node, "lineno", definition.lineno)
        bound = bound_arguments(definition.args, given, words, defaults_of(function, definition.args), place, file)
        outside = Outside(self.game, function, self.cached, locals_)
        # One function may be two rules.
        request = Demand((what, rule), name, file, outside, definition, rule, None, is_library, is_for_one_type)
        return self._specialised(request, bound, to)

    def _specialised(self, request: Demand, bound: Names, to: Calls | None) -> Function:
        """The function for arguments of these types; arguments without a value at run time are part of the key."""
        bound = bound if to is None else bound | to.handed_over(bound, request.definition)
        parameters: list[tuple[str, core.Type]] = []
        passed: list[Value] = []
        names: Names = {}
        what: list[Any] = [request.key]
        counter = self._counter(request, bound)
        for parameter, value in bound.items():
            is_written_in = value.is_known and request.rule.startswith("sees")
            if parameter == counter:
                names[parameter] = Value.of(value.known)
                what.append(value.known)
                continue
            if is_written_in or (value.expr is None and not self.is_value(value.known)):
                self.keep.append(value.known)
                names[parameter] = value
                what.append(id(value.known) if value.lists is None else value.lists)
                continue
            value = to.not_only_truth(to.material(value, request.definition), request.definition) if to else value
            parameters.append((parameter, value.type))
            passed.append(value)
            numbers = value.type.numbers
            known = self.pool[numbers[0]] if len(numbers) == 1 else UNKNOWN  # one object of only one kind
            keys = value.keys and (value.keys.fixed() or value.keys)
            names[parameter] = Value(value.type, core.Local(parameter, value.type), known, keys=keys)
            what.append((value.type, keys))
        whole = tuple(what)
        made = self.made.get(whole)
        if made is None:
            is_open = whole in self.open
            made = self._again(whole, request) if is_open else self._settled(whole, request, names, parameters)
        if whole in self.deep:
            is_inside = to is not None and "es_depth" in (to.names or ())
            further = core.Binary("add", core.Local("es_depth", core.INT), core.Number(1), 0)
            passed.append(Value(core.INT, further if is_inside else core.Number(0)))
        self._passed = passed
        return made

    def _counter(self, request: Demand, bound: Names) -> str | None:
        """The only known number among the arguments of a function that calls itself, if it counts down to 0.

        For each number the function is translated apart, so that its calls are written out.
        """
        counts = [key for key, value in bound.items() if type(value.known) is int]
        if len(counts) != 1 or not 0 <= bound[counts[0]].known < _MOST_TYPES:
            return None
        nodes, name = nodes_of(request.definition), request.definition.name
        called = [each.func for each in nodes if isinstance(each, ast.Call)]
        stored = [each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        before = [each[1:] for each in self.open if each[0] == request.key]
        is_less = not before or any(type(each) is int and each > bound[counts[0]].known for each in before[-1])
        calls_itself = any(name in (getattr(each, "attr", ""), getattr(each, "id", "")) for each in called)
        return counts[0] if calls_itself and is_less and counts[0] not in stored else None

    def _again(self, whole: Any, request: Demand) -> Function:
        """A function that is being translated, as called by itself."""
        self.deep.update(self.open[self.open.index(whole) :])
        if whole not in self.assumed:
            raise Unsettled("a function calls itself on every way", *request.place)
        if self.assumed[whole].yields:
            raise CannotCompile("a generator calls itself", *request.place)
        return self.assumed[whole]

    def _settled(self, whole: Any, request: Demand, names: Names, parameters: list[tuple[str, core.Type]]) -> Function:
        """A function translated for the first time; if it calls itself, repeatedly until it gives what was assumed."""
        if sum(each[0] == request.key for each in self.open) > _MOST_TYPES:
            raise CannotCompile("a function calls itself with arguments of ever other types", *request.place)
        if len(self.open) > _MOST_OPEN:
            raise CannotCompile(
                "functions call each other more than 30 deep: write some of them in one", *request.place
            )
        before, made = dict(self.made), None
        while made is None or (whole in self.deep and _signature(made) != _signature(self.assumed.get(whole))):
            if made is not None:  # it calls itself: again, with its result known
                self.assumed[whole], self.made = made, dict(before)
                made.parameters = (*parameters, ("es_depth", core.INT))
            depth = (("es_depth", core.INT),) if whole in self.deep else ()
            self.open.append(whole)
            try:
                made = self._new(request, names, (*parameters, *depth), self.assumed.get(whole))
            finally:
                self.open.pop()
        self.made[whole] = made
        return made

    def _new(
        self, request: Demand, names: Names, parameters: tuple[tuple[str, core.Type], ...], before: Function | None
    ) -> Function:
        """The function translated anew; `before` is what it was assumed to be, whose name it keeps."""
        hints: dict[str, core.Type] = {}
        tries = 0
        while True:
            translator = Translator(self, request, names, hints)
            made = translator.run(request.name, parameters)
            if hints == translator.hints:
                break
            hints, tries = translator.hints, tries + 1
            if tries > _MOST_TRIES:
                raise CannotCompile("what lists hold cannot be told here", *request.place)
        made.name = before.name if before is not None else made.name
        while before is None and made.name in self.program.functions:
            made.name = f"{request.name}_{len(self.program.functions)}"
        self.program.functions[made.name] = made
        return made


def _signature(made: Function | None) -> tuple[Any, ...] | None:
    """What the calls of a function assume of it."""
    return None if made is None else (made.result, made.parameters, made.rows, made.keys, made.changes)


def _move(definition: ast.FunctionDef, line: int) -> None:
    """Move all of a function to that line."""
    for node in nodes_of(definition):
        if hasattr(node, "lineno"):
            node.lineno = line


# Arguments of calls, bound to names as Python binds them.


def bound_arguments(
    arguments: ast.arguments, given: list[Value], words: Names, defaults: Names, place: tuple[str, int], file: str
) -> Names:
    """Values by parameter, in order; `type_comment` is its name in the rules.

    `place` is that of the call, `file` the file of the function. Raises `CannotCompile` if the call does not fit.
    """
    if arguments.kwarg is not None:
        raise CannotCompile("a function takes **arguments", file, arguments.kwarg.lineno)
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    bound, rest = dict(zip(names, given, strict=False)), given[len(names) :]
    by_name = {each.type_comment: each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
    too_many = bool(rest) and arguments.vararg is None
    if too_many or any(word not in by_name or by_name[word] in bound for word in words):
        raise CannotCompile("the function does not take these arguments", *place)
    bound = defaults | bound | {by_name[word]: value for word, value in words.items()}
    names += [each.arg for each in arguments.kwonlyargs]
    lacking = [name for name in names if name not in bound]
    if lacking:
        raise CannotCompile(f"the function needs {lacking[0]}", *place)
    in_order = {name: bound[name] for name in names}
    if arguments.vararg is not None:
        in_order[arguments.vararg.arg] = _together(rest, file, arguments.vararg.lineno)
    return in_order


def _together(values: list[Value], file: str, line: int) -> Value:
    """The tuple that `*arguments` stands for."""
    if all(value.is_known and value.lists is None for value in values):
        return Value.of(tuple(value.known for value in values))
    if not all(width_of(value.type) for value in values):
        raise CannotCompile("a function takes *arguments that are no numbers", file, line)
    return Value.row(values)


def defaults_of(function: FunctionType, arguments: ast.arguments) -> Names:
    """The current default values of a function, by parameter."""
    places = [*arguments.posonlyargs, *arguments.args]
    given = zip(reversed(places), reversed(function.__defaults__ or ()), strict=False)
    defaults = {each.arg: Value.of(value) for each, value in given}
    code = function.__code__
    own = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    for each, name in zip(arguments.kwonlyargs, own, strict=True):
        if name in (function.__kwdefaults__ or {}):
            defaults[each.arg] = Value.of((function.__kwdefaults__ or {})[name])
    return defaults
