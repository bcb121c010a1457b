"""Goofspiel: bid one card each for every prize."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import ClassVar, Literal, NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.pictures.cards import hand_of, joint

MOST_CARDS = 60
_FORM = re.compile(r"first=([\d-]*) second=([\d-]*) prizes=([\d-]*) prize=(\d{1,2}) ahead=(-?\d{1,4})", re.ASCII)


class Goofspiel(Game):
    """Two players bid cards for prizes, both at once.

    Each player has cards 1 to `cards`, and so have the prizes. In every turn a prize is
    turned up: any of those that are left with the same chance (`prizes=random`), or the
    highest (`prizes=falling`). Both players then lay one of their cards at once. The
    higher card wins as many points as the prize says; of equal cards nobody gets them.
    Cards that were laid are gone.

    With `points=difference` a player is paid their own points less the other's, with
    `points=win` 1 for more points than the other, -1 for fewer, and 0 for as many.

    The outcome of chance is the prize, also in falling order; a move is both cards, the
    first player's before the second's: `4 1-3` is the prize 4, for which the first player
    bids 1 and the second 3.

    A position in one line is what both players hold, the prizes that are to come, the one
    that is turned up (0 for none), and by how much the first player is ahead, which only
    counts with `points=win`: `first=1-3 second=2-3 prizes=1 prize=2 ahead=0`.
    """

    players: ClassVar[int] = 2

    cards: int = 4
    prizes: Literal["random", "falling"] = "random"
    points: Literal["difference", "win"] = "difference"

    class State(NamedTuple):
        """Cards of both players and prizes to come as bits, the prize turned up, and a lead from `-most` up.

        The lead is that of the first player in points, plus `most`; without a count of points it is just that.
        """

        first: int
        second: int
        rest: int
        prize: int
        lead: int

    def setup(self) -> None:
        if not 1 <= self.cards <= MOST_CARDS:
            allowed = f"1 to {MOST_CARDS}"
            raise ParameterError("goofspiel: cards is out of range", found=str(self.cards), allowed=allowed)
        self.all = (1 << self.cards) - 1
        self.counts = self.points == "win"
        self.most = self.cards * (self.cards + 1) // 2 if self.counts else 0

    def limits(self) -> State:
        return self.State(self.all, self.all, self.all, self.cards, 2 * self.most)

    def start(self) -> State:
        return self.State(self.all, self.all, self.all, 0, self.most)

    def to_move(self, state: State) -> int | tuple[int, int]:
        return (0, 1) if state.prize or not state.rest else CHANCE

    def held(self, cards: int) -> list[int]:
        """The cards of a set of bits, from 1 up."""
        return [card for card in range(1, self.cards + 1) if cards >> (card - 1) & 1]

    def moves(self, state: State) -> Iterator[int | tuple[int, int]]:
        if state.prize:
            yield from product(self.held(state.first), self.held(state.second))
        elif self.prizes == "random":
            yield from self.held(state.rest)
        elif state.rest:
            yield state.rest.bit_length()

    def play(self, state: State, move: int | tuple[int, int]) -> State:
        if isinstance(move, int):
            return state._replace(rest=state.rest - (1 << (move - 1)), prize=move)
        mine, yours = move
        lead = state.lead + (self.won(state, move) if self.counts else 0)
        return self.State(state.first - (1 << (mine - 1)), state.second - (1 << (yours - 1)), state.rest, 0, lead)

    def won(self, state: State, move: tuple[int, int]) -> int:
        """Points of the first player less those of the second, for both cards."""
        mine, yours = move
        return state.prize * ((mine > yours) - (mine < yours))

    def reward(self, state: State, move: int | tuple[int, int]) -> tuple[int, int]:
        if isinstance(move, int) or self.counts:
            return (0, 0)
        gain = self.won(state, move)
        return (gain, -gain)

    def payoff(self, state: State) -> tuple[int, int]:
        gain = (state.lead > self.most) - (state.lead < self.most)
        return (gain, -gain)

    def exchanged(self, state: State) -> State:
        return state._replace(first=state.second, second=state.first, lead=2 * self.most - state.lead)

    def show(self, state: State) -> str:
        sets = ("first", state.first), ("second", state.second), ("prizes", state.rest)
        parts = [f"{name}={'-'.join(map(str, self.held(cards)))}" for name, cards in sets]
        return " ".join([*parts, f"prize={state.prize}", f"ahead={state.lead - self.most}"])

    def parse(self, text: str) -> State:
        words = " ".join(text.split())
        found = _FORM.fullmatch(words)
        if found is not None and int(found[4]) <= self.cards and abs(int(found[5])) <= self.most:
            first, second, rest = (self._bits(each) for each in found.groups()[:3])
            state = self.State(first, second, rest, int(found[4]), self.most + int(found[5]))
            if self.show(state) == words:
                self._require_even(state, text)
                return state
        form = "first=CARDS second=CARDS prizes=CARDS prize=CARD ahead=POINTS, with CARDS such as 1-3"
        raise PositionError(f"goofspiel: cannot read the position {text!r}", found=repr(text), allowed=form)

    def _bits(self, text: str) -> int:
        """Cards such as `1-3` as a set of bits, as far as there are such cards."""
        return sum(1 << (card - 1) for card in range(1, self.cards + 1) if str(card) in text.split("-"))

    def _require_even(self, state: State, text: str) -> None:
        """Both players hold as many cards as there are prizes, and none of these is there twice."""
        first, second, rest = (len(self.held(cards)) for cards in (state.first, state.second, state.rest))
        if state.prize and state.rest >> (state.prize - 1) & 1:
            raise PositionError(f"goofspiel: no such position: {text}", found=f"the prize {state.prize} twice")
        if {first, second} != {rest + (state.prize > 0)}:
            raise PositionError(
                f"goofspiel: no such position: {text}",
                found=f"{first} and {second} cards for {rest + (state.prize > 0)} prizes",
                allowed="as many cards of each player as prizes, the one turned up included",
            )

    def draw(self, state: State) -> str:
        rows = ("first", state.first), ("second", state.second), ("prizes", state.rest)
        parts = [f"{name:6}  {' '.join(map(str, self.held(cards))) or 'none'}" for name, cards in rows]
        parts += [f"prize   {state.prize}"] if state.prize else []
        return "\n".join(parts + ([f"ahead   {state.lead - self.most}"] if self.counts else []))

    def draw_board(self, state: State) -> kit.Board:
        """The prizes and both hands; both bids as a table."""
        mine, yours, rest = self.held(state.first), self.held(state.second), self.held(state.rest)
        is_chance = bool(rest) and not state.prize
        parts: list[kit.Part] = [hand_of("Prizes to come", rest, is_open=is_chance)]
        if state.prize:
            shown = [kit.Slot(kit.captioned(kit.card(state.prize), "prize"), 110)]
            lead = [kit.Slot(kit.figure(state.lead - self.most, "first is ahead by"), 62)] if self.counts else []
            parts.append(kit.Row((*shown, *lead), ground="well"))
        choices = [[(str(each), kit.card(each)) for each in held if state.prize] for held in (mine, yours)]
        # The table of bids shows both hands.
        hands: list[kit.Part] = [hand_of("First holds", mine), hand_of("Second holds", yours)]
        parts += joint("Bids: first's down, second's across", *choices) or hands
        return kit.Board("Goofspiel", tuple(parts))
