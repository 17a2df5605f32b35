from mycel.library.distributed.parallel import *
