"""From the syntax of rules and kernels to text for LLVM.

Translated rules and kernels are a small language: whole numbers, doubles, tuples of fixed shape, memory. It lacks what
makes compilers of Python slow (objects, exceptions, types that change); so these modules write the instructions
themselves, in one pass over the syntax, and leave all optimising to LLVM.

`kinds`: the kinds of values. `operations`: what is called by name. `emitter`, `expressions`, `names`, `frames`: the
instructions of one function. `unit`: functions that call one another.
"""
