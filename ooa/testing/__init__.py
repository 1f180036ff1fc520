"""The conformance suite every backend must pass; authors of other adapters import it."""
