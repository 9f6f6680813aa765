"""What must be so of a window and its project whatever was done: each check yields what is not."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QLabel

from adjudicator.decision_book import read_decisions
from adjudicator.decision_log import read_log
from adjudicator.decisions import DecisionChoice, DecisionMode
from adjudicator.disagreements import DisagreementKey
from adjudicator.gold_layer import GoldLayer, read_gold
from adjudicator.questions import question_about
from adjudicator.session import AdjudicationSession
from adjudicator.ui.main_window import AdjudicationWindow
from shared.commands.main import main
from shared.errors import FileError
from shared.model import Layer, MergedView, Origin, Tag
from shared.project.edits import PlacedTag
from shared.project.journal import read_journal
from shared.project.patient_layer import PatientLayer
from shared.project.patient_session import PatientSession
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.widgets.document.marks import MarkStyle
from shared.widgets.records.record_pane import TAGS
from shared.widgets.window.patient_window import PatientWindow

Tags = set[tuple[str, str, int, int, str, str]]
_QUIET = re.compile(r"All saved|Saved \d\d:\d\d:\d\d")


class _NoJournal:
    """Takes no edits: a journal is only replayed."""

    def append(self, entry: Mapping[str, Any]) -> None:
        raise AssertionError(entry["op"])


def owner_of(window: PatientWindow) -> str:
    """Whose layers a window edits."""
    return GOLD if isinstance(window, AdjudicationWindow) else window._annotator


def tags_of(layer: PatientLayer) -> Tags:
    return {
        (*each.key, each.tag.start, each.tag.end, each.phi_type.name, each.tag.comment)
        for each in layer.tags
    }


def replayed(project: Project, patient_id: str, owner: str, *, from_files: bool) -> Tags:
    """What the journal says alone, or with what the files have of it already."""
    view = MergedView(project.patient(patient_id))
    lines = read_journal(project.journal_path(owner, patient_id))
    documents = view.patient.documents
    if from_files:
        stored = {each.record_id: project.read_layer(owner, each).layer for each in documents}
    else:
        stored = {each.record_id: Layer.of(each.record_id, owner, ()) for each in documents}
        lines = [line for line in lines if line["op"] != "saved"]
    return tags_of(PatientLayer(view, owner, stored, lines, _NoJournal()))


def while_open(window: PatientWindow, project: Project) -> Iterator[str]:
    """What is wrong before anything is saved, as if the program were killed now."""
    session = window.session
    if session is None:
        return
    owner, patient_id = owner_of(window), session.patient_id
    shown = tags_of(session.layer)
    yield from _differences(
        "journal", replayed(project, patient_id, owner, from_files=False), shown
    )
    yield from _differences("files", replayed(project, patient_id, owner, from_files=True), shown)
    yield from _shown_tags(window, session)
    yield from _counts(window, session)
    if isinstance(window, AdjudicationWindow):
        yield from _adjudication(window)


def once_saved(window: PatientWindow, project: Project, folder: Path) -> Iterator[str]:
    """What is wrong once the files have everything: they, the commands, the gold standard."""
    session = window.session
    if session is None:
        return
    window.save_now()
    owner, said = owner_of(window), window._parts.saved.text()
    if not _QUIET.match(said):
        yield f"after saving the window says {said!r}"
    if session.unsaved:
        yield "after saving something is unsaved"
    for each in session.view.patient.documents:
        stored = _filed(project.read_layer(owner, each).layer, owner)
        kept = _filed(session.layer.layer(each.record_id), owner)
        if stored != kept:
            yield f"{each.record_id}: the file has {stored - kept}, not {kept - stored}"
    status = _status(project, folder)
    if isinstance(window, AdjudicationWindow):
        window._look_again()
        yield from of_gold(project)
        yield from _gold_status(window, status)
    else:
        yield from _annotation_status(window, status)


def of_gold(project: Project) -> Iterator[str]:
    """Where the decision log and the gold standard on disk do not agree."""
    problems: list[FileError] = []
    golds: dict[str, GoldLayer] = {}
    for entry in read_log(project, project.patient_ids, problems, checked=True):
        decision, key = entry.decision, entry.key
        if decision is None:
            continue
        gold = golds.setdefault(entry.patient_id, read_gold(project, entry.patient_id))
        if entry.is_edited_after:
            yield f"{key.record_id} {key.span}: a decision did not follow"
        tags = [each for each in gold.tags if each.record_id == key.record_id]
        if not set(decision.marks) <= {each.tag.mark for each in tags}:
            yield f"{key.record_id} {key.span}: the gold standard lacks what was decided"
        there = [each for each in tags if each.tag.span.overlaps(key.span)]
        if decision.choice is DecisionChoice.NEITHER and not all(map(_beside(gold, key), there)):
            yield f"{key.record_id} {key.span}: no tag was decided, and there is one"
    yield from map(str, problems)


def _beside(gold: GoldLayer, key: DisagreementKey) -> Callable[[PlacedTag], bool]:
    """Whether a tag was decided on by another disagreement, which lies over this one."""
    return lambda tag: any(
        each != key and each.span.overlaps(key.span) for each in gold.book.owners(tag.key)
    )


def outside(project: Project, folders: Iterable[Path], secrets: Iterable[str]) -> Iterator[str]:
    """Files outside the project that hold text of a record; `secrets` are PHI of some length."""
    wanted = [each.encode() for each in secrets]
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and (data := path.read_bytes()):
                yield from (f"{path.name} holds PHI" for each in wanted if each in data)
    for path in (each for each in project.root.rglob("*") if each.is_file()):
        if path.stat().st_mode & 0o077 and path.suffix in {".xml", ".jsonl", ".json"}:
            yield f"{path.relative_to(project.root)} can be read by others"
        if path.suffix in {".tmp", ".partial"}:
            yield f"{path.relative_to(project.root)} was left"


def titles(secrets: Iterable[str]) -> Iterator[str]:
    """Windows that have PHI in their title."""
    for each in QApplication.topLevelWidgets():
        yield from (
            f"title of {type(each).__name__}" for one in secrets if one in each.windowTitle()
        )


def memory() -> int:
    """The memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def _differences(what: str, there: Tags, shown: Tags) -> Iterator[str]:
    if there != shown:
        yield f"{what}: lacks {sorted(shown - there)}, has {sorted(there - shown)} besides"


