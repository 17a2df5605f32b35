"""Names of `mindspore.default_config` that mycel has for import only."""

NAMES = """\
[mindspore.default_config]
"""
