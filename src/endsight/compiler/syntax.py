"""Shorthands for reading and making syntax trees."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from threading import RLock
from typing import Any

COMPARED: dict[type, tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
"""How comparisons of numbers are written, and their meaning."""
CALCULATED: dict[type, tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("add", operator.add),
    ast.Sub: ("subtract", operator.sub),
    ast.Mult: ("multiply", operator.mul),
    ast.FloorDiv: ("divide", operator.floordiv),
    ast.Mod: ("rest", operator.mod),
    ast.LShift: ("shift_left", operator.lshift),
    ast.RShift: ("shift_right", operator.rshift),
    ast.Pow: ("power", operator.pow),
    ast.BitAnd: ("and", operator.and_),
    ast.BitOr: ("or", operator.or_),
    ast.BitXor: ("xor", operator.xor),
}
"""Operators on two numbers, by their names in the core."""
CHANGED: dict[type, tuple[str, Callable[[Any], Any]]] = {
    ast.USub: ("negate", operator.neg),
    ast.UAdd: ("whole", operator.pos),
    ast.Invert: ("invert", operator.invert),
}
"""The same for one number."""

_TRIES = 5
_one_at_a_time = RLock()


def parsed(text: str) -> ast.Module:
    """The syntax tree of the text of a file; raises `SyntaxError`.

    Before Python 3.13 all threads share one count of how deep such a tree is, and a thread that parses at the same time
    as another may end in a `SystemError`. Other code may parse, too, so a failed attempt is repeated.
    """
    for _ in range(_TRIES - 1):
        try:
            with _one_at_a_time:
                return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)


def name(identifier: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(identifier, ast.Load())


def constant(value: Any) -> ast.expr:
    """A known object of any kind."""
    return ast.Constant(value)


def call(function: str, *arguments: ast.expr) -> ast.Call:
    """A call with positional arguments."""
    return ast.Call(name(function), list(arguments), [])


def assign(identifier: str, value: ast.expr) -> ast.Assign:
    """`identifier = value`."""
    return ast.Assign([ast.Name(identifier, ast.Store())], value)


def nodes_of(node: ast.AST) -> list[ast.AST]:
    """A node and all nodes inside it, like `ast.walk` but without `Load` and `Store`; in half the time."""
    found = [node]
    for each in found:
        found += parts_of(each)
    return found


def names_bound(node: ast.AST) -> list[str]:
    """Names that a node gives a value or takes it away, not counting those inside it."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    # Patterns, imports, handlers and definitions hold their names as plain text.
    found = [getattr(node, "asname", None) or getattr(node, "name", None), getattr(node, "rest", None)]
    return [each for each in found if isinstance(each, str)]


def parts_of(node: ast.AST) -> list[ast.AST]:
    """The nodes directly inside a node, without `Load` and `Store`."""
    found: list[ast.AST] = []
    held = node.__dict__
    for field in node._fields:
        value = held.get(field)
        if type(value) is list:
            found += [part for part in value if isinstance(part, ast.AST)]
        elif isinstance(value, ast.AST) and field != "ctx":
            found.append(value)
    return found


def all_reached(first: Iterable[str], further: Callable[[str], Iterable[str]]) -> set[str]:
    """Those names, all to which they lead, and so on."""
    found, waiting = set(first), list(first)
    while waiting:
        new = set(further(waiting.pop())) - found
        found |= new
        waiting += sorted(new)
    return found


def own_nodes(definition: ast.FunctionDef) -> list[ast.AST]:
    """The nodes in the body of a function, without those inside functions and classes in it."""
    found: list[ast.AST] = list(definition.body)
    for each in found:
        found += [] if isinstance(each, INNER) else parts_of(each)
    return found


def copied(value: Any, instead: dict[ast.AST, ast.AST] | None = None) -> Any:
    """A copy of a node that may be changed, with places in the text; in a fourth of the time of `copy.deepcopy`.

    Nodes that are keys of `instead` become their values.
    """
    if isinstance(value, list):
        return [copied(each, instead) for each in value]
    if instead and isinstance(value, ast.AST) and value in instead:
        return instead[value]
    if not isinstance(value, ast.AST) or isinstance(value, ast.expr_context | ast.operator | ast.unaryop | ast.cmpop):
        return value
    new = type(value).__new__(type(value))
    for name, part in vars(value).items():
        setattr(new, name, copied(part, instead))
    return new


@cache
def _expression(text: str) -> ast.expr:
    expression: ast.expr = parsed(text).body[0].value  # type: ignore[attr-defined]
    return expression


