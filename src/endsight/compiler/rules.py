"""A game prepared for kernels: translated and packed, with the functions that tie both together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from endsight.base.deferred import deferred
from endsight.compiler.kernels import Loop, batches, core, entry_of, keys, modules_of, text_of
from endsight.compiler.kernels.graph import explore_graph
from endsight.compiler.memory import View, words
from endsight.compiler.native import BOARDS_NAME, DATA_NAME, Kernel, KernelText, load, load_apart
from endsight.compiler.packing import LEAST_CODE_BITS, Packing
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.specialising import Site
from endsight.compiler.translator import RULES, Translation, translate
from endsight.game import Game
from endsight.game.codec import Codec, Coder
from endsight.game.derived import gives_hint
from endsight.game.numbers import simplest
from endsight.game.position import Position
from endsight.game.results import Share, mover_in
from endsight.graph.explorer import explore
from endsight.identity import key_of

if TYPE_CHECKING:
    from endsight.compiler.columns import Words

with deferred(__name__):
    from endsight.compiler.columns import fields_of, rows_of


_LEAST_BOARD = 3
"""Shorter tuples stay as they are."""
_WORD = 64

_OWN_FAULTS = {
    "pack": "a state lies outside limits()",
    "share": "a payoff or reward has not one entry per player, or is larger than 2^40",
    "weight": "a weight is below 1",
    "mover": "to_move returns a player who does not exist",
    "value": "a value does not fit a machine word",
}
"""What is wrong at the sites of the glue, which come after those of the rules."""
_OPTIONAL = ("layer", "reward", "order", "weight")
_KNOWN_WORDS = 512
"""More data than this is passed at run time."""


_last: list[tuple[Game, tuple[str, ...], str, Translation]] = []
"""The game that was translated last: a question that one path cannot answer is soon asked of another."""


def _translated(game: Game, rules: tuple[str, ...], key: str | None) -> Translation:
    """These rules of the game with that key, translated anew unless nothing has changed since they were the last."""
    for same, what, known, translation in _last:
        if same is game and (what, known) == (rules, key):
            return translation
    translation = translate(game, rules)
    _last[:] = [] if key is None else [(game, rules, key, translation)]
    return translation


@dataclass(frozen=True)
class CompiledRules:
    """The rules of one game, for keys with or without the number of the mover.

    game, players
    has_symmetry   keys are canonical states
    exchanges      of a state and the one with the players exchanged, only the smaller key is kept
    tracks_mover   keys hold the mover too (players alternate, payoffs by player)
    translation, packing
    identity       the key of the game, under which what is known about its kernels is kept
    is_apart       kernels share nothing with those of other threads
    """

    game: Game
    players: int
    has_symmetry: bool
    tracks_mover: bool
    translation: Translation
    packing: Packing
    identity: str | None
    is_apart: bool = False
    exchanges: bool = False

    @staticmethod
    def of(
        game: Game,
        *,
        symmetry: bool = True,
        tracks_mover: bool = False,
        exchanges: bool = False,
        hints: tuple[str, ...] = (),
    ) -> CompiledRules:
        """Translate and pack; `hints` are those of `bound`, `order` and `sees` that kernels ask.

        Raises `CannotCompile`.
        """
        players = game.player_count
        packing = Packing.of(game, players if tracks_mover else 0)
        has_symmetry = symmetry and game.gives("canonical")
        merging = {"canonical": has_symmetry, "exchanged": exchanges}
        rules = (
            *(rule for rule in RULES if merging.get(rule, True)),
            *(rule for rule in hints if gives_hint(game, rule)),
        )
        key = key_of(game).text
        translation = _translated(game, rules, key)
        return CompiledRules(game, players, has_symmetry, tracks_mover, translation, packing, key, exchanges=exchanges)

    # ---------------------------------------------------------------- kernels

    def kernel(self, loop: Loop, beside: str = "", /, **constants: int) -> Kernel:
        """That kernel for these rules; `beside` is the text of functions that it calls."""
        what = (loop, *sorted(constants.items()))
        if what not in self._kernels:
            program = self.program(loop, beside, **constants)
            self._kernels[what] = load_apart(program) if self.is_apart else load(program)
        return self._kernels[what]

    @cached_property
    def _kernels(self) -> dict[tuple[Any, ...], Kernel]:
        return {}

    def program(self, loop: Loop, beside: str = "", /, **constants: int) -> KernelText:
        """The program of that kernel."""
        own = "\n".join([*_assignments(constants), *([beside] if beside else [])])
        return KernelText(self.translation.functions, self._glue, own, _text(loop, batches), self.identity)

    @property
    def explorer(self) -> KernelText:
        """The program that explores: its text is the key under which agreement with the plain engine is recorded."""
        return self.program(explore_graph, MOVE_WORDS=self.move_words)

    @property
    def move_words(self) -> int:
        """How many words a move takes that is a tuple of several, as far as its type tells; 0 for a number."""
        words = self.translation.words[0]
        return words if words > 1 else 0

    @property
    def denominator(self) -> int:
        """The factor by which payoffs and rewards are multiplied where kernels write them."""
        return self.translation.denominator

    def require_whole_payoffs(self, where: str) -> None:
        """Raise `CannotCompile` where payoffs or rewards are fractions, for what keeps whole numbers."""
        if self.denominator > 1:
            times = f"pay whole numbers, {self.denominator} times as large"
            raise CannotCompile(f"{where} keeps whole numbers, and payoffs are fractions: {times}")

    def share(self, words: Sequence[int], *, is_tuple: bool) -> Share:
        """A payoff or reward from the words that kernels write."""
        found = words if self.denominator == 1 else [simplest(Fraction(each, self.denominator)) for each in words]
        return tuple(found) if is_tuple else found[0]

    @cached_property
    def data(self) -> View:
        """The rules' data array."""
        data = words(len(self.translation.data))
        for place, number in enumerate(self.translation.data):
            data[place] = number
        return data

    @property
    def _known_data(self) -> tuple[int, ...]:
        """The rules' data if it is small: written into the code, which then need not check lengths.

        Different values of a list parameter are asked about in turn, so such data is passed at run time.
        """
        has_lists = any(isinstance(value, tuple | list) for value in self.game.values().values())
        return () if has_lists or len(self.translation.data) > _KNOWN_WORDS else tuple(self.translation.data)

    def _constants(self) -> dict[str, int]:
        return {
            **_constants_of_keys(self.packing.words, self.packing.code_bits),
            "HAS_SYMMETRY": int(self.has_symmetry),
            "EXCHANGES": int(self.exchanges),
            "HAS_MOVER": int(self.translation.gives("to_move")),
            **{f"HAS_{rule.upper()}": int(self.translation.gives(rule)) for rule in _OPTIONAL},
            **{f"{kind.upper()}_SITE": self._site(kind) for kind in ("value", "share", "mover", "weight")},
            "MOVER_TRACKED": int(self.tracks_mover),
            "FIELDS": len(self.packing.names),
            "PLAYERS": self.players,
            "WHOLE": self.denominator,
        }

    @cached_property
    def _glue(self) -> str:
        """Constants, packing, and functions between keys and the rules: state and mover, key after a move."""
        kinds = self.codec.kinds
        plain = [kind for kind, is_plain in zip(kinds, self.translation.like_keys, strict=True) if is_plain]
        lengths = {count: (bits, 0) for kind in plain for count, bits in _lengths(kind)}
        layouts = {number: (bits, at, kinds[number].limits[0]) for number, (bits, at, _) in self._boards.items()}
        lengths |= {len(kinds[number].limits): layout[:2] for number, layout in layouts.items()}
        boards = (layouts, lengths, self._site("pack"))
        known, fields = self._known_data, tuple(self.translation.fields)
        own = [f"{DATA_NAME} = {known!r}", f"State = {fields!r}", f"{BOARDS_NAME} = {boards}"]
        constants = "\n".join([*_assignments(self._constants()), *own])
        # Where a state is made, its boards are compared with their limits.
        ends = list(accumulate(len(kind.limits) for kind in kinds))
        checked = {
            place for number in self._boards for place in range(ends[number] - len(kinds[number].limits), ends[number])
        }
        packing = self.packing.text(self._site("pack"), checked)
        return "\n\n".join([constants, packing, self._state_text(), text_of(batches.__name__)])

    @cached_property
    def _boards(self) -> dict[int, tuple[int, int, str]]:
        """The fields that are boards: in keys, the bits of each number, the lowest bit of the board, and its text."""
        ends = list(accumulate(len(kind.limits) for kind in self.codec.kinds))
        return {
            number: (_bits_of(kind), *self.packing.place(end - len(kind.limits), end - 1))
            for number, (kind, end) in enumerate(zip(self.codec.kinds, ends, strict=True))
            if self.translation.is_natural and self.translation.like_keys[number] and any(_lengths(kind))
        }

    def _state_text(self) -> str:
        """Functions that make the state of a key, and the key of a state."""
        count, is_natural = len(self.codec.names), self.translation.is_natural
        made = ", ".join(f"fields[{number}]" for number in range(count))
        boards = [text for *_, text in self._boards.values()]
        with_boards = f"es_with_boards(state, {', '.join(boards)})" if boards and all(boards) else "state"
        parts = [f"parts[{number}]" for number in range(count)]
        return f"""
def es_state(key):
    fields = es_fields(key)
    state = {"rule_state" if is_natural else "State"}({made})
    return {with_boards}

def es_packed(state, mover):
    parts = {"rule_numbers(state)" if is_natural else "state"}
    return es_pack({", ".join([*parts, *(["mover"] if self.tracks_mover else [])])})
"""

    # ---------------------------------------------------------------- faults

    def _site(self, kind: str) -> int:
        """The site of a check in the glue."""
        return len(self.translation.sites) + 1 + list(_OWN_FAULTS).index(kind)

    def fault(self, number: int) -> CannotCompile:
        """The reason for leaving a run to the plain engine after a fault at a site."""
        if number <= len(self.translation.sites):
            site: Site = self.translation.sites[number - 1]
            return CannotCompile(site.what, site.file, site.line)
        return CannotCompile(list(_OWN_FAULTS.values())[number - 1 - len(self.translation.sites)])

    def blame_one(self, number: int, order: View | Words, first: int, stop: int) -> CannotCompile:
        """The reason for leaving a run to the plain engine after a fault at one of some keys in a list; see `blame`."""
        return self.blame(number, rows_of(self.packing, order, first, stop))

    def blame(self, number: int, keys: Words) -> CannotCompile:
        """The reason for leaving a run to the plain engine after a fault at one of these keys.

        Raises `RulesError` where the plain engine does not accept the rules there either.
        """
        states, movers = self.states(self._written(keys))
        for at, state in enumerate(states):
            mover = mover_in(self.game, state) if self.game.gives("to_move") else movers[at] if movers else 0
            place = Position(self.game, state, mover, (0,) * self.players, ())
            explore(self.game, place, symmetry=self.has_symmetry, tracks_mover=self.tracks_mover, at_most=1)
        return self.fault(number)

    def _written(self, keys: Words) -> Words:
        """The keys that hold states: room that a run has not reached holds numbers beyond the limits."""
        columns = zip(fields_of(self.packing, keys), self.packing.limits, strict=True)
        written: Words = keys[sum(column > limit for column, limit in columns) == 0]
        return written

    # ---------------------------------------------------------------- keys

    @cached_property
    def codec(self) -> Codec:
        """How states are written as whole numbers."""
        return Codec(self.game)

    def key(self, state: Any, mover: int) -> tuple[int, ...] | None:
        """The words of the key of a state; None for a state outside the limits."""
        return self.packed(self.game.canonical(state) if self.has_symmetry else state, mover)

    def packed(self, state: Any, mover: int) -> tuple[int, ...] | None:
        """The same for a canonical state."""
        if not self.codec.is_plain and (self.codec.problem(state) is not None or self._is_shorter(state)):
            return None
        numbers = self.codec.numbers(state)
        return self.packing.key((*numbers, mover) if self.tracks_mover else numbers)

    def _is_shorter(self, state: Any) -> bool:
        """Whether a state has fewer items somewhere than all that the start leads to."""
        full = self.translation.full
        pairs = zip(self.codec.kinds, state, strict=True) if full else ()
        return any(not is_full and part.place in full for kind, own in pairs for part, is_full in kind.lengths(own))

    def root_key(self, state: Any, mover: int, *, is_own: bool = False) -> tuple[int, ...]:
        """The key of a state that work begins with, its own or that of its canonical state.

        Raises `CannotCompile` for one outside the limits.
        """
        key = self.packed(state, mover) if is_own else self.key(state, mover)
        if key is None:
            raise CannotCompile(
                "the position lies outside limits(), or has a shorter tuple than all that the start leads to"
            )
        return key

    def least_key(self, state: Any) -> tuple[int, bool] | None:
        """The one-word key under which a state is kept, and whether it is the one with the players exchanged.

        None for a state outside the limits.
        """
        own = self.key(state, 0)
        if own is None or not self.exchanges:
            return None if own is None else (own[0], False)
        other = self.key(self.game.exchanged(state), 0)
        return None if other is None else max((own[0], False), (other[0], True))

    def state_of(self, key: Sequence[int]) -> tuple[Any, int]:
        """The state of one key, and the mover: 0 if keys do not hold one."""
        fields = self.packing.fields(key)
        mover = fields.pop() if self.tracks_mover else 0
        return self.codec.state(tuple(fields)), mover

    def states(self, keys: Words) -> tuple[list[Any], list[int] | None]:
        """States (and movers, if keys hold them) of many keys, one row each."""
        columns = [column.tolist() for column in fields_of(self.packing, keys)]
        movers = columns.pop() if self.tracks_mover else None
        return list(map(self.codec.state, zip(*columns, strict=True))), movers


