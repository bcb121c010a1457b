"""The kernels of interval iteration as callable functions: plain on lists, or compiled on arrays.

Machine code has no field names: there a record (see `kernel_numbers`) is a plain tuple, so kernels unpack it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from inspect import getsource
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms import (
    certificate_kernels,
    deflation_kernels,
    guess_kernels,
    interval_kernels,
    level_kernels,
    regret_kernels,
    retrograde_kernels,
    round_kernels,
    structure_kernels,
)
from endsight.base.waiting import patiently
from endsight.compiler.kernels import Loop, entry_of, flat, text_of
from endsight.compiler.native import Program, load
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.two_processes import compile_together
from endsight.graph import graph_kernels

MOST_PLAIN = 30_000
"""Edges up to which the loops run uncompiled."""
LONG, LONG_SWEPT = 1 << 21, 1 << 18
"""Numbers in the arrays of a call from which it may take so long that signals must be heard meanwhile.

The second limit is for calls that pass over them again and again, and are watched."""
_MODULES = (
    graph_kernels,
    structure_kernels,
    guess_kernels,
    interval_kernels,
    deflation_kernels,
    certificate_kernels,
    retrograde_kernels,
    level_kernels,
    regret_kernels,
    round_kernels,
)


_ENCLOSING = ("find_components", "arrange", "find_ranks", "enclose", "first_unproven", "judge_moves", "guess_values")


def _module(name: str) -> ModuleType:
    return next(module for module in _MODULES if hasattr(module, name))


def plain_loop(name: str) -> Loop:
    """The kernel of that name; arrays are passed as lists and copied back, and nothing is watched."""
    function = getattr(_module(name), name)

    def plain(argument: Any) -> Any:
        if isinstance(argument, tuple):
            return tuple(map(plain, argument))
        return argument.tolist() if hasattr(argument, "tolist") else argument

    def run(*arguments: Any, watch: Callable[[], None] | None = None) -> int:  # noqa: ARG001 - plain ones are short
        lists = [plain(argument) for argument in arguments]
        result: int = function(*lists)
        for argument, changed in zip(flat(arguments), flat(lists), strict=True):
            if changed is not argument and argument.flags.writeable:
                argument[:] = changed
        return result

    return run


@cache
def _program(name: str) -> Program:
    module = _module(name)
    return Program({}, text_of(module.__name__), "", entry_of(getattr(module, name)))


@cache
def compiled_loop(name: str) -> Loop:
    """The same kernel as machine code, with a watch over long calls (see `patiently`); raises `CannotCompile`."""
    kernel = load(_program(name))

    def run(*arguments: Any, watch: Callable[[], None] | None = None) -> int:
        parts = flat(arguments)
        size = sum(len(part) for part in parts if hasattr(part, "__len__"))
        if size < (LONG if watch is None else LONG_SWEPT):
            return kernel(*parts)
        return patiently(kernel, *parts, watch=watch)

    return run


def loop_text(name: str) -> str:
    """One kernel as text, for a kernel with rules that calls it."""
    return getsource(getattr(_module(name), name))


def loops_for(
    edges: int, compiled: bool | None = None, *, names: Sequence[str] = _ENCLOSING, most_plain: int = MOST_PLAIN
) -> dict[str, Loop]:
    """The kernels by name, compiled where that pays for that many edges."""
    if compiled or (compiled is None and edges > most_plain):
        try:
            compile_together(list(map(_program, names)))
            return {name: compiled_loop(name) for name in names}
        except (CannotCompile, ImportError):
            if compiled:
                raise
    return {name: plain_loop(name) for name in names}


@contextmanager
def stopping(reason: npt.NDArray[np.int64]) -> Iterator[None]:
    """Stop the kernel, too, where an exception stops its caller: see `interval_kernels.enclose`."""
    try:
        yield
    except BaseException:
        reason[1] = 1
        raise
