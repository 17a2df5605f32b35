"""Checkpoints: Parameters in a file and back, in MindSpore's own format or as safetensors (`checkpoint_files`)."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...frontend.errors.classes import DamagedFileError
from ...frontend.errors.spelling import check_keywords
from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from .. import log
from ..distributed.data_parallel import is_elsewhere, whole_numbers
from ..docstrings import sections
from .checkpoint_files import (
    Entry,
    ckpt_entries,
    file_size,
    read_entry,
    safetensors_entries,
    write_ckpt,
    write_safetensors,
)
from .whole_files import replacing
from .wire import CorruptFile

NAMED = 5  # how many names of Parameters a message lists


def checkpoint_bytes(entries: dict[str, tuple[np.ndarray, str]]) -> bytes:
    """The content of a checkpoint of names to arrays and the names of their dtypes."""
    file = io.BytesIO()
    write_ckpt(file, entries)
    return file.getvalue()


def parse_checkpoint(raw: bytes) -> dict[str, Any]:
    """Names to Parameters and strings of a checkpoint's content; CorruptFile if it is damaged."""
    file = io.BytesIO(raw)
    return {name: read_entry(name, stored, file) for name, stored in ckpt_entries(file, len(raw)).items()}


# Saving


def _entries(
    save_obj: Any, choice_func: Callable[[str], bool] | None, append_dict: dict[str, Any] | None
) -> dict[str, Entry]:
    """Names to values to save."""
    if isinstance(save_obj, Cell):
        save_obj.check_names_and_refresh_name()
        items: dict[str, Any] = {parameter.name: parameter for parameter in save_obj.get_parameters()}
    elif isinstance(save_obj, dict):
        items = dict(save_obj)
    elif isinstance(save_obj, list):
        items = {}
        for item in save_obj:
            if isinstance(item, Parameter):
                if items.setdefault(item.name, item) is not item:
                    raise ValueError(
                        f"save_checkpoint: two Parameters have the name '{item.name}', and a file holds one of each "
                        "name: give each a name of its own, Parameter(…, name=…)"
                    )
                continue
            if not isinstance(item, dict) or set(item) < {"name", "data"}:
                raise TypeError("save_checkpoint takes a list of Parameters or of dicts with 'name' and 'data'")
            items[item["name"]] = item["data"]
    else:
        raise TypeError(f"save_checkpoint takes a Cell, a list or a dict, but got {type(save_obj).__name__}")
    if choice_func is not None:
        items = {name: value for name, value in items.items() if choice_func(name)}
    need_type(append_dict, dict | None, "save_checkpoint's 'append_dict' should be a dict")
    items.update(append_dict or {})
    return {str(name): _storable(name, value) for name, value in items.items()}


def _storable(name: Any, value: Any) -> Entry:
    if isinstance(value, str):
        return value
    if not isinstance(value, (Tensor, bool, int, float, np.ndarray, np.generic)):
        raise TypeError(f"save_checkpoint cannot save '{name}', a {type(value).__name__}: it takes tensors and numbers")
    if isinstance(value, Parameter) and value._in_parts:
        return whole_numbers(value), value.dtype.name
    tensor = value if isinstance(value, Tensor) else Tensor(value)
    return tensor._numbers("save_checkpoint"), tensor.dtype.name


def _file_name(name: Any, suffix: str) -> Path:
    need_type(name, str | os.PathLike, "save_checkpoint takes the name of a file")
    path = Path(name)
    return path if path.name.endswith(suffix) else path.with_name(path.name + suffix)


def _suffix(format: str) -> str:
    if format not in ("ckpt", "safetensors"):
        raise ValueError(f"a checkpoint's 'format' should be 'ckpt' or 'safetensors', but got {format!r}")
    return "." + format


