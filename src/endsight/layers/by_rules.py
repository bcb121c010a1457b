"""The layers of the rules: each position is in one, and play may stay in it, or loop there."""

from __future__ import annotations

from collections.abc import Sequence

from endsight.compiler.refusal import CannotCompile
from endsight.layers.close_tasks import BYTES_PER_CLOSED, Size, begin, close, finish, join, reach
from endsight.layers.tasks import ByRules, Seeds
from endsight.layers.work import Work, found_name, names_of

_FEWEST, _CHILDREN = 1 << 6, 8
"""The smallest limit of a layer's states in memory, and the room for children per state of a chunk."""


class WorkByRules(Work):
    """A solve whose layers are those of the rules' `layer`, or a single one without it."""

    @property
    def first(self) -> int:
        """As the rules say."""
        game, state = self.rules.game, self.position.state
        if not self.rules.translation.gives("layer"):
            return 0
        first: int = game.layer(game.canonical(state) if self.rules.has_symmetry else state)  # type: ignore[attr-defined]
        if first < 0:
            raise CannotCompile("a layer is below 0")
        return first

    def find(self, layer: int, seeds: tuple[Seeds, ...]) -> None:
        """In memory, or else in files."""
        root = None if seeds else self.root()
        most = max(_FEWEST, self.task_bytes // (BYTES_PER_CLOSED * self.rules.packing.words))
        name = found_name(layer)
        self.run(close, [name], [(self.job, layer, seeds, root, self.task_bytes, most)], self.led_to(layer, seeds))
        if self.parts(layer) == 0:
            self._find_in_files(layer, seeds, root, most)

    def _find_in_files(self, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None, most: int) -> None:
        """The same for a layer that is too large for a task: breadth first."""
        front, chunk = f"forward/{layer:04d}/frontier", max(1, most // _CHILDREN)
        rounds = [name for name in self.checkpoint.names if name.startswith(f"{front}/join/")]
        number = max((int(name.rpartition("/")[2]) for name in rounds), default=0)
        if not rounds:
            self.run(begin, [f"{front}/join/{0:06d}"], [(self.job, layer, seeds, root, chunk)], 0)
        while (state := self.checkpoint.facts(f"{front}/join/{number:06d}"))["chunks"]:
            chunks = range(state["chunks"])
            names = [f"{front}/reach/{number:06d}/{each:06d}" for each in chunks]
            self.run(reach, names, [(self.job, layer, number, each, most) for each in chunks], state["ahead"])
            size = Size(**state["size"]).and_moves(map(self.checkpoint.facts, names))
            number += 1
            self.run(join, [f"{front}/join/{number:06d}"], [(self.job, layer, number, len(chunks), size, chunk)], 0)
            self.checkpoint.forget(f"{front}/join/{number - 1:06d}", *names)
            self.budget.spend(
                self.checkpoint.facts(f"{front}/join/{number:06d}")["size"]["states"], f"finding layer {layer}"
            )
        self.checkpoint.forget(found_name(layer))
        self.run(finish, [found_name(layer)], [(self.job, layer, number, Size(**state["size"]), self.task_bytes)], 0)
        self.forget(front)

    def division(self, layer: int) -> ByRules:
        """By layers."""
        found = self.found(layer)
        return ByRules(found["parts"], found["shift"])

    def expansions(self, layer: int) -> list[str]:
        """One for each part."""
        return names_of("forward", layer, "expand", self.parts(layer))

    def expected(self, layer: int, part: int) -> int:
        """Twice as many as the part has states."""
        states: list[int] = self.found(layer)["states"]
        return 2 * states[part]

    def comes_back(self, _layers: Sequence[int]) -> bool:
        """Loops inside a layer are noticed when it is scored."""
        return False

    @property
    def distinct(self) -> int:
        """The number of states, where those that differ only by the mover count once."""
        return sum(self.found(layer)["distinct"] for layer in self.layers)
