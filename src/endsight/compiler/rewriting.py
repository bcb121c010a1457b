"""The statements and expressions of one function of the rules, rewritten for `lowering`."""

from __future__ import annotations

import ast
import builtins
import math
import sys
from types import FunctionType
from typing import TYPE_CHECKING, Any, NoReturn

from endsight.compiler.known import SELF, STATE, UNKNOWN, Scope, is_list, is_whole
from endsight.compiler.loops import Loops
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.syntax import assign, call, is_temporary, name, number

if TYPE_CHECKING:
    from endsight.compiler.translator import _Translator

__all__ = ["Rewriter"]

WORD_LIMIT = 1 << 63

_CHECKED = {
    ast.Add: ("es_add", "the sum does not fit a machine word"),
    ast.Sub: ("es_subtract", "the difference does not fit a machine word"),
    ast.Mult: ("es_multiply", "the product does not fit a machine word"),
    ast.FloorDiv: ("es_divide", "division by zero"),
    ast.Mod: ("es_rest", "division by zero"),
    ast.LShift: ("es_shift_left", "a bit is shifted out of the machine word"),
    ast.RShift: ("es_shift_right", "a shift by a negative number"),
    ast.Pow: ("es_power", "the power does not fit a machine word"),
}
_STATEMENTS = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.If,
    ast.For,
    ast.While,
    ast.Return,
    ast.Expr,
    ast.Pass,
    ast.Break,
    ast.Continue,
    ast.Assert,
    ast.Match,
)


