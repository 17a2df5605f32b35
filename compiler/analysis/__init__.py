"""Analyses: costs of nodes, nodes that only update Parameters, detection of nan and inf."""
