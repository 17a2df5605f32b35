"""Reports of runs: profiles and summaries."""
