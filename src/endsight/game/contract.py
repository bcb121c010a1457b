"""The contract of rules on states, movers and weights, checked for each state visited."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from endsight.errors import RulesError, complaints
from endsight.errors.rules_guard import brief
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.codec import Codec
from endsight.game.equality import holds_others, is_record, kinds_inside, own_reading, records_inside
from endsight.game.field_texts import field_types
from endsight.game.joint_moves import is_group, stray_move
from endsight.game.position import as_text


class Contract:
    """The contract of one game's rules; each method raises `RulesError` for a breach."""

    def __init__(self, game: Game) -> None:
        self.game, self.players = game, game.player_count
        self.limits = game.limits() if game.gives("limits") else None
        self._comparable, self._records = set[type](), set[type]()
        self._with_records: dict[Any, Any] = {}

    @cached_property
    def codec(self) -> Codec:
        """The types and limits of the fields."""
        return Codec(self.game)

    def weight(self, state: Any, move: Any) -> int:
        """The weight of an outcome of chance."""
        weight = self.game.weight(state, move)
        if isinstance(weight, bool) or not isinstance(weight, int) or weight < 1:
            raise RulesError(
                f"{self.game.title()}: weight must be a whole number, 1 or more",
                found=f"{weight!r} for {brief(move)} in {as_text(self.game, 'show', state)}",
                advice="leave impossible outcomes out of moves; scale fractions to whole numbers",
            )
        return weight

    def check_mover(self, state: Any, mover: int) -> None:
        """The mover is one of the players, chance, or several players, each named once and in order."""
        if not isinstance(mover, int) or not CHANCE <= mover < self.players:
            self._check_group(state, mover)

    def _check_group(self, state: Any, mover: int) -> None:
        """Several players move at once, each named once and in order."""
        movers = self.game.to_move(state)
        if mover != TOGETHER or not isinstance(movers, tuple):
            raise complaints.no_player(self.game, movers, state)
        if not is_group(movers, self.players):
            raise complaints.no_group(self.game, movers, state)

    def check_combinations(self, state: Any, legal: list[Any]) -> None:
        """The moves of several players at once are all combinations of their parts, in the order of `product`."""
        movers = self.game.to_move(state)
        stray = stray_move(legal, len(movers) if isinstance(movers, tuple) else 1)
        if stray is not None:
            raise complaints.no_combinations(self.game, stray, state)

    def check_state(self, state: Any) -> None:
        """The state is a `State` inside `limits()`, where the rules give them, and otherwise holds no floats."""
        if self.limits is None and not _holds_float(state):
            return
        if self._most is None or not isinstance(state, self.game.State) or not _is_inside(state, self._most):
            self._look_closely(state)

    def check_comparable(self, state: Any) -> None:
        """The state can be looked up: it holds no list, set or dictionary, and equals no state that holds others."""
        if self._holds_known_kinds(state):
            return
        try:
            hash(state)
        except TypeError:
            raise complaints.changeable(self.game, state) from None
        kinds = kinds_inside(state)
        found = own_reading(kinds)
        if found is not None:
            self.check_state(state)
            raise complaints.own_reading(self.game, *found)
        self._comparable.update(each for each in kinds if not holds_others(each))
        records = set(filter(is_record, kinds - {self.game.State}))
        if records:
            self._check_records(state, records)

    def _holds_known_kinds(self, state: Any) -> bool:
        """Whether a state holds only classes that earlier ones held, in no more than plain tuples, as most do."""
        known = self._comparable
        if not known or type(state) is not self.game.State:
            return False
        for each in state:
            kind = type(each)
            if kind not in known and not (kind is tuple and known.issuperset(map(type, each))):
                return False
        return True

    def _check_records(self, state: Any, records: set[type]) -> None:
        """NamedTuples of several classes are equal if their fields are: no such states may be taken for one."""
        self._records |= records
        first = self._with_records.setdefault(state, state)
        if first is not state and len(self._records) > 1:
            kinds = dict(records_inside(first))
            if any(kinds.get(record, kind) is not kind for record, kind in records_inside(state)):
                raise complaints.equal_records(self.game, first, state)

    @cached_property
    def _most(self) -> Any:
        """The largest values of fields if all are declared as whole numbers; otherwise None."""
        types = field_types(self.game.State, *type(self.game).__mro__).values()
        return self.limits if isinstance(self.limits, tuple) and all(kind is int for kind in types) else None

    def _look_closely(self, state: Any) -> None:
        """The same check for fields that are not whole numbers."""
        if self.limits is None:
            raise RulesError(
                f"{self.game.title()}: a state holds a float",
                found=brief(state),
                allowed="whole numbers, texts, members of an Enum, and tuples of these",
                advice="count in the smallest unit, as in cents or tenths",
            )
        if not isinstance(state, self.game.State):
            raise RulesError(
                f"{self.game.title()}: a state is not a State",
                found=repr(state),
                advice="return self.State(...) from play",
            )
        problem = self.codec.problem(state)
        if problem is not None:
            raise RulesError(
                f"{self.game.title()}: a state lies outside limits()",
                found=f"{problem.place} is {problem.found}, {problem.why}, in {brief(state)}",
                allowed=problem.allowed,
                advice=problem.cure,
            )


def _holds_float(state: Any) -> bool:
    """Whether a state contains a float, at any depth of tuples."""
    return type(state) is float or (isinstance(state, tuple | frozenset) and any(map(_holds_float, state)))


def _is_inside(state: Any, limits: Any) -> bool:
    """Whether a state holds only whole numbers inside the limits."""
    # A plain loop is quicker than `all`, and this runs for every state visited.
    for own, most in zip(state, limits, strict=True):  # noqa: SIM110
        if type(own) is not int or not 0 <= own <= most:
            return False
    return True
