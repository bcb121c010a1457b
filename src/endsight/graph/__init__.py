"""Games as graphs: what a question makes of a game, all its positions, and what is known of each."""
