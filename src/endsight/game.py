"""The rules of a game: one class, `Game`, that people write and everything else reads.

A game is a class with annotated parameters, a `State` NamedTuple of whole
numbers, and a few small pure methods. The same text is run as it stands
(exact, debuggable) and, later, compiled. The shortest complete example::

    class Countdown(Game):
        "Take 1 to `most` from a heap; who cannot take has lost."
        heap: int = 10
        most: int = 3

        class State(NamedTuple):
            left: int

        def limits(self):            return self.State(self.heap)
        def start(self):             return self.State(self.heap)
        def moves(self, state):      yield from range(1, min(self.most, state.left) + 1)
        def play(self, state, move): return self.State(state.left - move)
        def payoff(self, state):     return -1
"""

from __future__ import annotations

import typing
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import islice
from types import NoneType
from typing import Any, ClassVar, Literal, TypeAlias

from endsight.exact import Number, is_exact
from endsight.printable import printable, printable_lines

__all__ = ["CHANCE", "Game", "Position", "Share", "move_texts", "player_names"]

CHANCE = -1
"""What `to_move` returns where dice or cards decide: a mover with weights instead of wishes."""

Share: TypeAlias = "Number | tuple[Number, ...]"
"""What `payoff` and `reward` return: one number, or a tuple with one entry per player."""

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
# How far `players` looks for a payoff before it settles for what it has seen.
_PEEK = 2_000


def _complaints() -> Any:
    """The messages about what is not as it must be: loaded where there is something to complain of, and only there."""
    return import_module("endsight.complaints")


def move_texts(moves: str | Iterable[str]) -> Iterable[str]:
    """The moves one by one, of text with blanks between them or of several texts; `UsageError` for anything else."""
    texts = moves.split() if isinstance(moves, str) else moves
    if isinstance(texts, Iterable):
        return texts
    raise _complaints().no_text(moves, "'MOVE MOVE ...', or ['MOVE', 'MOVE', ...]")


def player_names(count: int) -> tuple[str, ...]:
    """`("player",)` for one; `first`, `second`, `third`, ... for several."""
    if count == 1:
        return ("player",)
    return tuple(_ORDINALS[i] if i < len(_ORDINALS) else f"player{i + 1}" for i in range(count))


