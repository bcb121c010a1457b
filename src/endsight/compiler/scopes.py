"""Names of a function of the rules, each with one meaning: every local of every scope gets its own name.

A comprehension has its own scope in Python, except that its first iterable is evaluated outside it. The scopes found
here are compared with those that Python's own `symtable` finds in the same text; if they differ, the function is not
compiled.
"""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias, cast

from endsight.compiler.refusal import CannotCompile
from endsight.compiler.syntax import INNER, names_bound, nodes_of, parts_of
from endsight.compiler.values import why_not

_Comprehension: TypeAlias = "ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp"
_COMPREHENSIONS: dict[type[ast.AST], str] = {
    ast.GeneratorExp: "genexpr",
    ast.ListComp: "listcomp",
    ast.SetComp: "setcomp",
    ast.DictComp: "dictcomp",
}
_WRITTEN_IN = ("listcomp", "setcomp", "dictcomp") if sys.version_info >= (3, 12) else ()
"""Comprehensions that Python inlines into the function around them, so that their names count as its own."""
_OURS = "es_"
"""Prefix of names made by the translator."""


def renamed(definition: ast.FunctionDef, file: str, text: str) -> frozenset[str]:
    """Rename the locals in `definition` in place; `text` is the whole file's. Raises `CannotCompile`.

    Returns their new names, those of comprehensions among them.
    """
    own, nodes = _own_names(definition), nodes_of(definition)
    for each in nodes:
        if isinstance(each, ast.Nonlocal):
            raise CannotCompile(why_not(each), file, each.lineno)
    _refuse_mangled(own, definition, file)
    renamer = _Renamer({node.id for node in nodes if isinstance(node, ast.Name)} | own, own, file)
    for argument in _arguments(definition):
        _rename(argument, renamer.own.get(argument.arg, argument.arg))
    if renamer.needed(nodes[1:]):
        definition.body = [renamer.visit(statement) for statement in definition.body]
    _hold_against_symtable(definition, own, renamer.scopes, file, text)
    return frozenset((*renamer.own.values(), *renamer.inner))


