"""Learn Or's of And's classifiers by mixed-integer programming, with a proof of how good they are."""
