"""Audits as they are drawn and kept, and what is said of them."""

import json

import pytest

from adjudicator.audit_book import (
    HIDDEN,
    SHOWN,
    AuditBook,
    adjudicated_records,
    gold_digest,
    new_reading,
    standing,
)
from adjudicator.audit_statements import audit_statement, statement_of
from shared.errors import FileFormatError, RequestError
from shared.formats.base import Record
from shared.model import Layer, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.builders import document, marked_up

DOCTOR = PhiType("NAME", "DOCTOR")
SOURCE = "[Ann Lee|PATIENT] saw Dr. Petty."
LEFT = (Span(16, 21), DOCTOR)


@pytest.fixture
def project(tmp_path):
    names = [f"{patient}-0{number}" for patient in range(110, 120) for number in (1, 2)]
    records = [Record.of(document(SOURCE, name), marked_up(SOURCE)[1]) for name in names]
    return Project.create(
        tmp_path / "project", "P", I2B2_2014, records, ("ana", "ben"), 1, import_as="gold"
    )


def drawn(project, size=10, tags=HIDDEN, seed=None):
    return AuditBook(project).draw(adjudicated_records(project), size, "carol", tags, seed)


def read(project, draw, record_ids, left=(), none=()):
    now = adjudicated_records(project)
    for each in record_ids:
        marked = (*(tag.mark for tag in now[each].layer.tags), *left, *none)
        AuditBook(project).keep(draw, new_reading(now[each], "carol", marked, none, draw.tags))


def mend(project, record_id, marks):
    record = adjudicated_records(project)[record_id]
    tags = [*record.layer.tags]
    tags += marked_up("[Ann Lee|PATIENT] saw Dr. [Petty|DOCTOR].")[1][1:]
    assert len(tags) == 1 + len(marks)
    layer = Layer.of(record_id, "gold", tags)
    digest = project.read_layer("gold", record.document).digest
    project.write_layer("gold", record.document, layer, digest)


def said(project):
    statement = audit_statement(project)
    return " ".join((*statement.says, *statement.limits))


def test_a_draw_is_kept_with_the_archive_that_it_was_drawn_from(project):
    draw = drawn(project)
    kept = AuditBook(project).latest()
    assert kept.draw == draw
    assert len(set(draw.record_ids)) == 10
    assert set(draw.archive) == set(adjudicated_records(project))
    assert "says nothing yet" in said(project)
    assert not audit_statement(project).is_told


def test_a_seed_draws_the_same_and_that_is_said(project):
    assert drawn(project, seed=3).record_ids == drawn(project, seed=3).record_ids
    read(project, AuditBook(project).latest().draw, [drawn(project, seed=3).record_ids[0]])
    read(project, AuditBook(project).latest().draw, AuditBook(project).latest().draw.record_ids)
    assert "whoever chose it could know what it would draw" in said(project)


def test_without_a_seed_two_draws_differ(project):
    assert len({drawn(project).record_ids for _ in range(5)}) > 1


@pytest.mark.parametrize("size", [0, 21, -1])
def test_more_than_there_is_cannot_be_drawn(project, size):
    with pytest.raises(RequestError, match="give 1 to 20"):
        drawn(project, size)
    assert AuditBook(project).audits() == []


def test_where_nothing_is_adjudicated_there_is_nothing_to_draw(tmp_path):
    records = [Record(document("x", "110-01"))]
    project = Project.create(tmp_path / "p", "P", I2B2_2014, records, ("ana", "ben"), 1)
    with pytest.raises(RequestError, match="no record is adjudicated"):
        drawn(project, 1)


def test_what_was_not_read_counts_as_having_phi_left(project):
    draw = drawn(project)
    read(project, draw, draw.record_ids[:9])
    audit = AuditBook(project).latest()
    assert audit.unread == [draw.record_ids[9]]
    assert not audit.with_phi
    before = audit.bound.share
    assert "the 1 not read to the end are counted as having some" in said(project)
    read(project, draw, draw.record_ids[9:])
    assert AuditBook(project).latest().bound.share < before


def test_all_read_and_nothing_found_gives_the_bound_of_the_finite_archive(project):
    draw = drawn(project)
    read(project, draw, draw.record_ids)
    bound = AuditBook(project).latest().bound
    assert (bound.share, bound.method) == (3 / 20, "hypergeometric")
    assert "All were read to the end by a person, without the tags in sight" in said(project)
    assert "no more than 15 % of the records had PHI left" in said(project)
    assert "Gold changed since" not in said(project)


def test_what_was_found_is_counted_once_however_often_it_is_read(project):
    draw = drawn(project)
    read(project, draw, draw.record_ids, left=[])
    read(project, draw, draw.record_ids[:1], left=[LEFT])
    read(project, draw, draw.record_ids[:1], left=[LEFT])
    read(project, draw, draw.record_ids[:1])
    audit = AuditBook(project).latest()
    assert audit.with_phi == {draw.record_ids[0]}
    assert audit.found == 1
    assert "PHI was found left in 1 of them (1 in all)" in said(project)


def test_what_was_found_and_is_not_in_gold_is_said_until_it_is(project):
    draw = drawn(project)
    first = draw.record_ids[0]
    read(project, draw, draw.record_ids[1:])
    read(project, draw, [first], left=[LEFT])
    assert "not yet in the gold standard" in said(project)
    mend(project, first, [LEFT])
    assert "not yet in the gold standard" not in said(project)
    assert "Gold changed since: that of 1 record " in said(project)  # nobody said the audit did it
    AuditBook(project).keep_edited(draw, adjudicated_records(project)[first])
    assert "Gold changed since" not in said(project)


