"""A part of the agreement: a type, an annotator, and everything again."""

from shared.project.project import Project
from tests.adjudicator.agreement_reader import ANA, BY_TYPE, Reader, write_gold


def test_a_type_leaves_the_others_out(reader: Reader):
    reader.turn_to(BY_TYPE)
    reader.choose("agreementType", "PATIENT")
    assert [row[2] for row in reader.cells(reader.table)] == ["NAME", "NAME:PATIENT"]


def test_show_all_leaves_nothing_out_again(reader: Reader):
    reader.turn_to(BY_TYPE)
    before = reader.cells(reader.table)
    reader.choose("agreementType", "DATE")
    assert reader.cells(reader.table) != before
    reader.press("agreementEverything")
    reader.wait()
    assert reader.cells(reader.table) == before


def test_an_annotator_keeps_the_pairs_with_one(hand, project: Project, reader: Reader):
    write_gold(project, *ANA)
    reader.press("agreementAgain")
    reader.wait()
    reader.turn_to("What was compared")
    assert len(reader.cells(reader.table)) == 3
    reader.choose("agreementAnnotator", "ben")
    assert [row[:2] for row in reader.cells(reader.table)] == [["ana", "ben"], ["ben", "gold"]]
