"""Names of `mindspore.version` that mycel has for import only."""

NAMES = """\
[mindspore.version]
"""
