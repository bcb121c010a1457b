"""The kernels of interval iteration as callable functions: plain on lists, or compiled on arrays.

Machine code has no field names: there a record (see `kernel_numbers`) is a plain tuple, so kernels unpack it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.certificate_kernels import first_unproven, judge_moves
from endsight.algorithms.guess_kernels import guess_values
from endsight.algorithms.interval_kernels import enclose
from endsight.algorithms.structure_kernels import arrange, find_ranks
from endsight.base.waiting import patiently
from endsight.compiler.kernels import Loop, entry_of, flat, text_of
from endsight.compiler.native import KernelText, load
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.two_processes import compile_together
from endsight.graph.graph_kernels import find_components

MOST_PLAIN = 30_000
"""Edges up to which the loops run uncompiled."""
LONG, LONG_SWEPT = 1 << 21, 1 << 18
"""Numbers in the arrays of a call from which it may take so long that signals must be heard meanwhile.

The second limit is for calls that pass over them again and again, and are watched."""
_ENCLOSING = (find_components, arrange, find_ranks, enclose, first_unproven, judge_moves, guess_values)


def plain_loop(kernel: Loop) -> Loop:
    """The kernel as it is; arrays are passed as lists and copied back, and nothing is watched."""

    def plain(argument: Any) -> Any:
        if isinstance(argument, tuple):
            return tuple(map(plain, argument))
        return argument.tolist() if hasattr(argument, "tolist") else argument

    def run(*arguments: Any, watch: Callable[[], None] | None = None) -> int:  # noqa: ARG001 - plain ones are short
        lists = [plain(argument) for argument in arguments]
        result: int = kernel(*lists)
        for argument, changed in zip(flat(arguments), flat(lists), strict=True):
            if changed is not argument and argument.flags.writeable:
                argument[:] = changed
        return result

    return run


@cache
def _program(kernel: Loop) -> KernelText:
    return KernelText({}, text_of(kernel.__module__), "", entry_of(kernel))


@cache
def compiled_loop(kernel: Loop) -> Loop:
    """The kernel as machine code, with a watch over long calls (see `patiently`); raises `CannotCompile`."""
    compiled = load(_program(kernel))

    def run(*arguments: Any, watch: Callable[[], None] | None = None) -> int:
        parts = flat(arguments)
        size = sum(len(part) for part in parts if hasattr(part, "__len__"))
        if size < (LONG if watch is None else LONG_SWEPT):
            return compiled(*parts)
        return patiently(compiled, *parts, watch=watch)

    return run


def loops_for(edges: int, *, kernels: Sequence[Loop] = _ENCLOSING, most_plain: int = MOST_PLAIN) -> dict[str, Loop]:
    """The kernels by name, compiled where that pays for that many edges, and a compiler is available."""
    if edges > most_plain:
        with suppress(CannotCompile, ImportError):
            compile_together(list(map(_program, kernels)))
            return {kernel.__name__: compiled_loop(kernel) for kernel in kernels}
    return {kernel.__name__: plain_loop(kernel) for kernel in kernels}


@contextmanager
def stopping(reason: npt.NDArray[np.int64]) -> Iterator[None]:
    """Stop the kernel, too, where an exception stops its caller: see `interval_kernels.enclose`."""
    try:
        yield
    except BaseException:
        reason[1] = 1
        raise
