from mycel.library.experimental.mint_optim import *
