from mycel.library.distributed.process_groups import *
