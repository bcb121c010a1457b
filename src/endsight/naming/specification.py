"""Names of games, positions and policies on the command line: text in, `Game` out.

::

    NAME[:PARAMETERS]                      a built-in game, or one of an installed package
    path/file.py[:Class][:PARAMETERS]      a user's rules; that file is run
    path/file.efg, path/file.nfg           a game of Gambit's
    openspiel:NAME(key=value,...)          a game of OpenSpiel's
    package.module:Class[:PARAMETERS]      the same, importable

    PARAMETERS = key=value,key=value       one value without key= goes to the first parameter
               | @FILE[,key=value...]      read by the game itself (`from_file`); @- is the standard input

`value_text` describes how values are written. The name of an `@FILE` may hold any character: it extends to the end, or
to a following `,key=`; if both are possible, the longest name of an existing file counts.
"""

from __future__ import annotations

import inspect
import os
import re
import typing
from collections.abc import Callable, Sequence
from itertools import takewhile
from types import ModuleType
from typing import Any, NamedTuple, cast

from endsight.base.shortened import shortened
from endsight.errors import FileError, LimitReached, ParameterError, QuestionError, RulesError, UsageError
from endsight.errors.complaints import require_parameter
from endsight.errors.rules_guard import guarded
from endsight.game import Game
from endsight.game.arguments import as_kind, takes
from endsight.game.position import Position
from endsight.game.question import PolicyRule, policies_of
from endsight.game.titles import shown_parameters
from endsight.game.value_text import Misread, example, read_value
from endsight.naming.class_names import file_in_front, game_title, located, nearest
from endsight.naming.input_files import read_text
from endsight.naming.rules_files import module_from_file


class Loaded(NamedTuple):
    """A game as requested.

    `position` is where the question starts: after the moves that a puzzle file
    (`NAME:@FILE`) has made already, else the start. `spec` is the text as given.
    """

    game: Game
    position: Position
    spec: str

    @property
    def title(self) -> str:
        """The game in a heading; for parameters from a file, with their values."""
        text = game_title(self.spec)
        if ":@" not in self.spec:
            return text
        parameters = shown_parameters(self.game)
        if len(parameters) == 1 and parameters[0].startswith("("):  # a long list, as count and hash
            return f"{text} {parameters[0]}"
        return f"{text} ({', '.join(parameters)})" if parameters else text

    def whole(self, asker: str) -> Game:
        """The game, for questions about all of it; raises `QuestionError` where the name begins after some moves."""
        if self.position.history:
            raise QuestionError(
                f"{asker} is about a game from its start, and {self.title} begins later",
                found=f"the moves {self.position.text}",
                advice="the game by its parameters, or a question about that position",
            )
        return self.game


def load_game(text: str, *, asker: str = "load_game") -> Loaded:
    """The game of that name, and where it begins. Raises the errors of `load`."""
    as_kind(text, str, asker, f"{asker}('nim:heaps=3,5')")
    game, moves = _made(text)
    with guarded(type(game), "start"):
        return Loaded(game, game.position(moves), text)


def load_rules(text: str) -> Game:
    """The game that `text` names, after running only `setup` of its rules.

    Raises the errors of `load_game`, except about positions.
    """
    return _made(text)[0]


def _made(text: str) -> tuple[Game, tuple[str, ...]]:
    kind, parameters = located(text)
    try:
        if parameters is not None and parameters.startswith("@"):
            return _game_from_file(kind, parameters[1:])
        return _game_from_text(kind, parameters), ()
    except ParameterError as error:
        _name_as_given(error, kind, text if parameters is None else text.removesuffix(f":{parameters}"))
        raise


def _name_as_given(error: ParameterError, kind: type[Game], named: str) -> None:
    """Let the advice name a user's rules by their file, not by the title of their class."""
    if error.advice is not None and error.advice.startswith(f"{kind.title()}:"):
        error.advice = f"{shortened(named, 200)}{error.advice.removeprefix(kind.title())}"


