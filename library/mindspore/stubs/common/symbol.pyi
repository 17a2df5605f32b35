from mycel.frontend.api.inlining import *
