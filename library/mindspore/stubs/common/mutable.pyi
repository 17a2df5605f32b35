from mycel.frontend.values.mutable import *
