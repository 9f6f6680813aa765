"""What holds a release up, until it is set right or dismissed with a reason."""

import re

import pytest

from adjudicator.release.session import ReleaseSession
from shared.commands.main import main
from shared.errors import RequestError
from tests.adjudicator.release.sessions import (
    LEAKY,
    SOURCES,
    UNTAGGED,
    again,
    make,
    out,
    reviewed,
    rows,
)


def test_findings_and_leaks_have_their_place(tmp_path):
    session = ReleaseSession(make(tmp_path, {"111-01": LEAKY, "112-01": UNTAGGED}))
    finding = next(each for each in session.blockers if each.what.startswith("not tagged"))
    leak = next(each for each in session.blockers if each.record_id == "111-01")
    text = session.project.patient("112").documents[0].text
    assert finding.span.text_in(text) == "Petty"
    assert finding.span.start > 5
    assert leak.type_name == "PATIENT"
    assert "Petty" not in " ".join(each.what for each in session.blockers)


def test_a_release_is_refused_while_something_stands_in_the_way(tmp_path):
    session = ReleaseSession(make(tmp_path, {"111-01": LEAKY}))
    with pytest.raises(RequestError, match="hold the release up"):
        session.release(out(tmp_path))
    assert not (tmp_path / "out").exists()


def test_what_was_dismissed_is_an_obstacle_no_more_for_view_and_command(tmp_path):
    session = ReleaseSession(make(tmp_path, {"112-01": UNTAGGED}))
    while session.blockers:
        session.dismiss(session.blockers[0], "the name of a method")
    assert not again(session).blockers
    assert main(["surrogate", str(session.project.root), "--out", str(tmp_path / "out")]) == 0
    card = (tmp_path / "out" / "data_card.md").read_text()
    assert "1 findings dismissed with a reason" in card
    assert "method" not in card


def test_nothing_is_dismissed_without_a_reason(tmp_path):
    session = ReleaseSession(make(tmp_path, {"112-01": UNTAGGED}))
    before = len(session.blockers)
    with pytest.raises(RequestError, match="say why"):
        session.dismiss(session.blockers[0], "  ")
    assert len(again(session).blockers) == before


@pytest.mark.parametrize(
    "source",
    [
        "Born [08/14|DATE]/1950.",
        "Since [March 3|DATE], 1997 she [walks|OTHER].",
        "Chandran [Powell|PATIENT] came.",
        "Mr. [Powell|PATIENT] came to the clinic and was seen for the pain in his knee. Age 95.",
        "[Ada Powell|DATE] came.",
        "[Tea|PATIENT]-\nsdale came.",
    ],
)
def test_a_release_waits_for_a_person(tmp_path, source):
    """Each of these was released with status 0."""
    project = make(tmp_path, {"112-01": source})
    assert main(["surrogate", str(project.root), "--out", str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()
    assert ReleaseSession(project).blockers


def test_a_birth_date_is_lowered_with_the_age(tmp_path):
    """95 was released as 90 beside a date of birth that told 95."""
    source = "Born [1986-12-02|DATE]. Age [95|AGE]. Seen [2082-03-04|DATE]."
    project = make(tmp_path, {"112-01": source})
    assert main(["surrogate", str(project.root), "--out", str(tmp_path / "out")]) == 0
    text = (tmp_path / "out" / "text" / "112-01.txt").read_text()
    born, seen = (int(year) for year in re.findall(r"(\d{4})-", text))
    assert "Age 90." in text
    assert seen - born in {90, 91}


def test_a_script_may_release_what_nobody_has_reviewed_but_no_leak(tmp_path):
    project = make(tmp_path, SOURCES)
    command = ["surrogate", str(project.root), "--out", str(tmp_path / "out")]
    assert main([*command, "--accept-unreviewed"]) == 1
    assert "NOT REVIEWED: 2 " in (tmp_path / "out" / "data_card.md").read_text()
    project = make(tmp_path / "leaky", {"111-01": LEAKY})
    command = ["surrogate", str(project.root), "--out", str(tmp_path / "second")]
    assert main([*command, "--accept-unreviewed"]) == 1
    assert not (tmp_path / "second").exists()


def test_a_leak_in_a_surrogate_cannot_be_called_no_phi(session):
    session = reviewed(session)
    session.edit(rows(session, "Petty")[0], "Holcomb")
    with pytest.raises(RequestError, match="edit this one"):
        session.dismiss(session.blockers[0], "chance")


def test_a_patient_without_gold_is_an_obstacle_and_the_others_are_listed(tmp_path):
    project = make(tmp_path, SOURCES)
    (project.root / "gold" / "111-01.xml").unlink()
    session = ReleaseSession(project)
    assert session.rows("110")
    assert (session.blockers[0].patient_id, session.blockers[0].record_id) == ("111", "")
    with pytest.raises(RequestError, match="111 has no gold standard"):
        session.release(out(tmp_path))


def test_a_broken_gold_file_is_an_obstacle(tmp_path):
    project = make(tmp_path, SOURCES)
    (project.root / "gold" / "111-01.xml").write_bytes(b"<x")
    assert "111-01.xml" in ReleaseSession(project).blockers[0].what


def test_a_tag_that_would_be_left_out_holds_the_release_up(tmp_path):
    inner = "[Dennis Holcomb|PATIENT] and more"
    project = make(tmp_path, {"110-01": inner})
    path = project.root / "gold" / "110-01.xml"
    tag = '<DATE id="P9" start="0" end="6" text="Dennis" TYPE="DATE" comment="" />'
    path.write_text(path.read_text().replace("</TAGS>", tag + "</TAGS>"))
    session = ReleaseSession(project)
    assert [each.replacement.original for each in session.rows()] == ["Dennis Holcomb"]
    (blocker,) = session.blockers
    assert blocker.type_name == "DATE"
    session.dismiss(blocker, "only the name is meant")
    assert not again(session).blockers
