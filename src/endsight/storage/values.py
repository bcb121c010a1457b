"""A solved source as rows, and its values as columns: the smallest of the forms in `layout` that holds all exactly.

Rows come from the state graph, or straight from the compiled engine's arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from endsight.answers.enclosed import NodeBounds
from endsight.answers.source import StateTable, TableForm
from endsight.compiler.kernels.core import UNSET, VALUES
from endsight.compiler.packing import Packing
from endsight.engine.solved import KeyedTable, NumberTable, VectorTable
from endsight.errors import RulesError
from endsight.errors.rules_guard import brief
from endsight.game import Game
from endsight.game.codec import Codec
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, as_interval, is_enclosed, simplest
from endsight.game.position import Position
from endsight.graph.graph import Graph
from endsight.graph.graph_table import GraphTable
from endsight.graph.objective import TrackedNode, View
from endsight.layers.rounds import LayerTable, SolvedLayer
from endsight.storage.best_moves import best_of_numbers, best_of_vectors, proven_best
from endsight.storage.keys import Key, KeyCodec, columns_of, order_for, packed_words, packing_of, sample_of, words_of
from endsight.storage.layout import Layout, ValueForm, text_of
from endsight.storage.parts import Column, PartRows, in_order, is_dense, smallest, sorted_words

Words = npt.NDArray[np.uint64]
_Moves = Mapping[str, npt.NDArray[np.int64] | None]

WIN_LOSS_OUTCOMES = (("1", "-1"), ("0", "0"), ("-1", "1"))
"""The payoffs of a win, a draw and a loss to the mover and to the other player."""

_CHUNK, _LISTING, _NUMBERING = 1 << 14, "listing rows", "numbering rows"
_SORTING = "sorting rows"
_BEFORE_ORDER, _BEFORE_KEYS, _BEFORE_SORT = ((tenths, 10) for tenths in (5, 6, 7))
"""The usual progress before each step of ordering the rows."""


def layout_of(
    view: View,
    packing: Packing | None,
    values: Encoded,
    *,
    by_mover: bool,
    rounds: bool = False,
    exchanges: bool = False,
) -> Layout:
    """The layout of values of nodes as `view` names them; `packing` turns them into words, None for text."""
    return Layout(
        keys="text" if packing is None else "packed",
        words=0 if packing is None else packing.words,
        fields=() if packing is None else packing.names,
        limits=() if packing is None else packing.limits,
        merges=view.canonical is not None,
        has_mover=view.tracks,
        has_totals=view.tracks_totals,
        viewpoint="mover" if by_mover else "players",
        entries=view.players,
        sum=values.sum,
        values=values.form,
        unit=values.unit,
        outcomes=values.outcomes,
        most=values.most,
        has_distances="distance" in values.columns,
        has_best="best" in values.columns,
        has_forced="forced" in values.columns,
        rounds=rounds,
        exchanges=exchanges,
    )


# -------------------------------------------------------------------- dense numbering


def _dense_keys(game: Game, layout: Layout, nodes: Iterable[Any]) -> list[Key] | None:
    """Ranks of all nodes where the rules number states densely; None where they do not."""
    if layout.has_totals or not (game.gives("rank") and game.gives("unrank")):
        return None
    # Where the rules define canonical states, ranks number those.
    if game.gives("canonical") and not layout.merges:
        return None
    keys = KeyCodec(game, _as_dense(layout))
    ranks: list[Key] = []
    odd = None
    for node in nodes:
        ranks.append(keys.dense(*(node[:2] if layout.has_mover else (node, 0))))
        odd = node if odd is None and not keys.are_for(ranks[-1], node) else odd
    if odd is not None and is_dense(ranks) and len({*ranks}) == len(ranks):
        raise RulesError(
            f"{game.title()}: unrank gives another state than the one whose rank it is handed",
            found=f"{brief(odd)}",
            advice="unrank(rank(state)) must return the same state",
        )
    return ranks if is_dense(ranks) else None


def _as_dense(layout: Layout) -> Layout:
    return replace(layout, keys="dense", words=0, fields=(), limits=())


# -------------------------------------------------------------------- forms of tables


def graph_rows(table: GraphTable, _: Position, budget: Budget, *, best: bool) -> PartRows:
    """All rows of a solved graph; with `best` a column of best moves.

    Raises `RulesError` for states that are not whole numbers, and for a `rank` that is not unique.
    """
    view, graph, rows = table.view, table.graph, table.rows
    values = encoded(rows.values, rows.distances, (simplest(Fraction(graph.total, 2)),) * graph.players)
    if best:
        values.columns["best"] = _move_numbers(graph, rows.choices)
    if rows.forced:
        values.columns["forced"] = _move_numbers(graph, [rows.forced.get(node, -1) for node in range(len(graph))])
    packing = packing_of(view.game, has_mover=view.tracks, has_totals=view.tracks_totals)
    layout = layout_of(view, packing, values, by_mover=graph.alternating)
    keys = KeyCodec(view.game, layout)
    if layout.keys == "packed":
        return _packed_or_dense(view.game, layout, _words(keys, graph.keys, budget), values.columns, budget)
    return in_order(layout, [str(keys.of(node)) for node in graph.keys], values.columns)


def _move_numbers(graph: Graph, edges: Sequence[int]) -> npt.NDArray[Any]:
    """Edges as the number of the move among those of their node, -1 for none."""
    chosen = np.array(edges, np.int64)
    return smallest(np.where(chosen < 0, -1, chosen - np.array(graph.offsets[:-1], np.int64)))


def _words(keys: KeyCodec, nodes: Sequence[Any], budget: Budget) -> tuple[Words, ...]:
    """Packed keys of all nodes, word by word, the highest first."""
    parts = []
    for first in range(0, len(nodes), _CHUNK):
        budget.look(len(nodes), _LISTING, (first, len(nodes)))
        parts.append(keys.words(nodes[first : first + _CHUNK]))
    return tuple(np.concatenate(words) for words in zip(*parts, strict=True))


def number_rows(table: NumberTable, position: Position, budget: Budget, *, best: bool) -> PartRows:
    """All rows of a hash table with one number for every state, solved from `position`."""
    words, taken, codes = _taken(table, budget)
    if table.values is None:
        numbers = codes.astype(np.int64) - (VALUES + table.top)
    else:
        numbers = np.asarray(table.values)[taken].astype(np.int64)
    if table.is_win_loss:
        values = _scores_of(numbers, table.top)
    else:
        total, unit = "0" if table.by_mover else None, str(table.rules.denominator)
        values = Encoded("numbers", {"value_0": smallest(numbers)}, total, unit)
    chosen = best_of_numbers(table, words, numbers, position, budget) if best else None
    return _packed_rows(table, words, values, {"best": chosen}, budget)


def vector_rows(table: VectorTable, position: Position, budget: Budget, *, best: bool) -> PartRows:
    """All rows of a hash table with a value for every player."""
    words, taken, _ = _taken(table, budget)
    players = table.view.players
    vectors = np.asarray(table.values[: table.table.slots * players]).reshape(-1, players)[taken]
    plies = None if table.plies is None else np.asarray(table.plies)[taken]
    chosen = best_of_vectors(table, words, vectors, plies, position, budget) if best else None
    values = whole_shares(vectors, plies, table.goals.unit)
    return _packed_rows(table, words, values, {"best": chosen}, budget)


def bounds_rows(table: NodeBounds, _: Position, budget: Budget, *, best: bool) -> PartRows:
    """All rows of arrays with bounds, and exact values where known."""
    arrays, nodes = table.arrays, table.states
    words = words_of(arrays.keys[:nodes].astype(np.int64))
    exact: list[str | None] = [None] * nodes
    for node, value in table.all_known().items():
        exact[node] = text_of(value)
    values = ends_encoded(table.enclosure.bounds, pa.array(exact, pa.string()), table.total, table.scale)
    edges, best_moves = table.enclosure.kept, proven_best(table) if best else None
    forced = None if edges is None else np.where(edges < 0, -1, edges - arrays.offsets[:-1])
    return _packed_rows(table, words, values, {"best": best_moves, "forced": forced}, budget)


ROWS: Mapping[TableForm, Callable[..., PartRows]] = {
    "graph": graph_rows,
    "numbers": number_rows,
    "vectors": vector_rows,
    "bounds": bounds_rows,
}
"""All rows of a table that was solved from a position, under a budget, by its form."""


def ends_encoded(bounds: npt.NDArray[np.int64], exact: pa.Array, total: Number | None, unit: int) -> Encoded:
    """Lower and upper ends over `unit`, and exact values as texts where known."""
    columns: dict[str, Column] = {"lower_0": bounds[:, 0], "upper_0": bounds[:, 1], "exact_0": exact}
    return Encoded("ends", columns, None if total is None else text_of(total), str(unit))


def layer_rows(table: LayerTable, layer: SolvedLayer) -> PartRows:
    """The rows of one layer."""
    columns = _layer_values(table, layer.bounds + table.shift).columns
    return PartRows(round_layout(table), {"key": layer.keys.astype(np.uint64)} | columns, len(layer.keys))


def round_layout(table: LayerTable) -> Layout:
    """The layout of all layers of a game solved in rounds."""
    values = _layer_values(table, np.zeros((0, 2), np.int64))
    packing, exchanges = table.rules.packing, table.rules.exchanges
    return layout_of(table.view, packing, values, by_mover=False, rounds=True, exchanges=exchanges)


def _layer_values(table: LayerTable, bounds: npt.NDArray[np.int64]) -> Encoded:
    return ends_encoded(bounds, pa.nulls(len(bounds), pa.string()), table.total, table.scale)


# -------------------------------------------------------------------- packed keys


def _packed_rows(
    table: StateTable[Any], words: tuple[Words, ...], values: Encoded, moves: _Moves, budget: Budget
) -> PartRows:
    """Rows by packed keys, with the numbers of best moves and of forced moves, if given."""
    values.columns.update({name: smallest(numbers) for name, numbers in moves.items() if numbers is not None})
    layout = layout_of(table.view, table.rules.packing, values, by_mover=table.by_mover)
    return _packed_or_dense(table.view.game, layout, words, values.columns, budget)


def _packed_or_dense(
    game: Game, layout: Layout, words: tuple[Words, ...], columns: dict[str, Column], budget: Budget
) -> PartRows:
    """Rows by rank where the rules number states densely, else by packed keys in the shortest order of fields."""
    if game.gives("rank"):
        dense = _dense_keys(game, layout, _nodes(game, layout, words, budget))
        if dense is not None:
            return in_order(_as_dense(layout), dense, columns)
    own, states = Packing(layout.fields, layout.limits), len(words[0])
    budget.look(states, _SORTING, _BEFORE_ORDER)
    packing = order_for(own, sample_of(words, states))
    if packing != own:
        layout = replace(layout, fields=packing.names, limits=packing.limits)
        budget.look(states, _SORTING, _BEFORE_KEYS)
        words = packed_words(packing, own, columns_of(own, words))
    budget.look(states, _SORTING, _BEFORE_SORT)
    return sorted_words(layout, words, columns)


def _nodes(game: Game, layout: Layout, words: tuple[Words, ...], budget: Budget) -> Iterable[Any]:
    """The nodes of packed keys, one by one."""
    packing, state_of = Packing(layout.fields, layout.limits), Codec(game).state
    for first in range(0, len(words[0]), _CHUNK):
        budget.look(len(words[0]), _NUMBERING, (first, len(words[0])))
        part = columns_of(packing, tuple(word[first : first + _CHUNK] for word in words))
        for row in zip(*(column.tolist() for column in part), strict=True):
            yield TrackedNode(state_of(row[:-1]), row[-1], ()) if layout.has_mover else state_of(row)


def _taken(table: KeyedTable, budget: Budget) -> tuple[tuple[Words, ...], npt.NDArray[np.int64], Words]:
    """Keys of all solved states word by word, the highest first; their slots, and the codes in them."""
    budget.look(table.states, _SORTING, (0, 10))
    packing = table.rules.packing
    filled = np.asarray(table.table.words[: table.table.slots * packing.words])
    slots = filled.reshape(-1, packing.words).view(np.uint64)
    codes = slots[:, 0] & np.uint64((1 << packing.code_bits) - 1)
    taken = np.flatnonzero((codes != 0) & (codes != UNSET))
    low = slots[taken, 0] >> np.uint64(packing.code_bits)
    return (low,) if packing.words == 1 else (slots[taken, 1].copy(), low), taken, codes[taken]


def _scores_of(numbers: npt.NDArray[np.int64], top: int) -> Encoded:
    """Convert scores that count down from `top` to scores that count down from just above the longest distance."""
    signs = np.sign(numbers)
    most = int((top - np.abs(numbers[signs != 0])).max(initial=0))
    return Encoded(
        "score",
        {"score": smallest(numbers - signs * (top - most - 1))},
        outcomes=WIN_LOSS_OUTCOMES,
        most=most,
    )


_MOST = 1 << 63
Row = tuple[Amount, ...]


@dataclass(frozen=True)
class Encoded:
    """Columns of values, and their description for the layout."""

    form: ValueForm
    columns: dict[str, Any]
    sum: str | None = None
    unit: str = "1"
    outcomes: tuple[tuple[str, ...], ...] = ()
    most: int = 0


def encoded(values: Sequence[Row], distances: Sequence[int | None] | None, draw: tuple[Number, ...]) -> Encoded:
    """Values, with distances where there are any, in the smallest form.

    `draw` is the payoff of a draw.
    """
    if distances is not None:
        scored = scores(values, distances, draw)
        if scored is not None:
            return scored
    total = _sum(values)
    stored = 1 if total is not None else len(values[0])
    columns = [[row[entry] for row in values] for entry in range(stored)]
    made = _ends(columns) or _numbers(columns) or _fractions(columns) or _texts(columns)
    if distances is not None:
        made.columns["distance"] = pa.array(distances, pa.int32())
    return Encoded(made.form, made.columns, None if total is None else text_of(total), made.unit)


def whole_shares(shares: npt.NDArray[Any], plies: npt.NDArray[Any] | None, unit: int) -> Encoded:
    """The same for many whole numbers in units of 1/`unit`: one row per state, one column per player.

    -1 plies mean no distance.
    """
    total = _constant(shares)
    stored = shares.shape[1] if total is None else 1
    made: dict[str, Column] = {f"value_{entry}": smallest(shares[:, entry].astype(np.int64)) for entry in range(stored)}
    if plies is not None:
        made["distance"] = pa.array(plies, pa.int32(), mask=plies < 0)
    sum_text = None if total is None else text_of(simplest(Fraction(total, unit)))
    return Encoded("numbers", made, sum_text, str(unit))


def _constant(shares: npt.NDArray[Any]) -> int | None:
    """The sum of the two entries of every row; None where it differs, or there are not two."""
    if shares.shape[1] != 2 or not len(shares) or max(-int(shares[:, 0].min()), int(shares[:, 0].max())) >= _MOST >> 2:
        return None
    total = int(shares[0, 0]) + int(shares[0, 1])
    is_small = abs(total) < _MOST >> 2
    return total if is_small and bool((shares[:, 1] == total - shares[:, 0].astype(np.int64)).all()) else None


# -------------------------------------------------------------------- won, drawn or lost


def scores(values: Sequence[Row], distances: Sequence[int | None], draw: tuple[Number, ...]) -> Encoded | None:
    """One ordered number for value and distance; None where outcomes are not just win, draw and loss."""
    decided = {row for row, plies in zip(values, distances, strict=True) if plies is not None}
    wins = {row for row in decided if not is_enclosed(row[0]) and row[0] > draw[0]}
    losses = decided - wins
    others = {row for row, plies in zip(values, distances, strict=True) if plies is None}
    if len(wins) > 1 or len(losses) > 1 or not others <= {draw} or draw in wins | losses or len(draw) != 2:
        return None
    win: Any = next(iter(wins), None) or (next(iter(losses))[::-1] if losses else (1, -1))
    loss: Any = next(iter(losses), None) or win[::-1]
    most = max((plies for plies in distances if plies is not None), default=0)
    signed = [
        0 if plies is None else (most + 1 - plies if row in wins else plies - most - 1)
        for row, plies in zip(values, distances, strict=True)
    ]
    outcomes = tuple(tuple(map(text_of, outcome)) for outcome in (win, draw, loss))
    return Encoded("score", {"score": smallest(np.array(signed, np.int64))}, None, "1", outcomes, most)


# -------------------------------------------------------------------- other values


def _sum(values: Sequence[Row]) -> Number | None:
    """The sum of the two entries of every row; None where it differs, or there are not two."""
    if not values or len(values[0]) != 2:
        return None
    total: Number | None = None
    for first, second in values:
        if is_enclosed(first) or is_enclosed(second):
            one, other = as_interval(first), as_interval(second)
            here = one.lower + other.upper
            if here != one.upper + other.lower:
                return None
        else:
            here = Fraction(first + second)
        if total is not None and here != total:
            return None
        total = here
    return None if total is None else simplest(total)


def _numbers(columns: Sequence[Sequence[Any]]) -> Encoded | None:
    unit = 1
    for column in columns:
        for value in column:
            unit = lcm(unit, value.denominator)
            if unit >= _MOST:
                return None
    scaled = [[value.numerator * (unit // value.denominator) for value in column] for column in columns]
    if any(not -_MOST <= number < _MOST for column in scaled for number in column):
        return None
    made: dict[str, Column] = {
        f"value_{entry}": smallest(np.array(column, np.int64)) for entry, column in enumerate(scaled)
    }
    return Encoded("numbers", made, unit=str(unit))


def _fractions(columns: Sequence[Sequence[Any]]) -> Encoded | None:
    if any(not -_MOST <= v.numerator < _MOST or v.denominator >= _MOST for column in columns for v in column):
        return None
    made: dict[str, Column] = {
        f"{part}_{entry}": pa.array([getattr(value, part) for value in column], pa.int64())
        for entry, column in enumerate(columns)
        for part in ("numerator", "denominator")
    }
    return Encoded("fractions", made)


def _texts(columns: Sequence[Sequence[Any]]) -> Encoded:
    texts = {f"value_{entry}": list(map(text_of, column)) for entry, column in enumerate(columns)}
    return Encoded("texts", {name: pa.array(column, pa.string()) for name, column in texts.items()})


def _ends(columns: Sequence[Sequence[Amount]]) -> Encoded | None:
    """Proven ends over a power of two; None where every value is exact."""
    enclosed = [value for column in columns for value in column if is_enclosed(value)]
    if not enclosed:
        return None
    unit = lcm(*(bound.denominator for value in enclosed for bound in (value.lower, value.upper)))
    made: dict[str, Column] = {}
    for entry, column in enumerate(columns):
        intervals = list(map(as_interval, column))
        made[f"lower_{entry}"] = whole_column([floor(interval.lower * unit) for interval in intervals])
        made[f"upper_{entry}"] = whole_column([ceil(interval.upper * unit) for interval in intervals])
        exact = [None if is_enclosed(value) else text_of(value) for value in column]
        made[f"exact_{entry}"] = pa.array(exact, pa.string())
    return Encoded("ends", made, unit=str(unit))


def whole_column(numbers: Sequence[int]) -> pa.Array:
    """Whole numbers as 64-bit ones, or as texts where one is too long."""
    if all(-_MOST <= number < _MOST for number in numbers):
        return pa.array(numbers, pa.int64())
    return pa.array([text_of(number) for number in numbers], pa.string())