def _shown_tags(window: PatientWindow, session: PatientSession) -> Iterator[str]:
    text = session.view.text
    if window.view.document().characterCount() - 1 > len(text.encode("utf-16-le", "replace")) // 2:
        yield "there is more text on the page than in the records"
    tags = {(each.key, each.start, each.end) for each in session.tags}
    marks = {
        (each.key, each.start, each.end)
        for each in window.view.marks()
        if each.style is MarkStyle.TAG
    }
    if tags != marks:
        yield f"the page lacks {sorted(tags - marks)}, shows {sorted(marks - tags)} besides"
    count = len(session.tags)
    said = window._parts.tag_count.text()
    if said != f"{count:,} {'tag' if count == 1 else 'tags'}":
        yield f"there are {count} tags, the window says {said!r}"
    rows = Counter(row.key for row in window._parts.tags.model.rows)
    is_filtered = bool(window._parts.tags._filter.text())
    if not is_filtered and rows != Counter(each.key for each in session.tags):
        yield f"the table of tags has {len(rows)} of {count} tags"
    if _QUIET.match(window._parts.saved.text()) and session.unsaved:
        yield f"the window says {window._parts.saved.text()!r}, and something is unsaved"


def _counts(window: PatientWindow, session: PatientSession) -> Iterator[str]:
    """What the list of records and the palette count."""
    records = Counter(each.record_id for each in session.tags)
    model = window._parts.records.model
    for row, record_id in enumerate(model.rows):
        said = model.index(row, TAGS).data()
        if said != f"{records[record_id]:,}":
            yield f"{record_id} has {records[record_id]} tags, the list of records says {said}"
    if not isinstance(window, AdjudicationWindow):
        types = Counter(each.phi_type for each in session.tags)
        for each in window._project.schema.types():
            said = window._parts.palette.button(each.phi_type).count
            if said != types[each.phi_type]:
                yield f"there are {types[each.phi_type]} {each.name}, the palette says {said}"


