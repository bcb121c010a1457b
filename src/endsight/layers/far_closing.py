"""A layer of the rules that does not fit into memory: its states are found breadth first, in files.

    begin    what earlier layers lead to            -> the first states to explore, a file for each chunk of them
    reach    one chunk                              -> its children in the layer, sorted
    join     chunks, their children, what is known  -> all that is known now, and the next chunks
    finish   what is known                          -> the keys of the layer in parts

Duplicates are dropped when a round is joined: Korf, "Best-first frontier search with delayed
duplicate detection" (2004).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from endsight.base.atomic import make_folder
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys
from endsight.layers.closing import closed
from endsight.layers.job import Job, rules_of
from endsight.layers.own_tasks import Seeds, Size, in_parts, seed_blocks, shift_of
from endsight.layers.segments import KeyWriter, key_blocks, read_keys, write_keys
from endsight.layers.streams import merged, without
from endsight.layers.tasks import Done
from endsight.storage.checkpoint import WORK, File

_SAMPLE = 1 << 18


def _path(layer: int, what: str, turn: int, chunk: int = 0) -> str:
    return f"{WORK}/layer={layer:04d}/{what}-{turn:06d}-{chunk:06d}"


def begin(job: Job, layer: int, seeds: tuple[Seeds, ...], root: tuple[int, ...] | None, chunk: int) -> Done:
    """Write the first states to explore, in files of `chunk` states each."""
    make_folder(job.path(_path(layer, "ahead", 0)).parent)
    words = rules_of(job).packing.words
    files, states = _in_chunks(job, layer, 0, merged(list(seed_blocks(job, layer, seeds, root)), words), chunk)
    return Done(tuple(files), {"chunks": len(files), "ahead": states} | _facts(Size(0, 0, 0, 0)))


def _facts(size: Size) -> dict[str, int]:
    return {"known": size.states, "edges": size.edges, "inside": size.inside, "payoff": size.payoff}


def _in_chunks(job: Job, layer: int, turn: int, blocks: Iterable[Keys], chunk: int) -> tuple[list[File], int]:
    """Write keys in files of `chunk` keys each; returns the files and the number of keys."""
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
    return files, states


def reach(job: Job, layer: int, turn: int, chunk: int, most: int) -> Done:
    """Write the explored states of a chunk and, apart from them, their children in the layer, about `most` in all."""
    rules, folder = rules_of(job), job.path("")
    seeds = read_keys(folder, _path(layer, "ahead", turn, chunk), rules.packing.words)
    found = closed(rules, layer, seeds, Budget(), most, one_move=True)
    files = (
        write_keys(folder, _path(layer, "reached", turn, chunk), found.keys),
        write_keys(folder, _path(layer, "beyond", turn, chunk), found.ahead),
    )
    return Done(files, {"edges": found.edges, "inside": found.inside, "payoff": found.payoff})


def join(job: Job, layer: int, turn: int, chunks: int, size: Size, chunk: int) -> Done:
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
    files, ahead = _in_chunks(job, layer, turn, fresh, chunk)
    return Done((known, *files), {"chunks": len(files), "ahead": ahead} | _facts(replace(size, states=states)))


def finish(job: Job, layer: int, turn: int, size: Size, memory: int) -> Done:
    """Write the keys of a layer in parts, when no more are found."""
    words = rules_of(job).packing.words

    def blocks() -> Iterator[Keys]:
        return key_blocks(job.path(""), _path(layer, "known", turn), words)

    step = size.states // _SAMPLE + 1
    sample = np.concatenate([keys[::step] for keys in blocks()])
    return in_parts(job, layer, blocks(), shift_of(sample, size.parts(words, memory)), size, memory)
