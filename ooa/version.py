"""The version of the library, for files and certificates that name it."""

__version__ = "0.1.0"
