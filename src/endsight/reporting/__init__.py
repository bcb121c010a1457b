"""The designer's report: what a solved game is like for the people who play it."""
