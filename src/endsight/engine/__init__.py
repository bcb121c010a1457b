"""Compiled rules at work: positions are counted, explored, solved layer by layer and searched at the speed of C.

`kernels` are the loops that do the work; `entry` says which of them answers a question, and `choice` when it is worth
its while.
"""
