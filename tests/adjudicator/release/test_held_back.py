"""Patients and records that are held back from a release, with a reason."""

import json

import pytest

from adjudicator.release.held_back import held_back_path
from adjudicator.release.session import ReleaseSession
from adjudicator.release.writing import StoredMap
from shared.errors import FileFormatError, RequestError
from shared.project.project import Project
from shared.surrogates.key_map import decrypted_map
from tests.adjudicator.release.sessions import (
    LEAKY,
    PASSPHRASE,
    SOURCES,
    UNTAGGED,
    again,
    make,
    out,
    reviewed,
    surrogates,
    without_digest,
)


def texts(folder) -> dict[str, str]:
    return {each.stem: each.read_text() for each in folder.rglob("*.txt")}


def test_what_is_held_back_holds_nothing_up_and_goes_nowhere(tmp_path):
    session = ReleaseSession(make(tmp_path, {**SOURCES, "112-01": LEAKY, "113-01": UNTAGGED}))
    session.hold_back([("112", "")], "the family asked for it")
    session.hold_back([("113", "113-01")], "a rare disease")
    reviewed(session)
    kept = StoredMap(tmp_path / "map", PASSPHRASE)
    session.release(out(tmp_path, test=30, kept_map=kept))
    assert set(texts(tmp_path / "out")) == set(SOURCES)
    rows = decrypted_map((tmp_path / "map").read_bytes(), tmp_path / "map", PASSPHRASE)
    assert "112-01" not in json.dumps(rows)
    assert "113-01" not in json.dumps(rows)


def test_the_card_counts_what_is_held_back_and_names_nothing(tmp_path):
    session = ReleaseSession(make(tmp_path, SOURCES))
    session.hold_back([("111", "")], "Ann requested it")
    session.hold_back([("110", "110-02")], "not hers")
    session.release(out(tmp_path))
    card = (tmp_path / "out" / "data_card.md").read_text()
    numbers = json.loads((tmp_path / "out" / "data_card.json").read_text())
    assert "2 records, among them all of 1 patients" in card
    assert "what may be left may count them too" in card
    assert numbers["held_back"] == {"records": 2, "patients": 1}
    assert numbers["parts"]["all"]["records"] == 1
    for told in ("Ann", "requested", "111", "110-02"):
        assert told not in without_digest(card + json.dumps(numbers))


def test_the_other_records_of_the_patient_are_as_if_it_went_out(tmp_path):
    project = make(tmp_path, SOURCES)
    session = reviewed(ReleaseSession(project))
    before = {
        each.record_id: each.text for one in session.draft.surrogates for each in one.documents
    }
    session.hold_back([("110", "110-01")], "too long")
    reviewed(session)
    session.release(out(tmp_path))
    after = texts(tmp_path / "out")
    assert after == {name: text for name, text in before.items() if name != "110-01"}


def test_a_name_that_only_the_held_record_tells_is_still_a_leak_in_the_other(tmp_path):
    sources = {"110-01": "[Dennis Holcomb|PATIENT] came.", "110-02": "Mr. Holcomb left."}
    session = ReleaseSession(make(tmp_path, sources))
    session.hold_back([("110", "110-01")], "too long")
    assert {each.record_id for each in session.blockers} == {"110-02"}
    with pytest.raises(RequestError, match="hold the release up"):
        session.release(out(tmp_path))


def test_patients_without_gold_or_with_broken_files_are_held_back_and_the_rest_goes_out(tmp_path):
    project = make(tmp_path, {**SOURCES, "112-01": LEAKY})
    (project.root / "gold" / "111-01.xml").unlink()
    (project.root / "gold" / "112-01.xml").write_bytes(b"<x")
    session = ReleaseSession(project)
    session.hold_back([("111", "")], "not adjudicated")
    session.hold_back([("112", "112-01")], "broken")
    reviewed(session)
    session.release(out(tmp_path))
    assert set(texts(tmp_path / "out")) == {"110-01", "110-02"}
    assert json.loads((tmp_path / "out" / "data_card.json").read_text())["held_back"] == {
        "records": 2,
        "patients": 2,
    }


