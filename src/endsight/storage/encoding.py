"""A solved source as rows: from the state graph, or straight from the compiled engine's arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from endsight.compiler.packing import Packing
from endsight.compiler.rules import UNSET, VALUES, CompiledRules
from endsight.compiler.solved import Solved, SolvedShares
from endsight.enclosed import EnclosedSource
from endsight.game import Game
from endsight.graph import Graph
from endsight.graph_source import GraphSource
from endsight.limits import Budget
from endsight.position import Position
from endsight.rounds import RoundSource, SolvedLayer
from endsight.storage.best_moves import best_of_shares, best_of_solved, proven_best
from endsight.storage.keys import Key, Keys, packing_of
from endsight.storage.layout import Layout, text_of
from endsight.storage.ordering import columns_of, packed_words, smallest_order
from endsight.storage.rows import Column, Rows, in_order, is_dense, smallest, sorted_words
from endsight.storage.values import Encoded, encoded, whole_shares

__all__ = [
    "WIN_LOSS_OUTCOMES", "bounds_rows", "compiled_layout", "ends_columns", "ends_layout", "graph_rows", "key_rows",
    "layer_rows", "round_layout", "share_rows",
]  # fmt: skip

Words = npt.NDArray[np.uint64]

WIN_LOSS_OUTCOMES = (("1", "-1"), ("0", "0"), ("-1", "1"))
"""What a win, a draw and a loss are to the mover and to the other player."""

_CHUNK = 1 << 16


def _layout(
    packing: Packing | None, values: Encoded, entries: int, *, mover_first: bool, has_mover: bool, **more: bool
) -> Layout:
    return Layout(
        keys="text" if packing is None else "packed",
        words=0 if packing is None else packing.words,
        fields=() if packing is None else packing.names,
        limits=() if packing is None else packing.limits,
        merges=more["merges"],
        has_mover=has_mover,
        has_totals=more.get("has_totals", False),
        viewpoint="mover" if mover_first else "players",
        entries=entries,
        sum=values.sum,
        values=values.form,
        unit=values.unit,
        outcomes=values.outcomes,
        most=values.most,
        has_distances="distance" in values.columns,
        has_best=more.get("has_best", False),
        has_forced=more.get("has_forced", False),
        rounds=more.get("rounds", False),
        exchanges=more.get("exchanges", False),
    )


# -------------------------------------------------------------------- dense numbering


def _dense_keys(game: Game, layout: Layout, nodes: Iterable[Any]) -> list[Key] | None:
    """Ranks of all nodes where the rules number states densely; None where they do not."""
    if layout.has_totals or not (game.gives("rank") and game.gives("unrank")):
        return None
    # Ranks number canonical states where the rules say which those are.
    if game.gives("canonical") and not layout.merges:
        return None
    keys = Keys(game, _as_dense(layout))
    ranks: list[Key] = [keys.dense(*(node[:2] if layout.has_mover else (node, 0))) for node in nodes]
    return ranks if is_dense(ranks) else None


def _as_dense(layout: Layout) -> Layout:
    return replace(layout, keys="dense", words=0, fields=(), limits=())


# -------------------------------------------------------------------- state graphs


def graph_rows(source: GraphSource, *, best: bool) -> Rows:
    """All rows of a solved graph; with `best` a column of best moves.

    Raises `RulesError` for states that are not whole numbers, and for a `rank` that does not tell states apart.
    """
    view, graph, table = source.view, source.graph, source.table
    values = encoded(table.values, table.distances, graph.endless)
    columns = dict(values.columns)
    if best:
        columns["best"] = _move_numbers(graph, table.choices)
    if table.forced:
        columns["forced"] = _move_numbers(graph, [table.forced.get(node, -1) for node in range(len(graph))])
    layout = _layout(
        packing_of(view.game, has_mover=view.tracks, has_totals=view.tracks_totals),
        values,
        graph.players,
        mover_first=graph.alternating,
        has_mover=view.tracks,
        merges=view.canonical is not None,
        has_totals=view.tracks_totals,
        has_best=best,
        has_forced=bool(table.forced),
    )
    keys = Keys(view.game, layout)
    if layout.keys == "packed":
        return _packed_or_dense(view.game, layout, keys.words(graph.keys), columns)
    return in_order(layout, [keys.text(node) for node in graph.keys], columns)


def _move_numbers(graph: Graph, edges: Sequence[int]) -> npt.NDArray[Any]:
    """Edges as the number of the move among those of their node, -1 for none."""
    chosen = np.array(edges, np.int64)
    return smallest(np.where(chosen < 0, -1, chosen - np.array(graph.offsets[:-1], np.int64)))


# -------------------------------------------------------------------- compiled layers


def key_rows(solved: Solved, position: Position, budget: Budget, *, best: bool) -> Rows:
    """All rows of a hash table with one number for every state, solved from `position` on."""
    rules = solved.rules
    words, numbers = _table_words(solved)
    if solved.is_win_loss:
        values = _scores_of(numbers, solved.top)
    else:
        total = "0" if rules.players == 2 else None
        values = Encoded("numbers", {"value_0": smallest(numbers)}, total)
    columns = dict(values.columns)
    if best:
        columns["best"] = smallest(best_of_solved(solved, words, numbers, position, budget))
    return _packed_or_dense(rules.game, compiled_layout(rules, values, has_best=best), words, columns)


def share_rows(solved: SolvedShares, position: Position, budget: Budget, *, best: bool) -> Rows:
    """All rows of a hash table with a value of every player."""
    rules = solved.rules
    words, taken, _ = _taken(solved)
    shares = np.asarray(solved.values[: solved.table.slots * rules.players]).reshape(-1, rules.players)[taken]
    plies = None if solved.plies is None else np.asarray(solved.plies)[taken]
    values = whole_shares(shares, plies, solved.aims.unit)
    columns = dict(values.columns)
    if best:
        columns["best"] = smallest(best_of_shares(solved, words, shares, plies, position, budget))
    layout = compiled_layout(rules, values, has_best=best)
    return _packed_or_dense(rules.game, replace(layout, viewpoint="players"), words, columns)


def compiled_layout(rules: CompiledRules, values: Encoded, *, has_best: bool = False) -> Layout:
    """The layout of what compiled rules have solved, keys as they pack them."""
    return _layout(
        rules.packing,
        values,
        rules.players,
        mover_first=rules.players == 2,
        has_mover=rules.tracks_mover,
        merges=rules.has_symmetry,
        has_best=has_best,
    )


def _packed_or_dense(game: Game, layout: Layout, words: tuple[Words, ...], columns: dict[str, Column]) -> Rows:
    """Rows by rank where the rules number states densely, else by packed keys in the shortest order of fields."""
    if game.gives("rank"):
        dense = _dense_keys(game, layout, _nodes(game, layout, words))
        if dense is not None:
            return in_order(_as_dense(layout), dense, columns)
    own = Packing(layout.fields, layout.limits)
    packing = smallest_order(own, words)
    if packing != own:
        layout = replace(layout, fields=packing.names, limits=packing.limits)
        words = packed_words(packing, own, columns_of(own, words))
    return sorted_words(layout, words, columns)


def _nodes(game: Game, layout: Layout, words: tuple[Words, ...]) -> Iterable[Any]:
    """The nodes of packed keys, one by one."""
    packing = Packing(layout.fields, layout.limits)
    for first in range(0, len(words[0]), _CHUNK):
        part = columns_of(packing, tuple(word[first : first + _CHUNK] for word in words))
        for row in zip(*(column.tolist() for column in part), strict=True):
            yield (game.State(*row[:-1]), row[-1]) if layout.has_mover else game.State(*row)


def _table_words(solved: Solved) -> tuple[tuple[Words, ...], npt.NDArray[np.int64]]:
    """Keys word by word, the highest first, and values (or signed scores) of all solved states."""
    words, taken, codes = _taken(solved)
    if solved.values is None:
        return words, codes.astype(np.int64) - (VALUES + solved.top)
    return words, np.asarray(solved.values)[taken].astype(np.int64)


def _taken(solved: Solved | SolvedShares) -> tuple[tuple[Words, ...], npt.NDArray[np.int64], Words]:
    """Keys of all solved states word by word, the highest first; their slots, and the codes there."""
    packing = solved.rules.packing
    filled = np.asarray(solved.table.words[: solved.table.slots * packing.words])
    slots = filled.reshape(-1, packing.words).view(np.uint64)
    codes = slots[:, 0] & np.uint64((1 << packing.code_bits) - 1)
    taken = np.flatnonzero((codes != 0) & (codes != UNSET))
    low = slots[taken, 0] >> np.uint64(packing.code_bits)
    return (low,) if packing.words == 1 else (slots[taken, 1].copy(), low), taken, codes[taken]


def _scores_of(numbers: npt.NDArray[np.int64], top: int) -> Encoded:
    """Scores that count down from `top` as ones that count down from just above the longest distance."""
    signs = np.sign(numbers)
    most = int((top - np.abs(numbers[signs != 0])).max(initial=0))
    return Encoded(
        "score",
        {"score": smallest(numbers - signs * (top - most - 1))},
        outcomes=WIN_LOSS_OUTCOMES,
        most=most,
    )


# -------------------------------------------------------------------- proven ends


def bounds_rows(source: EnclosedSource, *, best: bool) -> Rows:
    """All rows of arrays with bounds, and exact values where they are known."""
    view, arrays, enclosure = source.view, source.arrays, source.enclosure
    keys = arrays.keys[: arrays.nodes].astype(np.uint64)
    words = tuple(np.ascontiguousarray(keys[:, word]) for word in reversed(range(keys.shape[1])))
    exact: list[str | None] = [None] * arrays.nodes
    for node, value in source.all_known().items():
        exact[node] = text_of(value)
    columns = ends_columns(enclosure.bounds, pa.array(exact, pa.string()))
    total = None if source.total is None else text_of(source.total)
    values = Encoded("ends", columns, total, str(enclosure.denominator))
    if best:
        columns["best"] = smallest(proven_best(source))
    return _packed_or_dense(view.game, ends_layout(arrays.rules, values, has_best=best), words, columns)


def ends_columns(bounds: npt.NDArray[np.int64], exact: pa.Array) -> dict[str, Column]:
    """Lower and upper ends, and exact values as texts where they are known."""
    return {"lower_0": bounds[:, 0], "upper_0": bounds[:, 1], "exact_0": exact}


def ends_layout(rules: CompiledRules, values: Encoded, *, has_best: bool = False) -> Layout:
    """The layout of proven ends of compiled rules that say who moves."""
    return _layout(
        rules.packing,
        values,
        rules.players,
        mover_first=False,
        has_mover=False,
        merges=rules.has_symmetry,
        has_best=has_best,
    )


# -------------------------------------------------------------------- layers in rounds


def round_layout(source: RoundSource) -> Layout:
    """The layout of all layers of a game that is solved in rounds."""
    return _layout(
        source.rules.packing,
        Encoded("ends", {}, None if source.total is None else text_of(source.total), str(source.denominator)),
        source.view.players,
        mover_first=False,
        has_mover=False,
        merges=source.view.canonical is not None,
        rounds=True,
        exchanges=source.rules.exchanges,
    )


def layer_rows(source: RoundSource, layer: SolvedLayer) -> Rows:
    """The rows of one layer."""
    columns: dict[str, Column] = {
        "key": layer.keys.astype(np.uint64),
        "lower_0": layer.bounds[:, 0] + source.shift,
        "upper_0": layer.bounds[:, 1] + source.shift,
        "exact_0": pa.nulls(len(layer.keys), pa.string()),
    }
    return Rows(round_layout(source), columns, len(layer.keys))