def save_checkpoint(
    save_obj: Any, ckpt_file_name: Any, integrated_save: bool = True, async_save: Any = False,
    append_dict: dict[str, Any] | None = None, enc_key: Any = None, enc_mode: str = "AES-GCM",
    choice_func: Callable[[str], bool] | None = None, crc_check: bool = False, format: str = "ckpt", **kwargs: Any,
) -> None:  # fmt: skip
    """Write Parameters to a file that MindSpore reads as well.

    The numbers go from the tensors to the file piece by piece. A temporary file is renamed when it is complete and on
    the disk; until then an earlier file stays, also if the process is killed. If processes hold parts of Parameters or
    of an optimizer's state, all of them must call it: the file has the whole ones.

    Args:
        save_obj: a Cell, a dict of names to tensors, a list of Parameters, or one of dicts with 'name' and 'data'.
        ckpt_file_name: the file; `.ckpt` (or `.safetensors`) is added if it is not its end.
        integrated_save, async_save: accepted; the file is written at once.
        append_dict: more names to tensors, numbers or strings.
        enc_key, enc_mode: not supported.
        choice_func: whether to save a name.
        crc_check: whether a checksum is added, and to `.ckpt` the length, so that a file that was cut off is noticed.
        format: 'ckpt' or 'safetensors'.
        kwargs: `incremental`, `map_param_inc`, `remove_redundancy`, `global_step_num`: accepted, without meaning.

    Raises:
        TypeError: for something that cannot be saved.
        ValueError: for an encryption key, or an unknown format.
        OSError: if the file cannot be written.

    Examples:
        >>> import mycel as ms
        >>> ms.save_checkpoint(ms.nn.Dense(2, 1), "dense.ckpt", append_dict={"epoch": 3})
        >>> list(ms.load_checkpoint("dense.ckpt"))
        ['weight', 'bias', 'epoch']
    """
    if enc_key is not None:
        raise ValueError("checkpoints are not encrypted here: leave 'enc_key' out")
    check_keywords("save_checkpoint", kwargs, ("incremental", "map_param_inc", "remove_redundancy", "global_step_num"))
    path = _file_name(ckpt_file_name, _suffix(format))
    entries = _entries(save_obj, choice_func, append_dict)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        if format == "safetensors":
            write_safetensors(file, entries, crc_check)
        else:
            write_ckpt(file, entries, crc_check)


# Loading


def _prefixes(value: Any, name: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    items = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not items or not all(isinstance(item, str) for item in items):
        raise TypeError(f"load_checkpoint's '{name}' should be a string or a list of strings, but got {value!r}")
    return items


def _chosen_entries(path: Path, format: str, checked: bool, is_chosen: Callable[[str], bool]) -> dict[str, Any]:
    """What a file has under the names that are chosen."""
    try:
        with open(path, "rb") as file:
            size = file_size(file)
            if not size:
                raise CorruptFile("it is empty, so that nothing is left to load")
            read = safetensors_entries if format == "safetensors" else ckpt_entries
            entries = read(file, size, checked)
            return {name: read_entry(name, stored, file) for name, stored in entries.items() if is_chosen(name)}
    except CorruptFile as error:
        raise DamagedFileError(path, str(error)) from None


def load_checkpoint(
    ckpt_file_name: Any, net: Cell | None = None, strict_load: bool = False, filter_prefix: Any = None,
    dec_key: Any = None, dec_mode: str = "AES-GCM", specify_prefix: Any = None,
    choice_func: Callable[[str], bool] | None = None, crc_check: bool = False, remove_redundancy: bool = False,
    format: str = "ckpt",
) -> dict[str, Any]:  # fmt: skip
    """Read a file of Parameters, written here or by MindSpore.

    Args:
        ckpt_file_name: the file.
        net: a Cell that gets the numbers (see `load_param_into_net`).
        strict_load: whether names and dtypes have to agree.
        filter_prefix: names that begin so are left out.
        dec_key, dec_mode: not supported.
        specify_prefix: names have to begin so.
        choice_func: whether to load a name.
        crc_check: whether the file has to have a checksum; one that it has is always checked.
        remove_redundancy: accepted, without meaning.
        format: 'ckpt' or 'safetensors'.

    Returns:
        A dict of names to Parameters (strings that were appended are strings). Without the package ml_dtypes bfloat16
        numbers become float32 ones.

    Raises:
        ValueError: if the file is not there, or nothing is left of it.
        DamagedFileError: if the file is damaged (a ValueError, too). RuntimeError: if it does not fit `net`.

    Examples:
        >>> import tempfile
        >>> import mycel as ms
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.save_checkpoint(ms.nn.Dense(1, 2), f"{folder}/net.ckpt")
        ...     print(*ms.load_checkpoint(f"{folder}/net.ckpt"))
        weight bias
    """
    if dec_key is not None:
        raise ValueError("checkpoints are not encrypted here: leave 'dec_key' out")
    need_type(ckpt_file_name, str | os.PathLike, "load_checkpoint takes the name of a file")
    path = Path(ckpt_file_name)
    if not path.name.endswith(_suffix(format)):
        raise ValueError(f"load_checkpoint reads files that end in '{_suffix(format)}', but got '{path}'")
    if not path.is_file():
        raise ValueError(f"the checkpoint file '{path}' does not exist")
    left_out, wanted = _prefixes(filter_prefix, "filter_prefix"), _prefixes(specify_prefix, "specify_prefix")

    def is_chosen(name: str) -> bool:
        if left_out is not None and name.startswith(left_out):
            return False
        return (wanted is None or name.startswith(wanted)) and (choice_func is None or choice_func(name))

    result = _chosen_entries(path, format, bool(crc_check), is_chosen)
    if not result:
        raise ValueError(
            f"nothing is left of the checkpoint file '{path}': look at 'filter_prefix' and 'specify_prefix'"
        )
    if net is not None:
        load_param_into_net(net, result, strict_load)
    return result


def load_param_into_net(
    net: Cell, parameter_dict: dict[str, Any], strict_load: bool = False, remove_redundancy: bool = False
) -> tuple[list[str], list[str]]:
    """Give a Cell's Parameters the numbers of others of the same names.

    Everything is checked before the first Parameter changes. Parameters of the Cell that get nothing, and tensors in
    the dict that are not used, are named in a warning. If the dict has a name only with something before it, as of a
    Cell around the network that was saved, this prefix is left out, with a warning, unless `strict_load` is set.

    Args:
        net: the Cell.
        parameter_dict: names to Parameters.
        strict_load: whether names and dtypes have to agree; else dtypes may be of another width. Strings and numbers in
            the dict, such as an appended epoch, may always be left over.
        remove_redundancy: accepted, without meaning.

    Returns:
        The names of the Cell's Parameters that got nothing, and the names in the dict that no Parameter has.

    Raises:
        TypeError: for arguments of wrong types. RuntimeError: if shapes or dtypes do not fit, or with `strict_load`
            names.

    Examples:
        >>> import mycel as ms
        >>> saved = ms.nn.Dense(2, 1).parameters_dict()
        >>> ms.load_param_into_net(ms.nn.Dense(2, 1), saved, strict_load=True)
        ([], [])
    """
    need_type(net, Cell, "load_param_into_net takes a Cell")
    need_type(parameter_dict, dict, "load_param_into_net takes a dict of Parameters")
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, (Parameter, str)):
            raise TypeError(f"load_param_into_net takes a dict of Parameters, but '{name}' is a {type(value).__name__}")
    fitting, missing, used = [], [], set()
    net.check_names_and_refresh_name()
    for parameter in net.get_parameters():
        given = parameter_dict.get(parameter.name)
        if given is None or isinstance(given, str):
            missing.append(parameter.name)
            continue
        used.add(parameter.name)
        _check_fit(parameter, given, strict_load)
        fitting.append((parameter, given))
    unused = [name for name in parameter_dict if name not in used]
    if not strict_load:
        prefixed = _without_prefix(net, parameter_dict, missing)
        fitting += [(parameter, given) for _, parameter, given in prefixed]
        used.update(prefix + parameter.name for prefix, parameter, _ in prefixed)
    _report_misfits(parameter_dict, len(fitting), missing, [name for name in unused if name not in used], strict_load)
    for parameter, given in fitting:
        _give(parameter, given)
    return missing, unused


