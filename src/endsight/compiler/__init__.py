"""Rules run at the speed of C: translated, packed into machine words, compiled once, cached by content.

The way through the package: `translator` turns a rules class into functions of whole numbers, `packing` lays its states
out in machine words, `kernels` are the loops that do the work, `lowering` turns all of that into instructions, `native`
makes object code of them or finds it in the cache, `comparing` compares the first few thousand states with the plain
engine, and `engine` drives it all. llvmlite is imported here and nowhere else.
"""
