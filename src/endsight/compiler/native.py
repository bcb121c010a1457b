"""From the text of a kernel to a function that can be called: compiled once, then read from a file.

The object code is kept under a hash of everything it depends on: the text that is
compiled (rules with their constants written in, helpers, packing, kernel), the
operations in `primitives`, the versions of this package, of Python, numba and llvmlite,
and the processor. So an edit anywhere is a new key, and no time stamp is ever looked at.
A later process loads the object with llvmlite alone; numba is not imported.
"""

from __future__ import annotations

import ast
import ctypes
import gc
import hashlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from endsight.compiler import way
from endsight.compiler.cache import cache_directory, write
from endsight.compiler.kernels import template, text_of
from endsight.compiler.memory import address_of
from endsight.compiler.refusal import CannotCompile

__all__ = ["Kernel", "Program", "is_kept", "is_trusted", "load", "load_apart", "recalled", "remember", "trust"]

# Part of every key: raise it when the making of object code itself changes.
_RECIPE = 3
# What object code may ask of the process: plain memory functions of the C library.
_ALLOWED = {"memset", "memcpy", "memmove", "bzero", "__bzero"}
_POINTERS = {"p_": "int64", "h_": "int32", "b_": "int8", "d_": "float64"}


@dataclass(frozen=True)
class Program:
    """Everything one kernel consists of.

    functions  translated rules: name -> (definition, file its lines count in)
    glue       text of what ties rules to keys, the same for all kernels of a game
    constants  text of the kernel's own constants
    template   name of the kernel's file; the parameters of its `entry` are words, or pointers
               to words (`p_`), to 32-bit (`h_`) or 8-bit numbers (`b_`), or to doubles (`d_`)
    fields     of the state
    """

    functions: dict[str, tuple[ast.FunctionDef, str]]
    glue: str
    constants: str
    template: str
    fields: tuple[str, ...]

    @cached_property
    def parameters(self) -> list[str]:
        """Names of the kernel's parameters."""
        found = re.search(r"^def entry\(([^)]*)\)", text_of(self.template), re.MULTILINE)
        assert found is not None
        return [name.strip() for name in found[1].split(",")]

    @cached_property
    def rules_text(self) -> str:
        """The part that all kernels of a game share, as text."""
        functions = [ast.unparse(definition) for definition, _ in self.functions.values()]
        return "\n\n".join([repr(self.fields), self.glue, *functions])

    @cached_property
    def text(self) -> str:
        """All that is compiled, as text; pasting the rules into the kernel is left for when it is."""
        return "\n\n".join([self.rules_text, self.constants, text_of(self.template)])


class Kernel:
    """A compiled kernel; call it with numbers, memory and numpy arrays in the order of its parameters."""

    def __init__(self, key: str, address: int, parameters: list[str], keep: Any) -> None:
        self.key = key
        self.keep = keep  # the code is freed with the engine that holds it
        kinds = [ctypes.c_void_p if name[:2] in _POINTERS else ctypes.c_int64 for name in parameters]
        self._function = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)

    def __call__(self, *arguments: Any) -> int:
        """Run it; other Python threads go on meanwhile."""
        result: int = self._function(*map(_plain_argument, arguments))
        return result


def _plain_argument(argument: Any) -> Any:
    """A number, or where an array or piece of memory lies."""
    if isinstance(argument, memoryview):
        return address_of(argument)
    return argument.ctypes.data if hasattr(argument, "ctypes") else argument


def is_trusted(program: Program) -> bool:
    """Whether this program has been compared with the plain engine before."""
    return _checked_file(_key(program.text)).exists()


def trust(program: Program) -> None:
    """Remember, beside the object code, that both engines agreed."""
    with suppress(OSError):
        write(_checked_file(_key(program.text)), b"both engines agreed\n")


