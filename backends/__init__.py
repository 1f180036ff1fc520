"""Solver adapters, reached only through `ooa.registry`."""
