"""Engines that know no fit: local search, branch and bound, bounds by linear programs."""
