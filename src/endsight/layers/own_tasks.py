"""The tasks of a solve that is cut by the rules' own `layer`, in which play may stay in a layer, and loop there.

    close    states that earlier layers lead to     -> all keys of a layer, in parts
    spread   keys of one part                       -> their children, a file for each layer that they are in
    settle   keys of one part, scores of children   -> its scores, as far as they follow
    choose   the same where all scores are known    -> forced moves, which keep play from looping

As in `tasks`, each reads committed files and writes new ones. Where a layer has several parts, `settle` runs for
all of them repeatedly until nothing changes: in a game without loops a state is scored once its children are;
where play may loop, scores begin with that of endless play, and approach the right ones each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from endsight.algorithms.edge_arrays import edges_of
from endsight.base.atomic import make_folder
from endsight.compiler.driver import REASONS
from endsight.compiler.kernels.core import Code
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import FileError
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys, distinct, part_of, places_of, shift_for
from endsight.layers.closing import closed, layers_of
from endsight.layers.inside import UNIT, inside_of
from endsight.layers.job import Job, rules_of
from endsight.layers.parts import Scores, children_of
from endsight.layers.scoring import Scoring
from endsight.layers.segments import KeyWriter, key_blocks, read_keys, read_scores, write_keys, write_scores
from endsight.layers.tasks import Done, backed_up, extremes, keys_path, refusal_of
from endsight.storage.checkpoint import WORK

UNKNOWN = -(1 << 62)
"""The score, or the lower end, of an unknown state."""

BYTES_PER_KEY, BYTES_PER_OTHER, BYTES_PER_EDGE = 130, 100, 12
"""Memory of a `settle` for each key of one word, each state elsewhere that it leads to, and each move."""
BYTES_PER_CLOSED = 48
"""Memory of a `close` for each key of one word."""

_PREFIXES_PER_PART = 100
_SAMPLED = 300


@dataclass(frozen=True)
class Seeds:
    """The states of a layer that one part of an earlier one leads to."""

    layer: int
    part: int


@dataclass(frozen=True)
class Source:
    """A layer that states lead to: its parts, and the sweep that wrote their scores; -1 for none yet."""

    layer: int
    parts: int
    sweep: int


def children_path(layer: int, part: int, target: int) -> str:
    """The file of a part's children that are in the layer `target`."""
    return f"{WORK}/layer={layer:04d}/children-{part:04d}-{target:04d}"


def settled_path(layer: int, part: int, sweep: int) -> str:
    """The file of a part's scores after `sweep` sweeps, in the order of its keys."""
    return f"{WORK}/layer={layer:04d}/scores-{part:04d}-{sweep:06d}"


def chosen_path(layer: int, part: int) -> str:
    """The file of a part's scores with the numbers of forced moves."""
    return f"{WORK}/layer={layer:04d}/chosen-{part:04d}"


# -------------------------------------------------------------------- forwards


def close(job: Job, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None, memory: int, most: int) -> Done:
    """Write all keys of a layer in parts whose `settle` takes about `memory`; `root` is a further key to begin with.

    The layer is found in memory. Where it has more than about `most` states nothing is written, and there
    are 0 parts.
    """
    rules, words = rules_of(job), rules_of(job).packing.words
    found = [list(run) for run in seed_blocks(job, layer, seeds, root)]
    whole = closed(rules, layer, distinct([each for run in found for each in run], words), Budget(), most)
    if len(whole.ahead):
        return Done((), {"parts": 0})
    size = Size(len(whole.keys), whole.edges, whole.inside, whole.payoff)
    return in_parts(job, layer, [whole.keys], shift_of(whole.keys, size.parts(words, memory)), size, memory)


def seed_blocks(job: Job, layer: int, seeds: Sequence[Seeds], root: tuple[int, ...] | None) -> Iterator[Iterable[Keys]]:
    """The known keys of a layer before it is closed, run by run."""
    words = rules_of(job).packing.words
    for each in seeds:
        yield key_blocks(job.path(""), children_path(each.layer, each.part, layer), words)
    if root is not None:
        yield [np.array([root], np.uint64).view(np.int64)]


@dataclass(frozen=True)
class Size:
    """The size of a layer: states, moves, moves that stay inside, and the largest payoff without its sign."""

    states: int
    edges: int
    inside: int
    payoff: int

    def parts(self, words: int, memory: int) -> int:
        """The number of parts for a layer."""
        whole = self._bytes(words, self.edges - self.inside)
        if whole <= memory:
            return 1
        # Moves inside a layer lead elsewhere too when it is cut into parts.
        return max(2, ceil(self._bytes(words, min(self.edges, 3 * self.states)) / memory))

    def _bytes(self, words: int, others: int) -> int:
        return words * (BYTES_PER_KEY * self.states + BYTES_PER_OTHER * others) + BYTES_PER_EDGE * self.edges


