"""Code objects of Python: the parts that determine meaning, and the names they use."""

from __future__ import annotations

import dis
import sys
from functools import lru_cache
from hashlib import sha256
from types import CodeType
from typing import Any, NamedTuple

from endsight.identity.known import attribute_words

_HAS_DOCSTRING = 0x4000000
"""The flag of functions with a docstring, from Python 3.13 on."""
_IMPORT, _EXTENDED = dis.opmap["IMPORT_NAME"], dis.EXTENDED_ARG
_CONSTANTS = frozenset(dis.hasconst)
_OF_GLOBALS = {"LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"}
_BINDING = {"STORE_NAME", "DELETE_NAME", "IMPORT_NAME"}
_IS_OF_GLOBALS = {op: dis.opname[op] in _OF_GLOBALS for op in dis.hasname if dis.opname[op] not in _BINDING}
"""Instructions that use a name, and whether it is a name of the module or of Python."""
# In some instructions the lowest bits of the argument are flags: their number.
_FLAGS = {"LOAD_GLOBAL": 1, "LOAD_ATTR": int(sys.version_info >= (3, 12)), "LOAD_SUPER_ATTR": 2}
_SHIFTS = {op: _FLAGS.get(dis.opname[op], 0) for op in _IS_OF_GLOBALS}


class CodeObject(NamedTuple):
    """A code object as `walk` needs it.

    digest        of everything that determines meaning, except the objects that its names refer to
    documented    the same with all constants, used or not: docstrings are among them
    names         of globals and attributes that it uses, inner functions included
    globals       those that it uses as names of its module or of Python
    attributes    names used in another way
    words         in its texts that can only be names of attributes
    imports       modules that it imports when it runs, each with the level of a relative import
    """

    digest: bytes
    documented: bytes
    names: tuple[str, ...]
    globals: tuple[str, ...]
    attributes: tuple[str, ...]
    words: frozenset[str]
    imports: tuple[tuple[str, int], ...]


@lru_cache(maxsize=8192)
def content_of(code: CodeType) -> CodeObject:
    """The relevant content of a code object: never its lines, files and places."""
    inner = {id(constant): content_of(constant) for constant in code.co_consts if isinstance(constant, CodeType)}
    instructions, used = _instructions(code)
    digest = _hashed(
        code.co_name,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & ~_HAS_DOCSTRING,
        instructions,
        [inner[id(each)].digest if isinstance(each, CodeType) else _constant(each) for each in used],
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_exceptiontable,
    )
    every = [inner[id(each)].documented if isinstance(each, CodeType) else _constant(each) for each in code.co_consts]
    names = dict.fromkeys((*code.co_names, *(name for each in inner.values() for name in each.names)))
    imports = dict.fromkeys((*_imports(code), *(module for each in inner.values() for module in each.imports)))
    within = list(inner.values())
    own, other = _kinds_of_names(code)
    return CodeObject(
        digest,
        _hashed(digest, every),
        tuple(names),
        tuple(sorted(own.union(*(each.globals for each in within)))),
        tuple(sorted(other.union(*(each.attributes for each in within)))),
        frozenset().union(*map(attribute_words, _texts(used)), *(each.words for each in within)),
        tuple(imports),
    )


def _kinds_of_names(code: CodeType) -> tuple[set[str], set[str]]:
    """Names of the module or of Python, and of attributes; without those that a class body sets or says of itself."""
    own: set[str] = set()
    other: set[str] = set()
    high, names, bytecode = 0, code.co_names, code.co_code
    for at in range(0, len(bytecode), 2):
        op, number = bytecode[at], high | bytecode[at + 1]
        if op in _IS_OF_GLOBALS:
            (own if _IS_OF_GLOBALS[op] else other).add(names[number >> _SHIFTS[op]])
        high = number << 8 if op == _EXTENDED else 0
    return own - ({"__name__"} if "__module__" in code.co_names[:2] else set()), other


def _texts(constants: list[Any]) -> list[str]:
    """The texts among constants, also inside tuples."""
    found = [each for each in constants if isinstance(each, str)]
    inside = [each for each in constants if isinstance(each, tuple | frozenset)]
    return found + [text for each in inside for text in _texts(list(each))]


def _instructions(code: CodeType) -> tuple[bytes, list[Any]]:
    """The instructions, with constants in the order of their use instead of their numbers.

    A docstring is a constant that no instruction uses, so changing or removing it makes no difference.
    """
    bytecode = bytearray(code.co_code)
    used: list[Any] = []
    high = 0
    for at in range(0, len(bytecode), 2):
        number = high | bytecode[at + 1]
        if bytecode[at] in _CONSTANTS:
            used.append(code.co_consts[number])
            bytecode[at + 1] = 0
        high = number << 8 if bytecode[at] == _EXTENDED else 0
    return bytes(bytecode), used


def _hashed(*parts: Any) -> bytes:
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).digest()


def _constant(constant: Any) -> Any:
    """A constant as an object whose `repr` is complete, in an order that does not depend on the process."""
    if isinstance(constant, frozenset):
        told = list(map(repr, map(_constant, constant)))
        return "set", told if {int}.issuperset(map(type, constant)) else sorted(told)
    if isinstance(constant, tuple):
        return "tuple", list(map(_constant, constant))
    if type(constant) is int:
        return hex(constant)  # Python refuses to write very long ones in decimal
    return type(constant).__name__, repr(constant)


def _imports(code: CodeType) -> list[tuple[str, int]]:
    if _IMPORT not in code.co_code[::2]:
        return []
    found, level = [], 0
    for each in dis.get_instructions(code):
        # The level and the names to import are loaded before an import, in that order.
        if each.opname == "IMPORT_NAME":
            found.append((str(each.argval), level))
        elif isinstance(each.argval, int) and each.opname.startswith("LOAD"):
            level = each.argval
    return found
