"""The parts of Python and its libraries that are known to depend only on their arguments.

Whatever is not listed here may read a file, a clock, chance, the stack, a line number or an address, or may give
access to anything: rules that reach it during play have no key. A new library is added here after a review.
"""

from __future__ import annotations

import builtins
import re
from types import CodeType, CoroutineType, FrameType, GeneratorType, TracebackType
from typing import Any

PLACES = frozenset(
    {"__file__", "__path__", "__spec__", "__loader__", "__cached__", "__builtins__", "__name__", "__package__"}
)
"""Module attributes that contain locations."""

_PATHS = frozenset({"join", "basename", "dirname", "split", "splitext", "splitdrive", "normpath", "normcase", "sep"})

_KNOWN: dict[str, frozenset[str] | None] = {
    **dict.fromkeys(("abc", "array", "binascii", "bisect", "cmath", "collections", "collections.abc", "copy")),
    **dict.fromkeys(("dataclasses", "endsight.errors", "endsight.base.faults", "endsight.game", "enum", "fractions")),
    **dict.fromkeys(("functools", "heapq", "itertools", "math", "numbers", "operator", "re", "string", "struct")),
    **dict.fromkeys(("textwrap", "typing", "typing_extensions", "unicodedata", "zlib")),
    "ast": frozenset({"literal_eval"}),
    "builtins": frozenset(
        {"abs", "all", "any", "ascii", "bin", "callable", "chr", "delattr", "dir", "divmod", "format", "getattr"}
        | {"globals", "hasattr", "hex", "isinstance", "issubclass", "iter", "len", "locals", "max", "min", "next"}
        | {"oct", "ord", "pow", "print", "repr", "round", "setattr", "sorted", "sum", "vars", "__build_class__"}
    ),
    "contextlib": frozenset({"contextmanager", "nullcontext", "suppress", "_GeneratorContextManager"}),
    "endsight": frozenset({"CHANCE"}),
    "genericpath": frozenset({"commonprefix"}),
    "hashlib": frozenset(
        {"md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s"}
        | {f"openssl_{name}" for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")}
    ),
    "json": frozenset({"dumps", "loads", "JSONDecodeError"}),
    "ntpath": _PATHS,
    "numpy": frozenset(
        {"abs", "all", "any", "arange", "argmax", "argmin", "argsort", "array", "array_equal", "asarray", "bincount"}
        | {"bool", "bool_", "concatenate", "cumsum", "diff", "dot", "dtype", "eye", "flatnonzero", "full", "int16"}
        | {"int32", "int64", "int8", "integer", "max", "mean", "min", "ndarray", "nonzero", "ones", "prod", "rot90"}
        | {"roll", "sort", "stack", "sum", "transpose", "uint16", "uint32", "uint64", "uint8", "ufunc", "unique"}
        | {"where", "zeros", "zeros_like", "fliplr", "flipud", "flip", "count_nonzero", "array2string"}
    ),
    "os": frozenset({"path", "PathLike", "fspath"}),
    "pathlib": frozenset({"PurePath", "PurePosixPath"}),
    "posixpath": _PATHS,
    "queue": frozenset({"Queue", "PriorityQueue", "LifoQueue", "SimpleQueue", "Empty"}),
    "reprlib": frozenset({"recursive_repr"}),
    "sys": frozenset({"maxsize", "intern"}),
    "types": frozenset(
        {"SimpleNamespace", "MappingProxyType", "GenericAlias", "UnionType", "NoneType", "EllipsisType"}
    ),
}
"""Modules with the names of their known functions, classes and data; None for all."""
_ELSEWHERE = {"_io": "io", "_collections_abc": "collections.abc", "_hashlib": "hashlib", "_pydecimal": "decimal"}
"""Modules whose public module is not their own name without the underscore."""

_OF_DATA: tuple[Any, ...] = (int, float, complex, str, bytes, bytearray, tuple, list, dict, set, range, slice, property)
_OF_PLACES = frozenset({"__hash__", "__sizeof__", "__module__", "__getstate__", "__firstlineno__"})
_ATTRIBUTES = frozenset(name for kind in (*_OF_DATA, type, BaseException) for name in dir(kind)) - _OF_PLACES | {
    *("__call__", "__class__", "__dict__", "__name__", "__qualname__", "__globals__", "__closure__"),
    *("__defaults__", "__kwdefaults__", "__wrapped__", "__func__", "__self__", "__slots__", "__match_args__"),
    *("__members__", "__dataclass_fields__", "__dataclass_params__", "__origin__", "__args__"),
    *("__annotations__", "__post_init__", "__enter__", "__exit__", "__missing__", "__getattr__", "__set__"),
    *("__set_name__", "__class_getitem__", "__copy__", "__deepcopy__", "__replace__", "__bool__", "__index__"),
    *("__fspath__", "__subclasses__", "__mro__", "__bases__", "__matmul__", "__rmatmul__", "__imatmul__"),
    *("__ifloordiv__", "__imod__", "__ipow__", "__ilshift__", "__irshift__", "__itruediv__", "__prepare__"),
    *("__orig_bases__", "__type_params__", "__length_hint__", "__complex__", "__bytes__"),
}
"""Names with double underscores that lead only to content of the key."""
_INSIDE = frozenset(
    name
    for kind in (CodeType, FrameType, TracebackType, GeneratorType, CoroutineType)
    for name in dir(kind)
    if re.match(r"(co|f|tb|gi|cr)_", name)
)
"""Attributes of running code, such as line numbers."""
_WORD = re.compile(r"\w+")


def is_known(module: str, name: str) -> bool:
    """Whether that name of a module depends only on its arguments; names inside it count the same."""
    top = name.partition(".")[0]
    if module == "builtins":
        thing = getattr(builtins, top, None)
        return isinstance(thing, type) or not callable(thing) or top in (_KNOWN["builtins"] or ())
    for place in (module, _ELSEWHERE.get(module, module.removeprefix("_")), *_packages(module)):
        if place in _KNOWN:
            known = _KNOWN[place]
            return known is None or top in known
    return False


def _packages(module: str) -> list[str]:
    """The packages around a module whose submodules all count as one."""
    top = module.partition(".")[0].removeprefix("_")
    return [top] if top in ("re", "json", "numpy", "collections") else []


def is_known_attribute(name: str) -> bool:
    """Whether an attribute of that name, of any object, is covered by the key."""
    if name.startswith("__") and name.endswith("__"):
        return name in _ATTRIBUTES
    return name not in _INSIDE


def attribute_words(text: str) -> set[str]:
    """Words of a text that can only be names of attributes: with double underscores, or of running code."""
    if "_" not in text:
        return set()
    return {word for word in _WORD.findall(text) if word in _INSIDE or (word.startswith("__") and word.endswith("__"))}
