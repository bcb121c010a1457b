"""What is proven while values are being found, or where a limit stopped that, and what is guessed, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from endsight.faces.advice import Said, bounds_text, unproven
from endsight.faces.web.problems import Problem
from endsight.faces.wording import capital
from endsight.game.numbers import number_in

__all__ = ["Guessed", "guessed", "proven_moves", "proven_so_far"]


def proven_so_far(view: Mapping[str, Any], document: Mapping[str, Any] | None, stopped: Problem | None) -> Said:
    """What is proven while values are being found, or why there are none."""
    if stopped is not None and stopped["status"] not in (503, 504):
        return Said("open", f"{stopped['title']}.", f"{capital(stopped['detail'])}. You can still play every move.")
    lower, upper = ((document or {}).get(end) or (document or {}).get("value") for end in ("lower", "upper"))
    told = unproven(view["players"], *(_ends(side) for side in (lower, upper)))
    return told if stopped is None else replace(told, reason=f"{capital(stopped['detail'])}. {told.reason}")


@dataclass(frozen=True)
class Guessed:
    """What games at random told of the moves: short texts, the move that looked best, and what the texts mean."""

    moves: Mapping[str, str]
    best: str
    note: str


def guessed(document: Mapping[str, Any] | None) -> Guessed | None:
    """The guesses of a worker's document in words; None where there are none."""
    if document is None or document["best"] is None or document["player"] == "chance":
        return None
    is_share = document["is_share"]
    moves = {
        move: f"{round(50 * (brought + 1))} %" if is_share else f"{brought:.3g}"
        for move, brought in document["moves"].items()
        if brought is not None
    }
    what = "how many of them {0} won, draws counted half" if is_share else "what they brought {0} on average"
    note = f"Guesses are from {document['games']:,} games at random, and prove nothing: {what}."
    return Guessed(moves, document["best"], note.format(document["player"]))


def proven_moves(document: Mapping[str, Any] | None) -> dict[str, str]:
    """What is proven about moves, as short texts."""
    rows = (document or {}).get("moves") or ()
    return {row["move"]: text for row in rows if (text := _bounds_text(row))}


def _bounds_text(row: Mapping[str, Any]) -> str:
    lower, upper = (_ends(row.get(end) or row.get("value")) or {} for end in ("lower", "upper"))
    return bounds_text(list(lower), lower, upper) if lower and upper else ""


def _ends(side: Mapping[str, Any] | None) -> dict[str, Fraction | None] | None:
    return (
        None
        if side is None
        else {name: None if end is None else Fraction(number_in(end)) for name, end in side.items()}
    )
