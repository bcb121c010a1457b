"""What a certificate may hold is bounded before anything is calculated, and nothing from it reaches a terminal raw."""

from __future__ import annotations

import base64
import json
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Any

import pytest

import endsight as es
from command_line import run
from endsight import Certificate


def squeezed(text: str) -> str:
    return "zlib:" + base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def plays(document: Any) -> dict[str, Any]:
    return document["evidence"]["at_least"]


def nested(document: Any) -> None:
    inner: list[Any] = []
    for _ in range(900):
        inner = [inner]
    document["game"]["parameters"]["heaps"] = inner


HUGE: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a list that grows to 100 MB": (
        lambda d: plays(d).update(choices=squeezed("0 " * 50_000_000)),
        "passes 67,108,864",
    ),
    "a list of 20 million": (
        lambda d: plays(d).update(choices=squeezed("0" + " 0" * 20_000_000)),
        "16,777,216 numbers",
    ),
    "a list cut off": (lambda d: plays(d).update(choices=squeezed("0 " * 5000)[:-8]), "a list of numbers that is cut"),
    "a scale of a million bits": (lambda d: plays(d).update(scale=[[2, 10**6]]), "a scale .* over 1,048,576 bits"),
    "a scale of astronomical size": (lambda d: plays(d).update(scale=[[10**9, 10**18]]), "a scale .* over"),
    "a decimal number of 5,000 digits": (lambda d: plays(d).update(values="9" * 5000), "instead of a whole number"),
    "a hexadecimal one of 400,000": (
        lambda d: plays(d).update(values="0x" + "f" * 400_000),
        "instead of a whole number",
    ),
    "a value of 400,000 digits": (
        lambda d: d["claim"]["value"].update(first="0x1" + "0" * 400_000),
        "whole number",
    ),
    "a value over 0": (lambda d: d["claim"]["value"].update(first="1/0"), "a number p/q"),
    "lists in lists": (nested, "make no game|that can be read"),
}


@pytest.fixture(scope="module")
def text() -> str:
    return es.prove(es.solve(es.games.Nim(heaps=(1, 2)), method="graph")).to_text()


@pytest.mark.parametrize("name", HUGE)
def test_what_is_huge_is_refused_before_work_begins(name: str, text: str) -> None:
    change, found = HUGE[name]
    document = json.loads(text)
    change(document)
    changed = json.dumps(document)
    tracemalloc.start()
    try:
        with pytest.raises(es.EndsightError, match=found):
            es.verify(Certificate.from_text(changed))
        assert tracemalloc.get_traced_memory()[1] < 300 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "content", [b"[" * 200_000, b"0," * 5_000_000, b" " * ((1 << 26) + 1)], ids=["deep", "wide", "long"]
)
def test_documents_are_bounded(content: bytes) -> None:
    with pytest.raises(es.FileError, match="is not a certificate"):
        Certificate.from_text(content)


# ---------------------------------------------------------------------- what is printed

ESCAPE = "x\x1b[31mred\x07\x9b2J"
LINES = "first\nverdict: proven\r\x0b\u2028\u0085"
MARKS = "\u202e\u2066\u200f\u200b\ufeff\x00\x7f\ud800[bold]"
MEAN = (ESCAPE, LINES, MARKS)
FIELDS: list[Callable[[Any, str], Any]] = [
    lambda document, text: document["game"].update(text=text),
    lambda document, text: document["game"].update({"class": text}),
    lambda document, text: document["game"].update({"class": text, "own": True}),
    lambda document, text: document["game"]["parameters"].update({text: 1}),
    lambda document, text: document["game"]["parameters"].update(heaps=text),
    lambda document, text: document["claim"].update(position=text),
    lambda document, text: document["claim"].update(set_up=text),
    lambda document, text: document["claim"]["fixed"].update(first=text),
    lambda document, text: document["claim"]["fixed"].update({text: "random"}),
    lambda document, text: document["claim"]["fixed"].update(first={"function": text, "sha256": text}),
    lambda document, text: document["claim"]["value"].update({text: "1"}),
    lambda document, text: document["claim"]["value"].update(first=text),
    lambda document, text: document["claim"].update(notion=text),
    lambda document, text: document["claim"].update(player=text, outcomes=[]),
    lambda document, text: document["evidence"].update(kind=text),
    lambda document, text: document.update(evidence={"kind": "theorem", "theorem": text, "witness": {text: text}}),
    lambda document, text: document.update(schema=text),
    lambda document, text: document.update({text: 1}),
    lambda document, text: plays(document).update(choices=text),
]


@pytest.mark.parametrize("number", range(len(FIELDS)))
def test_nothing_from_a_certificate_is_printed_raw(number: int, text: str, tmp_path: Any) -> None:
    from endsight.verifier.__main__ import main

    for mean in MEAN:
        document = json.loads(text)
        FIELDS[number](document, mean)
        file = tmp_path / "mean.cert"
        file.write_bytes(json.dumps(document).encode())
        said = run("verify", str(file))
        assert said.code in (0, 3, 4), said
        assert all(sign.isprintable() or sign in "\n " for sign in said.out + said.err), said
        assert main([str(file)]) in (0, 3, 4)


def test_long_parameters_are_told_apart() -> None:
    """Two games that differ in the middle of a list never read the same."""
    pots = list(range(1, 401))
    other = [*pots[:200], 0, *pots[201:]]
    first, second = (es.verify(es.prove(es.solve(es.games.Pots(line)))).claim for line in (pots, other))
    assert first.partition(" at the start")[0] != second.partition(" at the start")[0]
    assert "(400 items, SHA-256 " in first
