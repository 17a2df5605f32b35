from mycel.ops import *
