"""Theorem 4, capacity and generalisation; what the bounds say of a table."""
