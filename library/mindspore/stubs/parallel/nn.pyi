from mycel.library.nn.parallel_cells import *
