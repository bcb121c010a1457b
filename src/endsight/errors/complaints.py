"""Messages about invalid rules, parameters and states.

`endsight.game` imports this file only when it has an error to report, so trust in an answer does not depend on it.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from endsight.base.faults import ParameterError, QuestionError, RulesError
from endsight.errors.rules_guard import brief, place_of
from endsight.game.exact import is_exact
from endsight.game.numbers import count_text
from endsight.game.protocol import ASKED_WITH, declaration

if TYPE_CHECKING:
    from endsight.game import Game

# ---------------------------------------------------------------------- parameters


def arguments(game: Game, values: tuple[Any, ...], parameters: Mapping[str, Any]) -> ParameterError:
    """More values than parameters, a parameter given twice, or one of an unknown name."""
    kinds, title = game.parameters(), game.title()
    names = ", ".join(kinds)
    if len(values) > len(kinds):
        return ParameterError(
            f"{title} takes {count_text(len(kinds), 'parameter')}",
            found=count_text(len(values), "value"),
            allowed=names,
        )
    for key in list(kinds)[: len(values)]:
        if key in parameters:
            return ParameterError(f"{title} was given {key} twice")
    key = next(key for key in parameters if key not in kinds)
    return _no_parameter(game, key, _nearest(key, kinds, "{}="))


def _no_parameter(game: Game, key: str, advice: str | None) -> ParameterError:
    allowed = ", ".join(game.parameters()) or "no parameters"
    return ParameterError(f"{game.title()} has no parameter {key!r}", allowed=allowed, advice=advice)


def require_parameter(game: Game, key: str, advice: str | None = None) -> None:
    """Raise `ParameterError` where the game has no parameter of that name."""
    if key not in game.parameters():
        raise _no_parameter(game, key, advice)


def lacking(game: Game, key: str) -> ParameterError:
    """A parameter without a default was not given."""
    return ParameterError(f"{game.title()} needs {key}", advice=f"{game.title()}:{key}=...")


def fitted(game: Game, key: str, kind: Any, value: Any) -> Any:
    """`value` converted to the annotation `kind`, or a `ParameterError`."""
    title, origin = game.title(), typing.get_origin(kind)
    if origin is Literal and value not in typing.get_args(kind):
        choices = [str(choice) for choice in typing.get_args(kind)]
        raise ParameterError(
            f"{title}: {key}={value} is not one of the choices",
            allowed=", ".join(choices),
            advice=_nearest(str(value), choices, key + "={}"),
        )
    if origin is tuple or kind is tuple:
        return _items(f"{title}: {key}", value)
    if kind is int and (isinstance(value, bool) or not isinstance(value, int)):
        raise ParameterError(f"{title}: {key} must be a whole number", found=repr(value))
    if kind is bool and not isinstance(value, bool):
        raise ParameterError(f"{title}: {key} must be yes or no", found=repr(value))
    if kind is Fraction and isinstance(value, int):
        return Fraction(value)
    return value


def _items(named: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ParameterError(f"{named} must be a list of numbers", found=repr(value))
    items = tuple(value)
    # Lists may hold a million items, so single items are checked only where some are lists.
    kinds = set(map(type, items))
    if list in kinds:
        items = tuple(tuple(item) if isinstance(item, list) else item for item in items)
    for part in items if tuple in kinds or list in kinds else (items,):
        if isinstance(part, tuple) and float in map(type, part):
            found = repr(next(each for each in part if isinstance(each, float)))
            raise ParameterError(
                f"{named} holds a number that is not exact", found=found, allowed="int or Fraction, never a float"
            )
    return items


def _nearest(word: str, words: Iterable[str], form: str) -> str | None:
    close = get_close_matches(word, words, n=1)
    return form.format(*close) if close else None


# ---------------------------------------------------------------------- rules


def missing(game: Game, method: str) -> RulesError:
    """A required method is missing."""
    return RulesError(
        f"{game.title()}: the rule {method!r} is missing",
        allowed=declaration(method),
        advice=f"define it in class {type(game).__name__}",
    )


def no_rule(rules: type[Game], name: str) -> RulesError:
    """A parameter or a constant has the name of a rule, or of a method of `Game`."""
    return RulesError(
        f"{rules.__name__}: {name} is the name of a rule, and cannot be a parameter or a constant",
        allowed=declaration(name) if name in ASKED_WITH else None,
        advice=f"choose another name for the parameter or constant, such as the_{name}",
    )


_ODD = {
    "moves": (
        "does not return moves",
        "yield the moves, or return a list of them (an empty one where the game is over)",
    ),
    "to_move": (
        "does not return a player",
        "0 for the first player, 1 for the second, ..., CHANCE, or a tuple of players",
    ),
    "payoff": ("returns no exact number", "int or Fraction, never a float; or a tuple of them, one per player"),
    "reward": ("returns no exact number", "int or Fraction, never a float; or a tuple of them, one per player"),
    "sees": (
        "returns something that is not exact (seen exactly)",
        "a whole number, a text, or a (nested) tuple of them",
    ),
    "show": ("does not return text", "text of one line"),
    "draw": ("does not return text", "text of one or more lines"),
    "draw_board": ("does not return a board", "a Board of endsight.board"),
    "draw_after": ("does not return a board", "a Board of endsight.board"),
    "draw_seen": ("does not return a board", "a Board of endsight.board"),
    "show_move": ("does not return text", "text of one word, such as str(move)"),
    "name_move": ("does not return text", "text of one line, or an empty one"),
}


def odd(game: Game, method: str, found: object, state: Any) -> RulesError:
    """A method returned something that its contract does not allow."""
    wrong, allowed = _ODD[method]
    return RulesError(
        f"{game.title()}: {method} {wrong}", found=_found_at(game, method, brief(found), state), allowed=allowed
    )


def unsteady(game: Game, state: Any, first: object, second: object) -> RulesError:
    """A player sees something else when the same state is queried again."""
    return RulesError(
        f"{game.title()}: sees does not always return the same",
        found=_found_at(game, "sees", f"{brief(first)}, and then {brief(second)},", state),
        advice="the result may depend only on the arguments and the parameters",
    )


def _found_at(game: Game, rule: str, found: str, state: Any) -> str:
    """`1 in left=5 (file.py, line 12)`: the result of a rule, the state, and where the rule begins."""
    place = place_of(type(game), rule)
    return f"{found} in {_shown(game, state)}{f' ({place})' if place else ''}"


def _shown(game: Game, state: Any) -> str:
    try:
        return str(game.show(state))
    except Exception:  # show may be what is broken
        return brief(state)


def returned(game: Game, found: object, state: Any) -> RulesError:
    """A rule `moves` with both `yield` and `return VALUE`: Python throws the value away."""
    return RulesError(
        f"{game.title()}: moves both yields and returns: Python discards the value that it returns",
        found=_found_at(game, "moves", brief(found), state),
        allowed="yield every move, or return a list of them; not both",
        advice="yield from the list, then return without a value",
    )


_MOVE_CURES: dict[type, str] = {
    list: "make the list a tuple",
    float: "use whole numbers: moves are exact; how likely an outcome is belongs into weight(state, move)",
    type(None): "use a whole number or a text for it, such as 'pass': None is no move, nor a part of one",
}


def not_a_move(game: Game, move: Any, part: Any, state: Any) -> RulesError:
    """A rule `moves` that yields something else than a move; `part` is what is wrong in it."""
    inside = "" if part is move else f"in which {brief(part)} is "
    return RulesError(
        f"{game.title()}: moves yields {brief(move)}, {inside}{kind_text(part)}",
        found=_found_at(game, "moves", brief(move), state),
        allowed="whole numbers, truth values, texts, members of an Enum, and tuples and frozensets of these",
        advice=_MOVE_CURES.get(tuple if isinstance(part, tuple) else type(part)),
    )


def kind_text(value: Any) -> str:
    """`a float`, `an object`."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def too_many(game: Game, most: int, state: Any) -> QuestionError | RulesError:
    """More moves in one state than are listed: of a built-in game, or of rules whose loops may never end."""
    advice = f"a later position, or smaller parameters: what lists moves needs {count_text(most, 'move')} at most"
    if type(game).__module__.startswith("endsight.games."):
        return QuestionError(
            f"{game.title()} has more than {count_text(most, 'move')} there, too many to list",
            found=_shown(game, state)[:200],
            advice=advice,
        )
    return RulesError(
        f"{game.title()}: moves yields more than {count_text(most, 'move')}",
        found=_found_at(game, "moves", "still more moves", state),
        allowed=f"up to {count_text(most, 'move')} in one position",
        advice=f"{advice}; if there should be fewer, see whether the loop around yield ends",
    )


