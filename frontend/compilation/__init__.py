"""Compilation: a function is compiled once for each signature; its entries, stages and profiles."""
