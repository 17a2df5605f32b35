"""What a run leaves to be looked at: profiles and summaries."""
