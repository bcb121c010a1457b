"""From the syntax of rules and kernels to text for LLVM.

Translated rules and kernels are a small language: whole numbers, doubles, tuples of fixed
shape, memory. What it lacks (objects, exceptions, types that change) is what makes
compilers of Python slow; so these modules write the instructions themselves, in one pass
over the syntax, and leave all optimising to LLVM.

`kinds`: what values are. `operations`: what is called by name. `emitter`, `expressions`,
`names`, `frames`: the instructions of one function. `unit`: functions that call one another.
"""
