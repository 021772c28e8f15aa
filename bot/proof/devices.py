"""Which devices this machine has, seen without importing anything that would claim them."""

from pathlib import Path

from bot.errors import BotError
from bot.model import Device, Test


def has_cuda() -> bool:
    """Whether the kernel driver shows a CUDA device."""
    return any(Path("/dev").glob("nvidia[0-9]*"))


def check(asked: str) -> None:
    """Raise BotError when `--device gpu` was asked for and there is none."""
    if asked == Device.GPU and not has_cuda():
        raise BotError(
            "there is no CUDA device here", "leave out --device gpu: those probes are then not run"
        )


def objection(test: Test, asked: str) -> str:
    """Say why a test's device cannot be had, or nothing."""
    if test.device is Device.CPU:
        return ""
    if asked == Device.CPU:
        return "--device cpu was asked for"
    return "" if has_cuda() else "no CUDA device"