def game_class(name: str) -> type[Game]:
    """The rules that `name` (without parameters) refers to.

    Raises `UnknownGameError`, `FileError`, `RulesError`, and `ParameterError` if parameters are given.
    """
    kind, parameters = located(name)
    if parameters is not None:
        raise ParameterError(
            f"{shortened(name)!r}: parameters are not allowed here",
            found=shortened(parameters) or "a colon",
            advice=name.removesuffix(f":{parameters}") if len(name) < 200 else None,
        )
    return kind


def rules_named(name: str) -> type[Game] | Game:
    """The rules that `name` refers to, as in `game_class`; for a full name of another project's game, that game."""
    kind, parameters = located(name)
    return load_rules(name) if kind.is_named_whole and parameters is not None else game_class(name)


def position_at(loaded: Loaded, at: str) -> Position:
    """The position after the further moves `at`, separated by blanks.

    Raises `IllegalMoveError` for a move that is not legal, and `RulesError`.
    """
    with guarded(type(loaded.game), "play"):
        return loaded.position.along(at.split())[-1]


def load_policies(game: Game, texts: Sequence[str], twice: str = "--fix was given twice") -> dict[int, PolicyRule]:
    """Policies by player number, from several `PLAYER=POLICY`; raises `UsageError` and the errors of `load_policy`."""
    policies: dict[int, PolicyRule] = {}
    for text in texts:
        player, policy = load_policy(game, text)
        if player in policies:
            raise UsageError(f"{twice} for {game.player_names[player]}", allowed="one policy per player")
        policies[player] = policy
    return policies


def load_everybodys(game: Game, texts: Sequence[str]) -> dict[int, PolicyRule]:
    """Policies by player number, from one POLICY for everybody or several `PLAYER=POLICY`; raises the errors of
    `load_policies`.
    """
    if len(texts) == 1 and "=" not in texts[0]:
        return dict.fromkeys(range(game.player_count), _policy(game, texts[0].strip()))
    if not texts:
        allowed = ", ".join((*policies_of(game), "file.py:function"))
        raise UsageError("there is no policy to exploit", allowed=f"{allowed}, or PLAYER=POLICY")
    return load_policies(game, texts, twice="a policy was given twice")


def load_policy(game: Game, text: str, more: Sequence[str] = ()) -> tuple[int, PolicyRule]:
    """Player number and policy from `PLAYER=POLICY`.

    POLICY is a policy the game offers, `random`, `worst`, one of `more` words, or `file.py:function` with a
    `function(game, state) -> move`. Raises `QuestionError`, `FileError`, `RulesError`.
    """
    name, equals, policy = text.partition("=")
    name, policy = name.strip(), policy.strip()
    if not equals or not policy:
        raise QuestionError(
            f"{shortened(text)!r} does not say who plays how",
            allowed=", ".join((*more, "PLAYER=POLICY")),
            advice=f"{game.player_names[-1]}={policies_of(game)[0]}",
        )
    if name not in game.player_names:
        raise QuestionError(
            f"{game.title()} has no player called {shortened(name)!r}",
            allowed=", ".join(game.player_names),
            advice=nearest(name, game.player_names),
        )
    return game.player_names.index(name), _policy(game, policy, more)


# ---------------------------------------------------------------------- parameters as text


def lacking(text: str) -> list[str]:
    """The parameters without a default that the name of a game leaves out; raises the errors of `load_game`."""
    kind, parameters = located(text)
    with guarded(kind, "parameters"):
        kinds = kind.parameters()
    given = {} if parameters is None else _named_items(kind, kinds, parameters)
    return [key for key in kinds if key not in given and not hasattr(kind, key)]


