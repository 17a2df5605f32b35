"""Names of `mindspore.run_check` that mycel has for import only."""

NAMES = """\
[mindspore.run_check]
function check_version_and_env_config run_check
"""
