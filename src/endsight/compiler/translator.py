"""A rules class becomes a program of the core, and that becomes the functions which kernels call.

Whatever Python would run is translated: `resolve` finds functions and constants as live objects, `scopes` gives every
local its own name, and each function is translated for the types of its arguments, one statement after the other
(`statements`, `reading`, `iteration`, `calls`; `flow` knows which names have a value, and of which type). What is known
before any state - parameters, constants of `setup`, literals - is written in as numbers; lists of numbers go to a data
array, which is written into the code if it is small and otherwise passed at run time, so that other data needs no new
compilation. Line numbers and file names stay those of the rules. Anything else raises `CannotCompile` with the line.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from endsight.compiler import core
from endsight.compiler.copies import Copies, TooLong
from endsight.compiler.known_objects import flatten
from endsight.compiler.program import Function, Program, require_like_fractions
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import may_have_odd_text
from endsight.compiler.results import Decoder, by_type, decoder, refuse_odd_states, require_result, types_of, words_in
from endsight.compiler.simpler import without_unread
from endsight.compiler.specialising import Functions, Site
from endsight.compiler.syntax import all_reached
from endsight.compiler.values import ITSELF, Value, nodes_in, width_of
from endsight.compiler.writing import written
from endsight.game import Game

RULES = ("to_move", "moves", "play", "payoff", "reward", "weight", "canonical", "exchanged", "layer")
"""The methods that kernels call, if a game gives them; `sees` is for those that walk through histories."""

_WORD = 64
_LEAST_DEEP, _STACK = 8, 1 << 17
"""How deep functions must be able to call themselves, with at most this many words of lists."""
_WITH_MOVE = ("play", "reward", "weight", "order")


@dataclass(frozen=True)
class Translation:
    """The rules as functions `rule_NAME(state, ...)` and what they need.

    fields     names of the state's fields
    program    the rules in the core
    functions  by name, as syntax for `lowering`, and the file that line numbers count in; rules are `rule_moves`, ...
    sites      the number written into FAULT -> place in the rules; 0 stands for none
    denominator  of the parts in which payoffs and rewards are given
    move       makes a move, as the rules give it, from the words that kernels write
    seen       the same for what each player sees of a state, where `sees` is translated
    words      the number of words of a move, and of what each player sees
    like_keys  of each field, whether its numbers here are those in keys
    full       fields of up to a number of items, and parts of fields, of which the rules rely on it that they have all
    data       the data array: a list is its length, then its items; entry k says where
               the k-th list of the rules begins, entry 0 is an empty list
    """

    fields: tuple[str, ...]
    program: Program
    functions: dict[str, tuple[ast.FunctionDef, str]]
    sites: list[Site]
    data: list[int]
    denominator: int
    move: Decoder
    seen: tuple[Decoder, ...]
    words: tuple[int, ...]
    like_keys: tuple[bool, ...]
    full: frozenset[str]

    def gives(self, rule: str) -> bool:
        """Whether the rules have that optional method."""
        return f"rule_{rule}" in self.functions

    @property
    def moves_are_numbers(self) -> bool:
        """Whether the words are moves already."""
        return self.move is next

    @property
    def is_natural(self) -> bool:
        """Whether `rule_state` makes states from the codec's numbers, and `rule_numbers` gives these back."""
        return self.gives("numbers")

    @property
    def text(self) -> str:
        """All functions as text: the input of the content hash."""
        return "\n\n".join(ast.unparse(definition) for definition, _ in self.functions.values())


def translate(game: Game, rules: tuple[str, ...] = RULES) -> Translation:
    """The rules of `game`, ready to be pasted into kernels; raises `CannotCompile`."""
    unit = translated(game, rules, in_play=True)
    program = unit.program
    used = _reached(program, {name for name in program.functions if name.startswith("rule_")})
    boards = {len(kind.limits) for kind in unit.kinds if sum(map(int.bit_length, kind.limits)) < _WORD}
    all_made = [program.functions[name] for name in sorted(used)]
    functions = {made.name: (written(made, boards), made.file) for made in all_made}
    move, *seen = (decoder(kind, unit) for kind in (unit.move, *unit.seen))
    words = tuple(map(words_in, (unit.move, *unit.seen)))
    return Translation(
        unit.state.names, program, functions, unit.sites, flatten(unit.lists), unit.denominator,
        move, tuple(seen), words, tuple(map(unit.is_like_keys, unit.kinds)), frozenset(unit.full),
    )  # fmt: skip


