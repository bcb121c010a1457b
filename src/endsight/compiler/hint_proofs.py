"""Proofs about hints that rules give, for all states at once, read from the text of the rules.

A *bound* states the most that is still to come. Call it *consistent* if it is at least the gain of any move plus the
bound after it, and at an end at least what is paid there. Then it is at least the total of any play that ends: by
induction over its moves from the end back. Steps back are *complete* if `before` of the state after a move yields the
state before it, and `ends` yields every state without moves: then whoever goes back from all ends leaves out no play.

Both are statements about single moves, so the rules are read for all states at once (`unknown`), which are divided
where a move depends on more of the state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from endsight.compiler import core
from endsight.compiler.interpreter import Faulty, Interpreter, Steps
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.translator import Unit, translated
from endsight.compiler.unknown import TOO_WIDE, Domain, Unknown, bounds_of, chosen, compared, determined, mapped, total
from endsight.game import Game
from endsight.game.codec import Codec
from endsight.game.derived import MOST_ENDS
from endsight.identity import key_of

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
class HintProof:
    """What is proven about all moves of all states.

    refusal    why the hint is not proven; None if it is
    largest_gain    the largest gain of any move, in parts
    """

    refusal: str | None
    largest_gain: int | None

    @property
    def is_costly(self) -> bool:
        """Whether the hint is proven and every move costs something: then all best play ends."""
        return self.refusal is None and self.largest_gain is not None and self.largest_gain < 0

    @property
    def never_gains(self) -> bool:
        """Whether the hint is proven and no move brings more than 0: then no total grows on the way."""
        return self.refusal is None and (self.largest_gain or 0) <= 0


def prove_bound(game: Game) -> HintProof:
    """Try to prove that the bound of a one-player game's rules is consistent at every state within its limits."""
    return _proof(game, _BoundReader)


def prove_before(game: Game) -> HintProof:
    """Try to prove that `before` and `ends` of a one-player game's rules leave out no state within limits.

    What was proven is kept for as long as the rules have the same key.
    """
    key, known = key_of(game).text, vars(game).get("_before_proof")
    if known is None or key is None or known[0] != key:
        known = vars(game)["_before_proof"] = key, _proof(game, _BeforeReader)
    found: HintProof = known[1]
    return found


def _proof(game: Game, reader: type[_Reader]) -> HintProof:
    if any(each.sort not in ("whole", "items", "up to") for kind in Codec(game).kinds for each in kind.parts()):
        return HintProof("states hold something else than whole numbers and tuples of them", None)
    try:
        return reader(game).proof()
    except CannotCompile as reason:
        return HintProof(str(reason), None)


def ends_within_limits(game: Game) -> list[Any]:
    """What `ends` yields, without what is no state; the first `MOST_ENDS` of them, and one more."""
    rules: Any = game
    problem = Codec(game).problem
    found = islice(rules.ends(), MOST_ENDS + 1)
    return [state for state in found if type(state) is rules.State and problem(state) is None]


class _Reader(ABC):
    """The rules of one game, read for all states; `hint` is the rule that the proof is about."""

    hint: str

    def __init__(self, game: Game) -> None:
        rules = ("moves", "play", "payoff", *(["reward"] if game.gives("reward") else []), self.hint)
        self.game, self.unit = game, translated(game, rules)
        self.interpreter = AllStates(self.unit)
        self.limits = Codec(game).limits
        self.has_state, self.has_rewards = "rule_state" in self.unit.program.functions, game.gives("reward")
        self.largest_gain: int | None = None
        self.asks_hint = False

    @abstractmethod
    def refusal_at(self, state: Any, steps: Sequence[tuple[Any, Any]]) -> str | None:
        """Why the hint is not right at a state with these moves, each a gain and the state after it; None if it is."""

    def proof(self) -> HintProof:
        """The proof over every part of the states in turn."""
        waiting: list[tuple[int, ...]] = [()]
        parts = 0
        while waiting:
            parts += 1
            box = Domain([range(limit + 1) for limit in self.limits], waiting.pop(), waiting)
            refusal = self._refusal_in(box) if parts <= _MOST_PARTS else "there are too many kinds of states to look at"
            if refusal is not None:
                return HintProof(refusal, None)
        return HintProof(None, self.largest_gain)

    def _refusal_in(self, box: Domain) -> str | None:
        """Why the hint is not right in one part of the states; None if it is, or if the rules fail there."""
        self.asks_hint = False
        refusal, fault = _tried(lambda: self._look_at(box))
        if fault is None:
            found: str | None = refusal
            return found
        what = _WIDE_OR_LONG.get(fault) or self.unit.sites[fault - 1].what
        return None if what in _ERRORS and not self.asks_hint else what

    def _look_at(self, box: Domain) -> str | None:
        numbers = [box.number(cell) for cell in range(len(box.allowed))]
        state = self.call("state", *numbers) if self.has_state else tuple(numbers)
        steps = [self._step(state, move) for move in self.call("moves", state)]
        return self.refusal_at(state, steps)

    def _step(self, state: Any, move: Any) -> tuple[Any, Any]:
        """The gain of a move, and the state after it."""
        gain = _amount(self.call("reward", state, move)) if self.has_rewards else 0
        most = bounds_of(gain)[1]
        self.largest_gain = most if self.largest_gain is None else max(self.largest_gain, most)
        return gain, self.call("play", state, move)

    def call(self, rule: str, *arguments: Any) -> Any:
        """The result of a rule."""
        return self.interpreter.call(f"rule_{rule}", *arguments)


