"""One state at a time: every rule of a game is called on it twice, and its results are judged.

`check` chooses the states.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any

from endsight.errors import EndsightError, RulesError
from endsight.errors.complaints import kind_text
from endsight.errors.legal_moves import NO_LISTS, all_of, is_move
from endsight.errors.rules_guard import (
    brief,
    pass_on_limit,
    place_in_rules,
)
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.codec import Codec
from endsight.game.equality import equal, kinds_inside, own_reading
from endsight.game.joint_moves import is_group, stray_move
from endsight.game.natural import is_natural
from endsight.game.numbers import Number, count_text, is_exact
from endsight.game.protocol import REQUIRED, declaration
from endsight.game.results import absolute
from endsight.rules_check.asking import BROKEN, Asker, Complaint, EarlierAttributes

MOST_PLAYERS = 1_000
"""A larger number must be a mistake."""
_WEIGHTS = "weights must be whole numbers, 1 or more: leave impossible outcomes out of moves, scale fractions up"


@dataclass(frozen=True)
class InspectedState:
    """The usable results of the rules for one state.

    `children`, `weights` and `gains` are in the order of the moves; `payoff` is None if there are moves (or if it was
    faulty).
    """

    mover: int
    moves: tuple[Any, ...]
    children: tuple[Any, ...]
    weights: tuple[int, ...]
    gains: tuple[tuple[Number, ...], ...]
    payoff: tuple[Number, ...] | None


class Inspector(Asker):
    """Calls the rules of `game` on states and records every fault."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.codec: Codec | None = None
        self.players: int | None = None
        self._uncounted: Exception | None = None

    # ---------------------------------------------------------------- before the first state

    def prepare(self) -> Any:
        """Check everything that does not depend on a state; returns the start, or None if it is unusable."""
        self._check_parameters()
        if not self._has_state_class() or not self._has_rules():
            return None
        start = self.ask("start")
        self._look_at_limits(start)
        if start is BROKEN or not self.is_state("start", start, None):
            if isinstance(start, tuple):
                self._look_for_changes(start)
            return None
        self._count_players()
        self._memory = EarlierAttributes(self.game)
        if self.game.gives("par"):
            self.ask_for("par", is_exact, "return an int or a Fraction")
        return start

    def _check_parameters(self) -> None:
        try:
            values = self.game.values()
            hash(self.game)
        except Exception as error:
            pass_on_limit(error)
            self._failed("parameters", None, error)
            return
        for key, value in values.items():
            if isinstance(value, float | complex):
                self.fault("parameters", None, f"{key} is {value!r}", "use int or Fraction, never float")

    def _has_state_class(self) -> bool:
        kind = getattr(self.game, "State", None)
        if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return True
        self.fault(
            "State",
            None,
            "is missing" if kind is None else f"is {brief(kind)}, not a NamedTuple",
            "write class State(NamedTuple) inside the class, with fields that are whole numbers from 0 up",
        )
        return False

    def _has_rules(self) -> bool:
        """Whether the rules that every game needs exist; all but `limits` are needed to continue."""
        lacking = [rule for rule in REQUIRED if not self.game.gives(rule)]
        for rule in lacking:
            self.fault(rule, None, "is missing", f"write {declaration(rule)} in class {type(self.game).__name__}")
        return lacking in ([], ["limits"])

    def _count_players(self) -> None:
        """Find the number of players, safely even if moves never end."""
        bounded = copy.copy(self.game)
        bounded.__dict__["moves"] = lambda state: islice(self.game.moves(state), 1_000)
        try:
            self.players = bounded.player_count
        except RulesError as error:
            if "players" in error.message:
                self.fault(
                    "players",
                    None,
                    f"{error.message.removeprefix('players ')}, not {error.found}",
                    "write players = 2, for example, or a method that returns the number",
                )
            self._uncounted = error
        except Exception as error:
            pass_on_limit(error)
            # Usually a rule that fails somewhere: the check reaches that state later.
            self._uncounted = error
        if self.players is not None and self.players > MOST_PLAYERS:
            self.fault("players", None, f"returns {brief(self.players)}", f"up to {MOST_PLAYERS:,} players")
            self.players = None

    def report_uncounted(self) -> None:
        """Say why the number of players is unknown, where no other fault explains it."""
        if self._uncounted is not None and not len(self.faults):
            method, _ = place_in_rules(type(self.game), self._uncounted)
            self._failed(method or "players", None, self._uncounted)

    # ---------------------------------------------------------------- states

    def _look_at_limits(self, start: Any) -> None:
        """Check whether `limits` fits the types of the fields, and the start."""
        limits = self.ask("limits") if self.game.gives("limits") else BROKEN
        if limits is BROKEN or not self._is_own(limits, "limits", None, ""):
            return
        if not all(map(_is_limit, limits)):
            self._unnatural("limits", None, "", limits)
            return
        if type(start) is not self.game.State or not all(map(is_natural, start)):
            return
        try:
            self.codec = Codec(self.game)
        except EndsightError as error:
            cure = error.advice or f"return {error.allowed or 'the largest value of every field'}"
            rule, _, message = error.message.partition(" ")
            if rule not in ("limits", "start") or message.startswith("and "):
                rule, message = "limits", error.message
            self.fault(rule, None, f"{message}: {error.found}" if error.found else message, cure)

    def is_state(self, rule: str, state: Any, origin: Any, *, move: Any = None) -> bool:
        """Whether `rule` returned a proper state; `origin` is the state of the call, with `move` if any."""
        after = "" if move is None else f"after the move {brief(move)} "
        found = own_reading(kinds_inside(state)) if isinstance(state, self.game.State) else None
        if found is not None:
            kind, method = found
            if method == "__eq__":
                message = f"compares by an __eq__ of {kind.__name__}'s own, which may take different states for one"
                cure = "leave __eq__ out; canonical(state) says which states are equivalent"
            else:
                message = f"has a {method} of {kind.__name__}'s own, so that its items may be others than its fields"
                cure = f"give {method} another name"
            self.fault("State", None, message, cure)
        if not self._is_own(state, rule, origin, after):
            return False
        if not all(map(is_natural, state)):
            self._unnatural(rule, origin, after, state)
            return False
        problem = None if self.codec is None else self.codec.problem(state)
        if problem is not None:
            message = f"{after}sets the field {problem.place} to {problem.found}, {problem.why}"
            self.fault(rule, origin, message, problem.cure)
        return problem is None

    def _is_own(self, state: Any, rule: str, origin: Any, after: str) -> bool:
        if type(state) is self.game.State:
            return True
        kind = "a plain tuple" if isinstance(state, tuple) else "not a State"
        self.fault(rule, origin, f"{after}returns {brief(state)}, {kind}", "return self.State(...)")
        return False

    def _unnatural(self, rule: str, origin: Any, after: str, state: Any) -> None:
        """Report which fields hold values that no state can hold."""
        for name, value in zip(state._fields, state, strict=True):
            if not (_is_limit if rule == "limits" else is_natural)(value):
                cure = _CURES.get(type(value), "fields are whole numbers, bools, texts, Enums, or tuples of them")
                message = f"{after}sets the field {name} to {brief(value)}, {kind_text(value)}"
                self.fault(rule, origin, message, cure)

    def _look_for_changes(self, state: Any) -> None:
        """Check whether a rule changes a state that, wrongly, is mutable."""
        try:
            before = copy.deepcopy(state)
            moves = list(islice(self.game.moves(state), 20))
            asked: list[tuple[str, Any]] = [("moves", None), *(("play", move) for move in moves)]
            for rule, move in asked:
                if rule == "play":
                    self.game.play(state, move)
                if state != before:
                    cure = "build a new State; never change the one that was given"
                    self.fault(rule, before, "changes the state it was given", cure)
                    return
        except Exception as error:  # the start is reported as faulty anyway
            pass_on_limit(error)
            return

    def inspect(self, state: Any, *, thorough: bool = True) -> InspectedState | None:
        """Call the rules on `state`, with `thorough` the optional ones too; None if its moves are unknown."""
        moves = self._moves(state)
        if moves is None:
            return None
        mover = self._mover(state, moves)
        if thorough:
            self._check_extras(state, moves, mover)
        if not moves:
            return InspectedState(mover, (), (), (), (), self._share("payoff", self.ask("payoff", state), state, mover))
        edges = [edge for edge in (self._edge(state, move, mover) for move in moves) if edge is not None]
        kept, children, weights, gains = zip(*edges, strict=True) if edges else ((), (), (), ())
        return InspectedState(mover, kept, children, weights, gains, None)

    # ---------------------------------------------------------------- moves and movers

    def _moves(self, state: Any) -> tuple[Any, ...] | None:
        moves = self.ask("moves", state, read=lambda moves: _all_moves(self.game, moves, state))
        if moves is BROKEN:
            return None
        usable = tuple(dict.fromkeys(moves))
        if len(usable) < len(moves):
            twice = next(move for number, move in enumerate(moves) if move in moves[:number])
            self.fault("moves", state, f"yields {brief(twice)} twice", "yield every move once")
        self._check_end(state, moves)
        return usable

    def _check_end(self, state: Any, moves: Iterable[Any]) -> None:
        """Rules may define the end of the game themselves; then there must be no moves."""
        if not callable(getattr(self.game, "is_over", None)):
            return
        over = self.ask("is_over", state)
        if over is BROKEN:
            return
        if over and moves:
            cure = "moves must yield nothing where the game is over"
            self.fault("moves", state, "offers moves after the end: is_over says that the game is over", cure)
        if not over and not moves:
            cure = "no moves means the end: make is_over agree, or drop it"
            self.fault("is_over", state, "says that the game goes on where there are no moves", cure)

    def _mover(self, state: Any, moves: tuple[Any, ...]) -> int:
        if not self.game.gives("to_move"):
            return 0
        mover = self.ask("to_move", state)
        if mover is BROKEN:
            return 0
        if isinstance(mover, tuple):
            return self._group(state, mover, moves)
        allowed = "0 for the first player, 1 for the second, ..., or CHANCE"
        if type(mover) is not int or mover < CHANCE or (self.players is not None and mover >= self.players):
            of = "" if self.players is None else f" in a game of {count_text(self.players, 'player')}"
            if self.players == 1 and not hasattr(self.game, "players"):
                allowed = "payoff pays one player only: return one entry per player, or write players = 2"
            self.fault("to_move", state, f"returns {brief(mover)}{of}", allowed)
            return 0
        if mover == CHANCE and not moves:
            cure = "yield the outcomes in moves if the game is not over there"
            self.warn("to_move", state, "returns CHANCE where moves yields no outcome: the game ends there", cure)
        return mover

    def _group(self, state: Any, movers: tuple[Any, ...], moves: tuple[Any, ...]) -> int:
        """Several players who move at once: check that their moves are all combinations."""
        if not is_group(movers, self.players):
            cure = "two players or more who move at once, each once, the smallest number first"
            self.fault("to_move", state, f"returns {brief(movers)}", cure)
            return 0
        stray = stray_move(moves, len(movers))
        if stray is not None:
            cure = "yield from product(A, B), where A and B are what each of them may do"
            self.fault("moves", state, f"does not yield all combinations in order: see {brief(stray)}", cure)
            return 0
        return TOGETHER

    # ---------------------------------------------------------------- edges and ends

    def _edge(self, state: Any, move: Any, mover: int) -> tuple[Any, Any, int, tuple[Number, ...]] | None:
        child = self.ask("play", state, move)
        if child is BROKEN or not self.is_state("play", child, state, move=move):
            return None
        weight = self._weight(state, move) if mover == CHANCE else 1
        gain: tuple[Number, ...] | None = ()
        if self.game.gives("reward"):
            gain = self._share("reward", self.ask("reward", state, move), state, mover)
        return move, child, weight, gain or ()

    def _weight(self, state: Any, move: Any) -> int:
        weight = self.ask("weight", state, move)
        if type(weight) is int and weight >= 1:
            return weight
        if weight is not BROKEN:
            self.fault("weight", state, f"returns {brief(weight)} for the outcome {brief(move)}", _WEIGHTS)
        return 1

    def _share(self, rule: str, share: Any, state: Any, mover: int) -> tuple[Number, ...] | None:
        """A payoff or reward with one entry per player, in an alternating game from the mover's number."""
        if share is BROKEN:
            return None
        if self.players is None:
            if not isinstance(share, tuple) and not is_exact(share):
                cure = "return int or Fraction, never a float; or a tuple of them, one per player"
                self.fault(rule, state, f"returns {brief(share)}: no exact number", cure)
            return None
        alternating = self.players == 2 and not self.game.gives("to_move")
        try:
            said = self.game, rule, state
            return absolute(share, max(mover, 0), self.players, alternating=alternating, said=said)
        except RulesError as error:
            wrong = error.message.removeprefix(f"{self.game.title()}: {rule} returns ")
            self.fault(rule, state, f"returns {brief(share)}: {wrong}", f"return {error.allowed}")
        except Exception as error:  # the share itself cannot even be shown
            pass_on_limit(error)
            self.fault(rule, state, f"returns {brief(share)}", "return whole numbers or Fractions")
        return None

    # ---------------------------------------------------------------- optional rules

    def _check_extras(self, state: Any, moves: tuple[Any, ...], mover: int) -> None:
        if self.game.gives("seat") and not self.game.gives("to_move"):
            numbers = range(self.players or 2)
            cure = "return the number of a player, from 0 up"
            self.ask_for("seat", lambda seat: type(seat) is int and seat in numbers, cure, state)
        if self.game.gives("rank"):
            self._check_rank(state)
        if moves and mover != CHANCE:
            for policy in self._policies:
                self._check_policy(policy, state, moves)

    def _check_rank(self, state: Any) -> None:
        if self.game.gives("canonical"):
            # Only those are numbered.
            state = self.ask("canonical", state)
            if state is BROKEN:
                return
        cure = "return a whole number from 0 up"
        number = self.ask_for("rank", lambda number: type(number) is int and number >= 0, cure, state)
        if number is not BROKEN and self.game.gives("unrank"):
            back = self.ask("unrank", number)
            if back is not BROKEN and not equal(back, state):
                cure = "unrank(rank(state)) must return the same state"
                self.fault("unrank", state, f"returns {brief(back)} for its rank {number}", cure)

    def _check_policy(self, policy: str, state: Any, moves: tuple[Any, ...]) -> None:
        move = self.ask(policy, state)
        if move is not BROKEN and not (is_move(move) and move in moves):
            cure = "a policy must return one of the moves that moves(state) yields"
            named = [self.game.show_move(state, each) for each in moves] if isinstance(move, str) else []
            what = f"the name of the move {brief(moves[named.index(move)])}" if move in named else "which is not legal"
            self.fault(policy, state, f"returns {brief(move)}, {what}", cure)


def _all_moves(game: Game, moves: Any, state: Any) -> tuple[Any, ...]:
    if moves is None:
        raise Complaint(
            "returns None", "yield the moves, or return a list of them (an empty one where the game is over)"
        )
    if not isinstance(moves, Iterable) or isinstance(moves, NO_LISTS):
        raise Complaint(f"returns {brief(moves)}, {kind_text(moves)}", "yield the moves, or return a list of them")
    return tuple(all_of(game, moves, state))


def _is_limit(value: Any) -> bool:
    """Whether `limits` may hold that value: an Enum itself, too, which allows all its members."""
    if isinstance(value, tuple):
        return all(map(_is_limit, value))
    return is_natural(value) or (isinstance(value, type) and issubclass(value, Enum))


_CURES = {
    list: "a state must be hashable: make the list a tuple",
    set: "a state must be hashable: make the set a frozenset",
    dict: "a state must be hashable: make the dict a tuple in a fixed order of its keys",
    float: "fields are exact: use whole numbers, and // for division",
}
