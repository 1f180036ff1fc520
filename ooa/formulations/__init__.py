"""Concrete formulations: how a rule set is written as a mixed-integer program."""
