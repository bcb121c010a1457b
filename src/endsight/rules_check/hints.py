"""Are the hints of rules usable? `bound` must never be less than play pays, and `order` must return whole numbers.

No answer rests on either: a bound is used once it is proven for all states (`compiler.bound_proof`). This checks the
visited states, and reports what prevents a proof for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import unwrap
from types import CodeType
from typing import Any

from endsight.base.deferred import deferred
from endsight.errors.rules_guard import brief
from endsight.game import Game
from endsight.game.derived import gives_hint
from endsight.game.numbers import Number, is_exact
from endsight.game.protocol import likeliest_rule
from endsight.rules_check.asking import BROKEN
from endsight.rules_check.inspection import Inspector, Node

with deferred(__name__):
    from endsight.compiler.bound_proof import prove_bound


def check_hints(inspector: Inspector, nodes: Mapping[Any, Node | None]) -> None:
    """Record faults of `bound` and `order` at visited states."""
    if gives_hint(inspector.game, "order"):
        _check_order(inspector, nodes)
    if gives_hint(inspector.game, "bound"):
        _check_bound(inspector, nodes)


def _check_order(inspector: Inspector, nodes: Mapping[Any, Node | None]) -> None:
    for state, node in nodes.items():
        for move in node.moves if node else ():
            number = inspector.ask("order", state, move)
            if number is not BROKEN and type(number) is not int:
                inspector.fault("order", state, f"returns {brief(number)} for {brief(move)}", "return a whole number")
                return


def _check_bound(inspector: Inspector, nodes: Mapping[Any, Node | None]) -> None:
    if inspector.players != 1 or inspector.game.gives("to_move"):
        cure = "drop bound: it is for one player who decides everything"
        inspector.warn("bound", None, "is used only in games of one player without chance", cure)
        return
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
        _prove(inspector)


def _reached(nodes: Mapping[Any, Node | None]) -> dict[Any, Number]:
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


def _prove(inspector: Inspector) -> None:
    """Warn of a bound that is right in visited states but cannot be used."""
    proof = prove_bound(inspector.game)
    if proof.refusal is not None:
        cure = "for every move, bound(state) must be at least its reward and bound(play(state, move)) together"
        inspector.warn("bound", None, f"is not proven for all states within limits(): {proof.refusal}", cure)
    elif not proof.is_costly:
        cure = "let every move give less than 0, or drop bound"
        inspector.warn("bound", None, "is proven but not used: not every move costs something", cure)


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
