"""Games of other projects as rules: each module reads one of their forms."""
