"""Everything that is compiled, and the only room that knows how."""
