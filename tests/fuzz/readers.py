"""Every reader of something that comes from outside, on the files of a folder.

A reader ends in a right reading, or raises what Tandem shows as one sentence; what it says beside
goes through `said`.
"""

import contextlib
import io
import os
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from adjudicator.audit_book import AuditBook
from adjudicator.checked_tags import CheckedTags
from adjudicator.decision_log import read_log
from adjudicator.gold_layer import read_gold
from adjudicator.release.folder import read_places
from adjudicator.release.held_back import read_held_back
from adjudicator.release.released import read_made
from adjudicator.session import AdjudicationSession
from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.errors import FileError, FileFormatError, TandemError
from shared.formats.base import ReadOptions, WriteOptions
from shared.formats.corpus import read_corpus
from shared.formats.quoted_spans import has_quotes, read_quotes
from shared.formats.registry import FORMATS, read_schema_file
from shared.language.languages import language, languages_in
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.collecting import collect
from shared.project.handed_work import open_handed_out
from shared.project.imported_suggestions import ImportedSuggestions
from shared.project.lock import acquire_lock
from shared.project.notes import NoteBook
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.recognition.model_folder import load_model, read_ensemble_weights
from shared.recognition.rules import read_patterns
from shared.surrogates.key_map import decrypted_map
from shared.surrogates.residual_risk import with_statements
from shared.surrogates.restoring import restored
from shared.surrogates.review import choices_from_json, choices_in_table
from shared.surrogates.surrogate_kinds import read_kinds
from shared.widgets.settings.preferences import from_json
from tests.builders import document
from tests.fuzz.material import PASSPHRASE

Said = Callable[[BaseException], object]
"""Takes what was told without being raised."""
Reader = Callable[[Path, Said], object]


def _format(name: str) -> Reader:
    def read(folder: Path, said: Said) -> None:
        form = FORMATS[name]
        corpus = read_corpus(folder, formats=[form])
        for each in (*corpus.problems, *corpus.unread):
            said(each)
        list(form.write(corpus.records, WriteOptions()))
        options = ReadOptions({"predictions": "yes"}, by_quote=True)
        for each in read_corpus(folder, options=options).problems:
            said(each)

    return read


def _each(read: Callable[[Path], object]) -> Reader:
    """A reader of single files."""
    return lambda folder, _: [read(each) for each in sorted(folder.iterdir())]


def _model(folder: Path, _: Said) -> None:
    read_ensemble_weights(folder)
    load_model(folder, I2B2_2014).suggest([document("Seen by Dr. Lee on 3/4/2071.")])


def _handed(folder: Path, said: Said) -> None:
    for path in sorted(folder.iterdir()):
        for read in (
            lambda path=path: collect(_home(folder), path.read_bytes(), path, PASSPHRASE),
            lambda path=path: _opened(path, folder),
        ):
            try:
                read()
            except TandemError as error:
                said(error)


def _opened(path: Path, folder: Path) -> None:
    target = folder.parent / "opened"
    Project.open(open_handed_out(path.read_bytes(), path, PASSPHRASE, target).root).assignments()


@cache
def _home(folder: Path) -> Project:
    return Project.open(folder.parent / "home")


def _map(folder: Path, _: Said) -> None:
    path = folder / "map"
    rows = decrypted_map(path.read_bytes(), path, PASSPHRASE)
    restored({"101-01": "Xyz. came"}, rows)


def _quotes(folder: Path, said: Said) -> None:
    path = folder / "quotes.jsonl"
    if has_quotes(path):
        for each in read_quotes(path):
            if isinstance(each, FileError):
                said(each)


def _language(folder: Path, _: Said) -> None:
    with languages_in(folder.parent):
        read = language(folder.name)
        for pattern in read.patterns:
            read.expression(str(pattern.get("find", "")))


def _card(folder: Path, _: Said) -> None:
    read_made(folder)


def _locked(path: Path) -> None:
    os.utime(path, (0, 0))  # what is half written is waited for while it is young
    acquire_lock(path, "ana").release()


def _project(folder: Path, said: Said) -> None:
    """What a project holds; a patient whose files are spoilt keeps no other from being read."""
    project = Project.open(folder)
    _told(project.assignments, said)
    for each in project.patient_ids:
        for read in (
            lambda each=each: project.gold_status(each),
            lambda each=each: read_gold(project, each),
            lambda each=each: [
                project.read_layer(name, record)
                for record in project.patient(each).documents
                for name in (*project.annotators, GOLD)
            ],
        ):
            _told(read, said)
    problems: list[FileError] = []
    _told(lambda: list(read_log(project, project.patient_ids, problems, checked=True)), said)
    notes = NoteBook(project, GOLD)
    notes.refresh()
    for each in (*problems, *notes.problems):
        said(each)
    _told(AuditBook(project).audits, said)
    _told(lambda: read_held_back(project.root), said)
    _told(lambda: ImportedSuggestions(project).of(project.record_ids(project.patient_ids[0])), said)
    for name in (*project.annotators, GOLD):
        _told(lambda name=name: CheckedTags.of_project(project, name), said)


def _sessions(folder: Path, said: Said) -> None:
    """The windows' sessions, opened and closed."""
    project = Project.open(folder)
    for each in project.patient_ids:
        for name in project.annotators:
            _told(lambda each=each, name=name: AnnotationSession(project, name, each).close(), said)
        _told(lambda each=each: AdjudicationSession(project, each, "carol").close(), said)


def _commands(folder: Path, said: Said) -> None:
    """Commands on a project print no traceback and one line at most where they say 2."""
    for words in (["status", str(folder), "--time"], ["agreement", str(folder)]):
        printed = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(printed):
            main(words)
        for line in printed.getvalue().splitlines():
            said(TandemError(line.removeprefix("tandem: ")))


def _told(read: Callable[[], object], said: Said) -> None:
    try:
        read()
    except TandemError as error:
        said(error)


def _statements(path: Path) -> None:
    try:
        with_statements(path.read_bytes(), b"", ())
    except ValueError as error:
        raise FileFormatError(path, str(error)) from None


def _read(path: Path, parse: Callable[[bytes, Path], Iterable[object]]) -> None:
    list(parse(path.read_bytes(), path))


READERS: dict[str, Reader] = {
    **{f"format {name}": _format(name) for name in FORMATS},
    "model": _model,
    "handed out": _handed,
    "schema": _each(read_schema_file),
    "patterns": _each(read_patterns),
    "kinds": _each(read_kinds),
    "language": _language,
    "map": _map,
    "places": _each(read_places),
    "quotes": _quotes,
    "choices": _each(lambda path: _read(path, choices_from_json)),
    "review": _each(lambda path: _read(path, choices_in_table)),
    "card": _card,
    "statements": _each(_statements),
    "lock": _each(_locked),
    "preferences": _each(lambda path: from_json(path.read_bytes())),
    "project": _project,
    "project sessions": _sessions,
    "project commands": _commands,
}
