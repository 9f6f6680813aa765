"""Disks that tests make fill up."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def filling_disk(writes: int) -> Iterator[None]:
    """After so many writes of this process the disk is full, until the block ends."""
    left, write = iter(range(writes)), os.write

    def full(descriptor: int, data: bytes) -> int:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", full)
        yield
