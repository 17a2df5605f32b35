from mycel.library.rewrite.symbol_tree import *
