"""Positions of a game, as answers name them: a state with the moves that led there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any

from endsight.base.faults import IllegalMoveError, UsageError
from endsight.base.printable import printable_lines
from endsight.base.shortened import shortened
from endsight.game.derived import discount_of, next_mover, shares
from endsight.game.exact import Number, late
from endsight.game.markup import picture, position_html
from endsight.game.numbers import Amount, added, simplest
from endsight.game.results import CHANCE, TOGETHER, moves_of, opening
from endsight.game.rule_texts import as_text as as_text

if TYPE_CHECKING:
    from endsight.game import Game

_TALLEST = 12
"""Lines of a drawing in a message."""


@dataclass(frozen=True)
class Position:
    """A place in a game: its state, its mover, and the play that led there.

    `mover` is a player's number, `CHANCE`, or `TOGETHER` where several players move at once. `so_far` is each player's
    gain from the moves so far (rewards only; 0 where the rules discount, and values count from the position on);
    `history` holds those moves as text. `set_up` is the text of the first state if play did not begin at the game's
    start. `is_told` says that texts of the history tell what was seen in place of moves (`endsight.game.unseen`).
    Positions are values: `after` returns a new one.
    """

    game: Game
    state: Any
    mover: int
    so_far: tuple[Number, ...]
    history: tuple[str, ...]
    set_up: str | None = None
    is_told: bool = False

    def moves(self) -> Iterator[Any]:
        """The legal moves, as the rules yield them."""
        return moves_of(self.game, self.state)

    @property
    def place(self) -> tuple[Any, int, tuple[Number, ...]]:
        """What the rest of the game depends on: the state, the mover, and the gains so far."""
        return self.state, self.mover, self.so_far

    @property
    def is_over(self) -> bool:
        """Whether there are no moves."""
        return next(self.moves(), self) is self

    @property
    def to_move(self) -> str | None:
        """Name of the player to move, `chance`, `first and second` if they move at once, or None at the end."""
        if self.is_over:
            return None
        return "chance" if self.mover == CHANCE else " and ".join(self.game.player_names[p] for p in self.movers)

    @property
    def movers(self) -> tuple[int, ...]:
        """Numbers of the players to move: one, or several at once; none where chance moves."""
        if self.mover == CHANCE:
            return ()
        movers = self.game.to_move(self.state) if self.mover == TOGETHER else self.mover
        return movers if isinstance(movers, tuple) else (movers,)

    @property
    def text(self) -> str:
        """The moves so far, separated by blanks."""
        return " ".join(self.history)

    def after(self, text: str) -> Position:
        """The position after the move that `text` names; `IllegalMoveError` if none does."""
        move = self.game.parse_move(self.state, text) if isinstance(text, str) and not self.is_told else None
        if move is not None:
            return self.play(move)
        if isinstance(text, str) and self.game.gives("sees") and (found := self._reported(text)) is not None:
            return found
        raise self.illegal(text)

    def _reported(self, text: str) -> Position | None:
        """The first position that fits, where the text describes what was seen instead of a move."""
        unseen, texts = late("game.unseen"), (*self.history, text)
        if self.set_up is not None or not (self.is_told or unseen.is_unseen(text)):
            return None
        first: Position = unseen.fitting(self.game, texts)[0].position
        return replace(first, history=texts, is_told=True)

    def along(self, moves: Iterable[str]) -> list[Position]:
        """The position itself, and those after each of the moves, which are texts."""
        return list(accumulate(moves, Position.after, initial=self))

    def play(self, move: Any) -> Position:
        """The position after `move`, which must be one of `moves()`: that is not checked."""
        game = self.game
        gain = self.gain(move)
        state = game.play(self.state, move)
        so_far = self.so_far
        if game.discount == 1:
            so_far = added(so_far, gain)
        mover, history = next_mover(game, state, self.mover), (*self.history, self.move_text(move))
        return Position(game, state, mover, so_far, history, self.set_up, self.is_told)

    def illegal(self, text: object) -> UsageError | IllegalMoveError:
        """The error for a move that is not legal there, or is not text."""
        if not isinstance(text, str):
            return _no_text(text, f"{str(text)!r}, or position.play(MOVE) with a move of the rules")
        game = self.game
        allowed = [as_text(game, "show_move", self.state, move) for move in islice(self.moves(), 25)]
        allowed[24:] = ["..."] * (len(allowed) > 24)
        before = f" after {' '.join(self.history[-12:])!r}" if self.history else " at the start"
        bare = text.strip(",;")
        rows = [shortened(row, 100) for row in as_text(game, "draw", self.state).splitlines()]
        return IllegalMoveError(
            f"{game.title()}: move {len(self.history) + 1}, {text!r}, is not legal{before}",
            found="\n".join(rows if len(rows) <= _TALLEST else [*rows[: _TALLEST - 1], "…"]),
            allowed=" ".join(allowed) or "nothing: the game is over there",
            advice="blanks alone between moves" if bare != text and bare in allowed else None,
        )

    def move_text(self, move: Any) -> str:
        """The text of one of `moves()`; `RulesError` where the rules give none."""
        return as_text(self.game, "show_move", self.state, move)

    def gain(self, move: Any) -> tuple[Number, ...]:
        """The immediate reward of `move` to every player."""
        return shares(self.game, "reward", self.mover, self.state, move)

    def paid(self) -> tuple[Number, ...]:
        """Every player's total in the game, which ends here: rewards on the way and the final payoff."""
        final = shares(self.game, "payoff", self.mover, self.state)
        return tuple(simplest(gained + own) for gained, own in zip(self.so_far, final, strict=True))

    def worth(self, move: Any, after: tuple[Amount, ...]) -> tuple[Amount, ...]:
        """The value of `move` to every player, where `after` is the value of the position after it."""
        if self.game.discount == 1:
            return after
        counted = 1 if self.mover == CHANCE else discount_of(self.game)
        return tuple(simplest(gain + counted * amount) for gain, amount in zip(self.gain(move), after, strict=True))

    def __str__(self) -> str:
        return printable_lines(as_text(self.game, "draw", self.state))

    def __repr__(self) -> str:
        begun = "" if self.set_up is None else f" at {self.set_up!r}"
        return f"<Position of {self.game!r}{begun} after {self.text!r}>"

    def _repr_svg_(self) -> str:
        board = late("board").board_at(self)
        return str(board.svg(last=self.history[-1] if self.history else None, width=560))

    def _repr_html_(self) -> str:
        gained = {name: own for name, own in zip(self.game.player_names, self.so_far, strict=True) if own}
        return position_html(self.game.title(), self.to_move, self.text, picture(self._repr_svg_(), str(self)), gained)