def translated(game: Game, rules: tuple[str, ...] = RULES, *, in_play: bool = False) -> Unit:
    """The rules of `game` in the core; with `in_play` for states of play alone; raises `CannotCompile`."""
    unit = Unit(game)
    try:
        unit.run(rules, in_play=in_play)
    except RecursionError:
        raise CannotCompile("the rules nest calls and expressions too deep: give parts names of their own") from None
    return unit


class Unit(Functions):
    """A game's rules as a program of the core."""

    def __init__(self, game: Game) -> None:
        refuse_odd_states(game)
        super().__init__(game)
        self._begin()

    def _begin(self) -> None:
        self.forget()
        self.program = Program()
        self.program.denominator = self.denominator
        self.digits = None
        self.move: core.Type = core.INT
        self.seen: list[core.Type] = []
        """What each player sees of a state."""
        fields = tuple(map(self.type_of_field, self.kinds))
        self.state = core.Tuple(fields, tuple(self.kind.State._fields), "State")
        self.classes["State"] = self.kind.State
        if not all(kind.is_word for kind in self.kinds):
            self._make_codec()

    def _make_codec(self) -> None:
        """Functions that make a state from the codec's numbers, and the reverse."""
        places = [place for kind in self.kinds for place in kind.limits]
        given = tuple((f"es_f{number}", core.INT) for number in range(len(places)))
        rest = iter([core.Local(*each) for each in given])
        fields = (self.read_field(*each, rest) for each in zip(self.kinds, self.state.items, strict=True))
        state = core.Row(tuple(fields), self.state)
        own = core.Local("state", self.state)
        parts: list[core.Expr] = []
        for number, (kind, what) in enumerate(zip(self.kinds, self.state.items, strict=True)):
            parts += self.numbers_of(kind, core.Field(own, number, what))
        numbers = core.Row(tuple(parts), core.Tuple((core.INT,) * len(parts)))
        for name, parameters, value in (("state", given, state), ("numbers", (("state", self.state),), numbers)):
            made = Function(f"rule_{name}", parameters, (core.Return(value).at(1),), value.type, "", 1)
            self.program.functions[made.name] = made

    def run(self, rules: tuple[str, ...], *, in_play: bool) -> None:
        """Translate the rules, again if something is found out that was not known at first."""
        first = list(zip(self.kinds, self.game.start(), strict=False))
        self.truths = {place for kind, value in first for place in kind.truths(value)}
        self.numbered = {place for kind, value in first for place in kind.numbered(value)}
        lengths = [each for kind, value in first for each in kind.lengths(value)] if in_play else []
        places = [part.place for kind in self.kinds for part in kind.parts() if part.sort == "up to"]
        self.full = {kind.place for kind, is_full in lengths if is_full and places.count(kind.place) == 1}
        for kind in [kind for kind, is_full in lengths if not is_full]:
            self.gets_shorter(kind)
        while True:
            before = self._taken()
            self._begin()
            try:
                self._rules(rules)
            except TooLong:
                continue
            except CannotCompile:
                if self.copies.write_out_anyway():
                    continue
                if not self.full:
                    raise
                self.full.clear()
                self.copies = Copies()
                continue
            self.deepest = self._deepest()
            self.denominator = self.needed_denominator
            self.copies.write_out_less(self.program.functions)
            if self._taken() == before:
                break
        for function in self.program.functions.values():
            function.body = without_unread(function.body, {name for name, _ in function.parameters})
        if self.has_fractions:
            require_like_fractions(self.program)
        if self.digits is not None and may_have_odd_text([own for own, _ in self.parsed], self.game):
            raise CannotCompile("numbers of these rules have texts of their own: keep to numbers", *self.digits)

    def _taken(self) -> tuple[Any, ...]:
        """Findings about the rules as a whole, which are assumed while they are translated."""
        whole = self.copies.found, self.deepest, self.denominator, self.has_fractions
        return set(self.truths), set(self.numbered), set(self.full), *whole

    def _deepest(self) -> int:
        """How deep functions may call themselves, so that the stack holds their lists."""
        own = [made for whole, made in self.made.items() if whole in self.deep]
        reached = _reached(self.program, {made.name for made in own})
        room = sum(_room(self.program.functions[name].body) for name in reached)
        deepest = min(self.deepest, _STACK // max(1, room))
        if deepest < _LEAST_DEEP:
            raise CannotCompile(
                "a function that calls itself holds too many lists: hand over numbers", own[0].file, own[0].line
            )
        return deepest

    def _rules(self, rules: tuple[str, ...]) -> None:
        for rule in sorted(rules, key=lambda rule: rule != "moves"):
            if rule not in ("moves", "play", "payoff") and not self.game.gives(rule):
                continue
            found = self.method(rule)
            if found is None:
                raise CannotCompile(f"{rule} is not a plain method of the class: Python calls something else")
            function, is_bound = found
            if rule == "sees":
                self._sees(function, [ITSELF] if is_bound else [])
                continue
            given = [*([ITSELF] if is_bound else []), Value.made(core.Local("", self.state))]
            moves = [Value.made(core.Local("", kind)) for kind in types_of(self.move)] if rule in _WITH_MOVE else []
            if len(moves) > 1:
                made = self._by_type(function, given, moves, rule)
            else:
                made = self.translated(function, [*given, *moves], {}, rule=rule)
            require_result(rule, made)
            if rule == "moves" and made.result != core.NOTHING:
                self.move = made.result

    def _by_type(self, function: FunctionType, given: list[Value], moves: list[Value], rule: str) -> Function:
        """A rule that is about a move, for each type of move by itself."""
        name, parts, reasons = f"rule_{rule}", [], []
        self.program.functions[name] = Function(name, (), (), core.NOTHING, "", 0)  # a name that no part takes
        for move in moves:
            self.refusals.clear()
            parts.append(self.translated(function, [*given, move], {}, rule=rule, is_for_one_type=True))
            reasons += [_of_all_ways(self.refusals)] if self.refusals and parts[-1].result == core.NOTHING else []
        if reasons and (rule == "play" or len(reasons) == len(parts)):  # every move is played, one or the other weighed
            raise reasons[0]
        self.program.functions[name] = by_type(name, parts, self.move)
        return self.program.functions[name]

    def _sees(self, function: FunctionType, first: list[Value]) -> None:
        """What each player sees, as a function of the state alone: players may see things of different types."""
        for player in range(self.game.player_count):
            given = [Value.made(core.Local("", self.state)), Value(core.INT, core.Number(player), player)]
            made = self.translated(function, first + given, {}, rule=f"sees_{player}")
            require_result("sees", made)
            self.seen.append(made.result)


def _of_all_ways(refusals: list[CannotCompile]) -> CannotCompile:
    """Why no way through a rule compiles for moves of one type: one of the ways is that of other types, any of them."""
    first, last = refusals[0], refusals[-1]
    if (first.file, first.line) == (last.file, last.line):
        return first
    reason = f"{first.reason}; and on another way, {last.reason}"
    return CannotCompile(reason, first.file, first.line)


def _room(body: tuple[core.Stmt, ...]) -> int:
    """Words of stack that the lists of a function take."""
    made = core.Listed | core.Members | core.Call
    nodes = nodes_in(body)
    kinds: list[Any] = [node.type for node in nodes if isinstance(node, made) and node.type.is_sequence]
    kinds += [node.value.type for node in nodes if isinstance(node, core.Assign) and node.copies]
    return sum(core.ROOM * max(1, width_of(kind.item)) for kind in kinds)


def _reached(program: Program, first: set[str]) -> set[str]:
    """Names of those functions, and of all that they reach."""

    def called(name: str) -> list[str]:
        return [node.function for node in nodes_in(program.functions[name].body) if isinstance(node, core.Call)]

    return all_reached(first, called)
