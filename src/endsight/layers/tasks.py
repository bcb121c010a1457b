"""The tasks of a solve on files: each reads committed files, writes new ones, and returns only names and counts.

    expand   keys of one part                       -> their children, in files by layer and part
    merge    the children for one part of a layer   -> its keys
    score    keys of one part, scores of children   -> its scores, as far as they follow
    choose   the same where all scores are known    -> forced moves, which keep play from looping
    arrange  keys and scores of one part            -> the same in another order

Where play can stay in a layer, `close_tasks` find its keys in place of `merge`; and where it then has several parts,
`score` runs for all of them repeatedly until nothing changes: in a game without loops a state is scored once its
children are; where play may loop, scores begin with that of endless play, and approach the right ones each time.

A task is a pure function of its inputs, so running it twice, or in two places, is harmless.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from endsight.algorithms.edge_arrays import edges_of
from endsight.compiler.driver import REASONS
from endsight.compiler.kernels.core import Code
from endsight.compiler.packing import Packing
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import FileError
from endsight.layers.arrays import Keys, distinct, part_of, places_of
from endsight.layers.job import SolveJob, rules_of
from endsight.layers.parts import Scores, backed_up, children_of, inside_of, layers_of, narrowed, widened
from endsight.layers.scoring import Scoring
from endsight.layers.segments import read_keys, read_scores, write_keys, write_scores
from endsight.storage.checkpoint import WORK, File
from endsight.storage.keys import columns_of, packed_words, rows_of, words_of

Refusal: TypeAlias = Literal["chance", "form", "scale", "loops"]
"""Why work on files must be done another way: see `Done` and `SolveWork`."""

UNKNOWN = -(1 << 62)
"""The score, or the lower end, of an unknown state."""
ARRANGED = "-arranged"
"""The suffix of files in another order."""


@dataclass(frozen=True)
class Done:
    """The result of a task: the files it wrote, and counts by name.

    `refusal` is set where it wrote none, as the work must be done another way: `chance` where dice or cards decide
    unexpectedly, `form` where a payoff is no win, draw or loss, `scale` where an amount is too large.
    """

    files: tuple[File, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Seeds:
    """The states of a layer that one part of an earlier one leads to."""

    layer: int
    part: int


@dataclass(frozen=True)
class ChildScores:
    """The scores of a part's children in one layer.

    layer    that they are in
    sweep    that wrote its scores; -1 for none yet
    asked    the files of these children, each with the parts of the layer that they are in
    """

    layer: int
    sweep: int
    asked: tuple[tuple[str, tuple[int, ...]], ...]


def keys_path(layer: int, part: int) -> str:
    """The file of a part's keys."""
    return f"{WORK}/layer={layer:04d}/keys-{part:04d}"


def children_path(layer: int, part: int, target: int, group: int = 0) -> str:
    """The file of one group of a part's children in the layer `target`."""
    return f"{WORK}/layer={layer:04d}/children-{part:04d}-{target:04d}-{group:04d}"


def scores_path(layer: int, part: int, sweep: int) -> str:
    """The file of a part's scores after `sweep` sweeps, in the order of its keys."""
    return f"{WORK}/layer={layer:04d}/scores-{part:04d}-{sweep:06d}"


def chosen_path(layer: int, part: int) -> str:
    """The file of a part's scores with the numbers of forced moves."""
    return f"{WORK}/layer={layer:04d}/chosen-{part:04d}"


# -------------------------------------------------------------------- children in files


Group: TypeAlias = tuple[int, str, Keys]
"""Children of a part: their layer, the file for them, and their keys."""


