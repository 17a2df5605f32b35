from mycel.library.mint.functional import *
