"""An examination of this installation: versions, extras, caches, machine, and any problems."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import takewhile
from pathlib import Path

import endsight
from endsight.base.atomic import blaming_disk
from endsight.base.machine import all_memory, cores, free_memory
from endsight.compiler.cache import cache_directory

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?:\(([^)]*)\)|([^;]*))(?:;(.*))?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
# Only files of this form are ours: the folder may belong to somebody else.
_CACHED = re.compile(r"[0-9a-f]{40}\.(object|checked|note|hint)")
_LITTLE_MEMORY = 1_000_000_000
_LITTLE_DISK = 200_000_000


@dataclass(frozen=True)
class Package:
    """A requirement: its installed version or None, the least version wanted, and the extra it belongs to."""

    name: str
    version: str | None
    least: str | None
    extra: str | None

    @property
    def is_sufficient(self) -> bool:
        """Whether the package is installed in a sufficient version."""
        if self.version is None:
            return False
        return self.least is None or _numbers(self.version) >= _numbers(self.least)


@dataclass(frozen=True)
class Cache:
    """The cache of compiled rules: the folder, the number of files, their size in bytes, and whether it is writable."""

    folder: str
    files: int
    bytes: int
    writable: bool


@dataclass(frozen=True)
class Problem:
    """A problem, and what to do about it."""

    message: str
    cure: str


@dataclass(frozen=True)
class Report:
    """All findings; the `total` and the `free` memory in bytes, and the number of `cores` that this process may use."""

    version: str
    python: str
    system: str
    packages: tuple[Package, ...]
    cache: Cache
    memory: dict[str, int]
    cores: int
    problems: tuple[Problem, ...]


def examine() -> Report:
    """Examine the installation and the machine."""
    packages = tuple(_packages())
    cache = _cache()
    return Report(
        version=endsight.__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        system=f"{platform.system()} {platform.machine()}",
        packages=packages,
        cache=cache,
        memory={"total": all_memory(), "free": free_memory()},
        cores=cores(),
        problems=tuple(_problems(packages, cache, free_memory())),
    )


def clear_cache() -> int:
    """Delete all cached compiled rules and return the number of bytes freed.

    Nothing is lost: rules are compiled again when next needed.
    """
    freed = 0
    for file in _cached_files(cache_directory()):
        with blaming_disk(file, "removed"):
            size = file.stat().st_size
            file.unlink(missing_ok=True)
        freed += size
    return freed


# ---------------------------------------------------------------------- packages


def _packages() -> Iterator[Package]:
    """Yield the requirements in the package's own metadata, the necessary ones first."""
    try:
        texts = requires("endsight") or []
    except PackageNotFoundError:  # run from a folder that was never installed
        texts = []
    for text in sorted(texts, key=lambda text: ("extra" in text, text.lower())):
        match = _REQUIREMENT.match(text)
        if match is None or match[1] == "endsight":
            continue
        name, versions, marker = match[1], match[2] or match[3] or "", match[4] or ""
        extra = _EXTRA.search(marker)
        least = re.search(r">=\s*([0-9][^,\s]*)", versions)
        yield Package(name, _version(name), least[1] if least else None, extra[1] if extra else None)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> list[int]:
    """Split `1.26.4` into numbers, up to the first part that is not a number."""
    digits = takewhile(bool, (re.match(r"\d+", part) for part in text.split(".")))
    numbers = [int(found[0]) for found in digits if found]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers


# ---------------------------------------------------------------------- cache and machine


def _cache() -> Cache:
    folder = cache_directory()
    sizes = [os.path.getsize(file) for file in _cached_files(folder)]
    return Cache(str(folder), len(sizes), sum(sizes), _is_writable(folder))


def _cached_files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if _CACHED.fullmatch(file.name) and file.is_file())
    except OSError:
        return []


def _existing(folder: Path) -> Path:
    """Return the folder, or its nearest ancestor that exists."""
    return next((place for place in (folder, *folder.parents) if os.path.exists(place)), folder)


def _is_writable(folder: Path) -> bool:
    place = _existing(folder)
    return os.path.isdir(place) and os.access(place, os.W_OK)


def _problems(packages: tuple[Package, ...], cache: Cache, free: int) -> Iterator[Problem]:
    for package in packages:
        if package.extra is None and not package.is_sufficient:
            version = package.version or "none"
            requirement = f"{package.name}>={package.least}" if package.least else package.name
            yield Problem(
                f"{requirement} is needed, found: {version}",
                f'{Path(sys.executable).name} -m pip install "{requirement}"',
            )
    if not cache.writable:
        yield Problem(
            f"compiled rules cannot be kept in {cache.folder}: every command compiles them anew",
            "make the folder writable, or set ENDSIGHT_CACHE_DIR to one that is",
        )
    elif (room := _disk_room(Path(cache.folder))) is not None and room < _LITTLE_DISK:
        yield Problem(
            f"only {room / 1e6:.0f} MB are left on the disk of {cache.folder}",
            "endsight doctor --clear-cache, or set ENDSIGHT_CACHE_DIR to another disk",
        )
    if free < _LITTLE_MEMORY:
        yield Problem(
            f"only {free / 1e9:.1f} GB of memory are free: larger games will be stopped",
            "close other programs; endsight estimate GAME says what a game needs",
        )


def _disk_room(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(_existing(folder)).free
    except OSError:
        return None
