"""Which way numba goes: the lean one of `lean`, or its own long one where the lean one fails here."""

from __future__ import annotations

import importlib
import sys
from typing import Any

__all__ = ["options", "take_the_long_way"]

is_long = False


def options() -> dict[str, Any]:
    """What to hand to numba's decorators."""
    if is_long:
        return {}
    from endsight.compiler.lean import LeanCompiler

    return {"pipeline_class": LeanCompiler}


def take_the_long_way() -> None:
    """From now on, compile as numba does by itself; the operations are defined anew for that."""
    global is_long
    is_long = True
    primitives = sys.modules.get("endsight.compiler.primitives")
    if primitives is not None:
        for module in (*primitives.MODULES, primitives):
            importlib.reload(module)
