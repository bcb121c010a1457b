"""Games with one fault each. `FAULTY` says which rule is to blame and what the message must say.

All grow from `Heap`: take 1 to 3 from a heap, who cannot take has lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from random import random
from typing import Any, ClassVar, NamedTuple

from endsight import CHANCE, Game
from endsight.errors import PositionError


class Heap(Game):
    """The good one."""

    heap: int = 6

    class State(NamedTuple):
        left: int

    def limits(self):
        return self.State(self.heap)

    def start(self):
        return self.State(self.heap)

    def moves(self, state):
        yield from range(1, min(3, state.left) + 1)

    def play(self, state, move):
        return self.State(state.left - move)

    def payoff(self, state):
        return -1


class Dice(Game):
    """The good one with chance: stop, or roll a three-sided die that busts on a 1."""

    most: int = 6

    class State(NamedTuple):
        total: int
        stage: int  # 0 to decide, 1 die in the air, 2 over

    def limits(self):
        return self.State(self.most + 3, 2)

    def start(self):
        return self.State(0, 0)

    def to_move(self, state):
        return CHANCE if state.stage == 1 else 0

    def moves(self, state):
        if state.stage == 1:
            yield from (1, 2, 3)
        elif state.stage == 0:
            yield 0
            if state.total < self.most:
                yield 1

    def play(self, state, move):
        if state.stage == 0:
            return self.State(state.total, 1 if move else 2)
        return self.State(0, 2) if move == 1 else self.State(state.total + move, 0)

    def weight(self, state, move):
        return 2 if move == 3 else 1

    def payoff(self, state):
        return state.total


class Walk(Game):
    """The good one with a loop: two players move one token on a ring, the top square ends the game."""

    squares: int = 5

    class State(NamedTuple):
        square: int

    def limits(self):
        return self.State(self.squares - 1)

    def start(self):
        return self.State(0)

    def moves(self, state):
        if state.square < self.squares - 1:
            yield from (1, -1)

    def play(self, state, move):
        return self.State((state.square + move) % (self.squares - 1) if state.square != 3 else state.square + move)

    def payoff(self, state):
        return -1


class Pair(Game):
    """The good one with a symmetry: two heaps, take 1 or 2 from either."""

    class State(NamedTuple):
        one: int
        two: int

    def limits(self):
        return self.State(4, 4)

    def start(self):
        return self.State(4, 3)

    def moves(self, state):
        for heap in range(2):
            for take in range(1, min(2, state[heap]) + 1):
                yield (heap, take)

    def play(self, state, move):
        heap, take = move
        return self.State(state.one - take * (heap == 0), state.two - take * (heap == 1))

    def payoff(self, state):
        return -1

    def canonical(self, state):
        return self.State(min(state), max(state))


GOOD = (Heap, Dice, Walk, Pair)


# ---------------------------------------------------------------------- State, parameters, limits, start


class NoState(Heap):
    State: ClassVar[Any] = None


class PlainState(Heap):
    class State:
        def __init__(self, left):
            self.left = left


class DataclassState(Heap):
    @dataclass(frozen=True)
    class State:
        left: int


class FloatParameter(Heap):
    share: float = 0.5


class NoLimits(Heap):
    limits = Game.limits


class FloatLimits(Heap):
    def limits(self):
        return self.State(self.heap / 1)


class StartOutside(Heap):
    def start(self):
        return self.State(self.heap + 1)


class ListInState(Game):
    class State(NamedTuple):
        board: list

    def limits(self):
        return self.State(1)

    def start(self):
        return self.State([0, 0])

    def moves(self, state):
        yield from (place for place in range(2) if state.board[place] == 0)

    def play(self, state, move):
        state.board[move] = 1
        return self.State(state.board)

    def payoff(self, state):
        return -1


# ---------------------------------------------------------------------- moves


class MovesGivesNothing(Heap):
    def moves(self, state):
        if state.left:
            return range(1, min(3, state.left) + 1)
        return None


class MovesGivesNumber(Heap):
    def moves(self, state):
        return state.left


class SetOfMoves(Heap):
    def moves(self, state):
        return set(super().moves(state))


class MoveTwice(Heap):
    def moves(self, state):
        yield from range(1, min(3, state.left) + 1)
        if state.left == 4:
            yield 1


class EndlessMoves(Heap):
    def moves(self, state):
        if state.left:
            yield from count(1)


class EndlessMovesWithSeats(EndlessMoves):
    def to_move(self, state):
        return state.left % 2


class MovesIndexError(Heap):
    def moves(self, state):
        yield from [[], [1], [1, 2], [1, 2, 3], [1, 2, 3]][state.left]


class MovesAfterEnd(Heap):
    def moves(self, state):
        yield from range(1, 4)

    def play(self, state, move):
        return self.State(max(0, state.left - move))


class MovesAfterOver(Heap):
    def is_over(self, state):
        return state.left <= 1

    def moves(self, state):
        yield from range(1, min(3, state.left) + 1)


class OverTooLate(Heap):
    def is_over(self, state):
        return False


_CALLS = count()


class RandomMoves(Heap):
    def moves(self, state):
        if state.left:
            yield 1
            if state.left > 1 and next(_CALLS) % 2:
                yield 2


class CountingMoves(Heap):
    calls: ClassVar[int] = 0

    def moves(self, state):
        self.calls += 1
        yield from range(1, min(3, state.left) + 1)


class NoEnd(Game):
    class State(NamedTuple):
        place: int

    def limits(self):
        return self.State(2)

    def start(self):
        return self.State(0)

    def moves(self, state):
        yield from (1, 2)

    def play(self, state, move):
        return self.State((state.place + move) % 3)

    def payoff(self, state):
        return 0


# ---------------------------------------------------------------------- play


class BelowZero(Heap):
    def moves(self, state):
        if state.left > 0:
            yield from range(1, 4)

    def payoff(self, state):
        return -1


class AboveLimit(Heap):
    def play(self, state, move):
        return self.State(state.left - move if state.left != 5 else 99)


class PlainTuple(Heap):
    def play(self, state, move):
        return (state.left - move,)


class PlayGivesNothing(Heap):
    def play(self, state, move):
        if state.left > move:
            return self.State(state.left - move)
        return None


class FloatField(Heap):
    def play(self, state, move):
        return self.State((state.left - move) / 1)


class TextField(Heap):
    def play(self, state, move):
        return self.State(state.left - move if state.left - move > 1 else str(state.left - move))


class PlayRaises(Heap):
    def play(self, state, move):
        return self.State({6: 5, 5: 4, 4: 3}[state.left] if move == 1 else state.left - move)


class RandomPlay(Dice):
    def play(self, state, move):
        if state.stage == 0:
            return self.State(state.total, 1 if move else 2)
        face = int(random() * 1_000_000) % 3 + 1
        return self.State(0, 2) if face == 1 else self.State(state.total + face, 0)


class PlayWritesBoard(Heap):
    def setup(self):
        self.board = [0] * 10

    def play(self, state, move):
        self.board[move] += 1
        return self.State(state.left - move)


class PlayWritesClass(Heap):
    seen: ClassVar[set[int]] = set()

    def play(self, state, move):
        self.seen.add(state.left)
        return self.State(state.left - move)


class Recursive(Heap):
    def play(self, state, move):
        return self.play(state, move)


class Disagreeing(Game):
    """Three players pass a token round for ever; anybody may stop, and does if the next one would not."""

    players: ClassVar[int] = 3

    class State(NamedTuple):
        holder: int
        stopped: int

    def limits(self):
        return self.State(2, 1)

    def start(self):
        return self.State(0, 0)

    def moves(self, state):
        if not state.stopped:
            yield from (0, 1)

    def play(self, state, move):
        return self.State(state.holder, 1) if move else self.State((state.holder + 1) % 3, 0)

    def payoff(self, state):
        return tuple((1, 0, 3)[(player - state.holder) % 3] for player in range(3))


class NotOpposed(Game):
    """Two players on a loop; whoever ends it decides who is paid."""

    class State(NamedTuple):
        square: int
        kind: int

    def limits(self):
        return self.State(4, 1)

    def start(self):
        return self.State(0, 0)

    def to_move(self, state):
        return state.square % 2

    def moves(self, state):
        if state.square < 4:
            yield from (0, 1, 2)

    def play(self, state, move):
        return self.State(4, move - 1) if move else self.State((state.square + 1) % 4, 0)

    def payoff(self, state):
        return (state.kind, 1 - state.kind)


class ChanceLoop(Game):
    """A player may go on asking for the die without ever letting it fall."""

    class State(NamedTuple):
        stage: int

    def limits(self):
        return self.State(3)

    def start(self):
        return self.State(0)

    def to_move(self, state):
        return CHANCE if state.stage == 2 else 0

    def moves(self, state):
        if state.stage < 2:
            yield from (0, 1)
        elif state.stage == 2:
            yield from (0, 3)

    def play(self, state, move):
        if state.stage == 2:
            return self.State(move)
        return self.State(1 - state.stage if move == 0 else 2)

    def payoff(self, state):
        return 1


# ---------------------------------------------------------------------- weight, reward, payoff, to_move


class WeightZero(Dice):
    def weight(self, state, move):
        return move - 1


class WeightNegative(Dice):
    def weight(self, state, move):
        return 2 - move or 1


class WeightFraction(Dice):
    def weight(self, state, move):
        return Fraction(1, 3)


class WeightFloat(Dice):
    def weight(self, state, move):
        return 1 / 3


class FloatPayoff(Heap):
    def payoff(self, state):
        return -1.0


class BoolPayoff(Heap):
    def payoff(self, state):
        return state.left > 0


class ShortPayoff(Heap):
    players: ClassVar[int] = 2

    def payoff(self, state):
        return (1, 0, -1)


class PayoffRaises(Heap):
    def payoff(self, state):
        return 1 // state.left


class NoPayoff(Heap):
    payoff = Game.payoff


class FloatReward(Heap):
    def reward(self, state, move):
        return move * 0.5


class LoneReward(Heap):
    """A single number where it is not clear whose it is."""

    players: ClassVar[int] = 2

    def to_move(self, state):
        return state.left % 2

    def reward(self, state, move):
        return move

    def payoff(self, state):
        return (0, 0)


class LoopPays(Walk):
    def reward(self, state, move):
        return 1 if move > 0 else 0


class ThirdOfTwo(Heap):
    players: ClassVar[int] = 2

    def to_move(self, state):
        return state.left % 3

    def payoff(self, state):
        return (1, -1)


class NoMover(Heap):
    players: ClassVar[int] = 2

    def to_move(self, state):
        return None

    def payoff(self, state):
        return (1, -1)


class FloatMover(NoMover):
    def to_move(self, state):
        return 1.0


class ListOfMovers(NoMover):
    def to_move(self, state):
        return [0, 1]


class BoolMover(Heap):
    players: ClassVar[int] = 2

    def to_move(self, state):
        return state.left % 2 == 0

    def payoff(self, state):
        return (1, -1)


class NoOutcome(Dice):
    def moves(self, state):
        if state.total != 4 or state.stage != 1:
            yield from super().moves(state)


class BadPlayers(Heap):
    players: ClassVar[int] = 0


# ---------------------------------------------------------------------- text forms


class BlankMoves(Heap):
    def show_move(self, state, move):
        return f"take {move}"


class SameNames(Heap):
    def show_move(self, state, move):
        return "few" if move < 3 else "many"


class NumberNames(Heap):
    def show_move(self, state, move):
        return move


class WrongWayRound(Heap):
    def show_move(self, state, move):
        return f"take{move}"

    def parse_move(self, state, text):
        digit = text.removeprefix("take")
        return 4 - int(digit) if digit in ("1", "2", "3") and 4 - int(digit) <= state.left else None


class ParseMoveRaises(Heap):
    def parse_move(self, state, text):
        move = int(text)
        return move if move in self.moves(state) else None


class TakesAnything(Heap):
    def parse_move(self, state, text):
        return int(text) if text.isascii() and text.isdigit() else None


class ShowRaises(Heap):
    def show(self, state):
        return super().show(state) + "......"[state.left] * 0


class ParseRaises(Heap):
    def show(self, state):
        return str(state.left)

    def parse(self, text):
        return self.State(int(text))


class DrawsNothing(Heap):
    def draw(self, state):
        print(end="")


# ---------------------------------------------------------------------- optional rules


class SymmetryChangesMoves(Pair):
    def canonical(self, state):
        return self.State(0, state.one + state.two if state.one + state.two <= 4 else 4)


class SymmetryChangesPayoff(Pair):
    class State(NamedTuple):
        one: int
        two: int
        last: int

    def limits(self):
        return self.State(4, 4, 1)

    def start(self):
        return self.State(2, 2, 0)

    def moves(self, state):
        yield from (move for move in super().moves(state) if move[0] < 2)

    def play(self, state, move):
        heap, take = move
        return self.State(state.one - take * (heap == 0), state.two - take * (heap == 1), heap)

    def payoff(self, state):
        return -1 if state.last else 1

    def canonical(self, state):
        return self.State(min(state[:2]), max(state[:2]), 0)


class SymmetryChangesSuccessors(Pair):
    """Swapping heaps is fine, but cutting a heap of 4 to 3 keeps the moves and not where they lead."""

    def canonical(self, state):
        return self.State(*sorted(min(heap, 3) for heap in state))


class SymmetryChangesMover(Pair):
    players: ClassVar[int] = 2

    def to_move(self, state):
        return state.one % 2

    def payoff(self, state):
        return (0, 0)


class SymmetryNotSettled(Pair):
    def canonical(self, state):
        return self.State(state.two, state.one)


class SymmetryOutside(Pair):
    def canonical(self, state):
        return self.State(0, state.one + state.two)


class SymmetryRewards(Pair):
    def reward(self, state, move):
        return 1 if move[0] == 0 else 0


class Turns(Game):
    """The same with the turn in the state, so that players can be exchanged."""

    heap: int = 6

    class State(NamedTuple):
        left: int
        turn: int

    def limits(self):
        return self.State(self.heap, 1)

    def start(self):
        return self.State(self.heap, 0)

    def to_move(self, state):
        return state.turn

    def moves(self, state):
        yield from range(1, min(2, state.left) + 1)

    def play(self, state, move):
        return self.State(state.left - move, 1 - state.turn)

    def payoff(self, state):
        return (1, -1) if state.turn else (-1, 1)

    def layer(self, state):
        return self.heap - state.left

    def exchanged(self, state):
        return self.State(state.left, 1 - state.turn)


class ExchangeOnce(Turns):
    def exchanged(self, state):
        return self.State(state.left, 1)


class ExchangeKeepsTurn(Turns):
    def exchanged(self, state):
        return state


class ExchangeAddsMove(Turns):
    def moves(self, state):
        yield from range(1, min(2, state.left + (state.turn if state.left else 0)) + 1)

    def play(self, state, move):
        return self.State(max(0, state.left - move), 1 - state.turn)


class ExchangePays(Turns):
    def payoff(self, state):
        return 1, -1


class ExchangeLeadsElsewhere(Turns):
    def play(self, state, move):
        return self.State(state.left - (move if state.turn or state.left > 3 else 1), 1 - state.turn)

    def layer(self, state):
        return 0


class ExchangeChangesLayer(Turns):
    def layer(self, state):
        return (self.heap - state.left) * 2 + state.turn


class ExchangeOutside(Turns):
    def exchanged(self, state):
        return self.State(state.left, 2 - state.turn)


class ExchangeAlone(Dice):
    def exchanged(self, state):
        return state


class LayerFalls(Heap):
    def layer(self, state):
        return state.left


class LayerFloat(Heap):
    def layer(self, state):
        return -state.left / 2


class SeatStays(Heap):
    def seat(self, state):
        return 0


class RankNegative(Heap):
    def rank(self, state):
        return state.left - 1

    def unrank(self, number):
        return self.State(number + 1)


class UnrankOff(Heap):
    def rank(self, state):
        return state.left

    def unrank(self, number):
        return self.State(max(0, number - 1))


class FloatPar(Dice):
    def par(self):
        return 2.5


class PolicyTakesAll(Heap):
    def policy_all(self, state):
        return state.left


class OnlyWarned(Heap):
    """Not a fault: the text form of a state cannot be read back."""

    def show(self, state):
        return f"{state.left} left"

    def parse(self, text):
        raise PositionError("not written yet")


FAULTY: tuple[tuple[type[Game], str, str], ...] = (
    (NoState, "State", "is missing"),
    (PlainState, "State", "not a NamedTuple"),
    (DataclassState, "State", "not a NamedTuple"),
    (FloatParameter, "parameters", "share is 0.5"),
    (NoLimits, "limits", "is missing"),
    (FloatLimits, "limits", "6.0, a float"),
    (StartOutside, "start", "7, above its limit 6"),
    (ListInState, "start", "[0, 0], a list"),
    (ListInState, "play", "changes the state it was given"),
    (MovesGivesNothing, "moves", "returns None"),
    (MovesGivesNumber, "moves", "returns 6"),
    (SetOfMoves, "moves", "returns {1, 2, 3}, a set"),
    (MoveTwice, "moves", "yields 1 twice"),
    (EndlessMoves, "moves", "more than 1,000,000 moves"),
    (EndlessMovesWithSeats, "moves", "more than 1,000,000 moves"),
    (MovesIndexError, "moves", "IndexError: list index out of range (faulty_games.py, line "),
    (MovesAfterOver, "moves", "offers moves after the end: is_over"),
    (OverTooLate, "is_over", "goes on where there are no moves"),
    (RandomMoves, "moves", "the first time and"),
    (CountingMoves, "moves", "changes self.calls"),
    (BelowZero, "play", "below 0"),
    (AboveLimit, "play", "sets the field left to 99, above its limit 6"),
    (PlainTuple, "play", "a plain tuple"),
    (PlayGivesNothing, "play", "returns None, not a State"),
    (FloatField, "play", "5.0, a float"),
    (TextField, "play", "'1', str where a whole number is declared"),
    (PlayRaises, "play", "raises KeyError: 3"),
    (RandomPlay, "play", "the first time and"),
    (PlayWritesBoard, "play", "changes self.board"),
    (PlayWritesClass, "play", "changes self.seen"),
    (Recursive, "play", "calls itself"),
    (WeightZero, "weight", "returns 0 for the outcome 1"),
    (WeightNegative, "weight", "returns -1 for the outcome 3"),
    (WeightFraction, "weight", "returns Fraction(1, 3)"),
    (WeightFloat, "weight", "returns 0.333"),
    (FloatPayoff, "payoff", "returns -1.0"),
    (BoolPayoff, "payoff", "returns False"),
    (ShortPayoff, "payoff", "returns (1, 0, -1)"),
    (PayoffRaises, "payoff", "raises ZeroDivisionError"),
    (NoPayoff, "payoff", "is missing"),
    (FloatReward, "reward", "returns 0.5"),
    (LoneReward, "reward", "single number"),
    (ThirdOfTwo, "to_move", "returns 2 in a game of 2"),
    (BoolMover, "to_move", "returns True"),
    (NoMover, "to_move", "returns None"),
    (FloatMover, "to_move", "returns 1.0"),
    (ListOfMovers, "to_move", "returns [0, 1]"),
    (BadPlayers, "players", "must be a whole number, 1 or more, not 0"),
    (BlankMoves, "show_move", "returns 'take 1' for 1"),
    (SameNames, "show_move", "returns 'few' for both 1 and 2"),
    (NumberNames, "show_move", "returns 1 for 1"),
    (WrongWayRound, "parse_move", "returns 3 for 'take1'"),
    (ParseMoveRaises, "parse_move", "raises ValueError"),
    (TakesAnything, "parse_move", "which is not legal"),
    (ShowRaises, "show", "raises IndexError"),
    (ParseRaises, "parse", "raises ValueError"),
    (DrawsNothing, "draw", "returns None"),
    (SymmetryChangesMoves, "canonical", "moves instead of"),
    (SymmetryChangesPayoff, "canonical", "the payoff is"),
    (SymmetryChangesSuccessors, "canonical", "the moves lead to other states"),
    (SymmetryChangesMover, "canonical", "to_move is"),
    (SymmetryNotSettled, "canonical", "when applied again"),
    (SymmetryOutside, "canonical", "above its limit 4"),
    (SymmetryRewards, "canonical", "the moves lead to other states, or have other rewards"),
    (ExchangeOnce, "exchanged", "when applied again"),
    (ExchangeKeepsTurn, "exchanged", "to_move is 0 instead of 1"),
    (ExchangeAddsMove, "exchanged", "moves yields 1 move instead of 2"),
    (ExchangePays, "exchanged", "the payoff is (1, -1) instead of (-1, 1)"),
    (ExchangeLeadsElsewhere, "exchanged", "the moves lead to other states"),
    (ExchangeChangesLayer, "exchanged", "layer is"),
    (ExchangeOutside, "exchanged", "above its limit"),
    (ExchangeAlone, "exchanged", "does not have two players"),
    (LayerFalls, "layer", "falls from 6 to 5 with the move 1"),
    (LayerFloat, "layer", "returns -3.0"),
    (SeatStays, "seat", "returns 0, and 0 after a move"),
    (RankNegative, "rank", "returns -1"),
    (UnrankOff, "unrank", "for its rank 6"),
    (FloatPar, "par", "returns 2.5"),
    (PolicyTakesAll, "policy_all", "returns 6, which is not legal"),
)

WARNED: tuple[tuple[type[Game], str, str], ...] = (
    (MovesAfterEnd, "moves", "offers moves after the end: none changes the state"),
    (NoEnd, "moves", "no end can be reached"),
    (OnlyWarned, "parse", "does not read what show gives"),
)
"""Games that keep to the contract, and look as if something else were meant."""

WITHOUT_VALUE: tuple[tuple[type[Game], str, str], ...] = (
    (Disagreeing, "interests are not opposed", "3 players, each after their own payoff"),
    (NotOpposed, "interests are not opposed", "together 1; play that never ends pays (0, 0)"),
    (LoopPays, "go on for ever here and pays on the way", "lead back to it and pay first 1, second -1"),
)
"""Games that keep to the contract, whose loops leave no value: with the message and what is found."""


def states_of(game: Game) -> Iterator[Any]:
    """All reachable states, independently of the check."""
    seen = {game.start()}
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        yield state
        for move in game.moves(state):
            child = game.play(state, move)
            if child not in seen:
                seen.add(child)
                waiting.append(child)
