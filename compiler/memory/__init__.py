"""Memory: the order of nodes, lifetimes, offsets in the arena, and limits."""
