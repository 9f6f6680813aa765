"""What the latest release of a project changed in its corpus."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from shared.agreement.study import GOLD, ReleasedCorpus, ReleasedTags
from shared.errors import FileError, RequestError
from shared.model import PhiType
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.project_log import log_path
from shared.text.tokens import token_count

if TYPE_CHECKING:
    from adjudicator.release.released import ReleasedRecord


def released_corpus(project: Project) -> ReleasedCorpus | None:
    """Compare the latest release, where it was written, with the gold standard; None without one.

    Empty where it was not made from the gold standard as it is now, or cannot be read.
    """
    try:
        out = _latest(project)
        if out is None:
            return None
        from adjudicator.release.released import records_of_release

        source, records = records_of_release(project, out)
    except (FileError, RequestError):
        return ReleasedCorpus()
    return ReleasedCorpus(
        str(source.settings.mode),
        len({each.original.patient_id for each in records}),
        len(records),
        sum(token_count(each.original.text) for each in records),
        sum(token_count(each.document.text) for each in records),
        tuple(_tags(records)),
    )


def _latest(project: Project) -> Path | None:
    """The folder of the latest release that is still there, by the project's log."""
    log = read_journal(log_path(project.root, GOLD))
    paths = (Path(str(entry["file"])) for entry in reversed(log) if entry.get("op") == "release")
    return next((each for each in paths if each.is_dir()), None)


def _tags(records: "Iterable[ReleasedRecord]") -> list[ReleasedTags]:
    texts: defaultdict[PhiType, list[tuple[str, str]]] = defaultdict(list)
    for each in records:
        for old, new in zip(each.gold, each.tags, strict=True):
            pair = old.span.text_in(each.original.text), new.span.text_in(each.document.text)
            texts[old.phi_type].append(pair)
    return [
        ReleasedTags(
            phi_type,
            len(pairs),
            sum(old != new for old, new in pairs),
            sum(len(old) for old, _ in pairs),
            sum(len(new) for _, new in pairs),
        )
        for phi_type, pairs in sorted(texts.items())
    ]
