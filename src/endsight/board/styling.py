"""The part of the style sheet that one picture needs."""

from __future__ import annotations

import re

from endsight.board.shapes import file_text

__all__ = ["style_for"]

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"--([a-z0-9-]+):[^;}]*;?")
_ROOT = ".es-board"


def style_for(drawn: str) -> str:
    """The rules for classes that are drawn, and the colours that these and the drawing name, within `.es-board`."""
    classes = {_ROOT[1:], *" ".join(re.findall(r'class="([^"]*)"', drawn)).split()}
    rules = "".join(rule[0] for rule in _RULE.finditer(file_text("pieces.css")) if _is_met(rule[1], classes))
    colours = set(re.findall(r"var\(--([a-z0-9-]+)\)", drawn + rules))

    def kept(found: re.Match[str]) -> str:
        return found[0] if found[1] in colours else ""

    palette = _VARIABLE.sub(kept, file_text("palette.css")).replace(":root", _ROOT)
    return (palette + rules).replace("\n", "")


def _is_met(selectors: str, classes: set[str]) -> bool:
    """Whether one of the selectors of a rule can select something."""
    return any(set(re.findall(r"\.(es-[a-z-]+)", selector)) <= classes for selector in selectors.split(","))
