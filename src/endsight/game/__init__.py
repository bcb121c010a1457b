"""The rules of a game: one class, `Game`, that people write and everything else reads.

A game is a class with annotated parameters, a `State` NamedTuple of whole numbers, and a few small pure methods. The
same code runs as it stands (exact, debuggable) and is compiled later. The shortest complete example::

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

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast, get_args, get_origin, get_type_hints

from endsight.base.printable import printable
from endsight.game.exact import Number, late
from endsight.game.results import CHANCE, TOGETHER, Share

if TYPE_CHECKING:
    from endsight.game.position import Position

__all__ = ["CHANCE", "TOGETHER", "Game"]

# Evaluated once for each class: that takes longer than many a game takes to solve.
_PARAMETERS: dict[type[Game], dict[str, Any]] = {}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def _has_whole_fields(kind: Any) -> bool:
    """Whether every field of a `State` that declares a type is a whole number."""
    return set(getattr(kind, "__annotations__", {}).values()) <= {int, "int"}


class Game:
    """Base class of all rules.

    **A subclass gives**

    - parameters as annotated class fields (`int`, `bool`, `str`, `Literal[...]`,
      or nested `tuple[int, ...]`), set by keyword or in order;
    - `State`, a NamedTuple of whole numbers from 0 up, bools, texts, Enums, frozensets
      of whole numbers, and tuples of these. It is the only key: two positions with equal
      states have the same future;
    - `setup()` (optional): checks parameters (raise `ParameterError`), derives constants;
    - `limits() -> State`: the largest value of every field (of a tuple: of all items, or of
      each; of a text: its letters);
    - `start() -> State`;
    - `moves(state)`: yields the legal moves as whole numbers, texts, Enums, or tuples or
      frozensets of them; none at the end of the game. Their order is the order of all answers;
    - `play(state, move) -> State`: the state after a move, a new value;
    - `payoff(state)`: asked where there are no moves.

    **And, if needed**

    - `to_move(state)`: number of the player to move, or `CHANCE`. Without it the
      players alternate (two of them, unless `players` says otherwise). A tuple of numbers,
      the smallest first, says that these players move at once: `moves` then yields one tuple for
      every combination of their moves, in that order (`yield from product(A, B)`);
    - `sees(state, player)`: what that player sees of the state: a whole number or a text, or a
      (nested) tuple of them. Without it every player sees everything. A player knows all that
      he has seen so far, each thing once for as long as it stays the same, and his own moves;
    - `seat(state)`: for players who alternate, whose turn it is, where the state shows it
      (stones to count, a field). `position_from` asks it instead of a prefix;
    - `weight(state, move) -> int`: whole weight of a chance outcome, at least 1
      (default 1 each);
    - `reward(state, move)`: what that move pays at once (default nothing);
    - `canonical(state)`: an equivalent state, the same for all that are equivalent;
    - `exchanged(state)`: for two players, the state in which both have swapped roles (and
      back): the moves stay the same and the payoffs swap too. Games that are solved by
      layers in rounds then need one row for both;
    - `layer(state) -> int`: a whole number from 0 up that no move lowers, such as pieces
      that have left the board. It divides solves on disk, and games with loops and
      chance that are too large for one graph: layer by layer, from the last one back;
    - `bound(state)`: for one player, the most that is still to come from there, or more: searches leave out what
      cannot be better, once it is proven that the bound never promises too little;
    - `before(state)` and `ends()`: for one player, every state from which a move leads there, and every state in which
      play ends: searches go back from there, once it is proven that none is left out;
    - `order(state, move)`: a whole number, larger for moves that searches should try first; no answer depends on it;
    - `rank(state)`, `unrank(number)`: a dense numbering;
    - `players`: how many there are (found from the payoffs where absent);
    - `endless`: the payoff of endless play, on top of earlier gains: a number for
      every player, or a tuple with one entry per player (default 0);
    - `discount`: the factor for everything after a player's move, above 0 and up to 1 (default): again for
      every further move of a player, never for chance;
    - `par()`: for one player, the total that counts as half a win under the utility `win`.

    `payoff` and `reward` return a tuple with one entry per player, or a single
    number: the only player's; or, in a two-player game without `to_move`,
    zero-sum and seen by the player who would move.

    **Text forms**, all optional: `show(state)` and `parse(text)`, `show_move(state,
    move)` and `parse_move(state, text)` (no blanks inside a move), `name_move(state, move)` as an
    order in words (`take the left pot`; "" for a move without a name), `show_seen(seen, player)`,
    `draw(state)` for people (several lines), and `from_file(text)` for big inputs.

    **Pictures**, all optional: `draw_board(state)` gives a `Board` of `endsight.board`, `draw_after(state,
    history)` the same where the texts of the moves so far belong into it, `draw_seen(seen, player)` what a player sees;
    `svg(state)` gives an SVG element as text. Without them a board is drawn from the fields of the state, and
    `show_seen` says what a player sees.
    """

    name: ClassVar[str] = ""
    State: ClassVar[Any]
    endless: ClassVar[Share] = 0
    discount: ClassVar[Number] = 1
    is_named_whole: ClassVar[bool] = False
    """Whether everything after the colon in the game's name is its first parameter, commas and `=` included."""
    told_by: ClassVar[str] = ""
    """The program that provides the rules, for games of other projects that are queried during play."""
    rests_on: str = ""
    """The unproven assumption on which answers rest, as a sentence; empty where rules are taken as they are."""
    means_of: ClassVar[Literal["payoff", "win", "lead"] | None] = None
    """The utility whose means the payoffs and rewards are, in games made from rules; None for ordinary payoffs."""

    # ---------------------------------------------------------------- to be written by a subclass

    def setup(self) -> None:
        """Check the parameters and derive constants; called once, after they are set."""

    def limits(self) -> Any:
        """The largest value of every field of `State`."""
        raise late("errors.complaints").missing(self, "limits")

    def start(self) -> Any:
        """The state before the first move."""
        raise late("errors.complaints").missing(self, "start")

    def moves(self, state: Any) -> Iterable[Any]:
        """The legal moves in `state`, in the order in which answers list them."""
        raise late("errors.complaints").missing(self, "moves")

    def play(self, state: Any, move: Any) -> Any:
        """The state after `move`."""
        raise late("errors.complaints").missing(self, "play")

    def payoff(self, state: Any) -> Share:
        """The payoff at the end of the game."""
        raise late("errors.complaints").missing(self, "payoff")

    def to_move(self, state: Any) -> int | tuple[int, ...]:
        """Number of the player to move, or `CHANCE`; a tuple of players who move at once."""
        raise late("errors.complaints").missing(self, "to_move")

    def sees(self, state: Any, player: int) -> Any:
        """What that player sees of the state: a whole number, a text, or a (nested) tuple of them."""
        return tuple(state)

    def seat(self, state: Any) -> int:
        """Number of the player whose turn it is, where players alternate and the state shows it."""
        raise late("errors.complaints").missing(self, "seat")

    def weight(self, state: Any, move: Any) -> int:
        """Whole-number weight of a chance outcome."""
        return 1

    def reward(self, state: Any, move: Any) -> Share:
        """The immediate reward of `move`."""
        return 0

    def canonical(self, state: Any) -> Any:
        """An equivalent state, the same one for all equivalent states."""
        return state

    def exchanged(self, state: Any) -> Any:
        """The state with the roles of the two players exchanged."""
        raise late("errors.complaints").missing(self, "exchanged")

    # ---------------------------------------------------------------- text forms with defaults

    def show(self, state: Any) -> str:
        """The state as one line of text that `parse` reads back."""
        if _has_whole_fields(self.State):
            return " ".join(f"{field}={value:d}" for field, value in zip(state._fields, state, strict=True))
        return str(late("game.field_texts").show_fields(self, state))

    def parse(self, text: str) -> Any:
        """The state that `text` (in the form of `show`) describes; `PositionError` if none."""
        given = {key: value for key, _, value in (item.partition("=") for item in text.split())}
        are_short = text.isascii() and all(value.isdecimal() and len(value) < 20 for value in given.values())
        if _has_whole_fields(self.State) and are_short and tuple(given) == self.State._fields:
            return self.State(*map(int, given.values()))
        return late("game.field_texts").read_fields(self, text) or late("game.state_text").read_state(self, text)

    def show_move(self, state: Any, move: Any) -> str:
        """The move in the game's notation, without blanks."""
        items = move if isinstance(move, tuple) else (move,)
        is_plain = set(map(type, items)) == {int} or (type(move) is str and move.isalnum())
        return "-".join(map(str, items)) if is_plain else str(late("game.field_texts").move_text(move))

    def show_seen(self, seen: Any, player: int) -> str:
        """What that player sees (the result of `sees`), as text."""
        return ",".join(self.show_seen(each, player) for each in seen) if isinstance(seen, tuple) else str(seen)

    def parse_move(self, state: Any, text: str) -> Any:
        """The legal move that `text` names, or None; `RulesError` if it names several."""
        return late("game.position").move_called(self, state, text)

    def draw(self, state: Any) -> str:
        """The state for people, one or several lines."""
        return str(late("game.state_text").state_drawing(self, state))

    # ---------------------------------------------------------------- made by the base class

    def __init_subclass__(cls) -> None:
        # The module of a built-in game has the name of its class, too.
        if cls.__module__.startswith("endsight.games."):
            cls.name = cls.__name__.lower()

    def __init__(self, *values: Any, **parameters: Any) -> None:
        kinds = self.parameters()
        given = dict(zip(kinds, values, strict=False)) | parameters
        if len(given) < len(values) + len(parameters) or not given.keys() <= kinds.keys():
            raise late("errors.complaints").arguments(self, values, parameters)
        for key, kind in kinds.items():
            if key in given:
                ok = _is_fitting(kind, given[key])
                setattr(self, key, given[key] if ok else late("errors.complaints").fitted(self, key, kind, given[key]))
            elif not hasattr(type(self), key):
                raise late("errors.complaints").lacking(self, key)
        self.setup()

    @classmethod
    def title(cls) -> str:
        """The name of the game in commands and answers."""
        return cls.name or cls.__name__

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Parameter names with their annotations, in the order in which they were written."""
        if cls not in _PARAMETERS:
            bases = [base for base in reversed(cls.__mro__) if issubclass(base, Game) and base is not Game]
            # Only annotations of methods can refer to a nested State, so plain evaluation is enough.
            hints = get_type_hints(cls)
            names = [key for base in bases for key in base.__dict__.get("__annotations__", {}) if key != "players"]
            _PARAMETERS[cls] = {key: hints[key] for key in names if get_origin(hints[key]) is not ClassVar}
        return dict(_PARAMETERS[cls])

    def values(self) -> dict[str, Any]:
        """Parameter names with the values of this game."""
        return {key: getattr(self, key) for key in self.parameters()}

    def gives(self, method: str) -> bool:
        """Whether the rules define that optional method themselves, on the class or in `setup`."""
        # Looked up without binding: bound class methods never compare equal.
        for home in (self, *type(self).__mro__):
            if method in home.__dict__:
                return home is self or home.__dict__[method] is not Game.__dict__.get(method)
        return False

    @property
    def player_count(self) -> int:
        """The number of players: `players` where given, else derived from the payoffs."""
        return _counted(self)

    @property
    def player_names(self) -> tuple[str, ...]:
        """The players' names: `("player",)` for one; `first`, `second`, `third`, ... for several."""
        if self.player_count == 1:
            return ("player",)
        return tuple(_ORDINALS[i] if i < len(_ORDINALS) else f"player{i + 1}" for i in range(self.player_count))

    def position(self, moves: str | Iterable[str] = "") -> Position:
        """The position after `moves` (text in the game's notation, chance outcomes included).

        Raises `IllegalMoveError` for a move that the rules do not allow, `UsageError` if they are not text.
        """
        return cast("Position", late("game.position").begin(self, moves))

    def position_from(self, text: str) -> Position:
        """The position that `text` sets up directly, in the form of `show`.

        In games where the players just alternate, the first is to move, or the second if the text begins with
        `second: `. Where the rules give `seat`, the text itself decides. Raises `PositionError`.
        """
        return cast("Position", late("game.position").begin(self, "", text))

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.values().items())
        return f"{printable(type(self).__name__)}({inside})"

    def _repr_html_(self) -> str:
        return str(late("game.markup").game_html(self.title(), type(self).__doc__ or "", self.values()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and type(self) is type(other) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.values().items())))


def _counted(game: Game) -> int:
    given = getattr(game, "players", None)
    if given is None:
        given = late("game.players").seen_in(game) if game.gives("to_move") else 2
    count = given() if callable(given) else given
    if not isinstance(count, int) or count < 1:
        raise late("errors.complaints").no_count(count)
    return count


def _is_fitting(kind: Any, value: Any) -> bool:
    """Whether a parameter may be taken as it is; otherwise it needs a closer check."""
    if get_origin(kind) is tuple or kind is tuple:
        items = set(map(type, value)) if type(value) is tuple else {list}
        plain = {int, bool, str, Fraction, type(None)}
        return items <= plain or (items == {tuple} and all(_is_fitting(kind, row) for row in value))
    kinds = get_args(kind)
    return value in kinds if get_origin(kind) is Literal else type(value) in (kind, *kinds)
