"""Faults of a game's rules, collected by kind."""

from __future__ import annotations

from dataclasses import dataclass, replace

from endsight.base.printable import printable

MOST_KINDS = 20
"""The check stops at this many kinds of fault."""


@dataclass(frozen=True)
class Fault:
    """One fault of the rules.

    `rule` is the method (or `State`, `parameters`), `state` the text of the first state with the fault, None if no
    state is involved; `count` the number of occurrences; `place` the file and line where the rule begins, None if there
    is none.
    """

    rule: str
    state: str | None
    message: str
    cure: str
    count: int = 1
    place: str | None = None

    @property
    def again(self) -> str:
        """The further occurrences as text: `once more`, `59 more times`."""
        return "once more" if self.count == 2 else f"{self.count - 1:,} more times"

    def __str__(self) -> str:
        where = f" in {self.state}" if self.state is not None else ""
        again = f" (and {self.again})" if self.count > 1 else ""
        text = f"{printable(f'{self.rule}: {self.message}{where}{again}')}\n  cure: {printable(self.cure)}"
        return text if self.place is None else f"{text}\n  place: {printable(self.place)}"


class Faults:
    """Faults by kind: the same rule with the same cure counts as one."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Fault] = {}

    def add(self, fault: Fault) -> None:
        """Record a fault, or count it if one of its kind is known."""
        key = fault.rule, fault.cure
        known = self._found.get(key)
        self._found[key] = fault if known is None else replace(known, count=known.count + 1)

    def __len__(self) -> int:
        return len(self._found)

    @property
    def is_full(self) -> bool:
        """Whether to stop the check."""
        return len(self._found) >= MOST_KINDS

    def listed(self) -> tuple[Fault, ...]:
        """One fault of each kind, in order of discovery."""
        return tuple(self._found.values())
