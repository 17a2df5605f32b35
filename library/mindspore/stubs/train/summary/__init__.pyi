from mycel.library.reports.summary import *
