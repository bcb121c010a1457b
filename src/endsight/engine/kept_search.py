"""What a search has proven, kept in a file from which a later search continues: `KeptSearch`.

The file is the table of bounds as it stands, between a line of JSON that describes it and the SHA-256 of all before. It
is read only for the same rules, packed in the same way, and only if it is as it was written.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from time import monotonic
from typing import Any

from endsight.base.atomic import AtomicFile, blaming_disk
from endsight.base.plain_files import open_plain
from endsight.compiler.rules import CompiledRules
from endsight.engine.bounds_table import BoundsTable
from endsight.errors import FileError, QuestionError
from endsight.game.limits import Budget

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
