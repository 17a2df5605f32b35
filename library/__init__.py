"""The library: MindSpore's API on top of the system: functions, layers, optimizers, training, data and files."""
