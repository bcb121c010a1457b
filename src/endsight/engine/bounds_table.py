"""The table of bounds of a search as Python sees it: its size, its growth, single look-ups, and the file that keeps it.

The file is the table as it stands, between a line of JSON that describes it and the SHA-256 of all before. It is read
only for the same rules, packed in the same way, and only if it is as it was written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from time import monotonic
from typing import Any

from endsight.base.atomic import AtomicFile, blaming_disk
from endsight.base.plain_files import open_plain
from endsight.compiler.kernels import plain
from endsight.compiler.memory import reserved_words, words
from endsight.compiler.packing import Packing
from endsight.compiler.rules import CompiledRules, shared_kernel
from endsight.engine.kernels import transposition
from endsight.engine.kernels.doubling import double_buckets
from endsight.engine.tables import mixed, put, signed
from endsight.errors import FileError, QuestionError
from endsight.game.limits import Budget

_FIRST_BITS = 61
"""Bits of the first of two words."""
_WORD = 64
_FIRST_LOG, _LEAST_LOG = 16, 12
_STRIDE = 1 << 20
_UNLIMITED = 1 << 60
_ALL = (1 << _WORD) - 1


@dataclass(frozen=True)
class EntryLayout:
    """The layout of keys and bounds in an entry.

    packing      of the keys
    least, most  limits of every value; None where nothing is proven
    """

    packing: Packing
    bounds: tuple[int, int] | None

    @property
    def first_bits(self) -> int:
        """Bits of the first word of a key."""
        return max(1, self.packing.bits) if self.packing.words == 1 else _FIRST_BITS

    @property
    def value_bits(self) -> int:
        """Bits for one bound."""
        low, high = self.limits
        return (high - low).bit_length()

    @property
    def limits(self) -> tuple[int, int]:
        """The limits of every value, for kernels."""
        return self.bounds or (-_UNLIMITED, _UNLIMITED)

    @property
    def is_wide(self) -> bool:
        """Whether bounds take words of their own."""
        return self.first_bits + transposition.WORK_BITS + 2 * self.value_bits - _WORD > _LEAST_LOG

    @property
    def meta_bits(self) -> int:
        """Bits of an entry besides its part of the first word."""
        return transposition.WORK_BITS + (0 if self.is_wide else 2 * self.value_bits)

    @property
    def least_log(self) -> int:
        """The logarithm of the fewest buckets: their number must supply what an entry leaves out."""
        return max(0, self.first_bits + self.meta_bits - _WORD)

    @property
    def entry_words(self) -> int:
        """Words of an entry."""
        return self.packing.words + 2 * self.is_wide

    @property
    def constants(self) -> dict[str, int]:
        """The layout as constants for kernels."""
        low, high = self.limits
        return {
            "LEAST": low, "MOST": high, "WIDE": int(self.is_wide), "VALUE_BITS": self.value_bits,
            "VALUE_MASK": (1 << self.value_bits) - 1, "META_BITS": self.meta_bits, "ENTRY_WORDS": self.entry_words,
            "FIRST_MASK": (1 << self.first_bits) - 1, "FIRST_HALF": self.first_bits // 2 + 1,
        }  # fmt: skip


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "es_mixed": mixed,
    "es_unsigned_shift": lambda word, bits: (word & _ALL) >> bits,
    "es_load_acquire": lambda numbers, place: numbers[place],
    "es_store_release": lambda numbers, place, word: put(numbers, place, (signed(word),)),
}
"""What functions of kernels call, in Python."""


class BoundsTable:
    """Bounds of values by key, in memory that grows up to half of what may be used, and then forgets.

    With `most_buckets` it grows up to that many, or to as many as tell keys apart if that is more.
    """

    def __init__(self, layout: EntryLayout, budget: Budget, most_buckets: int | None = None) -> None:
        self.layout = layout
        self.budget = budget
        self.bucket_words = 2 * layout.entry_words
        most = max(budget.memory_left() // 2 // (8 * self.bucket_words), 1 << _LEAST_LOG)
        self.most_log = max(layout.least_log, (most_buckets or most).bit_length() - 1)
        self.words = reserved_words(self.bucket_words << self.most_log, halves=True)
        while self.bucket_words << self.most_log > len(self.words):
            self.most_log -= 1
        self.versions, self.busy = words(1 << transposition.VERSION_BITS), words(1 << transposition.BUSY_BITS)
        self.log_buckets = min(max(_FIRST_LOG, layout.least_log), self.most_log)
        given = {"KEY_WORDS": layout.packing.words, **layout.constants, **_OPERATIONS}
        of_kernels: Any = transposition  # what Python runs where it needs a single entry
        self._hashed, self._write = plain(of_kernels.es_hashed, **given), plain(of_kernels.es_write, **given)
        self._known: Callable[..., Any] = plain(of_kernels.es_known, **given)

    @property
    def memo(self) -> transposition.Memo:
        """The table in the form that kernels take."""
        return transposition.Memo(self.words, self.log_buckets, self.versions, self.busy)

    def grow(self, written: int, positions: int) -> None:
        """Double the table while more entries have been written than it has room for, as far as memory allows."""
        while written > 2 << self.log_buckets and self.log_buckets < self.most_log:
            self.budget.reserve((8 * self.bucket_words) << self.log_buckets, positions, "growing the table")
            self._double()

    def _double(self) -> None:
        kernel = shared_kernel(double_buckets, self.layout.packing.words)
        entry_words, meta_bits = self.layout.entry_words, self.layout.meta_bits
        for first in range(0, 1 << self.log_buckets, _STRIDE):
            stop = min(first + _STRIDE, 1 << self.log_buckets)
            kernel(self.words, self.log_buckets, first, stop, entry_words, meta_bits)
        self.log_buckets += 1

    def find(self, key: tuple[int, ...]) -> tuple[int, int]:
        """Bounds of the value of a key: LEAST and MOST where nothing is known."""
        low, high = self._known(self.memo, self.hashed(key), rest_of(key))
        return low, high

    def keep(self, key: tuple[int, ...], bounds: tuple[int, int]) -> None:
        """Keep bounds of a key as what took the most work, while no thread is working."""
        self._write(self.memo, self.hashed(key), rest_of(key), *bounds, (1 << transposition.WORK_BITS) - 1)

    def hashed(self, key: tuple[int, ...]) -> int:
        """The first word of a key, mixed."""
        return int(self._hashed(key[0] if len(key) == 1 else key))


def rest_of(key: tuple[int, ...]) -> int:
    """The second word of a key, 0 where there is none."""
    return key[1] if len(key) > 1 else 0


# -------------------------------------------------------------------- in a file


_FORMAT = "endsight search 1"
_LONGEST_HEAD = 1 << 12
_CHECKSUM = 65
"""Bytes of a SHA-256 in hexadecimal and a line end."""
_AT_ONCE = 1 << 20
_FIRST, _BETWEEN = 5.0, 20
"""Seconds before the first write; then the wait as a multiple of the time that writing took."""
_QUICK = 0.3
"""What is written within this many seconds is written once more when the search is stopped."""


class KeptSearch:
    """A file with the table of a search; raises `QuestionError` for rules that cannot be recognised later."""

    def __init__(self, path: Path, rules: CompiledRules, table: BoundsTable, budget: Budget) -> None:
        self.path, self.table, self.budget = path, table, budget
        if rules.identity is None:
            raise QuestionError(
                "what a search proves cannot be kept for these rules",
                found="rules that use something whose text cannot be read, so that they cannot be known again",
                advice="the same without --keep",
            )
        self._about = {
            "format": _FORMAT,
            "rules": sha256(rules.identity.encode()).hexdigest(),
            "bytes": sys.byteorder,
            "parts": rules.denominator,
            "symmetry": rules.has_symmetry,
            "mover": rules.tracks_mover,
            **table.layout.constants,
        }
        self._took = 0.0
        self._next = monotonic() + _FIRST

    def read(self) -> None:
        """Take over what an earlier search has left; nothing if there is no file.

        Raises `FileError` for a damaged file or a file of something else, `LimitReached` if it is too large.
        """
        with blaming_disk(self.path, "read"):
            try:
                file = open_plain(self.path)
            except FileNotFoundError:
                return
            with file:
                head = file.readline(_LONGEST_HEAD)
                self._read_words(file, head, self._buckets(head))

    def _buckets(self, head: bytes) -> int:
        """The logarithm of the number of buckets, from the first line."""
        try:
            about: Any = json.loads(head)
            buckets = about.pop("log_buckets")
            kind = about.get("format")
        except (ValueError, AttributeError, KeyError, RecursionError):
            buckets = kind = None
        if kind != _FORMAT or not isinstance(buckets, int):
            raise self._refused("is not what a search of this version of endsight has kept")
        if about != self._about:
            raise self._refused("was kept by a search of other rules, or of the same with other settings")
        if buckets > self.table.most_log:
            raise self.budget.memory_is_out(f"reading {self.path}")
        return buckets

    def _read_words(self, file: BufferedReader, head: bytes, log_buckets: int) -> None:
        words = self.table.words[: self.table.bucket_words << log_buckets]
        self.budget.reserve(8 * len(words), 0, f"reading {self.path}")
        seen = sha256(head)
        for first in range(0, len(words), _AT_ONCE):
            part = words[first : first + _AT_ONCE].cast("B")
            if file.readinto(part) != len(part):
                raise self._refused("is damaged: it is too short")
            seen.update(part)
        if file.read(_CHECKSUM + 1) != seen.hexdigest().encode() + b"\n":
            raise self._refused("is damaged: its checksum does not fit what is in it")
        self.table.log_buckets = log_buckets

    def _refused(self, what: str) -> FileError:
        return FileError(f"{self.path} {what}", advice="another file, or delete this one and begin anew")

    def look(self) -> None:
        """Write if the last time is long enough ago, and only while no thread is working."""
        if monotonic() >= self._next:
            self.write()

    def stop(self) -> None:
        """Write if that is quick: the time is up, or one more position has been searched."""
        if self._took < _QUICK:
            self.write()

    def write(self) -> None:
        """Replace the file with the table as it stands."""
        began = monotonic()
        words = self.table.words[: self.table.bucket_words << self.table.log_buckets]
        head = json.dumps({**self._about, "log_buckets": self.table.log_buckets})
        with AtomicFile(self.path) as file:
            file.write(head.encode() + b"\n")
            for first in range(0, len(words), _AT_ONCE):
                file.write(words[first : first + _AT_ONCE])
            file.write(file.sha256.encode() + b"\n")
            file.commit()
        self._took = monotonic() - began
        self._next = began + self._took + max(_FIRST, _BETWEEN * self._took)
