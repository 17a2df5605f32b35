from mycel.library.rewrite.nodes import *
