"""From a graph to Python source, in processing order."""
