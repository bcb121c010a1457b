"""The syntax tree of a function as it stands in its file, with the file's line numbers."""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from endsight.compiler.refusal import CannotCompile

__all__ = ["function_of", "syntax_of"]


def function_of(value: Any) -> FunctionType | None:
    """The plain function behind `value` (under decorators that keep `__wrapped__`), if there is one."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    value = inspect.unwrap(value) if callable(value) else value
    return value if isinstance(value, FunctionType) else None


def syntax_of(function: FunctionType) -> ast.FunctionDef:
    """A copy of the function's definition, as its file has it.

    Raises `CannotCompile` where there is no file, or where the file now says something
    else than what was loaded.
    """
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    if not text:
        raise CannotCompile(f"the source of {function.__name__} cannot be found", code.co_filename)
    node = _definitions(text).get((code.co_firstlineno, function.__name__))
    if node is None or not _is_same(code, text):
        raise CannotCompile(
            f"the source of {function.__name__} is not what was loaded: the file has changed since",
            code.co_filename,
            code.co_firstlineno,
        )
    return copy.deepcopy(node)


@lru_cache(maxsize=64)
def _definitions(text: str) -> dict[tuple[int, str], ast.FunctionDef]:
    """All functions of a file by first line (that of the first decorator) and name."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return {}
    return {
        (min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]), node.name): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


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
    inner: Callable[[Any], Any] = lambda value: _content(value) if isinstance(value, CodeType) else repr(value)  # noqa: E731
    # Annotations of the arguments are constants of the enclosing code only, so this is the body.
    return code.co_code, code.co_names, code.co_varnames, tuple(map(inner, code.co_consts))
