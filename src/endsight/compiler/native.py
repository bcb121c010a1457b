"""From the text of a kernel to a callable function: compiled once, then read from a file.

The object code is kept under a hash of everything it depends on: the text that is compiled (rules with their constants
written in, helpers, packing, kernel), the modules in `lowering`, the versions of this package, of Python and of
llvmlite, and the processor. So an edit anywhere makes a new key, and no time stamp is ever checked. A later process
loads the object and imports nothing of `lowering`.

Facts *about* rules (that both engines agreed on them, how many states they have) are kept under the key of the game as
well: see `endsight.identity`. Rules without a key leave nothing behind, and find nothing.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
import platform
import re
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

from endsight.base.collector import collector_paused
from endsight.base.deferred import deferred
from endsight.base.shortened import shortened
from endsight.compiler.cache import is_kept, keep, kept
from endsight.compiler.kernels import Loop, entry_of, flat, text_of
from endsight.compiler.memory import address_of
from endsight.compiler.object_code import placed
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.syntax import parsed
from endsight.game.numbers import count_text
from endsight.identity import surroundings

with deferred(__name__):
    from endsight.compiler.lowering import operations
    from endsight.compiler.lowering import unit as units
    from endsight.compiler.lowering.unit import Builder, Definition

# Part of every key: raise it when the generation of object code itself changes.
_RECIPE = 8
# What object code may require of the process: plain memory functions of the C library.
_ALLOWED = {"memset", "memcpy", "memmove", "bzero", "__bzero"}
_POINTERS = ("p_", "h_", "b_", "d_")
MOST_LINES = 30_000
"""Longer texts for LLVM are refused, as nothing can stop it while it works: so many lines take it one to five seconds,
and 43,000 took it seven. 109 games written by hand have up to 6,800, boards of 110 cells 13,000."""
_LOOPS_SIDE_BY_SIDE = 32
"""With more loops than that LLVM does not look for what could be calculated side by side: with 44 that took 14 of 15
seconds, with 31 a quarter of half a second. 109 games written by hand have up to 17."""
_LOOP = re.compile(r'^"?(?:for|while)[.0-9]*"?:', re.MULTILINE)
"""Where a loop begins in a text for LLVM."""
DATA_NAME = "ES_DATA"
"""The constant of a program that holds the rules' data, if these are known."""
BOARDS_NAME = "ES_BOARDS"
"""The constant that describes the boards of states; see `Builder`."""


@dataclass(frozen=True)
class KernelText:
    """Everything one kernel consists of.

    functions  translated rules: name -> (definition, file its lines count in)
    glue       text that ties rules to keys, the same for all kernels of a game
    constants  text of the kernel's own constants
    kernel     text with a function `entry`, whose parameters are words, or pointers
               to words (`p_`), to 32-bit (`h_`) or 8-bit numbers (`b_`), or to doubles (`d_`)
    identity   the key of the game, empty without rules; None if a game has no key, so that nothing of it is kept
    """

    functions: dict[str, tuple[ast.FunctionDef, str]]
    glue: str
    constants: str
    kernel: str
    identity: str | None = ""

    @cached_property
    def parameters(self) -> list[str]:
        """Names of the kernel's parameters."""
        found = re.search(r"^def entry\(([^)]*)\)", self.kernel, re.MULTILINE)
        assert found is not None
        return [name.strip() for name in found[1].split(",")]

    @cached_property
    def rules_text(self) -> str:
        """The text that all kernels of a game share."""
        functions = [ast.unparse(definition) for definition, _ in self.functions.values()]
        return "\n\n".join([self.glue, *functions])

    @cached_property
    def text(self) -> str:
        """All that is compiled, as text; rules are pasted into the kernel only when it is compiled."""
        return "\n\n".join([self.rules_text, self.constants, self.kernel])


class Kernel:
    """A compiled kernel; call it with the numbers, memory, numpy arrays and records of these that it takes."""

    def __init__(self, key: str, address: int, parameters: list[str], keep: Any) -> None:
        self.key = key
        self.keep = keep  # the code is freed with the engine that holds it
        kinds = [ctypes.c_void_p if name.startswith(_POINTERS) else ctypes.c_int64 for name in parameters]
        self._function = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)

    def __call__(self, *arguments: Any) -> int:
        """Run the kernel; other Python threads run meanwhile."""
        result: int = self._function(*map(_plain_argument, flat(arguments)))
        return result


def _plain_argument(argument: Any) -> Any:
    """A number, or the address of an array or piece of memory."""
    if isinstance(argument, memoryview):
        return address_of(argument)
    return argument.ctypes.data if hasattr(argument, "ctypes") else argument


def is_trusted(program: KernelText) -> bool:
    """Whether this program has been compared with the plain engine before, for that very game."""
    known = program.identity is not None and kept("checked", _trust_key(program)) is not None
    return known and why_distrusted(program) is None


