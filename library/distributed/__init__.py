"""Names for several processes and devices, of which there is one."""
