"""`endsight doctor`: versions, extras, caches, machine, and any problems."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import takewhile
from pathlib import Path
from typing import Any

import endsight as es
from endsight.base.atomic import blaming_disk
from endsight.base.machine import all_memory, cores, free_memory
from endsight.compiler.cache import cache_directory
from endsight.faces.cli.columns import BEST, WORSE, Column
from endsight.faces.cli.command import command, flag, takes
from endsight.faces.cli.output import Output
from endsight.game.limits import size_text
from endsight.game.numbers import count_text

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)(?:\[[^\]]*\])?\s*(?:\(([^)]*)\)|([^;]*))(?:;(.*))?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")
# Only files of this form are ours: the folder may belong to somebody else.
_CACHED = re.compile(r"[0-9a-f]{40}\.(object|checked|note|hint)")
_LITTLE_MEMORY = 1_000_000_000
_LITTLE_DISK = 200_000_000


@command("endsight doctor", "endsight doctor --clear-cache")
@takes(flag("--clear-cache", "Delete the cache of compiled rules."))
def doctor(output: Output, clear_cache: bool) -> None:
    """Check the installation and suggest fixes."""
    freed = _clear_cache() if clear_cache else None
    document = _examined() | ({} if freed is None else {"freed": freed})
    output.answer(document, lambda: _draw(output, document), lambda document: document["packages"])


def _draw(output: Output, document: dict[str, Any]) -> None:
    screen, cache, memory = output.screen, document["cache"], document["memory"]
    screen.title(f"endsight {document['version']}", f" · {document['python']} · {document['system']}")
    screen.line()
    rows = [(each["name"], _state(each)) for each in document["packages"] if each["extra"] is None]
    rows += [
        ("memory", f"{size_text(memory['free'], 2)} free of {size_text(memory['total'], 2)}"),
        ("cores", str(document["cores"])),
        ("cache", f"{size_text(cache['bytes'], 2)} in {count_text(cache['files'], 'file')}, {cache['folder']}"),
    ]
    screen.pairs(rows)
    extras = [(f"[{each['extra']}]", each["name"], _state(each)) for each in document["packages"] if each["extra"]]
    if extras:
        screen.apart("optional extras:")
        screen.table([Column(), Column(), Column()], extras)
    screen.line()
    if "freed" in document:
        screen.line(f"Cleared the cache: {size_text(document['freed'], 2)} freed.")
    for problem in document["problems"]:
        screen.line(f"problem: {problem['message']}", WORSE)
        screen.line(f"cure: {problem['cure']}", indent=2)
    if not document["problems"]:
        screen.line("No problems found.", BEST)


def _state(package: dict[str, Any]) -> str:
    version = package["version"] or "not installed"
    return version if package["sufficient"] or not package["version"] else f"{version}, needs {package['least']}"


# ---------------------------------------------------------------------- the examination


def _examined() -> dict[str, Any]:
    """Return `endsight.doctor/1`: versions, extras, caches, memory in bytes, cores, and problems with their cures."""
    packages, cache, free = list(_packages()), _cache(), free_memory()
    return {
        "schema": "endsight.doctor/1",
        "version": es.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "packages": packages,
        "cache": cache,
        "memory": {"total": all_memory(), "free": free},
        "cores": cores(),
        "problems": [{"message": message, "cure": cure} for message, cure in _problems(packages, cache, free)],
    }


def _clear_cache() -> int:
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


def _packages() -> Iterator[dict[str, Any]]:
    """Yield the requirements in the package's own metadata, the necessary ones first.

    `version` is the installed one or None, `least` the least one wanted, and `extra` what it belongs to.
    """
    try:
        texts = requires("endsight") or []
    except PackageNotFoundError:  # run from a folder that was never installed
        texts = []
    for text in sorted(texts, key=lambda text: ("extra" in text, text.lower())):
        match = _REQUIREMENT.match(text)
        if match is None or match[1] == "endsight":
            continue
        name, versions, marker = match[1], match[2] or match[3] or "", match[4] or ""
        extra, found = _EXTRA.search(marker), _version(name)
        wanted = re.search(r">=\s*([0-9][^,\s]*)", versions)
        least = wanted[1] if wanted else None
        row = {"name": name, "version": found, "least": least, "extra": extra[1] if extra else None}
        yield row | {"sufficient": found is not None and (least is None or _numbers(found) >= _numbers(least))}


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


def _cache() -> dict[str, Any]:
    """Return the folder of compiled rules, its files and their size in bytes, and whether it is writable."""
    folder = cache_directory()
    sizes = [os.path.getsize(file) for file in _cached_files(folder)]
    place = _existing(folder)
    is_writable = os.path.isdir(place) and os.access(place, os.W_OK)
    return {"folder": str(folder), "files": len(sizes), "bytes": sum(sizes), "writable": is_writable}


def _cached_files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if _CACHED.fullmatch(file.name) and file.is_file())
    except OSError:
        return []


def _existing(folder: Path) -> Path:
    """Return the folder, or its nearest ancestor that exists."""
    return next((place for place in (folder, *folder.parents) if os.path.exists(place)), folder)


def _problems(packages: list[dict[str, Any]], cache: dict[str, Any], free: int) -> Iterator[tuple[str, str]]:
    """Yield each problem, and what to do about it."""
    folder = cache["folder"]
    for package in packages:
        if package["extra"] is None and not package["sufficient"]:
            requirement = package["name"] + (f">={package['least']}" if package["least"] else "")
            message = f"{requirement} is needed, found: {package['version'] or 'none'}"
            yield message, f'{Path(sys.executable).name} -m pip install "{requirement}"'
    if not cache["writable"]:
        message = f"compiled rules cannot be kept in {folder}: every command compiles them anew"
        yield message, "make the folder writable, or set ENDSIGHT_CACHE_DIR to one that is"
    elif (room := _disk_room(Path(folder))) is not None and room < _LITTLE_DISK:
        message = f"only {size_text(room, 2)} are left on the disk of {folder}"
        yield message, "endsight doctor --clear-cache, or set ENDSIGHT_CACHE_DIR to another disk"
    if free < _LITTLE_MEMORY:
        message = f"only {size_text(free, 2)} of memory are free: larger games will be stopped"
        yield message, "close other programs; endsight estimate GAME says what a game needs"


def _disk_room(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(_existing(folder)).free
    except OSError:
        return None
