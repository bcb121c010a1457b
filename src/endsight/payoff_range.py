"""Between which ends all payoffs of a game lie, read off its rules without playing.

The expressions that `payoff` returns are worked out as ranges: of constants, of numbers
that the game holds, and of fields of the state, which lie between 0 and their limit. Where
that does not succeed nothing is claimed. Such ends are true of every position, however
little of the game has been looked at: a mean over chance, and the best of several moves,
lie within the ends of what they are taken from.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Any, TypeAlias

from endsight.errors import EndsightError
from endsight.game import Game, alternates
from endsight.numbers import Number, is_exact
from endsight.question import Question

__all__ = ["Range", "constant_sum", "payoff_ranges"]


@dataclass(frozen=True)
class Range:
    """All numbers from `low` to `high`."""

    low: Number
    high: Number

    def joined(self, other: Range) -> Range:
        """The least range that holds both."""
        return Range(min(self.low, other.low), max(self.high, other.high))


_Share: TypeAlias = Range | tuple[Range, ...]
_ZERO = Range(0, 0)
_ONE = Range(0, 1)


class _Unknown(Exception):
    """An expression whose range is not worked out."""


def payoff_ranges(game: Game, question: Question) -> tuple[Range, ...] | None:
    """Per player, the ends between which every value under `question` lies; None where nothing is proven.

    Values count the whole game, in units of the question's utility. Endless play, which
    pays nothing, is within the ends too.
    """
    if question.utility == "win":
        return (_ONE,) * game.player_count
    if game.gives("reward"):
        return None
    try:
        rows = [_per_player(game, share) for share in _Reader(game).shares()]
    except _Unknown:
        return None
    return tuple(_utility(rows, player, question) for player in range(game.player_count)) if rows else None


def constant_sum(game: Game, question: Question) -> Number | None:
    """What two players' values add up to whatever happens; None where that is not proven."""
    if game.player_count != 2:
        return None
    if question.utility == "win":
        return 1
    if question.utility == "lead":
        return 0
    if game.gives("reward"):
        return None
    try:
        shares = _Reader(game).shares()
    except _Unknown:
        return None
    return 0 if shares and all(_is_opposed(game, share) for share in shares) else None


def _is_opposed(game: Game, share: _Share) -> bool:
    if isinstance(share, tuple):
        return all(ends.low == ends.high for ends in share) and sum(ends.low for ends in share) == 0
    return alternates(game) or share == _ZERO


def _per_player(game: Game, share: _Share) -> list[list[Range]]:
    """What each player may get with that share, one list for each seat of the player who would move."""
    if isinstance(share, tuple):
        if len(share) != game.player_count:
            raise _Unknown
        return [list(share)]
    if game.player_count == 1:
        return [[share]]
    if alternates(game) or share == _ZERO:
        turned = Range(-share.high, -share.low)
        return [[share, turned, *[_ZERO] * (game.player_count - 2)], [turned, share]]
    raise _Unknown


def _utility(rows: Sequence[list[list[Range]]], player: int, question: Question) -> Range:
    found = _ZERO
    for seats in rows:
        for shares in seats:
            if len(shares) > player:
                found = found.joined(_lead(shares, player) if question.utility == "lead" else shares[player])
    return found


def _lead(shares: list[Range], player: int) -> Range:
    """How far that player may be ahead of the best other."""
    own, others = shares[player], shares[:player] + shares[player + 1 :]
    return Range(own.low - max(other.high for other in others), own.high - max(other.low for other in others))


class _Reader:
    """The text of a game's `payoff`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.function = type(game).payoff
        try:
            tree = ast.parse(dedent(inspect.getsource(self.function)))
        except (OSError, TypeError, SyntaxError):
            raise _Unknown from None
        (definition,) = tree.body
        if not isinstance(definition, ast.FunctionDef) or len(definition.args.args) != 2 or definition.decorator_list:
            raise _Unknown
        self.definition = definition
        self.own, self.state = (argument.arg for argument in definition.args.args)

    def shares(self) -> list[_Share]:
        """The range of every `return`."""
        return [self._share(value) for value in self._returned()]

    def _returned(self) -> Iterator[ast.expr]:
        for node in ast.walk(self.definition):
            if isinstance(node, ast.Lambda | ast.Yield) or (
                isinstance(node, ast.FunctionDef) and node is not self.definition
            ):
                raise _Unknown
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in (self.own, self.state):
                raise _Unknown
            if isinstance(node, ast.Return):
                if node.value is None:
                    raise _Unknown
                yield from _branches(node.value)

    def _share(self, value: ast.expr) -> _Share:
        return tuple(map(self._range, value.elts)) if isinstance(value, ast.Tuple) else self._range(value)

    def _range(self, value: ast.expr) -> Range:
        if isinstance(value, ast.IfExp):
            return self._range(value.body).joined(self._range(value.orelse))
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            inner = self._range(value.operand)
            return Range(-inner.high, -inner.low)
        if isinstance(value, ast.BinOp):
            return _calculated(value.op, self._range(value.left), self._range(value.right))
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
            return self._named(value.value.id, value.attr)
        number = value.value if isinstance(value, ast.Constant) else self._global(value)
        return _constant(number)

    def _global(self, value: ast.expr) -> Any:
        is_local = isinstance(value, ast.Name) and value.id in self.function.__code__.co_varnames
        if not isinstance(value, ast.Name) or is_local:
            raise _Unknown
        return self.function.__globals__.get(value.id)

    def _named(self, owner: str, name: str) -> Range:
        """A number of the game, or a field of the state."""
        if owner == self.own:
            return _constant(getattr(self.game, name, None))
        if owner != self.state or not self.game.gives("limits"):
            raise _Unknown
        try:
            most = getattr(self.game.limits(), name, None)
        except EndsightError:
            raise _Unknown from None
        return _constant(most).joined(_ZERO)


def _branches(value: ast.expr) -> Iterator[ast.expr]:
    """The expressions of which one is the value."""
    if isinstance(value, ast.IfExp):
        yield from _branches(value.body)
        yield from _branches(value.orelse)
    else:
        yield value


def _calculated(operator: ast.operator, left: Range, right: Range) -> Range:
    if isinstance(operator, ast.Add):
        return Range(left.low + right.low, left.high + right.high)
    if isinstance(operator, ast.Sub):
        return Range(left.low - right.high, left.high - right.low)
    if isinstance(operator, ast.Mult):
        corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        return Range(min(corners), max(corners))
    raise _Unknown


def _constant(number: Any) -> Range:
    if not is_exact(number):
        raise _Unknown
    return Range(number, number)
