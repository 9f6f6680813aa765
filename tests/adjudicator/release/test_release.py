"""A release under way, without windows: the list, edits, blockers, the release itself."""

import errno
import os

import pytest

from adjudicator.release.rows import ReviewSection, narrowed
from adjudicator.release.session import ReleaseSession
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.writing import StoredMap
from shared.commands.main import main
from shared.errors import RequestError, StorageError
from shared.formats.corpus import read_corpus
from tests.adjudicator.release.sessions import (
    PASSPHRASE,
    SOURCES,
    again,
    make,
    out,
    reviewed,
    rows,
    surrogates,
)
from tests.disk import filling_disk

# ---------------------------------------------------------------- the list


def test_what_needs_a_person_comes_first_then_people_places_and_dates(session):
    sections = [each.section for each in session.rows()]
    assert sections == sorted(sections, key=list(ReviewSection).index)
    assert sections[:2] == [ReviewSection.LOOK, ReviewSection.LOOK]
    assert set(sections) == {
        ReviewSection.LOOK,
        ReviewSection.PEOPLE,
        ReviewSection.PLACES,
        ReviewSection.DATES,
    }
    assert session.to_look_at() == 2


def test_one_person_stands_together(session):
    people = [each for each in session.rows("110") if each.section is ReviewSection.PEOPLE]
    groups = [each.group for each in people]
    assert groups == sorted(groups, key=str.casefold)
    assert len({each.group for each in people if "Holcomb" in each.replacement.original}) == 1


def test_the_list_of_a_patient_has_no_other(session):
    assert {each.patient_id for each in session.rows("111")} == {"111"}
    assert {each.patient_id for each in session.rows()} == {"110", "111"}


@pytest.mark.parametrize(
    ("words", "type_name", "found"),
    [("HOLC", "", 2), ("", "DOCTOR", 3), ("petty", "DATE", 0), ("110-02", "AGE", 0)],
)
def test_the_list_is_narrowed(session, words, type_name, found):
    assert len(narrowed(session.rows(), words, type_name)) == found


# ---------------------------------------------------------------- edits


def test_an_edit_is_for_all_alike_and_kept_for_the_next_run(session):
    edited = session.edit(rows(session, "Petty")[1], "Naylorby")
    assert (edited.changed, edited.others) == (3, 0)
    assert surrogates(session, "Petty") == ["Naylorby"] * 3
    assert surrogates(again(session), "Petty") == ["Naylorby"] * 3


def test_an_edit_of_one_leaves_the_others(session):
    before = surrogates(session, "Petty")
    session.edit(rows(session, "Petty")[0], "Naylorby", same_text=False)
    assert sorted(surrogates(session, "Petty")) == sorted(["Naylorby", *before[1:]])


def test_one_after_all_alike_keeps_what_was_chosen_for_the_others(session):
    first = rows(session, "Petty")[0]
    session.edit(first, "Naylorby")
    session.edit(next(each for each in rows(session, "Petty") if each.key == first.key), "Osgoodby",
                 same_text=False)  # fmt: skip
    assert sorted(surrogates(session, "Petty")) == ["Naylorby", "Naylorby", "Osgoodby"]
    assert sorted(surrogates(again(session), "Petty")) == ["Naylorby", "Naylorby", "Osgoodby"]


def test_all_alike_after_one_is_for_that_one_too(session):
    session.edit(rows(session, "Petty")[0], "Osgoodby", same_text=False)
    session.edit(rows(session, "Petty")[1], "Naylorby")
    assert surrogates(session, "Petty") == ["Naylorby"] * 3


def test_the_other_forms_of_a_person_are_counted(session):
    assert session.edit(rows(session, "Holcomb")[0], "Jacobs").others == 1


def test_what_is_edited_stays_in_its_group(session):
    before = rows(session, "Holcomb")[0].group
    session.edit(rows(session, "Holcomb")[0], "Jacobs")
    assert rows(session, "Holcomb")[0].group == before


