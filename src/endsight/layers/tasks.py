"""The four tasks: each reads committed files, writes new ones, and returns only names and counts.

    expand   keys of one part of a layer      -> their children, sorted, a file for each part of the next layer
    merge    the children for one part        -> its keys
    reply    the questions about one part     -> the scores, in the order of the questions
    gather   keys of one part and all replies -> its scores

A task is a pure function of its inputs, so running it twice, or in two places, is harmless.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.algorithms.loops import loop_text
from endsight.base.atomic import make_folder
from endsight.compiler.kernels.core import BATCH, Code
from endsight.compiler.kernels.ends import Arena, Known, find_bounds
from endsight.compiler.layers import OUTSIDE_TOP
from endsight.compiler.memory import zeros
from endsight.compiler.packing import Packing
from endsight.compiler.rules import CompiledRules
from endsight.compiler.tables import scratch
from endsight.errors import FileError
from endsight.game.limits import Budget
from endsight.layers.arrays import Keys, distinct, keys_of, part_of, places_of, words_of
from endsight.layers.job import Job, rules_of
from endsight.layers.kernel_runs import KernelRun
from endsight.layers.parts import Scores, children_of, scores_of
from endsight.layers.scoring import Scoring
from endsight.layers.segments import read_keys, read_scores, write_keys, write_scores
from endsight.storage.checkpoint import WORK, File
from endsight.storage.ordering import columns_of, packed_words

Refusal: TypeAlias = Literal["chance", "form", "scale", "loops"]
"""Why work on files must be done another way: see `Done` and `Work`."""


ARRANGED = "-arranged"
"""The suffix of files in another order."""


@dataclass(frozen=True)
class Cut:
    """The division of two layers: parts of the first, parts of the next, and the key bits that determine the latter.

    Where both have one part (`is_whole`), its children are the next layer and need neither
    `merge` nor `reply`.
    """

    sources: int
    targets: int
    shift: int

    @property
    def is_whole(self) -> bool:
        """Whether both layers are one part."""
        return self.sources == self.targets == 1


@dataclass(frozen=True)
class Done:
    """The result of a task: the files it wrote, and counts by name.

    `refusal` is set where it wrote none, as the work must be done another way: `chance` where dice or cards decide
    unexpectedly, `form` where a payoff is no win, draw or loss, `scale` where an amount is too large.
    """

    files: tuple[File, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    refusal: Refusal | None = None


def keys_path(layer: int, part: int) -> str:
    """The file of a part's keys."""
    return f"{WORK}/layer={layer:04d}/keys-{part:04d}"


def ask_path(layer: int, part: int, target: int) -> str:
    """The file of a part's children that belong to the part `target` of the next layer."""
    return f"{WORK}/layer={layer:04d}/ask-{part:04d}-{target:04d}"


def answer_path(layer: int, part: int, target: int) -> str:
    """The file of their scores."""
    return f"{WORK}/layer={layer:04d}/answer-{part:04d}-{target:04d}"


def scores_path(layer: int, part: int) -> str:
    """The file of a part's scores, in the order of its keys."""
    return f"{WORK}/layer={layer:04d}/scores-{part:04d}"


# -------------------------------------------------------------------- forwards


def expand(job: Job, layer: int, part: int, cut: Cut, expected: int, measures: bool) -> Done:
    """Write the children of a part (about `expected` of them), split among the parts of the next layer.

    Refuses `chance`, unless it `measures` the numbers of a game with chance.
    """
    rules = rules_of(job)
    keys = read_keys(job.path(""), keys_path(layer, part), rules.packing.words)
    found = children_of(rules, keys, Budget(), expected, measures=measures)
    if found is None:
        return Done((), refusal="chance")
    facts: dict[str, Any] = {"children": len(found.children), "edges": found.edges}
    if found.measure is not None:
        facts["measure"] = found.measure.document()
    if cut.is_whole:
        written = _write_part(job, layer + 1, 0, found.children)
        return Done(written.files, facts | written.facts)
    owner = part_of(found.children, cut.shift, cut.targets) if cut.targets > 1 else None
    files = []
    for target in range(cut.targets):
        own = found.children if owner is None else found.children[owner == target]
        files.append(write_keys(job.path(""), ask_path(layer, part, target), own))
    return Done(tuple(files), facts)