class Rewriter(Loops, ast.NodeTransformer):
    """Rewrites one function; methods named `visit_...` are called by node type."""

    def __init__(self, translator: _Translator, scope: Scope, file: str) -> None:
        self.translator = translator
        self.scope = scope
        self.file = file
        self.temporaries = 0

    # ---------------------------------------------------------------- tools

    def refuse(self, node: ast.AST, reason: str) -> NoReturn:
        """Leave these rules to the plain engine."""
        raise CannotCompile(reason, self.file, getattr(node, "lineno", None))

    def site(self, node: ast.AST, what: str) -> ast.expr:
        """The number of a new site, as an expression."""
        return number(self.translator.site(node, what, self.file))

    def temporary(self) -> str:
        """A new local name."""
        self.temporaries += 1
        return f"es_t{self.temporaries}"

    def with_defaults(self, arguments: ast.arguments, function: FunctionType) -> ast.arguments:
        """Default values of the loaded function, as constants."""
        given = function.__defaults__ or ()
        if any(not is_whole(value) for value in given) or function.__kwdefaults__:
            raise CannotCompile("a default value is not a whole number", self.file, function.__code__.co_firstlineno)
        arguments.defaults = [number(value) for value in given]
        return arguments

    # ---------------------------------------------------------------- statements

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """A list of statements; one may become several or none."""
        result: list[ast.stmt] = []
        for statement in statements:
            if not isinstance(statement, _STATEMENTS):
                self.refuse(statement, f"{_kind(statement)} cannot be compiled")
            done = self.visit(statement)
            for new in done if isinstance(done, list) else [done]:
                result.append(ast.copy_location(new, statement))
            if result and isinstance(result[-1], ast.Return | ast.Break | ast.Continue):
                break  # what follows is never reached, and need not be compiled
        return result

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """A block that must not be empty."""
        return self.block(statements) or [ast.Pass()]

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        """What is not so is left to the plain engine, which raises the error; with -O Python drops it too."""
        if sys.flags.optimize:
            return []
        failed = call("es_whole", ast.UnaryOp(ast.Not(), self.visit(node.test)))
        return [ast.Expr(call("es_fault_at", failed, self.site(node, "an assertion fails")))]

    def visit_Pass(self, node: ast.Pass) -> ast.stmt:
        return node

    def visit_Break(self, node: ast.Break) -> ast.stmt:
        return node

    def visit_Continue(self, node: ast.Continue) -> ast.stmt:
        return node

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        if isinstance(node.value, ast.Constant):
            return []
        if isinstance(node.value, ast.Yield):
            if node.value.value is None:
                self.refuse(node, "yield without a move")
            return [ast.Expr(ast.Yield(self.visit(node.value.value)))]
        if isinstance(node.value, ast.YieldFrom):
            return self.yield_from(node.value)
        return [ast.Expr(self.visit(node.value))]

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None:
            return [node]
        if self.scope.is_generator:
            return [ast.Expr(self.visit(node.value)), ast.Return(None)]
        return [ast.Return(call("es_returned", self.visit(node.value)))]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        return [] if node.value is None else self._store(node.target, node.value)

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        if len(node.targets) == 1:
            return self._store(node.targets[0], node.value)
        shared = self.temporary()
        stores = [statement for target in node.targets for statement in self.put(target, name(shared))]
        return [assign(shared, self.visit(node.value)), *stores]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        read: ast.expr
        if isinstance(node.target, ast.Name):
            read = ast.copy_location(name(node.target.id), node)
        elif isinstance(node.target, ast.Subscript):
            read = ast.copy_location(ast.Subscript(node.target.value, node.target.slice, ast.Load()), node)
        else:
            self.refuse(node, "the rules must not change anything but local names")
        value = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        return self._store(node.target, value)

    def _store(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts)
        if both and all(isinstance(part, ast.Name) for part in target.elts):  # type: ignore[attr-defined]
            for part in target.elts:  # type: ignore[attr-defined]
                self._forget(part)
            return [ast.Assign([target], ast.Tuple([self.visit(part) for part in value.elts], ast.Load()))]  # type: ignore[attr-defined]
        return self.put(target, self.visit(value))

    def put(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        """Statements that give an already rewritten value to a target."""
        if isinstance(target, ast.Name):
            self._forget(target)
            return [assign(target.id, value)]
        if isinstance(target, ast.Tuple | ast.List):
            return self._unpack(target, value)
        if isinstance(target, ast.Subscript):
            where = [self.visit(target.value), self.visit(target.slice)]
            site = self.site(target, "an index is out of range")
            return [ast.Expr(call("es_set_item", *where, value, site))]
        self.refuse(target, "the rules must not change anything but local names")

    def _unpack(self, target: ast.Tuple | ast.List, value: ast.expr) -> list[ast.stmt]:
        whole = self.temporary()
        site = self.site(target, "the number of items is not that of the names")
        wrong = ast.Compare(call("es_length", name(whole)), [ast.NotEq()], [number(len(target.elts))])
        stores: list[ast.stmt] = [
            assign(whole, value),
            ast.Expr(call("es_fault_at", call("es_whole", wrong), site)),
        ]
        for position, part in enumerate(target.elts):
            if isinstance(part, ast.Starred):
                self.refuse(part, "a starred name cannot be compiled")
            stores += self.put(part, call("es_item", name(whole), number(position), site))
        return stores

    def _forget(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.scope.locals.add(target.id)
            self.scope.fixed.pop(target.id, None)

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        test = self.scope.value(node.test)
        if test is not UNKNOWN:
            return self.block(node.body if test else node.orelse)
        return [ast.If(self.visit(node.test), self.body(node.body), self.block(node.orelse))]

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return [ast.While(self.visit(node.test), self.body(node.body), self.block(node.orelse))]

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        """`match` on numbers becomes a chain of `if`."""
        subject = self.temporary()
        first: list[ast.stmt] = []
        place = first
        for case in node.cases:
            test = self._pattern(case.pattern, subject)
            if case.guard is not None:
                guard = self.visit(case.guard)
                test = guard if test is None else ast.BoolOp(ast.And(), [test, guard])
            if test is None:
                place.extend(self.body(case.body))
                break
            branch = ast.If(test, self.body(case.body), [])
            place.append(branch)
            place = branch.orelse
        return [assign(subject, self.visit(node.subject)), *first]

    def _pattern(self, pattern: ast.pattern, subject: str) -> ast.expr | None:
        if isinstance(pattern, ast.MatchValue):
            return ast.Compare(name(subject), [ast.Eq()], [self.visit(pattern.value)])
        if isinstance(pattern, ast.MatchOr):
            tests = [self._pattern(part, subject) for part in pattern.patterns]
            return None if None in tests else ast.BoolOp(ast.Or(), [test for test in tests if test is not None])
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
            return None
        self.refuse(pattern, "only numbers, | and _ can be compiled as patterns")

    # ---------------------------------------------------------------- expressions

    def visit(self, node: ast.AST) -> Any:
        """The rewritten node; what is known already becomes a number or a list of data."""
        if isinstance(node, ast.expr) and not is_temporary(node):
            value = self.scope.value(node)
            is_data = (is_whole(value) or is_list(value)) and not isinstance(node, ast.Tuple | ast.List)
            if is_data:
                return ast.copy_location(self.known(node, value), node)
        method = getattr(self, "visit_" + type(node).__name__, None)
        if method is None:
            self.refuse(node, f"{_kind(node)} cannot be compiled")
        result = method(node)
        if isinstance(result, ast.AST) and isinstance(node, ast.expr):
            ast.copy_location(result, node)
        return result

    def known(self, node: ast.AST, value: Any) -> ast.expr:
        """A known value as an expression."""
        if is_whole(value):
            if not -WORD_LIMIT <= value < WORD_LIMIT:
                self.refuse(node, f"the number {_digits(value)} does not fit a machine word")
            return number(value if isinstance(value, bool) else int(value))
        position, depth = self.translator.data_list(
            value, lambda reason: CannotCompile(reason, self.file, getattr(node, "lineno", None))
        )
        return call(f"Data{depth}", call("es_root", number(position)))

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, int):
            return self.known(node, node.value)
        self.refuse(node, f"{node.value!r} is not a whole number")

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id.startswith("es_t") or node.id in self.scope.locals:
            return node
        self.refuse(node, f"the name {node.id} does not stand for whole numbers")

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        base = self.scope.value(node.value)
        if base is SELF and (getter := self.translator.getter(node.attr)) is not None:
            return call(getter)
        if base is not UNKNOWN:
            self.refuse(node, f"{ast.unparse(node)} does not stand for whole numbers")
        return ast.Attribute(self.visit(node.value), node.attr, ast.Load())

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
            return self._repeated(node.left, node.right)
        if isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
            return ast.BinOp(self.visit(node.left), node.op, self.visit(node.right))
        if type(node.op) not in _CHECKED:
            self.refuse(node, "true division gives no whole numbers" if isinstance(node.op, ast.Div) else "@")
        operation, what = _CHECKED[type(node.op)]
        if isinstance(node.op, ast.LShift) and self.scope.value(node.left) == 1:
            operation = "es_shift_one"
        return call(operation, self.visit(node.left), self.visit(node.right), self.site(node, what))

    def _repeated(self, items: ast.List, count: ast.expr) -> ast.expr:
        length = self.scope.value(count)
        if len(items.elts) != 1 or not isinstance(length, int):
            self.refuse(items, "a list needs one item and a length that does not depend on the state")
        return call("es_scratch", number(length), self.visit(items.elts[0]))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.USub):
            return call("es_subtract", number(0), operand, self.site(node, "the number does not fit a machine word"))
        if isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, operand)
        whole = call("es_whole", operand)
        return whole if isinstance(node.op, ast.UAdd) else ast.UnaryOp(node.op, whole)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return ast.BoolOp(node.op, [self.visit(part) for part in node.values])

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.scope.value(node.test)
        if test is not UNKNOWN:
            chosen: ast.expr = self.visit(node.body if test else node.orelse)
            return chosen
        return ast.IfExp(self.visit(node.test), self.visit(node.body), self.visit(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
            return self._membership(node)
        if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            self.refuse(node, "`is` cannot be compiled")
        return ast.Compare(self.visit(node.left), node.ops, [self.visit(part) for part in node.comparators])

    def _membership(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) != 1:
            self.refuse(node, "`in` inside a chain of comparisons cannot be compiled")
        if isinstance(self.scope.value(node.comparators[0]), bytes):
            self.refuse(node, "`in` a bytes object, where Python accepts 0 to 255 only, cannot be compiled")
        found = call("es_contains", self.visit(node.comparators[0]), self.visit(node.left))
        return ast.UnaryOp(ast.Not(), found) if isinstance(node.ops[0], ast.NotIn) else found

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            self.refuse(node, "a starred item cannot be compiled")
        return ast.Tuple([self.visit(part) for part in node.elts], ast.Load())

    def visit_List(self, node: ast.List) -> ast.expr:
        return call("es_listed", self.visit_Tuple(ast.Tuple(node.elts, ast.Load())))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.slice, ast.Slice):
            self.refuse(node, "a slice cannot be compiled")
        site = self.site(node, "an index is out of range")
        return call("es_item", self.visit(node.value), self.visit(node.slice), site)

    # ---------------------------------------------------------------- calls

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = node.func
        if isinstance(function, ast.Attribute):
            return self._method_call(node, function)
        target = self.scope.value(function)
        if target is STATE:
            return self._state(node)
        if isinstance(target, FunctionType):
            return self._plain_call(self.translator.function(target), node)
        return self._built_in(target, node)

    def _built_in(self, target: Any, node: ast.Call) -> ast.expr:
        """A call of a function of Python's own: by the object that it is, whatever its name here."""
        name = next((name for name, known in _BUILT_IN.items() if known is target), None)
        if name is None:
            self.refuse(node, f"the call of {ast.unparse(node.func)} cannot be compiled")
        result: ast.expr = getattr(self, f"_call_{name}")(node)
        return result

    def _method_call(self, node: ast.Call, function: ast.Attribute) -> ast.expr:
        if self.scope.value(function) is STATE:
            return self._state(node)
        base = self.scope.value(function.value)
        if base is SELF:
            method = self.translator.method(function.attr)
            if method is None:
                self.refuse(node, f"self.{function.attr} is not a method that can be compiled")
            return self._plain_call(method, node)
        if function.attr in ("bit_count", "bit_length") and not node.args:
            return call(f"es_{function.attr}", self.visit(function.value))
        if function.attr == "_replace":
            return self._replaced(node, function.value)
        target = self.scope.value(function)
        if isinstance(target, FunctionType) and base is not UNKNOWN:
            return self._plain_call(self.translator.function(target), node)
        return self._built_in(target, node)

    def _plain_call(self, function: str, node: ast.Call) -> ast.expr:
        if any(isinstance(part, ast.Starred) for part in node.args) or any(word.arg is None for word in node.keywords):
            self.refuse(node, "starred arguments cannot be compiled")
        if not self.translator.fits(function, node):
            self.refuse(node, f"{ast.unparse(node.func)} does not take these arguments")
        keywords = [ast.keyword(word.arg, self.visit(word.value)) for word in node.keywords]
        return ast.Call(name(function), [self.visit(part) for part in node.args], keywords)

    def _state(self, node: ast.Call) -> ast.expr:
        """A new state: all fields in order, each a whole number."""
        fields = self.translator.kind.State._fields
        if len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
            return self._state_from(node.args[0].value, fields)
        if any(isinstance(part, ast.Starred) for part in node.args):
            self.refuse(node, "a starred item cannot be compiled")
        given: dict[str, ast.expr] = dict(zip(fields, map(self.visit, node.args), strict=False))
        for word in node.keywords:
            if word.arg is None or word.arg not in fields or word.arg in given:
                self.refuse(node, f"State has no field {word.arg!r} to be set here")
            given[word.arg] = self.visit(word.value)
        for field, value in self.translator.kind.State._field_defaults.items():
            if field not in given and is_whole(value):
                given[field] = number(value)
        lacking = [field for field in fields if field not in given]
        if lacking or len(node.args) > len(fields):
            self.refuse(node, f"the state lacks {', '.join(lacking)}" if lacking else "too many fields for State")
        return call("State", *(call("es_whole", given[field]) for field in fields))

    def _state_from(self, items: ast.expr, fields: tuple[str, ...]) -> ast.expr:
        """`State(*items)` by a helper, so that `items` is worked out once."""
        helper = self.translator.fresh("state")
        site = self.site(items, "the number of items is not that of the fields")
        wrong = ast.Compare(call("es_length", name("items")), [ast.NotEq()], [number(len(fields))])
        parts = [call("es_item", name("items"), number(k), site) for k in range(len(fields))]
        body: list[ast.stmt] = [
            ast.Expr(call("es_fault_at", call("es_whole", wrong), site)),
            ast.Return(call("State", *(call("es_whole", part) for part in parts))),
        ]
        self.define(helper, ["items"], body, items)
        return call(helper, self.visit(items))

    def _replaced(self, node: ast.Call, base: ast.expr) -> ast.expr:
        """`state._replace(field=value)` by a helper, so that `state` is worked out once."""
        fields = self.translator.kind.State._fields
        if node.args or any(word.arg not in fields for word in node.keywords):
            self.refuse(node, "_replace needs names of fields")
        given = [str(word.arg) for word in node.keywords]
        values = [
            name(f"new_{field}") if field in given else ast.Attribute(name("old"), field, ast.Load())
            for field in fields
        ]
        helper = self.translator.fresh("replace")
        body: list[ast.stmt] = [ast.Return(call("State", *(call("es_whole", value) for value in values)))]
        self.define(helper, ["old", *(f"new_{field}" for field in given)], body, node)
        return call(helper, self.visit(base), *(self.visit(word.value) for word in node.keywords))

    def define(self, helper: str, parameters: list[str], body: list[ast.stmt], near: ast.AST) -> None:
        """Add a helper function to the module."""
        arguments = ast.arguments([], [ast.arg(parameter) for parameter in parameters], None, [], [], None, [])
        definition = ast.FunctionDef(helper, arguments, body, [], None)
        ast.copy_location(definition, near)
        ast.fix_missing_locations(definition)
        self.translator.add(definition, self.file)

    # ---------------------------------------------------------------- builtins

    def _only(self, node: ast.Call, least: int, most: int) -> list[ast.expr]:
        if node.keywords or not least <= len(node.args) <= most:
            self.refuse(node, f"this form of {ast.unparse(node.func)} cannot be compiled")
        return [self.visit(part) for part in node.args]

    def _call_len(self, node: ast.Call) -> ast.expr:
        return call("es_length", *self._only(node, 1, 1))

    def _call_abs(self, node: ast.Call) -> ast.expr:
        return call("es_absolute", *self._only(node, 1, 1), self.site(node, "the number does not fit a word"))

    def _call_int(self, node: ast.Call) -> ast.expr:
        return call("es_whole", *self._only(node, 1, 1))

    def _call_bool(self, node: ast.Call) -> ast.expr:
        return ast.Compare(call("es_whole", *self._only(node, 1, 1)), [ast.NotEq()], [number(0)])

    def _call_pow(self, node: ast.Call) -> ast.expr:
        return call("es_power", *self._only(node, 2, 2), self.site(node, "the power does not fit a machine word"))

    def _call_divmod(self, node: ast.Call) -> ast.expr:
        self._only(node, 2, 2)
        helper = self.translator.fresh("divmod")
        site = self.site(node, "division by zero")
        parts: list[ast.expr] = [call(kind, name("a"), name("b"), site) for kind in ("es_divide", "es_rest")]
        self.define(helper, ["a", "b"], [ast.Return(ast.Tuple(parts, ast.Load()))], node)
        return call(helper, *map(self.visit, node.args))

    def _call_range(self, node: ast.Call) -> ast.expr:
        parts = self._only(node, 1, 3)
        if len(parts) == 3 and not isinstance(parts[2], ast.Constant):
            parts[2] = call("es_step", parts[2], self.site(node, "a range with step 0"))
        return call("range", *parts)

    def _call_gcd(self, node: ast.Call) -> ast.expr:
        return call("es_gcd", *self._only(node, 2, 2), self.site(node, "the number does not fit a word"))

    def _call_min(self, node: ast.Call) -> ast.expr:
        return self._extreme(node, "es_least")

    def _call_max(self, node: ast.Call) -> ast.expr:
        return self._extreme(node, "es_largest")

    def _extreme(self, node: ast.Call, operation: str) -> ast.expr:
        if len(node.args) < 2:
            return self.folded(node, operation)
        result, *others = self._only(node, 2, 99)
        for other in others:
            result = call(operation, result, other)
        return result

    def _call_sum(self, node: ast.Call) -> ast.expr:
        return self.folded(node, "es_add")

    def _call_any(self, node: ast.Call) -> ast.expr:
        return self.folded(node, "any")

    def _call_all(self, node: ast.Call) -> ast.expr:
        return self.folded(node, "all")


_BUILT_IN = {
    **{name.removeprefix("_call_"): getattr(builtins, name.removeprefix("_call_"), None) for name in dir(Rewriter)},
    "gcd": math.gcd,
}
"""Functions of Python that have a method `_call_NAME` above, by name."""


def _digits(value: int) -> str:
    return str(value) if abs(value) < 10**40 else f"of {value.bit_length()} bits"


def _kind(node: ast.AST) -> str:
    """A node's kind as people call it."""
    names = {
        "Raise": "`raise`",
        "Try": "`try`",
        "With": "`with`",
        "Dict": "a dictionary",
        "Set": "a set",
        "Lambda": "a lambda",
        "FunctionDef": "a function inside a function",
        "NamedExpr": "`:=`",
        "JoinedStr": "a text",
        "ListComp": "a list made by a loop",
        "DictComp": "a dictionary",
        "SetComp": "a set",
        "GeneratorExp": "a generator here",
        "Delete": "`del`",
        "Global": "`global`",
        "Starred": "a starred item",
        "YieldFrom": "`yield from` here",
        "Import": "`import` inside a function",
        "ImportFrom": "`import` inside a function",
    }
    return names.get(type(node).__name__, type(node).__name__)
