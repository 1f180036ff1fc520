"""What the tests share: brute force, strategies, fakes, tiny tables."""
