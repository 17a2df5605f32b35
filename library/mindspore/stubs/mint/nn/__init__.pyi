from mycel.library.mint.nn import *
