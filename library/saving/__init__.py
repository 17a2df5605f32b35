"""Files: checkpoints, exported networks, and the formats and checks under them."""
