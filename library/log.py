"""MindSpore's logger (`mindspore.log`): messages to stderr, from the level in `GLOG_v` on."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable
from typing import Any, ClassVar

DEBUG, INFO, WARNING, ERROR, CRITICAL = "0", "1", "2", "3", "4"
_LEVELS = {"0": logging.DEBUG, "1": logging.INFO, "2": logging.WARNING, "3": logging.ERROR, "4": logging.CRITICAL}
_FORMAT = "[%(levelname)s] ME(%(process)d,%(threadName)s):%(asctime)s [%(pathname)s:%(lineno)d] %(message)s"


def _get_logger() -> logging.Logger:
    """The logger, made at the first use."""
    logger = logging.getLogger("mindspore")
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(_FORMAT))
        logger.addHandler(handler)
        logger.setLevel(_LEVELS.get(get_level(), logging.WARNING))
        logger.propagate = False
    return logger


def get_level() -> str:
    """The level from which messages are shown: "0" (debug) to "4" (critical)."""
    return os.environ.get("GLOG_v", WARNING)  # noqa: SIM112 MindSpore's name


def get_log_config() -> dict[str, str]:
    """The variables of the environment that set up the log."""
    return {name: value for name, value in os.environ.items() if name.startswith("GLOG_")}


def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at the level debug."""
    _get_logger().debug(msg, *args, stacklevel=2, **kwargs)


def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at the level info."""
    _get_logger().info(msg, *args, stacklevel=2, **kwargs)


def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at the level warning."""
    _get_logger().warning(msg, *args, stacklevel=2, **kwargs)


def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at the level error."""
    _get_logger().error(msg, *args, stacklevel=2, **kwargs)


def critical(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log at the level critical."""
    _get_logger().critical(msg, *args, stacklevel=2, **kwargs)


class _LogActionOnce:
    """A decorator: calls of the function log warnings once for a key.

    Args:
        logger: the logger, or module, whose `warning` is called.
        key: what counts as the same.
        no_warning: never log one.
    """

    is_logged: ClassVar[dict[str, bool]] = {}

    def __init__(self, logger: Any, key: str, no_warning: bool = False) -> None:
        self.logger = logger
        self.key = key
        self.no_warning = no_warning

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            warn = getattr(self.logger, "warning", None)
            if warn is None or not (self.no_warning or self.key in self.is_logged):
                self.is_logged[self.key] = True
                return func(*args, **kwargs)
            self.logger.warning = lambda *_, **__: None
            try:
                return func(*args, **kwargs)
            finally:
                self.logger.warning = warn

        return wrapper
