"""Moves and players' shares, written to memory in words."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from endsight.compiler.primitives.data import data_depth, read_data
from endsight.compiler.primitives.memory import place_of
from endsight.compiler.primitives.words import constant, fault_if, is_whole


@intrinsic
def es_write_move(typing: Any, pointer: Any, index: Any, move: Any) -> Any:
    """Write a move's words from `pointer[index]` on."""
    if is_whole(move):

        def one(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
            builder.store(parts[2], place_of(context, builder, pointer, parts))
            return context.get_dummy_value()

        return types.void(pointer, types.int64, types.int64), one
    if not isinstance(move, types.BaseTuple) or not all(map(is_whole, move.types)):
        return None
    return types.void(pointer, types.int64, move), _write_tuple


def _write_tuple(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
    pointer, _, items = signature.args[:3]
    for number, (item, kind) in enumerate(zip(cgutils.unpack_tuple(builder, parts[2]), items.types, strict=True)):
        place = place_of(context, builder, pointer, (parts[0], builder.add(parts[1], constant(number))))
        builder.store(context.cast(builder, item, kind, types.int64), place)
    return context.get_dummy_value()


@intrinsic
def es_width(typing: Any, move: Any) -> Any:
    """How many words a move has, 0 for a plain number."""
    width = len(move) if isinstance(move, types.BaseTuple) else 0
    return types.int64(move), lambda _c, _b, _s, _p: constant(width)


@intrinsic(prefer_literal=True)
def es_write_share(typing: Any, pointer: Any, index: Any, share: Any, players: Any, site: Any) -> Any:
    """Write a payoff or reward from `pointer[index]` on; a single number fills the first word.

    The result says whether it is a tuple with one entry per player.
    """
    count = players.literal_value
    site, share = types.unliteral(site), types.unliteral(share)
    if is_whole(share):

        def one(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
            builder.store(parts[2], place_of(context, builder, pointer, parts))
            return constant(0)

        return types.int64(pointer, types.int64, types.int64, players, site), one
    if data_depth(share) == 1:

        def listed(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
            at = builder.extract_value(parts[2], 0)
            fits = builder.icmp_signed("==", read_data(builder, at), constant(count))
            fault_if(builder, builder.not_(fits), parts[4])
            for number in range(count):
                place = builder.select(fits, builder.add(at, constant(1 + number)), constant(0))
                target = (parts[0], builder.add(parts[1], constant(number)))
                builder.store(read_data(builder, place), place_of(context, builder, pointer, target))
            return constant(1)

        return types.int64(pointer, types.int64, share, players, site), listed
    if not isinstance(share, types.BaseTuple) or len(share) != count or not all(map(is_whole, share.types)):
        return None

    def several(context: Any, builder: Any, signature: Any, parts: Any) -> Any:
        _write_tuple(context, builder, signature, parts)
        return constant(1)

    return types.int64(pointer, types.int64, share, players, site), several
