"""Checkpoints: Parameters in a file and back, in MindSpore's own format or as safetensors, without pickles.

A `.ckpt` file is a sequence of records in the wire format of protocol buffers, as MindSpore writes and reads it:

    record:  tag 0x0A, length, then  0x0A length name (UTF-8)  0x12 length tensor
    tensor:  0x08 dimension (a varint each)  0x12 length dtype name ("Float32")  0x1A length numbers (little-endian)

A large tensor may be cut into several records of one name. A string is a tensor of dtype "str" with UTF-32 characters.
After the last record `crc_num` and ten bytes may hold the CRC-32 of everything before. Nothing in a file is executed.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...runtime import dtypes
from ..cell import Cell
from ..parameter import Parameter
from ..tensor import Tensor
from ..wire import CorruptFile, bytes_field, fields, number_field

_CRC = b"crc_num"
_DTYPES = {
    dtype.name: dtype
    for dtype in (
        dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8, dtypes.uint16, dtypes.uint32,
        dtypes.uint64, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.complex64,
        dtypes.complex128,
    )
}  # fmt: skip
_SAFETENSORS = {
    "Bool": "BOOL", "Int8": "I8", "Int16": "I16", "Int32": "I32", "Int64": "I64", "UInt8": "U8", "UInt16": "U16",
    "UInt32": "U32", "UInt64": "U64", "Float16": "F16", "Float32": "F32", "Float64": "F64", "BFloat16": "BF16",
}  # fmt: skip
_FROM_SAFETENSORS = {short: name for name, short in _SAFETENSORS.items()}


# Records


def _record(name: str, value: Any) -> bytes:
    """One record: a tensor, or a string."""
    if isinstance(value, str):
        tensor = number_field(1, 0) + bytes_field(2, b"str") + bytes_field(3, value.encode("utf-32-le"))
    else:
        array, dtype = value
        dims = b"".join(number_field(1, size) for size in array.shape)
        tensor = dims + bytes_field(2, dtype.encode()) + bytes_field(3, _bytes_of(array))
    return bytes_field(1, bytes_field(1, name.encode()) + bytes_field(2, tensor))


def _bytes_of(array: np.ndarray) -> bytes:
    little = array.dtype.newbyteorder("<") if array.dtype.byteorder == ">" else array.dtype
    return np.ascontiguousarray(array).astype(little, copy=False).tobytes()


def _parse_ckpt(raw: bytes) -> dict[str, Any]:
    """Names to (dtype name, shape, list of byte strings)."""
    data = memoryview(raw)
    marker = len(raw) - len(_CRC) - 10
    if marker >= 0 and raw[marker : marker + len(_CRC)] == _CRC:
        if zlib.crc32(data[:marker]) != int.from_bytes(raw[marker + len(_CRC) :], "big"):
            raise CorruptFile("its checksum differs: the file was damaged")
        data = data[:marker]
    found: dict[str, Any] = {}
    for number, content in fields(data):
        if number != 1 or not isinstance(content, memoryview):
            raise CorruptFile("there is something besides tensors")
        name, kind, shape, parts = "", "", [], []
        for inner, value in fields(content):
            if inner == 1:
                name = bytes(value).decode()
            elif inner == 2:
                for part, item in fields(value):
                    if part == 1:
                        shape.append(int(item))
                    elif part == 2:
                        kind = bytes(item).decode()
                    elif part == 3:
                        parts.append(bytes(item))
        if not kind:
            raise CorruptFile("a record has no dtype")
        if name in found:
            found[name][2].extend(parts)
        else:
            found[name] = (kind, tuple(shape), parts)
    return found


def _value_of(name: str, kind: str, shape: tuple[int, ...], parts: list[bytes]) -> Any:
    """A Parameter, or a string."""
    raw = b"".join(parts)
    if kind == "str":
        return raw.decode("utf-32-le")
    if kind not in _DTYPES:
        raise CorruptFile(f"'{name}' has the unknown dtype {kind!r}")
    if kind == "BFloat16" and not _has_bfloat16():  # the same numbers in float32: zeros after their bits
        kind = "Float32"
        raw = (np.frombuffer(raw, np.uint16).astype(np.uint32) << np.uint32(16)).tobytes()
    dtype = _DTYPES[kind].np
    count = 1
    for size in shape:
        count *= size
    if len(raw) != count * dtype.itemsize:
        raise CorruptFile(f"'{name}' of shape {shape} and dtype {kind} has {len(raw)} bytes")
    return Parameter(Tensor(np.frombuffer(raw, dtype).reshape(shape).copy()), name=name or "parameter")


def checkpoint_bytes(entries: dict[str, tuple[np.ndarray, str]]) -> bytes:
    """The content of a checkpoint of names to arrays and the names of their dtypes."""
    return b"".join(_record(name, value) for name, value in entries.items())


def parse_checkpoint(raw: bytes) -> dict[str, Any]:
    """Names to Parameters and strings of a checkpoint's content; CorruptFile if it is damaged."""
    return {name: _value_of(name, *entry) for name, entry in _parse_ckpt(raw).items()}


