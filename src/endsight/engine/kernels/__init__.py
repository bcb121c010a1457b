"""The loops that do the work, one algorithm a module; what all of them share is in `endsight.compiler.kernels`."""
