"""Rules and policies: the text that a certificate is about, and classes from files that the user names."""

from __future__ import annotations

import inspect
import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType
from typing import Any

from endsight.base.faults import EndsightError, QuestionError, RulesError
from endsight.game import Game
from endsight.verifier.certificate import Fixed


def rules_hash(kind: type[Game]) -> str | None:
    """SHA-256 of the files that define a class of rules, including its base classes.

    For a class that is in no file, such as one typed into a notebook, the cell counts instead.
    Line ends and blanks before them make no difference. None where there is no text.
    """
    linecache.checkcache()
    texts = dict[str, None]()
    for base in reversed(kind.__mro__):
        home = base.__module__ if base.__module__.partition(".")[0] in sys.stdlib_module_names else ""
        if base not in Game.__mro__ and getattr(sys.modules.get(home), base.__name__, None) is not base:
            files = [[line.rstrip() for line in linecache.getlines(name)] for name in sorted(_files(base))]
            if not files or not all(files):
                return None
            texts |= {"\n".join(lines): None for lines in files}
    return sha256("\0".join(texts).encode()).hexdigest()


def _files(kind: type) -> set[str]:
    """The files of a class's module and of its methods, since a module does not know its notebook cells."""
    methods = [getattr(each, "__func__", getattr(each, "fget", each)) for each in vars(kind).values()]
    functions = [inspect.unwrap(each) for each in methods if callable(each)]
    names = {each.__code__.co_filename for each in functions if isinstance(each, FunctionType)}
    return {each for each in (*names, getattr(sys.modules.get(kind.__module__), "__file__", None)) if each}


def policy_entry(function: Callable[..., Any]) -> Fixed:
    """A policy from a file as a claim names it: its name and a SHA-256 of the file.

    Raises `QuestionError` where there is no file.
    """
    file = Path(getattr(getattr(function, "__code__", None), "co_filename", ""))
    if not file.is_file():
        raise QuestionError("a policy that is in no file has no place in a certificate", advice="write it into a file")
    text = file.read_bytes().replace(b"\r\n", b"\n")
    return {"function": function.__name__, "sha256": sha256(text).hexdigest()}


@contextmanager
def blaming(kind: type[EndsightError], message: str, *passed: type[BaseException]) -> Iterator[None]:
    """Turn every exception inside, even `SystemExit`, into an error of that kind, except for those in `passed`."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, MemoryError, *passed)):
            raise
        raise kind(message, found=f"{type(error).__name__}: {error}"[:300]) from error


def load(spec: str) -> Any:
    """The class that `file.py:NAME` or `package.module:NAME` names; this runs its file."""
    path, _, name = spec.rpartition(":")
    with blaming(RulesError, f"{spec} cannot be loaded"):
        if not path.endswith(".py"):
            return getattr(import_module(path), name)
        plan: Any = spec_from_file_location(f"rules_of_{Path(path).stem}", path)
        sys.modules[plan.name] = module = module_from_spec(plan)
        # Bytecode that Python keeps may be that of another text: what runs is the text that is checked.
        exec(plan.loader.source_to_code(plan.loader.get_data(path), path), vars(module))
        return getattr(module, name)
