"""What the rules prove about all payoffs of a game, without playing: bounds, and whether they are opposed.

Only numbers that stand in the text are proven: constants, on every way out of `payoff` and of the methods of the game
that it calls, and sums of them. The function read is the one that Python calls for this game, and its text is compared
with its code (`sources.definition_of`). Attributes, fields of the state and global names may hold something else by the
time a payoff is asked for, so nothing is proven of them.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import TypeAlias

from endsight.compiler.refusal import CannotCompile
from endsight.compiler.sources import definition_of, method_of
from endsight.compiler.syntax import names_bound, own_nodes
from endsight.game import Game
from endsight.game.numbers import Interval, Number, as_interval, is_exact, simplest
from endsight.game.question import Question
from endsight.game.results import alternates, endless_share

Bounds: TypeAlias = tuple[Number, Number]
"""The least and the largest value that something can have."""


class _Opposites:
    """Some number for the first of two players, and its opposite for the second."""


_Share: TypeAlias = "Interval | tuple[Interval, ...] | _Opposites"
_OPPOSITES = _Opposites()
_ZERO = as_interval(0)
_GENERATES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class _Unknown(CannotCompile):
    """An expression about which nothing is proven."""

    def __init__(self) -> None:
        super().__init__("nothing is proven of what the rules give there")


def payoff_bounds(game: Game, question: Question) -> tuple[Bounds, ...] | None:
    """Per player, the bounds of every value under `question`; None if nothing is proven.

    Values count the whole game, in units of the question's utility. Endless play lies within the bounds too, and
    so does 0, towards which rules may discount.
    """
    if question.utility == "win":
        return ((0, 1),) * game.player_count
    shares = None if game.gives("reward") else _paid(game, "payoff")
    if shares is None or _OPPOSITES in shares:
        return None
    rows = [row for share in shares for row in _per_player(game, share)]
    if question.utility == "lead":
        rows = [tuple(_lead(row, player) for player in range(len(row))) for row in rows]
    columns = [_around([_ZERO, *column]) for column in zip(*rows, strict=True)]
    return tuple((simplest(column.lower), simplest(column.upper)) for column in columns)


def constant_sum(game: Game, question: Question) -> Number | None:
    """The sum of two players' values, whatever happens; None if that is not proven."""
    if game.player_count != 2:
        return None
    if question.utility == "win":
        return 1
    if question.utility == "lead":
        return 0
    shares = _paid(game, *("payoff", "reward")[: 1 + game.gives("reward")])
    return 0 if shares is not None and all(_is_opposed(game, share) for share in shares) else None


def is_only_won_drawn_or_lost(game: Game) -> bool:
    """Whether every payoff is proven to be 1, 0 or -1 for one of two players, and the opposite for the other."""
    if constant_sum(game, Question()) is None:
        return False
    bounds = payoff_bounds(game, Question())
    return bounds is not None and all(low in (-1, 0) and high in (0, 1) for low, high in bounds)


def are_numbers(game: Game, rule: str) -> bool:
    """Whether `payoff` or `reward` is proven to return single numbers, and no tuples."""
    try:
        return all(isinstance(share, Interval) for share in _PayoffReader(game).returned(rule))
    except CannotCompile:
        return False


def _paid(game: Game, *rules: str) -> list[_Share] | None:
    """What the rules of these names can return, and what endless play pays; None if that is not proven."""
    try:
        shares = [share for rule in rules for share in _PayoffReader(game).returned(rule)]
        for share in shares:
            _per_player(game, share)
    except CannotCompile:
        return None
    return [*shares, tuple(as_interval(amount) for amount in endless_share(game))]


def _is_opposed(game: Game, share: _Share) -> bool:
    if share is _OPPOSITES:
        return True
    if isinstance(share, tuple):
        return all(each.lower == each.upper for each in share) and sum(each.lower for each in share) == 0
    return alternates(game) or share == _ZERO


def _per_player(game: Game, share: _Share) -> list[tuple[Interval, ...]]:
    """What each player may get with that share, one row for each seat of the player who would move.

    No rows for opposites, whose range is not known; raises `_Unknown` for a form that the game must not give.
    """
    if isinstance(share, _Opposites):
        if game.player_count != 2:
            raise _Unknown
        return []
    if isinstance(share, tuple):
        if len(share) != game.player_count:
            raise _Unknown
        return [share]
    if game.player_count == 1:
        return [(share,)]
    if share == _ZERO:
        return [(_ZERO,) * game.player_count]
    if alternates(game):
        return [(share, -share), (-share, share)]
    raise _Unknown


def _around(ranges: Sequence[Interval]) -> Interval:
    return Interval(min(each.lower for each in ranges), max(each.upper for each in ranges))


def _lead(shares: tuple[Interval, ...], player: int) -> Interval:
    """How far that player may be ahead of the best other player."""
    own, others = shares[player], shares[:player] + shares[player + 1 :]
    return Interval(own.lower - max(other.upper for other in others), own.upper - max(other.lower for other in others))


