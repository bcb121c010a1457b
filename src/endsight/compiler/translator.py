"""A rules class becomes plain functions of whole numbers.

`self` disappears: parameters and constants of `setup` are written in as numbers, lists
of numbers go to a data array that is handed over at run time (so that other data need no
new compilation), and methods, helper functions and constants from other files are pulled
in. Arithmetic becomes calls of the checked operations in `lowering`; what that lacks
(`any`, `sum` over a generator, `_replace`, `zip`, ragged lists, ...) is rewritten.
Line numbers and file names stay those of the rules. Whatever is left raises
`CannotCompile` with the line.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from endsight.compiler.assigned import can_fall_through, refuse_unassigned
from endsight.compiler.known import Scope, behaves_as, is_list, is_whole
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rewriting import Rewriter
from endsight.compiler.scopes import renamed
from endsight.compiler.sharing import refuse_shared_lists
from endsight.compiler.sources import function_of, is_cached, method_of, syntax_of, text_of
from endsight.compiler.syntax import nodes_of
from endsight.compiler.truth import refuse_truth
from endsight.game import Game

__all__ = ["RULES", "Site", "Translation", "translate"]

RULES = ("to_move", "moves", "play", "payoff", "reward", "weight", "canonical", "exchanged", "layer")
"""The methods that kernels call, as far as a game gives them."""

_ARGUMENTS = {rule: 2 if rule in ("play", "reward", "weight") else 1 for rule in RULES}

WORD_LIMIT = 1 << 63


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
    functions  name -> function; rules are called `rule_moves`, ...
    sites      the number written into FAULT -> place in the rules; 0 stands for none
    data       the data array: a list is its length, then its items; entry k says where
               the k-th list of the rules begins, entry 0 is an empty list
    """

    fields: tuple[str, ...]
    functions: dict[str, Function]
    sites: list[Site]
    data: list[int]

    def gives(self, rule: str) -> bool:
        """Whether the rules have that optional method."""
        return f"rule_{rule}" in self.functions

    @property
    def text(self) -> str:
        """All functions as text: what the content hash is taken of."""
        return "\n\n".join(ast.unparse(function.definition) for function in self.functions.values())


def translate(game: Game, rules: tuple[str, ...] = RULES) -> Translation:
    """The rules of `game`, ready to be pasted into kernels; raises `CannotCompile`."""
    return _Translator(game).run(rules)