def test_a_patient_without_gold_of_whom_one_record_is_held_back_still_stands_in_the_way(tmp_path):
    project = make(tmp_path, SOURCES)
    (project.root / "gold" / "110-01.xml").unlink()
    session = ReleaseSession(project)
    session.hold_back([("110", "110-01")], "no gold")
    assert [each.patient_id for each in session.blockers] == ["110"]


def test_holding_back_is_kept_undone_and_taken_back(tmp_path):
    session = ReleaseSession(make(tmp_path, {**SOURCES, "112-01": LEAKY}))
    before = session.blockers
    session.hold_back([("112", "")], "the family\nasked")
    assert [each.reason for each in again(session).held_back] == ["the family asked"]
    assert again(session).blockers == session.blockers != before
    assert surrogates(session, "Ann Lee") == surrogates(session, "Ann Lee")
    session.undo()
    assert again(session).held_back == session.held_back == ()
    assert session.blockers == before
    session.hold_back([("112", "")], "the family asked")
    session.let_in(("112", ""))
    assert again(session).held_back == ()
    session.undo()
    assert [each.reason for each in again(session).held_back] == ["the family asked"]
    lines = held_back_path(session.project.root).read_text().splitlines()
    assert len(lines) == 5  # nothing that was said is taken out of the file


def test_what_somebody_else_held_back_meanwhile_is_not_released(tmp_path):
    session = reviewed(ReleaseSession(make(tmp_path, SOURCES)))
    again(session).hold_back([("111", "")], "asked")
    with pytest.raises(RequestError, match="changed meanwhile what is held back"):
        session.release(out(tmp_path))
    assert not (tmp_path / "out").exists()
    session = again(session)
    session.approve(session.rows())
    session.release(out(tmp_path))
    assert set(texts(tmp_path / "out")) == {"110-01", "110-02"}


def test_undo_takes_edits_and_holding_back_back_in_turn(tmp_path):
    session = ReleaseSession(make(tmp_path, SOURCES))
    (row, *_) = [each for each in session.rows() if each.replacement.original == "Petty"]
    before = surrogates(session, "Petty")
    session.edit(row, "Naylorby")
    session.hold_back([("111", "")], "asked")
    session.undo()
    assert not session.held_back
    assert set(surrogates(session, "Petty")) == {"Naylorby"}
    session.undo()
    assert surrogates(session, "Petty") == before


def test_the_list_shows_only_what_goes_out(tmp_path):
    session = ReleaseSession(make(tmp_path, SOURCES))
    session.hold_back([("110", "110-02")], "choir")
    assert {row.replacement.record_id for row in session.rows()} == {"110-01", "111-01"}
    assert session.to_look_at() == 0
    session.let_in(("110", "110-02"))
    assert session.to_look_at() == 2


def test_nothing_is_held_back_without_a_reason(tmp_path):
    session = ReleaseSession(make(tmp_path, SOURCES))
    with pytest.raises(RequestError, match="say why"):
        session.hold_back([("111", "")], " \n")
    assert not session.held_back
    assert not held_back_path(session.project.root).exists()


def test_where_all_is_held_back_nothing_is_released(tmp_path):
    session = ReleaseSession(make(tmp_path, SOURCES))
    for patient_id in ("110", "111"):
        session.hold_back([(patient_id, "")], "asked")
    with pytest.raises(RequestError, match="everything is held back"):
        session.release(out(tmp_path))


@pytest.mark.parametrize("line", ["{}", '{"patient": 3, "record": ""}', '{"patient": "111"}'])
def test_a_spoilt_list_releases_nothing(tmp_path, line):
    project = make(tmp_path, SOURCES)
    ReleaseSession(project).hold_back([("111", "")], "asked")
    path = held_back_path(project.root)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(FileFormatError, match="line 2"):
        ReleaseSession(Project.open(project.root))


def test_the_test_part_is_drawn_from_what_goes_out(tmp_path):
    sources = {f"{number}-01": f"[Ann Lee|PATIENT] of {number}." for number in range(110, 120)}
    session = ReleaseSession(make(tmp_path, sources))
    for number in range(110, 116):
        session.hold_back([(str(number), "")], "asked")
    session.release(out(tmp_path, test=50, new_ids=True))
    parts = json.loads((tmp_path / "out" / "data_card.json").read_text())["parts"]
    assert (parts["train"]["records"], parts["test"]["records"]) == (2, 2)
