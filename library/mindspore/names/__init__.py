"""The names of MindSpore 2.10 that mycel has no meaning for, listed by MindSpore's modules: they import, and say so
when they are used."""
