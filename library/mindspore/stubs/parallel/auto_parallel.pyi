from mycel.library.distributed.auto_parallel import *