def _has_bfloat16() -> bool:
    try:
        dtypes.require_bfloat16()
    except ImportError:
        return False
    return True


# Saving


def _entries(
    save_obj: Any, choice_func: Callable[[str], bool] | None, append_dict: dict[str, Any] | None
) -> dict[str, Any]:
    """Names to values to save."""
    if isinstance(save_obj, Cell):
        items: dict[str, Any] = {parameter.name: parameter for parameter in save_obj.get_parameters()}
    elif isinstance(save_obj, dict):
        items = dict(save_obj)
    elif isinstance(save_obj, list):
        items = {}
        for item in save_obj:
            if isinstance(item, Parameter):
                items[item.name] = item
                continue
            if not isinstance(item, dict) or set(item) < {"name", "data"}:
                raise TypeError("save_checkpoint takes a list of Parameters or of dicts with 'name' and 'data'")
            items[item["name"]] = item["data"]
    else:
        raise TypeError(f"save_checkpoint takes a Cell, a list or a dict, but got {type(save_obj).__name__}")
    if choice_func is not None:
        items = {name: value for name, value in items.items() if choice_func(name)}
    if append_dict is not None and not isinstance(append_dict, dict):
        raise TypeError(f"save_checkpoint's 'append_dict' should be a dict, but got {type(append_dict).__name__}")
    items.update(append_dict or {})
    return {str(name): _storable(name, value) for name, value in items.items()}


def _storable(name: Any, value: Any) -> Any:
    if isinstance(value, str):
        return value
    if not isinstance(value, (Tensor, bool, int, float, np.ndarray, np.generic)):
        raise TypeError(f"save_checkpoint cannot save '{name}', a {type(value).__name__}: it takes tensors and numbers")
    tensor = value if isinstance(value, Tensor) else Tensor(value)
    return tensor.asnumpy(), tensor.dtype.name


def _file_name(name: Any, suffix: str, function: str) -> Path:
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"{function} takes the name of a file, but got {type(name).__name__}")
    path = Path(name)
    return path if path.name.endswith(suffix) else path.with_name(path.name + suffix)


def _suffix(format: str) -> str:
    if format not in ("ckpt", "safetensors"):
        raise ValueError(f"a checkpoint's 'format' should be 'ckpt' or 'safetensors', but got {format!r}")
    return "." + format


def save_checkpoint(
    save_obj: Any,
    ckpt_file_name: Any,
    integrated_save: bool = True,
    async_save: Any = False,
    append_dict: dict[str, Any] | None = None,
    enc_key: Any = None,
    enc_mode: str = "AES-GCM",
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    format: str = "ckpt",
    **kwargs: Any,
) -> None:
    """Write Parameters to a file that MindSpore reads as well.

    Args:
        save_obj: a Cell, a dict of names to tensors, a list of Parameters, or one of dicts with 'name' and 'data'.
        ckpt_file_name: the file; `.ckpt` (or `.safetensors`) is added if it is not its end.
        integrated_save, async_save: accepted; the file is written at once.
        append_dict: more names to tensors, numbers or strings.
        enc_key, enc_mode: not supported.
        choice_func: whether to save a name.
        crc_check: whether a checksum is added.
        format: 'ckpt' or 'safetensors'.
        kwargs: `incremental`, `remove_redundancy`, `global_step_num`: accepted, without meaning.

    Raises:
        TypeError: for something that cannot be saved.
        ValueError: for an encryption key, or an unknown format.

    Examples:
        >>> import mycel as ms
        >>> ms.save_checkpoint(ms.nn.Dense(2, 1), "/tmp/dense.ckpt", append_dict={"epoch": 3})
        >>> list(ms.load_checkpoint("/tmp/dense.ckpt"))
        ['weight', 'bias', 'epoch']
    """
    if enc_key is not None:
        raise ValueError("checkpoints are not encrypted here: leave 'enc_key' out")
    path = _file_name(ckpt_file_name, _suffix(format), "save_checkpoint")
    entries = _entries(save_obj, choice_func, append_dict)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(partial, "wb") as file:
            if format == "safetensors":
                _write_safetensors(file, entries)
            else:
                _write_ckpt(file, entries, crc_check)
        os.replace(partial, path)  # so that nobody ever finds half a file
    finally:
        partial.unlink(missing_ok=True)


