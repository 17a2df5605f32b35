"""What users touch, and the way from Python to a graph."""
