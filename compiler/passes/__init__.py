"""The passes: each makes of a graph one with the same meaning. `compiler/pipeline.py` holds their order."""