def test_what_the_gold_standard_covers_is_not_left_whatever_its_type(project):
    record = adjudicated_records(project)[drawn(project).record_ids[0]]
    other = (Span(0, 7), DOCTOR)
    reading = new_reading(record, "carol", [other, LEFT], [], HIDDEN)
    assert reading.left == (LEFT,)
    assert (reading.known, reading.seen) == (1, 1)
    half = (Span(4, 12), DOCTOR)  # reaches over its end
    assert new_reading(record, "carol", [half], [], HIDDEN).left == (half,)


def test_what_the_reader_takes_back_is_not_left_but_counted(project):
    record = adjudicated_records(project)[drawn(project).record_ids[0]]
    reading = new_reading(record, "carol", [LEFT], [LEFT], HIDDEN)
    assert (reading.left, reading.none, reading.seen) == ((), 1, 0)


def test_how_many_known_tags_a_reader_found_is_said_only_of_who_did_not_see_them(project):
    draw = drawn(project)
    read(project, draw, draw.record_ids)
    assert "of the 10 PHI that were known there, they marked 10" in said(project)
    shown = drawn(project, tags=SHOWN)
    read(project, shown, shown.record_ids)
    alone = statement_of([standing(AuditBook(project).latest(), adjudicated_records(project))])
    assert "they marked" not in " ".join(alone.limits)
    assert "with the tags in sight" in alone.says[0]
    assert AuditBook(project).latest().readings[0].seen == 0


def test_who_marks_too_little_of_what_is_known_makes_no_bound_to_rely_on(project):
    draw = drawn(project)
    now = adjudicated_records(project)
    for each in draw.record_ids:
        AuditBook(project).keep(draw, new_reading(now[each], "carol", [], [], HIDDEN))
    assert "readers marked 0" in audit_statement(project).says[0]
    assert "Do not rely on this bound" in audit_statement(project).says[0]
    again = drawn(project)
    read(project, again, again.record_ids)
    assert "Do not rely" not in audit_statement(project).says[1]


def test_mending_what_was_drawn_before_reading_it_is_said(project):
    draw = drawn(project)
    mend(project, draw.record_ids[0], [LEFT])
    read(project, draw, draw.record_ids)
    assert "changed between the draw and the reading" in said(project)
    assert "Gold changed since" not in said(project)


def test_an_edit_anywhere_after_the_draw_is_said(project):
    draw = drawn(project)
    read(project, draw, draw.record_ids)
    other = next(each for each in draw.archive if each not in draw.record_ids)
    mend(project, other, [LEFT])
    assert "Gold changed since: that of 1 record is not as the audit knew it" in said(project)


def test_what_was_not_there_to_be_drawn_is_said(project, tmp_path):
    draw = drawn(project)
    read(project, draw, draw.record_ids)
    now = dict(adjudicated_records(project))
    now["130-01"] = now.pop(next(each for each in now if each not in draw.record_ids))
    told = " ".join(statement_of([standing(AuditBook(project).latest(), now)]).says)
    assert "1 record adjudicated since could not be drawn" in told
    assert "Gold changed since: that of 1 record " in told


def test_every_draw_is_listed_those_that_nobody_read_too(project):
    drawn(project)
    draw = drawn(project)
    read(project, draw, draw.record_ids)
    statement = audit_statement(project)
    assert [each.split(":")[0] for each in statement.says] == ["Audit 1", "Audit 2"]
    assert "says nothing yet" in statement.says[0]
    assert "drawn more than once" in " ".join(statement.limits)


def test_no_audit_is_said_plainly(project):
    assert audit_statement(project).says[0].startswith("No audit was made")
    assert not audit_statement(project).is_told


def test_a_file_with_a_line_of_another_hand_is_refused_and_the_card_says_so(project):
    draw = drawn(project)
    path = project.root / "audit" / "audits.jsonl"
    for line in (
        {"op": "read", "draw": draw.draw_id, "record": "999-01"},
        {"op": "read", "draw": "x", "record": draw.record_ids[0]},
        {"op": "what", "draw": draw.draw_id, "record": draw.record_ids[0]},
        {"op": "draw", "draw": "y", "records": ["1"], "archive": {}, "tags": "hidden"},
        {"op": "draw"},
    ):
        before = path.read_bytes()
        path.write_bytes(before + (json.dumps(line) + "\n").encode())
        with pytest.raises(FileFormatError, match="line 2"):
            AuditBook(project).audits()
        assert "cannot be read" in said(project)
        path.write_bytes(before)


def test_neither_text_nor_ids_nor_names_are_said(project):
    draw = drawn(project)
    read(project, draw, draw.record_ids, left=[LEFT])
    statement = audit_statement(project)
    told = json.dumps([statement.says, statement.limits, dict(statement.figures)])
    for word in ("Petty", "Ann", "carol", *draw.record_ids):
        assert word not in told
    kept = (project.root / "audit" / "audits.jsonl").read_text()
    assert "Petty" not in kept


def test_the_hash_of_a_record_is_that_of_places_and_types(project):
    record = adjudicated_records(project)["110-01"]
    tags = marked_up(SOURCE)[1]
    assert gold_digest(Layer.of("110-01", "other", tags)) == record.digest
    assert gold_digest(Layer.of("110-01", "gold", ())) != record.digest
