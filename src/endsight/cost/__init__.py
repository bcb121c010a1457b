"""What answers cost: how many positions there are, what solving takes, and how it grows."""
