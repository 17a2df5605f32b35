# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.distributed.comm_func import P2POp as P2POp
from mycel.library.distributed.communication import get_process_group_ranks as get_process_group_ranks
from mycel.library.distributed.process_groups import (
    all_gather_object as all_gather_object, batch_isend_irecv as batch_isend_irecv,
    broadcast_object_list as broadcast_object_list, destroy_process_group as destroy_process_group,
    gather_object as gather_object, get_backend as get_backend, get_global_rank as get_global_rank,
    get_group_rank as get_group_rank, get_rank as get_rank, get_world_size as get_world_size,
    init_process_group as init_process_group, irecv as irecv, is_available as is_available,
    is_initialized as is_initialized, isend as isend, new_group as new_group, recv as recv,
    recv_object_list as recv_object_list, scatter_object_list as scatter_object_list, send as send,
    send_object_list as send_object_list, set_comm_ops_inplace as set_comm_ops_inplace,
)
from mycel.library.distributed.tensor_collectives import *
from typing import Any
def __getattr__(name: str) -> Any: ...
