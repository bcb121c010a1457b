"""Games of other projects as rules: each module reads one format."""
