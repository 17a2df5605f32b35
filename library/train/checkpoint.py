"""The callback that saves checkpoints."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ...frontend.errors.spelling import check_keywords
from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ..distributed.communication import barrier, group_of
from ..distributed.data_parallel import whole_numbers, writes
from ..distributed.parallel import share_training
from ..saving.serialization import save_checkpoint
from .callback import Callback, RunContext, step_in_epoch


class CheckpointConfig:
    """The times and the contents of `ModelCheckpoint`'s files.

    Args:
        save_checkpoint_steps: an int, every how many steps; 0: not by steps. Default: 1.
        save_checkpoint_seconds: an int, every how many seconds, if not by steps. Default: 0.
        keep_checkpoint_max: an int, how many files to keep; 0: all. Default: 5.
        keep_checkpoint_per_n_minutes: an int: keep one file of so many minutes, if the number is not limited. Default:
            0.
        integrated_save, async_save, exception_save: accepted; files are written at once.
        saved_network: a Cell to save in place of the training network. Default: None.
        append_info: a list of 'epoch_num', 'step_num' or dicts of names to values to save too. Default: None.
        enc_key, enc_mode: not supported.
        crc_check: whether a checksum is added. Default: False.
        format: 'ckpt' or 'safetensors'. Default: 'ckpt'.
        remove_redundancy: accepted. Default: False.
        kwargs: accepted, without meaning.

    Raises:
        ValueError: if there is nothing that says when to save, or for an encryption key.

    Examples:
        >>> import mycel as ms
        >>> config = ms.train.CheckpointConfig(save_checkpoint_steps=100, keep_checkpoint_max=2)
        >>> config.save_checkpoint_steps, config.keep_checkpoint_max
        (100, 2)
    """

    def __init__(
        self, save_checkpoint_steps: int = 1, save_checkpoint_seconds: int = 0, keep_checkpoint_max: int = 5,
        keep_checkpoint_per_n_minutes: int = 0, integrated_save: bool = True, async_save: Any = False,
        saved_network: Cell | None = None, append_info: Any = None, enc_key: Any = None, enc_mode: str = "AES-GCM",
        exception_save: bool = False, crc_check: bool = False, remove_redundancy: bool = False, format: str = "ckpt",
        **kwargs: Any,
    ) -> None:  # fmt: skip
        if enc_key is not None:
            raise ValueError("checkpoints are not encrypted here: leave 'enc_key' out")
        check_keywords("CheckpointConfig", kwargs, ("incremental", "enable_redundance", "global_step_num"))
        for name, value in (
            ("save_checkpoint_steps", save_checkpoint_steps),
            ("save_checkpoint_seconds", save_checkpoint_seconds),
            ("keep_checkpoint_max", keep_checkpoint_max),
            ("keep_checkpoint_per_n_minutes", keep_checkpoint_per_n_minutes),
        ):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                raise (ValueError if isinstance(value, int) else TypeError)(
                    f"For 'CheckpointConfig', the '{name}' should be an int that is not negative, but got {value}"
                )
        if not save_checkpoint_steps and not save_checkpoint_seconds:
            raise ValueError("CheckpointConfig needs 'save_checkpoint_steps' or 'save_checkpoint_seconds'")
        need_type(saved_network, Cell | None, "For 'CheckpointConfig', the 'saved_network' should be a Cell")
        self.save_checkpoint_steps = save_checkpoint_steps or 0
        self.save_checkpoint_seconds = 0 if save_checkpoint_steps else save_checkpoint_seconds
        self.keep_checkpoint_max = keep_checkpoint_max or 0
        self.keep_checkpoint_per_n_minutes = 0 if keep_checkpoint_max else (keep_checkpoint_per_n_minutes or 0)
        self.integrated_save = integrated_save
        self.async_save = async_save
        self.saved_network = saved_network
        self.append_info = list(append_info or [])
        self.crc_check = crc_check
        self.format = format

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """When to save and how much to keep."""
        return {
            "save_checkpoint_steps": self.save_checkpoint_steps,
            "save_checkpoint_seconds": self.save_checkpoint_seconds,
            "keep_checkpoint_max": self.keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": self.keep_checkpoint_per_n_minutes,
            "saved_network": self.saved_network,
        }


class ModelCheckpoint(Callback):
    """Saves the training network in files `prefix-epoch_step.ckpt`.

    Args:
        prefix: a string, how the names of the files begin, or a function of the run's arguments that gives it.
            Default: 'CKP'.
        directory: a folder, or a function of the prefix and the arguments that gives it. Default: None, for the
            current one.
        config: a `CheckpointConfig`. Default: None, for its defaults.

    Raises:
        ValueError: if the prefix holds a '/'.
        TypeError: for a config of another type.

    Examples:
        >>> import os, tempfile
        >>> import mycel as ms
        >>> net = ms.nn.Dense(1, 1)
        >>> model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.1))
        >>> data = [(ms.Tensor([[1.0]]), ms.Tensor([[2.0]]))]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.train(1, data, callbacks=ms.train.ModelCheckpoint("net", folder))
        ...     files = sorted(name for name in os.listdir(folder) if name.endswith(".ckpt"))
        >>> files
        ['net-1_1.ckpt']
    """

    def __init__(self, prefix: Any = "CKP", directory: Any = None, config: CheckpointConfig | None = None) -> None:
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise ValueError(f"For 'ModelCheckpoint', the 'prefix' should be a string without '/', but got {prefix!r}")
        need_type(config, CheckpointConfig | None, "For 'ModelCheckpoint', the 'config' should be a CheckpointConfig")
        if directory is not None and not callable(directory) and not isinstance(directory, (str, Path)):
            raise TypeError(f"For 'ModelCheckpoint', the 'directory' should be a path, but got {directory!r}")
        self._prefix_given = prefix
        self._directory_given = directory
        self._prefix = prefix if isinstance(prefix, str) else ""
        self._directory = Path(directory) if isinstance(directory, (str, Path)) else Path(".")
        self._config = config or CheckpointConfig()
        self._files: list[Path] = []
        self._last_step = 0
        self._last_time = time.time()
        self._kept_time = time.time()
        self._latest_ckpt_file_name = ""
        self._named = False

    @property
    def latest_ckpt_file_name(self) -> str:
        """The last file written; empty if there is none."""
        return self._latest_ckpt_file_name

    def begin(self, run_context: RunContext) -> None:
        """Take a prefix that no file in the directory has yet."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        if callable(self._prefix_given):
            self._prefix = self._prefix_given(args)
        if callable(self._directory_given):
            self._directory = Path(self._directory_given(self._prefix, args))
        self._directory.mkdir(parents=True, exist_ok=True)
        # Processes that train together are equal: one of those that save in the same place is enough.
        self._writes = not share_training() or writes(self._directory)
        self._last_step = args.cur_step_num
        self._last_time = self._kept_time = time.time()
        if not self._named:
            self._prefix = self._free_prefix()
            self._named = True

    def _free_prefix(self) -> str:
        ending = f".{self._config.format}"
        names = [path.name for path in self._directory.iterdir() if path.name.endswith(ending)]
        prefix, number = self._prefix, 0
        while any(name.startswith(f"{prefix}-") for name in names):
            number += 1
            prefix = f"{self._prefix}_{number}"
        return prefix

    def step_end(self, run_context: RunContext) -> None:
        """Save, if it is time."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        config = self._config
        if config.save_checkpoint_steps:
            due = args.cur_step_num >= self._last_step + config.save_checkpoint_steps
        else:
            due = time.time() - self._last_time > config.save_checkpoint_seconds
            if share_training():  # clocks differ
                due = any(answer == "True" for answer in group_of(None).gather_objects(str(due)))
        if due:
            self._save(args)

    def end(self, run_context: RunContext) -> None:
        """Save the last step, if it is not saved yet."""
        args = run_context.original_args()
        if args.get("mode") == "eval":
            return
        if args.cur_step_num > self._last_step:
            self._save(args)
        if share_training():
            barrier()  # the files are there for all

    def _save(self, args: Any) -> None:
        config = self._config
        self._last_step, self._last_time = args.cur_step_num, time.time()
        name = f"{self._prefix}-{args.cur_epoch_num}_{step_in_epoch(args)}.{config.format}"
        path = self._directory / name
        network = config.saved_network if config.saved_network is not None else args.train_network
        self._latest_ckpt_file_name = str(path.resolve())
        if not self._writes:
            for parameter in network.get_parameters():
                if parameter._in_parts:  # the process that writes needs the numbers
                    whole_numbers(parameter)
            return
        save_checkpoint(
            network, path, append_dict=self._appended(args), crc_check=config.crc_check, format=config.format
        )
        if path in self._files:
            self._files.remove(path)
        self._files.append(path)
        if config.keep_checkpoint_max:
            while len(self._files) > config.keep_checkpoint_max:
                self._files.pop(0).unlink(missing_ok=True)
        elif config.keep_checkpoint_per_n_minutes:
            if time.time() - self._kept_time < config.keep_checkpoint_per_n_minutes * 60:
                for old in self._files[:-1]:
                    old.unlink(missing_ok=True)
                del self._files[:-1]
            else:
                self._kept_time = time.time()
                self._files.clear()

    def _appended(self, args: Any) -> dict[str, Any] | None:
        appended: dict[str, Any] = {}
        for item in self._config.append_info:
            if item == "epoch_num":
                appended["epoch_num"] = args.cur_epoch_num
            elif item == "step_num":
                appended["step_num"] = args.cur_step_num
            elif isinstance(item, dict):
                appended.update(item)
            else:
                raise ValueError(f"CheckpointConfig's 'append_info' holds names and dicts, but got {item!r}")
        return appended or None