@dataclass(frozen=True)
class ByMoves:
    """All children are in the next layer, which has `targets` parts by the upper bits of the key; see `part_of`.

    The children of a layer of one part are the keys of the next one.
    """

    sources: int
    targets: int
    shift: int

    def groups(self, _rules: CompiledRules, layer: int, part: int, children: Keys) -> Iterator[Group]:
        """A file for each part of the next layer."""
        owner = part_of(children, self.shift, self.targets) if self.targets > 1 else None
        for target in range(self.targets) if len(children) else ():
            own = children if owner is None else children[owner == target]
            yield layer + 1, self._path(layer, part, target), own

    def asked(self, layer: int, part: int, _target: int, _parts: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Each file has the children of one part."""
        return tuple((self._path(layer, part, each), (each,)) for each in range(self.targets))

    def _path(self, layer: int, part: int, target: int) -> str:
        if self.sources == 1:
            return keys_path(layer + 1, target)
        return children_path(layer, part, layer + 1, target)


@dataclass(frozen=True)
class ByRules:
    """The rules tell the layer of each child; the layer itself has so many `parts`."""

    parts: int
    shift: int

    def groups(self, rules: CompiledRules, layer: int, part: int, children: Keys) -> Iterator[Group]:
        """A file for each layer."""
        layers = layers_of(rules, children)
        if len(layers) and int(layers.min()) < layer:
            raise CannotCompile(REASONS[Code.NOT_LAYERED])
        is_own = layers == layer
        if self.parts > 1:
            is_own &= part_of(children, self.shift, self.parts) == part
        for target in map(int, np.unique(layers[~is_own])):
            yield target, children_path(layer, part, target), children[(layers == target) & ~is_own]

    def asked(self, layer: int, part: int, target: int, parts: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """One file has the children of all parts."""
        return ((children_path(layer, part, target), tuple(range(parts))),)


Division: TypeAlias = ByMoves | ByRules
"""How the children of each part of a layer are divided among files."""

# -------------------------------------------------------------------- forwards


def expand(job: SolveJob, layer: int, part: int, division: Division, expected: int, measures: bool) -> Done:
    """Write the children of a part (about `expected` of them); facts are how many there are in each file, by layer.

    Refuses `chance`, unless it `measures` the numbers of a game with chance.
    """
    rules = rules_of(job)
    keys = read_keys(job.path(""), keys_path(layer, part), rules.packing.words)
    found = children_of(rules, keys, expected, measures=measures)
    if found is None:
        return Done((), refusal="chance")
    files, targets = list[File](), dict[str, list[int]]()
    children, measure = found
    for target, path, own in division.groups(rules, layer, part, children):
        files.append(write_keys(job.path(""), path, own))
        targets.setdefault(str(target), []).append(len(own))
    facts: dict[str, Any] = {"targets": targets, "fingerprint": fingerprint(keys)}
    if measure is not None:
        facts["measure"] = asdict(measure)
    return Done(tuple(files), facts)


def merge(job: SolveJob, layer: int, part: int, seeds: tuple[Seeds, ...]) -> Done:
    """Write the keys of a part: the children that the parts of the layer before found for it."""
    words, folder = rules_of(job).packing.words, job.path("")
    found = [read_keys(folder, children_path(each.layer, each.part, layer, part), words) for each in seeds]
    keys = distinct(found, words)
    return Done((write_keys(job.path(""), keys_path(layer, part), keys),), {"states": len(keys)})


def fingerprint(keys: Keys) -> int:
    """A sum over all keys that does not depend on their order or parts."""
    words = keys.view(np.uint64)
    mixed = np.zeros(len(keys), np.uint64)
    for word in range(keys.shape[1]):
        mixed = (mixed ^ words[:, word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return int((mixed * np.uint64(0xBF58476D1CE4E5B9)).sum(dtype=np.uint64))


# -------------------------------------------------------------------- backwards


def score(
    job: SolveJob, layer: int, part: int, sweep: int, sources: tuple[ChildScores, ...], scoring: Scoring, stays: bool
) -> Done:
    """Write the scores of a part as far as they follow from the `sources`; play `stays` in the layer, or leaves it.

    Facts are the numbers of scores that `changed` since the previous sweep and of `unknown` ones. Refuses `form` and
    `scale`.
    """
    rules, folder, columns = rules_of(job), job.path(""), scoring.columns
    keys = read_keys(folder, keys_path(layer, part), rules.packing.words)
    others, known = _known(job, sources, columns)
    before = read_scores(folder, scores_path(layer, part, sweep - 1), columns) if sweep else None
    if scoring.kind == "loops":
        known[known == UNKNOWN] = 0  # the score of endless play
        scores: Scores | None = narrowed(inside_of(rules, keys, others, pays=True).scores_from(widened(known)))
    elif stays:
        scores = _scored(rules, keys, others, known, before, scoring)
    else:
        scores = backed_up(rules, keys, others, known, scoring)
    if scores is None:
        return Done((), refusal="scale" if scoring.kind == "ends" else "form")
    rows = scores.reshape(-1, columns)
    facts = {"unknown": int((rows[:, 0] == UNKNOWN).sum()), "changed": len(rows)}
    if before is not None:
        facts["changed"] = int((rows != before.reshape(rows.shape)).any(axis=1).sum())
    file = write_scores(folder, scores_path(layer, part, sweep), scores)
    return Done((file,), facts | (extremes(scores) if columns == 1 else {}))


def _known(job: SolveJob, sources: Sequence[ChildScores], columns: int) -> tuple[Keys, Scores]:
    """The children of a part that lie outside it, and their scores."""
    folder, words = job.path(""), rules_of(job).packing.words
    children, scores = [np.empty((0, words), np.int64)], [np.empty((0, columns), np.int64)]
    for source in sources:
        for path, parts in source.asked:
            asked = read_keys(folder, path, words)
            found, left = np.full((len(asked), columns), UNKNOWN, np.int64), len(asked)
            for other in parts:
                own = keys_path(source.layer, other)
                places = places_of(asked, asked if path == own else read_keys(folder, own, words))
                is_there = places >= 0
                left -= int(is_there.sum())
                if source.sweep >= 0:
                    stored = read_scores(folder, scores_path(source.layer, other, source.sweep), columns)
                    found[is_there] = stored.reshape(-1, columns)[places[is_there]]
            if left:
                raise FileError(f"{job.path(path)} names states that no part has")
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
    inside = inside_of(rules, keys, others, pays=False)
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


def choose(job: SolveJob, layer: int, part: int, sweep: int, sources: tuple[ChildScores, ...]) -> Done:
    """Write the scores of a part with the forced moves; the fact is the largest number of one."""
    rules, folder = rules_of(job), job.path("")
    keys = read_keys(folder, keys_path(layer, part), rules.packing.words)
    others, known = _known(job, sources, 1)
    inside = inside_of(rules, keys, others, pays=True)
    own = read_scores(folder, scores_path(layer, part, sweep))
    forced = inside.forced(widened(np.concatenate((own, known))))
    file = write_scores(folder, chosen_path(layer, part), np.stack((own, forced), axis=1))
    return Done((file,), {"forced": int(forced.max(initial=-1))})


# -------------------------------------------------------------------- collecting


def arrange(job: SolveJob, _layer: int, keys: str, scores: str, packing: Packing, columns: int) -> Done:
    """Write the files of keys and scores of a part again, packed and sorted under another packing."""
    own, folder = rules_of(job).packing, job.path("")
    words = words_of(read_keys(folder, keys, own.words))
    words = packed_words(packing, own, columns_of(own, words))
    order = np.lexsort(words[::-1])
    rows = read_scores(folder, scores, columns)[order]
    return Done(
        (
            write_keys(folder, keys + ARRANGED, rows_of(tuple(word[order] for word in words))),
            write_scores(folder, scores + ARRANGED, rows),
        )
    )


def extremes(scores: Scores) -> dict[str, int]:
    """Smallest and largest number above and below 0, for the form of the table; 0 where there is none."""
    wins, losses = scores[scores > 0], scores[scores < 0]
    return {
        "least_win": int(wins.min(initial=1 << 62)) if len(wins) else 0,
        "most_win": int(wins.max(initial=0)),
        "least_loss": int(-losses.max(initial=-(1 << 62))) if len(losses) else 0,
        "most_loss": int(-losses.min(initial=0)),
    }
