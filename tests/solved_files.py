"""Files that hold a solved game: written by the command, and read as their program reads them."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from typing import Any

from command_line import run


def solved_file(game: str, *options: str) -> str:
    """The file of a game, which must be written."""
    ending = run("page", game, *options, "-o", "-")
    assert ending.code == 0, ending.err
    return ending.out


class Reader:
    """Reads a file as its program does."""

    def __init__(self, page: str) -> None:
        self.about = json.loads(self._part(page, "tables"))
        self.stream = iter(self._part(page, "stream"))
        self.texts = self.about["texts"]
        self.positions = [self._position() for _ in range(self.about["count"])]
        assert next(self.stream, None) is None

    def _part(self, page: str, name: str) -> bytes:
        found = re.search(rf'<script type="text/plain" id="{name}">(.*?)</script>', page, re.DOTALL)
        assert found is not None
        return gzip.decompress(b64decode(found[1]))

    def _number(self) -> int:
        value, unit, byte = 0, 1, 128
        while byte > 127:
            byte = next(self.stream)
            value, unit = value + (byte & 127) * unit, unit * 128
        return value

    def _text(self) -> str:
        return str(self.texts[self._number()])

    def _position(self) -> dict[str, Any]:
        boards = ["".join(self._text() for _ in range(self._number())) for _ in range(self._number())]
        seen = [self._text() for _ in range(self._number())]
        mover = self._number()
        said = [self._text() for _ in range(6)]
        bar, label = self._number(), self._text()
        moves = {}
        for _ in range(self._number()):
            name = self._text()
            moves[name] = [self._text() for _ in range(5)], self._number() - 1, self._number(), self._number()
        shown = {"boards": boards, "seen": seen, "said": said}
        return {**shown, "mover": mover - 2, "bar": bar, "label": label, "moves": moves}
