from mycel.library.nn.boost import *
