"""Names of `mindspore.safeguard` that mycel has for import only."""

NAMES = """\
[mindspore.safeguard]
function load_obf_params_into_net obfuscate_ckpt
"""
