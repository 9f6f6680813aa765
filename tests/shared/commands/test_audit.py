"""`tandem audit`: drawing, and where audits stand."""

import json

import pytest

from adjudicator.audit_book import AuditBook, adjudicated_records, new_reading
from shared.commands.main import main
from shared.formats.base import Record
from shared.model import PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.builders import document, marked_up

SOURCE = "[Ann Lee|PATIENT] saw Dr. Petty."


@pytest.fixture
def project(tmp_path):
    names = [f"{patient}-01" for patient in range(100, 140)]
    records = [Record.of(document(SOURCE, name), marked_up(SOURCE)[1]) for name in names]
    return Project.create(
        tmp_path / "project", "P", I2B2_2014, records, ("ana", "ben"), 1, import_as="gold"
    )


def read_all(project, left=()):
    audit, now = AuditBook(project).latest(), adjudicated_records(project)
    for each in audit.draw.record_ids:
        reading = new_reading(now[each], "carol", left, (), audit.draw.tags)
        AuditBook(project).keep(audit.draw, reading)


def run(project, *words):
    return main(["audit", str(project.root), *words])


def test_without_a_draw_it_says_that_there_was_none(project, capsys):
    assert run(project) == 0
    assert "No audit was made" in capsys.readouterr().out


def test_how_many_to_read_is_said_for_this_archive_and_for_one_without_end(project, capsys):
    assert run(project, "--for-bound", ".01") == 0
    assert "39 records of 40 to read" in capsys.readouterr().out
    assert run(project, "--for-bound", ".01", "--json", "-") == 0
    assert json.loads(capsys.readouterr().out)["endless_archive"] == 299
    assert run(project, "--for-bound", ".2", "--json", "-") == 0
    assert json.loads(capsys.readouterr().out)["records"] == 11


@pytest.mark.parametrize("share", ["0", "1", "2", "x", "nan"])
def test_what_is_no_share_is_refused(project, share, capsys):
    assert run(project, "--for-bound", share) == 2
    assert "share" in capsys.readouterr().err


def test_a_draw_is_made_once_and_another_only_on_purpose(project, capsys):
    assert run(project, "--sample", "10") == 0
    first = AuditBook(project).latest().draw
    assert "says nothing yet" in capsys.readouterr().out
    assert run(project, "--sample", "10") == 2
    assert "10 records were drawn on" in capsys.readouterr().err
    assert AuditBook(project).latest().draw == first
    assert run(project, "--sample", "12", "--new-draw", "--tags", "shown") == 0
    assert "Audit 1: 10 records" in capsys.readouterr().out
    assert AuditBook(project).latest().draw.tags == "shown"


def test_more_than_there_are_is_refused(project, capsys):
    assert run(project, "--sample", "41") == 2
    assert "give 1 to 40" in capsys.readouterr().err


def test_the_bound_is_printed_and_what_was_found_ends_with_1(project, capsys):
    run(project, "--sample", "10", "--seed", "3")
    read_all(project)
    capsys.readouterr()
    assert run(project) == 0
    said = capsys.readouterr().out
    assert "With 95 % confidence no more than 22.5 % of the records had PHI left" in said
    assert "exact hypergeometric bound" in said
    assert "drawn" in said
    assert "with a seed" in said
    assert "To read" not in said
    read_all(project, left=[(Span(16, 21), PhiType("NAME", "DOCTOR"))])
    assert run(project) == 1


def test_json_has_records_bound_and_sentences(project, capsys):
    run(project, "--sample", "3")
    capsys.readouterr()
    assert run(project, "--json", "-") == 0
    (audit,) = json.loads(capsys.readouterr().out)["audits"]
    assert (audit["drawn"], audit["read"], audit["bound"]) == (3, 0, 1)
    assert [each["read"] for each in audit["records"]] == [False] * 3
    assert audit["says"][1].startswith("None of them was read")


def test_there_is_nothing_to_read_without_a_draw(project, capsys):
    assert run(project, "--read") == 2
    assert "draw some with --sample" in capsys.readouterr().err


def test_no_text_is_printed(project, capsys):
    run(project, "--sample", "40")
    read_all(project, left=[(Span(16, 21), PhiType("NAME", "DOCTOR"))])
    run(project)
    said = capsys.readouterr()
    assert "Petty" not in said.out + said.err