class _Translator:
    """The functions still to be translated, and what has been gathered."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kind = type(game)
        self.functions: dict[str, Function] = {}
        self.waiting: list[tuple[str, FunctionType, bool]] = []
        self.names: dict[FunctionType, str] = {}
        self.signatures: dict[str, inspect.Signature] = {}
        self.calls: dict[str, set[str]] = {}
        self.sites: list[Site] = []
        self.lists: list[Any] = []
        self.shapes: list[int] = []
        self.current = ""

    def run(self, rules: tuple[str, ...]) -> Translation:
        refuse_odd_states(self.game)
        for rule in rules:
            if rule in ("moves", "play", "payoff") or self.game.gives(rule):
                name = self.method(rule)
                if name is None or not self.fits(
                    name, ast.Call(ast.Name(rule), [ast.Constant(0)] * _ARGUMENTS[rule], [])
                ):
                    raise CannotCompile(f"{rule} is not a method that takes what it is given")
        while self.waiting:
            self._translate(*self.waiting.pop())
        self._refuse_recursion()
        ordered = {name: self.functions[name] for name in sorted(self.functions)}
        written = {name: (each.definition, each.file) for name, each in ordered.items()}
        refuse_truth(written, self.kind.State._fields, self.game.start(), self.lists)
        return Translation(tuple(self.kind.State._fields), ordered, self.sites, flatten(self.lists))

    # ---------------------------------------------------------------- asked by the rewriter

    def method(self, name: str) -> str | None:
        """The translated name of a method, None where the class has no such function."""
        found = method_of(self.game, name)
        function = function_of(found)
        if function is not None and is_cached(found) and inspect.isgeneratorfunction(function):
            raise CannotCompile(
                f"{name} yields its values once, and then a cache gives it again used up", *_place(function)
            )
        if function is None:
            if hasattr(self.game, name):
                raise CannotCompile(f"{name} is not a plain method of the class: Python calls something else")
            return None
        is_static = isinstance(found, staticmethod)
        return self._need(("rule_" if name in RULES else "own_") + name, function, not is_static)

    def getter(self, name: str) -> str | None:
        """The translated name of what a property calls, None where that is no plain function."""
        found = method_of(self.game, name)
        function = found.fget if isinstance(found, property) else None
        return self._need(f"own_{name}", function, True) if isinstance(function, FunctionType) else None

    def fits(self, name: str, node: ast.Call) -> bool:
        """Whether the arguments of a call are those that the function takes."""
        try:
            self.signatures[name].bind(*node.args, **{str(word.arg): word for word in node.keywords})
        except TypeError:
            return False
        return True

    def function(self, function: FunctionType) -> str:
        """The translated name of a function outside the class."""
        return self._need(f"use_{function.__name__}", function, False)

    def is_generator(self, name: str) -> bool:
        """Whether the method yields."""
        function = function_of(method_of(self.game, name))
        return function is not None and inspect.isgeneratorfunction(function)

    def site(self, node: ast.AST, what: str, file: str) -> int:
        """A new site number for an operation at `node`."""
        self.sites.append(Site(file, getattr(node, "lineno", 0), what))
        return len(self.sites)

    def data_list(self, value: Any, refuse: Callable[[str], CannotCompile]) -> tuple[int, int]:
        """Number (from 1) and depth of a list of the rules' data."""
        for number, known in enumerate(self.lists):
            if known is value:
                return number + 1, self.shapes[number]
        depth = depth_of(value, refuse)
        self.lists.append(value)
        self.shapes.append(depth)
        return len(self.lists), depth

    def add(self, definition: ast.FunctionDef, file: str) -> None:
        """Add a helper function that the rewriter made."""
        self._keep(definition, file)
        self._call(definition.name)

    def fresh(self, stem: str) -> str:
        """A function name that is not in use."""
        return f"loop_{stem}_{len(self.functions) + len(self.waiting)}_{len(self.sites)}"

    # ---------------------------------------------------------------- the work list

    def _need(self, name: str, function: FunctionType, is_method: bool) -> str:
        known = self.names.get(function)
        if known is None:
            taken = set(self.names.values())
            known = name if name not in taken else f"{name}_{len(taken)}"
            self.names[function] = known
            self.signatures[known] = _signature(function, is_method)
            self.waiting.append((known, function, is_method))
        self._call(known)
        return known

    def _call(self, name: str) -> None:
        self.calls.setdefault(self.current, set()).add(name)

    def _translate(self, name: str, function: FunctionType, is_method: bool) -> None:
        file = function.__code__.co_filename
        definition = syntax_of(function)
        names = renamed(definition, file, text_of(function))
        refuse_shared_lists(definition, file)
        arguments = plain_arguments(definition, file)
        self_name = arguments.args.pop(0).arg if is_method else None
        _refuse_another(self_name, definition, file)
        scope = Scope(self.game, function, self_name, set(names.own | names.inner))
        self.current = name
        rewriter = Rewriter(self, scope, file)
        if name == "rule_moves" and not inspect.isgeneratorfunction(function):
            definition.body = rewriter.yielding(definition.body)
        definition.name = name
        definition.args = rewriter.with_defaults(arguments, function)
        definition.body = rewriter.block(definition.body) or [ast.Pass()]
        if name == "rule_moves" and not scope.is_generator and can_fall_through(definition, file):
            raise CannotCompile("moves may give nothing at all: return a list everywhere", file, definition.lineno)
        if name == "rule_moves" or inspect.isgeneratorfunction(function):
            _kept_generator(definition)
        definition.decorator_list = []
        definition.returns = None
        ast.fix_missing_locations(definition)
        self._keep(definition, file)

    def _keep(self, definition: ast.FunctionDef, file: str) -> None:
        refuse_unassigned(definition, file)
        self.functions[definition.name] = Function(definition, file)

    def _refuse_recursion(self) -> None:
        """Frames of compiled code end in a crash, not in an exception, so their depth must be known."""
        done: set[str] = set()

        def visit(name: str, path: tuple[str, ...]) -> None:
            if name in path:
                function = self.functions[name]
                raise CannotCompile("a helper calls itself", function.file, function.definition.lineno)
            if name not in done:
                for called in sorted(self.calls.get(name, ())):
                    visit(called, (*path, name))
                done.add(name)

        for name in sorted(self.functions):
            visit(name, ())


