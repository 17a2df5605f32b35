"""Control flow: the functions that converted code calls; branches and loops on traced tensors become nodes."""
