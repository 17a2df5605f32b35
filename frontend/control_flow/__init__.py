"""Control flow: what converted code calls, and how branches and loops on traced tensors become nodes."""