def filled(text: str, place: ast.AST, fresh: Callable[[], str] | None = None, **parts: ast.expr) -> ast.expr:
    """An expression that is written as text, at the place of a node.

    Its names stand for `parts`; those that it assigns become `fresh` ones; all others are Python's own functions.
    """
    expression = _expression(text)
    own = {each.id for each in nodes_of(expression) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    names = {name: fresh() for name in sorted(own)} if fresh is not None else {}

    def copy(value: Any) -> Any:
        if isinstance(value, list):
            return [copy(each) for each in value]
        if not isinstance(value, ast.expr | ast.comprehension):
            return value
        if isinstance(value, ast.Name) and value.id in parts:
            return parts[value.id]
        new = type(value)(**{field: copy(part) for field, part in ast.iter_fields(value)})
        if isinstance(value, ast.Name):
            new = ast.Name(names[value.id], value.ctx) if value.id in names else constant(getattr(builtins, value.id))
        return ast.copy_location(new, place)

    made: ast.expr = copy(expression)
    return made


def has_jump(statements: list[ast.stmt], kinds: tuple[type, ...] = (ast.Break, ast.Continue)) -> bool:
    """Whether `break` or `continue` of this loop occurs (those of inner loops do not count)."""
    for statement in statements:
        if isinstance(statement, kinds):
            return True
        parts = ("orelse",) if isinstance(statement, ast.For | ast.While) else ("body", "orelse")
        if any(has_jump(getattr(statement, part, []), kinds) for part in parts):
            return True
        if isinstance(statement, ast.Match) and any(has_jump(case.body, kinds) for case in statement.cases):
            return True
    return False


def items_set(inside: list[ast.AST]) -> set[str]:
    """Names of lists and dictionaries whose items are set or deleted, or items of lists in them."""
    items = [each for each in inside if isinstance(each, ast.Subscript) and not isinstance(each.ctx, ast.Load)]
    lists = [each.value.value if isinstance(each.value, ast.Subscript) else each.value for each in items]
    return {each.id for each in lists if isinstance(each, ast.Name)}


def grown(inside: list[ast.AST]) -> set[str]:
    """Names of lists that grow or shrink."""
    return {
        each.func.value.id
        for each in inside
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and isinstance(each.func.value, ast.Name)
        if each.func.attr in _GROWING
    }


_GROWING = {
    *("append", "extend", "pop", "insert", "remove", "clear", "sort", "reverse"),
    *("add", "discard", "update", "setdefault"),
}

INNER = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ONCE = (ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.NamedExpr)
_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp)


def names_given_once(definition: ast.FunctionDef) -> list[ast.NamedExpr]:
    """Those `:=` in a function that give their name its value where Python does, and nothing else reads another one.

    The place is evaluated once, and in Python's order. If the name has other values, too, nothing else in the
    statement, and no inner function, mentions it: what was read before is evaluated only where it is used.
    """
    nodes = nodes_of(definition)
    names = [each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    names += [each.arg for each in nodes if isinstance(each, ast.arg)]
    inner = [each for each in nodes if isinstance(each, INNER) and each is not definition]
    inside = [part for each in inner for part in nodes_of(each)]
    found = []
    for statement in nodes:
        if not isinstance(statement, ast.stmt) or statement is definition:
            continue
        header = _header(statement)
        for each in _worked_out_once(statement):
            own = {id(part) for part in nodes_of(each)}
            others = {part.id for part in (*header, *inside) if isinstance(part, ast.Name) and id(part) not in own}
            if names.count(each.target.id) == 1 or each.target.id not in others:
                found.append(each)
    return found


def pops_in(node: ast.AST, *, is_sure: bool = True) -> Iterator[tuple[str, ast.Call | None]]:
    """The names that an expression reads, in Python's order, and calls of `name.pop` that are reached in any case."""
    inside, later = parts_of(node), list[ast.AST]()
    match node:
        case ast.Name():
            yield node.id, None
        case ast.BoolOp() | ast.IfExp():
            inside, later = inside[:1], inside[1:]
        case ast.Compare():
            inside, later = [node.left, node.comparators[0]], [*node.comparators[1:]]
        case ast.Call(ast.Attribute(ast.Name(name), "pop")) if is_sure:
            for each in (*node.args, *node.keywords):
                yield from pops_in(each)
            yield name, node
            return
        case ast.Dict() | ast.NamedExpr() | ast.SetComp() | ast.DictComp():
            inside, later = [], inside
    if isinstance(node, (*INNER, *_COMPREHENSIONS)):
        inside, later = [], inside
    for each in inside:
        yield from pops_in(each, is_sure=is_sure)
    for each in later:
        yield from pops_in(each, is_sure=False)


def _header(statement: ast.stmt) -> list[ast.AST]:
    """The parts of a statement without the statements inside it."""
    found: list[ast.AST] = [statement]
    for node in found:
        found += [part for part in parts_of(node) if not isinstance(part, ast.stmt)]
    return found


def _worked_out_once(node: ast.AST) -> list[ast.NamedExpr]:
    """Those `:=` in a statement whose place is evaluated once, and in Python's order.

    Arguments, parts of tuples and lists, indices, and what a loop iterates over are visited more than once during
    translation.
    """
    found = [node] if isinstance(node, ast.NamedExpr) else []
    for field in node._fields:
        if isinstance(node, ast.For | ast.comprehension) and field == "iter":
            continue
        value = getattr(node, field, None)
        for part in value if isinstance(value, list) else (value,):
            is_once = isinstance(part, (*_ONCE, *_COMPREHENSIONS, ast.comprehension))
            if isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Name):
                is_once = False
            if is_once and isinstance(part, ast.AST):
                found += _worked_out_once(part)
            elif isinstance(part, ast.Call) and len(part.args) == 1 and isinstance(part.args[0], _COMPREHENSIONS):
                found += _worked_out_once(part.args[0])
    return found


def fits(number: int) -> bool:
    """Whether a whole number is one of 64 bits with a sign."""
    return -(1 << 63) <= number < 1 << 63