def test_nothing_else_changes_with_an_edit(session):
    before = {each.key: each.replacement.surrogate for each in session.rows()}
    session.edit(rows(session, "Petty")[0], "Naylorby")
    after = {each.key: each.replacement.surrogate for each in session.rows()}
    assert {key for key in before if before[key] != after[key]} == {
        each.key for each in rows(session, "Petty")
    }


def test_an_edit_that_is_a_leak_stands_in_the_way_and_changes_nothing_else(session):
    before = surrogates(session, "Dennis Holcomb")
    session = reviewed(session)
    session.edit(rows(session, "Petty")[0], "Holcomb")
    assert session.blockers
    assert all(each.in_surrogate for each in session.blockers)
    assert session.blockers[0].span == rows(session, "Petty")[0].replacement.tag.span
    assert surrogates(session, "Dennis Holcomb") == before


def test_an_empty_surrogate_is_refused(session):
    with pytest.raises(RequestError, match="needs some text"):
        session.edit(rows(session, "Petty")[0], "  \n")


def test_what_was_looked_at_leaves_the_list_and_stays_away(session):
    look = [each for each in session.rows() if each.section is ReviewSection.LOOK]
    assert session.approve(look[:1]) == 2
    assert session.to_look_at() == 0
    assert again(session).to_look_at() == 0
    assert rows(session, "sings in a choir")[0].why == "chosen"


def test_an_approval_does_not_outlive_its_surrogate(session, tmp_path):
    """A date that came out of another shift is to be looked at anew."""
    project = make(tmp_path / "dates", {"110-01": "[02/30/2007|DATE] then [2007-05-09|DATE]"})
    session = ReleaseSession(project)
    assert session.approve(session.rows()) == 1
    session.release(out(tmp_path))
    session = again(session)
    assert session.to_look_at() == 1


def test_edits_are_taken_back_one_by_one(session):
    before = surrogates(session, "Petty")
    session.edit(rows(session, "Petty")[0], "Naylorby")
    session.edit(rows(session, "Petty")[0], "Osgoodby")
    session.undo()
    assert surrogates(session, "Petty") == ["Naylorby"] * 3
    session.undo()
    assert surrogates(session, "Petty") == before
    with pytest.raises(RequestError):
        session.undo()
    assert surrogates(again(session), "Petty") == before


# ---------------------------------------------------------------- the release


def test_what_was_seen_is_what_is_released_and_the_list_is_closed(session, tmp_path):
    session.edit(rows(session, "Petty")[0], "Naylorby")
    shown = surrogates(session, "Dennis Holcomb")[0]
    reviewed(session).release(out(tmp_path, unmark=frozenset({"ROOM"})))
    records = read_corpus(tmp_path / "out" / "xml").records
    assert "Naylorby" in records[0].document.text
    assert shown in records[0].document.text
    assert "ROOM" not in {tag.phi_type.name for each in records for tag in each.tags}
    assert not (session.project.root / "surrogates" / "draft.key").exists()
    for change in (session.undo, lambda: session.edit(rows(session, "Petty")[0], "Osgoodby")):
        with pytest.raises(RequestError, match="F5"):
            change()


def test_the_next_release_keeps_choices_and_draws_all_else_anew(session, tmp_path):
    session.edit(rows(session, "Petty")[0], "Naylorby")
    before = surrogates(session, "Dennis Holcomb")
    reviewed(session).release(out(tmp_path))
    following = again(session)
    assert surrogates(following, "Petty") == ["Naylorby"] * 3
    assert surrogates(following, "Dennis Holcomb") != before


