from mycel.library.mindspore.switches import *
