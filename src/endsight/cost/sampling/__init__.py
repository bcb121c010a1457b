"""Small samples of large games: layers of positions, and how many there are by their trend."""
