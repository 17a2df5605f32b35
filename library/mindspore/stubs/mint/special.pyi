from mycel.library.mint.special import *
