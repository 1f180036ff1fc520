"""One fit: OOAx, OOA, and the certificate of what they found."""
