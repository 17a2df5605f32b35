"""MindSpore's functions on tensors (`mindspore.ops`)."""

from __future__ import annotations

import importlib
import pkgutil

METHOD_TABLES = []
for _info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
    _module = importlib.import_module(f"{__name__}.{_info.name}")
    _own = [name for name, item in vars(_module).items() if getattr(item, "__module__", "") == _module.__name__ and name[0] != "_"]
    for _name in getattr(_module, "__all__", _own):
        globals()[_name] = getattr(_module, _name)
    if hasattr(_module, "TENSOR_METHODS"):
        METHOD_TABLES.append(_module.TENSOR_METHODS)
def __getattr__(name):
    if name in ("GradOperation", "grad", "value_and_grad", "get_grad"):
        return getattr(importlib.import_module("mycel.frontend.grad"), name)
    if name in ("jvp", "vjp", "jacfwd", "jacrev", "vmap"):
        return getattr(importlib.import_module("mycel.frontend.transforms"), name)
    raise AttributeError(f"module 'ops' has no attribute '{name}' yet")
