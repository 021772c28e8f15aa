"""From a wheel on an index to a commit: downloaded, verified, unpacked with suspicion, imported whole."""

import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import requests
from pypi_simple import DigestMismatchError, DistributionPackage, NoDigestsError

from bot import git
from bot.upstream import index, stores, unpack
from bot.upstream.address import redact_urls
from bot.upstream.pipconfig import Config
from bot.upstream.unpack import Refused

__all__ = ["Refused", "import_wheel"]

LARGEST_WHEEL = 256 * 2**20  # bytes
#: Nobody in particular and no date of ours: the commit's id depends on the wheel alone.
IDENTITY = b"upstream-bot <upstream-bot@localhost> 0 +0000"


def import_wheel(config: Config, wheel: DistributionPackage, store: git.Repo, ref: str) -> str | Refused:
    """Make `ref` of the store a commit of the wheel's sources; the caller holds the store's lock."""
    digest = wheel.digests.get("sha256")
    if digest is None:
        return Refused(reason="the index gives no SHA-256 digest of the wheel")
    prefix = f"{store.path.name}.new-"
    with tempfile.TemporaryDirectory(prefix=prefix, dir=store.path.parent) as scratch:
        path = Path(scratch, "wheel")
        refusal = download(config, wheel, path)
        if refusal:
            return refusal
        files = unpack.sources(path)
    if isinstance(files, Refused):
        return files
    message = f"{wheel.filename}\n\nSources of a released wheel.\nSHA-256: {digest}\n"
    git.must(store, "fast-import", "--quiet", "--force", data=stream(ref, message, files))
    head = stores.commits(store, [ref])[ref]
    return head or Refused(reason="the wheel could not be imported")


def download(config: Config, wheel: DistributionPackage, path: Path) -> Refused | None:
    try:
        with index.client(config, config.indexes[0]) as asked:
            asked.download_package(wheel, path, timeout=index.TIMEOUT, progress=Cap)
    except TooLarge:
        return Refused(reason=f"the wheel is larger than {LARGEST_WHEEL >> 20} MiB")
    except (DigestMismatchError, NoDigestsError):
        return Refused(reason="the downloaded wheel is not the one whose digest the index gives")
    except requests.RequestException as error:
        return Refused(reason=f"the wheel could not be downloaded: {redact_urls(str(error))}")
    return None


class TooLarge(Exception):  # noqa: N818 (a reason to stop reading; it never leaves this module)
    pass


class Cap:
    """Counts what arrives and stops when it is too much, whatever length was announced."""

    def __init__(self, _announced: int | None) -> None:
        self.left = LARGEST_WHEEL

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def update(self, increment: int) -> None:
        self.left -= increment
        if self.left < 0:
            raise TooLarge


def stream(ref: str, message: str, files: dict[str, bytes]) -> bytes:
    """The commit as `git fast-import` reads it."""
    parts = [f"commit {ref}\ncommitter ".encode(), IDENTITY, b"\n", data(message.encode()), b"deleteall\n"]
    for path in sorted(files):
        parts += [b"M 100644 inline ", quoted(path), b"\n", data(files[path])]
    return b"".join(parts)


def data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def quoted(path: str) -> bytes:
    return b'"' + path.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"'
