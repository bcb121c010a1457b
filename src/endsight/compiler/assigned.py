"""Definite assignment: a name of a translated function that is read has a value on every way there.

Python raises `UnboundLocalError` where a name has none yet; machine code would read 0. So
such a function is refused, also where only a longer look would show that all is well.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from endsight.compiler.refusal import CannotCompile
from endsight.compiler.scopes import stored_names
from endsight.compiler.syntax import nodes_of

__all__ = ["can_fall_through", "mark_turns", "refuse_unassigned"]

_Names = frozenset[str]


def refuse_unassigned(definition: ast.FunctionDef, file: str) -> None:
    """Raise `CannotCompile` at the first name of a translated function that may have no value yet."""
    _Flow(definition, file).block(definition.body, frozenset(argument.arg for argument in definition.args.args))


def can_fall_through(definition: ast.FunctionDef, file: str) -> bool:
    """Whether a translated function may come to its end without a `return`."""
    names = frozenset(argument.arg for argument in definition.args.args)
    return _Flow(definition, file).block(definition.body, names) is not None


def mark_turns(loop: ast.For, has_turns: bool) -> None:
    """Note on a loop that there is something to loop over, where its range does not show that."""
    loop.has_turns = has_turns  # type: ignore[attr-defined]


@dataclass
class _Jumps:
    """The names with a value at each `break` and `continue` of a loop."""

    breaks: list[_Names] = field(default_factory=list)
    further: list[_Names] = field(default_factory=list)


class _Flow:
    """The names with a value after each statement, None where none is reached."""

    def __init__(self, definition: ast.FunctionDef, file: str) -> None:
        self.names = stored_names(definition)
        self.file = file
        self.loops: list[_Jumps] = []

    def block(self, statements: list[ast.stmt], names: _Names) -> _Names | None:
        """The names after a block that begins with `names`."""
        after: _Names | None = names
        for statement in statements:
            if after is None:
                return None
            after = self._after(statement, after)
        return after

    def _after(self, node: ast.stmt, names: _Names) -> _Names | None:
        match node:
            case ast.If():
                self._read(node.test, names, node)
                return _met([self.block(node.body, names), self.block(node.orelse, names)])
            case ast.While():
                self._read(node.test, names, node)
                return self._loop(node, names, names, never_ends=_is_constant(node.test))
            case ast.For():
                self._read(node.iter, names, node)
                return self._loop(node, names, names | stored_names(node.target))
            case ast.Return():
                if node.value is not None:
                    self._read(node.value, names, node)
                return None
            case ast.Break():
                self.loops[-1].breaks.append(names)
                return None
            case ast.Continue():
                self.loops[-1].further.append(names)
                return None
        return self._read(node, names, node)

    def _loop(self, node: ast.While | ast.For, names: _Names, begun: _Names, never_ends: bool = False) -> _Names | None:
        jumps = _Jumps()
        self.loops.append(jumps)
        turned = self.block(node.body, begun)
        self.loops.pop()
        done: _Names | None = None if never_ends else names
        if isinstance(node, ast.For) and (getattr(node, "has_turns", False) or _has_turns(node.iter)):
            done = _met([turned, *jumps.further])
        if done is not None:
            done = self.block(node.orelse, done)
        return _met([done, *jumps.breaks])

    def _read(self, node: ast.AST, names: _Names, at: ast.stmt) -> _Names:
        """The names with a value after all that `node` reads and stores."""
        stored = []
        for each in nodes_of(node):
            if not isinstance(each, ast.Name):
                continue
            if not isinstance(each.ctx, ast.Load):
                stored.append(each.id)
            elif each.id in self.names and each.id not in names:
                line = getattr(each, "lineno", None) or getattr(at, "lineno", None)
                raise CannotCompile(f"{each.id} may have no value here: give it one first", self.file, line)
        return names.union(stored) if stored else names


def _met(ways: list[_Names | None]) -> _Names | None:
    """The names that have a value on all of the ways that are gone at all."""
    gone = [way for way in ways if way is not None]
    return frozenset.intersection(*gone) if gone else None


def _is_constant(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _has_turns(node: ast.expr) -> bool:
    """Whether a loop over `node`, a range of known numbers, takes at least one turn."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "range":
        return False
    parts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, int)]
    return len(parts) == len(node.args) and len(range(*parts)) > 0
