from mycel.dtype import *
