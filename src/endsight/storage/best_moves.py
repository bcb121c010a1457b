"""The move of best play at every state, computed on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.edge_arrays import first_largest
from endsight.answers.enclosed import NodeBounds
from endsight.engine.exploring import Arrays, explore_arrays, gains_of
from endsight.engine.solved import KeyedTable, NumberTable, VectorTable
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.results import alternates

Numbers = npt.NDArray[np.int64]
Words = tuple[npt.NDArray[np.uint64], ...]
"""Keys word by word, the highest first."""
_PROVEN = 2


def best_of_numbers(solved: NumberTable, words: Words, numbers: Numbers, position: Position, budget: Budget) -> Numbers:
    """The number of the first best move at every key, -1 at ends.

    `words` and `numbers` are keys (the highest word first) and values or scores, seen by the mover. The moves are
    generated again, which takes the memory of a state graph.
    """
    arrays, rows = _explored(solved, words, position, budget)
    return _at_rows(first_moves(arrays.offsets, _edge_values(arrays, numbers[rows])), rows)


def best_of_vectors(
    solved: VectorTable,
    words: Words,
    shares: Numbers,
    plies: Numbers | None,
    position: Position,
    budget: Budget,
) -> Numbers:
    """The same where each player has a value of their own: one row of `shares` a key, with `plies` to the end or -1."""
    arrays, rows = _explored(solved, words, position, budget)
    movers = np.repeat(np.maximum(arrays.movers, 0), np.diff(arrays.offsets)).astype(np.int64)
    goals = np.array(solved.goals.words, np.int64).reshape(-1, 3)[movers]
    then = rows[arrays.successors]
    worth = shares[then, goals[:, 0]].astype(np.int64)
    if arrays.rewards is not None:
        worth += _gains(solved, arrays)[np.arange(len(worth)), goals[:, 0]]
    worth *= goals[:, 1]
    if plies is None:
        return _at_rows(first_moves(arrays.offsets, worth), rows)
    # With few values and short distances one number holds both, and a shorter way to a win makes it larger.
    distance = np.where(plies[then] < 0, 0, plies[then]).astype(np.int64)
    hurry = np.sign(worth - goals[:, 2]) * distance
    return _at_rows(first_moves(arrays.offsets, (worth << 32) - hurry), rows)


def _explored(solved: KeyedTable, words: Words, position: Position, budget: Budget) -> tuple[Arrays, Numbers]:
    """All moves again, and the row of every node among the keys, which are those of all nodes."""
    arrays = explore_arrays(solved.rules, position, budget)
    places = np.argsort(np.lexsort(arrays.keys.astype(np.uint64).T))
    return arrays, np.asarray(np.lexsort(words[::-1])[places])


def _at_rows(chosen: Numbers, rows: Numbers) -> Numbers:
    """The nodes' numbers in the order of the rows."""
    best = np.full(len(rows), -1, np.int64)
    best[rows[: len(chosen)]] = chosen
    return best


def _gains(solved: VectorTable, arrays: Arrays) -> Numbers:
    """Each edge's gain to every player under the question's utility, in units of the goals."""
    view, unit = solved.goals.view, solved.goals.unit
    gains = gains_of(arrays, view)
    rows = [[int(amount * unit) for amount in row or (0,) * view.players] for row in gains.rows]
    found: Numbers = np.array(rows, np.int64)[np.asarray(gains.numbers)]
    return found


def _edge_values(arrays: Arrays, values: Numbers) -> Numbers:
    """The value of every edge to the mover at its start."""
    movers = np.repeat(arrays.movers, np.diff(arrays.offsets))
    rules = arrays.rules
    if alternates(rules.game) and not rules.tracks_mover:
        signs: Any = -1
    else:
        signs = np.where(movers == arrays.movers[arrays.successors], 1, -1)
    worth = signs * values[arrays.successors]
    if arrays.rewards is not None:
        column = movers if arrays.rewards_are_tuples else np.zeros(len(movers), np.int64)
        worth = worth + np.take_along_axis(arrays.rewards, column[:, None].astype(np.int64), axis=1)[:, 0]
    return np.asarray(worth, np.int64)


def first_moves(offsets: Numbers, worth: Numbers) -> Numbers:
    """For each node the number, among its own edges, of the first edge of largest worth; -1 without edges."""
    moves: Numbers = np.maximum(first_largest(offsets, worth) - offsets[:-1], -1)
    return moves


def proven_best(table: NodeBounds) -> Numbers:
    """The first move proven best at every node; -1 where none is, at ends and at chance."""
    verdicts, offsets = table.enclosure.verdicts, table.arrays.offsets
    best = first_largest(offsets, verdicts)
    inner = np.flatnonzero(best >= 0)
    proven = inner[verdicts[best[inner]] == _PROVEN]
    chosen = np.full(len(best), -1, np.int64)
    chosen[proven] = best[proven] - offsets[proven]
    return chosen
