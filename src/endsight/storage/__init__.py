"""Solutions on disk: written to last, and verified when read."""
