"""Random rules classes as source text, for `fuzz_rules.py`: every construct that is compiled, and what lies next to it.

A program is one game of a few positions. Its rules and helpers are made of random
expressions and statements; `wide` is the share of constructs that only some translators
take, `traps` the share of those whose meaning depends on scopes and objects rather than on
the text: a name that shadows another, a decorator, a method chosen in `setup`. Every draw has
a tag, so that it can be counted what is refused.
"""

from __future__ import annotations

from dataclasses import replace

import program_expressions  # noqa: F401  (productions are added to the tables when they are loaded)
import program_fractions  # noqa: F401
import program_members  # noqa: F401
import program_statements  # noqa: F401
import program_wide  # noqa: F401
from program_natural import fields_for  # after the others: programs without such fields stay what they were
from program_writer import Program, Shape, Writer

__all__ = ["Program", "Shape", "program"]


def program(seed: int, shape: Shape | None = None) -> Program:
    """The program of that seed; the same for the same seed and shape."""
    shape = shape or Shape()
    writer = Writer(seed, shape)
    fields_for(writer)
    found = writer.written()
    try:
        if "walrus" in found.tags:  # `:=` must not stand everywhere
            compile(found.text, "rules", "exec")
    except SyntaxError:
        return program(seed, replace(shape, without=shape.without | {"walrus"}))
    return found
