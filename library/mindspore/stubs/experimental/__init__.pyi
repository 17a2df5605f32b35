from mycel.library.experimental import *
