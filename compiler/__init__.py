"""The compiler: from a graph to Python source."""
