"""From frames to columns to a table, and its distinct weighted rows."""
