"""What changes under a loop of the rules: a list must not grow, shrink or be another one in a loop over it."""

from __future__ import annotations

import ast
import itertools

from endsight.compiler import core
from endsight.compiler.lazy import CHOSEN
from endsight.compiler.resolve import LAZY, PURE
from endsight.compiler.scopes import stored_names
from endsight.compiler.syntax import grown, nodes_of
from endsight.compiler.views import Views

_OTHER_TIME = (
    *(itertools.product, itertools.accumulate, itertools.pairwise, itertools.islice, itertools.starmap, *CHOSEN),
    *(itertools.chain.from_iterable, itertools.repeat),
)
"""Functions that take their items at another time than the loops that they become."""


class LoopChanges(Views):
    """The part of the translation of a function that looks for changes of what a loop goes through."""

    def _refuse_changes(self, source: ast.expr, node: ast.AST) -> None:
        """A list must not grow, shrink or be another one in a loop over it."""
        if not isinstance(node, ast.For) or self.names is None:
            return
        if isinstance(source, ast.Call) and self.whole.peek(source.func) in (list, sorted):
            return  # the loop is over a list of its own
        read = {each.id for each in nodes_of(source) if isinstance(each, ast.Name)}
        lists = {name for name in read if name in self.names and isinstance(self.names[name].type, core.Sequence)}
        inside = [each for statement in node.body for each in nodes_of(statement)]
        stored = set().union(*map(stored_names, node.body))
        target = node.target.elts[0] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
        is_values = isinstance(source, ast.Call) and getattr(source.func, "attr", "") == "values"
        keys = {target.id} - stored if isinstance(target, ast.Name) and not is_values else set()
        filled = {
            each.value.id
            for each in inside
            if isinstance(each, ast.Subscript)
            and isinstance(each.value, ast.Name)
            and not isinstance(each.ctx, ast.Load)
            if isinstance(each.ctx, ast.Del) or not isinstance(each.slice, ast.Name) or each.slice.id not in keys
        }
        filled = {name for name in filled & lists if self.names[name].type.label == "dict"}  # type: ignore[union-attr]
        if any(isinstance(each, ast.Call) and self._takes_items_early(each) for each in nodes_of(source)):
            filled |= {name for name in lists if self.names[name].type.may_change}  # type: ignore[union-attr]
            filled &= self._changed(inside) | self._parameters_while(inside)
        if lists & (stored | grown(inside)) | filled:
            self.refuse(node, "what changes in a loop over it cannot be compiled: go through a copy, list(...)")

    def _takes_items_early(self, call: ast.Call) -> bool:
        """Whether a function takes items at another time than the loops that it becomes."""
        function = self.whole.peek(call.func)
        return any(function is each for each in _OTHER_TIME)

    def _parameters_while(self, inside: list[ast.AST]) -> set[str]:
        """The parameters, which whoever goes through a generator may change at each `yield` inside."""
        if not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inside):
            return set()
        return {each.arg for each in nodes_of(self.definition.args) if isinstance(each, ast.arg)}

    def _refuse_rebound(self, call: core.Call, stored: set[str], node: ast.AST) -> None:
        """What a generator was given must stay what it is while the loop goes on."""
        inside = [each for part in getattr(node, "body", []) for each in nodes_of(part)]
        given = [each for each in call.arguments if isinstance(each, core.Local)]
        lists = {each.name for each in given if isinstance(each.type, core.Sequence)}
        if lists & (stored | grown(inside)):
            self.refuse(node, "a list that changes in a loop over it cannot be compiled")

    def _is_late(self, source: ast.expr, node: ast.AST) -> bool:
        """Whether a list made for a loop may as well be made item by item."""
        if not isinstance(node, ast.For):
            return True
        read = {each.id for each in nodes_of(source) if isinstance(each, ast.Name)}
        inside = [each for statement in node.body for each in nodes_of(statement)]
        return not read & (stored_names(node) | self._changed(inside))

    def _changed(self, inside: list[ast.AST]) -> set[str]:
        """Names of lists that may change: by methods, items, and functions that get them or are made here."""
        own = [each for each in nodes_of(self.definition) if isinstance(each, ast.FunctionDef)]
        inside = [*inside, *(part for each in own if each is not self.definition for part in nodes_of(each))]
        items = [each for each in inside if isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load)]
        calls = [each for each in inside if isinstance(each, ast.Call) and not self._is_pure(each)]
        given = [part for each in calls for part in (*each.args, *(word.value for word in each.keywords))]
        held = [*(each.value for each in items), *given]
        return grown(inside) | {each.id for each in held if isinstance(each, ast.Name)}

    def _is_pure(self, call: ast.Call) -> bool:
        function = self.whole.peek(call.func)
        return any(function is each for each in (*PURE, *LAZY))
