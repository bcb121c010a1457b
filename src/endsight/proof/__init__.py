"""The parts of making a certificate: what a solution knows, which moves a play takes, and in which units."""