class Game:
    """Base class of all rules.

    **A subclass gives**

    - parameters as annotated class fields (`int`, `bool`, `str`, `Literal[...]`,
      or nested `tuple[int, ...]`), set by keyword or in order;
    - `State`, a NamedTuple of whole numbers from 0 up. It is the only key: two
      positions with equal states have the same future;
    - `setup()` (optional): checks parameters (raise `ParameterError`), derives constants;
    - `limits() -> State`: the largest value of every field;
    - `start() -> State`;
    - `moves(state)`: yields the legal moves as whole numbers (or tuples of them);
      none at the end of the game. Their order is the order of all answers;
    - `play(state, move) -> State`: the state after a move, a new value;
    - `payoff(state)`: asked where there are no moves.

    **And, if needed**

    - `to_move(state)`: number of the player to move, or `CHANCE`. Without it the
      players alternate (two of them, unless `players` says otherwise);
    - `seat(state)`: for players who alternate, whose turn it is, where the state tells
      (stones to count, a field). `position_from` asks it instead of a prefix;
    - `weight(state, move) -> int`: whole weight of a chance outcome, at least 1
      (default 1 each);
    - `reward(state, move)`: what that move brings at once (default nothing);
    - `canonical(state)`: an equivalent state, the same for all that are equivalent;
    - `exchanged(state)`: for two players, the state in which both have changed parts (and
      back): the same moves, and what one was paid the other is. Games that are solved by
      layers in rounds then need one row for both;
    - `layer(state) -> int`: a whole number from 0 up that no move lowers, such as pieces
      that have left the board. Solves on the disk are cut by it, and so are games with loops and
      chance that are too large for one graph: layer by layer, from the last one back;
    - `rank(state)`, `unrank(number)`: a dense numbering;
    - `players`: how many there are (found from the payoffs where absent);
    - `par()`: for one player, the total that counts as half a win under the utility `win`.

    `payoff` and `reward` return a tuple with one entry per player, or a single
    number: the only player's; or, in a two-player game without `to_move`,
    zero-sum and seen by the player who would move.

    **Text forms**, all optional: `show(state)` and `parse(text)`, `show_move(state,
    move)` and `parse_move(state, text)` (no blanks inside a move), `draw(state)` for
    people (several lines), `svg(state)`, and `from_file(text)` for big inputs.
    """

    name: ClassVar[str] = ""
    State: ClassVar[Any]

    # ---------------------------------------------------------------- to be written by a subclass

    def setup(self) -> None:
        """Check the parameters and derive constants; called once, after they are set."""

    def limits(self) -> Any:
        """The largest value of every field of `State`."""
        raise _complaints().missing(self, "limits")

    def start(self) -> Any:
        """The state before the first move."""
        raise _complaints().missing(self, "start")

    def moves(self, state: Any) -> Iterable[Any]:
        """The legal moves in `state`, in the order in which answers list them."""
        raise _complaints().missing(self, "moves")

    def play(self, state: Any, move: Any) -> Any:
        """The state after `move`."""
        raise _complaints().missing(self, "play")

    def payoff(self, state: Any) -> Share:
        """What the end of the game pays."""
        raise _complaints().missing(self, "payoff")

    def to_move(self, state: Any) -> int:
        """Number of the player to move, or `CHANCE`."""
        raise _complaints().missing(self, "to_move")

    def seat(self, state: Any) -> int:
        """Number of the player whose turn it is, where players alternate and the state tells."""
        raise _complaints().missing(self, "seat")

    def weight(self, state: Any, move: Any) -> int:
        """Whole-number weight of a chance outcome."""
        return 1

    def reward(self, state: Any, move: Any) -> Share:
        """What `move` brings at once."""
        return 0

    def canonical(self, state: Any) -> Any:
        """An equivalent state, the same one for all equivalent states."""
        return state

    def exchanged(self, state: Any) -> Any:
        """The state in which the two players have changed parts."""
        raise _complaints().missing(self, "exchanged")

    # ---------------------------------------------------------------- text forms with defaults

    def show(self, state: Any) -> str:
        """The state as one line of text that `parse` reads back."""
        return " ".join(f"{field}={value}" for field, value in zip(state._fields, state, strict=True))

    def parse(self, text: str) -> Any:
        """The state that `text` (in the form of `show`) stands for; `PositionError` if none."""
        pairs = [item.partition("=") for item in text.split()]
        given: dict[str, int] = {}
        with suppress(ValueError):
            given = {key: int(value) for key, _, value in pairs}
        if len(pairs) != len(self.State._fields) or given.keys() != set(self.State._fields):
            raise _complaints().unread(self, text)
        return self.State(**given)

    def show_move(self, state: Any, move: Any) -> str:
        """The move in the game's notation, without blanks."""
        return "-".join(map(str, move)) if isinstance(move, tuple) else str(move)

    def parse_move(self, state: Any, text: str) -> Any:
        """The legal move that `text` stands for, or None."""
        for move in self.moves(state):
            if self.show_move(state, move) == text:
                return move
        return None

    def draw(self, state: Any) -> str:
        """The state for people, one or several lines."""
        return self.show(state)

    # ---------------------------------------------------------------- made by the base class

    def __init__(self, *values: Any, **parameters: Any) -> None:
        kinds = self.parameters()
        given = dict(zip(kinds, values, strict=False)) | parameters
        if len(given) < len(values) + len(parameters) or not given.keys() <= kinds.keys():
            raise _complaints().arguments(self, values, parameters)
        for key, kind in kinds.items():
            if key in given:
                fits = _is_fitting(kind, given[key])
                setattr(self, key, given[key] if fits else _complaints().fitted(self.title(), key, kind, given[key]))
            elif not hasattr(type(self), key):
                raise _complaints().lacking(self, key)
        self.setup()

    @classmethod
    def title(cls) -> str:
        """The name of the game in commands and answers."""
        return cls.name or cls.__name__

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Parameter names with their annotations, in the order in which they were written."""
        kinds: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            if base is Game or not issubclass(base, Game):
                continue
            # A nested State is visible to annotations of methods only, so plain
            # evaluation of the class's own annotations is enough.
            hints = typing.get_type_hints(base)
            for key in base.__dict__.get("__annotations__", {}):
                if typing.get_origin(hints[key]) is not ClassVar and key != "players":
                    kinds[key] = hints[key]
        return kinds

    def values(self) -> dict[str, Any]:
        """Parameter names with the values this game was made with."""
        return {key: getattr(self, key) for key in self.parameters()}

    def gives(self, method: str) -> bool:
        """Whether the rules have that optional method themselves, on the class or set in `setup`."""
        # Looked up without binding: bound class methods never compare as the same.
        found = next((base.__dict__[method] for base in type(self).__mro__ if method in base.__dict__), None)
        return method in vars(self) or found is not Game.__dict__.get(method)

    @property
    def player_count(self) -> int:
        """How many players there are: `players` where given, else found from the payoffs."""
        if "_player_count" not in self.__dict__:
            self.__dict__["_player_count"] = _count_players(self)
        return typing.cast(int, self.__dict__["_player_count"])

    @property
    def player_names(self) -> tuple[str, ...]:
        """The players' names in answers, in order of their numbers."""
        return player_names(self.player_count)

    def position(self, moves: str | Iterable[str] = "") -> Position:
        """The position after `moves` (text in the game's notation, chance outcomes included).

        Raises `IllegalMoveError` for a move that the rules do not allow, `UsageError` for
        what is no text.
        """
        position = self._opening(self.start(), None)
        for text in move_texts(moves):
            position = position.after(text)
        return position

    def position_from(self, text: str) -> Position:
        """The position that `text` sets up directly, in the form of `show`.

        In games where the players just alternate, the first is to move; `second: ` in
        front of the text makes it the second. Where the rules give `seat`, the text
        itself tells. Raises `PositionError`.
        """
        mover: int | None = None
        head, colon, rest = text.partition(":")
        if colon and head.strip() in self.player_names and not self.gives("to_move") and not self.gives("seat"):
            mover, text = self.player_names.index(head.strip()), rest.strip()
        state = self.parse(text)
        if self.gives("limits") and not all(0 <= own <= most for own, most in zip(state, self.limits(), strict=True)):
            raise _complaints().beyond_limits(self, state, text)
        return self._opening(state, mover, self.show(state))

    def _opening(self, state: Any, mover: int | None, set_up: str | None = None) -> Position:
        if mover is None:
            mover = self.to_move(state) if self.gives("to_move") else self.seat(state) if self.gives("seat") else 0
        return Position(self, state, mover, (0,) * self.player_count, (), set_up)

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.values().items())
        return f"{printable(type(self).__name__)}({inside})"

    def _repr_html_(self) -> str:
        from endsight.markup import game_html

        return game_html(self.title(), type(self).__doc__ or "", self.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and type(self) is type(other) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.values().items())))


