"""Solves that outgrow memory: layer after layer, in tasks that read and write sorted files.

A *layer* holds all states that play reaches in the same number of moves. Forwards, each layer is
cut into *parts*; a task expands one part and writes the children sorted, one file for each part of
the next layer (`expand`), and another joins the files that are for one part (`merge`). Backwards, a
task answers the questions about its part (`reply`), in their order, and another takes the best
answers (`gather`). Only names of files and counts travel between tasks, so the same four functions
run in one thread, in several, and on a cluster. After the external-memory searches of Korf
("Best-first frontier search with delayed duplicate detection", 2004) and the tiered solves of
GamesCrafters.
"""
