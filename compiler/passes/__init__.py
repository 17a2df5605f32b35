"""The passes: each a function from a graph to a graph with the same meaning. `compiler/pipeline.py` holds their order."""
