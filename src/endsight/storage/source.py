"""A stored solution as a source of numbers: positions looked up block by block."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from endsight.answers.source import Row, Source, after_moves
from endsight.errors import FileError
from endsight.game import Game
from endsight.game.numbers import Amount, Number, as_interval, between, simplest, with_rest
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import View
from endsight.storage.keys import Key, KeyCodec
from endsight.storage.layout import number_of
from endsight.storage.manifest import MANIFEST, Manifest
from endsight.storage.parts import Block, BlockCache, PartFile, blocks_of
from endsight.storage.sealed import damaged

MOST_CACHED = 20 << 20
"""The most bytes of decoded blocks that are kept; never more than the size of the files."""


class RowPlace(NamedTuple):
    """The place of a position: block, row in it, and whether the players are exchanged."""

    block: Block
    number: int
    turned: bool = False


class StoredSource(Source):
    """Rows of a complete solution in files, looked up by position.

    Raises `FileError` when it first reads anything that has changed.
    Safe to use from several threads.
    """

    engine = "none"
    holds_all = has_parts = True

    def __init__(self, folder: Path, manifest: Manifest, game: Game, question: Question) -> None:
        self.folder = folder
        self.manifest = manifest
        self.layout = manifest.layout
        self.keys = KeyCodec(game, manifest.layout)
        self.view = View(game, question, symmetry=manifest.layout.merges, tracks_mover=manifest.layout.has_mover)
        self.method = manifest.method
        self.states = manifest.states
        self.notion = manifest.notion
        self.swings, self.moves_at_once = manifest.swings, manifest.moves_at_once
        self.is_win_loss = manifest.is_win_loss
        self.has_distances = manifest.layout.values == "score" or manifest.layout.has_distances
        self.merges, self.exchanges = manifest.layout.merges, manifest.layout.exchanges
        self._check()
        self._cache = BlockCache(min(MOST_CACHED, manifest.size))
        self._files: dict[int, PartFile] = {}
        self._lock = Lock()

    def _check(self) -> None:
        layout = self.layout
        if layout.has_mover != self.view.tracks or layout.has_totals != self.view.tracks_totals:
            raise damaged(self.folder / MANIFEST, "its keys are not those of the question")
        players = self.view.players
        if not 0 < layout.entries <= players or (layout.viewpoint == "mover" and players != 2):
            raise damaged(self.folder / MANIFEST, "its values are not those of so many players")

    def close(self) -> None:
        """Close all files; they are reopened when needed."""
        with self._lock:
            while self._files:
                self._files.popitem()[1].close()

    # ---------------------------------------------------------------- rows

    @cached_property
    def _tiers(self) -> dict[int, tuple[list[int], list[Any]]]:
        """By tier: numbers of the parts that hold rows, and their last keys, both in order."""
        tiers: dict[int, tuple[list[int], list[Any]]] = {}
        for number, part in enumerate(self.manifest.parts):
            if part.rows:
                numbers, lasts = tiers.setdefault(part.tier, ([], []))
                numbers.append(number)
                lasts.append(part.last)
        return tiers

    def _tiers_of(self, state: Any) -> Iterator[tuple[list[int], list[Any]]]:
        if self.manifest.tiers == "layer":
            tier = self._tiers.get(self.view.game.layer(state))  # type: ignore[attr-defined]
            return iter(() if tier is None else (tier,))
        return iter(self._tiers.values())

    def place(self, position: Position) -> RowPlace | None:
        """The place of a position; None where it is not stored."""
        return self.place_of(self.view.key(position))

    def place_of(self, node: Any) -> RowPlace | None:
        """The place of a node of the view; None where it is not stored."""
        key, turned = self.keys.of(node), False
        if key is None:
            return None
        if self.layout.exchanges:
            other = self.view.game.exchanged(node)
            exchanged = self.keys.of(self.view.key_of(other, 0, ()))
            if exchanged is not None and exchanged > key:  # type: ignore[operator]
                node, key, turned = other, exchanged, True
        for numbers, lasts in self._tiers_of(node.state if self.layout.has_mover else node):
            number = bisect_left(lasts, key)
            if number < len(lasts):
                row = self._row_in(numbers[number], key)
                if row is not None and self.keys.are_for(key, node):
                    return RowPlace(*row, turned)
        return None

    def _row_in(self, part: int, key: Key) -> tuple[Block, int] | None:
        first = self.manifest.parts[part].first
        if first is None or key < first:  # type: ignore[operator]
            return None
        file = self._files.get(part) or self._opened(part)
        group = file.group_of(key)
        if group < 0:
            return None
        block = self._block(part, group)
        row = block.find(key)
        return None if row is None else (block, row)

    def _opened(self, part: int) -> PartFile:
        with self._lock:
            if part not in self._files:
                self._files[part] = PartFile(self.folder, self.manifest.parts[part], self.layout)
            return self._files[part]

    def _block(self, part: int, group: int) -> Block:
        with self._lock:
            block = self._cache.get((part, group))
            if block is None:
                block = self._files[part].block(group)
                self._cache.put((part, group), block)
            return block

    def blocks(self) -> Iterator[Block]:
        """All blocks, tier by tier and in order of their keys; they are not kept."""
        for part in self.manifest.parts:
            yield from blocks_of(self.folder, part, self.layout)

    def node_at(self, part: int, row: int) -> Any:
        """The node of a row, by the number of its part and the row's number there; None for a row without a state."""
        self._opened(part)
        group, number = divmod(row, self.layout.group_rows)
        key = self._block(part, group).key(number)
        return None if key is None else self.keys.node(key)

    def nodes(self) -> Iterator[Any]:
        """Every stored node, in order of their keys."""
        for block in self.blocks():
            for row in range(block.rows):
                key = block.key(row)
                if key is not None:
                    yield self.keys.node(key)

    # ---------------------------------------------------------------- a source's questions

    def covers(self, position: Position) -> bool:
        """Whether the position is stored, or all positions after its moves."""
        return self.place(position) is not None or self._children(position) is not None

    def row(self, position: Position) -> Row | None:
        """Whole-game value per player and distance; None where not stored."""
        place = self.place(position)
        return self.passed_over(position) if place is None else self.row_at(position, place)

    def passed_over(self, position: Position) -> Row | None:
        """The row of a position in which a player answers chance, which is not stored itself; else None."""
        places = self._children(position)
        return None if places is None else (self._best(position.mover, places), None)

    def _children(self, position: Position) -> list[RowPlace] | None:
        """The places of all positions after the moves, where a player answers chance; else None."""
        return after_moves(position, self.place) if self.layout.rounds else None

    def _best(self, mover: int, places: Sequence[RowPlace]) -> tuple[Amount, ...]:
        """The best of them for the player who moves, per player."""
        intervals = [as_interval(self.entries(place)[0][0]) for place in places]
        best: Any = max if self.view.sign(mover) > 0 else min
        low, high = best(interval.lower for interval in intervals), best(interval.upper for interval in intervals)
        return with_rest(between(low, high), self._sum)

    def row_at(self, position: Position, place: RowPlace) -> Row:
        """The same from the position's place."""
        entries, distance = self.entries(place)
        return self.view.whole(position, entries, by_mover=self.layout.viewpoint == "mover"), distance

    def chosen(self, position: Position) -> Any:
        """The forced move of best play, where others of the same value loop for ever; None where none."""
        if not self.layout.has_forced:
            return None
        place = self.place(position)
        number = -1 if place is None else int(place.block.columns["forced"][place.number])
        if number < 0:
            return None
        view = self.view
        state, mover, totals = view.split(view.key(position))
        if mover != position.mover and not view.relative:
            mover = position.mover
        moves = list(view.legal(state, mover, totals))
        if number >= len(moves):
            raise FileError(f"{self.folder} holds a row that cannot be read", found=f"move {number} of {len(moves)}")
        move = moves[number]
        stored = Position(view.game, state, mover, totals or (0,) * view.players, ())
        step = view.step(stored, move)
        return next(move for move in position.moves() if view.step(position, move) == step)

    # ---------------------------------------------------------------- what a row says

    def entries(self, place: RowPlace) -> Row:
        """Entries of a row's value, in the layout's viewpoint, and its distance."""
        block, number, turned = place
        layout = self.layout
        try:
            if layout.values == "score":
                return layout.score_row(int(block.columns["score"][number]))
            known = tuple(self._entry(block, number, entry) for entry in range(layout.stored))
            if layout.sum is not None:
                known = with_rest(known[0], self._sum)
            if turned:
                known = known[::-1]
            distance = block.columns["distance"][number] if layout.has_distances else None
        except (ValueError, ArithmeticError, TypeError, LookupError) as error:
            raise FileError(f"{self.folder} holds a row that cannot be read", found=str(error)) from error
        padding = (0,) * (self.view.players - len(known))
        return known + padding, None if distance is None or distance != distance else int(distance)

    @cached_property
    def _sum(self) -> Number | None:
        return None if self.layout.sum is None else number_of(self.layout.sum)

    @cached_property
    def _unit(self) -> int:
        return int(number_of(self.layout.unit))

    def _entry(self, block: Block, row: int, entry: int) -> Amount:
        """One entry of a value."""
        columns, form = block.columns, self.layout.values
        if form == "numbers":
            return simplest(Fraction(int(columns[f"value_{entry}"][row]), self._unit))
        if form == "fractions":
            numerator, denominator = columns[f"numerator_{entry}"][row], columns[f"denominator_{entry}"][row]
            return simplest(Fraction(int(numerator), int(denominator)))
        if form == "texts":
            return number_of(columns[f"value_{entry}"][row])
        exact = columns[f"exact_{entry}"][row]
        if exact is not None:
            return number_of(exact)
        bounds = [_whole(columns[f"{bound}_{entry}"][row]) for bound in ("lower", "upper")]
        return between(*(Fraction(bound, self._unit) for bound in bounds))


def _whole(value: Any) -> int:
    return int(number_of(value)) if isinstance(value, str) else int(value)
