"""Small samples of large games: layers of positions, and their number by its trend."""