@dataclass(frozen=True)
class Position:
    """A place in a game: its state, who is to move, and what brought it there.

    `so_far` is what the moves so far brought each player (rewards only);
    `history` holds those moves as text. `set_up` is the text of the state where the play
    did not begin at the game's start. Positions are values: `after` returns a new one.
    """

    game: Game
    state: Any
    mover: int
    so_far: tuple[Number, ...]
    history: tuple[str, ...]
    set_up: str | None = None

    def moves(self) -> Iterator[Any]:
        """The legal moves, as the rules yield them."""
        return moves_of(self.game, self.state)

    @property
    def is_over(self) -> bool:
        """Whether there are no moves."""
        return next(self.moves(), None) is None

    @property
    def to_move(self) -> str | None:
        """Name of the player to move, `chance`, or None at the end of the game."""
        if self.is_over:
            return None
        return "chance" if self.mover == CHANCE else self.game.player_names[self.mover]

    @property
    def text(self) -> str:
        """The moves so far, separated by blanks."""
        return " ".join(self.history)

    def after(self, text: str) -> Position:
        """The position after the move that `text` stands for; `IllegalMoveError` if none does."""
        move = self.game.parse_move(self.state, text) if isinstance(text, str) else None
        if move is None:
            raise _complaints().illegal(self, text)
        return self.play(move)

    def play(self, move: Any) -> Position:
        """The position after `move`, one of `moves()`."""
        game = self.game
        gain = absolute(game.reward(self.state, move), self.mover, game.player_count, alternating=alternates(game))
        state = game.play(self.state, move)
        mover = game.to_move(state) if game.gives("to_move") else (self.mover + 1) % game.player_count
        so_far = tuple(a + b for a, b in zip(self.so_far, gain, strict=True))
        return Position(game, state, mover, so_far, (*self.history, game.show_move(self.state, move)), self.set_up)

    def __str__(self) -> str:
        return printable_lines(self.game.draw(self.state))

    def __repr__(self) -> str:
        begun = "" if self.set_up is None else f" at {self.set_up!r}"
        return f"<Position of {self.game!r}{begun} after {self.text!r}>"

    def _repr_html_(self) -> str:
        from endsight.markup import position_html

        gained = {name: own for name, own in zip(self.game.player_names, self.so_far, strict=True) if own}
        return position_html(self.game.title(), self.to_move, self.text, self.game.draw(self.state), gained)


