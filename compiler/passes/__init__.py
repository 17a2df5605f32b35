"""The passes: functions from a graph to a graph with the same meaning. `compiler/pipeline.py` has their order."""
