"""Calls every rule twice, and records faults in the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endsight.base.shortened import shortened
from endsight.errors import EndsightError, QuestionError
from endsight.errors.rules_guard import (
    brief,
    exception_text,
    is_ours,
    misfit_in,
    pass_on_limit,
    place_in_rules,
    place_of,
)
from endsight.game import Game
from endsight.game.protocol import declaration
from endsight.rules_check.faults import Fault, Faults
from endsight.rules_check.memory import Memory

BROKEN: Any = object()
"""The result of `Asker.ask` if the rule failed (the fault is already recorded)."""


class Complaint(Exception):
    """A result that is wrong in itself."""

    def __init__(self, message: str, cure: str) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure


class Asker:
    """Calls the rules of `game`, and records every fault."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults = Faults()
        self.warnings = Faults()
        self.twice = True
        self._memory = Memory(game)
        self._policies = [name for name in dir(game) if name.startswith("policy_")]

    def fault(self, rule: str, state: Any, message: str, cure: str) -> None:
        """Record a fault of `rule` in `state` (None for none)."""
        self.faults.add(self._found(rule, state, message, cure))

    def warn(self, rule: str, state: Any, message: str, cure: str) -> None:
        """Record an oddity that does not keep the game from being solved."""
        self.warnings.add(self._found(rule, state, message, cure))

    def _found(self, rule: str, state: Any, message: str, cure: str) -> Fault:
        rules = type(self.game)
        place = None if is_ours(rules) or ".py, line " in message else place_of(rules, rule)
        return Fault(rule, self._shown(state), message, cure, place=place)

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
        if isinstance(error, EndsightError):
            said = f"{rules.title()}: {rule} "
            is_ours = error.message.startswith(said)
            message = error.message.removeprefix(said) if is_ours else f"raises {type(error).__name__}: {error.message}"
            self.fault(rule, state, message, error.advice or error.allowed or "return an answer in every state")
            return
        method, place = place_in_rules(rules, error)
        is_misfit = method is not None and method == misfit_in(rules, error)
        self.fault(
            rule,
            state,
            f"raises {exception_text(error)}{f' ({place})' if place else ''}",
            f"write {declaration(rule)}" if is_misfit else "it must work in every state that play can reach",
        )

    def _unsteady(self, rule: str, state: Any, first: Any, second: Any) -> None:
        self.fault(
            rule,
            state,
            f"returns {brief(first)} the first time and {brief(second)} the second",
            "the result may depend only on the arguments and the parameters;"
            " dice and cards are moves of CHANCE with weights",
        )
