"""From a name on the command line to a class, its parameters and its files; `specification` joins them."""
