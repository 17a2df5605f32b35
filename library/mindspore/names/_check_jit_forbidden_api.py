"""Names of `mindspore._check_jit_forbidden_api` that mycel has for import only."""

NAMES = """\
[mindspore._check_jit_forbidden_api]
function add_jit_forbidden_method add_jit_forbidden_module get_jit_forbidden_method get_jit_forbidden_module
    get_obj_module_and_name_info is_invalid_or_jit_forbidden_method is_jit_forbidden_module jit_forbidden_register
    mark_deprecated remove_jit_forbidden_method remove_jit_forbidden_module
"""
