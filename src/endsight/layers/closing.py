"""One layer of the rules in memory: the closure of some of its states, and the layers of any states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from endsight.compiler.kernels.core import EDGES, HEAD, NEEDED, TAIL, UNSET, Code
from endsight.compiler.memory import words
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels.close import INSIDE, LARGEST, Layer, close_layer, find_layers
from endsight.layers.arrays import Keys, sorted_keys
from endsight.layers.kernel_runs import KernelRun

_STRIDE = 1 << 19


@dataclass(frozen=True)
class Closed:
    """The states that some states lead to without leaving their layer.

    keys      of all states whose moves were explored, sorted
    ahead     of states found but not explored, as there was no room for more; sorted
    edges     moves of `keys`, and in `inside` those that lead to states of the layer
    payoff    the largest payoff of an end, without its sign
    """

    keys: Keys
    ahead: Keys
    edges: int
    inside: int
    payoff: int


def closed(rules: CompiledRules, layer: int, seeds: Keys, most: int, *, one_move: bool = False) -> Closed:
    """All states of the layer that the `seeds`, states of it, lead to inside it, up to about `most` states.

    With `one_move` only the moves of the seeds are explored.
    Raises `CannotCompile` where a move leads to a lower layer, or for a fault.
    """
    run = _Run(rules, layer, seeds, max(most, 2 * len(seeds)))
    run.expand(len(seeds) if one_move else 1 << 62)
    head, tail, edges, inside, payoff = (int(run.counters[at]) for at in (HEAD, TAIL, EDGES, INSIDE, LARGEST))
    keys, ahead = run.order[:head].copy(), run.order[head:tail].copy()
    return Closed(sorted_keys(keys), sorted_keys(ahead), edges, inside, payoff)


class _Run(KernelRun):
    """Table, order and buffer, which grow."""

    def __init__(self, rules: CompiledRules, layer: int, seeds: Keys, most: int) -> None:
        super().__init__(rules, seeds)
        self.layer, self.most = layer, most
        self.table.presize(len(seeds))
        self.make_order(2 * len(seeds) + (1 << 12))
        self.table.enter(self.order.reshape(-1), len(seeds), UNSET)

    def expand(self, stop: int) -> None:
        """Explore the moves of up to `stop` states, until there are no new ones of the layer or too many."""
        kernel = self.rules.kernel(close_layer)
        layer = Layer(self.layer, words(self.rules.players))

        def run() -> int:
            if int(self.counters[HEAD]) == stop:
                return Code.DONE
            return kernel(
                self.keys(min(self.table.most, self.most)), self.children, self.work(_STRIDE, stop), layer
            )  # fmt: skip

        while self.drive(run, "exploring a layer", Code.NODES_FULL) == Code.NODES_FULL:
            needed = len(self.known) + int(self.counters[NEEDED])
            if needed > self.most and int(self.counters[HEAD]) > 0:
                return
            self.most = max(self.most, needed)
            self.more_keys(needed, needed)


def layers_of(rules: CompiledRules, keys: Keys) -> npt.NDArray[np.int64]:
    """The layer of every key."""
    layers, counters = np.zeros(len(keys), np.int64), words(8)
    if rules.translation.gives("layer"):
        kernel = rules.kernel(find_layers)
        if kernel(keys, 0, len(keys), layers, rules.data, counters) == Code.FAULT:
            raise rules.fault(int(counters[NEEDED]))
    return layers