def recalled(program: Program, about: str) -> dict[str, Any] | None:
    """What an earlier run left by `remember`; None for nothing."""
    try:
        found = json.loads(_note_file(program, about).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def remember(program: Program, about: str, note: dict[str, Any]) -> None:
    """Leave a note to later runs about what `about` names, for as long as the program stays the same."""
    with suppress(OSError):
        write(_note_file(program, about), json.dumps(note).encode())


def is_kept(program: Program) -> bool:
    """Whether there is object code of the program."""
    return _object_file(_key(program.text)).exists()


def load(program: Program) -> Kernel:
    """The kernel of a program, from the cache or newly compiled; raises `CannotCompile`."""
    key = _key(program.text)
    known = _loaded.get(key)
    if known is None:
        known = _loaded[key] = _load(key, program)
    return known


def load_apart(program: Program) -> Kernel:
    """Another copy of the kernel with variables of its own, such as its last fault: for one more thread."""
    return _load(_key(program.text), program)


_loaded: dict[str, Kernel] = {}


def _load(key: str, program: Program) -> Kernel:
    stored = _read(key)
    if stored is None:
        return _compile(key, program)
    header, code = stored
    try:
        return Kernel(key, *_link(header["name"], code, program.parameters))
    except (OSError, RuntimeError):
        return _compile(key, program)


# -------------------------------------------------------------------- keys and files


def _key(text: str) -> str:
    return hashlib.sha256("\0".join([text, *_surroundings()]).encode()).hexdigest()[:40]


@lru_cache(maxsize=1)
def _surroundings() -> tuple[str, ...]:
    """What else the object code depends on."""
    import llvmlite
    import llvmlite.binding as llvm

    import endsight

    return (
        str(_RECIPE),
        sys.version,
        f"endsight {endsight.__version__}",
        f"llvmlite {llvmlite.__version__}",
        f"numba {_numba_version()}",
        *(file.read_text(encoding="utf-8") for file in _operations(Path(__file__).parent)),
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        _features(llvm),
    )


def _operations(here: Path) -> list[Path]:
    """The files whose functions are compiled into every kernel."""
    return [*sorted((here / "primitives").glob("*.py")), here / "lean.py", here / "kernels" / "__init__.py"]


def _numba_version() -> str:
    """What says which numba is installed; numba itself is not imported, nor what reads the data of packages."""
    found = find_spec("numba")
    if found is not None and found.origin is not None:
        with suppress(OSError):
            return Path(found.origin).with_name("_version.py").read_text(encoding="utf-8")
    from importlib.metadata import version

    return version("numba")


def _features(llvm: Any) -> str:
    try:
        features: str = llvm.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return features


def _object_file(key: str) -> Path:
    return cache_directory() / f"{key}.object"


def _checked_file(key: str) -> Path:
    return cache_directory() / f"{key}.checked"


def _note_file(program: Program, about: str) -> Path:
    return cache_directory() / f"{_key('|'.join([about, program.text]))}.note"


def _read(key: str) -> tuple[dict[str, Any], bytes] | None:
    """Header and code of a stored object; None for none, or for one that is damaged."""
    try:
        content = _object_file(key).read_bytes()
        line, code = content.split(b"\n", 1)
        header: dict[str, Any] = json.loads(line)
    except (OSError, ValueError):
        return None
    return (header, code) if header.get("sha256") == hashlib.sha256(code).hexdigest() else None


def _store(key: str, name: str, code: bytes) -> None:
    header = {"name": name, "sha256": hashlib.sha256(code).hexdigest()}
    # Without a cache everything works, only slower.
    with suppress(OSError):
        write(_object_file(key), json.dumps(header).encode() + b"\n" + code)


# -------------------------------------------------------------------- compiling


def _machine(llvm: Any) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(llvm), opt=3, jit=True)


def _compile(key: str, program: Program) -> Kernel:
    try:
        import numba
    except ImportError as error:
        raise CannotCompile(f"numba cannot be imported ({error})") from error
    if not way.is_long:
        try:
            kernel = _compile_once(key, program)
        except (CannotCompile, MemoryError):
            raise
        except Exception:  # parts of numba that differ in its other versions
            kernel = None
        if kernel is not None:
            return kernel
        _shared.clear()
        way.take_the_long_way()
    kernel = _compile_once(key, program)
    if kernel is None:
        raise CannotCompile(f"numba {numba.__version__} makes no machine code of the rules here")
    return kernel


def _compile_once(key: str, program: Program) -> Kernel | None:
    """The kernel by the way that is taken now; None where it leads to no machine code."""
    compiled = _typed(program)
    name, code = _object_code(compiled)
    if code is not None:
        try:
            kernel = Kernel(key, *_link(name, code, program.parameters))
        except (OSError, RuntimeError):
            pass
        else:
            _store(key, name, code)
            return kernel
    address: int = compiled.address
    return Kernel(key, address, program.parameters, compiled) if address else None


def _typed(program: Program) -> Any:
    """A numba C function of the kernel."""
    import numba

    try:
        with _without_collection():
            namespace = _namespace(program)
            declare = numba.cfunc(_signature(program.parameters), error_model="numpy", **way.options())
            return declare(namespace["entry"])
    except numba.core.errors.NumbaError as error:
        raise _blame(program, error) from error


