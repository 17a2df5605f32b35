from mycel.library.rewrite.patterns import *
