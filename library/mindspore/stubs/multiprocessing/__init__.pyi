# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from multiprocessing import reduction as _reducer
from multiprocessing.context import (
    AuthenticationError as AuthenticationError, BufferTooShort as BufferTooShort, Process as Process,
    ProcessError as ProcessError, TimeoutError as TimeoutError,
)
from mycel.library.mindspore import processes as _multiprocessing
reducer = _reducer
multiprocessing = _multiprocessing

Array: Any
Barrier: Any
BoundedSemaphore: Any
Condition: Any
Event: Any
JoinableQueue: Any
Lock: Any
Manager: Any
Pipe: Any
Pool: Any
Queue: Any
RLock: Any
RawArray: Any
RawValue: Any
Semaphore: Any
SimpleQueue: Any
Value: Any
allow_connection_pickling: Any
cpu_count: Any
freeze_support: Any
get_all_start_methods: Any
get_context: Any
get_logger: Any
get_start_method: Any
log_to_stderr: Any
set_executable: Any
set_forkserver_preload: Any
set_start_method: Any

def active_children() -> Any:
    """Return list of process objects corresponding to live child processes"""

def current_process() -> Any:
    """Return process object representing the current process"""

def parent_process() -> Any:
    """Return process object representing the parent process"""
