"""What work is being done and how far it has come, as a text that also holds its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Doing", "Progress"]


class Doing(str):
    """What is being done, in words, such as `solving (27 % done)`.

    step      the same without how far it has come
    part      how much of this step is done, and how much there is in all; None where that is not known
    expected  how many states there probably are in all; None where nothing is known
    engine    what runs the rules, `plain` or `compiled`
    """

    step: str
    part: tuple[int, int] | None
    expected: float | None
    engine: str

    def __new__(
        cls,
        step: str,
        *,
        extent: str = "",
        part: tuple[int, int] | None = None,
        expected: float | None = None,
        engine: str = "plain",
    ) -> Doing:
        """The text with its numbers; `extent` is how far the work has come, where that is no part of a total."""
        if part is not None and part[1]:
            extent = f" ({100 * part[0] // part[1]} % done)"
        made = super().__new__(cls, f"{step}{extent}")
        made.step, made.part, made.expected, made.engine = step, part, expected, engine
        return made

    def among(self, lower: float, upper: float) -> Doing:
        """The same with the range that the number of all states probably lies in."""
        low, high = (f"{end:.1e}".replace("e+0", "e").replace("e+", "e") for end in (lower, upper))
        middle = (lower * upper) ** 0.5
        return Doing(
            self.step, extent=f"{self[len(self.step) :]}, of some {low} to {high}", expected=middle, engine=self.engine
        )


Progress: TypeAlias = Callable[[Doing, int], None]
"""Called now and then with what is being done (a text) and how many states have been met."""