def same_name(game: Game, state: Any, text: str, moves: Sequence[Any]) -> RulesError:
    """Different moves, or parts of moves, have the same text."""
    other = next(move for move in moves if move != moves[0])
    return RulesError(
        f"{game.title()}: different moves have the same name",
        found=_found_at(game, "show_move", f"{text!r} for both {brief(moves[0])} and {brief(other)}", state),
        advice="give the rules a show_move(state, move) that names every move differently",
    )


def not_a_state(game: Game, found: object, state: Any) -> RulesError:
    """In that state, `play` returned something else than a state."""
    if isinstance(found, game.State):
        return no_state(game.State)
    return RulesError(
        f"{game.title()}: play returns {brief(found)}, not a State",
        found=_found_at(game, "play", brief(found), state),
        advice="return self.State(...)",
    )


def changeable(game: Game, state: Any) -> RulesError:
    """A state that cannot be looked up."""
    return RulesError(
        f"{game.title()}: a state cannot be looked up: it holds something that can change",
        found=brief(state),
        advice="make a list a tuple, a set a frozenset, and a dict a tuple in a fixed order of its keys",
    )


def own_reading(game: Game, kind: type, method: str) -> RulesError:
    """A class of states, or of values in them, with an equality of its own, or another way to give its items."""
    if method != "__eq__":
        return RulesError(
            f"{game.title()}: a state is read by its items, which may be others",
            found=f"{kind.__name__} has a {method} of its own",
            allowed="tuples and frozensets whose methods of Python are left as they are",
            advice=f"give {method} another name",
        )
    return RulesError(
        f"{game.title()}: different states may be treated as one",
        found=f"{kind.__name__} compares by an __eq__ of its own, or ignores fields",
        allowed="states that are equal only if all their fields are",
        advice="leave __eq__ out; canonical(state) says which states are equivalent, and is checked",
    )


