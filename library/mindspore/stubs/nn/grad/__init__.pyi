from mycel.library.nn.gradient_cells import *
