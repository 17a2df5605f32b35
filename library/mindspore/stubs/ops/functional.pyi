# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.ops import *
from typing import Any
from mycel.library.functions.containers import (
    bool_and as bool_and, bool_or as bool_or, in_dict as in_dict,
    is_sequence_value_unknown as is_sequence_value_unknown, isconstant as isconstant, list_setitem as list_setitem,
    make_dict as make_dict, make_list as make_list, make_tuple as make_tuple, not_in_dict as not_in_dict,
    tuple_reversed as tuple_reversed, tuple_setitem as tuple_setitem,
)

bit_and: Any
bit_or: Any
bool_eq: Any
bool_not: Any
dict_getitem: Any
is_: Any
is_not: Any
list_equal: Any
list_getitem: Any
list_len: Any
scalar_add: Any
scalar_div: Any
scalar_eq: Any
scalar_floordiv: Any
scalar_ge: Any
scalar_gt: Any
scalar_le: Any
scalar_lt: Any
scalar_mod: Any
scalar_mul: Any
scalar_ne: Any
scalar_pow: Any
scalar_sub: Any
scalar_uadd: Any
scalar_usub: Any
sequence_len: Any
shape_mul: Any
string_concat: Any
string_eq: Any
tuple_equal: Any
tuple_getitem: Any

class make_slice:
    """slice(stop) slice(start, stop[, step])"""
    indices: Any
    start: Any
    stop: Any
    step: Any
