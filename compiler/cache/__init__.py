"""Caches: compiled programs on disk, structural hashes, and measurements of this machine."""
