"""The cost of answers: the number of positions, the effort of solving, and its growth."""
