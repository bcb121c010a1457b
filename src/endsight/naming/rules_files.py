"""Rules and policies from outside: a Python file, or a module of an installed package.

Code from outside runs only because the user named it. A file is run once for each
content that it and its neighbours have had; it may import these, plainly (`import helper`) or as
`from .helper import ...`.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from difflib import get_close_matches
from functools import lru_cache
from importlib import machinery
from itertools import count
from traceback import extract_tb
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, NoReturn

from endsight.base.machine import working_folder
from endsight.base.waiting import is_stop
from endsight.errors import RulesError, UnknownGameError
from endsight.errors.rules_guard import exception_text
from endsight.naming.input_files import read_bytes

if TYPE_CHECKING:
    from importlib.abc import PathEntryFinder

_loaded: dict[tuple[str, bytes], ModuleType] = {}
_folders: dict[str, str] = {}
"""Folder -> the name of the package that represents it."""
_neighbours: dict[str, dict[ModuleType, bytes | None]] = {}
"""Folder -> the modules that its files imported from it, with the contents that they had."""
_numbers = count(1)


def module_from_file(path: str) -> ModuleType:
    """The module of the Python file `path`.

    It is in `sys.modules` under a unique name. Raises `FileError` if the file cannot be read and `RulesError` (with
    file and line) if it fails.
    """
    source = read_bytes(path)
    place = os.path.realpath(path)
    _forget_changed(os.path.dirname(place))
    module = _loaded.get((place, source))
    if module is None:
        module = _run(_compiled(source, place, path), place, path)
        _loaded[place, source] = module
    return module


def module_by_name(name: str) -> ModuleType:
    """The importable module `name`; the current folder is searched too.

    Raises `UnknownGameError` if there is none and `RulesError` if it fails.
    """
    with _importable(working_folder() or ""):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name == error.name or name.startswith(error.name + ".")):
                raise _not_running(name, error, None) from error
            raise UnknownGameError(
                f"there is no module {name!r}",
                found=f"nothing importable is called {error.name!r}",
                advice="for a file: path/file.py:Class",
            ) from None
        except MemoryError:
            raise
        except BaseException as error:
            if is_stop(error):
                raise
            raise _not_running(name, error, None) from error


def _compiled(source: bytes, place: str, path: str) -> CodeType:
    try:
        return compile(source, place, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise RulesError(
            f"{path} is not Python", found=f"{error.msg} ({os.path.basename(place)}, line {error.lineno or 1})"
        ) from error
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise RulesError(f"{path} is not Python", found=exception_text(error)) from error


def _run(code: CodeType, place: str, path: str) -> ModuleType:
    package = _package_of(os.path.dirname(place))
    stem = os.path.splitext(os.path.basename(place))[0]
    module = ModuleType(f"{package}.{stem.replace('.', '_')}_{next(_numbers)}")
    module.__file__ = place
    module.__package__ = package
    sys.modules[module.__name__] = module
    known = dict(sys.modules)
    try:
        with _importable(os.path.dirname(place)):
            exec(code, module.__dict__)
            _note_neighbours(os.path.dirname(place), known)
    except BaseException as error:
        sys.modules.pop(module.__name__, None)
        if is_stop(error) or isinstance(error, MemoryError):
            raise
        raise _not_running(path, error, place) from error
    return module


def _note_neighbours(folder: str, known: Mapping[str, ModuleType]) -> None:
    """Note the modules of a folder that were imported since; those of the user's own program are among the `known`."""
    noted, package = _neighbours.setdefault(folder, {}), f"{_package_of(folder)}."
    for name, module in list(sys.modules.items()):
        file = None if known.get(name) is module else getattr(module, "__file__", None)
        if isinstance(file, str) and (name.startswith(package) or _home(name, file) == folder):
            noted[module] = _content(file)