def _game_from_text(kind: type[Game], parameters: str | None) -> Game:
    with guarded(kind, "parameters"):
        kinds = kind.parameters()
    values = {} if parameters is None else _values(kind, kinds, _named_items(kind, kinds, parameters))
    for key in kinds:
        if key not in values and not hasattr(kind, key):
            raise _lacking(kind, key, kinds)
    try:
        with guarded(kind, "setup"):
            return kind(**values)
    except LimitReached as error:  # too big for setup, whatever the limits of the answer
        raise ParameterError(error.message, advice=error.advice) from error


def _named_items(kind: type[Game], kinds: dict[str, Any], text: str) -> dict[str, str]:
    """`key=value,...` as a dictionary; a first item without `=` belongs to the first parameter."""
    if kind.is_named_whole:
        return {next(iter(kinds)): text}
    given: dict[str, str] = {}
    items = text.split(",")
    for number, item in enumerate(items):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            if number > 0 or not kinds:
                raise _stray_item(kind, kinds, items, item.strip())
            key, value = next(iter(kinds)), key
        if key in given:
            raise _twice(kind, key, given[key], value)
        given[key] = value
    return given


def _twice(kind: type[Game], key: str, before: str, value: str) -> ParameterError:
    advice = "each parameter once; the first may stand without its name"
    if before == kind.__name__:  # file.py:Class,key=value
        advice = f"FILE.py:{before}:{shortened(key)}={shortened(value)}, with a colon after the class"
    return ParameterError(
        f"{kind.title()} was given {shortened(key)!r} twice",
        found=f"{shortened(before)!r} and {shortened(value)!r}",
        advice=advice,
    )


def _stray_item(kind: type[Game], kinds: dict[str, Any], items: list[str], item: str) -> ParameterError:
    what = f"{shortened(item)!r} belongs to no parameter" if item else "a parameter is empty"
    return ParameterError(f"{kind.title()}: {what}", allowed=_forms(kinds), advice=_instead(kind, kinds, items))


def _instead(kind: type[Game], kinds: dict[str, Any], items: list[str]) -> str | None:
    """The probable meaning of a list of items that belong to no parameter."""
    plain = [item.strip() for item in items]
    if any(item.startswith("@") for item in plain[1:]):
        return "@FILE comes first, before key=value"
    if not kinds or not all(plain):
        return None
    if "=" in "".join(plain):
        return _joined_list(kinds, plain)
    if len(plain) <= len(kinds) and all(map(_is_readable, kinds.values(), plain)):
        named = [f"{key}={value}" for key, value in zip(kinds, plain, strict=False)]
        return f"{kind.title()}:{shortened(','.join(named))}"
    if typing.get_origin(next(iter(kinds.values()))) is tuple:
        return f"{kind.title()}:{shortened('-'.join(plain))}"
    return None


def _joined_list(kinds: dict[str, Any], items: list[str]) -> str | None:
    """The probable meaning of `key=3,2` or `key=(3,2)`: a list is joined by `-`."""
    key = ""
    for number, item in enumerate(items):
        if "=" not in item and typing.get_origin(kinds.get(key)) is tuple:
            rest = takewhile(lambda each: "=" not in each, items[number:])
            parts = [part.strip(" ()[]") for part in (items[number - 1].partition("=")[2], *rest)]
            return f"{key}={shortened('-'.join(parts))}"
        key = item.partition("=")[0].strip()
    return None


def _is_readable(annotation: Any, text: str) -> bool:
    try:
        read_value(annotation, text)
    except Misread:
        return False
    return True


def _forms(kinds: dict[str, Any]) -> str:
    return ", ".join(f"{key}=..." for key in kinds) or "no parameters"


def _values(kind: type[Game], kinds: dict[str, Any], given: dict[str, str]) -> dict[str, Any]:
    for key in given:
        if key not in kinds:
            raise ParameterError(
                f"{kind.title()} has no parameter {shortened(key)!r}",
                allowed=_forms(kinds),
                advice=nearest(key, [f"{known}=" for known in kinds]),
            )
    return {key: _value(kind, key, kinds[key], text) for key, text in given.items()}


