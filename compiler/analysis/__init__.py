"""Analyses: what nodes cost, and which of them only update parameters."""
