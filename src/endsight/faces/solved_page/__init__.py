"""One HTML file with a solved game: it plays, and shows every value, without a server and without a network."""