def equal_records(game: Game, one: Any, other: Any) -> RulesError:
    """Two states that are equal but hold NamedTuples of different classes."""
    return RulesError(
        f"{game.title()}: different states would be treated as one",
        found=f"{brief(one)} and {brief(other)}, which are equal in Python",
        allowed="states that differ by ==, whatever the classes of the NamedTuples in them",
        advice="add a field that says which class it is",
    )


def no_player(game: Game, mover: object, state: Any) -> RulesError:
    """What `to_move` returned where it names no player."""
    advice, last = None, game.player_count - 1
    if game.player_count == 1 and not hasattr(game, "players"):
        advice = "payoff pays one player only: return a tuple with one entry per player"
    return RulesError(
        f"{game.title()}: to_move returns a player who does not exist",
        found=_found_at(game, "to_move", brief(mover), state),
        allowed=f"0 to {last}, CHANCE, or a tuple of players who move at once" if last else "0 or CHANCE",
        advice=advice,
    )


def no_group(game: Game, movers: object, state: Any) -> RulesError:
    """A tuple from `to_move` that does not name several players in order."""
    return RulesError(
        f"{game.title()}: to_move returns an invalid group of players who move at once",
        found=_found_at(game, "to_move", brief(movers), state),
        allowed=f"two players or more, each once, the smallest number first, from 0 to {game.player_count - 1}",
    )


def no_combinations(game: Game, move: object, state: Any) -> RulesError:
    """Simultaneous moves that are not all combinations of the players' moves, or not in their order."""
    return RulesError(
        f"{game.title()}: players move at once, but moves does not yield all combinations of their moves in order",
        found=_found_at(game, "moves", f"not the same as product(...) at {brief(move)}", state),
        advice="yield from product(A, B), where A and B are what each of them may do",
    )


def bound_together(game: Game) -> QuestionError:
    """Policies for only some of the players who move at once."""
    return QuestionError(
        f"{game.title()}: players move at once, and only some of them follow policies",
        allowed="random or file.py:function for all players; for all but one with the method auto, where they compete",
        advice="endsight exploit GAME POLICY, for the best reply to a policy; or the question without --fix",
    )


def together(game: Game, state: Any) -> QuestionError:
    """Several players move at once, which a method does not support."""
    return QuestionError(
        f"{game.title()}: several players move at once, and this method solves games in which one moves at a time",
        found=_found_at(game, "to_move", brief(game.to_move(state)), state),
        allowed="--method auto, graph",
    )


