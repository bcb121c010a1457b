"""Calls every rule twice, and records faults in the results, and changes of the game's own attributes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

from endsight.base.printable import printable
from endsight.base.shortened import shortened
from endsight.errors import EndsightError, QuestionError
from endsight.errors.rules_guard import (
    brief,
    broken_rules,
    is_ours,
    pass_on_limit,
    place_of,
)
from endsight.game import Game
from endsight.game.derived import DERIVED
from endsight.game.equality import equal
from endsight.games import is_built_in

MOST_KINDS = 20
"""The check stops at this many kinds of fault."""
_SMALL = 300
"""Lists and dictionaries up to this size are compared after every call of a rule."""
BROKEN: Any = object()
"""The result of `Asker.ask` if the rule failed (the fault is already recorded)."""


class Complaint(Exception):
    """A result that is wrong in itself."""

    def __init__(self, message: str, cure: str) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure


@dataclass(frozen=True)
class RulesFault:
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
        self._found: dict[tuple[str, str], RulesFault] = {}

    def add(self, fault: RulesFault) -> None:
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

    def listed(self) -> tuple[RulesFault, ...]:
        """One fault of each kind, in order of discovery."""
        return tuple(self._found.values())


class Asker:
    """Calls the rules of `game`, and records every fault."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults = Faults()
        self.warnings = Faults()
        self.twice = True
        self._memory = EarlierAttributes(game)
        self._policies = [name for name in dir(game) if name.startswith("policy_")]

    def fault(self, rule: str, state: Any, message: str, cure: str) -> None:
        """Record a fault of `rule` in `state` (None for none)."""
        self.faults.add(self._found(rule, state, message, cure))

    def warn(self, rule: str, state: Any, message: str, cure: str) -> None:
        """Record an oddity that does not keep the game from being solved."""
        self.warnings.add(self._found(rule, state, message, cure))

    def _found(self, rule: str, state: Any, message: str, cure: str) -> RulesFault:
        rules = type(self.game)
        place = None if is_ours(rules) or ".py, line " in message else place_of(rules, rule)
        return RulesFault(rule, self._shown(state), message, cure, place=place)

    def _shown(self, state: Any) -> str | None:
        if state is None:
            return None
        try:
            text = self.game.show(state)
        except Exception as error:  # show may be what is broken
            pass_on_limit(error)
            text = repr(state)
        return shortened(text if isinstance(text, str) else repr(state), 200)

    def ask(self, rule: str, *arguments: Any, read: Callable[[Any], Any] | None = None) -> Any:
        """The result of `game.rule(*arguments)`, or `BROKEN`.

        It is called twice (while `twice` is set): rules are pure functions, so both results must be equal and nothing
        may have changed. `read` converts the result to something comparable.
        """
        method = getattr(self.game, rule)
        state = arguments[0] if arguments and isinstance(arguments[0], tuple) else None
        try:
            first = method(*arguments) if read is None else read(method(*arguments))
            second = first
            if self.twice:
                second = method(*arguments) if read is None else read(method(*arguments))
            # NaN differs from itself; its equal text lets it pass here, as it gets its own message.
            same = second is first or bool(first == second) or repr(first) == repr(second)
        except Complaint as complaint:
            self.fault(rule, state, complaint.message, complaint.cure)
            return BROKEN
        except RecursionError:
            self._endless(rule, state)
            return BROKEN
        except Exception as error:
            pass_on_limit(error)
            self._failed(rule, state, error)
            return BROKEN
        if not same:
            self._unsteady(rule, state, first, second)
        changed = self._memory.changed() if self.twice else None
        if changed is not None:
            self.fault(
                rule,
                state,
                f"changes self.{changed}",
                "only setup may set attributes; everything else goes into the state",
            )
        return first

    def ask_for(self, rule: str, is_right: Callable[[Any], bool], cure: str, *arguments: Any) -> Any:
        """Like `ask`; a result that is not right is a fault, too."""
        result = self.ask(rule, *arguments)
        if result is BROKEN or is_right(result):
            return result
        self.fault(rule, arguments[0] if arguments else None, f"returns {brief(result)}", cure)
        return BROKEN

    def _endless(self, rule: str, state: Any) -> None:
        if self.game.gives(rule):
            self.fault(rule, state, "never ends: it calls itself", "write it without recursion")
            return
        message = f"has a field whose type contains itself, so that there is no end of what {rule} would have to tell"
        self.fault(
            "State", None, message, "keep the parts in a tuple and let them name each other by their numbers in it"
        )

    def _failed(self, rule: str, state: Any, error: Exception) -> None:
        rules = type(self.game)
        if rule in self._policies and isinstance(error, QuestionError):
            return  # the rule itself says that it does not apply there
        if isinstance(error, QuestionError) and is_built_in(self.game):
            raise error  # such as a state with too many moves to list, which is no fault of the rules
        if isinstance(error, EndsightError):
            said = f"{rules.title()}: {rule} "
            is_ours = error.message.startswith(said)
            message = error.message.removeprefix(said) if is_ours else f"raises {type(error).__name__}: {error.message}"
            self.fault(rule, state, message, error.advice or error.allowed or "return an answer in every state")
            return
        broken = broken_rules(rules, error, rule)
        cure = f"write {broken.allowed}" if broken.allowed else "it must work in every state that play can reach"
        self.fault(rule, state, f"raises {broken.found}", cure)

    def _unsteady(self, rule: str, state: Any, first: Any, second: Any) -> None:
        self.fault(
            rule,
            state,
            f"returns {brief(first)} the first time and {brief(second)} the second",
            "the result may depend only on the arguments and the parameters;"
            " dice and cards are moves of CHANCE with weights",
        )


