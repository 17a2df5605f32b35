from mycel.mint.distributed import *