def no_move(
    game: Game, policy: object, found: object, state: Any, legal: list[Any], texts: list[str] | None = None
) -> RulesError:
    """A policy returned something else than a legal move; `texts` name moves that are parts of joint moves."""
    name = policy if isinstance(policy, str) else getattr(policy, "__name__", "of its own")
    texts = [game.show_move(state, move) for move in legal] if texts is None else texts
    named = [f"{brief(move)} ({text})" for move, text in zip(legal[:12], texts, strict=False)]
    meant = next((move for move, text in zip(legal, texts, strict=True) if text == found), None)
    text = f"{brief(found)}, the name of a move, not the move" if meant is not None else brief(found)
    return RulesError(
        f"{game.title()}: the policy {name} chose a move that is not legal",
        found=f"{text}, in {_shown(game, state)}",
        allowed=", ".join(named) + (", ..." if len(legal) > len(named) else ""),
        advice=f"return {brief(meant)}" if meant is not None else "return one of the moves allowed there",
    )


def unsteady_policy(game: Game, name: str, moves: tuple[Any, Any], seen: tuple[Any, ...]) -> RulesError:
    """A policy returned two different moves for the same arguments `seen`."""
    return RulesError(
        f"{game.title()}: the policy {name} gives different moves for the same question",
        found=f"{brief(moves[0])}, and then {brief(moves[1])}, where it was given {brief(seen[0])}",
        allowed="a function whose result depends only on what it is given",
        advice="random, which plays every move with the same chance",
    )


def no_number(game: Game, rule: str, found: object, state: Any) -> RulesError:
    """A rule returned a tuple though its annotation promises single numbers."""
    return RulesError(
        f"{game.title()}: {rule} returns a tuple, but its annotation promises a number",
        found=brief(found) if state is None else _found_at(game, rule, brief(found), state),
        advice=f"write def {rule}(...) -> tuple[int, int], or drop the annotation",
    )


def no_state(state: object) -> RulesError:
    """What stands for `State` is no NamedTuple."""
    return RulesError(
        "State must be a NamedTuple",
        found=brief(state),
        advice="write class State(NamedTuple) inside the class of the rules",
    )


def no_type(kind: type, error: NameError) -> RulesError:
    """The type of a field of a NamedTuple cannot be resolved by its name."""
    return RulesError(
        f"the type of a field of {kind.__name__} cannot be found",
        found=str(error),
        advice="define its class outside functions, or above it in the class of the rules",
    )


def no_count(found: object) -> RulesError:
    """An invalid number of players."""
    return RulesError("players must be a whole number, 1 or more", found=repr(found))


def endless(game: Game) -> RulesError:
    """The `endless` of the rules is invalid."""
    count = game.player_count
    several = f"; or a tuple of {count} of them, one per player" if count > 1 else ""
    return RulesError(
        f"{game.title()}: endless is not a payoff for play that never ends",
        found=brief(game.endless),
        allowed=f"an int or Fraction, never a float{several}",
        advice="endless = 0" if count == 1 else f"endless = 0, or endless = {(1, -1, *[0] * (count - 2))}",
    )


def discount(game: Game) -> RulesError:
    """The `discount` of the rules is invalid."""
    return RulesError(
        f"{game.title()}: discount is not a factor for what follows every move of a player",
        found=brief(game.discount),
        allowed="an int or Fraction above 0 and up to 1, never a float",
        advice="discount = Fraction(9, 10)",
    )


def share(found: object, players: int, said: tuple[Game, str, Any] | None) -> RulesError:
    """An invalid payoff or reward; `said` names the game, the rule and the state."""
    advice = None
    if isinstance(found, tuple):
        wrong, allowed = "returns a tuple of the wrong form", f"a tuple of {players} whole numbers or Fractions"
    elif not is_exact(found):
        wrong, allowed = _ODD["payoff"]
    else:
        wrong = "returns a single number in a game of several players with to_move"
        allowed = f"a tuple of {count_text(players, 'number')}, one per player"
        amounts = (found, *([-found] if players == 2 else [0] * (players - 1)))
        advice = f"one amount per player, such as ({', '.join(map(str, amounts))})"
    if said is None:
        return RulesError(f"payoff or reward {wrong}", found=brief(found), allowed=allowed, advice=advice)
    game, rule, state = said
    shown = _found_at(game, rule, brief(found), state)
    return RulesError(f"{game.title()}: {rule} {wrong}", found=shown, allowed=allowed, advice=advice)
