"""Errors: their classes, whose code a frame is, tracebacks, and suggestions for misspelled names."""