def _kept_generator(definition: ast.FunctionDef) -> None:
    """Keep a generator one where every `yield` fell away, as a parameter or a constant decides it."""
    if not any(isinstance(node, ast.Yield) for node in nodes_of(definition)):
        definition.body += [ast.Return(None), ast.Expr(ast.Yield(ast.Constant(0)))]


def refuse_odd_states(game: Game) -> None:
    """Raise `CannotCompile` unless states are plain named tuples."""
    kind = type(game).State
    if vars(game).get("State", kind) is not kind or kind.__mro__[1:] != (tuple, object) or not behaves_as(kind, tuple):
        raise CannotCompile("State is not a plain NamedTuple: its own operators, or a base, could mean anything")


def _signature(function: FunctionType, is_method: bool) -> inspect.Signature:
    """What a call must give, without the game itself; raises `CannotCompile` for a method that does not take that."""
    if "__signature__" in vars(function):
        raise CannotCompile("a function says that it takes something else than it does", *_place(function))
    signature = inspect.signature(function, follow_wrapped=False)
    given = list(signature.parameters.values())
    if not is_method:
        return signature
    if not given or given[0].kind not in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
        raise CannotCompile("a method does not take the game itself", *_place(function))
    return signature.replace(parameters=given[1:])


def _refuse_another(name: str | None, definition: ast.FunctionDef, file: str) -> None:
    """Raise `CannotCompile` where the name of the game itself is given another value."""
    for node in nodes_of(definition):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            raise CannotCompile(f"{name} is given another value", file, node.lineno)


def _place(function: FunctionType) -> tuple[str, int]:
    return function.__code__.co_filename, function.__code__.co_firstlineno


def plain_arguments(definition: ast.FunctionDef, file: str) -> ast.arguments:
    """The arguments as a plain list without annotations."""
    arguments = definition.args
    if arguments.vararg or arguments.kwarg:
        raise CannotCompile("a function takes *arguments", file, definition.lineno)
    if arguments.kwonlyargs and arguments.defaults:
        raise CannotCompile("a function has default values and arguments for keywords only", file, definition.lineno)
    arguments.args = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    arguments.posonlyargs, arguments.kwonlyargs = [], []
    arguments.defaults, arguments.kw_defaults = [], []
    for argument in arguments.args:
        argument.annotation = None
    return arguments


def depth_of(value: Any, refuse: Callable[[str], CannotCompile]) -> int:
    """How many lists deep a value is; raises what `refuse` makes of it unless all of it is whole numbers."""
    if not is_list(value):
        if not is_whole(value):
            raise refuse(f"{_short(value)} is not a whole number")
        if not -WORD_LIMIT <= value < WORD_LIMIT:
            raise refuse(f"{_short(value)} does not fit a machine word")
        return 0
    depths = {depth_of(item, refuse) for item in value}
    # An empty list fits in with lists of any depth.
    full = {depth_of(item, refuse) for item in value if not is_list(item) or len(item)}
    if len(full) > 1 or (0 in depths and len(depths) > 1):
        raise refuse("a list holds both numbers and lists, or lists of different depths")
    depth = 1 + max(depths, default=0)
    if depth > 4:
        raise refuse("a list is more than four lists deep")
    return depth


def flatten(lists: list[Any]) -> list[int]:
    """The data array of `Translation`."""
    data = [0] * (len(lists) + 1)
    for number, value in enumerate(lists, start=1):
        data[number] = _append(data, value)
    return data


def _append(data: list[int], value: Any) -> int:
    """Add a list to the data array; where it begins."""
    items = [_append(data, item) if is_list(item) else int(item) for item in value]
    data.append(len(items))
    data.extend(items)
    return len(data) - 1 - len(items)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
