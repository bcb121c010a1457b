"""A rules class becomes a program of the core, and that the functions which kernels call.

Translated is what Python would run: `resolve` finds functions and constants as live objects,
`scopes` gives every local a name of its own, and each function is translated for the types
of its arguments, one statement after the other (`statements`, `reading`, `iteration`,
`calls`; `flow` knows which names have a value, and of which type). What is known before any
state is - parameters, constants of `setup`, literals - is written in as numbers; lists of
numbers go to a data array, of which little is written into the code and much is handed over
at run time, so that other data need no new compilation. Line numbers and file names stay those
of the rules. Whatever is left raises `CannotCompile` with the line.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from endsight.compiler import core, library
from endsight.compiler.binding import bound_arguments, defaults_of
from endsight.compiler.calls import Calls, LocalFunction, SuperOf
from endsight.compiler.constants import depth_of, flatten, frozen, has_truth, kinds_of
from endsight.compiler.fields import numbers_of, read_field, type_of_field
from endsight.compiler.flow import ROOM, Names, Value
from endsight.compiler.fraction_types import require_like_fractions
from endsight.compiler.functions import ITSELF, KEPT, Origin, Translator
from endsight.compiler.refusal import CannotCompile, Unsettled
from endsight.compiler.resolve import SELF, Mark, is_list, is_plain, is_whole
from endsight.compiler.results import Decoder, decoder, refuse_odd_states, require_result, words_in
from endsight.compiler.scopes import renamed
from endsight.compiler.sources import function_of, is_cached, method_of, syntax_of, text_of
from endsight.compiler.syntax import nodes_of
from endsight.compiler.writing import written
from endsight.game import Game
from endsight.game.codec import Kind, fields_of

__all__ = ["RULES", "Site", "Translation", "Unit", "translate", "translated"]

RULES = ("to_move", "moves", "play", "payoff", "reward", "weight", "canonical", "exchanged", "layer")
"""The methods that kernels call, as far as a game gives them; `sees` is for those that walk through histories."""

_MOST_TRIES = 5
_MOST_OPEN = 30
"""How deep functions may call each other: Python has some 1,000 calls to translate them in."""
_MOST_TYPES = 8
"""Types of arguments for which a function may call itself."""
_DEEPEST, _LEAST_DEEP, _STACK = 100, 8, 1 << 17
"""How deep functions may call themselves, with so many words of lists at the most."""
_NO_OBJECTS = (
    int,
    float,
    list,
    FunctionType,
    BuiltinFunctionType,
    MethodType,
    ModuleType,
    type,
    LocalFunction,
    SuperOf,
    Game,
    Mark,
)
_WITH_MOVE = ("play", "reward", "weight")


@dataclass(frozen=True)
class Site:
    """A place in the rules where a whole number may leave its word, or an index its list."""

    file: str
    line: int
    what: str


@dataclass(frozen=True)
class Function:
    """One translated function: its definition and the file that its line numbers count in."""

    definition: ast.FunctionDef
    file: str


@dataclass(frozen=True)
class Translation:
    """The rules as functions `rule_NAME(state, ...)` and what they need.

    fields     names of the state's fields
    program    the rules in the core
    functions  name -> function, as syntax for `lowering`; rules are called `rule_moves`, ...
    sites      the number written into FAULT -> place in the rules; 0 stands for none
    denominator  payoffs and rewards are given in parts, so many to the whole
    move       makes a move, as the rules give it, of the words that kernels write
    seen       the same for what each player sees of a state, where `sees` is translated
    words      how many words a move has, and what each player sees
    data       the data array: a list is its length, then its items; entry k says where
               the k-th list of the rules begins, entry 0 is an empty list
    """

    fields: tuple[str, ...]
    program: core.Program
    functions: dict[str, Function]
    sites: list[Site]
    data: list[int]
    denominator: int
    move: Decoder
    seen: tuple[Decoder, ...]
    words: tuple[int, ...]

    def gives(self, rule: str) -> bool:
        """Whether the rules have that optional method."""
        return f"rule_{rule}" in self.functions

    @property
    def moves_are_numbers(self) -> bool:
        """Whether the words are moves already."""
        return self.move is next

    @property
    def is_natural(self) -> bool:
        """Whether states are made of the codec's numbers by `rule_state`, which `rule_numbers` gives back."""
        return self.gives("numbers")

    @property
    def text(self) -> str:
        """All functions as text: what the content hash is taken of."""
        return "\n\n".join(ast.unparse(function.definition) for function in self.functions.values())