def test_what_was_chosen_for_an_earlier_release_is_looked_at_once_more(session, tmp_path):
    """A date that a person wrote does not fit a shift that was drawn later."""
    session.edit(rows(session, "5/20")[0], "7/31")
    reviewed(session).release(out(tmp_path))
    following = again(session)
    found = rows(following, "5/20")[0]
    assert found.replacement.surrogate == "7/31"
    assert found.section is ReviewSection.LOOK
    assert found.why == "chosen for an earlier release"
    following.approve([found])
    assert rows(again(following), "5/20")[0].section is ReviewSection.DATES
    assert surrogates(again(following), "5/20") == ["7/31"]


def test_an_edit_in_the_list_goes_before_an_earlier_one_in_the_table(session):
    assert main(["surrogate", str(session.project.root), "--review"]) == 1
    table = session.project.root / "surrogates" / "review.csv"
    lines = table.read_text().splitlines()
    at = next(number for number, each in enumerate(lines) if ",Petty," in each)
    lines[at] = lines[at].replace(",,,110,", ",Naylorby,x,110,")
    table.write_text("\n".join(lines) + "\n")
    session = again(session)
    assert surrogates(session, "Petty") == ["Naylorby"] * 3
    session.edit(rows(session, "Petty")[0], "Osgoodby")
    assert surrogates(again(session), "Petty") == ["Osgoodby"] * 3


def test_without_an_edit_nothing_is_written_into_the_project(session):
    assert not (session.project.root / "surrogates").exists() or not any(
        (session.project.root / "surrogates").iterdir()
    )


def test_days_of_the_week_are_kept_where_it_is_wanted(tmp_path):
    project = make(tmp_path, {"110-01": "[Wednesday|DATE], [2007-05-09|DATE]"})
    session = ReleaseSession(project, SurrogateOptions(keep_weekdays=True))
    assert surrogates(session, "Wednesday") == ["Wednesday"]
    assert not session.blockers


def test_stopped_half_way_nothing_is_left(session, tmp_path):
    class StopError(Exception):
        pass

    def watch(what, items):
        for number, item in enumerate(items):
            if what == "Writing" and number == 3:
                raise StopError
            yield item

    reviewed(session).release(out(tmp_path))
    session = reviewed(again(session))
    before = (tmp_path / "out" / "text" / "110-01.txt").read_text()
    with pytest.raises(StopError):
        session.release(out(tmp_path, replace=True), watch)
    assert (tmp_path / "out" / "text" / "110-01.txt").read_text() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out", "project"]
    assert not session.is_released


def test_a_full_disk_leaves_no_release(session, tmp_path):
    session = reviewed(session)
    with filling_disk(writes=3), pytest.raises(StorageError, match="free some space"):
        session.release(out(tmp_path))
    assert [each.name for each in tmp_path.iterdir()] == ["project"]
    session.release(out(tmp_path))


def test_an_edit_that_the_system_refuses_is_not_in_the_list(session, monkeypatch):
    before = surrogates(session, "Petty")

    def refuse(source: object, target: object) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(StorageError, match="permission denied"):
        session.edit(rows(session, "Petty")[0], "Naylorby")
    assert surrogates(session, "Petty") == before


@pytest.mark.parametrize(
    ("name", "passphrase", "said"),
    [
        ("map", "short", "12 characters"),
        ("out/map", PASSPHRASE, "must not lie in the release"),
        ("there", PASSPHRASE, "already exists"),
    ],
)
def test_a_map_that_cannot_be_kept_is_refused_before_anything_is_written(
    session, tmp_path, name, passphrase, said
):
    (tmp_path / "there").write_text("an earlier map")
    kept = StoredMap(tmp_path / name, passphrase)
    with pytest.raises(RequestError, match=said):
        session.release(out(tmp_path, kept_map=kept))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["project", "there"]


def test_a_passphrase_is_in_no_trace_of_an_error(tmp_path):
    assert PASSPHRASE not in repr(StoredMap(tmp_path, PASSPHRASE))


def test_a_project_without_patients_that_are_ready_says_so(tmp_path):
    session = ReleaseSession(make(tmp_path, SOURCES, import_as=""))
    assert len(session.blockers) == 2
    assert session.rows() == []
