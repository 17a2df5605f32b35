from mycel.library.experimental.schedules import *
