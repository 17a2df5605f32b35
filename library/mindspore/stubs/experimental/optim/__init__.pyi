from mycel.library.experimental.optim import *
