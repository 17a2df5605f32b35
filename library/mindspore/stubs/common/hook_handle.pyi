from mycel.frontend.values.cell import *
