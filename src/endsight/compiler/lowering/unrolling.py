"""Loops over boards that are written out turn by turn: numbers known in each turn make the rest of it short.

LLVM decides by the size of what it has at that moment, and so differently for loops that are much alike. A board that
is looked through by rows and columns takes twice as long if one of the loops stays.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from llvmlite import ir

if TYPE_CHECKING:
    from endsight.compiler.lowering.unit import Definition

_MARK = "llvm.loop.unroll.full"
_MOST_WRITTEN_OUT = 16000
"""Up to so many parts of syntax are written out; LLVM takes up to a second for them."""
_MANY = 1000
_BODY = 100
"""What is done with a move, where it is yielded."""
_DEPTH = 4
"""Functions called by functions are counted that deep."""


def is_written_out(loop: ast.For, definitions: Mapping[str, Definition]) -> bool:
    """Whether a loop is so short that it is written out."""
    turns = known_turns(loop.iter)
    return turns is not None and turns * _size(loop.body, definitions) <= _MOST_WRITTEN_OUT


def _size(statements: list[ast.stmt], definitions: Mapping[str, Definition], depth: int = _DEPTH) -> float:
    """The parts of syntax of some statements, with loops over known numbers and called functions written out."""
    total = 0.0
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        total += _BODY if isinstance(node, ast.Yield) else 1
        if isinstance(node, ast.For):
            total += (known_turns(node.iter) or 1) * _size(node.body, definitions, depth)
            waiting += node.orelse
            continue
        if isinstance(node, ast.Call) and (called := definitions.get(ast.unparse(node.func))) is not None:
            total += _size(called.syntax.body, definitions, depth - 1) if depth else math.inf
        waiting += ast.iter_child_nodes(node)
    return total


def known_turns(over: ast.expr) -> int | None:
    """How many turns a loop over a range has, if that is written there; more than `_MANY` are not counted."""
    if not isinstance(over, ast.Call) or ast.unparse(over.func) != "range":
        return None
    parts = [each.value for each in over.args if isinstance(each, ast.Constant) and isinstance(each.value, int)]
    return len(range(*parts)[: _MANY + 1]) if len(parts) == len(over.args) and parts[2:] != [0] else None


def write_out(branch: Any, module: ir.Module) -> str:
    """Tell LLVM to write out the loop that this branch leads back to the head of; returns the mark of such loops."""
    wanted = module.add_metadata([_MARK])
    # What belongs to one loop alone names itself.
    own = module.add_metadata([ir.Constant(ir.IntType(32), len(module.metadata)), wanted])
    own.operands = (own, wanted)
    branch.set_metadata("llvm.loop", own)
    return _MARK