def _value(kind: type[Game], key: str, annotation: Any, text: str) -> Any:
    from_file = f"{kind.title()}:@FILE" if text.startswith("@") and _reads_files(kind) else None
    return _read(annotation, text, f"{kind.title()}: cannot read {shortened(f'{key}={text}')!r}", from_file)


def _read(annotation: Any, text: str, message: str, advice: str | None, otherwise: str | None = None) -> Any:
    """The value of a parameter; `ParameterError` for a text that means none, `otherwise` where no advice is better."""
    try:
        return read_value(annotation, text)
    except Misread as error:
        better = advice or error.advice or otherwise
        raise ParameterError(message, found=error.found, allowed=error.allowed, advice=better) from None


def _lacking(kind: type[Game], key: str, kinds: dict[str, Any]) -> ParameterError:
    """The error that a parameter without a default is missing, with advice how to give it."""
    required = [name for name in kinds if not hasattr(kind, name)]
    shown = ",".join(f"{name}={example(kinds[name])}" for name in required)
    if required == [next(iter(kinds))]:
        shown = "4-9-2-7" if kinds[key] == tuple[int, ...] else example(kinds[key])
    from_file = f" or {kind.title()}:@FILE" if _reads_files(kind) else ""
    return ParameterError(
        f"{kind.title()} needs {key}", allowed=_forms(kinds), advice=f"{kind.title()}:{shown}{from_file}"
    )


# ---------------------------------------------------------------------- a parameter that varies

MOST_SETTINGS = 10_000
_RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})(?::(\d{1,18}))?", re.ASCII)


def settings(game: Game, vary: str) -> tuple[str, list[Any]]:
    """The parameter's name and its values from `KEY=2..20`, `KEY=2..20:2` or `KEY=a,b,c`."""
    key, equals, text = (part.strip() for part in vary.partition("="))
    if not equals or not text:
        raise UsageError(f"cannot read --vary {vary[:60]!r}", allowed="KEY=2..20, KEY=2..20:2 or KEY=3,5,8")
    kinds = game.parameters()
    require_parameter(game, key[:60], nearest(key, [f"{known}=" for known in kinds], "--vary "))
    found = _RANGE.fullmatch(text)
    items = map(str, _range(int(found[1]), int(found[2]), int(found[3] or 1))) if found else text.split(",")
    return key, [_setting(game, key, kinds[key], item.strip()) for item in items]


def _range(first: int, last: int, step: int) -> range:
    """Both ends included; descending if the first is the larger."""
    if step == 0 or abs(last - first) // step >= MOST_SETTINGS:
        raise UsageError(f"cannot step from {first} to {last} by {step}", allowed=f"1 to {MOST_SETTINGS:,} values")
    return range(first, last + 1, step) if first <= last else range(first, last - 1, -step)


def _setting(game: Game, key: str, kind: Any, text: str) -> Any:
    stepped = f"{key}=2..20 or {key}=2..20:2" if ".." in text else None
    return _read(kind, text, f"{game.title()}: cannot read {key}={text[:60]}", None, stepped)


# ---------------------------------------------------------------------- @FILE


def _reads_files(kind: type[Game]) -> bool:
    return hasattr(kind, "from_file")


def _game_from_file(kind: type[Game], named: str) -> tuple[Game, tuple[str, ...]]:
    if not _reads_files(kind):
        raise ParameterError(
            f"{kind.title()} cannot be read from a file",
            advice=f"{kind.title()}:key=value with {_forms(kind.parameters())}",
        )
    name, options = _file_and_options(named)
    values = _options(kind, options)
    text = read_text(name)
    rules: Any = kind
    try:
        with guarded(kind, "from_file"):
            made = rules.from_file(text, **values)
    except (ParameterError, LimitReached) as error:
        if isinstance(error, ParameterError) and any(f"{key}=" in str(error) for key in values):
            raise  # it is about the text of the command
        place = "the standard input" if name == "-" else shortened(name, 200)
        raise FileError(
            f"{place}: {error.message}", found=error.found, allowed=error.allowed, advice=error.advice
        ) from error
    if not (isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], Game) and _are_texts(made[1])):
        raise RulesError(
            f"{kind.title()}: from_file returned something else", found=repr(made)[:60], allowed="(game, moves so far)"
        )
    return made


