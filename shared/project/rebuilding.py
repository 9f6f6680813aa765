"""What is done about what `verify` found: files made again from journals, or taken as they are."""

from datetime import UTC, datetime

from shared.errors import RequestError
from shared.formats import i2b2_xml
from shared.project.chain import Head
from shared.project.creation import ASSIGNMENTS, MANIFEST, SETTINGS
from shared.project.current_user import current_user
from shared.project.files import digest_of, read_file, remove_half_written, write_atomic
from shared.project.journal import Journal, append_to_journal, write_head
from shared.project.lock import acquire_lock
from shared.project.project_log import PROJECT_LOG
from shared.project.settings import GOLD
from shared.project.stored_layers import set_aside
from shared.project.verifying import RebuildableLayer, Verification

WHO = "tandem verify"


def rebuild(found: Verification) -> list[str]:
    """Write what can be had from the journals, and return the names of the files.

    Another version of a file is kept beside it. Raises LockedError where a patient is open,
    StorageError.
    """
    rebuilt: list[str] = []
    for each in found.rebuildable:
        _rebuild_layer(each)
        rebuilt.append(each.path.relative_to(found.root).as_posix())
    for journal in found.journals:
        discrepancies = journal.discrepancies
        if journal.head_is_wrong and all(each.can_be_rebuilt for each in discrepancies):
            write_head(journal.path, Head.of(journal.data))
            rebuilt += [each.file for each in discrepancies]
    return rebuilt


def seal(found: Verification, reason: str = "") -> None:
    """Keep in the project's log how everything is, so that it is held against that from now on.

    What differs is taken as it is for the `reason`. Raises RequestError where there is none, and
    where a layer can be had again from its journal instead, FileError.
    """
    if found.discrepancies and not reason.strip():
        raise RequestError("what differs is taken as it is only for a reason; give --accept REASON")
    if found.rebuildable:
        raise RequestError("a layer's journal goes before its file; run with --rebuild first")
    root = found.root
    names = {SETTINGS, MANIFEST, ASSIGNMENTS, *found.noted_files, *found.not_covered}
    names |= {
        each.file for each in found.discrepancies if not each.file.endswith((".jsonl", ".head"))
    }
    digests = {name: None if (data := read_file(root / name)) is None else digest_of(data)
               for name in sorted(names)}  # fmt: skip
    heads = {each.name: str(Head.of(each.data)) for each in found.journals}
    for each in found.journals:
        if each.head_is_wrong:
            write_head(each.path, Head.of(each.data))
    entry = {
        "op": "sealed", "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "user": current_user(), "reason": reason.strip(),
        "accepted": [str(each) for each in found.discrepancies], "heads": heads, "files": digests,
    }  # fmt: skip
    append_to_journal(root / PROJECT_LOG, [entry], current_user())


def _rebuild_layer(each: RebuildableLayer) -> None:
    bare = each.owner == GOLD
    data = i2b2_xml.format_record(each.document.text, each.layer, bare=bare)
    with acquire_lock(each.journal.with_suffix(".lock"), WHO), Journal(each.journal) as journal:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        digests = {each.document.record_id: digest_of(data)}
        # first, so that no file is made again of which nobody can know
        journal.append({"at": at, "by": WHO, "op": "rebuild", "digests": digests})
        there = read_file(each.path)
        if there is not None:
            set_aside(each.path, digest_of(there))
        remove_half_written(each.path)  # nobody else writes it under this lock
        write_atomic(each.path, data, expected_digest=None)
