"""Many positions in few bytes: texts that stand once in a table, and numbers of seven bits a byte."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Iterable

__all__ = ["Packer"]

_PIECES = re.compile(r"<[^>]*>[^<]*")


class Packer:
    """Takes numbers and texts, one behind the other; a text is told by its number in a table."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.stream = bytearray()

    def numbers(self, *numbers: int) -> None:
        """Whole numbers from 0 up, the lowest seven bits first; the top bit of a byte says that more follow."""
        for number in numbers:
            left = number
            while left > 127:
                self.stream.append(left & 127 | 128)
                left >>= 7
            self.stream.append(left)

    def strings(self, *texts: str) -> None:
        """Texts by their numbers."""
        self.numbers(*(self.texts.setdefault(text, len(self.texts)) for text in texts))

    def markup(self, drawn: str) -> None:
        """HTML as a list of its elements, most of which many drawings have in common."""
        pieces = _PIECES.findall(drawn)
        self.numbers(len(pieces))
        self.strings(*pieces)

    def packed(self, about: dict[str, object]) -> dict[str, str]:
        """Both parts for a file, compressed, as text: `tables` (JSON, with `about`) and `stream`."""
        tables = json.dumps(about | {"texts": list(self.texts)}, ensure_ascii=False, separators=(",", ":"))
        return {"tables": _compressed(tables.encode()), "stream": _compressed(bytes(self.stream))}


def _compressed(data: bytes) -> str:
    return "".join(_lines(b64encode(gzip.compress(data, 9, mtime=0)).decode()))


def _lines(text: str) -> Iterable[str]:
    """Lines of a length that editors bear."""
    for start in range(0, len(text), 20_000):
        yield text[start : start + 20_000] + "\n"