def moves_of(game: Game, state: Any) -> Iterator[Any]:
    """What the rules yield as moves; `RulesError` where that is nothing to go through."""
    moves = game.moves(state)
    if isinstance(moves, Iterable):
        return iter(moves)
    raise _complaints().odd(game, "moves", moves, state)


def alternates(game: Game) -> bool:
    """Whether the game has two players who just take turns, so that single numbers are the mover's."""
    return not game.gives("to_move") and game.player_count == 2


def absolute(share: Share, mover: int, players: int, *, alternating: bool) -> tuple[Number, ...]:
    """A payoff or reward as one entry per player.

    `mover` is the player who moves (or would move) there; `alternating` says that a
    single number is zero-sum and that player's. Raises `RulesError` for anything that
    is not exact or does not fit the number of players.
    """
    if isinstance(share, tuple) and len(share) == players and all(map(is_exact, share)):
        return share
    if is_exact(share):
        if share == 0:
            return (0,) * players
        if players == 1:
            return (share,)
        if alternating:
            return (share, -share) if mover == 0 else (-share, share)
    raise _complaints().share(share, players)


def _count_players(game: Game) -> int:
    given = getattr(game, "players", None)
    if given is not None:
        count = given() if callable(given) else given
        if not isinstance(count, int) or count < 1:
            raise _complaints().no_count(count)
        return count
    if not game.gives("to_move"):
        return 2
    return _peek_players(game)


def _peek_players(game: Game) -> int:
    """The length of the first payoff or reward met; else one more than the largest player met."""
    first = game.start()
    seen: set[Hashable] = {first}
    queue = [first]
    most = 0
    for state in queue:
        mover = game.to_move(state)
        if not isinstance(mover, int):
            raise _complaints().odd(game, "to_move", mover, state)
        most = max(most, mover)
        children = []
        for move in islice(moves_of(game, state), _PEEK):
            if isinstance(gain := game.reward(state, move), tuple):
                return len(gain)
            children.append(game.play(state, move))
        if not children:
            share = game.payoff(state)
            if not isinstance(share, tuple) and not is_exact(share):
                raise _complaints().odd(game, "payoff", share, state)
            return len(share) if isinstance(share, tuple) else 1
        fresh = [child for child in dict.fromkeys(children) if child not in seen][: _PEEK - len(seen)]
        seen.update(fresh)
        queue += fresh
    return most + 1


def _is_fitting(kind: Any, value: Any) -> bool:
    """Whether a parameter may be taken as it is; else it is looked at more closely."""
    if typing.get_origin(kind) is tuple or kind is tuple:
        items = set(map(type, value)) if type(value) is tuple else {list}
        return items <= {int, Fraction, NoneType} or (
            items == {tuple} and all(_is_fitting(kind, each) for each in value)
        )
    return value in typing.get_args(kind) if typing.get_origin(kind) is Literal else type(value) is kind
