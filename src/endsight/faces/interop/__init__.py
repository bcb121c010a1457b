"""Our games for other projects: each module supports one of their forms."""