def translate(game: Game, rules: tuple[str, ...] = RULES) -> Translation:
    """The rules of `game`, ready to be pasted into kernels; raises `CannotCompile`."""
    unit = translated(game, rules)
    program = unit.program
    used = _reached(program, {name for name in program.functions if name.startswith("rule_")})
    functions = {
        name: Function(written(program.functions[name]), program.functions[name].file) for name in sorted(used)
    }
    move, *seen = (decoder(kind, unit.pool) for kind in (unit.move, *unit.seen))
    words = tuple(map(words_in, (unit.move, *unit.seen)))
    return Translation(
        unit.state.names, program, functions, unit.sites, flatten(unit.lists), unit.denominator,
        move, tuple(seen), words,
    )  # fmt: skip


def translated(game: Game, rules: tuple[str, ...] = RULES) -> Unit:
    """The rules of `game` in the core; raises `CannotCompile`."""
    unit = Unit(game)
    try:
        unit.run(rules)
    except RecursionError:
        raise CannotCompile("the rules nest calls and expressions too deep: give parts names of their own") from None
    return unit


class Unit:
    """All functions of a game's rules, each translated for the types of its arguments when it is first called."""

    def __init__(self, game: Game) -> None:
        refuse_odd_states(game)
        self.game = game
        self.kind = type(game)
        self.kinds = fields_of(game)
        self.truths: set[str] = set()
        """Places of whole numbers that may hold True or False."""
        self._plain: dict[int, tuple[Any, bool]] = {}
        self._values: dict[int, tuple[Any, bool]] = {}
        self.unordered: dict[int, Any] = {}
        """Sets that were made while translating, by identity."""
        self.cached: set[FunctionType] = set()
        """Functions with a cache in front of them."""
        self.parsed: dict[Any, tuple[ast.FunctionDef, Any]] = {}
        self.deepest = _DEEPEST
        self.has_fractions = False
        self.common = self.denominator = 1
        self.divisors: dict[tuple[str, int, int], int] = {}
        """What fractions are divided by, by file, line and column."""
        self._begin()

    def _begin(self) -> None:
        self.program = core.Program()
        self.program.denominator = self.denominator
        self.move: core.Type = core.INT
        self.seen: list[core.Type] = []
        """What each player sees of a state."""
        self.made: dict[Any, core.Function] = {}
        self.open: list[Any] = []
        self.deep: set[Any] = set()
        """Functions that call themselves, if by way of others."""
        self.assumed: dict[Any, core.Function] = {}
        self.sites: list[Site] = []
        self.lists: list[Any] = []
        self.tables: dict[int, core.Table] = {}
        self.keep: list[Any] = []
        self.pool: list[Any] = []
        self.numbers: dict[Any, int] = {}
        fields = tuple(type_of_field(kind, self.truths, self.number_of) for kind in self.kinds)
        self.state = core.Tuple(fields, tuple(self.kind.State._fields), "State")
        if not all(kind.is_word for kind in self.kinds):
            self._read_and_told()

    def _read_and_told(self) -> None:
        """Functions that make a state of the codec's numbers, and these of it."""
        places = [place for kind in self.kinds for place in kind.limits]
        given = tuple((f"es_f{number}", core.INT) for number in range(len(places)))
        rest = iter([core.Local(*each) for each in given])
        state = core.Row(
            tuple(read_field(*each, rest, self.number_of) for each in zip(self.kinds, self.state.items, strict=True)),
            self.state,
        )
        own = core.Local("state", self.state)
        told: list[core.Expr] = []
        for number, (kind, what) in enumerate(zip(self.kinds, self.state.items, strict=True)):
            told += numbers_of(kind, core.Field(own, number, what), self.number_of)
        numbers = core.Row(tuple(told), core.Tuple((core.INT,) * len(told)))
        for name, parameters, value in (("state", given, state), ("numbers", (("state", self.state),), numbers)):
            self.program.functions[f"rule_{name}"] = core.Function(
                f"rule_{name}", parameters, (core.Return(value, 1),), value.type, ("", 1),
                yields=False, changes=frozenset(),
            )  # fmt: skip

    def run(self, rules: tuple[str, ...]) -> None:
        """Translate the rules, again where something is found out that was not known at first."""
        first = zip(self.kinds, self.game.start(), strict=False)
        self.truths = {place for kind, value in first for place in kind.truths(value)}
        while True:
            before = self._taken()
            self._begin()
            self._rules(rules)
            self.deepest = self._deepest()
            self.denominator = self.needed_denominator
            if self._taken() == before:
                break
        if self.has_fractions:
            require_like_fractions(self.program)

    def _taken(self) -> tuple[Any, ...]:
        """What is found out of the rules as a whole, and taken for true while they are translated."""
        return set(self.truths), self.deepest, self.denominator, self.has_fractions

    @property
    def needed_denominator(self) -> int:
        """What all fractions that were met can be told in parts of."""
        return self.common * prod(self.divisors.values())

    def _deepest(self) -> int:
        """How deep functions may call themselves, so that the stack holds their lists."""
        own = [made for whole, made in self.made.items() if whole in self.deep]
        reached = _reached(self.program, {made.name for made in own})
        room = sum(_room(self.program.functions[name].body) for name in reached)
        deepest = min(self.deepest, _STACK // max(1, room))
        if deepest < _LEAST_DEEP:
            raise CannotCompile(
                "a function that calls itself holds too many lists: hand over numbers", own[0].file, own[0].line
            )
        return deepest

    def _rules(self, rules: tuple[str, ...]) -> None:
        move: core.Type = core.INT
        for rule in sorted(rules, key=lambda rule: rule != "moves"):
            if rule not in ("moves", "play", "payoff") and not self.game.gives(rule):
                continue
            found = self.method(rule)
            if found is None:
                raise CannotCompile(f"{rule} is not a plain method of the class: Python calls something else")
            function, is_bound = found
            if rule == "sees":
                self._sees(function, [ITSELF] if is_bound else [])
                continue
            given = [Value(self.state, core.Local("", self.state))]
            given += [Value(move, core.Local("", move))] if rule in _WITH_MOVE else []
            made = self._translated(f"rule_{rule}", function, ([ITSELF] if is_bound else []) + given, {}, rule=rule)
            require_result(rule, made)
            if rule == "moves" and made.result != core.NOTHING:
                move = self.move = made.result

    def _sees(self, function: FunctionType, first: list[Value]) -> None:
        """What each player sees, as a function of the state alone: players may see things of different types."""
        for player in range(self.game.player_count):
            given = [Value(self.state, core.Local("", self.state)), Value(core.INT, core.Number(player), player)]
            made = self._translated(f"rule_sees_{player}", function, first + given, {}, rule=f"sees {player}")
            require_result("sees", made)
            self.seen.append(made.result)

    # ---------------------------------------------------------------- asked while functions are translated

    def site(self, file: str, line: int, what: str) -> int:
        """A new site number for an operation."""
        self.sites.append(Site(file, line, what))
        return len(self.sites)

    def table(self, value: Any, refuse: Callable[[str], CannotCompile]) -> core.Table:
        """A list of the rules' data as a constant."""
        known = self.tables.get(id(value))
        if known is None:
            depth = depth_of(value, refuse)
            kind = core.TableType(depth, core.EITHER if has_truth(value) else core.INT, kinds_of(value, depth))
            self.lists.append(value)
            self.program.tables.append(frozen(value))
            known = self.tables[id(value)] = core.Table(len(self.lists), kind)
        return known

    def is_plain(self, value: Any) -> bool:
        """Whether operations on a known value can be done now."""
        if type(value) in (int, bool, str, type(None)):
            return True
        known = self._plain.get(id(value))
        if known is None:
            known = self._plain[id(value)] = value, is_plain(value)
        return known[1]

    def is_value(self, known: Any) -> bool:
        """Whether a known object can be there when rules run: a number, or lists of numbers."""
        if is_whole(known) or not is_list(known):
            return is_whole(known)
        if id(known) not in self._values:
            try:
                depth_of(known, CannotCompile)
                self._values[id(known)] = known, True
            except CannotCompile:
                self._values[id(known)] = known, False
        return self._values[id(known)][1]

    def is_object(self, known: Any) -> bool:
        """Whether a value that is no number may be told by its number in the list of objects."""
        is_odd = isinstance(known, tuple) and not is_list(known)
        return not isinstance(known, _NO_OBJECTS) and not is_odd and not hasattr(known, "dtype")

    def number_of(self, known: Any) -> int:
        """The number of an object; equal texts have one number."""
        key = known if isinstance(known, str) else id(known)
        if key not in self.numbers:
            self.numbers[key] = len(self.pool)
            self.pool.append(known)
        return self.numbers[key]

    def kept(self, known: Any) -> Any:
        """A value made while translating, which stays what it is under its `id`."""
        self.keep.append(known)
        return known

    def is_in_order(self, value: Any) -> bool:
        """Whether Python goes through a known object in the same order: a set made here may have another."""
        return id(value) not in self.unordered

    def method(self, name: str) -> tuple[FunctionType, bool] | None:
        """The function that `game.NAME` runs, and whether it is given the game; None where the class has none."""
        found = method_of(self.game, name)
        function = function_of(found)
        if function is not None and is_cached(found) and inspect.isgeneratorfunction(function):
            raise CannotCompile(f"{name} yields its values once, then a cache gives it used up", *_place(function))
        if function is None:
            return self._set_up(name)
        if is_cached(found):
            self.cached.add(function)
        return function, not isinstance(found, staticmethod)

    def _set_up(self, name: str) -> tuple[FunctionType, bool] | None:
        """The same for what `setup` left on the game: a function, or a method of the game under another name."""
        found = vars(self.game).get(name)
        if isinstance(found, MethodType) and found.__self__ is self.game and isinstance(found.__func__, FunctionType):
            return found.__func__, True
        return (found, False) if isinstance(found, FunctionType) else None

    def getter(self, name: str) -> FunctionType | None:
        """What a property calls, None where that is no plain function."""
        found = method_of(self.game, name)
        function = found.fget if isinstance(found, property) else None
        return function if isinstance(function, FunctionType) and name not in vars(Game) else None

    def above(self, to: Calls, node: ast.AST, kind: Any, name: str) -> FunctionType:
        """The function that `super().NAME` runs in a method of that class."""
        mro = type(self.game).__mro__
        after = mro[mro.index(kind) + 1 :] if kind in mro else ()
        found = next((each.__dict__[name] for each in after if name in each.__dict__), None)
        if not isinstance(found, FunctionType):
            to.refuse(node, f"super().{name} is not a plain method")
        return found

    def call(
        self, to: Calls, node: ast.AST, function: FunctionType, given: list[Value], words: dict[str, Value]
    ) -> Value:
        """A call of a function of the rules."""
        prefix = "own" if given and given[0].known is SELF else "use"
        made = self._translated(f"{prefix}_{function.__name__}", function, given, words, caller=(to, node))
        if (
            function in self.cached
            and isinstance(made.result, core.Sequence | core.TableType)
            and core.kind_of(made.result) != "tuple"
        ):
            to.refuse(node, "a cache that hands out one list again and again cannot be compiled")
        return self._result(to, node, made, self._passed)

    def call_local(
        self, to: Calls, node: ast.AST, function: LocalFunction, given: list[Value], words: dict[str, Value]
    ) -> Value:
        """A call of a function or lambda that the calling function made."""
        assert to.names is not None
        maker = function.maker
        place = to.file, getattr(node, "lineno", to.line)
        bound = self._bound(function.node.args, given, words, function.defaults, place, to.file)
        kept = {name for name in function.free if name.startswith(KEPT)}
        is_here, free = to.home is maker.home and kept <= set(to.names), {}
        if is_here:  # and what functions read that it is handed
            further = {
                name for each in bound.values() for name in getattr(each.known, "free", ()) if name.startswith(KEPT)
            }
            read = to.reached({*function.free, *further})
            free = {name: to.as_read(name, node) for name in read if name in to.names}
        elif kept or maker.locals & set(function.free):
            to.refuse(node, "a function that reads names of the function around it is called in another one")
        made = self._specialised(
            (id(function.node), "local"), function.node.name, bound | free, maker, function.node, to
        )
        return self._result(to, node, made, self._passed)

    # ---------------------------------------------------------------- functions

    def _result(self, to: Calls, node: ast.AST, made: core.Function, passed: list[Value]) -> Value:
        if made.yields:
            to.refuse(
                node,
                f"{made.name} yields, and is called outside of a loop: go through it in one, as a method of the class",
            )
        for (name, kind), value in zip(made.parameters, passed, strict=True):
            if name in made.changes and isinstance(value.expr, core.Local) and isinstance(kind, core.Sequence):
                to.mutated.setdefault(value.expr.name, node)
                if node is not to.alone:
                    to.refuse(node, "a call that changes a list must stand alone in a statement")
                if value.expr.name in to.parameters:
                    to.changes.add(value.expr.name)
        if made.result == core.NOTHING:
            call = core.Call(made.name, tuple(value.expr for value in passed), core.NOTHING)
            return Value(core.NOTHING, call)
        return Value(made.result, core.Call(made.name, tuple(value.expr for value in passed), made.result))

    def generator(
        self, to: Calls, node: ast.AST, function: FunctionType, given: list[Value], words: dict[str, Value]
    ) -> core.Call:
        """A call of a function that yields."""
        prefix = "own" if given and given[0].known is SELF else "use"
        made = self._translated(f"{prefix}_{function.__name__}", function, given, words, caller=(to, node))
        passed = [to.held(each, node) if isinstance(each.type, core.Sequence) else each for each in self._passed]
        return core.Call(made.name, tuple(value.expr for value in passed), made.result)

    def _translated(
        self,
        name: str,
        function: FunctionType,
        given: list[Value],
        words: dict[str, Value],
        *,
        caller: tuple[Calls, ast.AST] | None = None,
        rule: str = "",
    ) -> core.Function:
        file = function.__code__.co_filename
        to, node = caller if caller is not None else (None, None)
        is_library = function.__globals__ is vars(library)
        what: tuple[Any, Any] = (function, None)
        if is_library and to is not None:  # what goes wrong there goes wrong at the line of the rules that calls it
            file, what = to.file, (function, (to.file, getattr(node, "lineno", to.line)))
        if what not in self.parsed:
            definition = syntax_of(function)
            self.parsed[what] = definition, renamed(definition, file, text_of(function))
            if what[1] is not None:
                _move(definition, what[1][1])
        definition, locals_ = self.parsed[what]
        node = definition if node is None else node
        place = (to.file if to is not None else file), getattr(node, "lineno", definition.lineno)
        bound = self._bound(definition.args, given, words, defaults_of(function, definition.args), place, file)
        origin = Origin(self, function, file, locals_.all, is_library=is_library)
        # One function may be two rules.
        return self._specialised((what, rule), name, bound, origin, definition, to, rule)

    def _bound(
        self,
        arguments: ast.arguments,
        given: list[Value],
        words: dict[str, Value],
        defaults: dict[str, Value],
        place: tuple[str, int],
        own: str,
    ) -> dict[str, Value]:
        """Arguments by name; `place` is that of the call, `own` the file of the function."""
        try:
            return bound_arguments(arguments, given, words, defaults)
        except CannotCompile as reason:
            file, line = (own, reason.line) if reason.line is not None else place
            raise CannotCompile(reason.reason, file, line) from None

    def _specialised(
        self,
        key: Any,
        name: str,
        bound: dict[str, Value],
        origin: Any,
        definition: ast.FunctionDef,
        to: Calls | None,
        rule: str = "",
    ) -> core.Function:
        """The function for arguments of these types; those that are no values at run time are part of the key."""
        parameters: list[tuple[str, core.Type]] = []
        passed: list[Value] = []
        names: Names = {}
        what: list[Any] = [key]
        for parameter, value in bound.items():
            is_written_in = value.is_known and rule.startswith("sees")
            if is_written_in or (value.expr is None and not self.is_value(value.known)):
                self.keep.append(value.known)
                names[parameter] = value
                what.append(id(value.known))
                continue
            value = to.material(value, definition) if to is not None else value
            parameters.append((parameter, value.type))
            passed.append(value)
            names[parameter] = Value(value.type, core.Local(parameter, value.type))
            what.append(value.type)
        whole = tuple(what)
        made = self.made.get(whole)
        if made is None and whole in self.open:
            made = self._again(whole, origin, definition)
        elif made is None:
            if sum(each[0] == key for each in self.open) > _MOST_TYPES:
                raise CannotCompile(
                    "a function calls itself with arguments of ever other types", *place_in(origin, definition)
                )
            if len(self.open) > _MOST_OPEN:
                raise CannotCompile(
                    "functions call each other more than 30 deep: write some of them in one",
                    *place_in(origin, definition),
                )
            before = dict(self.made)
            while made is None or (whole in self.deep and not _is_same(made, self.assumed.get(whole))):
                if made is not None:  # it calls itself: again, knowing what it gives
                    self.assumed[whole], self.made = made, dict(before)
                    made.parameters = (*parameters, ("es_depth", core.INT))
                depth = (("es_depth", core.INT),) if whole in self.deep else ()
                self.open.append(whole)
                try:
                    made = self._new(
                        name, definition, origin, names, [*parameters, *depth], rule, self.assumed.get(whole)
                    )
                finally:
                    self.open.pop()
            self.made[whole] = made
        if whole in self.deep:
            is_inside = to is not None and "es_depth" in (to.names or ())
            further = core.Binary("add", core.Local("es_depth", core.INT), core.Number(1), 0)
            passed.append(Value(core.INT, further if is_inside else core.Number(0)))
        self._passed = passed
        return made

    def _again(self, whole: Any, origin: Any, definition: ast.FunctionDef) -> core.Function:
        """A function that is being translated, for a call of itself."""
        self.deep.update(self.open[self.open.index(whole) :])
        if whole not in self.assumed:
            raise Unsettled("a function calls itself on every way", *place_in(origin, definition))
        if self.assumed[whole].yields:
            raise CannotCompile("a generator calls itself", *place_in(origin, definition))
        return self.assumed[whole]

    def _new(
        self,
        name: str,
        definition: ast.FunctionDef,
        origin: Any,
        names: Names,
        parameters: list[tuple[str, core.Type]],
        rule: str,
        before: core.Function | None,
    ) -> core.Function:
        hints: dict[str, core.Type] = {}
        tries = 0
        while True:
            gives_shares, gives_sight = rule in ("payoff", "reward"), rule.startswith("sees")
            translator = Translator(
                self, origin, definition, names, hints,
                is_moves=rule == "moves", gives_shares=gives_shares, gives_sight=gives_sight,
            )  # fmt: skip
            made = translator.run(name, tuple(parameters))
            if hints == translator.hints:
                break
            hints, tries = translator.hints, tries + 1
            if tries > _MOST_TRIES:
                raise CannotCompile("what lists hold cannot be told here", origin.file, definition.lineno)
        made.name = before.name if before is not None else made.name
        while before is None and made.name in self.program.functions:
            made.name = f"{name}_{len(self.program.functions)}"
        self.program.functions[made.name] = made
        return made


def place_in(origin: Any, definition: ast.FunctionDef) -> tuple[str, int]:
    """Where a function stands."""
    return origin.file, definition.lineno


def _is_same(made: core.Function, assumed: core.Function | None) -> bool:
    """Whether a function is what its own calls took it for."""
    return assumed is not None and (made.result, made.parameters) == (assumed.result, assumed.parameters)


def _room(node: Any) -> int:
    """Words of the stack that the lists of a function take."""
    if isinstance(node, tuple):
        return sum(map(_room, node))
    if not isinstance(node, core.Node) or isinstance(node, core.Tuple | core.Sequence | core.TableType):
        return 0
    own = 0
    if isinstance(node, core.Listed | core.Members | core.Call) and isinstance(node.type, core.Sequence):
        own = ROOM * max(1, core.width_of(node.type.item))
    if isinstance(node, core.Assign) and node.copies:
        own = ROOM * max(1, core.width_of(node.value.type.item))  # type: ignore[union-attr]
    return own + sum(map(_room, vars(node).values()))


def _move(definition: ast.FunctionDef, line: int) -> None:
    """Let all of a function stand in that line."""
    for node in nodes_of(definition):
        if hasattr(node, "lineno"):
            node.lineno = line


def _all_kinds(kinds: Iterable[Kind]) -> Iterator[Kind]:
    """The kinds of fields, and of all that is inside of them."""
    for kind in kinds:
        yield kind
        yield from _all_kinds(kind.items)


def _reached(program: core.Program, first: set[str]) -> set[str]:
    """Names of those functions, and of all that they come to."""
    reached: set[str] = set()
    waiting = sorted(first)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _called(program.functions[name].body)
    return reached


def _called(node: Any) -> list[str]:
    if isinstance(node, core.Node):
        own = [node.function] if isinstance(node, core.Call) else []
        return own + [name for part in vars(node).values() for name in _called(part)]
    return [name for part in node for name in _called(part)] if isinstance(node, tuple) else []


def _place(function: FunctionType) -> tuple[str, int]:
    return function.__code__.co_filename, function.__code__.co_firstlineno