def trust(program: KernelText) -> None:
    """Remember, beside the object code, that both engines agreed."""
    if program.identity is not None:
        keep("checked", _trust_key(program), b"both engines agreed\n")


def distrust(program: KernelText, reason: str) -> None:
    """Remember that an answer of these rules was wrong: they are no longer compiled."""
    if program.identity is not None:
        keep("wrong", _trust_key(program), reason.encode())


def why_distrusted(program: KernelText) -> str | None:
    """What was wrong with an answer of these rules; None if nothing was."""
    found = None if program.identity is None else kept("wrong", _trust_key(program))
    return None if found is None else found.decode()


def is_compiled(program: KernelText) -> bool:
    """Whether there is object code of the program."""
    return is_kept("object", _code_key(program))


def load(program: KernelText) -> Kernel:
    """The kernel of a program, from the cache or newly compiled; raises `CannotCompile`."""
    key = _code_key(program)
    known = _loaded.get(key)
    if known is None:
        known = _loaded[key] = _load(key, program)
    return known


@cache
def load_loop(loop: Loop) -> Kernel:
    """A loop that needs only its own module; raises `CannotCompile`."""
    return load(KernelText({}, text_of(loop.__module__), "", entry_of(loop)))


def load_apart(program: KernelText) -> Kernel:
    """Another copy of the kernel with its own variables, such as its last fault: for one more thread."""
    return _load(_code_key(program), program)


_loaded: dict[str, Kernel] = {}


def _load(key: str, program: KernelText) -> Kernel:
    stored = kept("object", key) if program.identity is not None else None
    if stored is None:
        return _compile(key, program)
    name, _, code = stored.partition(b"\n")
    try:
        return Kernel(key, *_link(name.decode(), code, program.parameters))
    except (OSError, RuntimeError, UnicodeDecodeError):
        return _compile(key, program)


# -------------------------------------------------------------------- keys and files


def _code_key(program: KernelText) -> str:
    """The key of object code: the text holds all that it is made of, so games that share the text share the code."""
    return _key(program.text)


def _trust_key(program: KernelText) -> str:
    return _key(f"{program.identity}\0{program.text}")


def _key(text: str) -> str:
    return hashlib.sha256(f"{text}\0{_surroundings()}".encode()).hexdigest()[:40]


