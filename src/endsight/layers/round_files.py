"""Layers of a game in rounds in the files of a solve: found, then solved, each committed when it is done.

A killed run continues with the first layer that is missing. Bounds are written as the
parts of the solution itself; the keys of a layer, and those of later layers that it leads
to, are work files, which stay until the solution is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from endsight.game.limits import Budget
from endsight.layers.rounds import LayerFacts, LayerStore, LayerTable, SolvedLayer, Words
from endsight.layers.segments import read_keys, write_keys
from endsight.storage.checkpoint import WORK, Checkpoint, File
from endsight.storage.parts import blocks_of
from endsight.storage.saving import stored_layer, stored_parts
from endsight.storage.values import layer_rows, round_layout

_SHARE = 4
"""By default, a solved layer also stays in memory while it takes less than 1/4 of what is left."""


class FolderStore(LayerStore):
    """The known facts about layers, in files; `in_memory` says whether solved layers stay in memory too.

    None: they do while there is room. `merges` is part of all names: layers of
    states merged by symmetry are not those of states kept apart, and a killed run may have left both.
    """

    def __init__(
        self, checkpoint: Checkpoint, merges: bool, budget: Budget, disk: int | None, in_memory: bool | None = None
    ) -> None:
        super().__init__()
        self.checkpoint = checkpoint
        self.budget = budget
        self.disk = disk
        self.in_memory = in_memory
        # Layers whose parts have been written, or read and verified.
        self._known: set[int] = set()
        self._name = "merged" if merges else "apart"
        self._front = f"rounds/{self._name}"
        for name in checkpoint.names:
            if name.startswith(f"{self._front}/found/"):
                self._found[int(name.rpartition("/")[2])] = LayerFacts(**checkpoint.facts(name))

    # ---------------------------------------------------------------- found

    def seeds(self, layer: int) -> list[Words]:
        """Keys that rounds of earlier layers lead to."""
        earlier = {number: found for number, found in self._found.items() if layer in found.later}
        return [self._read(number, found, layer) for number, found in earlier.items()]

    def put_found(self, layer: int, found: LayerFacts, keys: Words, leaves: Mapping[int, Words]) -> None:
        """Write a layer's keys, and those of the states of later layers that its rounds lead to."""
        # The layer's own keys first, then those in each later layer, in the order of `LayerFacts.later`.
        runs = [keys, *(leaves[later] for later in found.later)]
        files = [self._write(layer, number, run) for number, run in enumerate(runs)]
        self.checkpoint.commit(f"{self._front}/found/{layer}", files, asdict(found))
        self._found[layer] = found
        self.checkpoint.require_space(self.disk, self.budget.states)

    def _write(self, layer: int, number: int, keys: Words) -> File:
        path = f"{WORK}/{self._name}-{layer:06d}-{number:03d}.keys"
        return write_keys(self.checkpoint.folder, path, keys.reshape(-1, 1))

    def keys(self, layer: int) -> Words:
        """The keys of a layer that is solved next."""
        return self._read(layer, self._found[layer], None)

    def _read(self, layer: int, found: LayerFacts, later: int | None) -> Words:
        files = self.checkpoint.files(f"{self._front}/found/{layer}")
        file = files[0 if later is None else 1 + found.later.index(later)]
        return read_keys(self.checkpoint.folder, file.path, 1).reshape(-1)

    # ---------------------------------------------------------------- solved

    def is_solved(self, layer: int, table: LayerTable) -> bool:
        """Whether all parts of a layer have been written, and are unchanged."""
        if layer not in self._known:
            parts = stored_layer(self.checkpoint, round_layout(table), layer)
            if parts is None or not all(self.checkpoint.is_whole(part.path) for part in parts):
                return False
            self._known.add(layer)
        return True

    def put_solved(self, layer: int, solved: SolvedLayer, table: LayerTable) -> None:
        """Write the bounds of a layer."""
        stored_parts(self.checkpoint, layer_rows(table, solved), layer, self.budget)
        self._known.add(layer)
        self._keep(layer, solved)
        self.checkpoint.require_space(self.disk, self.budget.states)

    def solved(self, layer: int, table: LayerTable) -> SolvedLayer:
        """The bounds of a layer, read from disk if not in memory."""
        if layer in self._solved:
            return self._solved[layer]
        solved = self._read_solved(layer, table)
        self._keep(layer, solved)
        return solved

    def _read_solved(self, layer: int, table: LayerTable) -> SolvedLayer:
        layout = round_layout(table)
        parts = stored_layer(self.checkpoint, layout, layer) or []
        count = sum(part.rows for part in parts)
        keys, bounds = np.empty(count, np.int64), np.empty((count, 2), np.int64)
        at = 0
        for part in parts:
            for block in blocks_of(self.checkpoint.folder, part, layout):
                here = slice(at, at := at + block.rows)
                keys[here] = block.keys[0]
                bounds[here, 0], bounds[here, 1] = block.columns["lower_0"], block.columns["upper_0"]
        bounds -= table.shift
        return SolvedLayer(keys, bounds)

    def _keep(self, layer: int, solved: SolvedLayer) -> None:
        size = solved.keys.nbytes + solved.bounds.nbytes
        stays = self.in_memory
        if stays is None:
            stays = size < self.budget.memory_left() // _SHARE
        if stays:
            self._solved[layer] = solved
