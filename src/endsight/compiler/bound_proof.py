"""A proof that a bound given by the rules never promises too little at any state, read from the text of the rules.

A bound states the most that is still to come. Call it *consistent* if it is at least the gain of any move plus the
bound after it, and at an end at least what is paid there. Then it is at least the total of any play that ends: by
induction over its moves from the end back. Consistency is a statement about single moves, so the rules are read for all
states at once (`unknown`), which are divided where a move depends on more of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from endsight.compiler import core
from endsight.compiler.interpreter import Faulty, Interpreter, Steps
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.translator import Unit, translated
from endsight.compiler.unknown import TOO_WIDE, Box, Unknown, bounds_of, chosen, compared, determined, mapped, total
from endsight.game import Game
from endsight.game.codec import Codec, Kind

_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_MOST_STATEMENTS = 3_000_000
_MOST_PARTS = 20_000
_ERRORS = frozenset(
    (
        "an index is out of range", "the key is not there", "the item is not there", "an assertion fails",
        "the rules raise an error", "division by zero", "pop from an empty list", "pop index out of range",
        "nothing comes next", "nothing to choose from", "a value is None", "the items do not fit the names",
        "the number of items is not that of the names", "a range with step 0", "zip meets different lengths",
    )
)  # fmt: skip
"""Faults where Python raises an error too: play never reaches states in which the rules do."""
_WIDE_OR_LONG = {TOO_WIDE: "too many numbers of a state play together in it", 0: "a number leaves its word"}
"""Faults at sites outside the program."""


@dataclass(frozen=True)
class BoundProof:
    """What is proven about all moves of all states.

    refusal    why the bound is not proven to be consistent; None if it is
    largest_gain    the largest gain of any move, in parts
    """

    refusal: str | None
    largest_gain: int | None

    @property
    def is_costly(self) -> bool:
        """Whether the bound is proven and every move costs something: then all best play ends."""
        return self.refusal is None and self.largest_gain is not None and self.largest_gain < 0


def prove_bound(game: Game) -> BoundProof:
    """Try to prove that the bound of a one-player game's rules is consistent at every state within its limits."""
    if any(each.sort not in ("whole", "items", "up to") for each in _kinds(Codec(game).kinds)):
        return BoundProof("states hold something else than whole numbers and tuples of them", None)
    try:
        return _Reader(game).proof()
    except CannotCompile as reason:
        return BoundProof(str(reason), None)


class _Reader:
    """The rules of one game, read for all states."""

    def __init__(self, game: Game) -> None:
        rules = ("moves", "play", "payoff", *(["reward"] if game.gives("reward") else []), "bound")
        self.unit = translated(game, rules)
        self.interpreter = _ForAllStates(self.unit)
        self.limits = Codec(game).limits
        self.has_state, self.has_rewards = "rule_state" in self.unit.program.functions, game.gives("reward")
        self.largest_gain: int | None = None
        self.asks_bound = False

    def proof(self) -> BoundProof:
        """The proof over every part of the states in turn."""
        waiting: list[tuple[int, ...]] = [()]
        parts = 0
        while waiting:
            parts += 1
            box = Box([range(limit + 1) for limit in self.limits], waiting.pop(), waiting)
            refusal = self._refusal_in(box) if parts <= _MOST_PARTS else "there are too many kinds of states to look at"
            if refusal is not None:
                return BoundProof(refusal, None)
        return BoundProof(None, self.largest_gain)

    def _refusal_in(self, box: Box) -> str | None:
        """Why the bound is not consistent in one part of the states; None if it is, or if the rules fail there."""
        self.asks_bound = False
        refusal, fault = _tried(lambda: self._inconsistency(box))
        if fault is None:
            found: str | None = refusal
            return found
        what = _WIDE_OR_LONG.get(fault) or self.unit.sites[fault - 1].what
        return None if what in _ERRORS and not self.asks_bound else what

    def _inconsistency(self, box: Box) -> str | None:
        numbers = [box.number(cell) for cell in range(len(box.allowed))]
        state = self._call("state", *numbers) if self.has_state else tuple(numbers)
        steps = [self._step(state, move) for move in self._call("moves", state)]
        steps = steps or [(_amount(self._call("payoff", state)), None)]
        self.asks_bound = True
        least = self._bound(state)
        for gain, after in steps:
            promised = gain if after is None else total(gain, self._bound(after))
            if bounds_of(total(least, promised, -1))[0] < 0:
                return "a move may yield more than it says"
        return None

    def _step(self, state: Any, move: Any) -> tuple[Any, Any]:
        """The gain of a move, and the state after it."""
        gain = _amount(self._call("reward", state, move)) if self.has_rewards else 0
        most = bounds_of(gain)[1]
        self.largest_gain = most if self.largest_gain is None else max(self.largest_gain, most)
        return gain, self._call("play", state, move)

    def _bound(self, state: Any) -> Any:
        return _amount(self._call("bound", state))

    def _call(self, rule: str, *arguments: Any) -> Any:
        return self.interpreter.call(f"rule_{rule}", *arguments)


def _kinds(kinds: Sequence[Kind]) -> Iterator[Kind]:
    """The kinds of fields, and all kinds inside them."""
    for kind in kinds:
        yield kind
        yield from _kinds(kind.items)


