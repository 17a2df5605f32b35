"""Compilation: functions compiled once for each signature, their entries, stages and profiles."""