def _give(parameter: Parameter, given: Parameter) -> None:
    """Give a Parameter the numbers of another one, in its own dtype and shape."""
    if not is_elsewhere(parameter):
        numbers = given._numbers("load_param_into_net").astype(parameter.dtype.np, copy=False)
        parameter.set_data(Tensor._wrap(numbers.reshape(parameter.shape)))


def _update_param(param: Parameter, new_param: Parameter, strict_load: bool) -> None:
    """Give a Parameter the numbers of another one.

    Raises:
        RuntimeError: if shapes or dtypes do not fit.
    """
    _check_fit(param, new_param, strict_load)
    _give(param, new_param)


def _load_dismatch_prefix_params(
    net: Cell, parameter_dict: dict[str, Any], param_not_load: list[str], strict_load: bool
) -> None:
    """Give Parameters the numbers that a dict has under longer names. Their names are removed from `param_not_load`."""
    for _, parameter, given in _without_prefix(net, parameter_dict, param_not_load, strict_load):
        _give(parameter, given)


def _without_prefix(
    net: Cell, given: dict[str, Any], missing: list[str], strict_load: bool = False
) -> list[tuple[str, Parameter, Parameter]]:
    """Parameters that are in a dict under a longer name, as of a Cell around the network: prefix, Parameter, and entry.

    The ones that are found are removed from `missing`. All Parameters with the prefix of the first one that is found
    are taken, then the search goes on with the others.
    """
    found, tensors = [], {name: value for name, value in given.items() if isinstance(value, Parameter)}
    while missing:
        prefix = next((key[: -len(name)] for name in missing for key in tensors if key.endswith(name)), None)
        if prefix is None:
            break
        log.warning(f"load_param_into_net: the names begin with '{prefix}', which is left out")
        for parameter in net.get_parameters():
            entry = tensors.get(prefix + parameter.name)
            if parameter.name in missing and entry is not None:
                _check_fit(parameter, entry, strict_load)
                found.append((prefix, parameter, entry))
                missing.remove(parameter.name)
    return found


