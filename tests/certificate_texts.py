"""Certificates made by hand as text, written from `docs/reference/certificate-format.md` alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from endsight import Certificate

__all__ = ["text_of", "text_of_numbers"]


def text_of(made: Certificate) -> str:
    """The certificate as JSON."""
    value = {name: [None if end is None else str(end) for end in ends] for name, ends in made.claim.value.items()}
    outcomes = made.claim.outcomes and [list(map(str, pair)) for pair in made.claim.outcomes]
    claim = asdict(made.claim) | {"value": value, "outcomes": outcomes}
    document = {"schema": made.schema, "version": made.version, "game": made.game, "claim": claim}
    document |= {"evidence": _written(made.evidence), "play": made.play and _written(made.play)}
    # Only fractions among the game's parameters are left.
    return json.dumps(document, default=lambda number: {"number": f"{number.numerator}/{number.denominator}"})


def _written(part: Any) -> dict[str, Any]:
    """Evidence, a play or a plan as an object: whole numbers and lists of them are texts."""
    fields = {name: getattr(part, name) for name in part.__dataclass_fields__}
    for name, item in fields.items():
        if name in ("choices", "values", "masses"):
            fields[name] = text_of_numbers(item)
        elif name == "nodes":
            fields[name] = text_of_numbers(node - before for node, before in zip(item, (0, *item), strict=False))
        elif name == "total":
            fields[name] = str(item)
        elif hasattr(item, "__dataclass_fields__"):
            fields[name] = _written(item)
    return fields


def text_of_numbers(items: Iterable[int]) -> str:
    """A list of whole numbers as one text."""
    return " ".join(str(item) if item.bit_length() < 10_000 else hex(item) for item in items)
