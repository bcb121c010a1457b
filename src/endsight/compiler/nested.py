"""What stands for lists of lists during translation, such as the rows of a board; see `nested_lists`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from endsight.compiler import core

if TYPE_CHECKING:
    from endsight.compiler.flow import Value


@dataclass(frozen=True)
class Outer:
    """A list of `height` lists of `width` items each; `held` is the name of the list of all items."""

    held: str
    height: int
    width: int

    @property
    def free(self) -> list[str]:
        """Names of the function that it stands for."""
        return [self.held]


@dataclass(frozen=True)
class Inner:
    """One of the lists in a list, by its number, which is known or has a name that is assigned once."""

    outer: Outer
    place: core.Expr

    @property
    def free(self) -> list[str]:
        """Names of the function that it stands for."""
        return [*self.outer.free, *([self.place.name] if isinstance(self.place, core.Local) else [])]


@dataclass(frozen=True)
class Together:
    """A tuple of values, some of which are such lists: it is taken apart where it is made."""

    values: tuple[Value, ...]

    @property
    def free(self) -> list[str]:
        """Names of the function that it stands for."""
        return [name for value in self.values if isinstance(value.known, NESTED) for name in value.known.free]


NESTED = (Outer, Inner, Together)
