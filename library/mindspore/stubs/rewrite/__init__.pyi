from mycel.library.rewrite import *
