from mycel.library.log import *
