"""The front end: it turns a Python function into a graph, and runs the compiled program."""
