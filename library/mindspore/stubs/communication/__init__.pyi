from mycel.library.distributed.communication import *
