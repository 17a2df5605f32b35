from mycel.library.scipy import *
