"""The kernels of interval iteration as functions to call: plain on lists, or compiled on arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import getsource
from types import ModuleType
from typing import Any

from endsight.algorithms import (
    certificate_kernels,
    far_kernels,
    guess_kernels,
    interval_kernels,
    round_kernels,
    settling_kernels,
    structure_kernels,
)
from endsight.waiting import patiently

__all__ = ["compiled_loop", "loop_text", "plain_loop"]

LONG, LONG_SWEPT = 1 << 21, 1 << 18
"""Numbers in the arrays of a call from which it may take so long that signals must be heard meanwhile.

The second is for calls that go over them again and again, and are watched."""
Loop = Callable[..., int]
_MODULES = (
    structure_kernels,
    far_kernels,
    guess_kernels,
    interval_kernels,
    certificate_kernels,
    round_kernels,
    settling_kernels,
)


def _module(name: str) -> ModuleType:
    return next(module for module in _MODULES if hasattr(module, name))


@cache
def _text(module: ModuleType) -> str:
    """The text of a module of kernels, after those of the modules that it uses functions of."""
    homes = {value.__module__ for value in vars(module).values() if hasattr(value, "__code__")}
    used = [other for other in _MODULES if other is not module and other.__name__ in homes]
    return "\n\n".join([*map(_text, used), getsource(module)])


def plain_loop(name: str) -> Loop:
    """The kernel of that name; arrays are handed over as lists and copied back, and nothing is watched."""
    function = getattr(_module(name), name)

    def run(*arguments: Any, watch: Callable[[], None] | None = None) -> int:  # noqa: ARG001 - plain ones are short
        lists = [argument.tolist() if hasattr(argument, "tolist") else argument for argument in arguments]
        result: int = function(*lists)
        for argument, changed in zip(arguments, lists, strict=True):
            if changed is not argument and argument.flags.writeable:
                argument[:] = changed
        return result

    return run


@cache
def compiled_loop(name: str) -> Loop:
    """The same kernel as machine code, with a watch over long calls (see `patiently`); raises `CannotCompile`."""
    from endsight.compiler.native import Program, load

    # The file of that name in compiler/kernels is an entry that calls the function.
    kernel = load(Program({}, _text(_module(name)), "", name, ("none",)))

    def run(*arguments: Any, watch: Callable[[], None] | None = None) -> int:
        size = sum(len(argument) for argument in arguments if hasattr(argument, "__len__"))
        if size < (LONG if watch is None else LONG_SWEPT):
            return kernel(*arguments)
        return patiently(kernel, *arguments, watch=watch)

    return run


def loop_text(name: str) -> str:
    """One kernel as text, for a kernel with rules that calls it."""
    return getsource(getattr(_module(name), name))
