"""Rules run at the speed of C: translated, packed into machine words, compiled once, cached by content.

The way through the package: `translator` turns a rules class into functions that numba
understands, `packing` lays its states out in machine words, `kernels` pastes both into
the loops that do the work, `native` makes object code of the text or finds it in the
cache, `trust` compares the first few thousand states with the plain engine, and `engine`
drives it all. numba and llvmlite are imported here and nowhere else, numba only where
nothing is cached yet.
"""