def _content(file: str) -> bytes | None:
    try:
        with open(file, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _forget_changed(folder: str) -> None:
    """Drop all modules that files of a folder imported from it, and these files, if one of the modules has changed."""
    noted = _neighbours.get(folder, {})
    if all(_content(str(module.__file__)) == content for module, content in noted.items()):
        return
    for module in noted:
        parent, _, name = module.__name__.rpartition(".")
        if sys.modules.get(module.__name__) is module:
            del sys.modules[module.__name__]
        if getattr(sys.modules.get(parent), name, None) is module:
            delattr(sys.modules[parent], name)
    noted.clear()
    for key in [key for key in _loaded if os.path.dirname(key[0]) == folder]:
        del _loaded[key]


def _package_of(folder: str) -> str:
    """The name of an empty package whose modules are the files of `folder`, for relative imports."""
    if folder not in _folders:
        package = ModuleType(f"endsight_rules_{next(_numbers)}")
        package.__path__ = [folder]
        _folders[folder] = package.__name__
        sys.modules[package.__name__] = package
    return _folders[folder]


@contextmanager
def _importable(folder: str) -> Iterator[None]:
    """Make modules of `folder` importable; their prints do not mix with the answer."""
    _forget_namesakes(folder)
    importlib.invalidate_caches()
    sys.path.insert(0, folder)
    try:
        with _read_as_text(folder), redirect_stdout(sys.stderr):
            yield
    finally:
        with suppress(ValueError):  # the code may have changed the path itself
            sys.path.remove(folder)


class _Text(machinery.SourceFileLoader):
    """Reads the text of a module and no bytecode: after two quick edits Python takes that of the text before for it."""

    def path_stats(self, path: str) -> NoReturn:
        raise OSError(path)


_BY_TEXT = machinery.FileFinder.path_hook(
    (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
    (_Text, machinery.SOURCE_SUFFIXES),
    (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
)


@contextmanager
def _read_as_text(folder: str) -> Iterator[None]:
    """Let imports read the modules of a folder, but not those of libraries somewhere below it, as their texts are."""

    def find(path: str) -> PathEntryFinder:
        if not _is_below(path, folder) or any(_is_below(path, each) for each in sys.path if below in each):
            raise ImportError(path)
        return _BY_TEXT(path)

    below = os.path.join(folder, "")
    sys.path_hooks.insert(0, find)
    _forget_finders(folder)
    try:
        yield
    finally:
        with suppress(ValueError):  # as above
            sys.path_hooks.remove(find)
        _forget_finders(folder)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(os.path.join(folder, ""))


def _forget_finders(folder: str) -> None:
    for path in [path for path in sys.path_importer_cache if _is_below(path, folder)]:
        del sys.path_importer_cache[path]


def _forget_namesakes(folder: str) -> None:
    """Drop helper modules and packages of other rules' folders if this folder has one of the same name."""
    others, here, namesakes = _folders.keys() - {folder}, set[str](), set[str]()
    with suppress(OSError):  # of a folder that cannot be listed nothing is imported
        here = {entry.removesuffix(".py") for entry in os.listdir(folder) if others}
    for name, module in list(sys.modules.items()):
        top = name.partition(".")[0]
        if top in here and _home(name, getattr(module, "__file__", None) or "") in others:
            namesakes.add(top)
    for name in [name for name in sys.modules if name.partition(".")[0] in namesakes]:
        del sys.modules[name]


@lru_cache(maxsize=1 << 14)
def _home(name: str, home: str) -> str:
    """The folder in which the module of that name and file lies, or the outermost package that it is in."""
    is_package = os.path.basename(home) == "__init__.py"
    for _ in range(name.count(".") + 1 + is_package):
        home = os.path.dirname(home)
    return home


def _not_running(name: str, error: BaseException, place: str | None) -> RulesError:
    """The error for a module that fails while it is loaded; the line is the innermost in its own file."""
    if isinstance(error, SyntaxError) and error.filename:
        where = f" ({os.path.basename(error.filename)}, line {error.lineno or 1})"
        return RulesError(f"{name} cannot be loaded", found=(error.msg or "syntax error") + where)
    trace = extract_tb(error.__traceback__)
    own = [frame for frame in trace if frame.filename == place] or list(trace)
    where = f" ({os.path.basename(own[-1].filename)}, line {own[-1].lineno})" if own else ""
    return RulesError(
        f"{name} cannot be loaded", found=exception_text(error) + where, advice=_missing_module(error, place)
    )


def _missing_module(error: BaseException, place: str | None) -> str | None:
    """A neighbour file whose name resembles the missing module's."""
    if not isinstance(error, ModuleNotFoundError) or not error.name or place is None:
        return None
    stems = [name.removesuffix(".py") for name in os.listdir(os.path.dirname(place)) if name.endswith(".py")]
    close = get_close_matches(error.name.rpartition(".")[2], stems, n=1)
    return f"import {close[0]}" if close else None
