"""Tables bigger than memory: compressed where they live, by one GROUP BY over conditions, and solved here."""
