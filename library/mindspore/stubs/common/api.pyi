from mycel.graph import *
