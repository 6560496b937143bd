"""The package's version, written into every export."""

__version__ = "0.1.0"
