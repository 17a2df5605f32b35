"""The front end: it turns a Python function into a graph, and runs the program that the compiler makes of it."""
