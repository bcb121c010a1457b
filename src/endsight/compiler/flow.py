"""Names of one function during translation: which have a value, its type, whether it is known; statements so far."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from endsight.compiler import core
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import is_list, is_named_tuple, is_whole
from endsight.compiler.syntax import all_reached, grown, items_set, names_given_once, nodes_of, own_nodes
from endsight.compiler.values import (
    KnownKeys,
    Names,
    Value,
    holds_list,
    holds_sequence,
    is_part_of_name,
)

if TYPE_CHECKING:
    from endsight.compiler.functions import Translator
    from endsight.compiler.specialising import Demand, Functions


class Flow:
    """The part of the translation of a function that follows names and gathers statements."""

    def __init__(self, unit: Functions, request: Demand, names: Names, hints: dict[str, core.Type]) -> None:
        self.unit, self.request, self.outside = unit, request, request.outside
        self.file, self.is_library, self.definition = request.file, request.is_library, request.definition
        self.home: Any = request.home or self
        """The translation of the rules' function that contains this one; this one itself if none does."""
        self.rule, self.is_for_one_type = request.rule, request.is_for_one_type
        definition = request.definition
        is_generator = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(definition))
        self.yields, self.is_moves = is_generator or self.rule == "moves", self.rule == "moves" and not is_generator
        """Whether these are the rules' moves, and do not yield: they return all of them."""
        self.names: Names | None = dict(names)
        """None where the code cannot be reached."""
        self.hints = dict(hints)
        self.move = hints.get("yield")
        """The type of moves of several types; None as long as there is one."""
        self.result: core.Type | None = None
        self.out: list[core.Stmt] = []
        self.line = definition.lineno
        self.alone: ast.AST | None = None
        """The call that makes up a statement: only there may it change a list."""
        self.parameters = {name for name, value in names.items() if holds_sequence(value.type)}
        self.changes: set[str] = set()
        self.mutated: dict[str, ast.AST] = {}
        self.shared: dict[str, ast.AST] = {}
        self.fresh_lists: set[str] = set()
        """Names of ours that stand for new sequences without another name."""
        self.rows: set[int] = set()
        """How many lists there are in each list that is returned; 0 for other values."""
        self.given_keys: list[KnownKeys | None] = []
        """What is known of the keys of dictionaries that are returned."""
        self.replaced: dict[str, ast.AST] = {}
        """Lists of which a list in them is replaced, by their names, and where."""
        self.named_in: set[str] = set()
        """Lists of which a list in them has a name of its own."""
        self._begin(definition, names)
        for parameter in self.several & set(names):
            if names[parameter].expr is None:
                self.store(parameter, names[parameter], definition)

    def _begin(self, definition: ast.FunctionDef, names: Names) -> None:
        """What is kept of names, lists and loops while the function is gone through."""
        self.jumps: list[dict[str, list[Names]]] = []
        """The names with a value at each `break` and `continue` of the loops around."""
        self.loose: set[ast.AST] = set()
        """Tuples written where a state is made, as a field or inside one."""
        self.unknown: dict[ast.expr, dict[str, Value | None]] = {}
        """Expressions that were examined and depend on the state, with what their names stood for."""
        self.after_all: dict[ast.AST | None, Names] = {}
        """The names after all parts of `and` and `or` were evaluated."""
        self.tested: ast.AST | None = None
        """The expression of which only the truth is used."""
        self.temporaries = {"t": 0, "s": 0}
        self.bounds: dict[str, int | None] = {}
        """Expected upper bounds of numbers, and of lengths of sequences, by name."""
        self.turns: int | None = 1
        """How often a statement here is expected to run at most."""
        self.turns_of_loop: int | None = None
        """The same for the body of the next loop, each time it runs."""
        self.aliases: dict[str, set[str]] = {}
        self.unlike: dict[str, str] = {}
        """The kinds of what names stand for after branches that met last."""
        self.written: dict[str, list[core.Expr]] = {}
        """The members of sets of numbers that are written out, by the name of each, which is ours."""
        self.made_here: dict[int, Any] = {}
        """Known sets and dictionaries that the function itself makes."""
        self.names_of_known: dict[int, set[str]] = {}
        """Their names, by identity."""
        nodes = nodes_of(definition)
        added = [each.target for each in nodes if isinstance(each, ast.AugAssign)]
        self.changed = grown(nodes) | items_set(nodes) | {each.id for each in added if isinstance(each, ast.Name)}
        stored = [each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
        self.several = {name for name in stored if stored.count(name) > 1 or name in names}
        """Names that are assigned in several places."""
        inside = [each for each in nodes if isinstance(each, ast.NamedExpr)]
        self.given_inside = {each.target.id for each in inside}
        """Names that `:=` assigns somewhere."""
        self.given_once = names_given_once(definition) if inside else []

    @property
    def whole(self) -> Translator:
        """The whole translation of the function, of which this is a part: for what later parts do."""
        return self  # type: ignore[return-value]

    @property
    def here(self) -> Names:
        """The names, at a place that can be reached."""
        assert self.names is not None
        return self.names

    # ---------------------------------------------------------------- tools

    def refuse(self, node: ast.AST | None, reason: str) -> NoReturn:
        """Leave these rules to the plain engine."""
        raise self.refusal(node, reason)

    def refusal(self, node: ast.AST | None, reason: str) -> CannotCompile:
        """The reason for that."""
        return CannotCompile(reason, self.file, getattr(node, "lineno", None) or self.line)

    def line_of(self, node: ast.AST) -> int:
        """The line of a node; of the statement being translated if it has none."""
        return getattr(node, "lineno", self.line)

    def site(self, node: ast.AST, what: str) -> int:
        """A new site."""
        return self.unit.site(self.file, self.line_of(node), what)

    def fault_if(self, test: core.Expr, node: ast.AST, what: str) -> int:
        """Let it be a fault where a test holds, at a new site."""
        site = self.site(node, what)
        self.add(core.Fault(test, site))
        return site

    def fresh(self, kind: str = "t") -> str:
        """A name that nothing else has: `s` for sequences, whose items are known by their names at the next try."""
        self.temporaries[kind] += 1
        name = f"es_{kind}{self.temporaries[kind]}"
        self.written.pop(name, None)
        self.fresh_lists.discard(name)  # what was translated for another turn, or to look ahead, is discarded
        self.aliases.pop(name, None)
        return name

    def named(self, value: Value, node: ast.AST) -> ast.Name:
        """A name that stands for a value, as syntax that reads it."""
        name = self.fresh()
        self.here[name] = value
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def add(self, statement: core.Stmt, line: int = 0) -> None:
        """Add a statement, which is in this line unless it says another one."""
        self.out.append(statement if statement.line else statement.at(line or self.line))

    def material(self, value: Value, node: ast.AST) -> Value:
        """The value in a form that exists at run time."""
        if value.expr is not None:
            return value
        known = value.known
        if value.lists is not None:
            value.lists.decline(self.whole, node)
        if type(known) is Fraction:
            return self.whole.constant_fraction(known, node)
        if is_whole(known):
            text = str(known) if abs(known) < 10**40 else f"of {int(known).bit_length()} bits"
            self.refuse(node, f"the number {text} does not fit a machine word")
        is_short = isinstance(known, tuple) and is_list(known) and len(known) <= 8
        if is_short and all(is_whole(each) or type(each) is Fraction for each in known):
            names = self.unit.named(type(known)) if is_named_tuple(type(known)) else None
            return Value.row([self.material(Value.of(item), node) for item in known], *(names or ((), "")), known)
        if is_list(known) and (self.unit.is_value(known) or not self.unit.is_object(known)):
            return self.table(value, node)
        if self.unit.is_object(known):
            place = self.unit.number_of(known)
            return Value(core.Known((place,)), core.Number(place), known)
        raise self.refusal(node, f"{ast.unparse(node)} does not stand for whole numbers")

    def as_number(self, value: Value, node: ast.AST) -> Value:
        """A value that is a whole number or truth value."""
        if not core.is_number(value.type):
            self.refuse(node, f"a whole number is needed here, not {value.type.name}")
        return value

    def table(self, value: Value, node: ast.AST) -> Value:
        """A known list as a constant."""
        table = self.unit.table(value.known, lambda reason: self.refusal(node, reason))
        return Value(table.type, table, value.known)

    def store(self, name: str, value: Value, node: ast.AST, *, fresh: bool = True) -> None:
        """Assign a value to a name; sequences that are not `fresh` are copied."""
        hint = self.hints.get(name, core.NOTHING)
        is_changed = (type(value.known) is Fraction and name in self.several) or hint.label == core.MAYBE
        if value.expr is None and not self.unit.is_value(value.known) and not is_changed:
            self.here[name] = value
            if name in self.several and self.unit.is_object(value.known):
                self.add(core.Assign(name, core.Number(self.unit.number_of(value.known))))
            return
        value = self.not_only_truth(self.material(value, node), node)
        if self.whole.wider(hint, value.type) == hint == self.whole.wider(value.type, hint):
            value = self.whole.fitted(value, hint, node)
        self.bounds[name] = self.whole.most(value.expr)
        if value.type.is_sequence and value.type.sort == "view":
            self.refuse(node, "a view of a dictionary under a name cannot be compiled: write list(...)")
        if not fresh and not value.type.is_sequence:
            value = self.own_copy(self.own_copy(value, node), node)
        copies = value.type.is_sequence and not fresh
        site = self.site(node, "a list grows too long") if copies else 0
        self.add(core.Assign(name, value.expr, copies, site), self.line_of(node))
        bits = None if name in self.changed else value.bits
        now = core.Local(name, value.type)
        self.here[name] = Value(value.type, now, value.known, bits, value.cut, value.keys, value.there)

    def kept(self, value: Value, node: ast.AST) -> Value:
        """The value in a name of its own, unless it is a name or a number already."""
        value = self.material(value, node)
        return value if is_part_of_name(value.expr) else self.as_now(value, node)

    def as_now(self, value: Value, node: ast.AST) -> Value:
        """The value as it is now, whatever is assigned to names later."""
        if value.expr is None or isinstance(value.expr, core.Number | core.Table):
            return value
        name = self.fresh()
        if self.is_fresh(value):
            self.fresh_lists.add(name)
        else:
            self.aliases[name] = self.lists_of(value) | {name}
        self.add(core.Assign(name, value.expr), self.line_of(node))
        keys = value.keys and value.keys.fixed()
        return Value(value.type, core.Local(name, value.type), value.known, value.bits, value.cut, keys)

    def not_only_truth(self, value: Value, node: ast.AST) -> Value:
        """A value, of which more is known than its truth."""
        if value.type.is_truth:
            self.refuse(node, f"cannot unify {value.type.name}: give one kind of value on every way")
        return value

    def own_copy(self, value: Value, node: ast.AST) -> Value:
        """A value whose sequences are copies; two rounds of that before names get any are safe in loops.

        What a name gets in one turn may be where another one's items are since the turn before.
        """
        if value.type.is_sequence:
            name = self.fresh()
            self.add(core.Assign(name, value.expr, True, self.site(node, "a list grows too long")))
            self.aliases[name] = self.lists_of(value) | {name}
            return replace(value, expr=core.Local(name, value.type), keys=value.keys and value.keys.fixed())
        if not holds_sequence(value.type):
            return value
        held, kind = self.kept(value, node).expr, value.type
        parts = [Value.made(core.Field(held, at, each)) for at, each in enumerate(kind.items)]
        return Value.row([self.own_copy(each, node) for each in parts], kind.names, kind.label)

    def is_fresh(self, value: Value) -> bool:
        """Whether a sequence, or all in a tuple, are new and have no other name."""
        expr, made = value.expr, core.Listed | core.Members | core.Call
        if isinstance(expr, core.Row):
            return all(self.is_fresh(Value.made(each)) for each in expr.items if holds_sequence(each.type))
        while isinstance(expr, core.Field):
            expr = expr.value
        return isinstance(expr, made) or getattr(expr, "name", None) in self.fresh_lists

    def lists_of(self, value: Value) -> set[str]:
        """Names of lists that a value may be itself, rather than a copy."""
        return self._named_in(value.expr) if holds_list(value.type) else set()

    def met(self, name: str, values: Iterable[Value]) -> None:
        """Note that a name of ours is any of these values."""
        found = list(values)
        self.aliases[name] = set().union(*map(self.lists_of, found)) | {name}
        if all(map(self.is_fresh, found)):
            self.fresh_lists.add(name)

    def _named_in(self, expr: Any) -> set[str]:
        if isinstance(expr, core.Row):
            return set().union(*(self._named_in(each) for each in expr.items if holds_list(each.type)))
        if isinstance(expr, core.Field):
            return self._named_in(expr.value)
        if not isinstance(expr, core.Local) or expr.name in self.fresh_lists:
            return set()
        return all_reached({expr.name}, lambda name: self.aliases.get(name, ()))

    def reached(self, names: set[str]) -> list[str]:
        """Those names, and the ones read by local functions that they stand for."""
        held = self.names or {}
        return sorted(all_reached(names, lambda name: getattr(held[name].known, "free", ()) if name in held else ()))
