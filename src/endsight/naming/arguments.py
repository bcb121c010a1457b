"""Arguments that give a game and a position: the objects themselves, or texts that name them."""

from __future__ import annotations

import warnings
from typing import Any

from endsight.errors import UsageError
from endsight.game import Game
from endsight.game.arguments import described
from endsight.game.position import Position, position_of
from endsight.games import is_built_in
from endsight.naming import specification
from endsight.naming.class_names import with_own_names
from endsight.naming.specification import Loaded


def load(text: str) -> Game:
    """The game that `text` names, as on the command line: `"pots:4-9-2-7"`, `"rules.py:Class:size=3"`.

    Raises `UnknownGameError`; `ParameterError` for a parameter that is missing, misspelt or out of range; `FileError`,
    and any `InputError` about the content of a file; `RulesError` for rules that cannot be loaded or that fail.
    """
    return specification.load_game(text, asker="load").game


def load_game(text: str) -> Loaded:
    """The game that `text` names, and its starting position. Deprecated: `load` gives the game itself.

    Raises what `load` raises.
    """
    warnings.warn("load_game is replaced by load, which gives the game", DeprecationWarning, stacklevel=2)
    return specification.load_game(text)


def as_asked(found: Any, position: Any, asker: str) -> tuple[Game, Position]:
    """The game and position of a question, given as objects or texts; the default position is where `found` begins."""
    begun = specification.load_game(found, asker=asker).position if isinstance(found, str) else None
    game = as_game(found, asker) if begun is None else begun.game
    return game, begun or game.position() if position is None else as_position(position, game, asker)


def as_game(found: Any, asker: str) -> Game:
    """`found`, if it is a game or names one; `UsageError` for a class of rules, and anything else."""
    if not isinstance(found, Game | str):
        raise UsageError(f"{asker} takes a game", found=described(found), advice=_way_to_a_game(found))
    game = found if isinstance(found, Game) else specification.load_game(found, asker=asker).game
    if not is_built_in(game):
        with_own_names(type(game))
    return game


def as_whole_game(found: Any, asker: str) -> Game:
    """The same; `QuestionError` for a name that begins after some moves."""
    begun = isinstance(found, str)
    return as_game(specification.load_game(found, asker=asker).whole(asker) if begun else found, asker)


def _way_to_a_game(found: Any) -> str:
    if isinstance(found, type) and issubclass(found, Game):
        return f"{found.__name__}(), with parameters if it takes any"
    if isinstance(getattr(found, "game", None), Game):
        return "its .game"
    return "endsight.games.Pig(), or its name: 'pig:target=20'"


def as_position(found: Any, game: Game, asker: str) -> Position:
    """`found`, if it is a position of `game` or its moves as text; `UsageError` for states and foreign positions."""
    position = game.position(found) if isinstance(found, str) else found
    if isinstance(position, Position) and position.game is not game:  # of an equal game, or of the rules it comes from
        position = position_of(game, position) or position
    if not isinstance(position, Position) or (position.game is not game and position.game != game):
        raise _no_position(position, game, asker)
    return position


def _no_position(found: Any, game: Game, asker: str) -> UsageError:
    advice = "the moves as text, or game.position(MOVES)"
    if isinstance(found, Position):
        advice += " of the same game"
        return UsageError(f"{asker} takes a position of {game!r}", found=f"a position of {found.game!r}", advice=advice)
    return UsageError(f"{asker} takes a position of {game.title()}", found=described(found), advice=advice)
