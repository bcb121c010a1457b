"""Moves and players' shares, written to memory in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import NOTHING, Row, Unsuited, Value, data_depth, fixed_value, is_whole, whole
from endsight.compiler.lowering.operations.data import read_data, words_of
from endsight.compiler.lowering.operations.memory import place_of
from endsight.game.numbers import count_text

_MOST = 1 << 40
"""Amounts of that size: kernels add up millions of them, and have larger numbers for "no value yet"."""


def _plain_items(value: Value, what: str) -> tuple[Value, ...]:
    """The items of a tuple of whole numbers."""
    if not isinstance(value.kind, Row) or data_depth(value.kind) or not all(map(is_whole, value.kind.items)):
        raise Unsuited(f"{what} is neither a whole number nor a tuple of whole numbers, but a {value.kind.name}")
    items: tuple[Value, ...] = value.part
    return items


def _write(to: Emitter, memory: Value, index: Any, items: Sequence[Value]) -> None:
    for number, item in enumerate(items):
        to.builder.store(to.word(item), place_of(to, memory, to.builder.add(index, constant(number))))


def es_write_move(to: Emitter, memory: Value, index: Value, move: Value) -> Value:
    """Write a move's words from `memory[index]` on."""
    _write(to, memory, to.word(index), words_of(move))
    return Value(NOTHING)


def es_width(to: Emitter, move: Value) -> Value:
    """The number of words of a move, 0 for a plain number."""
    return whole(constant(len(words_of(move)) if isinstance(move.kind, Row) else 0))


def es_write_share(to: Emitter, memory: Value, index: Value, share: Value, players: Value, site: Value) -> Value:
    """Write a payoff or reward from `memory[index]` on; a single number fills the first word.

    The result says whether it is a tuple with one entry per player.
    """
    count, at = fixed_value(players), to.word(index)
    assert isinstance(count, int)
    if is_whole(share.kind):
        _check(to, to.word(share), site.part)
        _write(to, memory, at, (share,))
        return whole(constant(0))
    if data_depth(share.kind) == 1:
        _write_list(to, memory, at, share, count, site.part)
        return whole(constant(1))
    items = _plain_items(share, "a payoff or reward")
    if len(items) != count:
        raise Unsuited(f"a payoff or reward has {count_text(len(items), 'entry')} for {count_text(count, 'player')}")
    for item in items:
        _check(to, to.word(item), site.part)
    _write(to, memory, at, items)
    return whole(constant(1))


def _check(to: Emitter, amount: Any, site: Any) -> None:
    """Leave amounts beyond `_MOST` to Python's own whole numbers."""
    from_least = to.builder.add(amount, constant(_MOST))
    to.fault_if(to.builder.icmp_unsigned(">", from_least, constant(2 * _MOST)), site)


def _write_list(to: Emitter, memory: Value, index: Any, share: Value, count: int, site: Any) -> None:
    """Write a list of the rules' data, which must have `count` items."""
    at = share.part[0].part
    fits = to.builder.icmp_signed("==", read_data(to, at), constant(count))
    to.fault_if(to.builder.not_(fits), site)
    for number in range(count):
        place = to.builder.select(fits, to.builder.add(at, constant(1 + number)), constant(0))
        target = place_of(to, memory, to.builder.add(index, constant(number)))
        amount = read_data(to, place)
        _check(to, amount, site)
        to.builder.store(amount, target)
