"""The tasks that find the states of a layer in which play can stay, from those that earlier layers lead to.

    close    states that earlier layers lead to     -> all keys of a layer, in parts, where it fits into memory

A layer that does not fit is found breadth first, in files:

    begin    what earlier layers lead to            -> the first states to explore, a file for each chunk of them
    reach    one chunk                              -> its children in the layer, sorted
    join     chunks, their children, what is known  -> all that is known now, and the next chunks
    finish   what is known                          -> the keys of the layer in parts

Duplicates are dropped when a round is joined: Korf, "Best-first frontier search with delayed
duplicate detection" (2004).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from math import ceil

import numpy as np

from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.layers.arrays import Keys, distinct, merged, part_of, shift_for, without
from endsight.layers.job import SolveJob, rules_of
from endsight.layers.parts import Size, closed
from endsight.layers.segments import KeyWriter, key_blocks, read_keys, write_keys
from endsight.layers.tasks import Done, Seeds, children_path, keys_path
from endsight.storage.checkpoint import WORK, File

BYTES_PER_KEY, BYTES_PER_OTHER, BYTES_PER_EDGE = 130, 100, 12
"""Memory of a `score` for each key of one word, each state elsewhere that it leads to, and each move."""
BYTES_PER_CLOSED = 48
"""Memory of a `close` for each key of one word."""

_PREFIXES_PER_PART = 100
_SAMPLED = 300


def close(
    job: SolveJob, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None, memory: int, most: int
) -> Done:
    """Write all keys of a layer in parts whose `settle` takes about `memory`; `root` is a further key to begin with.

    The layer is found in memory. Where it has more than about `most` states nothing is written, and there
    are 0 parts.
    """
    rules, words = rules_of(job), rules_of(job).packing.words
    known = distinct([keys for run in _seed_blocks(job, layer, seeds, root) for keys in run], words)
    keys, ahead, size = closed(rules, layer, known, most)
    if len(ahead):
        return Done((), {"parts": 0})
    return _in_parts(job, layer, [keys], keys, size, memory)


def _seed_blocks(
    job: SolveJob, layer: int, seeds: Sequence[Seeds], root: tuple[int, ...] | None
) -> Iterator[Iterable[Keys]]:
    """The known keys of a layer before it is closed, run by run."""
    words = rules_of(job).packing.words
    for each in seeds:
        yield key_blocks(job.path(""), children_path(each.layer, each.part, layer), words)
    if root is not None:
        yield [np.array([root], np.uint64).view(np.int64)]


def with_moves(size: Size, facts: Iterable[dict[str, int]]) -> Size:
    """The size with the moves of further states."""
    found = list(facts)
    edges, inside = (sum(fact[key] for fact in found) for key in ("edges", "inside"))
    payoff = max(size.payoff, *(fact["payoff"] for fact in found))
    return Size(size.states, size.edges + edges, size.inside + inside, payoff)


def _parts_for(size: Size, words: int, memory: int) -> int:
    """The number of parts for a layer."""
    needed = _bytes(size, words, size.edges - size.inside)
    if needed <= memory:
        return 1
    # Moves inside a layer lead elsewhere too when it is cut into parts.
    return max(2, ceil(_bytes(size, words, min(size.edges, 3 * size.states)) / memory))


def _bytes(size: Size, words: int, others: int) -> int:
    return words * (BYTES_PER_KEY * size.states + BYTES_PER_OTHER * others) + BYTES_PER_EDGE * size.edges


def _in_parts(job: SolveJob, layer: int, blocks: Iterable[Keys], sample: Keys, size: Size, memory: int) -> Done:
    """Write the sorted keys of a layer, given in blocks, in parts; a `sample` of them tells where to cut."""
    rules = rules_of(job)
    parts = _parts_for(size, rules.packing.words, memory)
    # States that differ only by the mover, the lowest bit, stay together and count once.
    least = int(rules.tracks_mover)
    shift = max(least, shift_for(sample, _PREFIXES_PER_PART * parts) if parts > 1 else 0)
    states, distinct_states, last = [0] * parts, 0, np.empty((0, rules.packing.words), np.int64)
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
    facts = {"parts": parts, "shift": shift, "distinct": distinct_states, **asdict(size), "states": states}
    return Done(files, facts)


def _check_layers(rules: CompiledRules, layer: int, keys: Keys) -> None:
    """Check on a sample that the compiled layers equal those of the rules."""
    if rules.translation.gives("layer"):
        states, _ = rules.states(keys[:: len(keys) // _SAMPLED + 1])
        found = {rules.game.layer(state) for state in states}  # type: ignore[attr-defined]
        if found != {layer}:
            raise CannotCompile("compiled rules give other layers than the rules do")


# -------------------------------------------------------------------- in files


_SAMPLE = 1 << 18


def _path(layer: int, what: str, turn: int, chunk: int = 0) -> str:
    return f"{WORK}/layer={layer:04d}/{what}-{turn:06d}-{chunk:06d}"


def begin(job: SolveJob, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None, chunk: int) -> Done:
    """Write the first states to explore, in files of `chunk` states each."""
    keys = merged(list(_seed_blocks(job, layer, seeds, root)), rules_of(job).packing.words)
    return _in_chunks(job, layer, 0, keys, chunk, Size(0, 0, 0, 0))


def _in_chunks(
    job: SolveJob, layer: int, turn: int, blocks: Iterable[Keys], chunk: int, size: Size, *known: File
) -> Done:
    """Write the next keys to explore in files of `chunk` keys each, beside what is `known`, whose size is given."""
    files, waiting, count, states = list[File](), list[Keys](), 0, 0

    def written(keys: Keys) -> File:
        return write_keys(job.path(""), _path(layer, "ahead", turn, len(files)), keys)

    for block in blocks:
        waiting.append(block)
        count, states = count + len(block), states + len(block)
        while count >= chunk:
            keys = np.concatenate(waiting)
            files.append(written(keys[:chunk]))
            waiting, count = [keys[chunk:]], count - chunk
    if count:
        files.append(written(np.concatenate(waiting)))
    return Done((*known, *files), {"chunks": len(files), "ahead": states, "size": asdict(size)})


def reach(job: SolveJob, layer: int, turn: int, chunk: int, most: int) -> Done:
    """Write the explored states of a chunk and, apart from them, their children in the layer, about `most` in all."""
    rules, folder = rules_of(job), job.path("")
    seeds = read_keys(folder, _path(layer, "ahead", turn, chunk), rules.packing.words)
    keys, ahead, size = closed(rules, layer, seeds, most, one_move=True)
    files = (
        write_keys(folder, _path(layer, "reached", turn, chunk), keys),
        write_keys(folder, _path(layer, "beyond", turn, chunk), ahead),
    )
    return Done(files, {"edges": size.edges, "inside": size.inside, "payoff": size.payoff})


def join(job: SolveJob, layer: int, turn: int, chunks: int, size: Size, chunk: int) -> Done:
    """Write what is known after `turn` rounds, and the states that the last one found, in chunks.

    `size` counts the states known before, and all moves so far.
    """
    words, folder = rules_of(job).packing.words, job.path("")

    def blocks(what: str, turn: int, number: int) -> Iterator[Keys]:
        return key_blocks(folder, _path(layer, what, turn, number), words)

    runs = [blocks("reached", turn - 1, number) for number in range(chunks)]
    if size.states:
        runs.append(blocks("known", turn - 1, 0))
    states = 0
    with KeyWriter(folder, _path(layer, "known", turn)) as writer:
        for keys in merged(runs, words):
            writer.add(keys)
            states += len(keys)
        known = writer.commit()
    found = merged([blocks("beyond", turn - 1, number) for number in range(chunks)], words)
    fresh = without(found, key_blocks(folder, known.path, words), words)
    return _in_chunks(job, layer, turn, fresh, chunk, replace(size, states=states), known)


def finish(job: SolveJob, layer: int, turn: int, size: Size, memory: int) -> Done:
    """Write the keys of a layer in parts, when no more are found."""
    words = rules_of(job).packing.words

    def blocks() -> Iterator[Keys]:
        return key_blocks(job.path(""), _path(layer, "known", turn), words)

    step = size.states // _SAMPLE + 1
    sample = np.concatenate([keys[::step] for keys in blocks()])
    return _in_parts(job, layer, blocks(), sample, size, memory)