def _write_ckpt(file: Any, entries: dict[str, Any], crc_check: bool) -> None:
    checksum = 0
    for name, value in entries.items():
        record = _record(name, value)
        if crc_check:
            checksum = zlib.crc32(record, checksum)
        file.write(record)
    if crc_check:
        file.write(_CRC + checksum.to_bytes(10, "big"))


def _write_safetensors(file: Any, entries: dict[str, Any]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "ms"}}
    blobs, offset = [], 0
    for name, value in sorted(entries.items()):
        if isinstance(value, str):
            header["__metadata__"][name] = value
            continue
        array, dtype = value
        if dtype not in _SAFETENSORS:
            raise TypeError(f"safetensors has no dtype {dtype}, which '{name}' has")
        raw = _bytes_of(array)
        header[name] = {
            "dtype": _SAFETENSORS[dtype], "shape": list(array.shape), "data_offsets": [offset, offset + len(raw)]
        }  # fmt: skip
        blobs.append(raw)
        offset += len(raw)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    for blob in blobs:
        file.write(blob)


# Loading


def _parse_safetensors(raw: bytes) -> dict[str, Any]:
    if len(raw) < 8:
        raise CorruptFile("it is too short")
    length = struct.unpack("<Q", raw[:8])[0]
    if 8 + length > len(raw):
        raise CorruptFile("its header is cut off")
    try:
        header = json.loads(raw[8 : 8 + length])
    except ValueError as error:
        raise CorruptFile(f"its header is no JSON: {error}") from None
    found = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        kind = _FROM_SAFETENSORS.get(entry["dtype"])
        if kind is None:
            raise CorruptFile(f"'{name}' has the unknown dtype {entry['dtype']!r}")
        start, end = entry["data_offsets"]
        found[name] = (kind, tuple(entry["shape"]), [raw[8 + length + start : 8 + length + end]])
    return found


