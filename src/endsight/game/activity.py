"""The current activity and its progress, as a text that also holds its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

ESTIMATING = "estimating the number of positions"
"""The step in which a census is taken."""
EXACT = "finding exact values"
PERHAPS_EXACT = f"perhaps {EXACT}"
"""The same as a later step of which it is not known yet whether it will follow."""


class Activity(str):
    """The current activity in words, such as `solving (27 % done)`.

    step        the same without the progress
    part        the finished amount of this step and its total; None where unknown
    ahead       how many visited states are still unexplored, during a breadth-first search
    is_growing  whether there have never been more of them
    bounds      the ends of the probable range of the total number of states; None where unknown
    engine      what runs the rules, `plain` or `compiled`
    later       steps that follow once all is solved, in order, each by the first words of its text
    """

    step: str
    part: tuple[int, int] | None
    ahead: int
    bounds: tuple[float, float] | None
    is_growing: bool
    expected: float | None
    engine: str
    later: tuple[str, ...]

    def __new__(
        cls,
        step: str,
        *,
        part: tuple[int, int] | None = None,
        ahead: int = 0,
        is_growing: bool = False,
        among: tuple[float, float] | None = None,
        expected: float | None = None,
        engine: str = "plain",
        later: tuple[str, ...] = (),
    ) -> Activity:
        """The text with its numbers; `among` is the probable range of the total number of states."""
        text = step
        if part is not None and part[1]:
            text += f" ({100 * part[0] // part[1]} % done)"
        elif ahead:
            text += f" ({ahead:,} ahead, {'growing' if is_growing else 'shrinking'})"
        if among is not None:
            low, high = (f"{end:.1e}".replace("e+0", "e").replace("e+", "e") for end in among)
            text, expected = f"{text}, of some {low} to {high}", (among[0] * among[1]) ** 0.5
        made = super().__new__(cls, text)
        made.step, made.part, made.expected, made.engine = step, part, expected, engine
        made.ahead, made.is_growing, made.later = ahead, is_growing, later
        made.bounds = among or (None if expected is None else (expected, expected))
        return made

    def among(self, lower: float, upper: float) -> Activity:
        """The same activity with a probable range for the total number of states."""
        return self.instead(self.step, (lower, upper))

    def instead(self, step: str, among: tuple[float, float] | None = None) -> Activity:
        """Another activity beside the same search."""
        kept = ("ahead", "is_growing", "engine", "later")
        return Activity(step, among=among, **{name: vars(self)[name] for name in kept})


Progress: TypeAlias = Callable[[Activity, int], None]
"""Called now and then with the current activity (a text) and the number of states visited so far."""