def _adjudication(window: AdjudicationWindow) -> Iterator[str]:
    session = window.session
    assert session is not None
    queue, said = session.queue, window._parts.progress.text()
    decided = [found for each in queue if (found := queue.decision(each)) is not None]
    if len(decided) != queue.progress.decided or len(list(queue)) != queue.progress.total:
        yield f"{queue.progress} decided, and {len(decided)} decisions"
    if not said.startswith(f"{queue.progress} decided"):
        yield f"{queue.progress} decided, the window says {said!r}"
    for each in decided:
        if not queue.gold.holds(each):
            yield f"{each.key.span}: the gold standard does not hold the decision"
        if each.mode is DecisionMode.EDITED_AFTER:
            yield f"{each.key.span}: a decision did not follow"
    yield from _current(window, session)


def _current(window: AdjudicationWindow, session: AdjudicationSession) -> Iterator[str]:
    """Whether caret, table and pane are at the same disagreement."""
    current, parts = window.disagreements.current, window._parts
    selected, caret = window.view.selected_span(), window.view.caret()
    start, end = (selected.start, selected.end) if selected else (caret, caret)
    if current is not None and current not in session.queue.at(start, end):
        yield "the current disagreement is not at the caret"
    table = parts.disagreements.table
    rows = {index.row() for index in table.selectionModel().selectedRows()}
    wanted = {parts.disagreements.model.number(current)} - {None} if current else set()
    if rows != wanted:
        yield f"rows {rows} are selected in the table of disagreements, not {wanted}"
    if current is not None:
        asked = question_about(session, current, hidden=window.disagreements.names_hidden)
        title = parts.decision.findChild(QLabel, "decisionTitle").text()
        if escape(asked.title) not in title:
            yield f"the pane asks about {title!r}, not {asked.title!r}"


def _filed(layer: Layer, owner: str) -> set[Tag]:
    """What a file has of each tag: in the gold standard not how it came to be."""
    return {replace(each, origin=Origin.HAND) if owner == GOLD else each for each in layer.tags}


def _status(project: Project, folder: Path) -> dict[str, Any]:
    path = folder / "status.json"
    path.unlink(missing_ok=True)
    code = main(["status", str(project.root), "--json", str(path)])
    assert code == 0, f"tandem status ended with {code}"
    return json.loads(path.read_text())


def _annotation_status(window: PatientWindow, status: dict[str, Any]) -> Iterator[str]:
    session, owner = window.session, owner_of(window)
    assert session is not None
    rows = {row.patient_id: row.state for row in window._parts.worklist._rows}
    for patient in status["patients"]:
        mine = [each for each in patient["annotators"] if each["annotator"] == owner]
        for each in mine:
            listed = rows[patient["patient"]].replace("adjudicated", "done")
            if listed != each["state"]:
                yield f"{patient['patient']} {each['state']}, listed as {listed}"
            if patient["patient"] == session.patient_id and each["tags"] != len(session.tags):
                yield f"status counts {each['tags']} tags of {len(session.tags)}"


def _gold_status(window: AdjudicationWindow, status: dict[str, Any]) -> Iterator[str]:
    session = window.session
    assert session is not None
    rows = {row.patient_id: row for row in window._parts.worklist._rows}
    for patient in status["patients"]:
        row = rows[patient["patient"]]
        is_open = patient["patient"] == session.patient_id
        wanted = patient["gold"]
        if is_open and (wanted == "waiting" or (wanted == "done" and session.queue.progress.left)):
            wanted = "begun"
        if row.stage != wanted:
            yield f"{patient['patient']} is {patient['gold']}, listed as {row.stage}"
    counted = sum(sum(each.values()) for each in status["decisions"].values())
    opened = sum(each.get("open", 0) for each in status["decisions"].values())
    in_books = sum(1 for each in status["patients"] for _ in _decisions(window, each["patient"]))
    if counted - opened != in_books:
        yield f"status counts {counted - opened} decisions, there are {in_books}"


def _decisions(window: AdjudicationWindow, patient_id: str) -> Iterator[object]:
    for each in read_decisions(window._project, patient_id):
        if not each.choice.is_automatic:
            yield each
