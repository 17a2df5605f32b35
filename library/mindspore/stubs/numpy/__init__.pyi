from mycel.library.numpy import *
