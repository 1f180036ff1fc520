"""Several answers: the path of prices, and sets of near-optimal rule sets."""
