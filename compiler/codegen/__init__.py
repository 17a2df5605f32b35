"""Code generation: a graph and its memory plan become Python source."""