def _prefixes(value: Any, name: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    items = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if not items or not all(isinstance(item, str) for item in items):
        raise TypeError(f"load_checkpoint's '{name}' should be a string or a list of strings, but got {value!r}")
    return items


def load_checkpoint(
    ckpt_file_name: Any,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: Any = None,
    dec_key: Any = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Callable[[str], bool] | None = None,
    crc_check: bool = False,
    remove_redundancy: bool = False,
    format: str = "ckpt",
) -> dict[str, Any]:
    """Read a file of Parameters, written here or by MindSpore.

    Args:
        ckpt_file_name: the file.
        net: a Cell that gets the numbers (see `load_param_into_net`).
        strict_load: whether dtypes have to agree.
        filter_prefix: names that begin so are left out.
        dec_key, dec_mode: not supported.
        specify_prefix: names have to begin so.
        choice_func: whether to load a name.
        crc_check, remove_redundancy: accepted; a checksum in the file is always checked.
        format: 'ckpt' or 'safetensors'.

    Returns:
        A dict of names to Parameters (strings that were appended are strings). Without the package ml_dtypes bfloat16
        numbers become float32 ones.

    Raises:
        ValueError: if the file is not there, is damaged, or nothing is left of it.
    """
    if dec_key is not None:
        raise ValueError("checkpoints are not encrypted here: leave 'dec_key' out")
    if not isinstance(ckpt_file_name, (str, os.PathLike)):
        raise TypeError(f"load_checkpoint takes the name of a file, but got {type(ckpt_file_name).__name__}")
    path = Path(ckpt_file_name)
    if not path.name.endswith(_suffix(format)):
        raise ValueError(f"load_checkpoint reads files that end in '{_suffix(format)}', but got '{path}'")
    if not path.is_file():
        raise ValueError(f"the checkpoint file '{path}' does not exist")
    left_out, wanted = _prefixes(filter_prefix, "filter_prefix"), _prefixes(specify_prefix, "specify_prefix")
    result: dict[str, Any] = {}
    try:
        raw = path.read_bytes()
        for name, (kind, shape, parts) in (
            _parse_safetensors(raw) if format == "safetensors" else _parse_ckpt(raw)
        ).items():
            if left_out is not None and name.startswith(left_out):
                continue
            if wanted is not None and not name.startswith(wanted):
                continue
            if choice_func is None or choice_func(name):
                result[name] = _value_of(name, kind, shape, parts)
    except (CorruptFile, UnicodeDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"the checkpoint file '{path}' cannot be read: {error}") from None
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

    Args:
        net: the Cell.
        parameter_dict: names to Parameters.
        strict_load: whether dtypes have to agree; else they may be of another width.
        remove_redundancy: accepted, without meaning.

    Returns:
        The names of the Cell's Parameters that got nothing, and the names in the dict that were not used.

    Raises:
        TypeError: for arguments of wrong types. RuntimeError: if shapes or dtypes do not fit.
    """
    if not isinstance(net, Cell):
        raise TypeError(f"load_param_into_net takes a Cell, but got {type(net).__name__}")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"load_param_into_net takes a dict of Parameters, but got {type(parameter_dict).__name__}")
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, (Parameter, str)):
            raise TypeError(f"load_param_into_net takes a dict of Parameters, but '{name}' is a {type(value).__name__}")
    missing, used = [], set()
    for parameter in net.get_parameters():
        given = parameter_dict.get(parameter.name)
        if given is None or isinstance(given, str):
            missing.append(parameter.name)
            continue
        used.add(parameter.name)
        _load_one(parameter, given, strict_load)
    return missing, [name for name in parameter_dict if name not in used]


def _load_one(parameter: Parameter, given: Parameter, strict_load: bool) -> None:
    single = parameter.size == given.size == 1 and len({parameter.shape, given.shape} - {(), (1,)}) == 0
    if parameter.shape != given.shape and not (single and parameter.shape == () and given.shape == (1,)):
        raise RuntimeError(
            f"Parameter '{parameter.name}' should have the same shape in the Cell and in the checkpoint, but has "
            f"{parameter.shape} and {given.shape}"
        )
    if parameter.dtype is not given.dtype:
        same_kind = (parameter.dtype.is_float and given.dtype.is_float) or parameter.dtype.kind == given.dtype.kind
        if strict_load or not same_kind:
            raise RuntimeError(
                f"Parameter '{parameter.name}' should have the same dtype in the Cell and in the checkpoint, but has "
                f"{parameter.dtype} and {given.dtype}"
            )
    numbers = given.asnumpy().astype(parameter.dtype.np, copy=False).reshape(parameter.shape)
    parameter.set_data(Tensor(numbers))


def load_checkpoint_async(*args: Any, **kwargs: Any) -> Any:
    """As `load_checkpoint`, in a thread; the result is had by `result()` of what is returned."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(load_checkpoint, *args, **kwargs)


def async_ckpt_thread_status() -> bool:
    """Whether a checkpoint is being written in another thread: never."""
    return False


def ckpt_to_safetensors(
    file_path: Any,
    save_path: Any = None,
    name_map: dict[str, str] | None = None,
    file_name_regex: Any = None,
    processes_num: int = 1,
) -> None:
    """Write a `.ckpt` file again as safetensors.

    Args:
        file_path: the file. save_path: a folder; None: that of the file. name_map: names to other names.
        file_name_regex, processes_num: accepted, without meaning for one file.
    """
    _convert(file_path, save_path, name_map, "ckpt", "safetensors")


def safetensors_to_ckpt(
    file_path: Any,
    save_path: Any = None,
    name_map: dict[str, str] | None = None,
    file_name_regex: Any = None,
    processes_num: int = 1,
) -> None:
    """Write a safetensors file again as `.ckpt`.

    Args:
        file_path: the file. save_path: a folder; None: that of the file. name_map: names to other names.
        file_name_regex, processes_num: accepted, without meaning for one file.
    """
    _convert(file_path, save_path, name_map, "safetensors", "ckpt")


def _convert(file_path: Any, save_path: Any, name_map: dict[str, str] | None, source: str, target: str) -> None:
    path = Path(file_path)
    values = load_checkpoint(path, format=source)
    names = name_map or {}
    folder = path.parent if save_path is None else Path(save_path)
    renamed = {names.get(name, name): value for name, value in values.items()}
    save_checkpoint(renamed, folder / f"{path.stem}.{target}", format=target)
