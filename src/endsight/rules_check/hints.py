"""Are the hints of rules usable? `bound` must never be less than play pays, and `order` must return whole numbers.

`before` and `ends` must leave out no state. No answer rests on any of them: they are used once they are proven for all
states (`compiler.hint_proofs`). This checks the visited states, and reports what prevents a proof for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import unwrap
from itertools import islice
from types import CodeType
from typing import Any

from endsight.base.deferred import deferred
from endsight.errors.rules_guard import brief
from endsight.game import Game
from endsight.game.derived import MOST_ENDS, gives_hint
from endsight.game.numbers import Number, is_exact
from endsight.game.protocol import declaration, likeliest_rule
from endsight.rules_check.asking import BROKEN
from endsight.rules_check.inspection import InspectedState, Inspector

with deferred(__name__):
    from endsight.compiler.hint_proofs import prove_before, prove_bound


def check_hints(inspector: Inspector, nodes: Mapping[Any, InspectedState | None]) -> None:
    """Record faults of `order`, `bound`, `before` and `ends` at visited states."""
    if gives_hint(inspector.game, "order"):
        _check_order(inspector, nodes)
    given = [hint for hint in ("bound", "before", "ends") if gives_hint(inspector.game, hint)]
    if given and (inspector.players != 1 or inspector.game.gives("to_move")):
        cure = f"drop {given[0]}: it is for one player who decides everything"
        inspector.warn(given[0], None, "is used only in games of one player without chance", cure)
        return
    if "bound" in given:
        _check_bound(inspector, nodes)
    if given[-2:] == ["before", "ends"]:
        _check_steps_back(inspector, nodes)
    elif given != [] and given[-1] != "bound":
        other = "ends" if given[-1] == "before" else "before"
        cure = f"write {declaration(other)} too, or drop {given[-1]}"
        inspector.warn(given[-1], None, f"is not used without {other}", cure)


def _check_order(inspector: Inspector, nodes: Mapping[Any, InspectedState | None]) -> None:
    for state, node in nodes.items():
        for move in node.moves if node else ():
            number = inspector.ask("order", state, move)
            if number is not BROKEN and type(number) is not int:
                inspector.fault("order", state, f"returns {brief(number)} for {brief(move)}", "return a whole number")
                return


def _check_bound(inspector: Inspector, nodes: Mapping[Any, InspectedState | None]) -> None:
    bounds = {state: inspector.ask("bound", state) for state in nodes}
    for state, bound in bounds.items():
        if bound is not BROKEN and not is_exact(bound):
            inspector.fault("bound", state, f"returns {brief(bound)}", "return an int or a Fraction")
            return
    if BROKEN in bounds.values():
        return
    reached = _reached(nodes)
    for state, least in reached.items():
        if bounds[state] < least:
            cure = "never promise less than play can yield: round up, or drop bound"
            inspector.fault("bound", state, f"says {bounds[state]}, and play from there brings {least}", cure)
    if not inspector.faults.listed():
        proof = prove_bound(inspector.game)
        cure = "for every move, bound(state) must be at least its reward and bound(play(state, move)) together"
        _tell_of(inspector, "bound", proof.refusal, cure)
        if proof.refusal is None and not proof.is_costly:
            cure = "let every move give less than 0, or drop bound"
            inspector.warn("bound", None, "is proven but not used: not every move costs something", cure)


def _check_steps_back(inspector: Inspector, nodes: Mapping[Any, InspectedState | None]) -> None:
    ends = inspector.ask("ends", read=lambda found: list(islice(found, MOST_ENDS + 1)))
    before = {state: inspector.ask("before", state, read=list) for state in nodes}
    yielded = [("ends", None, ends), *(("before", state, found) for state, found in before.items())]
    for rule, origin, found in yielded:
        if found is BROKEN or not all(inspector.is_state(rule, state, origin) for state in found):
            return
    more = "yield every such state; states beyond these do no harm"
    for state, node in nodes.items():
        if node is not None and node.payoff is not None and state not in ends:
            inspector.fault("ends", state, "leaves the state out, and play ends there", more)
        for child in node.children if node is not None else ():
            if state not in before.get(child, (state,)):
                inspector.fault("before", child, f"leaves out {brief(state)}, from which a move leads there", more)
    if not inspector.faults.listed():
        proof = prove_before(inspector.game)
        _tell_of(inspector, "before", proof.refusal, f"{more}; is it every one of all states within limits()?")
        if proof.refusal is None and not proof.never_gains:
            cure = "let no move give more than 0, or drop before and ends"
            inspector.warn("before", None, "is proven but not used: a move may bring more than 0", cure)


def _tell_of(inspector: Inspector, hint: str, refusal: str | None, cure: str) -> None:
    """Warn of a hint that is right in visited states but is not proven."""
    if refusal is not None:
        inspector.warn(hint, None, f"is not proven for all states within limits(): {refusal}", cure)


def _reached(nodes: Mapping[Any, InspectedState | None]) -> dict[Any, Number]:
    """The payoff of some play from each state to a visited end; the largest one where play does not come back."""
    before: dict[Any, list[tuple[Any, Number]]] = {}
    found: dict[Any, Number] = {}
    for state, node in nodes.items():
        if node is not None and node.payoff is not None:
            found[state] = node.payoff[0]
        for number, child in enumerate(node.children if node else ()):
            before.setdefault(child, []).append((state, sum(node.gains[number]) if node and node.gains else 0))
    waiting = list(found)
    seen = set(waiting)
    for state in waiting:
        for earlier, gain in before.get(state, ()):
            total = gain + found[state]
            found[earlier] = max(found.get(earlier, total), total)
            if earlier not in seen:
                seen.add(earlier)
                waiting.append(earlier)
    return found


def misspelt(game: Game) -> Iterator[tuple[str, str]]:
    """Names of the class that resemble an optional rule that it does not define, with that rule.

    A name that the class uses itself or annotates has another purpose.
    """
    kinds = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
    used = {name for kind in kinds for code in _codes(kind) for name in code.co_names}
    known = {"State", *game.parameters(), *used}
    for name in dict.fromkeys(name for kind in kinds for name in vars(kind)):
        rule = None if name.startswith(("_", "policy_")) or name in known else likeliest_rule(name)
        if rule is not None and not (game.gives(rule) if hasattr(Game, rule) else hasattr(game, rule)):
            yield name, rule


def _codes(kind: type) -> Iterator[CodeType]:
    """The code of everything that a class defines, inner functions included."""
    waiting = [code for value in vars(kind).values() if (code := _code(value)) is not None]
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]


def _code(value: Any) -> CodeType | None:
    function = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
    code = getattr(unwrap(function), "__code__", None)
    return code if isinstance(code, CodeType) else None
