"""The class of rules that a name refers to: built-in, in a file, in a module, or in an installed package."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import endsight.games
from endsight.base.shortened import did_you_mean, shortened
from endsight.base.waiting import is_stop
from endsight.errors import RulesError, UnknownGameError
from endsight.errors.complaints import no_rule
from endsight.errors.rules_guard import exception_text
from endsight.game import Game
from endsight.game.field_texts import value_text
from endsight.game.protocol import ASKED_WITH
from endsight.game.titles import shown_value
from endsight.game.value_text import Misread, example, read_value
from endsight.games import BUILT_IN
from endsight.naming.rules_files import module_by_name, module_from_file

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "endsight.games"
OTHER_PROJECTS = {
    "openspiel": ("endsight.interop.openspiel", "OpenSpiel"),
    "efg": ("endsight.interop.gambit", "ExtensiveFile"),
    "nfg": ("endsight.interop.gambit", "StrategicFile"),
}
"""Prefixes of the games of other projects, with the rules that read them; for files, also their suffixes."""
_RULES = {name for name in {*ASKED_WITH, *vars(Game)} if name[0] != "_" and callable(getattr(Game, name, print))}
_RULES -= {"bound", "before", "ends", "order"}  # numbers of these names are not hints
LONGEST_TITLE = 60
"""Longer names of games do not fit into a title."""


def game_names() -> dict[str, str]:
    """Every game that has a name, with its distribution; loads nothing."""
    names = dict.fromkeys(BUILT_IN, "endsight")
    for name, entry in _plug_ins().items():
        names[name] = entry.dist.name if entry.dist is not None else entry.value
    return names


def located(text: str) -> tuple[type[Game], str | None]:
    """The class that the front of `text` names, and the parameters behind it (None without a colon).

    Raises `UnknownGameError`, `FileError` and `RulesError`.
    """
    head, colon, rest = text.partition(":")
    behind = rest if colon else None
    if head in BUILT_IN:
        return getattr(endsight.games, BUILT_IN[head]), behind
    return _located_outside(text, head, rest, behind)


def _of_other_project(name: str) -> type[Game]:
    """The rules that read another project's games."""
    module, kind = OTHER_PROJECTS[name]
    found: type[Game] = getattr(import_module(module), kind)
    return found


def _located_outside(text: str, head: str, rest: str, behind: str | None) -> tuple[type[Game], str | None]:
    """The same for rules of another project, in a file, of an installed package, or in a module."""
    if head in OTHER_PROJECTS:
        return _of_other_project(head), behind
    if text.lower().endswith((".efg", ".nfg")):
        return _of_other_project(text[-3:].lower()), text
    path = file_in_front(text)
    if path is not None:
        return _class_of(module_from_file(path), path, text[len(path) + 1 :] if text != path else None)
    entry = _plug_ins().get(head)
    if entry is not None:
        return _plugged_in(entry), behind
    if _is_dotted(head) and _is_dotted(rest.partition(":")[0]) and ("." in head or _is_importable(head)):
        return _class_of(module_by_name(head), head, rest)
    raise _unknown_game(head)


def game_title(text: str) -> str:
    """The name of a game as given, for titles: long values by their count and SHA-256."""
    if len(text) <= LONGEST_TITLE:
        return text
    path = file_in_front(text) or ""
    return path + "".join(map(_titled, re.split(r"([:,=])", text[len(path) :])))


def _titled(value: str) -> str:
    """A value of a parameter for a title, a list read as one; names of files stay whole."""
    if value.startswith("@"):
        return value
    for kind in (tuple[int | None, ...], tuple[tuple[int, ...], ...]):
        with suppress(Misread):
            return shown_value(read_value(kind, value))
    return shown_value(value)


def file_in_front(text: str) -> str | None:
    """The path of a Python file that `text` begins with (drive letters have a colon too)."""
    ends = [match.end() for match in re.finditer(r"\.py(?=:|\Z)", text[:4096], re.IGNORECASE)][:8]
    for end in ends:
        if os.path.exists(text[:end]):
            return text[:end]
    if not ends or ":" in text[: ends[0]][2:] or (text[1:2] == ":" and not text[0].isalpha()):
        return None
    return text[: ends[0]]


def _is_dotted(name: str) -> bool:
    return len(name) < 1000 and all(part.isidentifier() for part in name.split("."))


def _is_importable(name: str) -> bool:
    """Whether a module without a package has that name, in an installed package or in the current folder."""
    from importlib.machinery import PathFinder

    return PathFinder.find_spec(name) is not None or PathFinder.find_spec(name, [""]) is not None


def _class_of(module: ModuleType, place: str, rest: str | None) -> tuple[type[Game], str | None]:
    """The class of `module` that `rest` begins with (the only one if it does not), and its parameters."""
    name, colon, behind = (rest or "").partition(":")
    if rest is None or not _is_dotted(name):
        return with_own_names(_only_class(module, place)), rest
    return with_own_names(_named_class(module, place, name)), (behind if colon else None)


