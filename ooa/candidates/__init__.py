"""From literals to mined patterns to screened candidates."""
