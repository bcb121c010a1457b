"""The parts of a certificate's making: what a solution knows, which moves a play takes, and in which units."""
