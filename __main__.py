"""`python -m mycel`: run a MindSpore script on mycel, or show what a function is compiled to."""

from __future__ import annotations

import sys

from mycel.library.command import console

if __name__ == "__main__":
    sys.exit(console())
