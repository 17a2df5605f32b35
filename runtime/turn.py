"""Whose turn it is to run Python, among threads that come from machine code."""

from __future__ import annotations

import ctypes

_turn = ctypes.c_int64()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_turn))  # threads may use it while Python ends

TURN = ctypes.addressof(_turn)
"""The address of a word that is 1 while a thread that came from machine code runs Python. It is only advice: see
`machine.python_calls.run_again`."""


def end_turn() -> None:
    """Say that this thread does not go back to machine code soon, so that no thread waits for that."""
    _turn.value = 0
