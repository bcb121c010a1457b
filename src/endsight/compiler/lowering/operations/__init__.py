"""The operations that translated rules and kernels call: checked arithmetic, data, scratch space, raw memory.

Whole numbers are signed 64-bit words here. Wherever Python's unbounded numbers or its exceptions would behave
differently - overflow, a shift too far, division by zero, an index out of range - the operation writes the number of
its site (a place in the rules) into the variable `endsight_fault` and continues with some harmless value; kernels check
it before they commit anything. LLVM removes the checks that it can prove unnecessary, which after inlining is most of
them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from endsight.compiler.lowering.kinds import Operand
from endsight.compiler.lowering.operations import arithmetic, boards, data, memory

__all__ = ["OPERATIONS", "TEXT"]

OPERATIONS: dict[str, Callable[..., Operand]] = {
    name: value
    for module in (arithmetic, boards, data, memory)
    for name, value in vars(module).items()
    if name.startswith("es_")
}
"""By name; each takes an `Emitter` and the values of its arguments."""

TEXT = Path(__file__).with_name("composed.kernel").read_text(encoding="utf-8")
"""Operations composed of others, as text."""
