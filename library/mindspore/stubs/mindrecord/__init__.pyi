from mycel.library.mindrecord import *
