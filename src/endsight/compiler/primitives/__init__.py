"""What translated rules and kernels call: checked arithmetic, data, scratch space, raw memory.

Imported only while something is compiled (needs numba). Whole numbers are signed 64-bit
words here. Wherever Python's unbounded numbers, or Python's exceptions, would go another
way - overflow, a shift too far, division by zero, an index out of range - the operation
writes the number of its site (a place in the rules) into the global variable FAULT and
goes on with some harmless value; kernels look at FAULT before they commit anything.
LLVM removes the checks that it can prove away, which after inlining is most of them.
"""

from __future__ import annotations

from endsight.compiler.primitives import arithmetic, data, memory, shares, words
from endsight.compiler.primitives.words import inner

__all__ = ["MODULES", "inner", "names"]

MODULES = (words, arithmetic, data, memory, shares)
"""In the order in which they need each other."""


def names() -> dict[str, object]:
    """What rules and kernels find in their namespace."""
    return {
        name: value for module in MODULES for name, value in vars(module).items() if name.startswith(("es_", "Data"))
    }
