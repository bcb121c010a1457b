"""The syntax tree of a function as it stands in its file, with the file's line numbers."""

from __future__ import annotations

import ast
import gc
import linecache
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from inspect import isgeneratorfunction
from types import CodeType, FunctionType
from typing import Any

from endsight.compiler.refusal import CannotCompile
from endsight.compiler.syntax import own_nodes, parsed
from endsight.game import Game

CACHED = type(lru_cache(lambda: None))


def function_of(value: Any) -> FunctionType | None:
    """The plain function that calling `value` runs, if there is one; a function behind a cache counts."""
    if isinstance(value, staticmethod):
        value = value.__func__
    if isinstance(value, CACHED):
        value = _inside_cache(value)
    return value if isinstance(value, FunctionType) else None


def is_cached(value: Any) -> bool:
    """Whether `value` is a function with a cache in front of it."""
    return isinstance(value.__func__ if isinstance(value, staticmethod) else value, CACHED)


def _inside_cache(value: Any) -> Any:
    """The function behind a cache: `__wrapped__` names it, but anybody may have put another one there."""
    said = value.__wrapped__
    return said if any(held is said for held in gc.get_referents(value)) else None


def method_of(game: Game, name: str) -> Any:
    """What Python finds on the class for `game.NAME`, before binding; None if it would look anywhere else.

    An attribute of the instance comes before a function of the class, and a class may have its own look-up.
    """
    kind = type(game)
    if kind.__getattribute__ is not object.__getattribute__ or name in vars(game):
        return None
    return next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None)


def definition_of(function: FunctionType) -> ast.FunctionDef:
    """The function's definition as its file has it, the same object each time.

    Raises `CannotCompile` if there is no file, or if the file no longer says what was loaded.
    """
    code = function.__code__
    text = text_of(function)
    if not text:
        raise CannotCompile(f"the source of {code.co_name} cannot be found", code.co_filename)
    node = _definitions(text).get((code.co_firstlineno, code.co_name))
    if node is None or not _is_same(code, text):
        reason = f"the source of {code.co_name} is not what was loaded: the file has changed since"
        if code.co_name == "<lambda>":
            reason = "a lambda that was made outside of the rules is left to Python: write it with def"
        raise CannotCompile(reason, code.co_filename, code.co_firstlineno)
    return node


@lru_cache(maxsize=256)
def is_generator(function: FunctionType) -> bool:
    """Whether a function yields, or gives back generator expressions on every way: to a loop these are the same."""
    if isgeneratorfunction(function):
        return True
    with suppress(CannotCompile):
        return _gives_generators(definition_of(function))
    return False


def _gives_generators(definition: ast.FunctionDef) -> bool:
    last, nodes = definition.body[-1], own_nodes(definition)
    given = [each.value for each in nodes if isinstance(each, ast.Return)]
    has_yield = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in nodes)
    are_generators = all(isinstance(each, ast.GeneratorExp) for each in given)
    return isinstance(last, ast.Return) and are_generators and not has_yield


def as_generator(definition: ast.FunctionDef) -> None:
    """Let a function yield what is in the generator expressions that it gives back."""
    if not _gives_generators(definition):
        return
    for node in (definition, *own_nodes(definition)):
        for name in ("body", "orelse"):
            inside = getattr(node, name, None)
            if isinstance(inside, list):
                inside[:] = [each for statement in inside for each in _yielding(statement)]


def _yielding(statement: ast.stmt) -> list[ast.stmt]:
    if not isinstance(statement, ast.Return) or statement.value is None:
        return [statement]
    parts = ast.Expr(ast.YieldFrom(statement.value)), ast.Return(None)
    return [ast.fix_missing_locations(ast.copy_location(part, statement)) for part in parts]


def text_of(function: FunctionType) -> str:
    """The text of the file that a function comes from; empty where there is none."""
    linecache.checkcache(function.__code__.co_filename)
    return "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))


@lru_cache(maxsize=64)
def _definitions(text: str) -> dict[tuple[int, str], ast.FunctionDef]:
    """All functions of a file by first line (that of the first decorator) and name."""
    try:
        tree = parsed(text)
    except SyntaxError:
        return {}
    return {
        (min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]), node.name): node
        for node in _statements(tree)
        if isinstance(node, ast.FunctionDef)
    }


def _statements(node: ast.AST) -> list[ast.AST]:
    """All statements inside a node, and the nodes that hold statements."""
    found = [node]
    for each in found:
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(each, name, ())
            found += inside if isinstance(inside, list) else ()
    return found


@lru_cache(maxsize=64)
def _codes(text: str) -> dict[tuple[int, str], CodeType]:
    """The code objects of a file by first line and name."""
    return {(code.co_firstlineno, code.co_name): code for code in _inner(compile(text, "", "exec", dont_inherit=True))}


def _inner(code: CodeType) -> Iterator[CodeType]:
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield value
            yield from _inner(value)


def _is_same(code: CodeType, text: str) -> bool:
    now = _codes(text).get((code.co_firstlineno, code.co_name))
    return now is not None and _content(now) == _content(code)


def _content(code: CodeType) -> tuple[Any, ...]:
    def inner(value: Any) -> Any:
        return _content(value) if isinstance(value, CodeType) else repr(value)

    # Annotations of the arguments are constants of the enclosing code only, so this is the body.
    kinds = code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return code.co_code, kinds, names, tuple(map(inner, code.co_consts))