def require_names(game: Game, state: Any, texts: Mapping[Any, str]) -> None:
    """Raise `RulesError` where two moves, or parts of moves, of a state share a text: `texts` maps move to text."""
    if len(set(texts.values())) < len(texts):
        text = next(text for text, count in Counter(texts.values()).items() if count > 1)
        named = [move for move, own in texts.items() if own == text]
        raise late("errors.complaints").same_name(game, state, text, named)


def move_called(game: Game, state: Any, text: str) -> Any:
    """The legal move with that text, or None; `RulesError` where several moves have it."""
    found = {move: text for move in moves_of(game, state) if as_text(game, "show_move", state, move) == text}
    require_names(game, state, found)
    return next(iter(found), None)


def move_texts(moves: str | Iterable[str]) -> Iterable[str]:
    """The moves one by one, from a text with blanks between them or several texts; `UsageError` for anything else."""
    texts = moves.split() if isinstance(moves, str) else moves
    if isinstance(texts, Iterable):
        return texts
    raise _no_text(moves, "'MOVE MOVE ...', or ['MOVE', 'MOVE', ...]")


def begin(game: Game, moves: str | Iterable[str], set_up: str | None = None) -> Position:
    """The position after `moves` from the start, or from the state that the text `set_up` describes."""
    state, mover = opening(game, set_up, lambda *given: late("game.codec").check_position(*given))
    shown = None if set_up is None else as_text(game, "show", state)
    position = Position(game, state, mover, (0,) * game.player_count, (), shown)
    for text in move_texts(moves):
        position = position.after(text)
    return position


def _no_text(found: object, advice: str) -> UsageError:
    """The error for moves that are not text."""
    return UsageError("moves must be given as text", found=f"{found!r} ({type(found).__name__})", advice=advice)


# ---------------------------------------------------------------------- games made from other rules

# Games written by hand take every position as it is. Modules that make games from rules, such as games of beliefs,
# register other behaviour.


@singledispatch
def position_of(_game: Game, _place: Position) -> Position | None:
    """The position of this game that corresponds to a position of another one; None for none."""
    return None


@singledispatch
def policy_of(_game: Game, rule: Any) -> Any:
    """The policy of this game that corresponds to a policy of the rules it was made from."""
    return rule


@singledispatch
def positions_along(_game: Game, start: Position, texts: Iterable[str]) -> list[Position]:
    """The positions after each of the moves that follow `start`; raises `IllegalMoveError`."""
    return start.along(texts)[1:]


@singledispatch
def facts_at(_game: Game, _place: Position) -> dict[str, Any]:
    """Named facts about a position."""
    return {}


@singledispatch
def counts_unseen(_game: Game, _place: Position) -> bool:
    """Whether gains so far include means of what nobody has seen."""
    return False


@singledispatch
def position_in_truth(_game: Game, place: Position) -> Position:
    """The corresponding position in a game with all hidden facts; its `state_known` leads back to this one."""
    return place


@singledispatch
def state_known(_game: Game, state: Any) -> Any:
    """The players' knowledge in a state of the game that `position_in_truth` leads to."""
    return state
