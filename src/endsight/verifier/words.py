"""Words of certificates for what the values that they claim mean."""

SECURED = "secured"
"""The notion of values that each of two players can secure, whatever the other does."""
FIRST_BEST = "backward induction, each player taking the first of their best moves"
"""The notion of values that depend on how ties are broken."""
SIGHT = "every player sees what `sees` gives"
"""The notion's extra text where the rules have `sees`, after `; ` where the notion has other text too."""