def shift_of(keys: Keys, parts: int) -> int:
    """The number of lower key bits at which a layer is not to be cut, from its keys or a sample."""
    return shift_for(keys, _PREFIXES_PER_PART * parts) if parts > 1 else 0


def in_parts(job: Job, layer: int, blocks: Iterable[Keys], shift: int, size: Size, memory: int) -> Done:
    """Write the sorted keys of a layer, given in blocks, in parts."""
    rules = rules_of(job)
    parts = size.parts(rules.packing.words, memory)
    # States that differ only by the mover, the lowest bit, stay together and count once.
    least = int(rules.tracks_mover)
    shift = max(least, shift)
    states, distinct_states, last = [0] * parts, 0, np.empty((0, rules.packing.words), np.int64)
    make_folder(job.path(keys_path(layer, 0)).parent)
    with ExitStack() as stack:
        writers = [stack.enter_context(KeyWriter(job.path(""), keys_path(layer, part))) for part in range(parts)]
        for keys in blocks:
            _check_layers(rules, layer, keys)
            owner = part_of(keys, shift, parts) if parts > 1 else np.zeros(len(keys), np.int64)
            for part, writer in enumerate(writers):
                own = keys[owner == part] if parts > 1 else keys
                writer.add(own)
                states[part] += len(own)
            those = np.concatenate((last, keys))
            those[:, 0] >>= least
            distinct_states += int((those[1:] != those[:-1]).any(axis=1).sum()) + (1 if not len(last) else 0)
            last = keys[-1:]
        files = tuple(writer.commit() for writer in writers)
    facts = {"parts": parts, "shift": shift, "states": states, "distinct": distinct_states, "payoff": size.payoff}
    return Done(files, facts)


