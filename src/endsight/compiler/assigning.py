"""Statements of the rules that assign to names and to items of lists, as statements of the core."""

from __future__ import annotations

import ast
import copy
from typing import Any, TypeGuard, cast

from endsight.compiler import core, library
from endsight.compiler.reading import ExpressionReading
from endsight.compiler.resolve import is_list
from endsight.compiler.scopes import stored_names
from endsight.compiler.syntax import copied, filled, nodes_of, pops_in
from endsight.compiler.values import Value, holds_sequence
from endsight.game.numbers import count_text

_POPPING: dict[str, tuple[type, ...]] = {
    "value": (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return),
    "test": (ast.If,),
    "iter": (ast.For,),
}
"""Statements in which lists may be popped, by the part of them that is evaluated once."""
NOT_OURS = "a list, set or dictionary that was handed over cannot grow or shrink here: return a new one"
_NOT_LOCAL = "the rules must not change anything but local names"


class Assigning(ExpressionReading):
    """The part of the translation of a function that assigns to names and to items of lists."""

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign([node.target], node.value)

    def _do_assign(self, node: ast.Assign) -> None:
        self._assign(node.targets, node.value)

    def _assign(self, targets: list[ast.expr], source: ast.expr) -> None:
        target = targets[0]
        if len(targets) == 1 and isinstance(target, ast.Name) and self._popped(target, source):
            return
        is_pair = isinstance(target, ast.Tuple | ast.List) and isinstance(source, ast.Tuple | ast.List)
        if len(targets) == 1 and is_pair and len(target.elts) == len(source.elts):  # type: ignore[attr-defined]
            self._assign_all(target.elts, source.elts)  # type: ignore[attr-defined]
            return
        value = self.whole.taken(source) if isinstance(target, ast.Tuple | ast.List) else self.value(source)
        if len(targets) > 1:
            if value.type.is_sequence:
                self.refuse(source, "a list that goes under two names cannot be compiled")
            if value.expr is not None:
                value = self.kept(self.own_copy(value, source), source)
        for each in targets:
            self.put(each, value, source)

    def _assign_all(self, targets: list[ast.expr], sources: list[ast.expr]) -> None:
        """`a, b = x, y`: evaluates all values first."""
        stored = set().union(*(stored_names(target) for target in targets))
        changes = bool(stored) or not all(isinstance(target, ast.Name) for target in targets)
        values = []
        for source in sources:
            if isinstance(source, ast.Starred):
                self.refuse(source, "a starred item cannot be compiled: write the sum of two tuples or lists")
            value = self.value(source)
            read = self._read_by(source)
            if holds_sequence(value.type) and (read & stored or not self.is_fresh(value)):
                if value.type.may_change:
                    self.refuse(source, "a list that goes under two names cannot be compiled")
                value = self.own_copy(value, source)
            values.append(self.as_now(value, source) if changes else value)
        for target, source, value in zip(targets, sources, values, strict=True):
            self.put(target, value, source)

    def _is_pop(self, node: ast.expr) -> TypeGuard[ast.Call]:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "pop"

    def _popped(self, target: ast.Name | None, source: ast.expr) -> bool:
        """`x = items.pop()`, or the call alone; False for anything else."""
        if not self._is_pop(source):
            return False
        base = cast("ast.Attribute", source.func).value
        name = base.id if isinstance(base, ast.Name) else ""
        held, given = None if self.names is None else self.names.get(name), source.args
        if held is None or not held.type.is_sequence or source.keywords or held.type.is_set:
            return False
        if held.type.sort == "dict" and len(given) in (1, 2):
            default = self.value(given[1]) if len(given) == 2 else None
            kept = self.kept(self.whole.value_at(source, held, self.value(given[0]), default), source)
            self._own_list(name, source)
            self.whole.replace(name, library.without_key, source, given[:1])
        elif held.type.sort == "list" and len(given) < 2:
            place = self.number(given[0]) if given else core.Number(-1)
            kept = self.kept(self.item_at(held, place, self.site(source, "pop index out of range")), source)
            self._own_list(name, source)
            if given:
                self.whole.replace(name, library.without_place, source, given)
            else:
                self.drop_last(name, source)
        else:
            return False
        if target is not None:
            self.store(target.id, kept, source)
        return True

    def pops_first(self, statement: ast.stmt) -> ast.stmt:
        """A statement in which names stand for what it pops, after that was popped.

        It stays what it is if what is evaluated before reads the same list, or if a pop may not be reached.
        """
        part = next((name for name in ("value", "test", "iter") if isinstance(statement, _POPPING.get(name, ()))), "")
        value: Any = getattr(statement, part, None)
        is_alone = isinstance(statement, ast.Expr | ast.Assign) and self._is_pop(value)
        if value is None or is_alone:
            return statement
        places = list(pops_in(value))
        if isinstance(statement, ast.Expr) and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            places = places[isinstance(value.func.value, ast.Name) :]  # the list that is changed, once all is evaluated
        read = [name for name, _ in pops_in(statement.target)] if isinstance(statement, ast.AugAssign) else []
        pops = dict[ast.Call, ast.Name]()
        for name, call in places:
            if call is None:
                read.append(name)
            elif name in self.reached({*read}):
                return statement
            else:
                pops[call] = ast.copy_location(ast.Name(self.fresh(), ast.Load()), call)
        for call, own in pops.items():
            self._assign([ast.copy_location(ast.Name(own.id, ast.Store()), call)], call)
        if not pops:
            return statement
        new = copy.copy(statement)
        setattr(new, part, copied(value, cast("dict[ast.AST, ast.AST]", pops)))
        return new

    def _do_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.whole.drop(target)

    def put(self, target: ast.expr, value: Value, source: ast.AST) -> None:
        """Assign a value to a target."""
        if isinstance(target, ast.Name):
            self.bind(target, value, source)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target, value, source)
        elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            self._set_item(target, value)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            self.refuse(target, "a slice of a list cannot be assigned: assign the items one by one, in a loop")
        else:
            self.refuse(target, f"{_NOT_LOCAL}: keep it in the state")

    def bind(self, target: ast.Name, value: Value, source: ast.AST) -> None:
        """Assign a value to a name."""
        if value.lists is not None:
            value.lists.gets_name(self.whole, source)
        if id(value.known) in self.made_here:
            names = self.names_of_known.setdefault(id(value.known), set())
            names.add(target.id)
            if len(names) > 1 and names & self.changed:
                self.refuse(source, "a set or dictionary that goes under two names cannot be compiled")
            if target.id in self.changed:
                value = self.whole.as_holder(value, source)
        held = self.lists_of(value)
        for name in (*held, target.id) if held else ():
            self.shared.setdefault(name, source)
        self.aliases.setdefault(target.id, set()).update(held)
        read = self._read_by(source)
        if isinstance(value.expr, core.Listed):
            value = self._roomy(target.id, value)
        # One that grows may have been made with room for its first items alone.
        grows = target.id in self.hints and isinstance(value.expr, core.Local | core.Field)
        self.store(target.id, value, source, fresh=self.is_fresh(value) and target.id not in read and not grows)

    def _read_by(self, node: ast.AST) -> set[str]:
        """Names that an expression reads, including those read by local functions that it may call."""
        return set(self.reached({each.id for each in nodes_of(node) if isinstance(each, ast.Name)}))

    def _roomy(self, name: str, value: Value) -> Value:
        """A list display, with room for what is appended to it under its name."""
        listed = value.expr
        item = self.hints.get(name)
        if item is None or item.is_sequence:  # what the name stands for elsewhere
            return value
        kind = core.Sequence(item, listed.type.sort)
        return Value.made(core.Listed(listed.items, core.ROOM, kind))

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, source: ast.AST) -> None:
        parts = target.elts
        if any(isinstance(part, ast.Starred) for part in parts):
            self._unpack_rest(parts, value, source)
            return
        items = None if value.lists is None else value.lists.unpacked(self.whole, source)
        if items is None:
            items = self.items_of(self.read_now(value, source), source, target, len(parts))
        if not all(isinstance(part, ast.Name) for part in parts):  # an item that is set may be one that is read
            items = [self.as_now(item, source) for item in items]
        if len(items) != len(parts):
            self.refuse(target, f"{count_text(len(items), 'item')} for {count_text(len(parts), 'name')}")
        if len(items) > 1:
            items = [item if self.is_fresh(item) else self.own_copy(item, source) for item in items]
        for part, item in zip(parts, items, strict=True):
            self.put(part, item, source)

    def _unpack_rest(self, targets: list[ast.expr], value: Value, source: ast.AST) -> None:
        """`a, *b, c = items`."""
        if not value.is_known:
            value = self.as_now(self.whole.not_none(value, source), source)
        held, first = self.named(value, source), [isinstance(each, ast.Starred) for each in targets].index(True)
        after = len(targets) - first - 1
        few = self.truth(filled(f"len(held) < {first + after}", source, held=held))
        if few.is_known and few.known:
            self.refuse(source, "the items do not fit the names")
        if not few.is_known:
            self.fault_if(few.expr, source, "the items do not fit the names")
        parts = [filled(f"held[{place}]", source, held=held) for place in (*range(first), *range(-after, 0))]
        parts.insert(first, filled(f"list(held[{first}:{-after or ''}])", source, held=held))
        names = [each.value if isinstance(each, ast.Starred) else each for each in targets]
        items = [self.as_now(self.value(each), source) for each in parts]
        for name, item in zip(names, items, strict=True):
            self.put(name, item, source)

    def items_of(self, value: Value, source: ast.AST, node: ast.AST, count: int) -> list[Value]:
        """The items of a value, which must have `count` of them unless it is known."""
        if value.is_known and self.unit.is_plain(value.known) and is_list(value.known):
            return [Value.of(item) for item in value.known]
        value = self.whole.not_none(value, source)
        if isinstance(value.expr, core.Row) and not holds_sequence(
            value.type
        ):  # what is known of its items stays known
            return [self.as_now(each, source) for each in self.parts_of(value.expr)]
        value = self.as_now(value, source)
        if value.type.is_object:
            value = self._but_none(value, source)
            if not all(is_list(each) and len(each) == count for each in self.objects_of(value)):
                self.refuse(node, "the items do not fit the names")
            return [self.item(node, value, Value.of(number)) for number in range(count)]
        if value.type.is_tuple:
            return self.fields(value)
        is_held = value.type.is_sequence and value.type.sort not in ("list", "tuple", None)
        if is_held or core.is_word(value.type) or value.type == core.NOTHING:
            self.refuse(node, f"{value.type.name} has no items by number")
        wrong = core.Compare("!=", core.Length(value.expr), core.Number(count))
        site = self.fault_if(wrong, node, "the number of items is not that of the names")
        return [self.item_at(value, core.Number(number), site) for number in range(count)]

    def _but_none(self, value: Value, source: ast.AST) -> Value:
        """An object that must not be None there."""
        others = self.whole.unless_none(value)
        if others is None:
            return value
        is_none = core.Compare("==", value.expr, core.Number(self.unit.number_of(None)))
        self.fault_if(is_none, source, "a value is None")
        return others

    def _set_item(self, target: ast.Subscript, value: Value) -> None:
        name = target.value.id if isinstance(target.value, ast.Name) else ""
        held = self.here.get(name)
        if isinstance(target.value, ast.Subscript):
            held = self.value(target.value)
        if held is not None and held.lists is not None:
            held.lists.put(self.whole, target, self.value(target.slice), value)
            return
        if not name or held is None or not held.type.is_sequence or held.type.sort not in ("list", "dict"):
            self.refuse(target, f"{_NOT_LOCAL} and what they made: keep it in the state")
        if held.type.sort == "dict":
            self._own_list(name, target)
            self.whole.put_key(name, self.value(target.slice), value, target)
            return
        self.set_at(target, name, self.number(target.slice), value)

    def set_at(self, node: ast.AST, name: str, index: core.Expr, value: Value) -> None:
        """Set an item of the list of that name."""
        value, held = self.material(value, node), self.here[name].type
        item = self.joined(node, held.item, value.type) if held.item != core.NOTHING else value.type
        if name in self.parameters:
            self.changes.add(name)
        self.mutated.setdefault(name, node)
        kind = core.Sequence(item, "list", held.count)
        site = self.site(node, "an index is out of range")
        self.add(core.SetItem(name, kind, index, value.expr, site))
        self.here[name] = Value.made(core.Local(name, kind))

    def _do_augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Attribute):
            self.refuse(node, f"{_NOT_LOCAL}: keep it in the state")
        read = copied(node.target)
        read.ctx = ast.Load()
        left = self.value(read)
        kept = left.type.is_table and left.type.sort not in ("tuple", "range", "bytes")
        if kept or (left.is_known and isinstance(left.known, list | set | dict)):
            self.refuse(node, f"{_NOT_LOCAL}: keep it in the state")
        if left.type.sort == "set" and isinstance(node.target, ast.Name):
            self._own_list(node.target.id, node)
        if left.type.is_sequence and left.type.sort == "list":
            if not isinstance(node.op, ast.Add) or not isinstance(node.target, ast.Name):
                self.refuse(node, "this operator on a list cannot be compiled")
            name = node.target.id
            self._own_list(name, node)
            if any(isinstance(part, ast.Name) and part.id == name for part in nodes_of(node.value)):
                self.refuse(node, "a list that changes in a loop over it cannot be compiled")
            self.whole.go_through(node.value, lambda item: self.append(name, item, node), set(), node)
            return
        self.put(node.target, self.calculated(node, left, self.value(node.value)), node.value)

    # ---------------------------------------------------------------- lists that grow and shrink

    def _own_list(self, name: str, node: ast.AST) -> None:
        if name in self.parameters:
            self.refuse(node, NOT_OURS)
        self.mutated.setdefault(name, node)

    def drop_last(self, name: str, node: ast.AST) -> None:
        """Drop the last item of a list."""
        self._own_list(name, node)
        kind = self.here[name].type
        self.add(core.Pop(name, kind, self.site(node, "pop from an empty list")))
        shorter = core.Sequence(kind.item, kind.sort)
        self.here[name] = Value.made(core.Local(name, shorter))

    def append(self, name: str, value: Value, node: ast.AST) -> None:
        """Add an item to a list, whose items may get a wider type."""
        value = self.material(value, node)
        held = self.here[name].type
        if value.type == core.NOTHING and isinstance(value.expr, core.Item):
            return  # an item of a sequence that is always empty
        item = value.type if held.item == core.NOTHING else self.joined(node, held.item, value.type)
        self.require_words(item, node)
        self.hints[name] = item
        before, more = self.bounds.get(name, 0), self.turns
        self.bounds[name] = None if before is None or more is None else before + more
        kind = core.Sequence(item, held.sort)
        site = self.site(node, f"a list has more than {core.ROOM} items")
        self.add(core.Append(name, kind, value.expr, site), self.line_of(node))
        self.here[name] = Value.made(core.Local(name, kind))
