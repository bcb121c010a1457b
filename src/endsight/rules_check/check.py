"""The contract check: does a game fulfil the contract of `endsight.Game`?

States are visited breadth first from the start, and, if there are more than the check visits, also along random games,
to reach ends. In each state every rule is called (see `inspection`); then come the claims about several states:
symmetries, layers, and loops where none are allowed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from endsight.cost.census import quick_census
from endsight.errors import QuestionError
from endsight.errors.rules_guard import brief, pass_on_limit
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.codec import Coder
from endsight.game.derived import discount_of
from endsight.game.field_texts import value_text
from endsight.game.limits import Budget
from endsight.game.numbers import number_document
from endsight.game.results import endless_share
from endsight.graph.equivalence import Compared
from endsight.naming.arguments import as_game
from endsight.rules_check.asking import BROKEN, RulesFault
from endsight.rules_check.hints import check_hints, misspelt
from endsight.rules_check.inspection import InspectedState, Inspector
from endsight.rules_check.loops import Loops, Outlook, hidden_outlook, outlook
from endsight.rules_check.sight import WHAT_IS_TOLD, deals_that_only_pay, sight_text
from endsight.rules_check.symmetry import Exchange, Symmetry
from endsight.rules_check.texts import TextForms
from endsight.rules_check.views import Views

_PLAYOUTS = 1_000
_LONGEST_PLAYOUT = 2_000
# Edges determine the time: states with very many moves use up the check sooner.
_EDGES_PER_STATE = 20
# Double calls, texts and optional rules are costly: in the first states, then now and then.
_THOROUGH = 2_000
_SAMPLED = 8
_USUAL_STATES = 20_000
# Looking at the memory takes 20 us.
_BETWEEN_LOOKS = 16
# Bytes per state for the next growth of dictionaries, and for the report.
_ROOM = 150


@dataclass(frozen=True)
class CheckReport:
    """The findings of a check.

    `states` is the number of states checked, `complete` whether play can reach no others. `stopped` says what ended the
    check before it was done; None where nothing did. `warnings` are oddities
    (mostly of text forms) that do not keep the game from being solved. `value` says whether `endsight.solve` can find a
    value at the start, by the same judgement; None where rules are broken or time ran out. `sight` describes the
    players' views; None if everybody simply sees everything. `facts` are measured on those states:

    players           how many (None where unknown)
    moves             total of moves in those states
    ends              states without moves
    most_moves        the largest number of moves in a state
    chance, rewards   whether there are any
    cyclic            whether play can come back to a state; None where the check was stopped before
    endless           payoff of endless play to each player, by name; None where play cannot come back to a state
    discount          factor for everything after a player's move; None where it counts fully
    constant_sum      whether all payoffs have the same sum (and rewards sum 0); None where unknown, or for
                      one player
    symmetry          canonical states per state, a Fraction; None without `canonical`
    symmetry_plies    least number of plies over which states and their canonical ones were compared; None for
                      to the end of the game, or without `canonical`
    symmetry_pairs    number of non-canonical states compared with their canonical ones; None without it
    symmetry_whole    how many of them to the end of the game
    symmetry_half     number of plies over which half of them were compared, or more; None for to the end
    positions         ends between which the number of all states lies, by a quick census; None where all
                      were checked, rules are broken or time ran out
    views             what players see along histories, where the rules give `sees`, else None. `common`: whether all
                      see the same, and learn of all moves; `remember`: whether the last view shows all that was
                      seen and done before; `turns_seen`, `own_moves_seen`: whether it shows whose turn it is, and all
                      own moves. Numbers: `histories` visited, information `sets` and `sequences` by player, `payoffs`
                      (ends that differ in the players' sequences), `widest_belief` (states that no player can tell
                      apart; None where not all see the same). `complete`: whether these are all histories
    fields            field of the state -> (smallest, largest) whole number in it, or the names of its other values
                      (of texts, Enums)
    """

    game: Game
    states: int
    complete: bool
    faults: tuple[RulesFault, ...]
    warnings: tuple[RulesFault, ...]
    facts: Mapping[str, Any]
    value: Outlook | None = None
    sight: str | None = None
    stopped: str | None = None

    @property
    def is_sound(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def to_document(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        facts = {
            key: number_document(value) if isinstance(value, Fraction) else value for key, value in self.facts.items()
        }
        if facts["endless"] is not None:
            facts["endless"] = {name: number_document(amount) for name, amount in facts["endless"].items()}
        facts["fields"] = {field: list(ends) for field, ends in self.facts["fields"].items()}
        return {
            "schema": "endsight.check/1",
            "game": self.game.title(),
            "states": self.states,
            "complete": self.complete,
            "stopped": self.stopped,
            "faults": [asdict(fault) for fault in self.faults],
            "warnings": [asdict(fault) for fault in self.warnings],
            "value": None if self.value is None else self.value.to_document(),
            "sight": self.sight,
            "facts": facts,
        }


def check_rules(game: Game, *, states: int = _USUAL_STATES, seconds: float | None = None) -> CheckReport:
    """Test the rules of `game` on up to `states` states, for up to about `seconds`.

    Exceptions inside the rules become faults; an endless rule is not caught. Raises `QuestionError` for
    games of another project's program, which has no rules in Python.
    """
    check = RulesCheck(game, Budget(), seconds=seconds, states=states)
    check.run()
    return check.report()


class RulesCheck:
    """The states visited so far and the rules' results for them.

    The check ends by itself after about `seconds`, and with `LimitReached` before it takes more memory than the
    `budget` allows.
    """

    def __init__(
        self, game: Game, budget: Budget, *, seconds: float | None = None, states: int = _USUAL_STATES
    ) -> None:
        self.game = as_game(game, "check_rules")
        if self.game.told_by:
            raise QuestionError(
                f"there are no rules of {game!r} to check: {self.game.told_by}'s own program tells them",
                allowed="rules in Python, and files of Gambit's",
            )
        self.budget = budget
        self.most = max(1, states)
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.inspector = Inspector(self.game)
        self.texts = TextForms(self.inspector)
        self.nodes: dict[Any, InspectedState | None] = {}
        self.known: dict[Any, None] = {}
        self.waiting: deque[Any] = deque()
        self.edges = 0
        self.looks = 0
        self.canonical_states: int | None = None
        self.compared: Compared | None = None
        self.value: Outlook | None = None
        self.looked_at: dict[Any, InspectedState | None] = {}
        self.views: Views | None = None
        self.loops: Loops | None = None

    def run(self) -> None:
        """Check the rules; `report` tells the findings, also where this was stopped."""
        start = self.inspector.prepare()
        if start is None:
            return
        self._meet(start)
        self._breadth_first(self.most // 2 or 1)
        if self.waiting:
            self._random_games(start, self.most * 3 // 4)
        self._breadth_first(self.most)
        self.inspector.report_uncounted()
        self.inspector.twice = True
        if self.game.gives("layer"):
            self._check_layers()
        if self.game.gives("seat") and not self.game.gives("to_move"):
            self._check_seats()
        if self.game.gives("canonical"):
            self._check_symmetry()
        if self.game.gives("exchanged"):
            self._check_exchange()
        check_hints(self.inspector, self.nodes)
        self.loops = Loops(self.inspector, self.nodes, self.known)
        self.loops.check_ends(is_faulty=len(self.inspector.faults) > 0)
        self._check_names(self.loops)
        if not self.inspector.faults.listed():
            self._check_sight(start)
            self._check_views(start)
        if not self.inspector.faults.listed():
            self._judge(self.loops)

    # ---------------------------------------------------------------- visiting

    def is_spent(self, most: int) -> bool:
        """Whether to stop visiting further states."""
        return (
            len(self.nodes) >= most
            or self.edges >= most * _EDGES_PER_STATE
            or self.inspector.faults.is_full
            or self.is_late()
        )

    def is_late(self) -> bool:
        """Whether time has run out. Raises `LimitReached` where the memory would not do for the report."""
        self.looks += 1
        if self.looks % _BETWEEN_LOOKS == 0:
            self.budget.reserve(len(self.known) * _ROOM, len(self.nodes), "checking the rules")
        return self.deadline is not None and time.monotonic() > self.deadline

    def _meet(self, state: Any) -> None:
        if state not in self.known:
            self.known[state] = None
            self.waiting.append(state)

    def _visit(self, state: Any) -> InspectedState | None:
        if state not in self.nodes:
            thorough = _is_sampled(len(self.nodes))
            self.inspector.twice = thorough
            node = self.inspector.inspect(state, thorough=thorough)
            self.nodes[state] = node
            if node is not None and thorough:
                self.texts.check(state, node.moves)
            for child in node.children if node else ():
                self._meet(child)
            self.edges += len(node.children) if node else 0
        return self.nodes[state]

    def _breadth_first(self, most: int) -> None:
        while self.waiting and not self.is_spent(most):
            self._visit(self.waiting.popleft())

    def _random_games(self, start: Any, most: int) -> None:
        random = Random(1)
        for _ in range(_PLAYOUTS):
            state = start
            for _ in range(_LONGEST_PLAYOUT):
                if self.is_spent(most):
                    return
                node = self._visit(state)
                if node is None or not node.children:
                    break
                state = random.choice(node.children)

    # ---------------------------------------------------------------- claims about several states

    def _check_layers(self) -> None:
        layers: dict[Any, Any] = {}

        def layer(state: Any) -> Any:
            if state not in layers:
                layers[state] = self.inspector.ask("layer", state)
            return layers[state]

        for state, node in self.nodes.items():
            here = layer(state)
            if here is not BROKEN and type(here) is not int:
                self.inspector.fault("layer", state, f"returns {brief(here)}", "return a whole number")
                return
            for move, child in zip(node.moves, node.children, strict=True) if node and here is not BROKEN else ():
                below = layer(child)
                if type(below) is int and below < here:
                    cure = "no move may lower the layer: drop layer, or count something that never falls"
                    self.inspector.fault(
                        "layer", state, f"falls from {brief(here)} to {brief(below)} with the move {brief(move)}", cure
                    )

    def _check_symmetry(self) -> None:
        symmetry = Symmetry(self.inspector, self.nodes)
        symmetry.compare(0 if self.waiting else self.most, self.is_late, _is_sampled)
        self.canonical_states = symmetry.canonical_states()
        self.compared = symmetry.compared

    def _check_exchange(self) -> None:
        if self.inspector.players != 2:
            self.inspector.fault("exchanged", None, "the game does not have two players", "drop exchanged")
            return
        exchange = Exchange(self.inspector, self.nodes)
        for number, state in enumerate(list(self.nodes)):
            if self.is_late() or self.inspector.faults.is_full:
                return
            self.inspector.twice = _is_sampled(number)
            exchange.compare(state)

    def _check_seats(self) -> None:
        players = self.inspector.players or 2
        seats = {state: self.inspector.ask("seat", state) for state in self.known}
        for state, node in self.nodes.items():
            here = seats[state]
            for child in node.children if node and type(here) is int else ():
                if type(seats[child]) is int and seats[child] != (here + 1) % players:
                    message = f"returns {brief(here)}, and {brief(seats[child])} after a move"
                    cure = "players take turns: every move raises the seat by one, and the last player is followed by 0"
                    self.inspector.fault("seat", state, message, cure)

    def _check_names(self, loops: Loops) -> None:
        """Warn of rules that are never called; games of other projects' files have no author to tell."""
        if self.game.is_named_whole:
            return
        for name, rule in misspelt(self.game):
            self.inspector.warn(
                name, None, f"is not a rule, so nothing uses it: did you mean {rule}?", f"rename it to {rule}"
            )
        met_chance = any(node is not None and node.mover == CHANCE for node in self.nodes.values())
        if self.game.gives("weight") and not met_chance:
            where = "" if loops.is_complete else " in the states checked"
            cure = "return CHANCE from to_move where dice or cards decide; drop weight if none do"
            self.inspector.warn("weight", None, f"is never used: chance never moves{where}", cure)

    def _look(self, state: Any) -> InspectedState | None:
        """The rules' results for a state, also for one that was not visited."""
        if state not in self.looked_at:
            self.looked_at[state] = self.nodes.get(state) or self.inspector.inspect(state, thorough=False)
        return self.looked_at[state]

    def _check_views(self, start: Any) -> None:
        """Check the players' views along histories."""
        if not self.game.gives("sees") or self.is_late():
            return
        views = Views(self.inspector, self._look)
        views.walk(start, self.most, self.is_late)
        for rule in ("canonical", "exchanged"):
            if self.game.gives(rule) and not self.inspector.faults.listed():
                views.compare_images(rule, partial(self.inspector.ask, rule))
        self.views = views

    def _check_sight(self, start: Any) -> None:
        """Warn of cards that seem meant to be hidden, in rules that hide nothing."""
        how = None if self.is_late() or self.game.gives("sees") else deals_that_only_pay(start, self._look)
        if how is not None:
            state = next(state for state in self.nodes if self.nodes[state] is not None)
            sampled = " (as far as random play shows)" if how == "sampled" else ""
            message = (
                "draws something before the first decision that changes the payoffs and never the legal moves"
                f"{sampled}: this looks like hidden cards, but here everybody sees them"
            )
            cure = "if players must not see them, tell what each of them sees: def sees(self, state, player)"
            self.inspector.warn("start", state, message, cure)

    def _judge(self, loops: Loops) -> None:
        """Whether the game has a value; without loops it has one, unless players move at once."""
        seconds = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        is_whole = loops.is_complete
        if self.views is not None:
            self.value = hidden_outlook(
                self.game, self.views, is_cyclic=loops.is_cyclic, most=self.most, seconds=seconds
            )
            return
        may_lack = loops.is_cyclic or loops.moves_at_once
        self.value = outlook(self.game, self.most, seconds) if may_lack else Outlook(None, is_whole)

    # ---------------------------------------------------------------- the report

    def report(self, stopped: str | None = None) -> CheckReport:
        """The findings so far; `stopped` says what ended the check before it was done."""
        complete = len(self.nodes) == len(self.known) > 0 and None not in self.nodes.values()
        return CheckReport(
            self.game,
            len(self.nodes),
            complete,
            self.inspector.faults.listed(),
            self.inspector.warnings.listed(),
            self._facts() | {"positions": None if complete or stopped else self._positions()},
            self.value,
            self._sight(),
            stopped,
        )

    def _sight(self) -> str | None:
        if self.game.gives("sees"):
            return WHAT_IS_TOLD
        movers = {node.mover for node in self.nodes.values() if node is not None and node.moves}
        return sight_text(has_chance=CHANCE in movers, at_once=TOGETHER in movers)

    def _positions(self) -> list[int] | None:
        """The range of the number of all positions, by a quick census; None if not requested."""
        if self.is_late() or self.inspector.faults.listed():
            return None
        try:
            census = quick_census(self.game.position(), symmetry=False)
        except Exception as error:  # of rules that break further on; the check covers the states that it visited
            pass_on_limit(error)
            return None
        return [round(census.lower), round(census.upper)]

    def _facts(self) -> dict[str, Any]:
        nodes = [node for node in self.nodes.values() if node is not None]
        symmetry = None if not self.canonical_states else Fraction(self.canonical_states, len(self.nodes))
        endless, loops = None, self.loops
        if loops is not None and loops.is_cyclic and self.inspector.players:
            endless = dict(zip(self.game.player_names, endless_share(self.game), strict=True))
        return {
            "players": self.inspector.players,
            "moves": self.edges,
            "ends": sum(not node.moves for node in nodes),
            "most_moves": max((len(node.moves) for node in nodes), default=0),
            "chance": any(node.mover == CHANCE and node.moves for node in nodes),
            "rewards": any(any(gain) for node in nodes for gain in node.gains),
            "cyclic": loops.is_cyclic if loops is not None else None if self.nodes else False,
            "endless": endless,
            "discount": None if self.game.discount == 1 else Fraction(discount_of(self.game)),
            "constant_sum": loops.is_constant_sum if loops is not None and self.inspector.players != 1 else None,
            "symmetry": symmetry,
            "symmetry_plies": None if self.compared is None else self.compared.least,
            "symmetry_pairs": None if self.compared is None else self.compared.pairs,
            "symmetry_whole": None if self.compared is None else self.compared.to_the_end,
            "symmetry_half": None if self.compared is None else self.compared.half,
            "fields": self._ranges(),
            "views": self.views.facts() if self.views is not None and not self.inspector.faults.listed() else None,
        }

    def _ranges(self) -> dict[str, tuple[Any, ...]]:
        """The smallest and the largest whole number in every field, or the names of other values."""
        codec = self.inspector.codec
        if codec is None or not self.nodes:
            return {}
        columns = zip(self.game.State._fields, codec.kinds, zip(*self.nodes, strict=True), strict=True)
        ranges = {name: _range_of(kind, column) for name, kind, column in columns}
        return {name: found for name, found in ranges.items() if found}


def _range_of(kind: Coder, values: Iterable[Any]) -> tuple[Any, ...]:
    """The smallest and largest whole number, or names of other values; for tuples, over all their items."""
    if kind.is_word or kind.sort == "members":
        numbers = list(values) if kind.is_word else [member for value in values for member in value]
        return (int(min(numbers)), int(max(numbers))) if numbers else ()
    if kind.sort == "one of":
        found = set(values)
        return tuple(value_text(value) for value in kind.values if value in found)
    if len({type(item) for item in kind.items}) != 1:
        return ()
    given = (value for value in values if value is not None)
    return _range_of(kind.items[0], given if kind.sort == "perhaps" else [item for value in given for item in value])


def _is_sampled(number: int) -> bool:
    return number < _THOROUGH or number % _SAMPLED == 0
