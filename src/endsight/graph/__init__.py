"""Games as graphs: a game under a question, all its positions, and what is known of each."""
