"""The kernels of interval iteration as functions to call: plain on lists, or compiled on arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from inspect import getsource
from types import ModuleType
from typing import Any

from endsight.algorithms import certificate_kernels, interval_kernels, round_kernels, structure_kernels
from endsight.waiting import patiently

__all__ = ["compiled_loop", "loop_text", "plain_loop"]

LONG = 1 << 21
"""Numbers in the arrays of a call from which it may take so long that signals must be heard meanwhile."""
Loop = Callable[..., int]
_MODULES = (structure_kernels, interval_kernels, certificate_kernels, round_kernels)


def _module(name: str) -> ModuleType:
    return next(module for module in _MODULES if hasattr(module, name))


def plain_loop(name: str) -> Loop:
    """The kernel of that name; arrays are handed over as lists and copied back."""
    function = getattr(_module(name), name)

    def run(*arguments: Any) -> int:
        lists = [argument.tolist() if hasattr(argument, "tolist") else argument for argument in arguments]
        result: int = function(*lists)
        for argument, changed in zip(arguments, lists, strict=True):
            if changed is not argument and argument.flags.writeable:
                argument[:] = changed
        return result

    return run


@cache
def compiled_loop(name: str) -> Loop:
    """The same kernel as machine code; raises `CannotCompile`."""
    from endsight.compiler.native import Program, load

    module = _module(name)
    constants = [
        f"{key} = {value!r}" for key, value in vars(module).items() if key.isupper() and type(value) in (int, float)
    ]
    functions = [ast.unparse(node) for node in _functions(module)]
    # The file of that name in compiler/kernels is an entry that calls the function.
    kernel = load(Program({}, "\n\n".join([*constants, *functions]), "", name, ("none",)))

    def run(*arguments: Any) -> int:
        size = sum(len(argument) for argument in arguments if hasattr(argument, "__len__"))
        return kernel(*arguments) if size < LONG else patiently(kernel, *arguments)

    return run


def loop_text(name: str) -> str:
    """One kernel as text, for a kernel with rules that calls it."""
    return next(ast.unparse(node) for node in _functions(_module(name)) if node.name == name)


def _functions(module: ModuleType) -> list[ast.FunctionDef]:
    body = ast.parse(getsource(module)).body
    return [_without_types(node) for node in body if isinstance(node, ast.FunctionDef)]


def _without_types(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function as the compiler of kernels wants it: types are in the parameters' names."""
    function.returns = None
    for argument in function.args.args:
        argument.annotation = None
    return function
