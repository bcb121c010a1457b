"""The foundation of all other packages, independent of games: memory, clocks, signals, streams, files."""
