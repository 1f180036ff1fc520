"""Solver adapters, reached only through `ooa.solving.registry`."""