def _are_texts(moves: Any) -> bool:
    return isinstance(moves, list | tuple) and all(isinstance(move, str) for move in moves)


def _file_and_options(named: str) -> tuple[str, str]:
    """The name after `@`, and the `key=value,...` after it."""
    cuts = [match.start() for match in re.finditer(r",\s*[^\W\d]\w*=", named[:8192])][:16]
    readings = [(named[:cut], named[cut + 1 :]) for cut in cuts] + [(named, "")]
    for name, options in reversed(readings):
        if name == "-" or os.path.exists(name):
            return name, options
    return readings[0]


def _options(kind: type[Game], text: str) -> dict[str, Any]:
    """The values beside `@FILE`, by the annotations of `from_file`, else of the game; else as text."""
    if not text:
        return {}
    rules: Any = kind
    with guarded(kind, "from_file"):
        signature = inspect.signature(rules.from_file)
        hints = typing.get_type_hints(rules.from_file)
        kinds = {**kind.parameters()}
    named = [name for name, part in signature.parameters.items() if part.kind is not part.VAR_KEYWORD][1:]
    if len(signature.parameters) == 1:
        advice = f"{kind.title()}:@FILE alone, which says all of the game"
        raise ParameterError(f"{kind.title()}: a file takes no options", found=shortened(text), advice=advice)
    kinds.update({name: hints.get(name, kinds.get(name, str)) for name in named})
    given = _named_items(kind, {}, text)
    if not any(part.kind is part.VAR_KEYWORD for part in signature.parameters.values()):
        kinds = {name: kinds[name] for name in named}
    return _values(kind, kinds, given)


# ---------------------------------------------------------------------- policies


def _policy(game: Game, policy: str, more: Sequence[str] = ()) -> PolicyRule:
    path = file_in_front(policy)
    if path is not None:
        function = _policy_function(module_from_file(path), path, policy[len(path) + 1 :])
        return _fitting(game, function, policy)
    names = (*more, *policies_of(game))
    if policy in names:
        return policy
    raise QuestionError(
        f"{game.title()} has no policy called {shortened(policy)!r}",
        allowed=", ".join(names) + ", or file.py:function",
        advice=nearest(policy, names),
    )


def _policy_function(module: ModuleType, path: str, name: str) -> Any:
    found = vars(module).get(name)
    if found is None:
        names = [
            key
            for key, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__
        ]
        raise QuestionError(
            f"{path} has no function {shortened(name)!r}" if name else f"{path}: which function?",
            found=", ".join(names) or "no function at all",
            advice=nearest(name, names, f"{path}:") or (f"{path}:{names[0]}" if names else None),
        )
    return found


def _fitting(game: Game, function: Any, text: str) -> Callable[[Game, Any], Any]:
    """A function that accepts the arguments of that game's policies."""
    # Players can move at once only where the rules define to_move.
    goes_by_views = game.gives("sees") or game.gives("to_move")
    ways = [("game", "state")] + [("game", "seen", "moves")] * goes_by_views
    if callable(function) and any(takes(function, len(way)) for way in ways):
        return cast("Callable[[Game, Any], Any]", function)
    name = text.rpartition(":")[2]
    raise RulesError(
        f"{text} is not a policy",
        found=f"{function!r:.60}",
        allowed=" or ".join(f"def {name}({', '.join(way)}) that returns a move" for way in ways),
    )
