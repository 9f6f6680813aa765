"""Who may read what of a project on a drive that several users of a system share.

A project is open to a group where its owner wants it: made in a folder that was given to a group on
purpose (setgid, writable by it), or asked for. What is made in it later follows its folder
(`files.py`). Where the adjudicators are a group of their own, each annotator's layers, journals and
notes are for their owner and that group alone: the folders that hold them let every user make one
there, and see nobody else's.
"""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from shared.errors import RequestError, storage_errors
from shared.project.settings import GOLD

_OPEN = 0o2770
_OWN_FOLDERS = 0o3773
"""Anyone who can come here makes a folder, which belongs to them and the group of this one."""
_BY_PERSON = ("layers", "journal", "notes", "dismissed", "models", "log")
_GROUP_MAY_WRITE = stat.S_ISGID | stat.S_IWGRP


@dataclass(frozen=True, slots=True)
class GroupAccess:
    """To which group a project is open, and that of the adjudicators where layers are private.

    `group` is "" for that of the folder in which the project is made, or no group where that was
    not given to one; with `is_asked_for` that folder's group in any case.
    """

    group: str = ""
    adjudicators: str = ""
    is_asked_for: bool = False

    def check(self) -> None:
        """Raise RequestError where the system has no such group."""
        for name in filter(None, (self.group, self.adjudicators)):
            _number_of(name)

    def prepare(self, folder: Path, *, shows_gold: bool) -> None:
        """Open a new and empty folder of a project, where that is wanted. Raises StorageError.

        Raises RequestError where the system has no such group, or its maker is not in it.
        """
        above = folder.parent.stat()
        is_given = above.st_mode & _GROUP_MAY_WRITE == _GROUP_MAY_WRITE
        if not (self.is_asked_for or self.group or self.adjudicators or is_given):
            return
        group = _number_of(self.group) if self.group else above.st_gid
        _give(folder, group, _OPEN)
        if self.adjudicators:
            self._close(folder, group, _number_of(self.adjudicators), shows_gold=shows_gold)

    def _close(self, folder: Path, group: int, adjudicators: int, *, shows_gold: bool) -> None:
        for name in _BY_PERSON:
            (folder / name).mkdir()
            _give(folder / name, adjudicators, _OWN_FOLDERS)
        (folder / GOLD).mkdir()
        _give(folder / GOLD, group if shows_gold else adjudicators, _OPEN)
        for name in ("notes", "journal"):  # answers are for all; decisions say what others tagged
            (folder / name / GOLD).mkdir()
            is_for_all = name == "notes" or shows_gold
            _give(folder / name / GOLD, group if is_for_all else adjudicators, _OPEN)


def _give(folder: Path, group: int, mode: int) -> None:
    """Let a folder be of a group. Raises RequestError where its maker may not, StorageError."""
    with storage_errors(folder):
        try:
            os.chown(folder, -1, group)
        except PermissionError:
            raise RequestError(
                f"only who is in the group {_name_of(group)} can open a project to it; ask to be "
                "added to it, then log in again"
            ) from None
        folder.chmod(mode)


def _number_of(group: str) -> int:
    try:
        import grp
    except ImportError:  # Windows, where the share says who may read what
        raise RequestError(
            "groups are those of Linux and macOS; see manual/shared_drive.md for a Windows share"
        ) from None
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        raise RequestError(f"the system has no group {group}; make it first") from None


def _name_of(group: int) -> str:
    import grp

    try:
        return grp.getgrgid(group).gr_name
    except KeyError:
        return str(group)
