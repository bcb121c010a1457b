"""Cards against a partly known order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, compress
from operator import not_
from typing import ClassVar, NamedTuple

import endsight.board as kit
from endsight.base.faults import FileError, ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.file_rows import cards_in_row
from endsight.games.pictures.cards import MOST_JOINT, against, hand_of

FORM = "hand=1-3-5-7,rival=8-x-4-x"
NOBODY, OURS, THEIRS = 0, 1, 2
"""Owners of a card; the rival's unknown cards are nobody's."""
SHOWN = 24
"""How many turns a drawing shows."""


class HighCard(Game):
    """One player puts cards into an order against a rival's order that is partly known.

    There are cards 1 to 2N, N on each side. `hand` holds our cards, `rival` the rival's
    card on each turn, `x` where it is not known; on those turns the rival's other cards
    lie in random order, each order as likely as any other. We choose our card for turn 1,
    then for turn 2, and so on. When all are laid, the rival's unknown cards are turned
    over one after another. On every turn our card scores 1 if it is the higher one: at
    once where the rival's card is known, else when that is turned over.

    A move is a card.

    A position in one line is the cards in our hand, our cards on unknown turns in order
    and the rival's unknown cards, without those that have been turned over: `hand=5-7
    waiting=3 unknown=2-6`, `hand=none waiting=7 unknown=2`.
    """

    players: ClassVar[int] = 1

    hand: tuple[int, ...]
    rival: tuple[int | None, ...]

    class State(NamedTuple):
        """Which cards lie where, as far as it matters. Bit c - 1 of a bit set stands for card c.

        Cards on known turns have brought what they bring: where they lie is forgotten.
        """

        turn: int  # how many cards were laid, and then turned over
        laid: int  # bit set of our cards that left the hand
        waiting: int  # our cards on unknown turns not yet turned over, `width` bits each, the first lowest
        revealed: int  # bit set of the rival's cards that were turned over

    def setup(self) -> None:
        self.count = len(self.hand)
        self._check_lists()
        self.rival = tuple([None if card == -1 else card for card in self.rival])
        self.known = tuple([card or 0 for card in self.rival])
        owners = self._owners()
        self.cards = tuple(compress(range(2 * self.count + 1), owners.translate(_only(OURS))))
        self.unknown = tuple(compress(range(2 * self.count + 1), owners.translate(_only(NOBODY))))[1:]
        # How many unknown turns come before each turn.
        self.before = tuple(accumulate(map(not_, self.known), initial=0))
        self.end = self.count + len(self.unknown)
        self.width = (2 * self.count).bit_length()
        self.mask = (1 << self.width) - 1

    def _check_lists(self) -> None:
        """Raise `ParameterError` where the two lists are not whole numbers for as many turns."""
        if not {*map(type, self.hand)} <= {int} or not {*map(type, self.rival)} <= {int, type(None)}:
            raise self._refused("all cards must be whole numbers, unknown ones x")
        if self.count == 0 or len(self.rival) != self.count:
            found = f"{self.count} in the hand, {len(self.rival)} turns of the rival"
            raise self._refused("both need the same number of cards, at least one", found)

    def _owners(self) -> bytearray:
        """Who has each card; `ParameterError` where that is not as it must be.

        Lists may be a million long, so repeats are found by counting marks.
        """
        owners = bytearray(2 * self.count + 1)
        known = [card for card in self.rival if card is not None]
        for name, cards, owner in (("hand", self.hand, OURS), ("rival", known, THEIRS)):
            for card in (min(cards, default=1), max(cards, default=1)):
                if not 0 < card <= 2 * self.count:
                    fault = f"with {self.count} turns the cards are 1 to {2 * self.count}"
                    raise self._refused(fault, f"{card} in {name}")
            for card in cards:
                owners[card] = owner
            if owners.count(owner) < len(cards):
                raise self._refused("every card exists once", f"{_repeated(cards)} twice in {name}")
        if owners.count(OURS) < self.count:
            shared = min(set(self.hand).intersection(known))
            raise self._refused("every card exists once", f"{shared} in hand and in rival")
        return owners

    def _refused(self, fault: str, found: str | None = None) -> ParameterError:
        return ParameterError(f"{self.name}: {fault}", found=found, allowed=f"lists such as {FORM}")

    def limits(self) -> State:
        cards = (1 << 2 * self.count) - 1
        return self.State(self.end, cards, (1 << self.width * len(self.unknown)) - 1, cards)

    def start(self) -> State:
        return self.State(0, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if self.count <= state.turn < self.end else 0

    def moves(self, state: State) -> Iterator[int]:
        if state.turn < self.count:
            for card in self.cards:
                if state.laid >> (card - 1) & 1 == 0:
                    yield card
        elif state.turn < self.end:
            for card in self.unknown:
                if state.revealed >> (card - 1) & 1 == 0:
                    yield card

    def play(self, state: State, move: int) -> State:
        if state.turn >= self.count:
            return self.State(state.turn + 1, state.laid, state.waiting >> self.width, state.revealed | 1 << (move - 1))
        waiting = state.waiting
        if self.known[state.turn] == 0:
            waiting |= move << self.width * self.before[state.turn]
        return self.State(state.turn + 1, state.laid | 1 << (move - 1), waiting, state.revealed)

    def reward(self, state: State, move: int) -> int:
        if state.turn >= self.count:
            return int((state.waiting & self.mask) > move)
        return int(self.known[state.turn] != 0 and move > self.known[state.turn])

    def payoff(self, state: State) -> int:
        return 0

    def par(self) -> Fraction:
        """Half of the turns."""
        return Fraction(self.count, 2)

    def canonical(self, state: State) -> State:
        # The rival's unknown cards lie in random order, so ours may as well lie in increasing order.
        there = 0
        rest = state.waiting
        while rest != 0:
            there |= 1 << ((rest & self.mask) - 1)
            rest >>= self.width
        waiting = 0
        shift = 0
        for card in self.cards:
            if there >> (card - 1) & 1 == 1:
                waiting |= card << shift
                shift += self.width
        return self.State(state.turn, state.laid, waiting, state.revealed)

    def in_hand(self, state: State) -> list[int]:
        """Our cards not yet laid, in increasing order."""
        return _outside(self.cards, state.laid)

    def hidden(self, state: State) -> list[int]:
        """The rival's unknown cards not yet turned over, in increasing order."""
        return _outside(self.unknown, state.revealed)

    def queue(self, state: State) -> list[int]:
        """Our cards on unknown turns that are not yet turned over, in order of the turns."""
        length = self.before[min(state.turn, self.count)] - max(0, state.turn - self.count)
        return [state.waiting >> self.width * place & self.mask for place in range(length)]

    def show(self, state: State) -> str:
        lists = (("hand", self.in_hand(state)), ("waiting", self.queue(state)), ("unknown", self.hidden(state)))
        return " ".join(f"{name}={'-'.join(map(str, cards)) or 'none'}" for name, cards in lists)

    def parse(self, text: str) -> State:
        hand, waiting, unknown = self._lists(text)
        self._check_subset(text, "hand", hand + waiting, self.cards)
        self._check_subset(text, "unknown", unknown, self.unknown)
        over = len(self.unknown) - len(unknown)
        turn = self.count - len(hand) + over
        if hand and over:
            raise self._no_position(
                text, f"{over} of the rival's unknown cards turned over", "none before all are laid"
            )
        placed = self.before[min(turn, self.count)] - over
        if len(waiting) != placed:
            raise self._no_position(text, f"{len(waiting)} cards waiting on unknown turns", str(placed))
        packed = sum(card << self.width * place for place, card in enumerate(waiting))
        gone = _bits(set(self.cards).difference(hand)), _bits(set(self.unknown).difference(unknown))
        return self.State(turn, gone[0], packed, gone[1])

    def _lists(self, text: str) -> list[list[int]]:
        """The three lists of `show`."""
        items = dict(item.partition("=")[::2] for item in text.split())
        if set(items) != {"hand", "waiting", "unknown"}:
            raise self._no_position(text, ", ".join(items) or "nothing", "hand=... waiting=... unknown=...")
        lists = []
        for key in ("hand", "waiting", "unknown"):
            cards = [] if items[key] == "none" else items[key].split("-")
            if not all(card.isascii() and card.isdecimal() and len(card) < 10 for card in cards):
                raise self._no_position(text, f"{key}={items[key]}", "cards joined by -, or none")
            lists.append([int(card) for card in cards])
        return lists

    def _check_subset(self, text: str, name: str, cards: list[int], allowed: tuple[int, ...]) -> None:
        strange = set(cards).difference(allowed)
        if strange or len(set(cards)) < len(cards):
            found = f"{name} {min(strange)}" if strange else f"{name} {_repeated(cards)} twice"
            raise self._no_position(text, found, "each once of " + " ".join(map(str, allowed[:SHOWN])))

    def _no_position(self, text: str, found: str, allowed: str) -> PositionError:
        return PositionError(f"{self.name}: no such position: {text}", found=found, allowed=allowed)

    def draw(self, state: State) -> str:
        first = max(0, min(state.turn - SHOWN // 2, self.count - SHOWN))
        turns = range(first, min(first + SHOWN, self.count))
        width = max(3, len(str(2 * self.count)) + 1)
        rows = {
            "turn": [str(turn + 1) for turn in turns],
            "rival": [str(self.known[turn] or "x") for turn in turns],
            "ours": self._ours(state, turns),
            "in hand": _first(self.in_hand(state)),
            "unknown": _first(self.hidden(state)),
        }
        lines = [f"{name:<8}" + "".join(f"{entry:>{width}}" for entry in entries) for name, entries in rows.items()]
        return "\n".join(line.rstrip() for line in lines)

    def _ours(self, state: State, turns: range) -> list[str]:
        """Our card on each turn: `*` where it has scored or not, `.` where it is to come."""
        queue = self.queue(state)
        gone = self.before[min(state.turn, self.count)] - len(queue)
        entries = []
        for turn in turns:
            place = self.before[turn] - gone
            waits = self.known[turn] == 0 and 0 <= place < len(queue)
            entries.append(str(queue[place]) if waits else "*" if turn < state.turn else ".")
        return entries

    def draw_after(self, state: State, history: Sequence[str]) -> kit.Board:
        """The rival's cards above ours, in their places where the moves tell them; text where they are many."""
        if self.count > MOST_JOINT:
            return kit.Board("High card", (kit.Panel(self.draw(state)),))
        rival: list[object] = [card or "?" for card in self.known]
        laid = self._ours(state, range(self.count))
        ours: list[object] = [{"*": "?", ".": None}.get(card, card) for card in laid]
        if history and len(history) == state.turn:
            ours = [*history[: self.count], *[None] * (self.count - len(history))]
            turns = [turn for turn in range(self.count) if not self.known[turn]]
            for turn, card in zip(turns, history[self.count :], strict=False):
                rival[turn] = card
        parts: list[kit.Part] = [against("The rival's cards above ours", rival, ours)]
        hand, unknown = self.in_hand(state), self.hidden(state)
        parts += [hand_of("In hand", hand, is_open=True)] if hand else []
        parts += [hand_of("The rival's unknown cards", unknown, is_open=not hand)] if unknown else []
        return kit.Board("High card", tuple(parts))

    @classmethod
    def from_file(cls, text: str) -> tuple[HighCard, tuple[str, ...]]:
        """Row 1 our hand, row 2 the rival's cards by turn, `x` or `-1` where unknown."""
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line and not line.isspace()]
        if len(lines) != 2:
            raise FileError(
                "the cards cannot be read",
                found=f"{len(lines)} rows",
                allowed="two rows: our hand, and the rival's card on each turn, x or -1 where unknown",
            )
        (first, ours), (second, theirs) = lines
        return cls(hand=cards_in_row(first, ours, ()), rival=cards_in_row(second, theirs, ("x", "X", "-1"))), ()


def _only(owner: int) -> bytes:
    """A table for `translate`: 1 for the cards of `owner`, 0 for the others."""
    return bytes(int(other == owner) for other in range(256))


def _outside(cards: tuple[int, ...], bits: int) -> list[int]:
    """Those of `cards` that are not in the bit set; linear in its length."""
    if bits == 0:
        return list(cards)
    there = bin(bits)[:1:-1]
    return [card for card in cards if card > len(there) or there[card - 1] == "0"]


def _bits(cards: set[int]) -> int:
    return sum(1 << (card - 1) for card in cards)


def _first(cards: list[int]) -> list[str]:
    """The cards as text, shortened."""
    entries = [str(card) for card in cards[:SHOWN]]
    return entries if len(cards) <= SHOWN else [*entries, "..."]


def _repeated(cards: Iterable[int]) -> int:
    """The first card that comes a second time."""
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            break
        seen.add(card)
    return card