@cache
def _surroundings() -> str:
    """Everything else that the object code depends on, as one hash."""
    import llvmlite

    parts = (
        str(_RECIPE),
        sys.version,
        *surroundings().values(),
        f"llvmlite {llvmlite.__version__}",
        *(file.read_text(encoding="utf-8") for file in _lowering()),
        _processor(),
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


# What Linux says of a processor that may matter to LLVM; the lines of others change as it runs.
_PROCESSOR = re.compile(r"vendor_id|cpu family|model|stepping|flags|Features|CPU |isa|uarch")


def _processor() -> str:
    """The system and the processor: as Linux describes it, elsewhere as LLVM does, which takes a while to load."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            first = list(takewhile(str.strip, file))
    except OSError:
        first = []
    lines = [sys.platform, *filter(_PROCESSOR.match, first)]
    if len(lines) > 1:
        return "".join([platform.machine(), *lines])
    import llvmlite.binding as llvm

    return "\0".join([llvm.get_process_triple(), llvm.get_host_cpu_name(), _features(llvm)])


def _lowering() -> list[Path]:
    """The files that turn a kernel into text for LLVM."""
    files = sorted((Path(__file__).parent / "lowering").rglob("*.*"))
    return [Path(__file__), *(file for file in files if file.suffix in (".py", ".kernel"))]


def _features(llvm: Any) -> str:
    try:
        features: str = llvm.get_host_cpu_features().flatten()
    except RuntimeError:
        features = ""
    return features


# -------------------------------------------------------------------- compiling


def _machine(llvm: Any, level: int = 3) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(llvm), opt=level, jit=True)


def _compile(key: str, program: KernelText) -> Kernel:
    import llvmlite.binding as llvm

    machine = _machine(llvm)
    with collector_paused():
        unit = _unit(program, machine)
        text = unit.entry()
    _require_short(text)
    try:
        code = _object_code(llvm, text, machine, unit, has_rules=bool(program.functions))
        kernel = Kernel(key, *_link(units.ENTRY, code, program.parameters))
    except (OSError, RuntimeError) as error:
        raise CannotCompile(
            f"LLVM makes no machine code of the rules here ({shortened(' '.join(str(error).split()), 160)})"
        ) from error
    if program.identity is not None:
        keep("object", key, units.ENTRY.encode() + b"\n" + code)
    return kernel


def _require_short(text: str) -> None:
    """Raise `CannotCompile` for what would take LLVM too long."""
    lines = text.count("\n")
    if lines > MOST_LINES:
        raise CannotCompile(
            f"the rules become {count_text(lines, 'line')} of code for LLVM, and more than {MOST_LINES:,} take it too "
            "long: write what many places have in common as one loop, or as a function of its own"
        )


def _unit(program: KernelText, machine: Any) -> Builder:
    """Everything that the kernel consists of, as syntax."""
    if program.rules_text not in _shared:
        _shared.clear()  # one game at a time is enough
        _shared[program.rules_text] = _rules(program)
    definitions, constants = (dict(each) for each in _shared[program.rules_text])
    _define(f"{program.constants}\n{program.kernel}", definitions, constants)
    # The kernel is written into its entry, which spares LLVM the work of doing so.
    entry = definitions["entry"].syntax.body
    entry[-1:] = definitions[ast.unparse(entry[-1]).split("(")[0].removeprefix("return ")].syntax.body
    data, boards = constants.pop(DATA_NAME, ()), constants.pop(BOARDS_NAME, ({}, {}, 0))
    return Builder(definitions, constants, machine, data, boards)


# What all kernels of the same rules share, as syntax.
_shared: dict[str, tuple[dict[str, Definition], dict[str, Any]]] = {}


def _rules(program: KernelText) -> tuple[dict[str, Definition], dict[str, Any]]:
    """The rules, the glue, and operations composed of others."""
    definitions: dict[str, Definition] = {}
    constants: dict[str, Any] = {}
    _define(f"{operations.TEXT}\n{program.glue}", definitions, constants)
    for name, (definition, file) in program.functions.items():
        definitions[name] = Definition(definition, file)
    return definitions, constants


def _define(text: str, definitions: dict[str, Definition], constants: dict[str, Any]) -> None:
    """Add the constants and functions of a text of our own."""
    for node in parsed(text).body:
        if isinstance(node, ast.FunctionDef):
            definitions[node.name] = Definition(node, units.OURS)
        elif not isinstance(node, ast.ImportFrom | ast.ClassDef):  # what a text uses stands before it
            exec(compile(ast.Module([node], []), units.OURS, "exec"), constants)


def _object_code(llvm: Any, text: str, machine: Any, unit: Builder, *, has_rules: bool) -> bytes:
    """Optimised object code of a module that requires only memory functions of the process."""
    module = llvm.parse_assembly(text)
    module.verify()
    side_by_side = bool(unit.boards) and len(_LOOP.findall(text)) <= _LOOPS_SIDE_BY_SIDE
    module = _optimised(llvm, module, machine, unit, has_rules=has_rules, side_by_side=side_by_side)
    missing = _missing(module)
    if missing:
        raise CannotCompile(f"compiled rules would need more than themselves ({', '.join(sorted(missing)[:3])})")
    code: bytes = machine.emit_object(module)
    return code


_WRITE_OUT = (
    *("sroa", "simplify_cfg", "instruction_combine"),
    *("loop_rotate", "instruction_combine", "simplify_cfg", "loop_unroll"),
)
"""Passes that unroll loops that are marked, and those for which LLVM finds at most a few turns."""


def _optimised(llvm: Any, module: Any, machine: Any, unit: Builder, *, has_rules: bool, side_by_side: bool) -> Any:
    # Kernels without rules run as fast at the second level and with loops as they are; both together take
    # LLVM a third of the time.
    options = llvm.create_pipeline_tuning_options(speed_level=3 if has_rules else 2)
    options.loop_unrolling = has_rules
    # Loops here gather from places that were just written: as vectors they would wait for that. The items of a board
    # are often calculated alike, side by side.
    options.loop_vectorization, options.slp_vectorization = False, side_by_side
    builder = llvm.create_pass_builder(machine, options)
    if (unit.finds_in_loop or unit.loop_mark) and hasattr(llvm.ModulePassManager, "add_sroa_pass"):  # not in 0.44
        # LLVM itself does so late, when numbers that become known in each turn are no longer of use.
        first = llvm.create_new_module_pass_manager()
        for name in _WRITE_OUT:
            getattr(first, f"add_{name}_pass")()
        first.run(module, builder)
    if unit.loop_mark and unit.loop_mark in (text := str(module)):
        # LLVM would complain on stderr of what it could not write out.
        module = llvm.parse_assembly(text.replace(unit.loop_mark, "endsight.left"))
    builder.getModulePassManager().run(module, builder)
    return module


def _missing(module: Any) -> list[str]:
    """What object code would require of the process beyond the C library."""
    return [
        item.name
        for item in [*module.functions, *module.global_variables]
        if item.is_declaration and not item.name.startswith("llvm.") and item.name not in _ALLOWED
    ]


def _link(name: str, code: bytes, parameters: list[str]) -> tuple[int, list[str], Any]:
    """Address of the function `name` in object code, and the memory that holds it."""
    address, memory = placed(code, name) or _linked_by_llvm(name, code)
    return address, parameters, memory


def _linked_by_llvm(name: str, code: bytes) -> tuple[int, Any]:
    import llvmlite.binding as llvm

    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(llvm))
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise RuntimeError(f"{name} is not in the object code")
    return address, engine