class EarlierAttributes:
    """The earlier values of the attributes of a game and its classes."""

    def __init__(self, game: Game) -> None:
        bases = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
        self.owners: list[Any] = [game, *bases]
        # Computed on first use and kept, so not a change.
        derived = {name for kind in bases for name, value in vars(kind).items() if isinstance(value, cached_property)}
        self.ignored = derived | set(DERIVED)
        self.take()

    def take(self) -> None:
        """Remember the current values."""
        self.attributes = [(vars(owner), dict(vars(owner))) for owner in self.owners]
        self.copies = [
            (value, copy.deepcopy(value), name)
            for now, _ in self.attributes
            for name, value in now.items()
            if isinstance(value, list | dict | set | bytearray) and _is_small(value)
        ]

    def changed(self) -> str | None:
        """The name of an attribute that has changed since it was last remembered."""
        # Both comparisons take the same object for equal without a closer check.
        try:
            for now, old in self.attributes:
                if now != old:
                    return self._named_change()
            for value, copied, _ in self.copies:
                if value != copied:
                    return self._named_change()
        except Exception as error:  # arrays and the like do not compare to a single truth value
            pass_on_limit(error)
            return self._named_change()
        return None

    def _named_change(self) -> str | None:
        names = (self._difference(now, old) for now, old in self.attributes)
        written = next((name for now, old, name in self.copies if not equal(now, old)), None)
        changed = next((name for name in names if name is not None), written)
        self.take()
        return changed

    def _difference(self, now: Mapping[str, Any], old: Mapping[str, Any]) -> str | None:
        for name in [*now, *(name for name in old if name not in now)]:
            is_ours = name in self.ignored or (name.startswith("__") and name.endswith("__"))
            if not is_ours and not (name in now and name in old and equal(now[name], old[name])):
                return name
        return None


def _is_small(value: Any) -> bool:
    """Whether a nested container has few items."""
    total = 0
    pending = [value]
    while pending and total <= _SMALL:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(islice(item.values(), _SMALL + 1))
        elif isinstance(item, list | tuple | set):
            pending.extend(islice(item, _SMALL + 1))
        total += 1
    return total <= _SMALL
