from mycel.library.ops.primitives.signatures import *
