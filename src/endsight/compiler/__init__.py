"""Rules run at the speed of C: translated, packed into machine words, compiled once, cached by content.

The way through the package: `translator` turns a rules class into functions of whole numbers, `packing` lays its states
out in machine words, `kernels` tell the loops of `endsight.engine` what they may use, `lowering` turns all of that into
instructions, `native` makes object code of them or finds it in the cache, and `driver` runs it. llvmlite is imported
here and nowhere else.
"""
