"""Transformations of graphs: recording, differentiation, vectorization, loop-invariant code motion."""
