"""Literals, patterns and rule sets: evaluate, print, read, keep, explain."""