def _amount(share: Any) -> Any:
    """The only player's amount."""
    return share[0] if isinstance(share, tuple) else share


class _ForAllStates(Interpreter):
    """Runs the core on numbers that may be unknown."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit.program)
        self.statements = 0

    def _do(self, node: core.Stmt, names: dict[str, Any]) -> Steps:
        self.statements += 1
        if self.statements > _MOST_STATEMENTS:
            raise Faulty(TOO_WIDE)
        return super()._do(node, names)

    def _branch(self, node: core.If, test: Any, names: dict[str, Any]) -> Steps:
        test = mapped(bool, test)
        if not isinstance(test, Unknown) or not self._is_joined(test, node, names):
            return (yield from super()._branch(node, test, names))
        return None

    def _is_joined(self, test: Unknown, node: core.If, names: dict[str, Any]) -> bool:
        """Whether both branches were run, with their joined results in `names`; if not, nothing was done."""
        if not all(map(_only_assigns, (*node.body, *node.orelse))):
            return False
        yes, no = _copied(names), _copied(names)

        def both_ways() -> dict[str, Any]:
            _for_some(test, True, lambda: list(self._run(node.body, yes)))
            _for_some(test, False, lambda: list(self._run(node.orelse, no)))
            return {name: chosen(test, yes[name], no[name]) for name in yes.keys() & no.keys()}

        both, fault = _tried(both_ways)
        if fault is not None:
            return False
        names.update({**yes, **no, **both})
        return True

    def _chosen(self, test: Any, node: core.Choice, names: dict[str, Any]) -> Any:
        test = mapped(bool, test)
        if not isinstance(test, Unknown):
            return super()._chosen(test, node, names)

        def both_ways() -> Any:
            yes = _for_some(test, True, lambda: self._value(node.yes, names))
            return chosen(test, yes, _for_some(test, False, lambda: self._value(node.no, names)))

        value, fault = _tried(both_ways)
        return value if fault is None else super()._chosen(bool(test), node, names)

    def _denied(self, value: Any) -> Any:
        return mapped(super()._denied, value)

    def _compared(self, op: str, left: Any, right: Any) -> Any:
        is_sum = isinstance(left, Unknown | int) and isinstance(right, Unknown | int)
        return compared(op, left, right) if is_sum else super()._compared(op, left, right)

    def _item(self, items: Any, index: Any, site: int) -> Any:
        if isinstance(index, Unknown) and not _is_known(items):
            index = determined(index)
        if not isinstance(index, Unknown) and not isinstance(items, Unknown):
            return super()._item(items, index, site)
        return self._for_all(lambda items, index: super(_ForAllStates, self)._item(items, index, site), items, index)

    def _changed(self, node: core.Unary, value: Any) -> Any:
        if node.op == "negate" and isinstance(value, Unknown):
            return self._word(total(0, value, -1), node.site)
        return self._for_all(lambda value: super(_ForAllStates, self)._changed(node, value), value)

    def _calculated(self, node: core.Binary, left: Any, right: Any) -> Any:
        if node.op in _SIGNS:
            return self._word(total(left, right, _SIGNS[node.op]), node.site)
        if node.op == "multiply" and (isinstance(left, int) or isinstance(right, int)):
            factor, number = (left, right) if isinstance(left, int) else (right, left)
            return self._word(total(0, number, factor), node.site)
        return self._for_all(lambda *both: super(_ForAllStates, self)._calculated(node, *both), left, right)

    def _for_all(self, function: Any, *values: Any) -> Any:
        """Apply a function to values; the states are divided where it fails for some."""
        made, fault = _tried(lambda: mapped(function, *values))
        if fault == TOO_WIDE:
            raise Faulty(TOO_WIDE)
        return made if fault is None else function(*map(determined, values))

    def _word(self, number: Any, site: int) -> Any:
        least, most = bounds_of(number)
        if least < _LEAST or most > _MOST:
            super()._word(determined(number), site)
        return number


_SIGNS = {"add": 1, "subtract": -1}


def _tried(work: Callable[[], Any]) -> tuple[Any, int | None]:
    """The result of some work, and None; or None, and the site of its fault."""
    try:
        return work(), None
    except Faulty as fault:
        return None, fault.site


def _is_known(items: Any) -> bool:
    """Whether nothing in a sequence is unknown, though it may be unknown which sequence it is."""
    return isinstance(items, Unknown) or not any(isinstance(each, Unknown) for each in items)


def _only_assigns(node: core.Stmt) -> bool:
    """Whether a statement only changes what names stand for."""
    if isinstance(node, core.If):
        return all(map(_only_assigns, (*node.body, *node.orelse)))
    return isinstance(node, core.Assign | core.SetItem | core.Fault)


def _copied(names: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, list) else value for name, value in names.items()}


def _for_some(test: Unknown, truth: bool, work: Any) -> Any:
    """The result of some work for the states in which a test has that outcome; they must not be divided meanwhile."""
    box, (cells, function) = test.box, test.as_one()
    allowed, was_whole = list(box.allowed), box.is_whole
    if len(cells) == 1:
        box.allowed[cells[0]] = [each for (each,) in box.choices(cells) if function[each,] == truth]
    box.is_whole = True
    try:
        return work()
    finally:
        box.allowed[:], box.is_whole = allowed, was_whole
