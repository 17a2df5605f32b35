from mycel.library.nn import *
