from mycel.library.mint.linalg import *
