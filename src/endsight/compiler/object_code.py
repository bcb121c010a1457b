"""Object code goes into memory without LLVM, whose library takes longer to load than many an answer.

On x86-64, LLVM's large code model refers to everything by 64-bit addresses, so there is one kind of place to fill in:
R_X86_64_64 (System V ABI, AMD64 Architecture Processor Supplement, section 4.4.1). Sections, symbols and relocations
are those of ELF-64 (System V ABI, chapter 4).
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

_ELF_64, _X86_64 = b"\x7fELF\x02\x01", 62
_SYMBOLS, _RELOCATIONS, _NO_BITS = 2, 4, 8
_WRITE, _ALLOC = 1, 2
_ADDRESS_64 = 1
_ELSEWHERE = 0  # the section of symbols that the process has


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


def placed(code: bytes, name: str) -> tuple[int, Any] | None:
    """The address of the function `name` of object code, and the memory that must be kept as long as it is called.

    None where only LLVM links the code: for other processors and formats, and other kinds of relocations. Raises
    `OSError` where the system allows no new machine code.
    """
    if sys.platform != "linux" or code[:6] != _ELF_64 or struct.unpack_from("<H", code, 18)[0] != _X86_64:
        return None
    sections = list(_sections(code))
    relocations = [each for each in sections if each.kind == _RELOCATIONS]
    if any(what & 0xFFFFFFFF != _ADDRESS_64 for each in relocations for _, what, _ in _entries("<QQq", code, each)):
        return None
    places, fixed, size = _places(sections)
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for number, place in places.items():
        if sections[number].kind != _NO_BITS:
            memory[place : place + sections[number].size] = _content(code, sections[number])
    symbols = list(_symbols(code, sections, {number: base + place for number, place in places.items()}))
    for each in relocations:
        for offset, what, addend in _entries("<QQq", code, each):
            struct.pack_into("<Q", memory, places[each.info] + offset, symbols[what >> 32][1] + addend)
    _make_executable(base, fixed)
    return dict(symbols)[name], memory


def _sections(code: bytes) -> Iterator[_Section]:
    start, size, count = *struct.unpack_from("<Q", code, 40), *struct.unpack_from("<HH", code, 58)
    for number in range(count):
        yield _Section(*struct.unpack_from("<IIQQQQIIQQ", code, start + size * number))


def _content(code: bytes, section: _Section) -> bytes:
    return code[section.offset : section.offset + section.size]


def _entries(form: str, code: bytes, section: _Section) -> Iterator[tuple[int, ...]]:
    return struct.iter_unpack(form, _content(code, section))


def _places(sections: list[_Section]) -> tuple[dict[int, int], int, int]:
    """Where each section goes, the size of those that nobody changes, and of all; variables begin on a page."""
    loaded = [number for number, section in enumerate(sections) if section.flags & _ALLOC]
    fixed = [number for number in loaded if not sections[number].flags & _WRITE]
    places: dict[int, int] = {}
    end = boundary = 0
    for number in [*fixed, *(number for number in loaded if number not in fixed)]:
        if number in fixed or len(places) > len(fixed):
            places[number] = _up(end, max(1, sections[number].alignment))
        else:
            places[number] = boundary = _up(end, mmap.PAGESIZE)
        end = places[number] + sections[number].size
    return places, boundary or end, end


def _up(number: int, step: int) -> int:
    return -(-number // step) * step


def _symbols(code: bytes, sections: list[_Section], addresses: dict[int, int]) -> Iterator[tuple[str, int]]:
    """The name and the address of each symbol."""
    table = next(section for section in sections if section.kind == _SYMBOLS)
    names = _content(code, sections[table.link])
    for at, _, _, number, value, _ in _entries("<IBBHQQ", code, table):
        name = names[at : names.index(b"\0", at)].decode()
        if name and number == _ELSEWHERE:
            yield name, ctypes.cast(_process()[name], ctypes.c_void_p).value or 0
        else:
            yield name, addresses.get(number, 0) + value


@cache
def _process() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _make_executable(base: int, size: int) -> None:
    if _process().mprotect(ctypes.c_void_p(base), ctypes.c_size_t(size), mmap.PROT_READ | mmap.PROT_EXEC):
        raise OSError(ctypes.get_errno(), "the system allows no new machine code")
