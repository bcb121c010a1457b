"""numba without the steps that object code of our own does not need.

numba makes machine code of every function by itself, optimised by itself, and then once
more of the whole; here only the whole is wanted, and `native` optimises it. So these
classes stop after the text of the functions has been joined, and leave out the rewriting
passes that translated rules have no use for. That saves a third of the time to compile a
game. Imported only while something is compiled (needs numba); built on parts of numba
that other versions may not have, so `native` takes numba as it is where these fail.
"""

from __future__ import annotations

from typing import Any

from numba.core import untyped_passes as untyped
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)

__all__ = ["LeanCompiler"]


class _Text(CPUCodeLibrary):  # type: ignore[misc]
    """Functions as text for LLVM, joined but neither optimised nor made machine code."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Left to `native`."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0: there is no machine code, but the text is whole now."""
        self._ensure_finalized()
        return 0


@register_pass(mutates_CFG=True, analysis_only=False)
class _LeanLowering(NativeLowering):  # type: ignore[misc]
    """To the text for LLVM, and no further."""

    _name = "lean_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower one function; others call it by the text in its library."""
        state.library = _Text(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # Callers find the function by this object, where machine code would be; numba's
        # dispatcher takes nothing but a built-in method, each of which belongs to one list.
        state.cr = state.cr._replace(cfunc=[].append)
        state.targetctx.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


class LeanCompiler(CompilerBase):  # type: ignore[misc]
    """numba's way from bytecode to text for LLVM, by the shortest road."""

    def define_pipelines(self) -> list[Any]:
        """The passes, one pipeline."""
        passes = PassManager("lean")
        passes.add_pass(untyped.TranslateByteCode, "bytecode")
        passes.add_pass(untyped.FixupArgs, "arguments")
        passes.add_pass(untyped.IRProcessing, "blocks")
        if not self.state.flags.no_rewrites:
            passes.add_pass(untyped.RewriteSemanticConstants, "constants")
            passes.add_pass(untyped.DeadBranchPrune, "branches never taken")
        passes.add_pass(untyped.ReconstructSSA, "single assignment")
        passes.add_pass(NopythonTypeInference, "types")
        passes.add_pass(PreLowerStripPhis, "joins")
        passes.add_pass(IRLegalization, "legal")
        passes.add_pass(_LeanLowering, "text for LLVM")
        passes.add_pass(NoPythonBackend, "result")
        passes.finalize()
        return [passes]
