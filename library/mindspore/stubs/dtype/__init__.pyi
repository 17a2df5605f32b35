from mycel.common.dtype import *
