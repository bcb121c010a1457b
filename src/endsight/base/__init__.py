"""What everything else rests on and what knows nothing of games: memory, clocks, signals, streams, files."""
