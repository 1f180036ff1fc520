"""Trees and forests as rule sets that predict the same (Theorems 5 and 6)."""