def _bits_of(kind: Coder) -> int:
    """The bits of each number of a field, if these are whole numbers or truth values with one limit; else 0."""
    limits = set(kind.limits)
    is_whole = kind.is_word or kind.sort == "one of" or (kind.sort == "items" and all(map(_bits_of, kind.items)))
    return max(limits).bit_length() if is_whole and len(limits) == 1 else 0


def _lengths(kind: Coder) -> Iterator[tuple[int, int]]:
    """The length of a board and of its rows in numbers, and the bits of each number."""
    count, bits = len(kind.limits), _bits_of(kind)
    if bits and count >= _LEAST_BOARD and count * bits < _WORD:
        yield count, bits
        for item in kind.items:
            yield from _lengths(item)


def _assignments(constants: dict[str, int]) -> list[str]:
    return [f"{key} = {value}" for key, value in sorted(constants.items())]


def _text(loop: Loop, without: Any) -> str:
    """The text of a kernel, without that of a module and all that it uses, and of its entry."""
    return f"{text_of(loop.__module__, modules_of(without.__name__))}\n\n{entry_of(loop)}"


def _constants_of_keys(words: int, code_bits: int) -> dict[str, int]:
    return {
        **{name: int(value) for name, value in vars(core).items() if isinstance(value, int)},
        "KEY_WORDS": words, "CODE_BITS": code_bits, "CODE_MASK": (1 << code_bits) - 1, "LEAST_WORD": -(1 << 63),
    }  # fmt: skip


def shared_program(loop: Loop, words: int) -> KernelText:
    """A kernel without rules, for keys of that many words: compiled once for all games."""
    constants = "\n".join(_assignments(_constants_of_keys(words, LEAST_CODE_BITS)))
    return KernelText({}, f"{constants}\n\n{text_of(keys.__name__)}", "", _text(loop, keys))


@cache
def shared_kernel(loop: Loop, words: int) -> Kernel:
    """The same as a function."""
    return load(shared_program(loop, words))
