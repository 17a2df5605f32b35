"""Machine code: instructions, executable memory, and matrix products."""