def _report_misfits(
    given: dict[str, Any], fitting: int, missing: list[str], unused: list[str], strict_load: bool
) -> None:
    """Warn about names that only the Cell or only the dict has; with `strict_load`, RuntimeError."""
    tensors = [name for name in unused if isinstance(given[name], Parameter) and given[name].ndim]
    if not missing and not tensors:
        return
    parts = []
    if missing:
        parts.append(
            f"{len(missing)} of the network's {fitting + len(missing)} Parameters get nothing: {_some(missing)}"
        )
    if tensors:
        count = sum(isinstance(value, Parameter) for value in given.values())
        parts.append(f"{len(tensors)} of the {count} tensors given are not used: {_some(tensors)}")
    problem = "; ".join(parts)
    if strict_load:
        raise RuntimeError(
            f"load_param_into_net: {problem}. Nothing was loaded, since strict_load=True asks for the same names on "
            "both sides: load into the network that was saved, or leave strict_load out"
        )
    advice = "" if fitting else ". No name is the same: is this the network that was saved?"
    log.warning(f"load_param_into_net: {problem}{advice}")


def _some(names: list[str]) -> str:
    """A few names, and how many more there are."""
    listed = ", ".join(f"'{name}'" for name in names[:NAMED])
    return listed if len(names) <= NAMED else f"{listed} and {len(names) - NAMED} more"


def _check_fit(parameter: Parameter, given: Parameter, strict_load: bool) -> None:
    """RuntimeError unless a Parameter can get the numbers of another."""
    shape = parameter.shape if parameter._divided is None else parameter._divided[1]
    if shape != given.shape and not (shape == () and given.shape == (1,)):
        raise RuntimeError(
            f"Parameter '{parameter.name}' should have the same shape in the Cell and in the checkpoint, but has "
            f"{shape} and {given.shape}"
        )
    if parameter.dtype is not given.dtype:
        same_kind = (parameter.dtype.is_float and given.dtype.is_float) or parameter.dtype.kind == given.dtype.kind
        if strict_load or not same_kind:
            raise RuntimeError(
                f"Parameter '{parameter.name}' should have the same dtype in the Cell and in the checkpoint, but has "
                f"{parameter.dtype} and {given.dtype}"
            )


def load_checkpoint_async(*args: Any, **kwargs: Any) -> Any:
    """As `load_checkpoint`, in a thread. Returns a future; its `result()` gives the Parameters.

    Examples:
        >>> import tempfile
        >>> import mycel as ms
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.save_checkpoint(ms.nn.Dense(1, 2), f"{folder}/net.ckpt")
        ...     print(*ms.load_checkpoint_async(f"{folder}/net.ckpt").result())
        weight bias
    """
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(load_checkpoint, *args, **kwargs)


def async_ckpt_thread_status() -> bool:
    """Whether a checkpoint is being written in another thread: never.

    Examples:
        >>> import mycel as ms
        >>> ms.async_ckpt_thread_status()
        False
    """
    return False


_shared = sections(
    Args="""
        file_path: the file.
        save_path: a folder; None: that of the file.
        name_map: names to other names.
        file_name_regex, processes_num: accepted, without meaning for one file.
    """
)


@_shared
def ckpt_to_safetensors(
    file_path: Any, save_path: Any = None, name_map: dict[str, str] | None = None, file_name_regex: Any = None,
    processes_num: int = 1,
) -> None:  # fmt: skip
    """Write a `.ckpt` file again as safetensors.

    Examples:
        >>> import tempfile
        >>> import mycel as ms
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.save_checkpoint(ms.nn.Dense(1, 2), f"{folder}/net.ckpt")
        ...     ms.ckpt_to_safetensors(f"{folder}/net.ckpt")
        ...     print(*ms.load_checkpoint(f"{folder}/net.safetensors", format="safetensors"))
        bias weight
    """
    _convert(file_path, save_path, name_map, "ckpt", "safetensors")


@_shared
def safetensors_to_ckpt(
    file_path: Any, save_path: Any = None, name_map: dict[str, str] | None = None, file_name_regex: Any = None,
    processes_num: int = 1,
) -> None:  # fmt: skip
    """Write a safetensors file again as `.ckpt`.

    Examples:
        >>> import tempfile
        >>> import mycel as ms
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.save_checkpoint(ms.nn.Dense(1, 2), f"{folder}/net.safetensors", format="safetensors")
        ...     ms.safetensors_to_ckpt(f"{folder}/net.safetensors")
        ...     print(*ms.load_checkpoint(f"{folder}/net.ckpt"))
        bias weight
    """
    _convert(file_path, save_path, name_map, "safetensors", "ckpt")


def _convert(file_path: Any, save_path: Any, name_map: dict[str, str] | None, source: str, target: str) -> None:
    path = Path(file_path)
    values = load_checkpoint(path, format=source)
    names = name_map or {}
    folder = path.parent if save_path is None else Path(save_path)
    renamed = {names.get(name, name): value for name, value in values.items()}
    save_checkpoint(renamed, folder / f"{path.stem}.{target}", format=target)