def stored_names(node: ast.AST) -> set[str]:
    """Names that are assigned anywhere inside `node`."""
    return {each.id for each in nodes_of(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _rename(argument: ast.arg, name: str) -> None:
    # Calls by keyword still use the name that stands in the rules.
    argument.type_comment, argument.arg = argument.arg, name


def _arguments(definition: ast.FunctionDef | ast.Lambda) -> Iterator[ast.arg]:
    given = definition.args
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
    yield from (each for each in (given.vararg, given.kwarg) if each is not None)


def _own_names(definition: ast.FunctionDef) -> set[str]:
    """Parameters, and names that the function itself assigns; those of comprehensions belong to them."""
    names = {argument.arg for argument in _arguments(definition)}
    waiting: list[ast.AST] = list(definition.body)
    while waiting:
        node = waiting.pop()
        names.update(each.partition(".")[0] for each in names_bound(node))
        if isinstance(node, tuple(_COMPREHENSIONS)):
            waiting.append(node.generators[0].iter)  # type: ignore[attr-defined]
            names.update(each.target.id for each in nodes_of(node) if isinstance(each, ast.NamedExpr))
        elif not isinstance(node, INNER):
            waiting += parts_of(node)
    return names


def _refuse_mangled(names: set[str], definition: ast.FunctionDef, file: str) -> None:
    """Refuse local names with two leading underscores: inside a class they stand for longer ones."""
    for name in names:
        if name.startswith("__") and not name.endswith("__"):
            raise CannotCompile(f"the local name {name} has two underscores in front", file, definition.lineno)


class _Renamer(ast.NodeTransformer):
    """Gives new names that nothing else has to names of comprehensions, and to names that look like ours."""

    def __init__(self, taken: set[str], own: set[str], file: str) -> None:
        self.taken = taken
        self.file = file
        self.inner: list[str] = []
        self.scopes: list[tuple[str, int, tuple[str, ...]]] = []
        self.own = {name: self._fresh(f"own_{name}") if name.startswith(_OURS) else name for name in own}
        self.stack = [self.own]

    def needed(self, nodes: list[ast.AST]) -> bool:
        """Whether any name gets a new one, or there is a scope inside."""
        inside = (*_COMPREHENSIONS, *INNER)
        is_other = any(name != new for name, new in self.own.items())
        return is_other or any(isinstance(node, inside) for node in nodes)

    def _fresh(self, name: str) -> str:
        if name.startswith(_OURS):
            name = f"own_{name}"
        number, fresh = 2, name
        while fresh in self.taken:
            fresh, number = f"{name}_{number}", number + 1
        self.taken.add(fresh)
        return fresh

    def visit_Name(self, node: ast.Name) -> ast.Name:
        new = next((names[node.id] for names in reversed(self.stack) if node.id in names), node.id)
        return ast.copy_location(ast.Name(new, node.ctx), node)

    def visit(self, node: ast.AST) -> Any:
        """The node with new names."""
        if isinstance(node, tuple(_COMPREHENSIONS)):
            return self._comprehension(cast("_Comprehension", node))
        if isinstance(node, ast.Lambda):
            return self._lambda(node)
        if isinstance(node, ast.FunctionDef):
            return self._function(node)
        return super().visit(node)

    def _enter(self, kind: str, node: ast.expr | ast.FunctionDef, names: set[str]) -> None:
        """Begin an inner scope, of which all names get new ones."""
        self.scopes.append((kind, node.lineno, tuple(sorted(names))))
        own = {name: self._fresh(name) for name in sorted(names)}
        self.inner += own.values()
        self.stack.append(own)
        for argument in _arguments(node) if isinstance(node, ast.Lambda | ast.FunctionDef) else ():
            _rename(argument, own[argument.arg])

    def _defaults(self, arguments: ast.arguments) -> None:
        """Default values of an inner function are evaluated outside it."""
        arguments.defaults = [self.visit(value) for value in arguments.defaults]
        arguments.kw_defaults = [None if value is None else self.visit(value) for value in arguments.kw_defaults]

    def _lambda(self, node: ast.Lambda) -> ast.AST:
        self._defaults(node.args)
        self._enter("lambda", node, {argument.arg for argument in _arguments(node)})
        node.body = self.visit(node.body)
        self.stack.pop()
        return node

    def _function(self, node: ast.FunctionDef) -> ast.AST:
        kind, node.name = node.name, next(names[node.name] for names in reversed(self.stack) if node.name in names)
        self._defaults(node.args)
        self._enter(kind, node, _own_names(node))
        node.body = [self.visit(statement) for statement in node.body]
        self.stack.pop()
        return node

    def _comprehension(self, node: _Comprehension) -> ast.AST:
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        names = set().union(*(stored_names(part.target) for part in node.generators))
        self._enter(_COMPREHENSIONS[type(node)], node, names)
        for number, part in enumerate(node.generators):
            part.target = self.visit(part.target)
            if number:
                part.iter = self.visit(part.iter)
            part.ifs = [self.visit(test) for test in part.ifs]
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.visit(node.key), self.visit(node.value)
        else:
            node.elt = self.visit(node.elt)
        self.stack.pop()
        return node


# -------------------------------------------------------------------- Python's own scopes


def _hold_against_symtable(
    definition: ast.FunctionDef, own: set[str], scopes: list[tuple[str, int, tuple[str, ...]]], file: str, text: str
) -> None:
    if not scopes:
        return
    unsure = CannotCompile("which scope a name belongs to cannot be told here", file, definition.lineno)
    table = _tables(text).get((definition.name, definition.lineno))
    if table is None:
        raise unsure
    inner = {name for scope in scopes for name in scope[2]}
    found, scopes = ([each for each in those if each[0] not in _WRITTEN_IN] for those in (_inside(table), scopes))
    pairs = zip(sorted(found), sorted(scopes), strict=False)
    fits = all(one[:2] == other[:2] and set(other[2]) <= set(one[2]) <= set(other[2]) | inner for one, other in pairs)
    if len(found) != len(scopes) or not fits:
        raise unsure
    if not own <= set(table.get_locals()) | set(table.get_nonlocals()) or not set(table.get_locals()) <= own | inner:
        raise unsure


def _inside(table: symtable.SymbolTable) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """The scopes inside a function: kind or name, line, local names."""
    for child in table.get_children():
        names = (symbol.get_name() for symbol in child.get_symbols() if symbol.is_local() or symbol.is_parameter())
        yield child.get_name(), child.get_lineno(), tuple(sorted(set(names) - {".0"}))
        yield from _inside(child)


@lru_cache(maxsize=64)
def _tables(text: str) -> dict[tuple[str, int], symtable.Function]:
    """All functions of a file by name and line."""
    found: dict[tuple[str, int], symtable.Function] = {}
    waiting: list[symtable.SymbolTable] = [symtable.symtable(text, "", "exec")]
    while waiting:
        table = waiting.pop()
        if isinstance(table, symtable.Function):
            found[table.get_name(), table.get_lineno()] = table
        waiting += table.get_children()
    return found
