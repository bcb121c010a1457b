"""Our games for other projects: each module writes one of their forms."""
