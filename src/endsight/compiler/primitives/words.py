"""What every operation is made of: words, truth values, variables that all functions share, faults."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from endsight.compiler import way

WORD = ir.IntType(64)


# A function that only other compiled functions call, so that no way in from Python is made.
inner = njit(
    error_model="numpy",
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
    no_rewrites=True,
    **way.options(),
)


def constant(value: int) -> ir.Constant:
    return ir.Constant(WORD, value)


def is_whole(kind: Any) -> bool:
    return isinstance(types.unliteral(kind), types.Integer | types.Boolean)


def shared(builder: Any, name: str, kind: Any) -> Any:
    """A variable that all functions of the object share (merged by name when they are linked)."""
    known = builder.module.globals.get(name)
    if known is not None:
        return known
    variable = ir.GlobalVariable(builder.module, kind, name)
    variable.linkage = "linkonce_odr"
    variable.initializer = ir.Constant(kind, None)
    return variable


def fault_if(builder: Any, condition: Any, site: Any) -> None:
    with builder.if_then(condition, likely=False):
        builder.store(site, shared(builder, "endsight_fault", WORD))


@intrinsic
def es_fault_at(typing: Any, condition: Any, site: Any) -> Any:
    """Report `site` where `condition` holds."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        fault_if(builder, builder.icmp_signed("!=", parts[0], constant(0)), parts[1])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


@intrinsic
def es_fault(typing: Any) -> Any:
    """The site of the last fault, 0 for none."""

    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        return builder.load(shared(builder, "endsight_fault", WORD))

    return types.int64(), codegen


@intrinsic
def es_clear_fault(typing: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        builder.store(constant(0), shared(builder, "endsight_fault", WORD))
        return context.get_dummy_value()

    return types.void(), codegen