class _BoundReader(_Reader):
    """Reads whether the bound is consistent."""

    hint = "bound"

    def refusal_at(self, state: Any, steps: Sequence[tuple[Any, Any]]) -> str | None:
        """Compare the bound with what moves bring."""
        paid = () if steps else (_amount(self.call("payoff", state)),)
        self.asks_hint = True
        least = self._bound(state)
        for promised in (*paid, *(total(gain, self._bound(after)) for gain, after in steps)):
            if bounds_of(total(least, promised, -1))[0] < 0:
                return "a move may yield more than it says"
        return None

    def _bound(self, state: Any) -> Any:
        return _amount(self.call("bound", state))


class _BeforeReader(_Reader):
    """Reads whether steps back are complete."""

    hint = "before"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.ends = list(map(Codec(game).numbers, ends_within_limits(game)))

    def refusal_at(self, state: Any, steps: Sequence[tuple[Any, Any]]) -> str | None:
        """Look for the state among those before each next one, or among the ends."""
        self.asks_hint = True
        if len(self.ends) > MOST_ENDS:
            return f"ends yields more than {MOST_ENDS:,} states"
        own = self._numbers(state)
        if not steps and not _is_among(self.ends, own):
            return "ends may leave out a state without moves"
        for _, after in steps:
            if not _is_among(map(self._numbers, self.call("before", after)), own):
                return "before may leave out a state from which a move leads there"
        return None

    def _numbers(self, state: Any) -> Sequence[Any]:
        found: Sequence[Any] = self.call("numbers", state) if self.has_state else state
        return found


def _is_among(found: Iterable[Sequence[Any]], own: Sequence[Any]) -> bool:
    """Whether some numbers are among those found: at first without dividing the states, then by dividing them."""
    kept = []
    for each in found:
        if all(bounds_of(total(*both, -1)) == (0, 0) for both in zip(each, own, strict=True)):
            return True
        kept.append(each)
    return any(all(compared("==", *both) for both in zip(each, own, strict=True)) for each in kept)


def _amount(share: Any) -> Any:
    """The only player's amount."""
    return share[0] if isinstance(share, tuple) else share


class AllStates(Interpreter):
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
        (yes, own), (no, other) = _copied(names), _copied(names)

        def both_ways() -> tuple[dict[str, Any], dict[int, list[Any]]]:
            _for_some(test, True, lambda: list(self._run(node.body, yes)))
            _for_some(test, False, lambda: list(self._run(node.orelse, no)))
            lists = {key: chosen(test, own[key], other[key]) for key in own}
            return {name: chosen(test, yes[name], no[name]) for name in yes.keys() & no.keys()}, lists

        found, fault = _tried(both_ways)
        if fault is not None:
            return False
        both, lists = found
        for name, value in names.items():
            if isinstance(value, list):  # others, such as a calling function, may hold it too
                value[:] = lists[id(value)]
                if yes[name] is own[id(value)] and no[name] is other[id(value)]:
                    both[name] = value
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

    def _item(self, items: Any, index: Any, site: int) -> Any:
        if isinstance(index, Unknown) and not _is_known(items):
            index = determined(index)
        if not isinstance(index, Unknown) and not isinstance(items, Unknown):
            return super()._item(items, index, site)
        return self._for_all(lambda items, index: super(AllStates, self)._item(items, index, site), items, index)

    def _members(self, bits: Any) -> list[int]:
        return super()._members(determined(bits))

    def _changed(self, node: core.Unary, value: Any) -> Any:
        if node.op == "negate" and isinstance(value, Unknown):
            return self._word(total(0, value, -1), node.site)
        return self._for_all(lambda value: super(AllStates, self)._changed(node, value), value)

    def _calculated(self, node: core.Binary, left: Any, right: Any) -> Any:
        if node.op in _SIGNS:
            return self._word(total(left, right, _SIGNS[node.op]), node.site)
        if node.op == "multiply" and (isinstance(left, int) or isinstance(right, int)):
            factor, number = (left, right) if isinstance(left, int) else (right, left)
            return self._word(total(0, number, factor), node.site)
        return self._for_all(lambda *both: super(AllStates, self)._calculated(node, *both), left, right)

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


def _copied(names: dict[str, Any]) -> tuple[dict[str, Any], dict[int, list[Any]]]:
    """The same names for copies of their lists, and the copies by the identity of each list."""
    copies = {id(value): list(value) for value in names.values() if isinstance(value, list)}
    return {name: copies.get(id(value), value) for name, value in names.items()}, copies


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