def _check_layers(rules: CompiledRules, layer: int, keys: Keys) -> None:
    """Check on a sample that the compiled layers equal those of the rules."""
    if rules.translation.gives("layer"):
        states, _ = rules.states(keys[:: len(keys) // _SAMPLED + 1])
        told = {rules.game.layer(state) for state in states}  # type: ignore[attr-defined]
        if told != {layer}:
            raise CannotCompile("compiled rules give other layers than the rules do")


def spread(job: Job, layer: int, part: int, shift: int, parts: int, measures: bool) -> Done:
    """Write the children of a part, except those in the part itself: one file for each of their layers.

    Refuses `chance`, unless it `measures` the numbers of a game with chance.
    """
    rules, folder = rules_of(job), job.path("")
    keys = read_keys(folder, keys_path(layer, part), rules.packing.words)
    found = children_of(rules, keys, Budget(), 2 * len(keys), measures=measures)
    if found is None:
        return Done((), refusal="chance")
    layers = layers_of(rules, found.children)
    if len(layers) and int(layers.min()) < layer:
        raise CannotCompile(REASONS[Code.NOT_LAYERED])
    is_own = layers == layer
    if parts > 1:
        is_own &= part_of(found.children, shift, parts) == part
    targets, files = {}, []
    for target in map(int, np.unique(layers[~is_own])):
        own = found.children[(layers == target) & ~is_own]
        files.append(write_keys(folder, children_path(layer, part, target), own))
        targets[str(target)] = len(own)
    facts: dict[str, Any] = {"targets": targets, "edges": found.edges}
    if found.measure is not None:
        facts["measure"] = found.measure.document()
    return Done(tuple(files), facts)


# -------------------------------------------------------------------- backwards


def settle(job: Job, layer: int, part: int, sweep: int, sources: tuple[Source, ...], scoring: Scoring) -> Done:
    """Write the scores of a part as far as they follow from the `sources`.

    Facts are the numbers of scores that `changed` since the previous sweep and of `unknown` ones. Refuses `form` and
    `scale`.
    """
    rules, folder = rules_of(job), job.path("")
    keys = read_keys(folder, keys_path(layer, part), rules.packing.words)
    others, known = _known(job, layer, part, sources, scoring.columns)
    before = read_scores(folder, settled_path(layer, part, sweep - 1), scoring.columns) if sweep else None
    if scoring.kind == "loops":
        known[known == UNKNOWN] = 0  # the score of endless play
        inside = inside_of(rules, keys, others, Budget(), pays=True)
        scores = narrowed(inside.settled(widened(known)))
    elif (found := _scored(rules, keys, others, known, before, scoring)) is not None:
        scores = found
    else:
        return Done((), refusal=refusal_of(scoring))
    rows = scores.reshape(-1, scoring.columns)
    facts = {"unknown": int((rows[:, 0] == UNKNOWN).sum()), "changed": len(rows)}
    if before is not None:
        facts["changed"] = int((rows != before.reshape(rows.shape)).any(axis=1).sum())
    file = write_scores(folder, settled_path(layer, part, sweep), scores)
    return Done((file,), facts | (extremes(scores) if scoring.columns == 1 else {}))


def _known(job: Job, layer: int, part: int, sources: Sequence[Source], columns: int) -> tuple[Keys, Scores]:
    """The children of a part that lie outside it, and their scores."""
    folder, words = job.path(""), rules_of(job).packing.words
    children, scores = [np.empty((0, words), np.int64)], [np.empty((0, columns), np.int64)]
    for source in sources:
        asked = read_keys(folder, children_path(layer, part, source.layer), words)
        found, left = np.full((len(asked), columns), UNKNOWN, np.int64), len(asked)
        for other in range(source.parts):
            places = places_of(asked, read_keys(folder, keys_path(source.layer, other), words))
            is_there = places >= 0
            left -= int(is_there.sum())
            if source.sweep >= 0:
                stored = read_scores(folder, settled_path(source.layer, other, source.sweep), columns)
                found[is_there] = stored.reshape(-1, columns)[places[is_there]]
        if left:
            raise FileError(f"{job.path(children_path(layer, part, source.layer))} names states that no part has")
        children.append(asked)
        scores.append(found)
    joined = np.concatenate(scores)
    return np.concatenate(children), joined.reshape(-1) if columns == 1 else joined


def _scored(
    rules: CompiledRules, keys: Keys, others: Keys, known: Scores, before: Scores | None, scoring: Scoring
) -> Scores | None:
    """Scores of the states whose children are all known, or become so, in a game without loops.

    None where this scoring cannot express them.
    """
    columns, count = scoring.columns, len(keys)
    inside = inside_of(rules, keys, others, Budget(), pays=False)
    scores = np.full((inside.total, columns), UNKNOWN, np.int64)
    scores[count:] = known.reshape(-1, columns)
    if before is not None:
        scores[:count] = before.reshape(-1, columns)
    nodes = np.concatenate((keys, others))
    for group in inside.ready(scores[:, 0] != UNKNOWN):
        is_child = np.zeros(inside.total, np.bool_)  # several times as fast as sorting the children of groups
        is_child[inside.successors[edges_of(inside.offsets, group)]] = True
        children = np.flatnonzero(is_child)
        found = backed_up(rules, keys[group], nodes[children], scores[children], scoring)
        if found is None:
            return None
        scores[group] = found.reshape(-1, columns)
    own = scores[:count]
    return own.reshape(-1) if columns == 1 else own


def choose(job: Job, layer: int, part: int, sweep: int, sources: tuple[Source, ...]) -> Done:
    """Write the scores of a part with the forced moves; the fact is the largest number of one."""
    rules, folder = rules_of(job), job.path("")
    keys = read_keys(folder, keys_path(layer, part), rules.packing.words)
    others, known = _known(job, layer, part, sources, 1)
    inside = inside_of(rules, keys, others, Budget(), pays=True)
    own = read_scores(folder, settled_path(layer, part, sweep))
    forced = inside.forced(widened(np.concatenate((own, known))))
    file = write_scores(folder, chosen_path(layer, part), np.stack((own, forced), axis=1))
    return Done((file,), {"forced": int(forced.max(initial=-1))})


# -------------------------------------------------------------------- scores of games with loops


def narrowed(scores: Scores) -> Scores:
    """Scores of `inside` in the form of the files: 1 + plies + 2^32 (|v| - 1), with the sign of the payoff v."""
    size = np.abs(scores)
    payoff = (size + UNIT - 1) // UNIT
    small: Scores = np.sign(scores) * (payoff * UNIT - size + (payoff - 1) * UNIT + 1)
    return small


def widened(small: Scores) -> Scores:
    """The inverse of `narrowed`."""
    size = np.abs(small) - 1
    payoff, plies = size // UNIT + 1, size % UNIT
    scores: Scores = np.sign(small) * (payoff * UNIT - plies)
    return scores


def payoffs_of(small: Scores) -> Scores:
    """The payoffs of scores in the files."""
    payoffs: Scores = np.sign(small) * ((np.abs(small) - 1) // UNIT + 1)
    return payoffs
