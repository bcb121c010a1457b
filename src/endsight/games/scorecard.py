"""A small scorecard: dice are thrown again and scored in one category after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import NamedTuple

import endsight
import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import CHANCE, Game
from endsight.games.pictures.throws import throw_piece

# Points for each die of a straight, and of equal dice.
STRAIGHT, EQUAL = 8, 10
# Most ways in which up to `dice` dice can lie, and most faces.
MOST_HANDS, MOST_SIDES = 2_000, 20


KEEP = "keep:"


class Scorecard(Game):
    """One player fills a scorecard with dice, for the largest expected total.

    In every round the player throws `dice` dice with faces 1 to `sides`, and may then, up
    to `rerolls` times, keep some of them and throw the others again. The dice are then
    scored in a category that is still free: `1s` brings the sum of the ones, and so on
    for each face; `straight` brings 8 for each die where the faces follow one another;
    `equal` brings 10 for each die where all are equal. Dice that do not fit bring 0. The
    game is over when all categories are filled.

    With five dice a straight brings 40 and equal dice bring 50, as in Yahtzee, of which
    this is a small relative. A position is `filled=1s,straight dice=2-5 rerolls=1`.
    """

    players = 1
    dice: int = 2
    sides: int = 4
    rerolls: int = 1

    class State(NamedTuple):
        """Filled categories as bits, number of the dice held (in `hands`), rerolls left."""

        filled: int
        held: int
        left: int

    def setup(self) -> None:
        """List all hands of up to `dice` dice, and what can be kept of each and thrown to it."""
        for key, least in (("dice", 2), ("sides", 1), ("rerolls", 0)):
            if (found := getattr(self, key)) < least:
                raise ParameterError(
                    f"scorecard: {key} must be at least {least}", found=str(found), allowed=f"{least}, {least + 1}, ..."
                )
        if self.sides > MOST_SIDES or comb(self.sides + self.dice, self.dice) > MOST_HANDS:
            raise endsight.errors.LimitReached(
                f"scorecard: too many ways for {self.dice} dice with {self.sides} sides to lie",
                advice="fewer dice, or fewer sides",
            )
        faces = range(1, self.sides + 1)
        sized = [tuple(combinations_with_replacement(faces, size)) for size in range(self.dice + 1)]
        # Equal hands however thrown: the dice in rising order, fewer dice first.
        self.hands = tuple(hand for hands in sized for hand in hands)
        self.first = [sum(map(len, sized[:size])) for size in range(self.dice + 1)]
        number = {hand: place for place, hand in enumerate(self.hands)}
        self.size = [len(hand) for hand in self.hands]
        self.ways = [factorial(len(hand)) // prod(factorial(hand.count(f)) for f in set(hand)) for hand in self.hands]
        self.joined = [
            [number[tuple(sorted(hand + more))] for more in sized[self.dice - len(hand)]] for hand in self.hands
        ]
        full = [self._parts(hand) if len(hand) == self.dice else () for hand in self.hands]
        self.kept = [sorted(number[part] for part in parts) for parts in full]
        self.points = [self._points(hand) for hand in sized[self.dice]]
        self.categories = [*(f"{face}s" for face in faces), "straight", "equal"]
        self.count = self.sides + 2

    def _parts(self, hand: tuple[int, ...]) -> set[tuple[int, ...]]:
        """What is left of the dice where one or more are taken up."""
        parts: set[tuple[int, ...]] = {()}
        for face in hand:
            parts |= {(*part, face) for part in parts}
        return parts - {hand}

    def _points(self, hand: tuple[int, ...]) -> list[int]:
        sums = [face * hand.count(face) for face in range(1, self.sides + 1)]
        is_straight = hand == tuple(range(hand[0], hand[0] + self.dice))
        return [*sums, STRAIGHT * self.dice * is_straight, EQUAL * self.dice * (hand[0] == hand[-1])]

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State((1 << self.count) - 1, len(self.hands) - 1, self.rerolls)

    def start(self) -> State:
        """An empty card, all dice in the air."""
        return self.State(0, 0, self.rerolls)

    def to_move(self, state: State) -> int:
        """The dice while some are in the air, else the player."""
        return CHANCE if self.size[state.held] < self.dice and state.filled < (1 << self.count) - 1 else 0

    # A raw move is a category, or `count` plus the number of the hand to keep; or the number of the hand thrown.

    def moves(self, state: State) -> Iterator[int]:
        """Every free category, then all that can be kept; every throw while dice are in the air."""
        if self.size[state.held] == self.dice:
            for category in range(self.count):
                if not state.filled >> category & 1:
                    yield category
            if state.left > 0:
                for part in self.kept[state.held]:
                    yield self.count + part
        elif state.filled < (1 << self.count) - 1:
            thrown = self.dice - self.size[state.held]
            yield from range(self.first[thrown], self.first[thrown] + len(self.joined[state.held]))

    def weight(self, state: State, move: int) -> int:
        """Ways to throw these dice."""
        return self.ways[move]

    def reward(self, state: State, move: int) -> int:
        """The points of a category."""
        if self.size[state.held] == self.dice and move < self.count:
            return self.points[state.held - self.first[self.dice]][move]
        return 0

    def play(self, state: State, move: int) -> State:
        """Score, keep dice, or put the dice thrown to those kept."""
        if self.size[state.held] < self.dice:
            thrown = self.dice - self.size[state.held]
            return self.State(state.filled, self.joined[state.held][move - self.first[thrown]], state.left)
        if move >= self.count:
            return self.State(state.filled, move - self.count, state.left - 1)
        filled = state.filled | 1 << move
        return self.State(filled, 0, self.rerolls if filled < (1 << self.count) - 1 else 0)

    def payoff(self, state: State) -> int:
        """Nothing more once the card is full."""
        return 0

    # ---------------------------------------------------------------- text forms

    def show(self, state: State) -> str:
        """`filled=1s,straight dice=2-5 rerolls=1`."""
        filled = [name for place, name in enumerate(self.categories) if state.filled >> place & 1]
        return f"filled={','.join(filled) or 'none'} dice={self._words(state.held)} rerolls={state.left}"

    def parse(self, text: str) -> State:
        """The state in the form of `show`."""
        given = dict(item.partition("=")[::2] for item in text.split())
        names = [] if given.get("filled") == "none" else given.get("filled", "?").split(",")
        hand = next((place for place in range(len(self.hands)) if self._words(place) == given.get("dice")), -1)
        left = given.get("rerolls", "")
        known = len(given) == 3 and set(names) <= set(self.categories) and len(set(names)) == len(names)
        if known and hand >= 0 and left.isascii() and left.isdecimal() and int(left) <= self.rerolls:
            state = self.State(sum(1 << self.categories.index(name) for name in names), hand, int(left))
            # Before the first reroll all dice lie, or all are in the air; a full card has none of both.
            fresh = self.size[hand] in (0, self.dice) or state.left < self.rerolls
            if (hand, state.left) == (0, 0) if len(names) == self.count else fresh:
                return state
        raise PositionError(f"no such position: {text}", allowed=self.show(self.State(1, len(self.hands) - 1, 0)))

    def _words(self, hand: int) -> str:
        return "-".join(map(str, self.hands[hand])) or "none"

    def show_move(self, state: State, move: int) -> str:
        """A category such as `1s`, `keep:2-2`, or the dice thrown: `3-5`."""
        if self.size[state.held] < self.dice:
            return self._words(move)
        return self.categories[move] if move < self.count else f"keep:{self._words(move - self.count)}"

    def name_move(self, state: State, move: int) -> str:
        """`score 1s`, `keep 2-2`, `roll all again`; nothing for a throw."""
        if self.size[state.held] < self.dice:
            return ""
        if move < self.count:
            return f"score {self.categories[move]}"
        kept = self._words(move - self.count)
        return "roll all again" if kept == "none" else f"keep {kept}"

    def draw(self, state: State) -> str:
        """The dice, and the categories that are free."""
        free = [name for place, name in enumerate(self.categories) if not state.filled >> place & 1]
        air = self.dice - self.size[state.held]
        dice = f"dice {self._words(state.held)}" + (f", {air} in the air" if air and free else "")
        return f"{dice}, rerolls left {state.left}\nfree: {' '.join(free) or 'none, the card is full'}"

    def draw_board(self, state: State) -> kit.Board:
        """The dice, the card, and what can be kept or thrown."""
        size, is_full = self.size[state.held], state.filled == (1 << self.count) - 1
        lying = [kit.Slot(kit.die(face), 60) for face in self.hands[state.held]] + [kit.Slot(kit.die(None), 60)] * (
            self.dice - size
        )
        label = "The card is full" if is_full else f"Throws left: {state.left}"
        parts: list[kit.Part] = [
            kit.Row((*([] if is_full else lying), kit.Slot(kit.word(label, 16), 26)), ground="well")
        ]
        parts.append(kit.Row(tuple(self._category(state, place) for place in range(self.count)), "Categories"))
        texts = [self.show_move(state, move) for move in self.moves(state)]
        kept = [kit.Slot(self._kept(text), 44, text) for text in texts if text.startswith(KEEP)]
        thrown = [kit.Slot(throw_piece(text), 44, text) for text in texts] if size < self.dice else []
        parts += [kit.Row(tuple(kept), "Keep these, and throw the others")] if kept else []
        parts += [kit.Row(tuple(thrown), "The dice show")] if thrown else []
        return kit.Board("Scorecard", tuple(parts))

    def _category(self, state: State, place: int) -> kit.Slot:
        """A line of the card: filled, free, or with the points that the dice bring there."""
        name, is_filled = self.categories[place], state.filled >> place & 1 == 1
        if is_filled or self.size[state.held] < self.dice:
            piece = kit.tile("✓", "filled") if is_filled else kit.tile("", "free")
            return kit.Slot(kit.captioned(piece, name), 76, faded=is_filled)
        points = self.points[state.held - self.first[self.dice]][place]
        return kit.Slot(kit.captioned(kit.tile(points, f"{points} points"), name), 76, name)

    def _kept(self, text: str) -> kit.Piece:
        words = text.removeprefix(KEEP)
        return kit.button("Nothing") if words == "none" else throw_piece(words)
