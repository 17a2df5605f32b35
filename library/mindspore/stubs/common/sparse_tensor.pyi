from mycel.library.mindspore.sparse import *