def merge(job: Job, layer: int, part: int, sources: int) -> Done:
    """Write the keys of a part: the children that the parts of the layer before found for it."""
    words = rules_of(job).packing.words
    asked = [read_keys(job.path(""), ask_path(layer - 1, source, part), words) for source in range(sources)]
    return _write_part(job, layer, part, distinct(asked, words))


def _write_part(job: Job, layer: int, part: int, keys: Keys) -> Done:
    make_folder(job.path(keys_path(layer, part)).parent)
    file = write_keys(job.path(""), keys_path(layer, part), keys)
    return Done((file,), {"states": len(keys), "fingerprint": fingerprint(keys)})


def fingerprint(keys: Keys) -> int:
    """A sum over all keys that does not depend on their order or parts."""
    words = keys.view(np.uint64)
    mixed = np.zeros(len(keys), np.uint64)
    for word in range(keys.shape[1]):
        mixed = (mixed ^ words[:, word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return int((mixed * np.uint64(0xBF58476D1CE4E5B9)).sum(dtype=np.uint64))


# -------------------------------------------------------------------- backwards


def reply(job: Job, layer: int, part: int, askers: int, columns: int) -> Done:
    """Write the scores (of `columns` numbers each) that the parts of the layer before need from this one."""
    words = rules_of(job).packing.words
    keys = read_keys(job.path(""), keys_path(layer, part), words)
    scores = read_scores(job.path(""), scores_path(layer, part), columns)
    files = []
    for asker in range(askers):
        path = ask_path(layer - 1, asker, part)
        places = places_of(read_keys(job.path(""), path, words), keys)
        if len(scores) != len(keys) or (len(places) and int(places.min()) < 0):
            raise FileError(f"{job.path(path)} asks for states that {keys_path(layer, part)} lacks")
        files.append(write_scores(job.path(""), answer_path(layer - 1, asker, part), scores[places]))
    return Done(tuple(files))


def gather(job: Job, layer: int, part: int, cut: Cut, scoring: Scoring) -> Done:
    """Write the scores of a part; refuses `form` and `scale`."""
    rules = rules_of(job)
    folder, words = job.path(""), rules.packing.words
    keys = read_keys(folder, keys_path(layer, part), words)
    if cut.is_whole:
        asked, answered = [keys_path(layer + 1, 0)], [scores_path(layer + 1, 0)]
    else:
        asked = [ask_path(layer, part, target) for target in range(cut.targets)]
        answered = [answer_path(layer, part, target) for target in range(cut.targets)]
    children = [read_keys(folder, path, words) for path in asked]
    answers = [read_scores(folder, path, scoring.columns) for path in answered]
    if list(map(len, children)) != list(map(len, answers)):
        raise FileError(f"the replies to {keys_path(layer, part)} are not as many as its questions")
    joined, known = _joined(children, words), _scores(answers, scoring.columns)
    del children, answers
    scores = backed_up(rules, keys, joined, known, scoring)
    if scores is None:
        return Done((), refusal=refusal_of(scoring))
    file = write_scores(folder, scores_path(layer, part), scores)
    return Done((file,), extremes(scores) if scoring.columns == 1 else {})


def backed_up(rules: CompiledRules, keys: Keys, children: Keys, known: Scores, scoring: Scoring) -> Scores | None:
    """Scores of `keys`, in the files' form, from those of all their children; None where the scoring does not fit.

    `children` are distinct, in any order; `known` has their scores.
    """
    if scoring.kind == "ends":
        return ends_of(rules, keys, children, known, scoring, Budget())
    is_win_loss = scoring.kind == "wins"
    small = packed(known.reshape(-1), is_win_loss)
    scores = scores_of(rules, keys, children, small, Budget(), is_win_loss=is_win_loss)
    return None if scores is None else packed(scores, is_win_loss)


def refusal_of(scoring: Scoring) -> Refusal:
    """Why a scoring does not fit."""
    return "scale" if scoring.kind == "ends" else "form"


# -------------------------------------------------------------------- collecting


def arrange(job: Job, _layer: int, keys: str, scores: str, packing: Packing, columns: int) -> Done:
    """Write the files of keys and scores of a part again, packed and sorted under another packing."""
    own, folder = rules_of(job).packing, job.path("")
    words = words_of(read_keys(folder, keys, own.words))
    words = packed_words(packing, own, columns_of(own, words))
    order = np.lexsort(words[::-1])
    rows = read_scores(folder, scores, columns)[order]
    return Done(
        (
            write_keys(folder, keys + ARRANGED, keys_of([word[order] for word in words])),
            write_scores(folder, scores + ARRANGED, rows),
        )
    )


# -------------------------------------------------------------------- helpers


def _joined(parts: Sequence[Keys], words: int) -> Keys:
    return np.concatenate(parts) if parts else np.empty((0, words), np.int64)


def _scores(parts: Sequence[Scores], columns: int) -> Scores:
    return np.concatenate(parts) if parts else np.empty(0 if columns == 1 else (0, columns), np.int64)


def extremes(scores: Scores) -> dict[str, int]:
    """Smallest and largest number above and below 0, for the form of the table; 0 where there is none."""
    wins, losses = scores[scores > 0], scores[scores < 0]
    return {
        "least_win": int(wins.min(initial=1 << 62)) if len(wins) else 0,
        "most_win": int(wins.max(initial=0)),
        "least_loss": int(-losses.max(initial=-(1 << 62))) if len(losses) else 0,
        "most_loss": int(-losses.min(initial=0)),
    }


def packed(scores: Scores, is_win_loss: bool) -> Scores:
    """Small numbers for the files, and back: wins and losses as 1 + distance with a sign, other values as they are."""
    return np.sign(scores) * (OUTSIDE_TOP + 1 - np.abs(scores)) if is_win_loss else scores


# Lower and upper ends of one part of a layer from those of its children, in memory.
#
# The lower ends are rounded down and the upper up at every state, in whole numbers of one machine word: by the same
# function as for a whole graph (see `algorithms.interval_kernels.backed_up`), so the numbers are equal.


Ends = npt.NDArray[np.int64]
"""Two columns: lower and upper end of the first player's future payoff, in units of the scoring."""

_STRIDE = 1 << 18
_ROOM = 1 << 10


def ends_of(
    rules: CompiledRules, keys: Keys, children: Keys, known: Ends, scoring: Scoring, budget: Budget
) -> Ends | None:
    """Ends of `keys` in their order, where `known` are those of all their children.

    None at an amount that is too large for the scale.
    `children` are distinct, in any order. Backward induction with outward rounding: R. E.
    Moore, *Interval analysis* (1966).
    """
    return _Run(rules, keys, children, budget).solve(known, scoring)


class _Run(KernelRun):
    """Children in a table by number, and buffers for the moves of a few states at a time."""

    stops: ClassVar = {
        Code.NOT_LAYERED: partial(FileError, "a move leads to a state that the files of the next layer lack"),
    }

    def __init__(self, rules: CompiledRules, keys: Keys, children: Keys, budget: Budget) -> None:
        super().__init__(rules, keys, budget)
        self.numbers = self.numbered(children)

    def make_buffers(self, room: int) -> None:
        """Make room for `room` children at a time, and for the moves to them."""
        super().make_buffers(room)
        self.places, self.signs = zeros(room, np.int32), zeros(room, np.int8)
        self.weights, self.gains = zeros(room), zeros(room)

    def solve(self, known: Ends, scoring: Scoring) -> Ends | None:
        """The ends of all keys; None where a coarser scale is needed."""
        kernel = self.rules.kernel(find_bounds, loop_text("backed_up"))
        ends = np.empty((len(self.order), 2), np.int64)
        known = known if len(known) else np.zeros((1, 2), np.int64)
        offsets, share = zeros(BATCH + 1), scratch(2)
        result = self.drive(
            lambda: kernel(
                self.keys(), Known(self.numbers, known, ends, scoring.bits, scoring.limit),
                Arena(offsets, self.places, self.weights, self.signs, self.gains),
                self.children, self.work(_STRIDE), share,
            ),
            "solving", Code.TOO_LONG,
        )  # fmt: skip
        return ends if result == Code.DONE else None
