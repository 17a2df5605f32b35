from mycel.amp import *