@contextmanager
def _without_collection() -> Iterator[None]:
    """Compiling makes a million small objects that live; looking through them for garbage costs a quarter."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _namespace(program: Program) -> dict[str, Any]:
    """The module in which everything is defined; functions of the rules keep their file and lines."""
    if program.rules_text not in _shared:
        _shared.clear()  # one game at a time is enough
        _shared[program.rules_text] = _rules_namespace(program)
    space = dict(_shared[program.rules_text])
    moves = program.functions.get("rule_moves")
    helpers, entry = template(program.template, None if moves is None else moves[0])
    _define_text(f"{program.constants}\n{helpers}", space)
    _define(entry, "<endsight kernel>", space)
    return space


# Functions that are compiled already, for the next kernel of the same rules.
_shared: dict[str, dict[str, Any]] = {}


def _rules_namespace(program: Program) -> dict[str, Any]:
    """The rules and the glue, shared by all kernels."""
    from collections import namedtuple

    from endsight.compiler import primitives

    space: dict[str, Any] = {"__name__": "endsight_rules"}
    space |= primitives.names()
    space["State"] = namedtuple("State", program.fields)
    _define_text(program.glue, space)
    for definition, file in program.functions.values():
        _define(definition, file, space)
        space[definition.name] = primitives.inner(space[definition.name])
    return space


def _define_text(text: str, space: dict[str, Any]) -> None:
    """Constants and functions of our own; the functions compiled."""
    from endsight.compiler import primitives

    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            _define(_without_types(node), "<endsight>", space)
            space[node.name] = primitives.inner(space[node.name])
        elif not isinstance(node, ast.ImportFrom):  # what a text uses stands before it
            exec(compile(ast.Module([node], []), "<endsight>", "exec"), space)


def _without_types(function: ast.FunctionDef) -> ast.FunctionDef:
    """The function as it is compiled: types are in the parameters' names."""
    function.returns = None
    for argument in function.args.args:
        argument.annotation = None
    return function


def _define(definition: ast.FunctionDef, file: str, space: dict[str, Any]) -> None:
    exec(compile(ast.fix_missing_locations(ast.Module([definition], [])), file, "exec"), space)


def _signature(parameters: list[str]) -> Any:
    from numba import types

    kinds = [
        types.CPointer(getattr(types, _POINTERS[name[:2]])) if name[:2] in _POINTERS else types.int64
        for name in parameters
    ]
    return types.int64(*kinds)


def _object_code(compiled: Any) -> tuple[str, bytes | None]:
    """Optimised object code of a numba C function that needs nothing of numba any more.

    All but the entry is made private, so that the optimiser sees the whole program and
    drops numba's error paths; what is still undefined then would be Python itself.
    """
    import llvmlite.binding as llvm

    name: str = compiled.native_name
    try:
        module = llvm.parse_assembly(compiled.inspect_llvm())
        for function in module.functions:
            if not function.is_declaration and function.name != name:
                function.linkage = "internal"
        for variable in module.global_variables:
            if not variable.is_declaration:
                variable.linkage = "internal"
        machine = _machine(llvm)
        _optimise(llvm, module, machine)
        if _missing(module):
            _optimise(llvm, module, machine)  # what has been inlined by now shows more error paths to be dead
    except RuntimeError:
        return name, None
    missing = _missing(module)
    if missing:
        raise CannotCompile(f"compiled rules would need Python itself ({', '.join(sorted(missing)[:3])})")
    return name, machine.emit_object(module)


def _optimise(llvm: Any, module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    # Loops here gather from places that were written a moment ago: as vectors they would wait for that.
    options.loop_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _missing(module: Any) -> list[str]:
    """What object code would ask of the process beyond the C library."""
    return [
        item.name
        for item in [*module.functions, *module.global_variables]
        if item.is_declaration and not item.name.startswith("llvm.") and item.name not in _ALLOWED
    ]


def _link(name: str, code: bytes, parameters: list[str]) -> tuple[int, list[str], Any]:
    """Address of the function `name` in object code, and the engine that holds it."""
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(llvm))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise RuntimeError(f"{name} is not in the object code")
    return address, parameters, engine


# -------------------------------------------------------------------- errors


def _blame(program: Program, error: Any) -> CannotCompile:
    """What numba could not type, with the line of the rules where that is."""
    files = {file for _, file in program.functions.values()}
    place = _place(error, files)
    lines = [line.strip() for line in str(getattr(error, "msg", error)).splitlines() if line.strip()]
    reason = next((line for line in lines if "Cannot unify" in line or "unify" in line), None)
    reason = reason or next((line for line in lines if line.startswith(("No implementation", "Invalid use"))), lines[0])
    return CannotCompile(f"numba: {_plain(reason)}", *place)


def _place(error: Any, files: set[str]) -> tuple[str | None, int | None]:
    """File and line of the innermost place in the rules that an error of numba names."""
    places = re.findall(r'File "([^"]+)", line (\d+)', str(error))
    for file, line in reversed(places):
        for own in files:
            if own == file or own.endswith(file.lstrip("./")) or Path(own).name == Path(file).name:
                return own, int(line)
    return None, None


def _plain(reason: str) -> str:
    """A message of numba without terminal colours, shortened."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", reason)
    return text if len(text) <= 160 else text[:159] + "…"
