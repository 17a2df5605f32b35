"""The interface: `jit`, settings, and checks of arguments."""