class _PayoffReader:
    """The text of `payoff` and of the methods that it calls."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.open: set[str] = set()

    def returned(self, name: str) -> list[_Share]:
        """All that the method can return; raises `_Unknown` or `CannotCompile` if that is not proven."""
        function = method_of(self.game, name)
        if name in self.open or not isinstance(function, FunctionType) or function.__code__.co_flags & _GENERATES:
            raise _Unknown
        definition = definition_of(function)
        if definition.decorator_list or definition.args.posonlyargs or not definition.args.args:
            raise _Unknown
        self.open.add(name)
        scope = _Scope(definition)
        shares = [share for value in scope.results() for share in self._shares(scope, value)]
        self.open.discard(name)
        if not shares:
            raise _Unknown
        return shares

    def _shares(self, scope: _Scope, value: ast.expr) -> Iterator[_Share]:
        if isinstance(value, ast.IfExp):
            yield from self._shares(scope, value.body)
            yield from self._shares(scope, value.orelse)
        elif isinstance(value, ast.Tuple) and _are_opposites(value.elts):
            yield _OPPOSITES
        elif isinstance(value, ast.Tuple):
            yield tuple(self._range(scope, entry) for entry in value.elts)
        elif isinstance(value, ast.Name):
            for assigned in scope.assigned(value.id):
                yield from self._shares(scope.without(value.id), assigned)
        elif isinstance(value, ast.Call):
            yield from self.returned(scope.own_method(value))
        else:
            yield self._range(scope, value)

    def _range(self, scope: _Scope, value: ast.expr) -> Interval:
        if isinstance(value, ast.Constant) and is_exact(value.value):
            return as_interval(value.value)
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            return -self._range(scope, value.operand)
        if isinstance(value, ast.BinOp):
            return _calculated(value.op, self._range(scope, value.left), self._range(scope, value.right))
        if not isinstance(value, ast.IfExp | ast.Name | ast.Call):
            raise _Unknown
        shares = list(self._shares(scope, value))
        ranges = [share for share in shares if isinstance(share, Interval)]
        if len(ranges) < len(shares):
            raise _Unknown
        return _around(ranges)


class _Scope:
    """The names inside one method."""

    def __init__(self, definition: ast.FunctionDef, unnamed: frozenset[str] = frozenset()) -> None:
        self.definition = definition
        self.own = definition.args.args[0].arg
        self.unnamed = unnamed
        self.nodes = own_nodes(definition)

    def without(self, name: str) -> _Scope:
        """The same where `name` stands for nothing, so that no name is explained by itself."""
        return _Scope(self.definition, self.unnamed | {name})

    def results(self) -> list[ast.expr]:
        """The expressions of all `return`s."""
        found = [node.value for node in self.nodes if isinstance(node, ast.Return)]
        if None in found:
            raise _Unknown
        return [value for value in found if value is not None]

    def assigned(self, name: str) -> list[ast.expr]:
        """Everything that is assigned to a local name."""
        arguments = {argument.arg for argument in ast.walk(self.definition) if isinstance(argument, ast.arg)}
        if name in self.unnamed or name in arguments:
            raise _Unknown
        values = [value for node in self.nodes for value in _assigned(node, name)]
        if not values or len(values) != self._bindings(name):
            raise _Unknown
        return values

    def own_method(self, call: ast.Call) -> str:
        """The name of a method of the game itself."""
        function = call.func
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            raise _Unknown
        # Two leading underscores give it another name inside a class.
        if function.value.id != self.own or self._bindings(self.own) or function.attr.startswith("__"):
            raise _Unknown
        return function.attr

    def _bindings(self, name: str) -> int:
        """How often a name is bound in any way, nested functions and patterns included."""
        nodes = list(ast.walk(self.definition))
        declared = [node.names for node in nodes if isinstance(node, ast.Global | ast.Nonlocal)]
        return sum(name in names for names in [*declared, *map(names_bound, nodes)])


def _assigned(node: ast.AST, name: str) -> Iterator[ast.expr]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        for target in targets:
            if isinstance(target, ast.Name) and target.id == name:
                yield node.value


def _are_opposites(entries: list[ast.expr]) -> bool:
    """Whether a tuple reads `x, -x` or `x - y, y - x` for names that nothing changes in between."""
    match entries:
        case [ast.Name(id=one), ast.UnaryOp(op=ast.USub(), operand=ast.Name(id=other))]:
            return one == other
        case [ast.UnaryOp(op=ast.USub(), operand=ast.Name(id=one)), ast.Name(id=other)]:
            return one == other
        case [
            ast.BinOp(left=ast.Name(id=one), op=ast.Sub(), right=ast.Name(id=two)),
            ast.BinOp(left=ast.Name(id=three), op=ast.Sub(), right=ast.Name(id=four)),
        ]:
            return (one, two) == (four, three)
    return False


def _calculated(operator: ast.operator, left: Interval, right: Interval) -> Interval:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        corners = [a * b for a in (left.lower, left.upper) for b in (right.lower, right.upper)]
        return Interval(min(corners), max(corners))
    raise _Unknown
