"""The loops that do the work: Python modules that are compiled together with rules.

A kernel is a function that calls the rules as `rule_moves(state)`, `rule_play(state, move)`, ... and the functions of
`packing` and of `rules`; `core` lists all that it may use. Compiled, it has an entry function whose parameters are
machine words, or arrays of them: the fields of a record are separate parameters there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache
from inspect import isfunction
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias

__all__ = ["Loop", "entry_of", "flat", "modules_of", "plain", "text_of"]

Loop: TypeAlias = Callable[..., int]
"""A kernel as the Python function that it is."""


@cache
def modules_of(module: str) -> tuple[str, ...]:
    """Names of the modules whose functions a module uses, each after those that it uses itself; that module is last."""
    homes = {value.__module__: None for value in vars(sys.modules[module]).values() if isfunction(value)}
    ours = (home for home in homes if home.startswith("endsight.") and home != module)
    return (*dict.fromkeys(each for home in ours for each in modules_of(home)), module)


@cache
def text_of(module: str, without: tuple[str, ...] = ()) -> str:
    """The text of a module that has been imported and of all that it uses, except for those modules."""
    files = [Path(str(sys.modules[each].__file__)) for each in modules_of(module) if each not in without]
    return "\n\n".join(file.read_text(encoding="utf-8") for file in files)


def entry_of(kernel: Loop) -> str:
    """The entry of the machine code: it calls the kernel, with records made from parameters."""
    names, head, made = list[str](), list[str](), list[str]()
    parameters = [(name, hint) for name, hint in kernel.__annotations__.items() if name != "return"]
    for name, hint in parameters:
        fields = getattr(kernel.__globals__.get(hint), "_fields", None)
        own = [name] if fields is None else [f"{field}_{name}" for field in fields]
        names += own
        if fields is not None:
            head.append(f"{hint} = {fields!r}")
            made.append(f"    {name} = {hint}({', '.join(own)})")
    call = f"    return {kernel.__name__}({', '.join(name for name, _ in parameters)})\n"
    return "\n".join([*head, f"def entry({', '.join(names)}):", *made, call])


def flat(arguments: Iterable[Any]) -> list[Any]:
    """Arguments, with records replaced by their fields."""
    return [part for each in arguments for part in (each if isinstance(each, tuple) else [each])]


def plain(kernel: Loop, **given: Any) -> Loop:
    """A kernel that Python runs, with what is given in place of what it would be compiled with."""
    names = dict(kernel.__globals__)
    for name, value in kernel.__globals__.items():
        if isfunction(value):
            names[name] = FunctionType(value.__code__, names, name)
    names.update(given)
    return names[kernel.__name__]  # type: ignore[no-any-return]