def with_own_names(kind: type[Game]) -> type[Game]:
    """The class itself; `RulesError` if one of its parameters or constants has the name of a rule."""
    given = {name: getattr(kind, name, None) for name in _RULES}
    odd = [
        name for name, rule in given.items() if rule is not None and not callable(rule) and not hasattr(rule, "__get__")
    ]
    bases = [base for base in kind.__mro__ if issubclass(base, Game) and base is not Game]
    annotated = {name for base in bases for name in vars(base).get("__annotations__", ())}
    for name in odd or _RULES & annotated:
        raise no_rule(kind, name)
    return kind


def _named_class(module: ModuleType, place: str, name: str) -> type[Game]:
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is None:
        names = [kind.__name__ for kind in _classes(module)]
        raise UnknownGameError(
            f"{place} has no class {name!r}",
            found=", ".join(names) or "no class of rules at all",
            allowed=f"{place}:CLASS:PARAMETER=VALUE",
            advice=_parameter_of(module, place, name)
            or nearest(name, names, f"{place}:")
            or (f"{place}:{names[0]}" if names else None),
        )
    return _checked_class(found, f"{place}:{name}")


def _parameter_of(module: ModuleType, place: str, name: str) -> str | None:
    """How to give a parameter that was put in the place of the class."""
    for kind in _classes(module):
        if name in kind.parameters():
            value = value_text(getattr(kind, name, example(kind.parameters()[name])))
            return f"{place}:{kind.__name__}:{name}={value}"
    return None


def _checked_class(found: Any, name: str) -> type[Game]:
    if isinstance(found, type) and issubclass(found, Game) and found is not Game:
        return found
    what = "the base class itself" if found is Game else ("a class" if isinstance(found, type) else f"{found!r:.60}")
    raise RulesError(
        f"{name} is not a game",
        found=what,
        allowed="a subclass of endsight.Game",
        advice="from endsight.game import Game, then class MyGame(Game)",
    )


def _classes(module: ModuleType) -> list[type[Game]]:
    """The games that a module itself defines, in source order."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__
    ]


def _only_class(module: ModuleType, place: str) -> type[Game]:
    classes = [kind for kind in _classes(module) if not kind.__name__.startswith("_")]
    if not classes:
        raise UnknownGameError(f"{place} has no class of rules", allowed="a subclass of endsight.Game")
    if len(classes) > 1:
        names = [kind.__name__ for kind in classes]
        raise UnknownGameError(f"{place} has more than one game", found=", ".join(names), advice=f"{place}:{names[0]}")
    return classes[0]


def _plug_ins() -> dict[str, EntryPoint]:
    """Games registered by installed packages; they cannot replace built-in names."""
    return _installed(tuple(sys.path))


@lru_cache(maxsize=1)
def _installed(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """The same, looked up once per search path, as it reads every package's metadata."""
    from importlib.metadata import distributions

    found: dict[str, EntryPoint] = {}
    for distribution in distributions(path=list(path)):
        for entry in distribution.entry_points:
            if entry.group == ENTRY_POINTS and entry.name not in BUILT_IN:
                found.setdefault(entry.name, entry)
    return found


def _plugged_in(entry: EntryPoint) -> type[Game]:
    owner = f" of the package {entry.dist.name}" if entry.dist is not None else ""
    try:
        found = entry.load()
    except BaseException as error:
        if is_stop(error) or isinstance(error, MemoryError):
            raise
        raise RulesError(
            f"the game {entry.name!r}{owner} cannot be loaded",
            found=f"{exception_text(error)} (from {entry.value})",
            advice="reinstall or remove that package; all other games work",
        ) from error
    return _checked_class(found, f"{entry.name!r}{owner} ({entry.value})")


def _unknown_game(name: str) -> UnknownGameError:
    names = game_names()
    in_file = "/" in name or "\\" in name or name.endswith(".py")
    asked = did_you_mean(None if in_file else nearest(name, names))
    return UnknownGameError(
        f"there is no game called {shortened(name)!r}{asked}" if name else "no game is named",
        allowed=", ".join(sorted(names)) + ", or path/file.py:Class",
        advice="the rules' file ends in .py: path/file.py:Class" if in_file else _other_name(name, names),
    )


def _other_name(name: str, names: Iterable[str]) -> str | None:
    """A game or a file of rules that may have been meant; else where to look."""
    if os.path.isfile(f"{name[:200]}.py"):
        return f"{name}.py"
    return nearest(name, names) or ("endsight games lists them; your own rules are FILE.py:Class" if name else None)


def nearest(name: str, names: Iterable[str], front: str = "") -> str | None:
    """The name most similar to a misspelt one."""
    close = get_close_matches(name[:60].lower(), {known.lower(): known for known in names}, n=1)
    return next((front + known for known in names if close and known.lower() == close[0]), None)
