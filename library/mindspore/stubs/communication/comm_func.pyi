# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.distributed.collectives import CommHandle as CommHandle
from mycel.library.distributed.comm_func import (
    P2POp as P2POp, all_gather_into_tensor as all_gather_into_tensor, all_reduce as all_reduce,
    all_to_all_single_with_output_shape as all_to_all_single_with_output_shape,
    all_to_all_with_output_shape as all_to_all_with_output_shape, as_is as as_is, barrier as barrier,
    batch_isend_irecv as batch_isend_irecv, broadcast as broadcast, check_messages as check_messages,
    check_reduction as check_reduction, concat as concat, exchange_tensors as exchange_tensors,
    gather_into_tensor as gather_into_tensor, group_rank as group_rank, in_two_parts as in_two_parts,
    irecv as irecv, isend as isend, recv as recv, reduce as reduce, reduce_scatter_tensor as reduce_scatter_tensor,
    row_sizes as row_sizes, scatter_tensor as scatter_tensor, send as send, split_rows as split_rows,
)
from mycel.library.distributed.communication import (
    GlobalComm as GlobalComm, agree_on_buckets as agree_on_buckets, create_group as create_group,
    destroy_group as destroy_group, get_comm_name as get_comm_name,
    get_group_rank_from_world_rank as get_group_rank_from_world_rank, get_group_size as get_group_size,
    get_local_rank as get_local_rank, get_local_rank_size as get_local_rank_size,
    get_process_group_ranks as get_process_group_ranks, get_rank as get_rank,
    get_world_rank_from_group_rank as get_world_rank_from_group_rank, group_name as group_name,
    group_of as group_of, init as init, machine_name as machine_name, release as release,
)

HCCL_WORLD_COMM_GROUP: str
LEAST: int
MCCL_WORLD_COMM_GROUP: str
MOST: int
NCCL_WORLD_COMM_GROUP: str
REDUCTIONS: tuple[Any, ...]
SHARE: int
WORLD: str
