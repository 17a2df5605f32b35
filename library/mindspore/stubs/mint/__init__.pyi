from mycel.library.mint import *
